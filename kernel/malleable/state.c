/* The memory of a simulation, and deep copies of one: as it is, or with more room. */
#include "malleable/state_internal.h"

#include <string.h>

/* --- memory --------------------------------------------------------------------------------- */

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
    size_t n = (size_t)sim->count, words = ori_words(sim->count), at = 0;
    size_t leaves = (size_t)ori_tree_leaves(sim->count);
    double **numbers[] = {&sim->alpha, &sim->ready, &sim->finish,
                          &sim->end,   &sim->left,  &sim->value};
    ori_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    sim->stint = carve(block, &at, n, sizeof *sim->stint);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = carve(block, &at, n, sizeof **numbers[i]);
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        trees[i]->leaves = (int32_t)leaves;
        trees[i]->node = carve(block, &at, 2 * leaves, sizeof *trees[i]->node);
    }
    sim->locked = carve(block, &at, words, sizeof *sim->locked);
    sim->touched = carve(block, &at, words, sizeof *sim->touched);
    sim->owed = carve(block, &at, words, sizeof *sim->owed);
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

static orr_status create_pair_arrays(orr_malleable *sim, orr_error *err)
{
    size_t pairs = (size_t)sim->pairs;
    sim->recovering = orr_calloc(&sim->alloc, pairs, sizeof *sim->recovering);
    sim->failed = orr_calloc(&sim->alloc, pairs, sizeof *sim->failed);
    if (sim->record)
        sim->intervals = orr_calloc(&sim->alloc, pairs, sizeof *sim->intervals);
    if (!sim->recovering || !sim->failed || (sim->record && !sim->intervals))
        return orr_fail_memory(err, pairs * sizeof *sim->recovering);
    return ORR_OK;
}

orr_status ori_malleable_create_parts(orr_malleable *sim, orr_error *err)
{
    const orr_allocator *a = &sim->alloc;
    orr_status status = create_task_arrays(sim, err);
    if (status == ORR_OK)
        status = create_pair_arrays(sim, err);
    if (status == ORR_OK)
        status = ori_costs_create(&sim->costs, sim->count, sim->procs, &sim->resilience, a, err);
    if (status == ORR_OK)
        status = ori_holdings_create(&sim->holdings, sim->count, 2 * sim->pairs, a, err);
    if (status == ORR_OK && sim->record)
        status = orr_stints_create(&sim->stints, sim->count, sim->procs, a, err);
    return status;
}

orr_malleable *ori_malleable_allocate(const orr_allocator *given, orr_error *err)
{
    orr_allocator a = orr_allocator_or_default(given);
    orr_malleable *sim = orr_calloc(&a, 1, sizeof *sim);
    if (!sim)
        orr_fail_memory(err, sizeof *sim);
    else
        *sim = (orr_malleable){.alloc = a,
                               .seen.size = sizeof(orr_fault),
                               .again.size = sizeof(orr_fault),
                               .moments.size = sizeof(orr_moment)};
    return sim;
}

/* --- copies --------------------------------------------------------------------------------- */

/* What no array holds. */
static void copy_numbers(orr_malleable *to, const orr_malleable *from)
{
    to->procs = from->procs;
    to->resilience = from->resilience;
    to->rng = from->rng;
    to->seed = from->seed;
    to->set = from->set;
    to->run = from->run;
    to->max_faults = from->max_faults;
    to->cancel = from->cancel;
    to->trap = from->trap;
    to->now = from->now;
    to->free = from->free;
    to->running = from->running;
    to->owing = from->owing;
    to->leaving = from->leaving;
    to->odd = from->odd;
    to->covered = from->covered;
    to->undo_at = from->undo_at;
    to->undo_to = from->undo_to;
    to->retaken = from->retaken;
    to->metrics = from->metrics;
    to->struck = -1;
    to->record = from->record;
    to->begun = from->begun;
    to->stopped = from->stopped;
}

/* All but what only lasts for a decision. */
static void copy_arrays(orr_malleable *to, const orr_malleable *from)
{
    size_t n = (size_t)from->count, words = ori_words(from->count), pairs = (size_t)from->pairs;
    memcpy(to->stint, from->stint, n * sizeof *to->stint);
    memcpy(to->alpha, from->alpha, n * sizeof *to->alpha);
    memcpy(to->ready, from->ready, n * sizeof *to->ready);
    memcpy(to->finish, from->finish, n * sizeof *to->finish);
    memcpy(to->end, from->end, n * sizeof *to->end);
    memcpy(to->held, from->held, n * sizeof *to->held);
    memcpy(to->locked, from->locked, words * sizeof *to->locked);
    memcpy(to->owed, from->owed, words * sizeof *to->owed);
    ori_tree_take(&to->ends, &from->ends);
    ori_tree_take(&to->finishes, &from->finishes);
    ori_tree_clear(&to->list);
    ori_tree_clear(&to->shortest);
    memcpy(to->recovering, from->recovering, pairs * sizeof *to->recovering);
    memcpy(to->failed, from->failed, pairs * sizeof *to->failed);
    ori_holdings_copy(&to->holdings, &from->holdings);
}

static orr_status copy_logs(orr_malleable *to, const orr_malleable *from, orr_error *err)
{
    orr_status status = ORR_OK;
    if (from->record)
        status = orr_stints_copy(&to->stints, &from->stints, err);
    if (status == ORR_OK)
        status = ori_log_copy(&to->seen, &from->seen, &to->alloc, err);
    if (status == ORR_OK)
        status = ori_log_copy(&to->again, &from->again, &to->alloc, err);
    if (status == ORR_OK)
        status = ori_log_copy(&to->moments, &from->moments, &to->alloc, err);
    return status;
}

static orr_status copy_policy_state(orr_malleable *to, const orr_malleable *from, orr_error *err)
{
    if (!from->has_policy_state || !from->policy.copy_state)
        return ORR_OK;
    ori_policy_begin(err);
    orr_status status =
        from->policy.copy_state(from->policy.user, from->policy_state, &to->policy_state, err);
    to->has_policy_state = status == ORR_OK;
    return ori_policy_end(from->policy.name, "copy_state", status, err);
}

static orr_status copy_parts(orr_malleable *to, const orr_malleable *from, bool same_policy,
                             orr_error *err)
{
    orr_status status = ori_malleable_create_parts(to, err);
    if (status != ORR_OK)
        return status;
    copy_arrays(to, from);
    if (to->tasks)
        ori_costs_reset(&to->costs, to->tasks);
    status = copy_logs(to, from, err);
    if (status == ORR_OK) {
        to->faults = orr_faults_copy(from->faults, err);
        status = to->faults ? ORR_OK : ORR_ERR_MEMORY;
    }
    return status == ORR_OK && same_policy ? copy_policy_state(to, from, err) : status;
}

orr_malleable *ori_malleable_clone(const orr_malleable *sim, const ori_malleable_shape *shape,
                                   orr_error *err)
{
    orr_malleable *copy = ori_malleable_allocate(&sim->alloc, err);
    if (!copy)
        return NULL;
    copy_numbers(copy, sim);
    copy->tasks = shape->tasks;
    copy->count = shape->count;
    copy->pairs = shape->pairs;
    copy->policy = *shape->policy;
    if (copy_parts(copy, sim, shape->policy == &sim->policy, err) == ORR_OK)
        return copy;
    orr_malleable_destroy(copy);
    return NULL;
}

orr_malleable *orr_malleable_copy(const orr_malleable *sim, orr_error *err)
{
    if (ori_malleable_check_idle(sim, "copied", err) != ORR_OK)
        return NULL;
    ori_malleable_shape shape = {sim->tasks, sim->count, sim->pairs, &sim->policy};
    return ori_malleable_clone(sim, &shape, err);
}
