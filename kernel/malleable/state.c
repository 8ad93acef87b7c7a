/* The memory of a simulation, and operations on its whole state: clearing, copies (also with more
 * room) and, on request, checks. */
#include "malleable/state_internal.h"
#include "schedule/stints_internal.h"
#include "workload/faults_internal.h"

#include <string.h>

/* --- memory ----------------------------------------------------------------------------------- */

static orr_status create_parts(orr_malleable *sim, orr_error *err)
{
    const orr_allocator *a = &sim->shell.alloc;
    int32_t n = sim->count, leaves = ori_tree_leaves(n), pairs = sim->pairs, procs = sim->at.procs;
    size_t words = ori_words(n);
    ori_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        trees[i]->leaves = leaves;
    const ori_part parts[] = {ORI_PART(sim->stint, n),
                              ORI_PART(sim->plan, n),
                              ORI_PART(sim->fewer, n),
                              ORI_PART(sim->alpha, n),
                              ORI_PART(sim->ready, n),
                              ORI_PART(sim->finish, n),
                              ORI_PART(sim->end, n),
                              ORI_PART(sim->left, n),
                              ORI_PART(sim->proposed_finish, n),
                              ORI_PART(sim->ends.node, 2 * leaves),
                              ORI_PART(sim->finishes.node, 2 * leaves),
                              ORI_PART(sim->list.node, 2 * leaves),
                              ORI_PART(sim->shortest.node, 2 * leaves),
                              ORI_PART(sim->recovering, pairs),
                              ORI_PART(sim->locked, words),
                              ORI_PART(sim->touched, words),
                              ORI_PART(sim->untold, words),
                              ORI_PART_IF(sim->shell.record, sim->intervals, pairs),
                              ORI_PART(sim->failed, pairs),
                              ORI_PART(sim->held, n),
                              ORI_PART(sim->proposed, n),
                              ORI_PART(sim->parts, n),
                              ORI_PART(sim->takes_part, n),
                              ORI_PART(sim->left_known, n)};
    ORI_TRY(ORI_BLOCK_CREATE(&sim->block, parts, ORI_ZEROED, a, err));
    ORI_TRY(ori_costs_create(&sim->costs, n, procs, &sim->asked.resilience, a, err));
    ori_costs_ask(&sim->costs, &sim->policy);
    ORI_TRY(ori_processors_create(&sim->holdings, (int32_t[]){0, pairs}, 1, n, a, err));
    return sim->shell.record ? ori_stints_create(&sim->stints, n, procs, a, err) : ORR_OK;
}

orr_malleable *ori_malleable_allocate(const orr_malleable *plain, orr_error *err)
{
    orr_malleable *sim = ori_new(&plain->shell.alloc, sizeof *sim, err);
    if (!sim)
        return NULL;
    *sim = *plain;
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
    ori_shell_free_state(&sim->shell);
    ori_stints_destroy(&sim->stints);
    orr_faults_destroy(sim->faults);
    ori_processors_destroy(&sim->holdings);
    ori_costs_destroy(&sim->costs);
    ORI_FREE(&a, &sim->seen.items, &sim->seen.room);
    ORI_FREE(&a, &sim->due.items, &sim->due.room);
    ORI_FREE(&a, &sim->moments.items, &sim->moments.room);
    ori_block_destroy(&sim->block, &a);
    orr_release(&a, sim, sizeof *sim);
}

void ori_malleable_clear(orr_malleable *sim)
{
    int32_t procs = sim->at.procs;
    memset(sim->block.memory, 0, sim->block.size);
    ori_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        ori_tree_clear(trees[i]);
    ori_processors_clear(&sim->holdings);
    if (procs / 2 < sim->pairs)
        ori_processors_take_down(&sim->holdings, 0, procs / 2, sim->pairs - 1);
    if (sim->shell.record) {
        ori_stints_clear(&sim->stints);
        sim->stints.procs = procs;
    }
    sim->seen.count = sim->moments.count = sim->due.count = sim->due.taken = 0;
    sim->shell.now = 0;
    sim->at = (ori_standing){.procs = procs,
                             .free = procs,
                             .odd = procs % 2 ? procs - 1 : -1,
                             .numbered = procs,
                             .undo_at = INFINITY};
    sim->decision = (ori_decision){.struck = -1};
}

orr_status ori_malleable_make_state(orr_malleable *sim, orr_error *err)
{
    if (!sim->policy.make_state)
        return ORR_OK;
    ori_policy_begin(err);
    orr_status status = sim->policy.make_state(sim->policy.user, sim, &sim->shell.state, err);
    return ori_shell_state_made(&sim->shell, status, err);
}

/* --- copies ----------------------------------------------------------------------------------- */

/* Copies all arrays except those that last only for a decision. */
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
    ori_processors_copy(&to->holdings, &from->holdings);
}

static orr_status copy_lists(orr_malleable *to, const orr_malleable *from, orr_error *err)
{
    const orr_allocator *a = &to->shell.alloc;
    if (from->shell.record)
        ORI_TRY(ori_stints_copy(&to->stints, &from->stints, err));
    ORI_TRY(ORI_COPY(a, &to->seen.items, &to->seen.room, from->seen.items, from->seen.count, err));
    ORI_TRY(ORI_COPY(a, &to->due.items, &to->due.room, from->due.items, from->due.count, err));
    ORI_TRY(ORI_COPY(a, &to->moments.items, &to->moments.room, from->moments.items,
                     from->moments.count, err));
    to->seen.count = from->seen.count;
    to->due.count = from->due.count;
    to->due.taken = from->due.taken;
    to->moments.count = from->moments.count;
    return ORR_OK;
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
                           .pairs = shape->pairs};
    plain.shell.policy = ORI_POLICY_CALLS(shape->policy);
    orr_malleable *copy = ori_malleable_allocate(&plain, err);
    if (!copy)
        return NULL;
    copy_arrays(copy, sim);
    if (copy->tasks)
        ori_costs_reset(&copy->costs, copy->tasks);
    if (copy_lists(copy, sim, err) == ORR_OK &&
        (copy->faults = ori_faults_copy(sim->faults, err)) &&
        (shape->policy != &sim->policy ||
         ori_shell_copy_state(&copy->shell, &sim->shell, err) == ORR_OK))
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
    ORI_ASSERT(shell, at->ahead_fatal <= at->metrics.fatal);
    const orr_fault *due = sim->due.items;
    for (int64_t i = sim->due.taken; i < sim->due.count; i++)
        ORI_ASSERT(shell, due[i].time == shell->now);
}
#endif
