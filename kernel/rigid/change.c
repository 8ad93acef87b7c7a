/* Changes of single jobs from outside, and what a policy hears of them. */
#include "rigid/state_internal.h"

#include <string.h>

static orr_status check_change(const orr_rigid *sim, orr_error *err)
{
    if (!sim->opened)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "only a simulation made by orr_rigid_transplant can be changed");
    if (sim->stopped)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the simulation was stopped by an error at time %.17g and cannot go on",
                        sim->now);
    return ori_rigid_check_idle(sim, "changed", err);
}

static orr_status check_job(const orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_status status = check_change(sim, err);
    if (status != ORR_OK)
        return status;
    if (job < 0 || job >= sim->in->count)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there is no job number %d, there are %d jobs",
                        (int)job, (int)sim->in->count);
    if (sim->state[job] == ORR_JOB_OVER)
        return orr_fail(err, ORR_ERR_ARGUMENT, "job %s is over since %.17g s",
                        orr_jobs_id(sim->jobs, job), sim->planned_end[job]);
    return ORR_OK;
}

/* --- jobs ------------------------------------------------------------------------------------- */

/* A job that does not run is over. */
static void cancel_idle(orr_rigid *sim, int32_t job)
{
    orr_job_state state = (orr_job_state)sim->state[job];
    ori_group *g = ori_group_of(sim, job);
    if (state == ORR_JOB_WAITING) {
        ori_rigid_dequeue(g, job);
        g->kept = g->plan_valid = false; /* it may hold a reservation */
    }
    sim->held -= state == ORR_JOB_HELD;
    ori_rigid_over(sim, job);
    ori_rigid_skip_submitted(sim);
    if (sim->attempts[job] + sim->interrupted[job] > 0)
        sim->totals.last_end = sim->last_end; /* no later than its own, and somebody's */
}

orr_status orr_rigid_cancel(orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_status status = check_job(sim, job, err);
    if (status == ORR_OK && sim->record)
        status = orr_schedule_withdraw(&sim->schedule, job, sim->now, err);
    if (status != ORR_OK)
        return status;
    orr_job_state state = (orr_job_state)sim->state[job];
    sim->disturbed = true;
    sim->left_out[job] = state == ORR_JOB_RUNNING ? ORR_LEFT_RUNNING : ORR_LEFT_WAITING;
    if (state != ORR_JOB_PENDING)
        ori_rigid_note_end(sim, job, ORR_CANCELLED);
    if (state == ORR_JOB_RUNNING)
        return ori_rigid_interrupt(sim, job, ORR_CANCELLED, err);
    cancel_idle(sim, job);
    return ORR_OK;
}

orr_status orr_rigid_fail_attempt(orr_rigid *sim, int32_t job, bool *known, orr_error *err)
{
    orr_status status = check_job(sim, job, err);
    if (status != ORR_OK)
        return status;
    if (orr_job_is_killed(sim->in, job))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "no attempt of job %s can fail: it is killed at its walltime of %.17g s",
                        orr_jobs_id(sim->jobs, job), sim->in->estimate[job]);
    int32_t attempt = sim->attempts[job] + (sim->state[job] != ORR_JOB_RUNNING);
    if (known)
        *known = attempt <= sim->failures[job];
    if (attempt > sim->failures[job])
        sim->failures[job] = attempt;
    sim->fails = true;
    return ORR_OK;
}

orr_status orr_rigid_redraw(orr_rigid *sim, const orr_silent_errors *errors, uint64_t seed,
                            orr_error *err)
{
    orr_status status = check_change(sim, err);
    orr_stream_key key = orr_stream_key_make(seed, sim->set, sim->scenario, ORR_PURPOSE_FAILURES);
    for (int32_t j = 0; status == ORR_OK && j < sim->in->count; j++) {
        int32_t fresh, failed = sim->attempts[j] - (sim->state[j] == ORR_JOB_RUNNING);
        if (sim->state[j] == ORR_JOB_OVER)
            continue;
        status = orr_silent_errors_draw_job(errors, key, j, &fresh, err);
        if (status == ORR_OK && fresh >= INT32_MAX - failed)
            status = orr_fail(err, ORR_ERR_LIMIT, "job %s would fail too often",
                              orr_jobs_id(sim->jobs, j));
        if (status == ORR_OK)
            sim->failures[j] = failed + fresh;
        sim->fails |= sim->failures[j] > 0;
    }
    return status;
}

/* --- what the policy hears ----------------------------------------------------------------------
 */

/* Who takes over hears of nobody who was there before and is not any more. */
void ori_rigid_note_end(orr_rigid *sim, int32_t job, orr_outcome outcome)
{
    if (!sim->policy.on_end || !sim->introduced)
        return;
    sim->news_count += sim->news[job] == 0;
    sim->news[job] = (uint8_t)outcome;
}

/* on_start for all that run. */
static orr_status introduce_running(orr_rigid *sim, orr_error *err)
{
    if (!sim->started)
        return ORR_OK;
    const int32_t *jobs = sim->sorter.jobs;
    int32_t count = orr_rigid_running(sim, -1, sim->sorter.jobs);
    for (int32_t i = 0; i < count; i++)
        ori_rigid_note_start(sim, jobs[i]);
    return ori_rigid_on_start(sim, err);
}

enum { UNKNOWN = UINT8_MAX }; /* in news: a job that waits since before the policy took over */

/* on_submit for all that wait and have not been moved by the policy meanwhile. */
static orr_status introduce_waiting(orr_rigid *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t j = 0; j < sim->in->count; j++)
        if (sim->state[j] == ORR_JOB_WAITING)
            sim->news[j] = UNKNOWN;
    for (int32_t i = 0; i < sim->in->count; i++) {
        int32_t job = sim->in->by_submission[i];
        bool waits = sim->news[job] == UNKNOWN && sim->state[job] == ORR_JOB_WAITING;
        sim->news[job] = 0;
        if (status == ORR_OK && waits)
            status = ori_rigid_introduce(sim, job, err);
    }
    return status;
}

static orr_status tell_ends(orr_rigid *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t j = 0; sim->news_count > 0 && j < sim->in->count; j++) {
        orr_outcome outcome = (orr_outcome)sim->news[j];
        if (outcome == ORR_RUNNING)
            continue;
        sim->news[j] = ORR_RUNNING;
        sim->news_count--;
        if (status == ORR_OK)
            status = ori_rigid_on_end(sim, j, outcome, err);
    }
    return status;
}

orr_status ori_rigid_tell_news(orr_rigid *sim, orr_error *err)
{
    sim->disturbed = false;
    if (sim->introduced)
        return tell_ends(sim, err);
    sim->introduced = true;
    orr_status status = introduce_running(sim, err);
    return status == ORR_OK ? introduce_waiting(sim, err) : status;
}
