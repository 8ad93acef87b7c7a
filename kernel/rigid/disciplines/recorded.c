/* The starts of the log: every job starts at its logged start. */

#include "base/try_internal.h"
#include "rigid/disciplines/recorded_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/availability_internal.h"
#include "rigid/effects/hooks_internal.h"

/* The logged start, s; NaN if the log has none. */
static double start_of(const orr_rigid *sim, int32_t job)
{
    return sim->in->submit[job] + orr_jobs_wait(sim->jobs, job);
}

orr_status ori_rigid_check_recorded(const orr_rigid *sim, const orr_rigid_policy *policy,
                                    orr_error *err)
{
    const orr_jobs *jobs = sim->jobs;
    for (int32_t job = 0; job < jobs->count; job++) {
        ORI_FAIL_IF(isnan(orr_jobs_wait(jobs, job)), err, ORR_ERR_INPUT,
                    "policy %s: the log does not tell when job %s started (SWF has its wait in "
                    "column 3, sacct its Start)",
                    policy->name, orr_jobs_id(jobs, job));
        ORI_FAIL_IF(sim->in->submit[job] != jobs->submit[job], err, ORR_ERR_INPUT,
                    "policy %s: job %s is not submitted when the log says", policy->name,
                    orr_jobs_id(jobs, job));
    }
    return ORR_OK;
}

/* The job that is due, fits, and started first in the log; -1 for none. *next: the first start that
 * is still to come. */
static int32_t first_due(const orr_rigid *sim, const ori_group *g, double *next)
{
    const ori_queue *q = &g->order.queue;
    int32_t first = -1;
    *next = INFINITY;
    for (int32_t rank = 0; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++) {
        int32_t job = q->job_at[rank];
        double start = start_of(sim, job);
        if (start > sim->shell.now)
            *next = start < *next ? start : *next;
        else if (sim->jobs->procs[job] <= g->at.free && ori_rigid_has_share_now(sim, job) &&
                 (first < 0 || start < start_of(sim, first)))
            first = job;
    }
    return first;
}

orr_status ori_rigid_decide_recorded(orr_rigid *sim, ori_group *g, orr_error *err)
{
    double next;
    bool found = true;
    for (int32_t job; found && (job = first_due(sim, g, &next)) >= 0;) {
        if (g->placed)
            ORI_TRY(ori_rigid_find_now(sim, g, job, &found, err));
        if (found)
            ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
    }
    const ori_event *timer = ori_calendar_peek(&sim->timers);
    bool comes = timer && timer->time <= next;
    return next < INFINITY && !comes ? ori_rigid_add_timer(sim, next, -1, err) : ORR_OK;
}
