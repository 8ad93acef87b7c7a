/* Creation of a simulation, begin of a scenario, and the questions that may be asked at any time.
 * run.c has the events; state.c has copies. */
#include "malleable/engine.h"

#include "base/api_internal.h"
#include "base/try_internal.h"

#include "malleable/allocate_internal.h"
#include "malleable/decide_internal.h"
#include "malleable/faults_internal.h"
#include "malleable/machine_internal.h"
#include "malleable/tasks_internal.h"
#include "workload/faults_internal.h"

#include <string.h>

enum { MAX_FAULTS = 10000000 };

/* --- creation --------------------------------------------------------------------------------- */

static orr_status check_log(const orr_faults_setup *setup, int32_t count, orr_error *err)
{
    for (int64_t i = 0; setup->law == ORR_FAULTS_LOG && i < setup->log_count; i++)
        ORI_REFUSE(setup->log[i].task >= count, err,
                   "fault %lld strikes task %lld, and there are only %d tasks", (long long)i + 1,
                   (long long)setup->log[i].task + 1, (int)count);
    return ORR_OK;
}

orr_malleable *orr_malleable_create(const orr_malleable_setup *given, orr_error *err)
{
    orr_malleable_setup setup;
    orr_malleable_policy policy;
    if (ORI_TAKE(&setup, given, orr_malleable_setup, err) != ORR_OK ||
        ORI_TAKE(&policy, setup.policy, orr_malleable_policy, err) != ORR_OK ||
        ori_policy_check_state(&ORI_POLICY_CALLS(&policy), policy.make_state, err) != ORR_OK ||
        ori_check_procs(setup.procs, setup.count, err) != ORR_OK ||
        orr_resilience_check(&setup.resilience, err) != ORR_OK ||
        check_log(&setup.faults, setup.count, err) != ORR_OK)
        return NULL;
    policy.name = ORI_POLICY_NAME(&policy);
    setup.policy = &policy;
    orr_malleable plain = {
        .shell = ORI_SHELL_OF(&setup),
        .asked = {.resilience = setup.resilience,
                  .max_faults = setup.max_faults > 0 ? setup.max_faults : MAX_FAULTS,
                  .exponential = setup.faults.law == ORR_FAULTS_EXPONENTIAL},
        .at = {.procs = setup.procs, .numbered = setup.procs, .undo_at = INFINITY},
        .decision.struck = -1,
        .policy = policy,
        .count = setup.count,
        .pairs = setup.procs / 2};
    orr_malleable *sim = ori_malleable_allocate(&plain, err);
    if (!sim)
        return NULL;
    setup.faults.procs = setup.procs;
    setup.faults.alloc = &sim->shell.alloc;
    sim->faults = orr_faults_create(&setup.faults, err);
    if (sim->faults)
        return sim;
    orr_malleable_destroy(sim);
    return NULL;
}

/* --- scenarios -------------------------------------------------------------------------------- */

/* Calls on_start, and replaces the processors in `held` by the proposed ones. During the call the
 * tasks count as running. */
static orr_status ask_for_start(orr_malleable *sim, orr_error *err)
{
    const char *name = sim->policy.name;
    for (int32_t i = 0; i < sim->count; i++)
        ori_task_foresee_start(sim, i);
    ori_decision_open(sim, -1);
    sim->decision.starting = true;
    ori_policy_begin(err);
    orr_status status = sim->policy.on_start(sim->policy.user, sim, err);
    status = ori_policy_end(name, "on_start", status, err);
    ORI_IN_CHECKS(ori_decision_check(sim));
    if (status == ORR_OK)
        status = ori_costs_status(&sim->costs, err);
    if (status == ORR_OK)
        status = ori_check_proposal(sim, err);
    if (status != ORR_OK && err && strncmp(err->message, "policy ", 7) != 0)
        orr_error_prefix(err, "policy %s: on_start", name);
    memcpy(sim->held, sim->proposed, (size_t)sim->count * sizeof *sim->held);
    ori_decision_close(sim);
    sim->at.free = sim->at.procs;
    sim->at.running = 0;
    return status;
}

/* RR-8795, Algorithm 2, lines 5 to 10. */
static orr_status begin_tasks(orr_malleable *sim, const orr_tasks *tasks, orr_error *err)
{
    const ori_shell *shell = &sim->shell;
    ori_malleable_clear(sim);
    ORI_TRY(ori_check_procs(sim->at.procs, sim->count, err)); /* a change may have taken some */
    sim->tasks = tasks;
    ori_costs_reset(&sim->costs, tasks);
    ORI_TRY(ori_faults_keep(sim->faults, sim->at.procs, err));
    ORI_TRY(orr_faults_reset(sim->faults, shell->seed, shell->set, shell->scenario, err));
    ori_allocate(&sim->costs, 0, sim->at.procs, &sim->list, sim->held);
    if (sim->policy.on_start)
        ORI_TRY(ask_for_start(sim, err));
    for (int32_t i = 0; i < sim->count; i++)
        ORI_TRY(ori_task_begin(sim, i, err));
    sim->at.metrics.expected = sim->finish[ori_latest(sim)];
    ORI_TRY(ori_costs_status(&sim->costs, err));
    ORI_TRY(ori_malleable_make_state(sim, err));
    ORI_TRY(ori_record_moment(sim, err));
    return ori_pass_over_absorbed(sim, err);
}

orr_status orr_malleable_reset(orr_malleable *sim, const orr_tasks *tasks, uint64_t scenario,
                               orr_error *err)
{
    ORI_TRY(ori_shell_check_idle(&sim->shell, "reset", err));
    ORI_REFUSE(tasks->count != sim->count, err, "the simulation is for %d tasks, these are %d",
               (int)sim->count, (int)tasks->count);
    ori_shell_reset(&sim->shell, scenario);
    return ori_shell_begun(&sim->shell, begin_tasks(sim, tasks, err));
}

/* --- questions -------------------------------------------------------------------------------- */

orr_malleable_metrics orr_malleable_measure(const orr_malleable *sim)
{
    orr_malleable_metrics metrics = sim->at.metrics;
    metrics.makespan = sim->shell.now;
    metrics.spent.idle = ori_idle(sim);
    return metrics;
}

const double *orr_malleable_ends(const orr_malleable *sim)
{
    return sim->end;
}

const orr_stints *orr_malleable_stints(const orr_malleable *sim)
{
    return sim->shell.record ? &sim->stints : NULL;
}

/* Absorbed faults are taken ahead of the clock, see ori_pass_over_absorbed. */
const orr_fault *orr_malleable_faults(const orr_malleable *sim, int64_t *count)
{
    const orr_fault *seen = sim->seen.items;
    int64_t n = sim->seen.count;
    while (n > 0 && seen[n - 1].time > sim->shell.now)
        n--;
    *count = n;
    return seen;
}

const orr_moment *orr_malleable_moments(const orr_malleable *sim, int64_t *count)
{
    *count = sim->moments.count;
    return sim->moments.items;
}

orr_status orr_malleable_check(const orr_malleable *sim, orr_error *err)
{
    static const orr_fault none;
    ORI_TRY(ori_shell_check_idle(&sim->shell, "checked", err));
    ORI_REFUSE(!sim->shell.record || !ori_shell_is_begun(&sim->shell), err,
               "there is no recorded run to check");
    ORI_REFUSE(sim->shell.phase == ORI_STOPPED, err,
               "the simulation was stopped by an error at time %.17g, in the middle of an event",
               sim->shell.now);
    orr_resilience resilience = sim->asked.resilience;
    if (sim->policy.period)
        resilience.rule = ORR_PERIOD_GIVEN;
    return orr_check_stints(sim->tasks, &resilience, &sim->stints,
                            sim->seen.items ? sim->seen.items : &none, sim->seen.count,
                            sim->at.running > 0, err);
}
