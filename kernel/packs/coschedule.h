/* A co-schedule: tasks in packs, which run one after the other, and the processors of each task. */
#pragma once

#include "packs/problem.h"

typedef struct orr_coschedule {
    int32_t count;  /* tasks */
    int32_t packs;  /* >= 1 */
    int32_t *pack;  /* by task: 0 .. packs - 1 */
    int32_t *procs; /* by task */
    int32_t *first; /* by pack, and one more: where its tasks begin in `order` */
    int32_t *order; /* tasks, pack after pack, by position */
    double *cost;   /* by pack, s: the longest time of a task in it */
    double total;   /* s: sum of cost, in the order of packs */

    /* internal */
    size_t size; /* bytes, of all this */
    orr_allocator alloc;
} orr_coschedule;

/* A co-schedule of given packs: pack[i] of task i is 0 .. packs - 1, and no pack is empty; procs by
 * task, or NULL for Algorithm 1 in every pack. NULL on failure; ORR_ERR_ARGUMENT, with pack, task
 * and numbers, where orr_coschedule_check would fail. */
ORR_API orr_coschedule *orr_coschedule_create(const orr_pack_problem *problem, const int32_t *pack,
                                              int32_t packs, const int32_t *procs, orr_error *err);
ORR_API orr_coschedule *orr_coschedule_copy(const orr_coschedule *from, orr_error *err);
ORR_API void orr_coschedule_destroy(orr_coschedule *coschedule); /* NULL is fine */

/* MAKE-PACK (Algorithm 2): the tasks by time on procs[i] processors, longest first, then by
 * position, each into the first pack that has both room for its processors and fewer than k tasks,
 * packs in the order of their creation. O(n log n). ORR_ERR_ARGUMENT: procs[i] below the least
 * number or above p. */
ORR_API orr_coschedule *orr_make_pack(const orr_pack_problem *problem, const int32_t *procs,
                                      orr_error *err);

/* Algorithm 1 in every pack, in place. */
ORR_API orr_status orr_coschedule_balance(const orr_pack_problem *problem,
                                          orr_coschedule *coschedule, orr_error *err);

/* An independent check of a co-schedule: every task is in one pack; packs are not empty and have at
 * most k tasks and p processors; no task has fewer than its least number; costs follow from the
 * times. The message of ORR_ERR_ARGUMENT says what is wrong. */
ORR_API orr_status orr_coschedule_check(const orr_pack_problem *problem,
                                        const orr_coschedule *coschedule, orr_error *err);

/* Section 6.2. */
typedef struct orr_coschedule_metrics {
    int32_t packs;
    double cost;              /* s: sum over packs */
    double relative_cost;     /* divided by the cost of one by one: each task alone on p
                                 processors */
    double packing_ratio;     /* sum of t * procs over p * cost */
    double response;          /* s: mean end of a task, packs in increasing order of cost (ties: the
                                 smallest position in them); spec/READINGS.md, 22 */
    double relative_response; /* divided by the response of one by one, shortest task first */
} orr_coschedule_metrics;

ORR_API orr_status orr_coschedule_measure(const orr_pack_problem *problem,
                                          const orr_coschedule *coschedule,
                                          orr_coschedule_metrics *metrics, orr_error *err);

/* The packs in increasing order of cost, ties by the smallest position in them: order[0] runs
 * first. `order` has room for all packs. */
ORR_API orr_status orr_coschedule_order(const orr_coschedule *coschedule, int32_t *order,
                                        orr_error *err);

/* The share of p * cost of a pack that no task uses. */
ORR_API double orr_coschedule_idle(const orr_pack_problem *problem,
                                   const orr_coschedule *coschedule, int32_t pack);
