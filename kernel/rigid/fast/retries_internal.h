/* Retries: a job fails while others wait, and starts again: see retries.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* The attempts of a job that are still to fail, the running one included. */
static inline int32_t ori_failures_left(const orr_rigid *sim, int32_t job)
{
    if (orr_job_is_killed(sim->in, job))
        return 0;
    return sim->failures[job] - sim->attempts[job] + 1;
}

/* The next submission, s; inf: none is to come. */
static inline double ori_next_submission(const orr_rigid *sim)
{
    const orr_instance *in = sim->in;
    return sim->at.submitted < in->count ? in->submit[in->by_submission[sim->at.submitted]]
                                         : INFINITY;
}

/* A lull: a time in which jobs are only retried, so the queue and the free processors do not
 * change. */
typedef struct ori_lull {
    double until;   /* the next submission, s */
    int32_t always; /* jobs of smaller rank start again whenever they fail */
    int32_t noted;  /* jobs in sim->retried */
} ori_lull;

/* Single attempts before all attempts of a lull are taken at once, which visits every running
 * job. */
enum { ORI_PATIENCE = 8, ORI_LESS_PATIENCE = 3 };

/* Runs all failures and restarts of jobs in front of all waiting jobs that happen before any other
 * event. */
void ori_rigid_skip_retries(orr_rigid *sim, ori_lull *l);

/* Runs to the first event that is not a retry. */
orr_status ori_rigid_run_retries(orr_rigid *sim, orr_error *err);
