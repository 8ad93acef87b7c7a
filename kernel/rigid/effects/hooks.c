/* Calls of the policy's functions: permitted actions during a call, error messages, and the events
 * that the policy must still be told. */
#include "rigid/effects/hooks_internal.h"

#include <string.h>

orr_status ori_situation_fail(orr_rigid *sim, const char *hook, const char *policy,
                              orr_status status, orr_error *err)
{
    if (status == ORR_OK) {
        status = sim->instant.failure.status; /* the policy ignored the error */
        orr_fail(err, status, "%s", sim->instant.failure.message);
    }
    ori_policy_end(policy, hook, status, err);
    if (err && strncmp(err->message, "policy ", 7) != 0)
        orr_error_prefix(err, "policy %s: %s at time %.17g", policy, hook, sim->shell.now);
    return status;
}

orr_status ori_rigid_make_state(orr_rigid *sim, orr_error *err)
{
    if (!sim->policy.make_state)
        return ORR_OK;
    ori_situation here = {.hook = "make_state", .deciding = -1};
    ori_situation before = ori_situation_begin(sim, here, err);
    orr_status status = sim->policy.make_state(sim->policy.user, sim, &sim->shell.state, err);
    status = ori_situation_end(sim, before, sim->policy.name, status, err);
    return ori_shell_state_made(&sim->shell, status, err);
}

static ori_situation event(const char *hook, int32_t group)
{
    return (ori_situation){.hook = hook, .group = group, .deciding = -1, .acting = true};
}

static ori_situation about(const orr_rigid *sim, const char *hook, int32_t job)
{
    return event(hook, ori_group_of(sim, job)->index);
}

orr_status ori_rigid_introduce(orr_rigid *sim, int32_t job, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    if (p->on_submit) {
        ori_situation before = ori_situation_begin(sim, about(sim, "on_submit", job), err);
        sim->instant.submitting = job;
        orr_status status = p->on_submit(p->user, sim, job, err);
        sim->instant.submitting = -1;
        ORI_TRY(ori_situation_end(sim, before, p->name, status, err));
    }
    const ori_group *g = ori_group_of(sim, job);
    int32_t procs = sim->jobs->procs[job];
    ORI_FAIL_IF(
        sim->group && procs > g->procs && sim->state[job] != ORR_JOB_HELD, err, ORR_ERR_POLICY,
        "policy %s: job %s, submitted at time %.17g, needs %d processors, and its "
        "group %s has %d",
        p->name, orr_jobs_id(sim->jobs, job), sim->shell.now, (int)procs, g->name, (int)g->procs);
    return ORR_OK;
}

orr_status ori_rigid_on_end(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    ori_situation before = ori_situation_begin(sim, about(sim, "on_end", job), err);
    orr_status status = p->on_end(p->user, sim, job, outcome, err);
    return ori_situation_end(sim, before, p->name, status, err);
}

/* A policy that takes over at the next instant is not told about jobs that are over by then,
 * because it never knew them. */
void ori_rigid_note_end(orr_rigid *sim, int32_t job, orr_outcome outcome)
{
    if (!sim->policy.on_end || !sim->at.introduced)
        return;
    sim->at.news_count += sim->news[job] == 0;
    sim->news[job] = (uint8_t)outcome;
}

/* Priorities that change at one time do so in order of the jobs' positions, which does not depend
 * on when they were asked. */
orr_status ori_rigid_add_timer(orr_rigid *sim, double time, int32_t job, orr_error *err)
{
    ori_calendar *c = &sim->timers;
    if (c->count == c->capacity) {
        ORI_TRY(c->count < INT32_MAX / 2
                    ? ori_calendar_reserve(c, 2 * c->capacity, err)
                    : orr_fail(err, ORR_ERR_LIMIT, "too many times to wake up at"));
    }
    ori_calendar_rise(c->heap, c->count++, (ori_event){time, (uint64_t)(job + 1), job});
    return ORR_OK;
}

orr_status ori_rigid_on_timer(orr_rigid *sim, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    if (!p->on_timer)
        return ORR_OK;
    ori_situation before = ori_situation_begin(sim, event("on_timer", 0), err);
    orr_status status = p->on_timer(p->user, sim, err);
    return ori_situation_end(sim, before, p->name, status, err);
}

orr_status ori_rigid_on_warning(orr_rigid *sim, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    ori_warnings *w = &sim->outages.warnings;
    while (ori_warnings_are_untold(w)) {
        orr_warning warning = w->list[w->at.told++];
        ori_situation before = ori_situation_begin(sim, event("on_warning", 0), err);
        orr_status status = p->on_warning(p->user, sim, &warning, err);
        ORI_TRY(ori_situation_end(sim, before, p->name, status, err));
    }
    return ORR_OK;
}

orr_status ori_rigid_ask_planned_end(orr_rigid *sim, int32_t job, double *time, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    ori_situation here = about(sim, "planned_end", job);
    here.acting = false;
    ori_situation before = ori_situation_begin(sim, here, err);
    orr_status status = p->planned_end(p->user, sim, job, time, err);
    return ori_situation_end(sim, before, p->name, status, err);
}

/* --- on_start --------------------------------------------------------------------------------- */

/* `started` has room for every job that can run at once. Jobs that the policy was told stand in
 * front and may have ended. They are dropped when the list is full; then there is room, because all
 * other jobs in the list still run. */
void ori_rigid_note_start(orr_rigid *sim, int32_t job)
{
    if (sim->instant.started_count == sim->ends.capacity) {
        sim->instant.started_count -= sim->instant.told;
        memmove(sim->started, sim->started + sim->instant.told,
                (size_t)sim->instant.started_count * sizeof *sim->started);
        sim->instant.told = 0;
    }
    sim->started[sim->instant.started_count++] = job;
}

void ori_rigid_forget_start(orr_rigid *sim, int32_t job)
{
    int32_t i = sim->instant.started_count - 1;
    while (i >= sim->instant.told && sim->started[i] != job)
        i--;
    if (i < sim->instant.told)
        return;
    sim->instant.started_count--;
    memmove(sim->started + i, sim->started + i + 1,
            (size_t)(sim->instant.started_count - i) * sizeof *sim->started);
}

orr_status ori_rigid_on_start(orr_rigid *sim, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    orr_status status = ORR_OK;
    while (status == ORR_OK && sim->instant.told < sim->instant.started_count) {
        int32_t job = sim->started[sim->instant.told++];
        ori_situation before = ori_situation_begin(sim, about(sim, "on_start", job), err);
        status = p->on_start(p->user, sim, job, err);
        status = ori_situation_end(sim, before, p->name, status, err);
    }
    sim->instant.told = sim->instant.started_count = 0;
    return status;
}

/* --- on_idle ---------------------------------------------------------------------------------- */

orr_status ori_rigid_on_idle(orr_rigid *sim, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    for (int32_t i = 0; p->on_idle && i < sim->group_count; i++) {
        ori_group *g = &sim->groups[i];
        if (g->idle_told || g->at.free == 0 || g->order.queue.count > 0)
            continue;
        g->idle_told = true;
        ori_situation before = ori_situation_begin(sim, event("on_idle", i), err);
        orr_status status = p->on_idle(p->user, sim, i, err);
        ORI_TRY(ori_situation_end(sim, before, p->name, status, err));
    }
    return ORR_OK;
}
