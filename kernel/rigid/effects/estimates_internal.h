/* Estimates of the policy (READINGS 43): planned lengths of attempts, and corrections of plans that
 * attempts outlive. All functions need sim->outlived. Internal to this folder. */
#pragma once

#include "rigid/state/state_internal.h"

/* Asks for the estimate of the next attempt of a job that begins to wait. */
orr_status ori_estimates_ask(orr_rigid *sim, int32_t job, orr_error *err);

/* Whether the event in `ends` of a running attempt is not its end: it outlives its plan then. */
static inline bool ori_estimates_are_outlived(const orr_rigid *sim, int32_t job)
{
    return sim->outlived && !sim->asked.live &&
           sim->planned_end[job] < orr_real_end(sim->in, job, sim->start[job]);
}

/* An attempt begins whose real end is `end`; returns the time of its event, s. */
double ori_estimates_begin(orr_rigid *sim, int32_t job, double end);
/* The event of a running attempt, s. */
static inline double ori_estimates_event(const orr_rigid *sim, int32_t job)
{
    return ori_estimates_are_outlived(sim, job) ? sim->planned_end[job]
                                                : orr_real_end(sim->in, job, sim->start[job]);
}

/* The new planned end of an attempt that outlives its plan now, s: later than now, unless its
 * walltime is over. */
double ori_estimates_later(orr_rigid *sim, int32_t job);

/* Takes over the estimates of the first `count` jobs, if both policies estimate. */
void ori_estimates_take(orr_rigid *to, const orr_rigid *from, int32_t count);
/* The planned end of an attempt that was taken over, s; its times may have changed. */
double ori_estimates_planned_end(const orr_rigid *to, int32_t job);
/* A policy without estimates takes over attempts from a policy with estimates. */
void ori_estimates_leave(orr_rigid *to);
