/* Selections: parts of a workload, as workloads of their own.
 *
 * A selection is a copy, which the caller destroys. It keeps the order of the jobs, their labels,
 * the machine and the clock, but not the list of dropped records. Where the source is rebased
 * (Mira), second 0 moves to the selection's first queued job, exactly to the microsecond;
 * submission times of other logs stay as they are. An empty selection is not an error here. Jobs of
 * a warm-up stay jobs of a warm-up, unless other jobs come before them. */
#pragma once

#include "workload/jobs.h"
#include "workload/utc.h"

/* The jobs at `positions` (n of them, each in range, in this order). */
ORR_API orr_jobs *orr_jobs_pick(const orr_jobs *jobs, const int32_t *positions, int32_t n,
                                const orr_allocator *a, orr_error *err);

/* The jobs with from <= submit < to, in seconds on the log's clock. */
ORR_API orr_jobs *orr_jobs_between(const orr_jobs *jobs, double from, double to,
                                   const orr_allocator *a, orr_error *err);

/* The jobs submitted on the days first <= day < after, days as in orr_jobs_day. */
ORR_API orr_jobs *orr_jobs_days(const orr_jobs *jobs, int64_t first, int64_t after,
                                const orr_allocator *a, orr_error *err);

/* The number of slices of `days` days in a log; 0 where days < 1. Days count from the first
 * submission to the last, the last day in full; remaining days that do not fill a slice are in no
 * slice. */
ORR_API int32_t orr_jobs_slices(const orr_jobs *jobs, int32_t days);

/* Slice `number`, from 0: the jobs submitted from number * days days after the first submission on
 * and before (number + 1) * days, in order of submission. The first `warmup` jobs are a warm-up
 * (orr_jobs.warmup). ORR_ERR_ARGUMENT: the slice has only jobs of the warm-up. */
ORR_API orr_jobs *orr_jobs_slice(const orr_jobs *jobs, int32_t days, int32_t warmup, int32_t number,
                                 const orr_allocator *a, orr_error *err);

/* All jobs, submitted `factor` times as fast: a job submitted d seconds after the first is then
 * submitted d / factor after it, and the load of the machine is about `factor` times as high.
 * Runtimes and walltimes stay. ORR_ERR_ARGUMENT unless factor is a positive number and all times
 * stay finite. */
ORR_API orr_jobs *orr_jobs_load(const orr_jobs *jobs, double factor, const orr_allocator *a,
                                orr_error *err);

/* All jobs and, behind them, the jobs of `more` (NULL: none) unchanged, whatever their clock, with
 * the labels of both. A job of `more` without an id of its own is named by its position in the
 * result. */
ORR_API orr_jobs *orr_jobs_append(const orr_jobs *jobs, const orr_jobs *more,
                                  const orr_allocator *a, orr_error *err);

/* A copy whose dates and days are by the clocks of another zone (copied; NULL: UTC). */
ORR_API orr_jobs *orr_jobs_in_zone(const orr_jobs *jobs, const orr_zone *zone,
                                   const orr_allocator *a, orr_error *err);

/* Appends in place `count` jobs of `more`, from job `first` on, as above. */
ORR_API orr_status orr_jobs_extend(orr_jobs *jobs, const orr_jobs *more, int32_t first,
                                   int32_t count, orr_error *err);

/* All jobs with their days, by day, then by position: used to split a workload into days. The block
 * belongs to the caller: orr_release(a, list, count * sizeof *list). NULL on failure (memory). */
typedef struct orr_job_day {
    int64_t day;
    int32_t job;
} orr_job_day;
ORR_API orr_job_day *orr_jobs_by_day(const orr_jobs *jobs, const orr_allocator *a, orr_error *err);

/* The day of a job's submission, by the zone of the jobs, as the number of days since 1970-01-01.
 * Logs without origin count days of 86400 s from second 0. */
ORR_API int64_t orr_jobs_day(const orr_jobs *jobs, int32_t job);
