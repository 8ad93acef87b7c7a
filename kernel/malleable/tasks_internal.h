/* What happens to tasks, with all that follows from it. */
#ifndef ORR_MALLEABLE_TASKS_INTERNAL_H
#define ORR_MALLEABLE_TASKS_INTERNAL_H

#include "malleable/state_internal.h"

/* The task starts on what `held` says, now. */
orr_status ori_task_begin(orr_malleable *sim, int32_t task, orr_error *err);

/* What is left of the task takes `factor` times as long; ORR_ERR_ARGUMENT where that is no time. */
orr_status ori_task_scale(orr_malleable *sim, int32_t task, double factor, orr_error *err);

/* The task is over: it completes, or somebody cancels it, with what is left. */
orr_status ori_task_complete(orr_malleable *sim, int32_t task, orr_error *err);
orr_status ori_task_cancel(orr_malleable *sim, int32_t task, orr_error *err);

/* A fault: what was not saved is lost, and the task recovers on the processors it has. Its new
 * stint begins with ori_decision_apply. */
void ori_task_strike(orr_malleable *sim, int32_t task);

/* Carries out the proposal, and begins the struck task's new stint. Without a decision
 * (decide_internal.h) there is nothing to carry out. */
orr_status ori_decision_apply(orr_malleable *sim, int32_t struck, orr_error *err);

/* Share of a task's work left at the clock. */
double ori_task_left(orr_malleable *sim, int32_t task);

#endif
