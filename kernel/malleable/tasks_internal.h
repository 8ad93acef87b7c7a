/* What happens to tasks, with all that follows from it: see tasks.c. */
#pragma once

#include "malleable/state_internal.h"

/* Starts the task on the processors of `held`, now. */
orr_status ori_task_begin(orr_malleable *sim, int32_t task, orr_error *err);

/* Sets the expected times of the task as if it had started; nothing else changes yet. */
void ori_task_foresee_start(orr_malleable *sim, int32_t task);

/* The rest of the task takes `factor` times as long; ORR_ERR_ARGUMENT where the time is not
 * finite. */
orr_status ori_task_scale(orr_malleable *sim, int32_t task, double factor, orr_error *err);

/* Ends the task, with this share of its work left: it completes or is cancelled. */
orr_status ori_task_end(orr_malleable *sim, int32_t task, double left, orr_stop why,
                        orr_error *err);

/* A fault: unsaved work is lost, and the task recovers on its processors. Its new stint begins with
 * ori_decision_apply. */
void ori_task_strike(orr_malleable *sim, int32_t task);

/* Carries out the proposal, which is settled (ori_decision_settle), and begins the struck task's
 * new stint. Without a decision (below) there is nothing to carry out. */
orr_status ori_decision_apply(orr_malleable *sim, int32_t struck, orr_error *err);

/* Share of a task's work left at the clock. */
double ori_task_left(orr_malleable *sim, int32_t task);
