/* One pack: the processors of each of its tasks (Optimal-1-pack-schedule, Algorithm 1 of the paper,
 * theorem 3; chapter, section 1.4.2).
 *
 * All p processors are given out, as printed, each to the longest task, among equally long tasks to
 * the smallest position (spec/READINGS.md, 15 and 16). */
#pragma once

#include "packs/problem.h"

/* tasks: `count` >= 1 different positions, in any order, at most orr_pack_problem.most. procs:
 * filled in the same order, in sum p. *cost: the longest time, s; may be NULL. ORR_ERR_ARGUMENT:
 * the least numbers of processors add up to more than p, or count is too large. O(p log count). */
ORR_API orr_status orr_one_pack_printed(const orr_pack_problem *problem, const int32_t *tasks,
                                        int32_t count, int32_t *procs, double *cost,
                                        orr_error *err);

/* The same allocation, bit by bit, in O(count log^2 p) where the profiles are steep: the makespan
 * is searched first, and the remaining processors are given out as printed. */
ORR_API orr_status orr_one_pack(const orr_pack_problem *problem, const int32_t *tasks,
                                int32_t count, int32_t *procs, double *cost, orr_error *err);

/* The cost alone, s; infinite where the least numbers of processors add up to more than p. `count`
 * may be larger than k. No memory is needed. NaN for positions out of range. */
ORR_API double orr_one_pack_cost(const orr_pack_problem *problem, const int32_t *tasks,
                                 int32_t count);
