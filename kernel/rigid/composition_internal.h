/* What a queue is composed of: the work of the waiting jobs, and how many are how wide and how
 * long. It is counted as soon as somebody asks for it, and from then on kept with the queue, so
 * that a question costs O(1); where nobody asks it costs nothing.
 *
 * All of it is whole numbers, so it depends only on who waits, and not on who has come and gone. */
#pragma once

#include "base/random.h"
#include "rigid/queue_internal.h"
#include "rigid/view.h"

typedef struct ori_composition {
    bool kept;                                               /* else the rest means nothing */
    orr_u128 work;                                           /* processor-seconds / 2^20 */
    int32_t procs[ORR_SIZE_CLASSES], time[ORR_SIZE_CLASSES]; /* jobs, see orr_rigid_queue_view */
} ori_composition;

/* A job that begins to wait (by = 1), or does not wait any more (by = -1). */
void ori_composition_count(ori_composition *c, const orr_instance *in, int32_t job, int32_t by);

/* Makes it that of the jobs of a queue; O(jobs that wait). */
void ori_composition_make(ori_composition *c, const orr_instance *in, const ori_queue *queue);

/* Adds it to the work of other queues and to the numbers in `view`. */
void ori_composition_add(const ori_composition *c, orr_u128 *work, orr_rigid_queue_view *view);

/* Processor-seconds. */
double ori_composition_work(orr_u128 work);
