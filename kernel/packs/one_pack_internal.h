/* Algorithm 1 inside a pack: see one_pack.c. */
#pragma once

#include "packs/one_pack.h"

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
