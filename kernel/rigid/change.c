/* Changes from outside: of single jobs, of processors, of failures to come. */
#include "rigid/change.h"

#include "rigid/attempts_internal.h"
#include "rigid/drain_internal.h"
#include "rigid/hooks_internal.h"
#include "rigid/outages_internal.h"
#include "rigid/waiting_internal.h"

static orr_status check_change(const orr_rigid *sim, orr_error *err)
{
    if (!sim->asked.opened)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "only a simulation made by orr_rigid_transplant can be changed");
    if (sim->shell.phase == ORI_STOPPED)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the simulation was stopped by an error at time %.17g and cannot go on",
                        sim->shell.now);
    return ori_shell_check_idle(&sim->shell, "changed", err);
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
    orr_rigid_job_state state = (orr_rigid_job_state)sim->state[job];
    ori_group *g = ori_group_of(sim, job);
    if (state == ORR_JOB_WAITING) {
        ori_rigid_dequeue(g, job);
        g->kept = g->plan_valid = false; /* it may hold a reservation */
    }
    sim->at.held -= state == ORR_JOB_HELD;
    ori_rigid_over(sim, job);
    ori_rigid_skip_submitted(sim);
    if (sim->attempts[job] + sim->interrupted[job] > 0)
        sim->at.totals.last_end = sim->at.last_end; /* no later than its own, and somebody's */
}

orr_status orr_rigid_cancel(orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_status status = check_job(sim, job, err);
    if (status == ORR_OK && sim->shell.record)
        status = orr_schedule_withdraw(&sim->schedule, job, sim->shell.now, err);
    if (status != ORR_OK)
        return status;
    orr_rigid_job_state state = (orr_rigid_job_state)sim->state[job];
    sim->at.disturbed = true;
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
    sim->at.fails = true;
    return ORR_OK;
}

orr_status orr_rigid_redraw(orr_rigid *sim, const orr_silent_errors *errors, uint64_t seed,
                            orr_error *err)
{
    orr_status status = check_change(sim, err);
    orr_stream_key key =
        orr_stream_key_make(seed, sim->shell.set, sim->shell.scenario, ORR_PURPOSE_FAILURES);
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
        sim->at.fails |= sim->failures[j] > 0;
    }
    return status;
}

/* --- processors ------------------------------------------------------------------------------- */

static orr_status check_processors(const orr_rigid *sim, orr_error *err)
{
    if (!sim->asked.opened || !sim->outages.any)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "processors can be changed only of a simulation made by "
                        "orr_rigid_transplant that is recorded or whose nodes may fail");
    if (sim->shell.phase == ORI_STOPPED)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the simulation was stopped by an error at time %.17g and cannot go on",
                        sim->shell.now);
    return ori_shell_check_idle(&sim->shell, "changed", err);
}

static orr_status check_service(const orr_rigid *sim, int32_t group, int32_t procs, double until,
                                orr_error *err)
{
    orr_status status = check_processors(sim, err);
    if (status != ORR_OK)
        return status;
    if (group < 0 || group >= sim->group_count)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there is no group %d", (int)group);
    if (procs < 0 || procs > sim->groups[group].procs)
        return orr_fail(err, ORR_ERR_ARGUMENT, "group %s has 0 to %d processors, not %d",
                        sim->groups[group].name, (int)sim->groups[group].procs, (int)procs);
    if (!(until > sim->shell.now))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "processors cannot be changed until %.17g s: it is %.17g s already", until,
                        sim->shell.now);
    return ORR_OK;
}

orr_status orr_rigid_set_service(orr_rigid *sim, int32_t group, int32_t procs, double until,
                                 orr_error *err)
{
    orr_status status = check_service(sim, group, procs, until, err);
    if (status != ORR_OK)
        return status;
    ori_group *g = &sim->groups[group];
    int32_t there = g->procs - g->at.drained;
    sim->at.disturbed |= procs != there;
    if (procs < there)
        return ori_rigid_drain(sim, g, there - procs, until, err);
    return ori_rigid_bring_back(sim, g, procs - there, until, err);
}

orr_status orr_rigid_lend(orr_rigid *sim, int32_t group, int32_t count, double until,
                          orr_error *err)
{
    orr_status status = check_service(sim, group, count, until, err);
    if (status != ORR_OK || count == 0 || until == INFINITY)
        return status;
    const ori_group *g = &sim->groups[group];
    sim->at.disturbed = true;
    return ori_rigid_lend(
        sim, (ori_lending){until, INFINITY, group, g->first + g->procs - count, count}, err);
}

static orr_status strike(orr_rigid *sim, const orr_outage *outage, int32_t *count, orr_error *err)
{
    sim->shell.phase = ORI_MOVES;
    sim->instant.changing = sim->at.disturbed = true;
    orr_status status = ori_rigid_fail_processors(sim, outage, count, err);
    sim->instant.changing = false;
    sim->shell.phase = ORI_RESTS;
    return status;
}

orr_status orr_rigid_strike_job(orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_status status = check_processors(sim, err);
    if (status != ORR_OK)
        return status;
    if (job < 0 || job >= sim->in->count)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there is no job number %d, there are %d jobs",
                        (int)job, (int)sim->in->count);
    if (sim->state[job] != ORR_JOB_RUNNING)
        return orr_fail(err, ORR_ERR_ARGUMENT, "job %s does not run: no fault can strike it",
                        orr_jobs_id(sim->jobs, job));
    orr_outage outage = {sim->shell.now, sim->shell.now, sim->processors.head[job], 1};
    return strike(sim, &outage, NULL, err);
}

orr_status orr_rigid_strike_node(orr_rigid *sim, int32_t processor, double repair, int32_t *struck,
                                 orr_error *err)
{
    const ori_outages *o = &sim->outages;
    orr_status status = check_processors(sim, err);
    if (status != ORR_OK)
        return status;
    if (processor < 0 || processor >= sim->in->procs)
        return orr_fail(err, ORR_ERR_ARGUMENT, "processor %d is not among 0 to %d", (int)processor,
                        (int)sim->in->procs - 1);
    if (!(repair >= 0 && sim->shell.now + repair < INFINITY))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the repair of a node must take a finite number of seconds >= 0, not %g",
                        repair);
    orr_outage outage = {sim->shell.now, sim->shell.now + repair, processor, 1};
    if (processor < o->at.law_procs && o->setup.node_procs > 1) {
        int32_t size = o->setup.node_procs, first = processor / size * size;
        outage.first = first;
        outage.count = size < o->at.law_procs - first ? size : o->at.law_procs - first;
    }
    return strike(sim, &outage, struck, err);
}

orr_status orr_rigid_redraw_nodes(orr_rigid *sim, uint64_t seed, orr_error *err)
{
    ori_outages *o = &sim->outages;
    if (!o->source)
        return ORR_OK;
    orr_status status = check_processors(sim, err);
    if (status == ORR_OK)
        status = orr_faults_reset(o->source, seed, sim->shell.set, sim->shell.scenario, err);
    while (status == ORR_OK && o->at.origin + orr_faults_peek(o->source).time <= sim->shell.now)
        status = orr_faults_take(o->source, err);
    return status;
}
