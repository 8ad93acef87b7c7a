/* A partition as lists, so that moving a task is cheap; costs are by Algorithm 1. */
#include "packs/partition.h"

#include "base/block_internal.h"
#include "base/try_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/one_pack_internal.h"

#include <math.h>
#include <string.h>

struct orr_partition {
    const orr_pack_problem *problem;
    int32_t packs;
    double *cost;        /* by pack, s */
    int32_t *pack;       /* by task */
    int32_t *first;      /* by pack: a task in it */
    int32_t *next;       /* by task: the next one in its pack, -1 behind the last */
    int32_t *tasks;      /* by pack: how many */
    int32_t *scratch;    /* the tasks of a pack that is tried */
    size_t size;         /* bytes, of all this */
    orr_allocator alloc; /* a copy, because the problem may be destroyed before */
};

/* --- memory ------------------------------------------------------------------------------------*/

static void add_to_pack(orr_partition *q, int32_t task, int32_t pack)
{
    q->pack[task] = pack;
    q->next[task] = q->first[pack];
    q->first[pack] = task;
    q->tasks[pack]++;
}

static void drop_from_pack(orr_partition *q, int32_t task)
{
    int32_t pack = q->pack[task], *link = &q->first[pack];
    while (*link != task)
        link = &q->next[*link];
    *link = q->next[task];
    q->tasks[pack]--;
}

static void copy_packs(orr_partition *q, const orr_coschedule *from)
{
    q->packs = from->packs;
    for (int32_t b = 0; b < q->packs; b++) {
        q->first[b] = -1;
        q->tasks[b] = 0;
    }
    for (int32_t i = from->count; i-- > 0;)
        add_to_pack(q, i, from->pack[i]);
    for (int32_t b = 0; b < q->packs; b++)
        q->cost[b] = orr_one_pack_cost(q->problem, from->order + from->first[b], q->tasks[b]);
}

orr_partition *orr_partition_create(const orr_pack_problem *problem, const orr_coschedule *from,
                                    orr_error *err)
{
    if (orr_coschedule_check(problem, from, err) != ORR_OK)
        return NULL;
    size_t n = (size_t)problem->count;
    orr_partition q = {.problem = problem, .alloc = problem->alloc}, *self;
    ori_block block;
    const ori_part parts[] = {ORI_PART(self, 1),     ORI_PART(q.cost, n), ORI_PART(q.pack, n),
                              ORI_PART(q.first, n),  ORI_PART(q.next, n), ORI_PART(q.tasks, n),
                              ORI_PART(q.scratch, n)};
    if (ORI_BLOCK_CREATE(&block, parts, ORI_RAW, &problem->alloc, err) != ORR_OK)
        return NULL;
    q.size = block.size;
    copy_packs(&q, from);
    *self = q;
    return self;
}

void orr_partition_destroy(orr_partition *partition)
{
    if (partition)
        orr_release(&partition->alloc, partition, partition->size);
}

/* --- looking -----------------------------------------------------------------------------------*/

double orr_partition_cost(const orr_partition *partition)
{
    double sum = 0;
    for (int32_t b = 0; b < partition->packs; b++)
        sum += partition->cost[b];
    return sum;
}

int32_t orr_partition_packs(const orr_partition *partition)
{
    return partition->packs;
}

double orr_partition_pack_cost(const orr_partition *partition, int32_t pack)
{
    return ORI_IS_IN(pack, partition->packs) ? partition->cost[pack] : NAN;
}

int32_t orr_partition_pack_of(const orr_partition *partition, int32_t task)
{
    return ORI_IS_IN(task, partition->problem->count) ? partition->pack[task] : -1;
}

/* --- trying ------------------------------------------------------------------------------------*/

/* The cost of a pack without one task and with another (-1: none), infinite where it is not below
 * limit. pack = number of packs: a new one. */
static double cost_with(orr_partition *q, int32_t pack, int32_t without, int32_t with, double limit)
{
    int32_t count = 0;
    for (int32_t i = pack < q->packs ? q->first[pack] : -1; i >= 0; i = q->next[i])
        if (i != without)
            q->scratch[count++] = i;
    if (with >= 0)
        q->scratch[count++] = with;
    if (count == 0)
        return 0;
    return ori_one_pack_cost_below(q->problem, q->scratch, count, limit);
}

static double cost_of(const orr_partition *q, int32_t pack)
{
    return ORI_IS_IN(pack, q->packs) ? q->cost[pack] : 0;
}

static bool has_task(const orr_partition *q, int32_t task)
{
    return ORI_IS_IN(task, q->problem->count);
}

static bool can_move(const orr_partition *q, int32_t task, int32_t pack)
{
    if (pack < 0 || pack > q->packs)
        return false;
    int32_t from = q->pack[task];
    if (pack == q->packs)
        return q->tasks[from] > 1;
    return pack != from && q->tasks[pack] < q->problem->most;
}

/* The gain if it is more than `least`, else minus infinity; `saved`: the decrease of its pack's
 * cost without the task. */
static double move_gain(orr_partition *q, int32_t task, int32_t pack, double saved, double least)
{
    double before = cost_of(q, pack);
    if (!can_move(q, task, pack) || saved <= least)
        return -INFINITY;
    double after = cost_with(q, pack, -1, task, before + (saved - least));
    return isfinite(after) ? before + saved - after : (double)-INFINITY;
}

static double saved_without(orr_partition *q, int32_t task)
{
    int32_t pack = q->pack[task];
    return q->cost[pack] - cost_with(q, pack, task, -1, INFINITY);
}

double orr_partition_move_gain(orr_partition *partition, int32_t task, int32_t pack)
{
    if (!has_task(partition, task))
        return -INFINITY;
    return move_gain(partition, task, pack, saved_without(partition, task), -INFINITY);
}

double orr_partition_best_move(orr_partition *partition, int32_t task, int32_t *pack)
{
    *pack = -1;
    if (!has_task(partition, task))
        return -INFINITY;
    double best = -INFINITY, saved = saved_without(partition, task);
    for (int32_t b = 0; b <= partition->packs; b++) {
        double gain = move_gain(partition, task, b, saved, best);
        if (gain > best) {
            best = gain;
            *pack = b;
        }
    }
    return best;
}

/* The gain of a swap, as move_gain. */
static double swap_gain(orr_partition *q, int32_t a, int32_t b, double least)
{
    int32_t pack_a = q->pack[a], pack_b = q->pack[b];
    if (pack_a == pack_b)
        return -INFINITY;
    double before = q->cost[pack_a] + q->cost[pack_b];
    double first = cost_with(q, pack_a, a, b, before - least);
    if (!isfinite(first))
        return -INFINITY;
    double second = cost_with(q, pack_b, b, a, before - least - first);
    return isfinite(second) ? before - first - second : (double)-INFINITY;
}

double orr_partition_swap_gain(orr_partition *partition, int32_t a, int32_t b)
{
    if (!has_task(partition, a) || !has_task(partition, b))
        return -INFINITY;
    return swap_gain(partition, a, b, -INFINITY);
}

double orr_partition_best_swap(orr_partition *partition, int32_t task, int32_t *other)
{
    double best = -INFINITY;
    *other = -1;
    if (!has_task(partition, task))
        return best;
    for (int32_t i = 0; i < partition->problem->count; i++) {
        double gain = swap_gain(partition, task, i, best);
        if (gain > best) {
            best = gain;
            *other = i;
        }
    }
    return best;
}

/* --- doing -------------------------------------------------------------------------------------*/

static void update_cost(orr_partition *q, int32_t pack)
{
    q->cost[pack] = cost_with(q, pack, -1, -1, INFINITY);
}

/* Removes an empty pack: the last pack takes its number. */
static void remove_pack(orr_partition *q, int32_t pack)
{
    int32_t last = --q->packs;
    if (pack == last)
        return;
    for (int32_t i = q->first[last]; i >= 0; i = q->next[i])
        q->pack[i] = pack;
    q->first[pack] = q->first[last];
    q->tasks[pack] = q->tasks[last];
    q->cost[pack] = q->cost[last];
}

orr_status orr_partition_move(orr_partition *partition, int32_t task, int32_t pack, orr_error *err)
{
    orr_partition *q = partition;
    ORI_REFUSE(!has_task(q, task), err, "there is no task at position %d, there are %d", (int)task,
               (int)q->problem->count);
    int32_t from = q->pack[task];
    ORI_REFUSE(!can_move(q, task, pack) || isinf(cost_with(q, pack, -1, task, INFINITY)), err,
               "task %s can't move from pack %lld to pack %lld",
               orr_tasks_id(q->problem->tasks, task), (long long)from + 1, (long long)pack + 1);
    if (pack == q->packs) {
        q->first[pack] = -1;
        q->tasks[pack] = 0;
        q->packs++;
    }
    drop_from_pack(q, task);
    add_to_pack(q, task, pack);
    update_cost(q, from);
    update_cost(q, pack);
    if (q->tasks[from] == 0)
        remove_pack(q, from);
    return ORR_OK;
}

orr_status orr_partition_swap(orr_partition *partition, int32_t a, int32_t b, orr_error *err)
{
    orr_partition *q = partition;
    ORI_REFUSE(!has_task(q, a) || !has_task(q, b), err,
               "there are no tasks at positions %d and %d, there are %d", (int)a, (int)b,
               (int)q->problem->count);
    int32_t pack_a = q->pack[a], pack_b = q->pack[b];
    ORI_REFUSE(isinf(swap_gain(q, a, b, -INFINITY)), err, "tasks %s and %s can't change places",
               orr_tasks_id(q->problem->tasks, a), orr_tasks_id(q->problem->tasks, b));
    drop_from_pack(q, a);
    drop_from_pack(q, b);
    add_to_pack(q, a, pack_b);
    add_to_pack(q, b, pack_a);
    update_cost(q, pack_a);
    update_cost(q, pack_b);
    return ORR_OK;
}

orr_coschedule *orr_partition_coschedule(const orr_partition *partition, orr_error *err)
{
    orr_coschedule *c = ori_coschedule_begin(partition->problem, partition->packs, err);
    if (!c)
        return NULL;
    memcpy(c->pack, partition->pack, (size_t)partition->problem->count * sizeof *c->pack);
    return ori_coschedule_finish(partition->problem, c, err);
}
