/* Sums of paired differences over blocks of time. */
#include "schedule/blocks.h"

#include "base/array_internal.h"
#include "base/sort_internal.h"
#include "base/stats.h"
#include "base/try_internal.h"
#include "schedule/metrics.h"

#include <math.h>

#define MOST_BLOCKS 0x1p53

typedef struct block_list {
    orr_allocator alloc;
    orr_block_sum *list;
    int64_t count, capacity, last; /* last: the one that was found last */
} block_list;

static double time_of(const orr_last_attempts *of, int32_t job, orr_job_time time)
{
    double runtime = of->runtimes ? of->runtimes[job] : orr_job_length(of->instance, job);
    orr_job_times t = orr_times_of_job(of->instance, job, of->ends[job], runtime);
    return time == ORR_TIME_WAIT ? t.wait : time == ORR_TIME_FLOW ? t.flow : t.bsld;
}

static double first_submission(const orr_instance *in)
{
    double first = INFINITY;
    for (int32_t job = 0; job < in->count; job++)
        if (orr_job_is_observed(in, job))
            first = fmin(first, in->submit[job]);
    return first;
}

/* Sets `last` to the block of that number, a new one where there is none. Most logs are in order of
 * submission, so it is mostly the last one found, or a new one at the end. */
static orr_status find_block(block_list *blocks, int64_t number, orr_error *err)
{
    if (blocks->last < blocks->count && blocks->list[blocks->last].number == number)
        return ORR_OK;
    int64_t low = 0;
    ORI_BISECT(low, blocks->count, middle, blocks->list[middle].number < number);
    blocks->last = low;
    if (low < blocks->count && blocks->list[low].number == number)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&blocks->alloc, &blocks->list, &blocks->capacity, blocks->count + 1, err));
    memmove(blocks->list + low + 1, blocks->list + low,
            (size_t)(blocks->count - low) * sizeof *blocks->list);
    blocks->list[low] = (orr_block_sum){.number = number};
    blocks->count++;
    return ORR_OK;
}

static orr_status add_jobs(block_list *blocks, const orr_last_attempts *a,
                           const orr_last_attempts *b, orr_job_time time, double length,
                           orr_error *err)
{
    const orr_instance *in = a->instance;
    double first = first_submission(in);
    for (int32_t job = 0; job < in->count; job++) {
        double difference = orr_job_is_observed(in, job)
                                ? orr_difference(time_of(a, job, time), time_of(b, job, time))
                                : NAN;
        if (isnan(difference)) /* of a job that one of them refused */
            continue;
        double number = floor((in->submit[job] - first) / length);
        ORI_REFUSE(!(number < MOST_BLOCKS), err,
                   "submissions from %g to %g s are too far apart for blocks of %g s", first,
                   in->submit[job], length);
        ORI_TRY(find_block(blocks, (int64_t)number, err));
        orr_block_sum *block = &blocks->list[blocks->last];
        block->sum += difference;
        block->jobs++;
    }
    return blocks->count == 0
               ? ORR_OK
               : ORI_TRIM(&blocks->alloc, &blocks->list, &blocks->capacity, blocks->count, err);
}

orr_status orr_block_sums(const orr_last_attempts *a, const orr_last_attempts *b, orr_job_time time,
                          double length, orr_block_sum **list, int64_t *count,
                          const orr_allocator *alloc, orr_error *err)
{
    ORI_REFUSE(a->instance->count != b->instance->count, err, "%d jobs are compared with %d",
               (int)a->instance->count, (int)b->instance->count);
    ORI_REFUSE(!(length > 0) || isinf(length), err, "blocks of %g s: expected a length above 0",
               length);
    ORI_REFUSE(time < ORR_TIME_WAIT || time > ORR_TIME_BSLD, err, "unknown time of jobs %d",
               (int)time);
    ORI_REFUSE(a->instance->count > 0 && (!a->ends || !b->ends), err,
               "differences need runs in which every job is over");
    block_list blocks = {.alloc = orr_allocator_or_default(alloc)};
    orr_status status = add_jobs(&blocks, a, b, time, length, err);
    if (status != ORR_OK) {
        ORI_FREE(&blocks.alloc, &blocks.list, &blocks.capacity);
        return status;
    }
    *list = blocks.list;
    *count = blocks.count;
    return ORR_OK;
}
