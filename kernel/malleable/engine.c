#include "malleable/state_internal.h"

#include "malleable/allocate_internal.h"

#include <math.h>
#include <string.h>

enum { MAX_FAULTS = 10000000 };

/* --- creation ------------------------------------------------------------------------------- */

static orr_status check_log(const orr_faults_setup *setup, int32_t count, orr_error *err)
{
    for (int64_t i = 0; setup->law == ORR_FAULTS_LOG && i < setup->log_count; i++)
        if (setup->log[i].task >= count)
            return orr_fail(err, ORR_ERR_ARGUMENT,
                            "fault %lld strikes task %d, and there are only %d tasks",
                            (long long)i + 1, (int)setup->log[i].task + 1, (int)count);
    return ORR_OK;
}

static orr_status create_faults(orr_malleable *sim, const orr_faults_setup *given, orr_error *err)
{
    orr_faults_setup setup = *given;
    setup.procs = sim->procs;
    setup.alloc = &sim->alloc;
    err->status = ORR_ERR_INTERNAL; /* whatever creation says instead */
    sim->faults = orr_faults_create(&setup, err);
    return sim->faults ? ORR_OK : err->status;
}

orr_malleable *orr_malleable_create(const orr_malleable_setup *setup, orr_error *err)
{
    orr_error own;
    err = err ? err : &own;
    if (ori_check_procs(setup->procs, setup->count, err) != ORR_OK ||
        orr_resilience_check(&setup->resilience, err) != ORR_OK ||
        check_log(&setup->faults, setup->count, err) != ORR_OK)
        return NULL;
    orr_malleable *sim = ori_malleable_allocate(setup->alloc, err);
    if (!sim)
        return NULL;
    sim->count = setup->count;
    sim->procs = setup->procs;
    sim->pairs = setup->procs / 2;
    sim->covered = setup->procs;
    sim->undo_at = INFINITY;
    sim->resilience = setup->resilience;
    sim->policy = *setup->policy;
    sim->seed = setup->seed;
    sim->set = setup->set;
    sim->max_faults = setup->max_faults > 0 ? setup->max_faults : MAX_FAULTS;
    sim->cancel = setup->cancel;
    sim->trap = setup->trap;
    sim->record = setup->record;
    sim->struck = -1;
    orr_status status = ori_malleable_create_parts(sim, err);
    if (status == ORR_OK)
        status = create_faults(sim, &setup->faults, err);
    if (status == ORR_OK)
        return sim;
    orr_malleable_destroy(sim);
    return NULL;
}

static void free_policy_state(orr_malleable *sim)
{
    if (sim->has_policy_state && sim->policy.free_state)
        sim->policy.free_state(sim->policy.user, sim->policy_state);
    sim->has_policy_state = false;
    sim->policy_state = NULL;
}

void orr_malleable_destroy(orr_malleable *sim)
{
    if (!sim)
        return;
    size_t pairs = (size_t)sim->pairs;
    free_policy_state(sim);
    orr_stints_destroy(&sim->stints);
    orr_faults_destroy(sim->faults);
    ori_holdings_destroy(&sim->holdings);
    ori_costs_destroy(&sim->costs);
    ori_log_free(&sim->seen, &sim->alloc);
    ori_log_free(&sim->again, &sim->alloc);
    ori_log_free(&sim->moments, &sim->alloc);
    orr_release(&sim->alloc, sim->intervals, pairs * sizeof *sim->intervals);
    orr_release(&sim->alloc, sim->failed, pairs * sizeof *sim->failed);
    orr_release(&sim->alloc, sim->recovering, pairs * sizeof *sim->recovering);
    orr_release(&sim->alloc, sim->block, sim->block_size);
    orr_allocator a = sim->alloc;
    orr_release(&a, sim, sizeof *sim);
}

/* --- runs ------------------------------------------------------------------------------------- */

static void forget_run(orr_malleable *sim)
{
    size_t pairs = (size_t)sim->pairs;
    memset(sim->block, 0, sim->block_size);
    ori_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        ori_tree_clear(trees[i]);
    memset(sim->recovering, 0, pairs * sizeof *sim->recovering);
    memset(sim->failed, 0, pairs * sizeof *sim->failed);
    ori_holdings_reset(&sim->holdings, sim->procs / 2);
    if (sim->record) {
        orr_stints_clear(&sim->stints);
        sim->stints.procs = sim->procs;
    }
    sim->now = 0;
    sim->free = sim->procs;
    sim->leaving = 0;
    sim->odd = sim->procs % 2 ? sim->procs - 1 : -1;
    sim->undo_at = INFINITY;
    sim->running = sim->owing = 0;
    sim->seen.count = sim->moments.count = sim->again.count = sim->retaken = 0;
    sim->struck = -1;
    sim->metrics = (orr_malleable_metrics){0};
    sim->deciding = sim->stopped = false;
}

orr_status ori_make_policy_state(orr_malleable *sim, orr_error *err)
{
    if (!sim->policy.make_state)
        return ORR_OK;
    sim->busy = true;
    ori_policy_begin(err);
    orr_status status = sim->policy.make_state(sim->policy.user, sim, &sim->policy_state, err);
    sim->has_policy_state = status == ORR_OK;
    sim->busy = false;
    return ori_policy_end(sim->policy.name, "make_state", status, err);
}

/* RR-8795, Algorithm 2, lines 5 to 10. */
static orr_status begin_tasks(orr_malleable *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    ori_allocate(&sim->costs, 0, sim->procs, &sim->list, sim->held);
    for (int32_t i = 0; status == ORR_OK && i < sim->count; i++)
        status = ori_task_begin(sim, i, err);
    if (status == ORR_OK)
        sim->metrics.expected = sim->finish[ori_tree_top(&sim->finishes)];
    return status;
}

static orr_status check_tasks(const orr_malleable *sim, const orr_tasks *tasks, orr_error *err)
{
    if (tasks->count == sim->count)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT, "the simulation is for %d tasks, these are %d",
                    (int)sim->count, (int)tasks->count);
}

orr_status orr_malleable_reset(orr_malleable *sim, const orr_tasks *tasks, uint64_t run,
                               orr_error *err)
{
    orr_status status = ori_malleable_check_idle(sim, "reset", err);
    if (status == ORR_OK)
        status = check_tasks(sim, tasks, err);
    if (status != ORR_OK)
        return status;
    sim->begun = false;
    free_policy_state(sim);
    forget_run(sim);
    sim->tasks = tasks;
    sim->run = run;
    sim->rng =
        orr_stream_open(orr_stream_key_make(sim->seed, sim->set, run, ORR_PURPOSE_POLICY), 0);
    ori_costs_reset(&sim->costs, tasks);
    status = orr_faults_reset(sim->faults, sim->seed, sim->set, run, err);
    if (status == ORR_OK)
        status = begin_tasks(sim, err);
    if (status == ORR_OK)
        status = ori_make_policy_state(sim, err);
    if (status == ORR_OK)
        status = ori_note_moment(sim, err);
    if (status == ORR_OK)
        status = ori_pass_over_absorbed(sim, err);
    sim->begun = status == ORR_OK;
    return status;
}

/* --- questions ------------------------------------------------------------------------------ */

orr_malleable_metrics orr_malleable_measure(const orr_malleable *sim)
{
    orr_malleable_metrics metrics = sim->metrics;
    metrics.makespan = sim->now;
    return metrics;
}

bool orr_malleable_is_over(const orr_malleable *sim)
{
    return sim->begun && sim->running == 0;
}

const double *orr_malleable_ends(const orr_malleable *sim)
{
    return sim->end;
}

const orr_stints *orr_malleable_stints(const orr_malleable *sim)
{
    return sim->record ? &sim->stints : NULL;
}

/* Absorbed faults are taken ahead of the clock, see ori_pass_over_absorbed. */
const orr_fault *orr_malleable_faults(const orr_malleable *sim, int64_t *count)
{
    const orr_fault *seen = sim->seen.items;
    int64_t n = sim->seen.count;
    while (n > 0 && seen[n - 1].time > sim->now)
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
    orr_status status = ori_malleable_check_idle(sim, "checked", err);
    if (status != ORR_OK)
        return status;
    if (!sim->record || !sim->begun)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there is no recorded run to check");
    return orr_check_stints(sim->tasks, &sim->resilience, &sim->stints,
                            sim->seen.items ? sim->seen.items : &none, sim->seen.count,
                            sim->running > 0, err);
}
