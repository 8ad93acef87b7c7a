/* A partition that changes: packs whose cost follows when tasks move, for local search. Processors
 * are not held, only the optimal cost of every pack (Algorithm 1). */
#pragma once

#include "packs/coschedule.h"

typedef struct orr_partition orr_partition;

/* The packs of a co-schedule; the problem is borrowed for all but the destruction, the co-schedule
 * is not. NULL on failure. */
ORR_API orr_partition *orr_partition_create(const orr_pack_problem *problem,
                                            const orr_coschedule *from, orr_error *err);
ORR_API void orr_partition_destroy(orr_partition *partition); /* NULL is fine */

ORR_API double orr_partition_cost(const orr_partition *partition); /* s: sum over packs */
ORR_API int32_t orr_partition_packs(const orr_partition *partition);
ORR_API double orr_partition_pack_cost(const orr_partition *partition, int32_t pack); /* s */
ORR_API int32_t orr_partition_pack_of(const orr_partition *partition, int32_t task);

/* The decrease of the cost (> 0: better) when a task moves to a pack, or when two tasks of
 * different packs change places; minus infinity where the move is not allowed. pack = number of
 * packs: a new pack. */
ORR_API double orr_partition_move_gain(orr_partition *partition, int32_t task, int32_t pack);
ORR_API double orr_partition_swap_gain(orr_partition *partition, int32_t a, int32_t b);

/* The best of all packs for a task (*pack), and of all partners (*other), ties by the smallest
 * position: its gain, minus infinity (and -1) where nothing is allowed. */
ORR_API double orr_partition_best_move(orr_partition *partition, int32_t task, int32_t *pack);
ORR_API double orr_partition_best_swap(orr_partition *partition, int32_t task, int32_t *other);

/* Makes the move. ORR_ERR_ARGUMENT where it is not allowed. A pack that becomes empty is removed:
 * the last pack takes its number. */
ORR_API orr_status orr_partition_move(orr_partition *partition, int32_t task, int32_t pack,
                                      orr_error *err);
ORR_API orr_status orr_partition_swap(orr_partition *partition, int32_t a, int32_t b,
                                      orr_error *err);

/* The co-schedule of this partition, with Algorithm 1 in every pack. */
ORR_API orr_coschedule *orr_partition_coschedule(const orr_partition *partition, orr_error *err);
