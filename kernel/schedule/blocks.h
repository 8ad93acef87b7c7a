/* Paired differences between two runs of the same jobs, summed over blocks of time: a job belongs
 * to the block in which it was submitted (spec/METRICS.md, weeks). */
#pragma once

#include "schedule/schedule.h"

/* Which time of a job is compared (orr_job_times). */
typedef enum orr_job_time { ORR_TIME_WAIT, ORR_TIME_FLOW, ORR_TIME_BSLD } orr_job_time;

/* The last attempts of all jobs of a run; the arrays are borrowed, one number per job. */
typedef struct orr_last_attempts {
    const orr_instance *instance;
    const double *ends;     /* s */
    const double *runtimes; /* s; NULL: orr_job_length */
} orr_last_attempts;

typedef struct orr_block_sum {
    int64_t number; /* of the block, from 0 */
    double sum;     /* of b - a over its observed jobs, in order of position; s, or without unit */
    int64_t jobs;   /* observed and submitted in it, >= 1 */
} orr_block_sum;

/* All blocks that have jobs, in order of time. Block k begins k * length (s, > 0) after the first
 * observed submission of `a`. *blocks has *count of them and is the caller's, to be freed with
 * orr_release(alloc, *blocks, *count * sizeof **blocks); NULL without observed jobs. Fails on
 * memory, and with ORR_ERR_ARGUMENT for different numbers of jobs, a length or a time that is out
 * of range, and submissions so far apart that blocks cannot be numbered. */
ORR_API orr_status orr_block_sums(const orr_last_attempts *a, const orr_last_attempts *b,
                                  orr_job_time time, double length, orr_block_sum **blocks,
                                  int64_t *count, const orr_allocator *alloc, orr_error *err);
