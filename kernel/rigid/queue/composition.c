/* The composition of a queue, in whole numbers. */
#include "rigid/queue/composition_internal.h"

/* Work is counted in parts of a processor-second; whole, half and quarter seconds are exact.
 * Estimates are limited to LONGEST s, 278,000 years, so that the work of any number of jobs is
 * below 2^43 * 2^20 * 2^31 * 2^31 = 2^125. */
#define PARTS 0x1p20
#define LONGEST 0x1p43

static orr_u128 work_of(int32_t procs, double estimate)
{
    double parts = (estimate < LONGEST ? estimate : LONGEST) * PARTS;
    return (orr_u128)(uint64_t)(parts + 0.5) * (orr_u128)procs;
}

/* Class i holds the sizes from 2^i to below 2^(i + 1); the first class also those below 1, the last
 * class also all larger ones. */
static int32_t class_of(double size)
{
    if (!(size >= 2))
        return 0;
    return size < 0x1p31 ? 31 - __builtin_clz((unsigned)size) : ORR_SIZE_CLASSES - 1;
}

void ori_composition_count(ori_composition *c, const orr_instance *in, int32_t job, int32_t by)
{
    int32_t procs = in->jobs->procs[job];
    orr_u128 work = work_of(procs, in->estimate[job]);
    c->work = by > 0 ? c->work + work : c->work - work;
    c->procs[class_of(procs)] += by;
    c->time[class_of(in->estimate[job])] += by;
}

void ori_composition_make(ori_composition *c, const orr_instance *in, const ori_queue *queue)
{
    *c = (ori_composition){.kept = true};
    ori_queue_scan scan = ori_queue_scan_from(queue, 0, ORI_ANY_WIDTH);
    for (int32_t rank; (rank = ori_queue_scan_next(&scan)) >= 0;)
        ori_composition_count(c, in, queue->job_at[rank], 1);
}

void ori_composition_add(const ori_composition *c, orr_u128 *work, orr_rigid_queue_view *view)
{
    *work += c->work;
    for (int32_t i = 0; i < ORR_SIZE_CLASSES; i++) {
        view->procs[i] += c->procs[i];
        view->time[i] += c->time[i];
    }
}

double ori_composition_work(orr_u128 work)
{
    return (double)work / PARTS;
}
