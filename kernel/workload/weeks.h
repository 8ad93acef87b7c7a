/* Weeks: a log in blocks of equal length, and the utilisation of the machine in each.
 *
 * Block k, from 0, begins k lengths after the first submission and ends before the next one begins;
 * the last one holds the last submission. A block's jobs are those that were submitted in it. Its
 * mean utilisation is work in processor-seconds, divided by processors and length:
 *
 * - the work that ran in the block, whoever submitted it: a job runs for its runtime from the start
 *   that the log gives (orr_jobs_wait), or from its submission where it gives none;
 * - or the work that was submitted in it, the sum of procs * time of its jobs, which may be more
 *   than the machine could do.
 *
 * The weeks of the redirection paper (section V) are blocks of 168 h with a mean utilisation of at
 * least 70%; the first reading is that of the authors' tools. */
#pragma once

#include "workload/jobs.h"

typedef struct orr_week_options {
    double length;  /* s, > 0 */
    int32_t procs;  /* of the machine, >= 1 */
    bool submitted; /* true: submitted work counts, not the work that ran */
} orr_week_options;

typedef struct orr_week {
    double from, to;    /* s, on the log's clock: from <= submission < to, but for rounding */
    double utilisation; /* at least 0; 1 is the whole machine */
    int32_t jobs;       /* submitted in the block */
} orr_week;

/* All blocks in order of time: *weeks has *count of them and is the caller's, to be freed with
 * orr_release(a, *weeks, *count * sizeof **weeks). ORR_ERR_ARGUMENT for options out of range, for
 * no jobs, for more than 10 million blocks, and for blocks so short that rounding makes two borders
 * one. */
ORR_API orr_status orr_jobs_weeks(const orr_jobs *jobs, const orr_week_options *options,
                                  orr_week **weeks, int32_t *count, const orr_allocator *a,
                                  orr_error *err);

/* The jobs of one block, a selection (workload/select.h). */
ORR_API orr_jobs *orr_jobs_of_week(const orr_jobs *jobs, const orr_week_options *options,
                                   int32_t week, const orr_allocator *a, orr_error *err);
