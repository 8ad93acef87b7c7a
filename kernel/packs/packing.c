/* A pack is a list of its tasks; the costs of packs are the leaves of a tree of sums. */
#include "packs/packing.h"

#include "base/block_internal.h"
#include "base/try_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/one_pack_internal.h"

#include <math.h>
#include <string.h>

struct orr_packing {
    const orr_pack_problem *problem;
    int32_t leaves; /* of the tree of costs, a power of two */
    double *cost;   /* s: 2 * leaves; children of i are 2i and 2i + 1, the root is 1 */
    double *time;   /* by task, s, on its processors */
    int32_t *pack, *procs, *next;  /* by task; the next one in its pack, -1 behind the last */
    int32_t *first, *tasks, *free; /* by pack: a task in it, -1: none; how many; processors */
    int32_t *empty, *empty_at;     /* packs without tasks; by pack: its place in `empty` */
    int32_t empties;
    size_t size;         /* bytes, of all this */
    orr_allocator alloc; /* a copy, because the problem may be destroyed before */
};

/* --- lists -------------------------------------------------------------------------------------*/

static void add_task(orr_packing *q, int32_t task)
{
    int32_t *first = &q->first[q->pack[task]];
    q->next[task] = *first;
    *first = task;
}

static void drop_task(orr_packing *q, int32_t task)
{
    int32_t *link = &q->first[q->pack[task]];
    while (*link != task)
        link = &q->next[*link];
    *link = q->next[task];
}

/* The longest time in a pack without one of its tasks, or with all (-1). */
static double longest(const orr_packing *q, int32_t pack, int32_t without)
{
    double time = 0;
    for (int32_t i = q->first[pack]; i >= 0; i = q->next[i])
        if (i != without && q->time[i] > time)
            time = q->time[i];
    return time;
}

/* --- sums --------------------------------------------------------------------------------------*/

static void set_cost(orr_packing *q, int32_t pack)
{
    int32_t i = q->leaves + pack;
    q->cost[i] = longest(q, pack, -1);
    while ((i /= 2) >= 1)
        q->cost[i] = q->cost[2 * i] + q->cost[2 * i + 1];
}

/* The root if one leaf, and a second one (or none), had other costs. */
static double sum_with(const orr_packing *q, int32_t a, double cost_a, int32_t b, double cost_b)
{
    int32_t i = q->leaves + a, j = q->leaves + b;
    for (; i > 1 && i != j; i /= 2, j /= 2) {
        if ((i ^ 1) == j) {
            cost_a += cost_b;
            i /= 2;
            break;
        }
        cost_a += q->cost[i ^ 1];
        cost_b += q->cost[j ^ 1];
    }
    for (; i > 1; i /= 2)
        cost_a += q->cost[i ^ 1];
    return cost_a;
}

/* --- memory ------------------------------------------------------------------------------------*/

static void set_empty(orr_packing *q, int32_t pack)
{
    q->empty_at[pack] = q->empties;
    q->empty[q->empties++] = pack;
}

static void set_used(orr_packing *q, int32_t pack)
{
    int32_t at = q->empty_at[pack], last = q->empty[--q->empties];
    q->empty[at] = last;
    q->empty_at[last] = at;
}

static void copy_packs(orr_packing *q, const orr_coschedule *from)
{
    int32_t n = q->problem->count;
    for (int32_t i = 0; i < 2 * q->leaves; i++)
        q->cost[i] = 0;
    for (int32_t b = 0; b < n; b++) {
        q->first[b] = -1;
        q->tasks[b] = 0;
        q->free[b] = q->problem->procs;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t pack = q->pack[i] = from->pack[i];
        q->procs[i] = from->procs[i];
        q->time[i] = orr_pack_time(q->problem, i, q->procs[i]);
        q->free[pack] -= q->procs[i];
        q->tasks[pack]++;
        add_task(q, i);
    }
    for (int32_t b = n; b-- > 0;) {
        set_cost(q, b);
        if (q->tasks[b] == 0)
            set_empty(q, b);
    }
}

orr_packing *orr_packing_create(const orr_pack_problem *problem, const orr_coschedule *from,
                                orr_error *err)
{
    if (orr_coschedule_check(problem, from, err) != ORR_OK)
        return NULL;
    size_t n = (size_t)problem->count;
    orr_packing q = {.problem = problem, .leaves = 1, .alloc = problem->alloc}, *self;
    while (q.leaves < problem->count)
        q.leaves *= 2;
    ori_block block;
    const ori_part parts[] = {ORI_PART(self, 1),      ORI_PART(q.cost, 2 * (size_t)q.leaves),
                              ORI_PART(q.time, n),    ORI_PART(q.next, n),
                              ORI_PART(q.pack, n),    ORI_PART(q.procs, n),
                              ORI_PART(q.first, n),   ORI_PART(q.tasks, n),
                              ORI_PART(q.free, n),    ORI_PART(q.empty, n),
                              ORI_PART(q.empty_at, n)};
    if (ORI_BLOCK_CREATE(&block, parts, ORI_RAW, &problem->alloc, err) != ORR_OK)
        return NULL;
    q.size = block.size;
    copy_packs(&q, from);
    *self = q;
    return self;
}

void orr_packing_destroy(orr_packing *packing)
{
    if (packing)
        orr_release(&packing->alloc, packing, packing->size);
}

/* --- looking -----------------------------------------------------------------------------------*/

static bool has_pack(const orr_packing *q, int32_t number)
{
    return ORI_IS_IN(number, q->problem->count);
}

double orr_packing_cost(const orr_packing *packing)
{
    return packing->cost[1];
}

double orr_packing_pack_cost(const orr_packing *packing, int32_t pack)
{
    return has_pack(packing, pack) ? packing->cost[packing->leaves + pack] : NAN;
}

int32_t orr_packing_free(const orr_packing *packing, int32_t pack)
{
    return has_pack(packing, pack) ? packing->free[pack] : 0;
}

int32_t orr_packing_tasks(const orr_packing *packing, int32_t pack)
{
    return has_pack(packing, pack) ? packing->tasks[pack] : 0;
}

int32_t orr_packing_empty(const orr_packing *packing)
{
    return packing->empties > 0 ? packing->empty[packing->empties - 1] : -1;
}

int32_t orr_packing_pack_of(const orr_packing *packing, int32_t task)
{
    return has_pack(packing, task) ? packing->pack[task] : -1;
}

int32_t orr_packing_procs(const orr_packing *packing, int32_t task)
{
    return has_pack(packing, task) ? packing->procs[task] : 0;
}

static bool can_move(const orr_packing *q, int32_t task, int32_t pack, int32_t procs)
{
    if (!has_pack(q, task) || !has_pack(q, pack) || procs < q->problem->least[task])
        return false;
    bool stays = q->pack[task] == pack;
    int32_t room = q->free[pack] + (stays ? q->procs[task] : 0);
    return procs <= room && (stays || q->tasks[pack] < q->problem->most);
}

double orr_packing_cost_with(const orr_packing *packing, int32_t task, int32_t pack, int32_t procs)
{
    const orr_packing *q = packing;
    if (!can_move(q, task, pack, procs))
        return INFINITY;
    int32_t from = q->pack[task];
    double time = orr_pack_time(q->problem, task, procs), without = longest(q, from, task);
    if (from == pack)
        return sum_with(q, pack, fmax(without, time), pack, 0);
    return sum_with(q, from, without, pack, fmax(q->cost[q->leaves + pack], time));
}

/* --- doing -------------------------------------------------------------------------------------*/

static void take_out(orr_packing *q, int32_t task)
{
    int32_t pack = q->pack[task];
    drop_task(q, task);
    q->free[pack] += q->procs[task];
    if (--q->tasks[pack] == 0)
        set_empty(q, pack);
    set_cost(q, pack);
}

static void put_in(orr_packing *q, int32_t task, int32_t pack, int32_t procs)
{
    q->pack[task] = pack;
    q->procs[task] = procs;
    q->time[task] = orr_pack_time(q->problem, task, procs);
    q->free[pack] -= procs;
    if (q->tasks[pack]++ == 0)
        set_used(q, pack);
    add_task(q, task);
    set_cost(q, pack);
}

orr_status orr_packing_move(orr_packing *packing, int32_t task, int32_t pack, int32_t procs,
                            orr_error *err)
{
    orr_packing *q = packing;
    ORI_REFUSE(!has_pack(q, task), err, "there is no task at position %d, there are %d", (int)task,
               (int)q->problem->count);
    ORI_REFUSE(!can_move(q, task, pack, procs), err,
               "task %s can't be on %d processors in pack %lld: it needs %d at least, and %d are "
               "free there besides those that it has, and %d tasks in it, of %d at most",
               orr_tasks_id(q->problem->tasks, task), (int)procs, (long long)pack + 1,
               (int)q->problem->least[task], (int)orr_packing_free(q, pack),
               (int)orr_packing_tasks(q, pack), (int)q->problem->most);
    take_out(q, task);
    put_in(q, task, pack, procs);
    return ORR_OK;
}

orr_coschedule *orr_packing_coschedule(const orr_packing *packing, orr_error *err)
{
    const orr_packing *q = packing;
    int32_t n = q->problem->count, packs = 0;
    orr_coschedule *c = ori_coschedule_begin(q->problem, n - q->empties, err);
    if (!c)
        return NULL;
    /* number[b] of pack b, in c->order, which is filled only later */
    int32_t *number = c->order;
    for (int32_t b = 0; b < n; b++)
        if (q->tasks[b] > 0)
            number[b] = packs++;
    for (int32_t i = 0; i < n; i++) {
        c->pack[i] = number[q->pack[i]];
        c->procs[i] = q->procs[i];
    }
    ori_coschedule_settle(q->problem, c);
    return c;
}
