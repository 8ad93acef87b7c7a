/* Weeks of a log, and the utilisation of the machine in each. */
#include "workload/weeks.h"

#include "base/block_internal.h"
#include "base/try_internal.h"

#include "workload/jobs_internal.h"
#include "workload/select_internal.h"

#include <math.h>

enum { MOST_WEEKS = 10000000 };

static double first_submission(const orr_jobs *jobs)
{
    double first = jobs->count == 0 ? 0 : jobs->submit[0];
    for (int32_t job = 1; job < jobs->count; job++)
        first = jobs->submit[job] < first ? jobs->submit[job] : first;
    return first;
}

/* The block of an instant not before the first submission. */
static double block_of(double first, double length, double time)
{
    return floor((time - first) / length);
}

static orr_status check_weeks(const orr_jobs *jobs, const orr_week_options *options, orr_error *err)
{
    ORI_REFUSE(jobs->count == 0, err, "there are no weeks without jobs");
    ORI_REFUSE(!(options->length > 0 && isfinite(options->length)), err,
               "a week must be longer than 0 s, not %g s", options->length);
    ORI_REFUSE(options->procs < 1, err, "a machine has at least 1 processor, not %d",
               (int)options->procs);
    return ORR_OK;
}

/* Work of a job that runs from `start` for `time` seconds, to the blocks in which it runs. */
static void spread_work(orr_week *weeks, int32_t count, const orr_week_options *options,
                        double start, double time, int32_t procs)
{
    double end = start + time;
    double block = block_of(weeks[0].from, options->length, start);
    int32_t k = block > 0 ? (block < count ? (int32_t)block : count) : 0;
    k -= k > 0; /* a start at a border may belong to either */
    for (; k < count && weeks[k].from < end; k++) {
        double from = start > weeks[k].from ? start : weeks[k].from;
        double to = end < weeks[k].to ? end : weeks[k].to;
        if (to > from)
            weeks[k].utilisation += procs * (to - from);
    }
}

static void measure(const orr_jobs *jobs, const orr_week_options *options, orr_week *weeks,
                    int32_t count)
{
    for (int32_t job = 0; job < jobs->count; job++) {
        double block = block_of(weeks[0].from, options->length, jobs->submit[job]);
        double wait = orr_jobs_wait(jobs, job);
        weeks[(int32_t)block].jobs++;
        if (options->submitted)
            weeks[(int32_t)block].utilisation += jobs->procs[job] * jobs->time[job];
        else
            spread_work(weeks, count, options, jobs->submit[job] + (isnan(wait) ? 0 : wait),
                        jobs->time[job], jobs->procs[job]);
    }
    for (int32_t k = 0; k < count; k++)
        weeks[k].utilisation /= options->procs * options->length;
}

orr_status orr_jobs_weeks(const orr_jobs *jobs, const orr_week_options *options, orr_week **weeks,
                          int32_t *count, const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    ORI_TRY(check_weeks(jobs, options, err));
    double first = first_submission(jobs), last = first;
    for (int32_t job = 0; job < jobs->count; job++)
        last = jobs->submit[job] > last ? jobs->submit[job] : last;
    double blocks = block_of(first, options->length, last) + 1;
    ORI_REFUSE(!(blocks <= MOST_WEEKS), err, "%g weeks of %g s are more than %d", blocks,
               options->length, MOST_WEEKS);
    ORI_REFUSE(!(last + options->length / 8 > last), err,
               "weeks of %g s cannot be told apart at submissions as late as %g s", options->length,
               last);
    *count = (int32_t)blocks;
    *weeks = ori_new(&alloc, (size_t)*count * sizeof **weeks, err);
    if (!*weeks)
        return ORR_ERR_MEMORY;
    for (int32_t k = 0; k < *count; k++) {
        (*weeks)[k].from = first + k * options->length;
        (*weeks)[k].to = first + (k + 1) * options->length;
    }
    measure(jobs, options, *weeks, *count);
    return ORR_OK;
}

typedef struct block {
    double first, length, number;
} block;

static bool in_block(void *user, const orr_jobs *jobs, int32_t job)
{
    const block *b = user;
    return block_of(b->first, b->length, jobs->submit[job]) == b->number;
}

orr_jobs *orr_jobs_of_week(const orr_jobs *jobs, const orr_week_options *options, int32_t week,
                           const orr_allocator *a, orr_error *err)
{
    block b = {first_submission(jobs), options->length, week};
    if (check_weeks(jobs, options, err) != ORR_OK)
        return NULL;
    return ori_jobs_filter(jobs, in_block, &b, a, err);
}
