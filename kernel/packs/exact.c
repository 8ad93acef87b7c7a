/* The optimal co-schedule of few tasks. It searches subsets; a heuristic and the lower bounds
 * exclude most of them. */
#include "packs/exact.h"

#include "base/block_internal.h"
#include "base/try_internal.h"
#include "packs/allocation.h"
#include "packs/bounds_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/make_pack_internal.h"
#include "packs/one_pack_internal.h"
#include "packs/partition.h"
#include "packs/relaxation_internal.h"

#include <float.h>
#include <math.h>

/* --- dynamic programming over subsets ----------------------------------------------------------*/

/* Bit b of a set stands for the b-th longest task on all processors. Tasks are covered pack after
 * pack; the longest remaining task is always in the next pack. */
typedef struct search {
    const orr_pack_problem *problem;
    const orr_cancel_flag *cancel;
    orr_error *err;
    int32_t bits;
    uint32_t sets;     /* 2^bits */
    double *pack_cost; /* of a set as one pack, s; infinite where that is of no use */
    double *cost;      /* the least for which exactly this set is covered */
    uint32_t *last;    /* its last pack */
    uint32_t *useful;  /* packs of use, by their longest task */
    uint32_t first[ORR_OPTIMAL_MOST + 1]; /* the begin of the sets with longest task b */
    ori_listed list[ORR_OPTIMAL_MOST];    /* s, on all processors */
    double share[ORR_OPTIMAL_MOST];       /* s, see bounds_internal.h */
    double shares;                        /* their sum */
    double limit;                         /* s: the cost of a heuristic, plus a rounding */
} search;

/* Rounding of sums of at most ORR_OPTIMAL_MOST terms: no possible optimum is cut off. Below DBL_MIN
 * numbers have fewer digits, and rounding is not relative. */
#define ROUNDING 1e-12
static double and_rounding(double cost)
{
    return cost * (1 + ROUNDING) + DBL_MIN;
}

enum { SETS_PER_LOOK = 1 << 12 }; /* at the cancel flag */

/* Once in a while. */
static orr_status look_at_flag(const search *s, uint32_t set)
{
    bool stop = set % SETS_PER_LOOK == 0 && orr_is_cancelled(s->cancel);
    return stop ? orr_fail(s->err, ORR_ERR_CANCELLED, "interrupted while looking for the optimum")
                : ORR_OK;
}

static int lowest(uint32_t set)
{
    return __builtin_ctz(set);
}

static void order_tasks(search *s)
{
    ori_listed scratch[ORR_OPTIMAL_MOST];
    for (int32_t i = 0; i < s->bits; i++)
        s->list[i] = (ori_listed){orr_pack_time(s->problem, i, s->problem->procs), i};
    ori_sort_listed(s->list, s->bits, scratch);
}

/* A pack is of use when no task in it would better be alone, and when it may be in a co-schedule
 * within the limit, in which all other tasks cost at least their shares. */
static double useful_cost(const search *s, uint32_t set)
{
    int32_t tasks[ORR_OPTIMAL_MOST], count = 0;
    double limit = INFINITY, most = and_rounding(s->limit) - s->shares;
    for (uint32_t left = set; left != 0; left &= left - 1) {
        int b = lowest(left);
        tasks[count++] = s->list[b].task;
        most += s->share[b];
        limit = fmin(limit, s->pack_cost[set & ~(1u << b)] + s->list[b].time);
    }
    return ori_one_pack_cost_below(s->problem, tasks, count, fmin(limit, most));
}

static orr_status find_useful(search *s)
{
    s->pack_cost[0] = INFINITY;
    for (int32_t b = 0; b < s->bits; b++)
        s->pack_cost[1u << b] = s->list[b].time;
    for (uint32_t set = 1; set < s->sets; set++) {
        if ((set & (set - 1)) == 0)
            continue;
        bool fits = __builtin_popcount(set) <= s->problem->most;
        s->pack_cost[set] = fits ? useful_cost(s, set) : (double)INFINITY;
        ORI_TRY(look_at_flag(s, set));
    }
    return ORR_OK;
}

static void list_useful(search *s)
{
    uint32_t at = 0;
    for (int32_t b = 0; b < s->bits; b++) {
        s->first[b] = at;
        for (uint32_t set = 1u << b; set < s->sets; set += 2u << b)
            if (isfinite(s->pack_cost[set]))
                s->useful[at++] = set;
    }
    s->first[s->bits] = at;
}

static void cover(search *s, uint32_t covered, uint32_t pack)
{
    double cost = s->cost[covered] + s->pack_cost[pack];
    if (cost < s->cost[covered | pack]) {
        s->cost[covered | pack] = cost;
        s->last[covered | pack] = pack;
    }
}

/* Tries all next packs, from the list of useful packs or from the subsets of the remaining tasks,
 * whichever are fewer. */
static void cover_more(search *s, uint32_t covered)
{
    uint32_t left = (s->sets - 1) & ~covered, longest = left & -left, others = left & ~longest;
    int b = lowest(left);
    if (1u << __builtin_popcount(others) > s->first[b + 1] - s->first[b]) {
        for (uint32_t at = s->first[b]; at < s->first[b + 1]; at++)
            if ((s->useful[at] & covered) == 0)
                cover(s, covered, s->useful[at]);
        return;
    }
    for (uint32_t with = others;; with = (with - 1) & others) {
        cover(s, covered, longest | with);
        if (with == 0)
            break;
    }
}

/* A lower bound of the cost of the remaining tasks. */
static double cost_of_rest(const search *s, uint32_t covered)
{
    uint32_t left = (s->sets - 1) & ~covered;
    double shares = 0, longest = s->list[lowest(left)].time;
    for (; left != 0; left &= left - 1)
        shares += s->share[lowest(left)];
    return fmax(longest, shares);
}

static orr_status cover_all(search *s)
{
    for (uint32_t set = 1; set < s->sets; set++)
        s->cost[set] = INFINITY;
    s->cost[0] = 0;
    for (uint32_t set = 0; set + 1 < s->sets; set++) {
        if (s->cost[set] + cost_of_rest(s, set) <= s->limit)
            cover_more(s, set);
        ORI_TRY(look_at_flag(s, set));
    }
    return ORR_OK;
}

/* Packs in the order in which they were covered: by their longest task on all processors. */
static orr_coschedule *trace_back(const search *s)
{
    int32_t pack = 0;
    for (uint32_t set = s->sets - 1; set != 0; set &= ~s->last[set])
        pack++;
    orr_coschedule *c = ori_coschedule_begin(s->problem, pack, s->err);
    if (!c)
        return NULL;
    for (uint32_t set = s->sets - 1; set != 0; set &= ~s->last[set]) {
        pack--;
        for (uint32_t left = s->last[set]; left != 0; left &= left - 1)
            c->pack[s->list[lowest(left)].task] = pack;
    }
    return ori_coschedule_finish(s->problem, c, s->err);
}

/* --- a first limit -----------------------------------------------------------------------------*/

/* PACK-BY-PACK with one epsilon. */
static orr_coschedule *pack_by_pack(const orr_pack_problem *problem, double epsilon, orr_error *err)
{
    int32_t taken[ORR_OPTIMAL_MOST];
    orr_allocation *a = orr_allocation_create(problem, err);
    orr_coschedule *c = a ? ori_coschedule_begin(problem, 0, err) : NULL;
    while (c && orr_allocation_listed(a) > 0) {
        orr_allocation_grow(a, epsilon, NULL);
        double longest = orr_allocation_time(a, orr_allocation_head(a));
        int32_t count = orr_allocation_take(a, (1 - epsilon) * longest, taken);
        for (int32_t i = 0; i < count; i++)
            c->pack[taken[i]] = c->packs;
        c->packs++;
    }
    orr_allocation_destroy(a);
    return c ? ori_coschedule_finish(problem, c, err) : NULL;
}

/* Moves a task, or swaps it, where that gains most. */
static bool improve_task(orr_partition *q, int32_t task, double least)
{
    int32_t pack, other;
    double by_move = orr_partition_best_move(q, task, &pack);
    double by_swap = orr_partition_best_swap(q, task, &other);
    if (fmax(by_move, by_swap) <= least)
        return false;
    orr_status status = by_move > by_swap ? orr_partition_move(q, task, pack, NULL)
                                          : orr_partition_swap(q, task, other, NULL);
    return status == ORR_OK;
}

static orr_status descend_from(const orr_pack_problem *problem, const orr_coschedule *from,
                               double *cost, orr_error *err)
{
    orr_partition *q = orr_partition_create(problem, from, err);
    if (!q)
        return ORR_ERR_MEMORY;
    double least = orr_partition_cost(q) * ROUNDING;
    for (bool improved = true; improved;) {
        improved = false;
        for (int32_t i = 0; i < problem->count; i++)
            improved |= improve_task(q, i, least);
    }
    *cost = orr_partition_cost(q);
    orr_partition_destroy(q);
    return ORR_OK;
}

static orr_status find_limit(search *s)
{
    s->limit = INFINITY;
    for (int tenths = 1; tenths < 10; tenths++) {
        double cost = INFINITY;
        orr_coschedule *c = pack_by_pack(s->problem, tenths / 10.0, s->err);
        orr_status status = c ? descend_from(s->problem, c, &cost, s->err) : ORR_ERR_MEMORY;
        orr_coschedule_destroy(c);
        ORI_TRY(status);
        s->limit = fmin(s->limit, and_rounding(cost));
    }
    return ORR_OK;
}

static orr_status find_shares(search *s)
{
    double shares[ORR_OPTIMAL_MOST], bound = ori_pack_shares(s->problem, shares);
    ORI_TRY(ori_pack_relax(s->problem, s->limit, shares, &bound, s->err));
    for (int32_t b = 0; b < s->bits; b++)
        s->shares += s->share[b] = shares[s->list[b].task];
    return ORR_OK;
}

static orr_status run_search(search *s)
{
    order_tasks(s);
    ORI_TRY(find_limit(s));
    ORI_TRY(find_shares(s));
    ORI_TRY(find_useful(s));
    list_useful(s);
    return cover_all(s);
}

orr_coschedule *orr_optimal(const orr_pack_problem *problem, const orr_cancel_flag *cancel,
                            orr_error *err)
{
    if (problem->count > ORR_OPTIMAL_MOST) {
        orr_fail(err, ORR_ERR_LIMIT, "the optimum is searched for at most %d tasks, not for %d",
                 ORR_OPTIMAL_MOST, (int)problem->count);
        return NULL;
    }
    search s = {.problem = problem, .cancel = cancel, .err = err, .bits = problem->count};
    s.sets = 1u << s.bits;
    ORI_SCRATCH_OR(NULL, &problem->alloc, ORI_RAW, err, ORI_PART(s.pack_cost, s.sets),
                   ORI_PART(s.cost, s.sets), ORI_PART(s.last, s.sets), ORI_PART(s.useful, s.sets));
    return run_search(&s) == ORR_OK ? trace_back(&s) : NULL;
}
