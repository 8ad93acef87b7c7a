/* Short ways through a simulation that nobody watches, see shortcuts.c. */
#pragma once

#include "rigid/attempts_internal.h"
#include "rigid/disciplines_internal.h"

/* The attempts of a job that are still to fail, the running one included. */
static inline int32_t ori_failures_left(const orr_rigid *sim, int32_t job)
{
    if (orr_job_is_killed(sim->in, job))
        return 0;
    return sim->failures[job] - sim->attempts[job] + 1;
}

/* Of who is still to come, s; inf: nobody is. */
static inline double ori_next_submission(const orr_rigid *sim)
{
    const orr_instance *in = sim->in;
    return sim->at.submitted < in->count ? in->submit[in->by_submission[sim->at.submitted]]
                                         : INFINITY;
}

/* --- retries (retries.c) ---------------------------------------------------------------------- */

/* What holds as long as jobs are only retried: the queue and the free processors do not change. */
typedef struct ori_lull {
    double until;   /* the next submission, s */
    int32_t always; /* jobs of smaller rank start again whenever they fail */
    int32_t noted;  /* jobs in sim->retried */
} ori_lull;

/* Attempts one by one before all of a lull are taken at once, which looks at every running job. */
enum { ORI_PATIENCE = 8, ORI_LESS_PATIENCE = 3 };

/* Lets jobs in front of all who wait fail and start again as often as they do before anything else
 * happens. */
void ori_rigid_skip_retries(orr_rigid *sim, ori_lull *l);

/* On to the first event that is no retry. */
orr_status ori_rigid_run_retries(orr_rigid *sim, orr_error *err);

/* --- greedy lists (greedy.c) ------------------------------------------------------------------ */

/* On to the next submission, or until nobody waits. */
orr_status ori_rigid_run_greedy(orr_rigid *sim, orr_error *err);

/* --- lists with one reservation, or one for every job (list_loop.c) --------------------------- */

/* Until nobody waits. Nobody may be still to come; of a group that has_loop. */
orr_status ori_rigid_run_list(orr_rigid *sim, orr_error *err);
