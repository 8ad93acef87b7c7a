/* A packing that changes: packs and processors of all tasks, for local search. The cost of a move
 * is known in O(log n), and a look at the tasks of its packs: the cost of a pack is the longest
 * time in it, on the processors that each task has. A partition (partition.h) has no processors per
 * task: it runs Algorithm 1 for every cost.
 *
 * There are as many packs as tasks, and empty ones cost nothing. */
#pragma once

#include "packs/coschedule.h"

typedef struct orr_packing orr_packing;

/* The packs and processors of a co-schedule; the problem is borrowed for all but the destruction,
 * the co-schedule is not. NULL on failure. */
ORR_API orr_packing *orr_packing_create(const orr_pack_problem *problem, const orr_coschedule *from,
                                        orr_error *err);
ORR_API void orr_packing_destroy(orr_packing *packing); /* NULL is fine */

/* The sum over packs, s, added up in pairs: moves there and back give the same bits. */
ORR_API double orr_packing_cost(const orr_packing *packing);

/* A pack's cost, s; its free processors; its number of tasks. NaN, 0 and 0 where the pack does not
 * exist. */
ORR_API double orr_packing_pack_cost(const orr_packing *packing, int32_t pack);
ORR_API int32_t orr_packing_free(const orr_packing *packing, int32_t pack);
ORR_API int32_t orr_packing_tasks(const orr_packing *packing, int32_t pack);

/* A pack without tasks; -1 where there is none. */
ORR_API int32_t orr_packing_empty(const orr_packing *packing);

/* The pack and the processors of a task; -1 and 0 where the task does not exist. */
ORR_API int32_t orr_packing_pack_of(const orr_packing *packing, int32_t task);
ORR_API int32_t orr_packing_procs(const orr_packing *packing, int32_t task);

/* The cost of all packs, s, if the task were in `pack` (which may be its own) on `procs`
 * processors; infinite where that is not allowed: fewer than its least number, more than the pack
 * has, or k other tasks in it. */
ORR_API double orr_packing_cost_with(const orr_packing *packing, int32_t task, int32_t pack,
                                     int32_t procs);

/* Makes the move. ORR_ERR_ARGUMENT where it is not allowed. */
ORR_API orr_status orr_packing_move(orr_packing *packing, int32_t task, int32_t pack, int32_t procs,
                                    orr_error *err);

/* The co-schedule of this packing, without its empty packs. */
ORR_API orr_coschedule *orr_packing_coschedule(const orr_packing *packing, orr_error *err);
