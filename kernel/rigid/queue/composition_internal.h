/* The composition of a queue: the work of the waiting jobs, and their numbers by width and length.
 * It is counted at the first question and from then on updated with the queue, so that later
 * questions cost O(1). Without questions it costs nothing.
 *
 * All counts are whole numbers, so they depend only on the jobs that wait, not on the order in
 * which jobs came and left. */
#pragma once

#include "base/random.h"
#include "rigid/queue/queue_internal.h"
#include "rigid/queue/view.h"

typedef struct ori_composition {
    bool kept;                                               /* otherwise the other fields are not
                                                                valid */
    orr_u128 work;                                           /* processor-seconds / 2^20 */
    int32_t procs[ORR_SIZE_CLASSES], time[ORR_SIZE_CLASSES]; /* jobs, see orr_rigid_queue_view */
} ori_composition;

/* Counts a job that begins to wait (by = 1), or does not wait any more (by = -1). */
void ori_composition_count(ori_composition *c, const orr_instance *in, int32_t job, int32_t by);

/* Counts all jobs of a queue; O(waiting jobs). */
void ori_composition_make(ori_composition *c, const orr_instance *in, const ori_queue *queue);

/* Adds a composition to the work of other queues and to the numbers in `view`. */
void ori_composition_add(const ori_composition *c, orr_u128 *work, orr_rigid_queue_view *view);

/* Converts work to processor-seconds. */
double ori_composition_work(orr_u128 work);
