/* The calls of a policy at the first instant after a change from outside: the ends of attempts,
 * and, for a policy that takes over, the running and waiting jobs. */
#include "rigid/effects/hooks_internal.h"

#include "rigid/introduce_internal.h"
#include "rigid/queue/view.h"

/* Calls on_start for all running jobs. */
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

/* Calls on_submit for all waiting jobs that the policy has not moved meanwhile. */
static orr_status introduce_waiting(orr_rigid *sim, orr_error *err)
{
    const int32_t *order = sim->in->by_submission;
    int32_t unknown = 0;
    orr_status status = ORR_OK;
    for (int32_t i = 0; i < sim->at.submitted; i++)
        if (sim->state[order[i]] == ORR_JOB_WAITING) {
            sim->news[order[i]] = UNKNOWN;
            unknown++;
        }
    for (int32_t i = 0; unknown > 0 && i < sim->at.submitted; i++) {
        if (sim->news[order[i]] != UNKNOWN)
            continue;
        sim->news[order[i]] = 0;
        unknown--;
        if (status == ORR_OK && sim->state[order[i]] == ORR_JOB_WAITING)
            status = ori_rigid_introduce(sim, order[i], err);
    }
    return status;
}

static orr_status tell_ends(orr_rigid *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t j = 0; sim->at.news_count > 0 && j < sim->in->count; j++) {
        orr_outcome outcome = (orr_outcome)sim->news[j];
        if (outcome == ORR_RUNNING)
            continue;
        sim->news[j] = ORR_RUNNING;
        sim->at.news_count--;
        if (status == ORR_OK)
            status = ori_rigid_on_end(sim, j, outcome, err);
    }
    return status;
}

orr_status ori_rigid_tell_news(orr_rigid *sim, orr_error *err)
{
    sim->at.disturbed = false;
    if (sim->at.introduced)
        return tell_ends(sim, err);
    sim->at.introduced = true;
    ORI_TRY(introduce_running(sim, err));
    return introduce_waiting(sim, err);
}
