/* Simulations as values: created, reset for a scenario, copied, measured. A separate file because
 * running a simulation (run.c) needs none of these functions. */
#include "rigid/state/state_internal.h"

#include "base/api_internal.h"
#include "base/memory_internal.h"
#include "base/try_internal.h"
#include "rigid/disciplines/disciplines_internal.h"
#include "rigid/effects/dependents_internal.h"
#include "rigid/effects/hooks_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "rigid/interface/engine.h"
#include "rigid/interface/parts_internal.h"
#include "schedule/metrics_internal.h"
#include "schedule/schedule_internal.h"

#include <string.h>

/* --- creation --------------------------------------------------------------------------------- */

static orr_status check_instant(orr_instant instant, orr_error *err)
{
    ORI_REFUSE((unsigned)instant > ORR_INSTANT_PYSS, err,
               "there is no convention %d of instants, they are numbered from 0 to %d",
               (int)instant, (int)ORR_INSTANT_PYSS);
    return ORR_OK;
}

static orr_status take_setup(orr_rigid_setup *setup, orr_rigid_policy *policy,
                             const orr_rigid_setup *given, orr_error *err)
{
    ORI_TRY(ORI_TAKE(setup, given, orr_rigid_setup, err));
    ORI_REFUSE(!setup->instance, err, "a simulation needs an instance, it is NULL");
    ORI_REFUSE(!setup->policy, err, "a simulation needs a policy, it is NULL");
    ORI_TRY(ORI_TAKE(policy, setup->policy, orr_rigid_policy, err));
    policy->name = ORI_POLICY_NAME(policy);
    ORI_REFUSE(setup->live && setup->instance->checkpoints.cost, err,
               "a live simulation has no checkpoints: no report says what is saved");
    bool are_used = setup->priorities && policy->priority && policy->per == ORR_PER_WORKLOAD;
    for (int32_t j = 0; are_used && j < setup->instance->count; j++)
        ORI_REFUSE(isnan(setup->priorities[j]), err, "the priority of job %s is not a number (nan)",
                   orr_jobs_id(setup->instance->jobs, j));
    return ORR_OK;
}

orr_rigid *orr_rigid_create(const orr_rigid_setup *given, orr_error *err)
{
    orr_rigid_setup setup;
    orr_rigid_policy policy = {0};
    if (take_setup(&setup, &policy, given, err) != ORR_OK)
        return NULL;
    setup.policy = &policy;
    if (check_instant(setup.instant, err) != ORR_OK)
        return NULL;
    orr_rigid plain = {.shell = ORI_SHELL_OF(&setup),
                       .in = setup.instance,
                       .policy = policy,
                       .disciplines = ori_rigid_disciplines(),
                       .asked = {.plain = setup.plain,
                                 .opened = setup.live,
                                 .live = setup.live,
                                 .instant = setup.instant}};
    orr_rigid *sim = ori_rigid_allocate(&plain, err);
    if (!sim)
        return NULL;
    const ori_given_windows windows = {setup.windows, setup.window_count, false};
    if (ori_rigid_create_parts(sim, setup.node_failures, windows, ORI_ZEROED, err) == ORR_OK &&
        ori_rigid_check_disciplines(sim, err) == ORR_OK &&
        ori_groups_rank(sim, ORR_PER_WORKLOAD, setup.priorities, err) == ORR_OK) {
        ori_rigid_forget_run(sim, 0);
        return sim;
    }
    orr_rigid_destroy(sim);
    return NULL;
}

/* --- scenarios -------------------------------------------------------------------------------- */

static orr_status set_failures(orr_rigid *sim, const int32_t *failures, orr_error *err)
{
    size_t bytes = (size_t)sim->in->count * sizeof *sim->failures;
    sim->at.fails = false;
    if (!failures) {
        memset(sim->failures, 0, bytes);
        return ORR_OK;
    }
    memmove(sim->failures, failures, bytes); /* `failures` may be the simulation's own array */
    for (int32_t j = 0; j < sim->in->count; j++) {
        sim->at.fails |= sim->failures[j] > 0;
        ORI_REFUSE(ORR_UNLIKELY(sim->failures[j] < 0 || sim->failures[j] == INT32_MAX), err,
                   "job %s cannot fail %d times", orr_jobs_id(sim->jobs, j), (int)sim->failures[j]);
    }
    return ORR_OK;
}

orr_status orr_rigid_reset(orr_rigid *sim, const int32_t *failures, uint64_t scenario,
                           orr_error *err)
{
    ORI_TRY(ori_shell_check_idle(&sim->shell, "reset", err));
    ori_shell_reset(&sim->shell, scenario);
    ori_rigid_forget_run(sim, 0);
    orr_status status = set_failures(sim, failures, err);
    if (status == ORR_OK && sim->outages.any)
        status = ori_outages_reset(&sim->outages, sim->shell.now, sim->shell.seed, sim->shell.set,
                                   scenario, err);
    if (status == ORR_OK)
        status = ori_rigid_make_state(sim, err);
    if (status == ORR_OK)
        status = ori_groups_rank(sim, ORR_PER_SCENARIO, NULL, err);
    if (sim->dependents)
        ori_dependents_loosen(sim);
    return ori_shell_begun(&sim->shell, status);
}

/* --- copies ----------------------------------------------------------------------------------- */

static orr_rigid *copy_with(const orr_allocator *alloc, const orr_rigid *sim, orr_error *err)
{
    orr_rigid plain = *sim;
    plain.shell.alloc = *alloc;
    orr_rigid *copy = ori_rigid_allocate(&plain, err);
    if (!copy || (ori_rigid_copy_parts(copy, sim, err) == ORR_OK &&
                  ori_shell_copy_state(&copy->shell, &sim->shell, err) == ORR_OK))
        return copy;
    orr_rigid_destroy(copy);
    return NULL;
}

orr_rigid *orr_rigid_copy(const orr_rigid *sim, orr_error *err)
{
    bool frozen = sim->shell.phase == ORI_FROZEN;
    if (!frozen && ori_shell_check_idle(&sim->shell, "copied", err) != ORR_OK)
        return NULL;
    orr_rigid *copy = copy_with(&sim->shell.alloc, sim, err);
    if (copy && frozen)
        copy->shell.phase = ORI_RESTS;
    return copy;
}

orr_rigid *orr_rigid_freeze(const orr_rigid *sim, orr_error *err)
{
    if (sim->shell.phase != ORI_RESTS)
        return orr_rigid_copy(sim, err);
    orr_allocator alloc = ori_frozen_allocator(&sim->shell.alloc);
    orr_rigid *frozen = copy_with(&alloc, sim, err);
    if (!frozen)
        return NULL;
    frozen->shell.alloc = ori_copy_allocator(&alloc);
    frozen->shell.phase = ORI_FROZEN;
    return frozen;
}

/* --- questions -------------------------------------------------------------------------------- */

bool orr_rigid_is_over(const orr_rigid *sim)
{
    return sim->at.over == sim->in->count;
}

/* In mid-run nothing is known of what counts all jobs. */
#define UNKNOWN(type, name, unit, about) .name = _Generic((type)0, double : NAN, default : -1),
orr_metrics orr_rigid_measure(const orr_rigid *sim)
{
    if (!orr_rigid_is_over(sim))
        return (orr_metrics){ORR_METRICS(UNKNOWN)};
    orr_run run = orr_rigid_result(sim);
    return ori_measure(sim->in, &run, sim->asked.plain);
}

/* What there is of a pool, times the time from one instant to another. */
static double amount_of_pool(const orr_instance *in, int32_t pool, double from, double to)
{
    double sum = 0, level = (double)in->pools[pool].amount;
    for (int32_t i = 0; i < in->turn_count; i++) {
        const orr_turn *t = &in->turns[i];
        if (t->of != pool)
            continue;
        double time = fmin(fmax(t->time, from), to);
        sum += fmax(level, 0) * (time - from);
        from = time;
        level += (double)t->by;
    }
    return sum + fmax(level, 0) * (to - from);
}

void orr_rigid_shares_used(const orr_rigid *sim, const orr_metrics *m, double *used)
{
    static const int32_t first[] = {0, ORR_MOST_NEEDS, ORR_MOST_SHARES - ORR_MOST_PARTITIONS};
    const orr_instance *in = sim->in;
    orr_share shares[ORR_MOST_SHARES];
    double from = in->has_window ? in->window_from : in->first_submission;
    double span = in->has_window ? in->window_to - in->window_from : m->makespan;
    for (int32_t i = 0, count = orr_shares(in, shares); i < count; i++) {
        double all = shares[i].kind == ORR_SHARE_POOL && in->turn_count > 0
                         ? amount_of_pool(in, shares[i].number, from, from + span)
                         : shares[i].amount * span;
        if (shares[i].kind != ORR_SHARE_POOL && ori_machine_nodes(sim))
            all -= ori_totals_gone(
                ori_nodes_away(&sim->nodes, shares[i].kind == ORR_SHARE_RESOURCE, shares[i].number),
                in, m->makespan);
        used[i] = all > 0 ? sim->used[first[shares[i].kind] + shares[i].number] / all : 0;
    }
}

orr_run orr_rigid_result(const orr_rigid *sim)
{
    if (!orr_rigid_is_over(sim))
        return (orr_run){.totals = sim->at.totals};
    return (orr_run){.failures = sim->failures,
                     .ends = sim->planned_end,
                     .attempts = sim->attempts,
                     .cancelled = sim->cancelled,
                     .left_out = sim->left_out,
                     .past = sim->past,
                     .checkpoints = sim->spent,
                     .totals = sim->at.totals};
}

const orr_instance *orr_rigid_instance(const orr_rigid *sim)
{
    return sim->in;
}

const orr_schedule *orr_rigid_schedule(const orr_rigid *sim)
{
    return sim->shell.record ? &sim->schedule : NULL;
}

const uint8_t *orr_rigid_states(const orr_rigid *sim)
{
    return sim->state;
}

const int32_t *orr_rigid_failures(const orr_rigid *sim)
{
    return sim->failures;
}
