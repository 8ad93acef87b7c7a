/* The cheapest way to cut a sequence of all tasks into packs, each of neighbours in the sequence: a
 * dynamic program over where the last pack begins. */
#pragma once

#include "packs/coschedule.h"

/* tasks: every position once, as many as the problem has. The co-schedule has Algorithm 1 in every
 * pack, and packs in the order of the sequence. *found is NULL when none costs less than `limit`
 * (s; may be infinite). About O(n p) steps, fewer where the limit is low; of equally cheap ones the
 * first that is found. ORR_ERR_ARGUMENT: not every task once. */
ORR_API orr_status orr_cut(const orr_pack_problem *problem, const int32_t *tasks, double limit,
                           orr_coschedule **found, orr_error *err);

/* An open pack: its cost while tasks are added one by one, for policies that cut a sequence of
 * tasks into packs. One walk gives the cost by Algorithm 1 of every prefix of the sequence.
 *
 * The makespan only rises. Every task holds the processors that it needs for the present makespan.
 * When a task is added, it takes its processors, and then the makespan rises to the next time at
 * which some task needs fewer processors, until all tasks fit.
 *
 * costs[x]: the cost (s) of a pack of the first x + 1 tasks, exactly as orr_one_pack_cost gives it;
 * infinite where their least numbers of processors add up to more than p. `count` may be larger
 * than k. About O(p log(count) log(p)) steps for all tasks. ORR_ERR_ARGUMENT: a position out of
 * range. */
ORR_API orr_status orr_open_pack_costs(const orr_pack_problem *problem, const int32_t *tasks,
                                       int32_t count, double *costs, orr_error *err);
