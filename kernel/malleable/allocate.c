/* The initial processors of tasks: RR-8795, Algorithm 1, for the engine and as a function of its
 * own. */
#include "base/try_internal.h"
#include "malleable/allocate_internal.h"
#include "malleable/costs_internal.h"
#include "malleable/engine.h"

/* Line 9: the longest task would be faster on all remaining processors, up to j_max. Where t^R on
 * procs + available is smaller, it is also smaller on j_max, which has the smallest t^R up to
 * there. */
static bool may_improve(ori_costs *costs, int32_t task, int32_t procs, int32_t available)
{
    double now = orr_expected_time(ori_costs_of(costs, task, procs), 1);
    if (now > orr_expected_time(ori_costs_of(costs, task, procs + available), 1))
        return true;
    return !ori_costs_most_at_least(costs, task, procs + available) &&
           procs < ori_costs_most(costs, task);
}

void ori_allocate(ori_costs *costs, int32_t first, int32_t procs, ori_tree *finish,
                  int32_t *allocation)
{
    int32_t count = costs->count, available = procs - procs % 2 - 2 * (count - first);
    ori_tree_clear(finish);
    for (int32_t i = first; i < count; i++) {
        allocation[i] = 2;
        finish->node[finish->leaves + i] =
            ori_tree_number(orr_expected_time(ori_costs_of(costs, i, 2), 1));
    }
    ori_tree_rebuild(finish);
    while (available >= 2) {
        int32_t longest = ori_tree_top(finish);
        if (!may_improve(costs, longest, allocation[longest], available))
            break;
        allocation[longest] += 2;
        available -= 2;
        const orr_expected *e = ori_costs_of(costs, longest, allocation[longest]);
        ori_tree_set(finish, longest, ori_tree_number(orr_expected_time(e, 1)));
    }
}

orr_status ori_check_procs(int32_t procs, int32_t count, orr_error *err)
{
    ORI_REFUSE(count < 1, err, "there must be at least one task");
    ORI_REFUSE(procs / 2 < count, err,
               "%d processors are too few: every one of %d tasks needs 2, a processor and its "
               "buddy, so at least %lld",
               (int)procs, (int)count, 2 * (long long)count);
    return ORR_OK;
}

orr_status orr_initial_allocation(const orr_tasks *tasks, int32_t procs,
                                  const orr_resilience *resilience, int32_t *allocation,
                                  const orr_allocator *alloc, orr_error *err)
{
    ORI_TRY(ori_check_procs(procs, tasks->count, err));
    ORI_TRY(orr_resilience_check(resilience, err));
    orr_allocator a = orr_allocator_or_default(alloc);
    ori_tree finish = {.leaves = ori_tree_leaves(tasks->count)};
    ORI_SCRATCH(&a, ORI_RAW, err, ORI_PART(finish.node, 2 * finish.leaves));
    ori_costs costs;
    ORI_TRY(ori_costs_create(&costs, tasks->count, procs, resilience, &a, err));
    ori_costs_reset(&costs, tasks);
    ori_allocate(&costs, 0, procs, &finish, allocation);
    ori_costs_destroy(&costs);
    return ORR_OK;
}
