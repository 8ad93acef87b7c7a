/* Estimates of the policy (READINGS 43): what attempts are planned to take, and what becomes of
 * plans that they outlive. All of it only where there is sim->outlived. Internal to this folder. */
#pragma once

#include "rigid/state_internal.h"

/* A job begins to wait: asks what the next attempt is planned to take. */
orr_status ori_estimates_ask(orr_rigid *sim, int32_t job, orr_error *err);

/* Whether the event in `ends` of an attempt that runs is no end: it outlives its plan there. */
static inline bool ori_estimates_are_outlived(const orr_rigid *sim, int32_t job)
{
    return sim->outlived && !sim->asked.live &&
           sim->planned_end[job] < orr_real_end(sim->in, job, sim->start[job]);
}

/* An attempt begins that really ends at `end`; returns when its event is, s. */
double ori_estimates_begin(orr_rigid *sim, int32_t job, double end);
/* The same of one that runs. */
static inline double ori_estimates_event(const orr_rigid *sim, int32_t job)
{
    return ori_estimates_are_outlived(sim, job) ? sim->planned_end[job]
                                                : orr_real_end(sim->in, job, sim->start[job]);
}

/* When an attempt that outlives its plan now is planned to end instead, s: later than now, unless
 * it should be over by its walltime. */
double ori_estimates_later(orr_rigid *sim, int32_t job);

/* Takes over what is known of the first `count` jobs, where both policies estimate. */
void ori_estimates_take(orr_rigid *to, const orr_rigid *from, int32_t count);
/* When an attempt that was taken over is planned to end, perhaps with other times, s. */
double ori_estimates_planned_end(const orr_rigid *to, int32_t job);
/* Attempts that were taken over from a policy that estimates, by one that does not. */
void ori_estimates_leave(orr_rigid *to);
