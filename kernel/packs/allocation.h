/* An allocation under construction: how many processors every task has, and a list of tasks,
 * longest first. PACK-APPROX (Algorithm 3) and PACK-BY-PACK (section 5) are loops over it: at first
 * every task has its least number of processors and is in the list; the longest gets one more,
 * again and again; tasks that go into a pack leave the list and keep what they have.
 *
 * Order of the list: longest time, then smallest position (spec/READINGS.md, 15). */
#pragma once

#include "packs/coschedule.h"

typedef struct orr_allocation orr_allocation;

/* The problem is borrowed; destroy alone may come after its end. NULL on failure (memory). */
ORR_API orr_allocation *orr_allocation_create(const orr_pack_problem *problem, orr_error *err);
ORR_API void orr_allocation_destroy(orr_allocation *a); /* NULL is fine */

/* The number of tasks in the list, and the longest task, -1 when the list is empty. */
ORR_API int32_t orr_allocation_listed(const orr_allocation *a);
ORR_API int32_t orr_allocation_head(const orr_allocation *a);
ORR_API int32_t orr_allocation_procs(const orr_allocation *a, int32_t task);
ORR_API double orr_allocation_time(const orr_allocation *a, int32_t task); /* s */

/* Gives the head one more processor. ORR_ERR_ARGUMENT: the list is empty, or its head has all p. */
ORR_API orr_status orr_allocation_raise(orr_allocation *a, orr_error *err);

/* --- PACK-BY-PACK ----------------------------------------------------------------------------- */

/* The processors of all tasks in the list that take at least `time` seconds. O(log n) amortised
 * while `time` does not grow. */
ORR_API int64_t orr_allocation_requested(orr_allocation *a, double time);

/* Raises the head until it has p processors, or the tasks that take at least (1 - epsilon) times
 * its time request p or more (spec/READINGS.md, 18). ORR_ERR_ARGUMENT: epsilon not in [0, 1]. */
ORR_API orr_status orr_allocation_grow(orr_allocation *a, double epsilon, orr_error *err);

/* Takes tasks that take at least `time` seconds from the front of the list, until the next does not
 * fit into p processors with the taken ones, or k are taken; into `taken`, which has room for
 * orr_pack_problem.most. Returns their number. The head always fits. */
ORR_API int32_t orr_allocation_take(orr_allocation *a, double time, int32_t *taken);

/* Takes the head and, among the other tasks that take at least `time` seconds, those that leave the
 * least idle time in a pack with the head, at most k tasks and p processors; into `taken` as above,
 * longest first. ORR_ERR_ARGUMENT: too many tasks for the dynamic program, which takes O(tasks k
 * p). An empty list gives none. */
ORR_API orr_status orr_allocation_take_fullest(orr_allocation *a, double time, int32_t *taken,
                                               int32_t *count, orr_error *err);

/* --- PACK-APPROX ------------------------------------------------------------------------------ */

/* The sum of t * procs, processor-seconds, in order of position. */
ORR_API double orr_allocation_work(orr_allocation *a);

/* The exit test: work / p > longest time, or the longest task has p processors. Computed as if from
 * orr_allocation_work, but without adding up all tasks each time. */
ORR_API bool orr_allocation_is_saturated(orr_allocation *a);

/* MAKE-PACK on the present processors of the tasks: its cost, s, or infinity where it is not below
 * `limit`. Both functions need the whole list: after a task was taken the cost is infinity, and
 * orr_allocation_make_pack gives ORR_ERR_ARGUMENT. */
ORR_API double orr_allocation_pack_cost(orr_allocation *a, double limit);
ORR_API orr_coschedule *orr_allocation_make_pack(orr_allocation *a, orr_error *err);

/* The number of processors given so far; and back to the state when that number was `raised`. */
ORR_API int64_t orr_allocation_mark(const orr_allocation *a);
ORR_API orr_status orr_allocation_rewind(orr_allocation *a, int64_t raised, orr_error *err);
