#include "malleable/engine_internal.h"

#include "malleable/allocate_internal.h"

#include <string.h>

enum { MAX_FAULTS = 10000000 };

/* --- creation ------------------------------------------------------------------------------- */

/* The next `count` elements of `size` bytes in a block that begins at `block`. */
static void *carve(char *block, size_t *at, size_t count, size_t size)
{
    void *here = block + *at;
    *at += count * size;
    return here;
}

/* Lays the per-task arrays out in one block, widest elements first; returns its size. */
static size_t lay_out(orr_malleable *sim, char *block)
{
    size_t n = (size_t)sim->count, words = orr_words(sim->count), at = 0;
    size_t leaves = (size_t)orr_tree_leaves(sim->count);
    double **numbers[] = {&sim->alpha, &sim->ready, &sim->finish,
                          &sim->end,   &sim->left,  &sim->value};
    orr_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    sim->stint = carve(block, &at, n, sizeof *sim->stint);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = carve(block, &at, n, sizeof **numbers[i]);
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        trees[i]->leaves = (int32_t)leaves;
        trees[i]->node = carve(block, &at, 2 * leaves, sizeof *trees[i]->node);
    }
    sim->locked = carve(block, &at, words, sizeof *sim->locked);
    sim->touched = carve(block, &at, words, sizeof *sim->touched);
    sim->held = carve(block, &at, n, sizeof *sim->held);
    sim->proposed = carve(block, &at, n, sizeof *sim->proposed);
    sim->takes_part = carve(block, &at, n, sizeof *sim->takes_part);
    sim->left_known = carve(block, &at, n, sizeof *sim->left_known);
    return at;
}

static orr_status create_task_arrays(orr_malleable *sim, orr_error *err)
{
    char nowhere[8]; /* only for its address: lay_out computes the size */
    sim->block_size = lay_out(sim, nowhere);
    sim->block = orr_calloc(&sim->alloc, sim->block_size, 1);
    if (!sim->block)
        return orr_fail_memory(err, sim->block_size);
    lay_out(sim, sim->block);
    return ORR_OK;
}

static size_t pairs_of(const orr_malleable *sim)
{
    return (size_t)sim->procs / 2;
}

static orr_status create_pair_arrays(orr_malleable *sim, orr_error *err)
{
    size_t pairs = pairs_of(sim);
    sim->recovering = orr_calloc(&sim->alloc, pairs, sizeof *sim->recovering);
    sim->failed = orr_calloc(&sim->alloc, pairs, sizeof *sim->failed);
    if (sim->record)
        sim->intervals = orr_calloc(&sim->alloc, pairs, sizeof *sim->intervals);
    if (!sim->recovering || !sim->failed || (sim->record && !sim->intervals))
        return orr_fail_memory(err, pairs * sizeof *sim->recovering);
    return ORR_OK;
}

/* All but the source of faults. */
static orr_status create_parts(orr_malleable *sim, orr_error *err)
{
    const orr_allocator *a = &sim->alloc;
    orr_status status = create_task_arrays(sim, err);
    if (status == ORR_OK)
        status = create_pair_arrays(sim, err);
    if (status == ORR_OK)
        status = orr_costs_create(&sim->costs, sim->count, sim->procs, &sim->resilience, a, err);
    if (status == ORR_OK)
        status = orr_holdings_create(&sim->holdings, sim->count, sim->procs, a, err);
    if (status == ORR_OK && sim->record)
        status = orr_stints_create(&sim->stints, sim->count, sim->procs, a, err);
    return status;
}

static orr_malleable *allocate(const orr_allocator *given, orr_error *err)
{
    orr_allocator a = orr_allocator_or_default(given);
    orr_malleable *sim = orr_calloc(&a, 1, sizeof *sim);
    if (!sim)
        orr_fail_memory(err, sizeof *sim);
    else
        *sim = (orr_malleable){
            .alloc = a, .seen.size = sizeof(orr_fault), .moments.size = sizeof(orr_moment)};
    return sim;
}

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
    if (orr_check_procs(setup->procs, setup->count, err) != ORR_OK ||
        orr_resilience_check(&setup->resilience, err) != ORR_OK ||
        check_log(&setup->faults, setup->count, err) != ORR_OK)
        return NULL;
    orr_malleable *sim = allocate(setup->alloc, err);
    if (!sim)
        return NULL;
    sim->count = setup->count;
    sim->procs = setup->procs;
    sim->resilience = setup->resilience;
    sim->policy = *setup->policy;
    sim->seed = setup->seed;
    sim->set = setup->set;
    sim->max_faults = setup->max_faults > 0 ? setup->max_faults : MAX_FAULTS;
    sim->cancel = setup->cancel;
    sim->trap = setup->trap;
    sim->record = setup->record;
    sim->struck = -1;
    orr_status status = create_parts(sim, err);
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
    size_t pairs = pairs_of(sim);
    free_policy_state(sim);
    orr_stints_destroy(&sim->stints);
    orr_faults_destroy(sim->faults);
    orr_holdings_destroy(&sim->holdings);
    orr_costs_destroy(&sim->costs);
    orr_log_free(&sim->seen, &sim->alloc);
    orr_log_free(&sim->moments, &sim->alloc);
    orr_release(&sim->alloc, sim->intervals, pairs * sizeof *sim->intervals);
    orr_release(&sim->alloc, sim->failed, pairs * sizeof *sim->failed);
    orr_release(&sim->alloc, sim->recovering, pairs * sizeof *sim->recovering);
    orr_release(&sim->alloc, sim->block, sim->block_size);
    orr_allocator a = sim->alloc;
    orr_release(&a, sim, sizeof *sim);
}

/* --- runs and copies ------------------------------------------------------------------------ */

static void forget_run(orr_malleable *sim)
{
    size_t pairs = pairs_of(sim);
    memset(sim->block, 0, sim->block_size);
    orr_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        orr_tree_clear(trees[i]);
    memset(sim->recovering, 0, pairs * sizeof *sim->recovering);
    memset(sim->failed, 0, pairs * sizeof *sim->failed);
    orr_holdings_reset(&sim->holdings);
    if (sim->record)
        orr_stints_clear(&sim->stints);
    sim->now = 0;
    sim->free = sim->procs;
    sim->running = 0;
    sim->seen.count = sim->moments.count = 0;
    sim->struck = -1;
    sim->metrics = (orr_malleable_metrics){0};
    sim->deciding = sim->stopped = false;
}

static orr_status make_policy_state(orr_malleable *sim, orr_error *err)
{
    if (!sim->policy.make_state)
        return ORR_OK;
    orr_policy_begin(err);
    orr_status status = sim->policy.make_state(sim->policy.user, sim, &sim->policy_state, err);
    sim->has_policy_state = status == ORR_OK;
    return orr_policy_end(sim->policy.name, "make_state", status, err);
}

/* RR-8795, Algorithm 2, lines 5 to 10. */
static orr_status begin_tasks(orr_malleable *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    orr_allocate(&sim->costs, sim->procs, &sim->list, sim->held);
    sim->running = sim->count;
    for (int32_t i = 0; status == ORR_OK && i < sim->count; i++)
        status = orr_task_begin(sim, i, err);
    if (status == ORR_OK)
        sim->metrics.expected = sim->finish[orr_tree_top(&sim->finishes)];
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
    orr_status status = orr_malleable_check_idle(sim, "reset", err);
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
    orr_costs_reset(&sim->costs, tasks);
    status = orr_faults_reset(sim->faults, sim->seed, sim->set, run, err);
    if (status == ORR_OK)
        status = begin_tasks(sim, err);
    sim->busy = true;
    if (status == ORR_OK)
        status = make_policy_state(sim, err);
    sim->busy = false;
    if (status == ORR_OK)
        status = orr_note_moment(sim, err);
    if (status == ORR_OK)
        status = orr_pass_over_absorbed(sim, err);
    sim->begun = status == ORR_OK;
    return status;
}

static orr_status copy_parts(orr_malleable *to, const orr_malleable *from, orr_error *err)
{
    orr_status status = create_parts(to, err);
    if (status != ORR_OK)
        return status;
    memcpy(to->block, from->block, from->block_size);
    memcpy(to->recovering, from->recovering, pairs_of(to) * sizeof *to->recovering);
    memcpy(to->failed, from->failed, pairs_of(to) * sizeof *to->failed);
    if (from->tasks)
        orr_costs_reset(&to->costs, from->tasks);
    orr_holdings_copy(&to->holdings, &from->holdings);
    if (from->record)
        status = orr_stints_copy(&to->stints, &from->stints, err);
    if (status == ORR_OK)
        status = orr_log_copy(&to->seen, &from->seen, &to->alloc, err);
    if (status == ORR_OK)
        status = orr_log_copy(&to->moments, &from->moments, &to->alloc, err);
    if (status == ORR_OK) {
        to->faults = orr_faults_copy(from->faults, err);
        status = to->faults ? ORR_OK : ORR_ERR_MEMORY;
    }
    if (status == ORR_OK && from->has_policy_state && from->policy.copy_state) {
        orr_policy_begin(err);
        status =
            from->policy.copy_state(from->policy.user, from->policy_state, &to->policy_state, err);
        status = orr_policy_end(from->policy.name, "copy_state", status, err);
        to->has_policy_state = status == ORR_OK;
    }
    return status;
}

orr_malleable *orr_malleable_copy(const orr_malleable *sim, orr_error *err)
{
    if (orr_malleable_check_idle(sim, "copied", err) != ORR_OK)
        return NULL;
    orr_malleable *copy = allocate(&sim->alloc, err);
    if (!copy)
        return NULL;
    copy->tasks = sim->tasks;
    copy->count = sim->count;
    copy->procs = sim->procs;
    copy->resilience = sim->resilience;
    copy->policy = sim->policy;
    copy->rng = sim->rng;
    copy->seed = sim->seed;
    copy->set = sim->set;
    copy->run = sim->run;
    copy->max_faults = sim->max_faults;
    copy->cancel = sim->cancel;
    copy->trap = sim->trap;
    copy->now = sim->now;
    copy->free = sim->free;
    copy->running = sim->running;
    copy->metrics = sim->metrics;
    copy->struck = -1;
    copy->record = sim->record;
    copy->begun = sim->begun;
    copy->stopped = sim->stopped;
    if (copy_parts(copy, sim, err) != ORR_OK) {
        orr_malleable_destroy(copy);
        return NULL;
    }
    return copy;
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

/* Absorbed faults are taken ahead of the clock, see orr_pass_over_absorbed. */
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
    orr_status status = orr_malleable_check_idle(sim, "checked", err);
    if (status != ORR_OK)
        return status;
    if (!sim->record || !sim->begun)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there is no recorded run to check");
    return orr_check_stints(sim->tasks, &sim->resilience, &sim->stints,
                            sim->seen.items ? sim->seen.items : &none, sim->seen.count,
                            sim->running > 0, err);
}
