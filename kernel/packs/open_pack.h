/* An open pack: its cost while tasks are added one by one, for policies that cut a sequence of
 * tasks into packs. One walk gives what Algorithm 1 would say of every beginning of the sequence.
 *
 * The makespan only rises. Every task holds what it needs for the makespan so far; a task that
 * comes in takes its share, and then the makespan rises to the next time at which some task can do
 * with fewer processors, until all of them fit. */
#ifndef ORR_PACKS_OPEN_PACK_H
#define ORR_PACKS_OPEN_PACK_H

#include "packs/problem.h"

/* costs[x]: the cost (s) of a pack of the first x + 1 of these tasks, exactly as orr_one_pack_cost
 * has it; infinite where their least numbers of processors add up to more than p. `count` may be
 * larger than k. About O(p log(count) log(p)) steps for all of them. */
ORR_API orr_status orr_open_pack_costs(const orr_pack_problem *problem, const int32_t *tasks,
                                       int32_t count, double *costs, orr_error *err);

#endif
