/* Simulations as values: created, reset for a scenario, copied, destroyed, measured. A file of its
 * own because what happens in a simulation (run.c) needs none of it. */
#include "rigid/state_internal.h"

#include "rigid/disciplines_internal.h"
#include "rigid/engine_internal.h"
#include "rigid/groups_internal.h"
#include "rigid/hooks_internal.h"
#include "rigid/waiting_internal.h"

#include <string.h>

/* --- creation --------------------------------------------------------------------------------- */

static void free_policy_state(orr_rigid *sim)
{
    if (sim->has_policy_state && sim->policy.free_state)
        sim->policy.free_state(sim->policy.user, sim->policy_state);
    sim->has_policy_state = false;
    sim->policy_state = NULL;
}

void orr_rigid_destroy(orr_rigid *sim)
{
    if (!sim)
        return;
    free_policy_state(sim);
    ori_rigid_release(sim);
}

orr_rigid *orr_rigid_create(const orr_rigid_setup *setup, orr_error *err)
{
    orr_rigid *sim = ori_rigid_allocate(setup->alloc, err);
    if (!sim)
        return NULL;
    sim->in = setup->instance;
    sim->jobs = setup->instance->jobs;
    sim->policy = *setup->policy;
    sim->seed = setup->seed;
    sim->set = setup->set;
    sim->cancel = setup->cancel;
    sim->trap = setup->trap;
    sim->record = setup->record;
    sim->plain = setup->plain;
    orr_status status = ori_rigid_create_parts(sim, setup->node_failures, err);
    if (status == ORR_OK)
        status = ori_rigid_check_disciplines(sim, err);
    if (status == ORR_OK)
        status = ori_groups_rank_workload(sim, setup->priorities, err);
    if (status != ORR_OK) {
        orr_rigid_destroy(sim);
        return NULL;
    }
    ori_rigid_forget_run(sim);
    return sim;
}

/* --- scenarios -------------------------------------------------------------------------------- */

orr_status ori_rigid_make_state(orr_rigid *sim, orr_error *err)
{
    free_policy_state(sim);
    if (!sim->policy.make_state)
        return ORR_OK;
    ori_situation here = {.hook = "make_state", .deciding = -1};
    ori_situation before = ori_situation_begin(sim, here, err);
    orr_status status = sim->policy.make_state(sim->policy.user, sim, &sim->policy_state, err);
    sim->has_policy_state = status == ORR_OK;
    return ori_situation_end(sim, before, sim->policy.name, status, err);
}

static orr_status set_failures(orr_rigid *sim, const int32_t *failures, orr_error *err)
{
    size_t bytes = (size_t)sim->in->count * sizeof *sim->failures;
    sim->fails = false;
    if (!failures) {
        memset(sim->failures, 0, bytes);
        return ORR_OK;
    }
    memmove(sim->failures, failures, bytes); /* they may be the simulation's own */
    for (int32_t j = 0; j < sim->in->count; j++) {
        sim->fails |= sim->failures[j] > 0;
        if (ORR_UNLIKELY(sim->failures[j] < 0 || sim->failures[j] == INT32_MAX))
            return orr_fail(err, ORR_ERR_ARGUMENT, "job %s cannot fail %d times",
                            orr_jobs_id(sim->jobs, j), (int)sim->failures[j]);
    }
    return ORR_OK;
}

orr_status orr_rigid_reset(orr_rigid *sim, const int32_t *failures, uint64_t scenario,
                           orr_error *err)
{
    orr_status status = ori_rigid_check_idle(sim, "reset", err);
    if (status != ORR_OK)
        return status;
    sim->begun = false;
    status = set_failures(sim, failures, err);
    if (status != ORR_OK)
        return status;
    ori_rigid_forget_run(sim);
    sim->scenario = scenario;
    sim->rng =
        orr_stream_open(orr_stream_key_make(sim->seed, sim->set, scenario, ORR_PURPOSE_POLICY), 0);
    if (sim->outages.any)
        status = ori_outages_reset(&sim->outages, sim->seed, sim->set, scenario, err);
    sim->busy = true;
    if (status == ORR_OK)
        status = ori_rigid_make_state(sim, err);
    if (status == ORR_OK)
        status = ori_groups_rank_scenario(sim, err);
    sim->busy = false;
    sim->begun = status == ORR_OK;
    return status;
}

/* --- copies ----------------------------------------------------------------------------------- */

orr_status ori_rigid_copy_state(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    const orr_rigid_policy *p = &from->policy;
    if (!from->has_policy_state || !p->copy_state)
        return ORR_OK;
    ori_policy_begin(err);
    orr_status status = p->copy_state(p->user, from->policy_state, &to->policy_state, err);
    to->has_policy_state = status == ORR_OK;
    return ori_policy_end(p->name, "copy_state", status, err);
}

orr_rigid *orr_rigid_copy(const orr_rigid *sim, orr_error *err)
{
    orr_rigid *copy = ori_rigid_allocate(&sim->alloc, err);
    if (!copy)
        return NULL;
    ori_rigid_copy_fields(copy, sim);
    if (ori_rigid_check_idle(sim, "copied", err) != ORR_OK ||
        ori_rigid_copy_parts(copy, sim, err) != ORR_OK ||
        ori_rigid_copy_state(copy, sim, err) != ORR_OK) {
        orr_rigid_destroy(copy);
        return NULL;
    }
    return copy;
}

/* --- questions -------------------------------------------------------------------------------- */

bool orr_rigid_is_over(const orr_rigid *sim)
{
    return sim->over == sim->in->count;
}

orr_run orr_rigid_result(const orr_rigid *sim)
{
    return (orr_run){.failures = sim->failures,
                     .ends = sim->planned_end,
                     .attempts = sim->attempts,
                     .cancelled = sim->cancelled,
                     .left_out = sim->left_out,
                     .past = sim->past,
                     .totals = sim->totals};
}

const orr_schedule *orr_rigid_schedule(const orr_rigid *sim)
{
    return sim->record ? &sim->schedule : NULL;
}

const int32_t *orr_rigid_failures(const orr_rigid *sim)
{
    return sim->failures;
}
