/* The memory of a simulation, and what is done to all of its state at once: it is cleared, copied
 * as it is or with more room, and, where that is asked for, checked. */
#include "malleable/state_internal.h"

#include <string.h>

/* --- memory ----------------------------------------------------------------------------------- */

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
    sim->untold = carve(block, &at, words, sizeof *sim->untold);
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
    sim->block = orr_calloc(&sim->shell.alloc, sim->block_size, 1);
    if (!sim->block)
        return orr_fail_memory(err, sim->block_size);
    lay_out(sim, sim->block);
    return ORR_OK;
}

static orr_status create_pair_arrays(orr_malleable *sim, orr_error *err)
{
    size_t pairs = (size_t)sim->pairs;
    sim->recovering = orr_calloc(&sim->shell.alloc, pairs, sizeof *sim->recovering);
    sim->failed = orr_calloc(&sim->shell.alloc, pairs, sizeof *sim->failed);
    if (sim->shell.record)
        sim->intervals = orr_calloc(&sim->shell.alloc, pairs, sizeof *sim->intervals);
    if (!sim->recovering || !sim->failed || (sim->shell.record && !sim->intervals))
        return orr_fail_memory(err, pairs * sizeof *sim->recovering);
    return ORR_OK;
}

static orr_status create_parts(orr_malleable *sim, orr_error *err)
{
    const orr_allocator *a = &sim->shell.alloc;
    int32_t procs = sim->at.procs;
    orr_status status = create_task_arrays(sim, err);
    if (status == ORR_OK)
        status = create_pair_arrays(sim, err);
    if (status == ORR_OK)
        status = ori_costs_create(&sim->costs, sim->count, procs, &sim->asked.resilience, a, err);
    if (status == ORR_OK)
        status = ori_holdings_create(&sim->holdings, sim->count, 2 * sim->pairs, a, err);
    if (status == ORR_OK && sim->shell.record)
        status = orr_stints_create(&sim->stints, sim->count, procs, a, err);
    return status;
}

orr_malleable *ori_malleable_allocate(const orr_malleable *plain, orr_error *err)
{
    orr_malleable *sim = orr_calloc(&plain->shell.alloc, 1, sizeof *sim);
    if (!sim) {
        orr_fail_memory(err, sizeof *sim);
        return NULL;
    }
    *sim = *plain;
    sim->seen.size = sim->due.size = sizeof(orr_fault);
    sim->moments.size = sizeof(orr_moment);
    if (create_parts(sim, err) == ORR_OK)
        return sim;
    orr_malleable_destroy(sim);
    return NULL;
}

void orr_malleable_destroy(orr_malleable *sim)
{
    if (!sim)
        return;
    orr_allocator a = sim->shell.alloc;
    size_t pairs = (size_t)sim->pairs;
    ori_shell_free_state(&sim->shell);
    orr_stints_destroy(&sim->stints);
    orr_faults_destroy(sim->faults);
    ori_holdings_destroy(&sim->holdings);
    ori_costs_destroy(&sim->costs);
    ori_log_free(&sim->seen, &a);
    ori_log_free(&sim->due, &a);
    ori_log_free(&sim->moments, &a);
    orr_release(&a, sim->intervals, pairs * sizeof *sim->intervals);
    orr_release(&a, sim->failed, pairs * sizeof *sim->failed);
    orr_release(&a, sim->recovering, pairs * sizeof *sim->recovering);
    orr_release(&a, sim->block, sim->block_size);
    orr_release(&a, sim, sizeof *sim);
}

void ori_malleable_clear(orr_malleable *sim)
{
    size_t pairs = (size_t)sim->pairs;
    int32_t procs = sim->at.procs;
    memset(sim->block, 0, sim->block_size);
    ori_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        ori_tree_clear(trees[i]);
    memset(sim->recovering, 0, pairs * sizeof *sim->recovering);
    memset(sim->failed, 0, pairs * sizeof *sim->failed);
    ori_holdings_reset(&sim->holdings, procs / 2);
    if (sim->shell.record) {
        orr_stints_clear(&sim->stints);
        sim->stints.procs = procs;
    }
    sim->seen.count = sim->moments.count = sim->due.count = sim->due_taken = 0;
    sim->shell.now = 0;
    sim->at = (ori_standing){.procs = procs,
                             .free = procs,
                             .odd = procs % 2 ? procs - 1 : -1,
                             .numbered = sim->at.numbered,
                             .undo_at = INFINITY};
    sim->decision = (ori_decision){.struck = -1};
}

/* --- copies ----------------------------------------------------------------------------------- */

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
    memcpy(to->untold, from->untold, words * sizeof *to->untold);
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
    if (from->shell.record)
        status = orr_stints_copy(&to->stints, &from->stints, err);
    if (status == ORR_OK)
        status = ori_log_copy(&to->seen, &from->seen, &to->shell.alloc, err);
    if (status == ORR_OK)
        status = ori_log_copy(&to->due, &from->due, &to->shell.alloc, err);
    if (status == ORR_OK)
        status = ori_log_copy(&to->moments, &from->moments, &to->shell.alloc, err);
    return status;
}

orr_malleable *ori_malleable_clone(const orr_malleable *sim, const ori_malleable_shape *shape,
                                   orr_error *err)
{
    orr_malleable plain = {.shell = ori_shell_copy(&sim->shell),
                           .asked = sim->asked,
                           .at = sim->at,
                           .decision.struck = -1,
                           .policy = *shape->policy,
                           .tasks = shape->tasks,
                           .count = shape->count,
                           .pairs = shape->pairs,
                           .due_taken = sim->due_taken};
    plain.shell.policy = ORI_POLICY_CALLS(shape->policy);
    orr_malleable *copy = ori_malleable_allocate(&plain, err);
    if (!copy)
        return NULL;
    copy_arrays(copy, sim);
    if (copy->tasks)
        ori_costs_reset(&copy->costs, copy->tasks);
    orr_status status = copy_logs(copy, sim, err);
    if (status == ORR_OK && !(copy->faults = orr_faults_copy(sim->faults, err)))
        status = ORR_ERR_MEMORY;
    if (status == ORR_OK && shape->policy == &sim->policy)
        status = ori_shell_copy_state(&copy->shell, &sim->shell, err);
    if (status == ORR_OK)
        return copy;
    orr_malleable_destroy(copy);
    return NULL;
}

orr_malleable *orr_malleable_copy(const orr_malleable *sim, orr_error *err)
{
    if (ori_shell_check_idle(&sim->shell, "copied", err) != ORR_OK)
        return NULL;
    ori_malleable_shape shape = {sim->tasks, sim->count, sim->pairs, &sim->policy};
    return ori_malleable_clone(sim, &shape, err);
}

/* --- checks ----------------------------------------------------------------------------------- */

#ifdef ORI_CHECKS
static void check_task(const orr_malleable *sim, int32_t i)
{
    const ori_shell *shell = &sim->shell;
    bool runs = sim->held[i] > 0, locked = sim->ready[i] > shell->now;
    double end = sim->ends.node[sim->ends.leaves + i];
    double finish = sim->finishes.node[sim->finishes.leaves + i];
    ORI_ASSERT(shell, end == (runs ? -ori_tree_number(sim->end[i]) : -INFINITY));
    ORI_ASSERT(shell, finish == (runs ? ori_tree_number(sim->finish[i]) : -INFINITY));
    ORI_ASSERT(shell, !runs || sim->end[i] >= shell->now);
    ORI_ASSERT(shell, !runs || !locked || ori_bit_next(sim->locked, i, sim->count) == i);
    ORI_ASSERT(shell, !runs || sim->stint[i].procs == sim->held[i]);
}

void ori_malleable_check_state(const orr_malleable *sim)
{
    const ori_shell *shell = &sim->shell;
    const ori_standing *at = &sim->at;
    int64_t held = 0;
    int32_t running = 0;
    for (int32_t i = 0; i < sim->count; i++) {
        check_task(sim, i);
        held += sim->held[i];
        running += sim->held[i] > 0;
    }
    ORI_ASSERT(shell, running == at->running);
    ORI_ASSERT(shell, at->free + held == at->procs + at->leaving);
    ORI_ASSERT(shell, at->leaving >= 0 && (at->leaving == 0 || at->free == 0));
    ORI_ASSERT(shell, (at->untold > 0) == (ori_bit_next(sim->untold, 0, sim->count) >= 0));
    ORI_ASSERT(shell, !sim->decision.open && sim->decision.struck < 0);
    const orr_fault *due = sim->due.items;
    for (int64_t i = sim->due_taken; i < sim->due.count; i++)
        ORI_ASSERT(shell, due[i].time == shell->now);
}
#else
void ori_malleable_check_state(const orr_malleable *sim)
{
    (void)sim;
}
#endif
