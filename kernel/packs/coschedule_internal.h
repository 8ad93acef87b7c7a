/* Functions that make co-schedules: Algorithm 1 in a pack, MAKE-PACK. Not a public header. */
#pragma once

#include "base/block_internal.h"
#include "packs/coschedule.h"
#include "packs/one_pack.h"

/* A co-schedule whose `pack` and `procs` the caller fills; NULL on failure (memory). */
orr_coschedule *ori_coschedule_begin(const orr_pack_problem *problem, int32_t packs,
                                     orr_error *err);

/* Fills all other fields from `packs`, `pack` and `procs`, which must be valid. */
void ori_coschedule_settle(const orr_pack_problem *problem, orr_coschedule *coschedule);

/* Fills all other fields from `packs` and `pack`, with Algorithm 1 in every pack. On failure it
 * destroys the co-schedule and returns NULL. */
orr_coschedule *ori_coschedule_finish(const orr_pack_problem *problem, orr_coschedule *coschedule,
                                      orr_error *err);

/* Checks that a task may be in this one of `packs` packs, and that it can run on this number of
 * processors. ORR_ERR_ARGUMENT names the task. */
orr_status ori_pack_check_place(const orr_pack_problem *problem, int32_t task, int32_t pack,
                                int32_t packs, orr_error *err);
orr_status ori_pack_check_procs(const orr_pack_problem *problem, int32_t task, int32_t procs,
                                orr_error *err);

/* --- Algorithm 1 (one_pack.c) ----------------------------------------------------------------- */

/* Whether task a, which takes time_a, comes before task b in a list: longest first, then by
 * position (spec/READINGS.md, 15). */
static inline bool ori_is_in_front(double time_a, int32_t a, double time_b, int32_t b)
{
    return time_a > time_b || (time_a == time_b && a < b);
}

/* An entry of a list, or of a heap whose top is the first of the list. */
typedef struct ori_listed {
    double time;  /* s, on the task's processors */
    int32_t task; /* in a heap: its index into the tasks of the pack */
} ori_listed;

/* Gives `total` processors in all: to each task its least number, and then one by one to the task
 * in front. No task gets more than p: the caller knows that `total` is not too large for that.
 * `heap` has room for count. Returns the longest time then. */
double ori_give_out(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                    int64_t total, int32_t *procs, ori_listed *heap);

/* ORR_ERR_ARGUMENT for a negative count, and for positions without a task. */
orr_status ori_check_positions(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                               orr_error *err);

/* The cost of a pack where it is below limit, else infinity. */
double ori_one_pack_cost_below(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                               double limit);

/* --- MAKE-PACK on a list that is in order already (make_pack.c) ------------------------------- */

/* First fit: the first of the packs made so far that has room, in O(log packs).
 *
 * A tree over packs holds, for each node, the largest room, in processors, of the packs below it; a
 * pack that has k tasks has no room. The pack made last is kept out of it: it takes most tasks. */
typedef struct ori_first_fit {
    int32_t procs, most; /* of every pack */
    int32_t packs;       /* made so far */
    int32_t room;        /* of the last pack */
    int32_t in_last;     /* its tasks */
    int32_t leaves;      /* a power of two */
    int32_t *tree;       /* 2 * leaves; children of i are 2i and 2i + 1, the root is 1 */
    int32_t *tasks;      /* in each pack but the last */
    ori_block block;
} ori_first_fit;

/* Makes room for as many packs as there are tasks. */
orr_status ori_first_fit_create(ori_first_fit *fit, const orr_pack_problem *problem,
                                orr_error *err);
void ori_first_fit_destroy(ori_first_fit *fit, const orr_allocator *alloc);

/* A list in the order of positions: longest first, then by position. `scratch` has room for it. */
void ori_sort_listed(ori_listed *list, int32_t count, ori_listed *scratch);

/* All tasks in order, and their processors by task. */
orr_coschedule *ori_make_pack_listed(const orr_pack_problem *problem, const ori_listed *list,
                                     const int32_t *procs, ori_first_fit *fit, orr_error *err);

/* Only the cost, s; infinity where it is not below limit. */
double ori_make_pack_cost(const orr_pack_problem *problem, const ori_listed *list,
                          const int32_t *procs, ori_first_fit *fit, double limit);

/* --- the fullest pack (fullest.c) ------------------------------------------------------------- */

/* Chooses among the first `count` tasks (at least one) of a sorted list: the pack with the first
 * task and the least idle time, on the given processors by task. chosen[x]: whether the x-th task
 * is in it. Among equal packs the one with earlier tasks wins. ORR_ERR_ARGUMENT: too many
 * combinations. O(count k p). */
orr_status ori_fullest(const orr_pack_problem *problem, const ori_listed *list, int32_t count,
                       const int32_t *procs, bool *chosen, orr_error *err);
