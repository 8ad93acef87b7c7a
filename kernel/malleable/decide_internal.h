/* A decision of the policy, as the engine sees it: see decide.c. */
#pragma once

#include "malleable/state_internal.h"

/* Opens a decision; the hook of the policy is then called, and the proposal applied
 * (ori_decision_apply). struck: the struck task; -1: none. */
void ori_decision_open(orr_malleable *sim, int32_t struck);
/* Reports remembered values that do not hold; ORI_IN_CHECKS only. */
void ori_decision_check(orr_malleable *sim);

/* ORR_ERR_POLICY where the proposal hands out more processors than the machine has. */
orr_status ori_check_proposal(const orr_malleable *sim, orr_error *err);

/* After start_over the finishes of tasks that held more are computed only on demand: share_out.c
 * needs few of them. Call this before reading `proposed_finish` or `list`. */
void ori_decision_settle_all(orr_malleable *sim);
static inline void ori_decision_settle(orr_malleable *sim)
{
    if (ORR_UNLIKELY(sim->decision.fresh))
        ori_decision_settle_all(sim);
}
/* Computes one task's finish and leaf where they are not known yet; the task takes part. */
void ori_decision_settle_task(orr_malleable *sim, int32_t task);

/* Makes the list, on its first use. */
void ori_decision_list(orr_malleable *sim);

/* For a task that takes part: the share of its work that is left; the time from which it could have
 * other processors, s (a struck task redistributes after its recovery); its expected finish on a
 * number of processors, s. */
double ori_decision_left(orr_malleable *sim, int32_t task);
static inline double ori_decision_begin(const orr_malleable *sim, int32_t task)
{
    return task == sim->decision.struck ? sim->ready[task] : sim->shell.now;
}
double ori_decision_finish_with(orr_malleable *sim, int32_t task, int32_t procs);
/* Whether the expected finish is surely later than `level`, s: by a bound, without exponentials. */
bool ori_decision_stays_above(orr_malleable *sim, int32_t task, int32_t procs, double level);

/* Says why a task cannot be given processors. */
orr_status ori_decision_refuse(const orr_malleable *sim, int32_t task, orr_error *err);

static inline void ori_decision_close(orr_malleable *sim)
{
    sim->decision.open = false;
    sim->decision.struck = -1;
}
