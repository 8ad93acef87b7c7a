/* Copies of jobs: see select.c. */
#pragma once

#include "workload/jobs.h"

/* The submission of a job in microseconds since 1970 (UTC), rounded down; since second 0 of the log
 * where the log has no origin. */
int64_t ori_jobs_submit_us(const orr_jobs *jobs, int32_t job);

/* The jobs for which keep(user, jobs, position) is true; NULL: all. */
orr_jobs *ori_jobs_filter(const orr_jobs *jobs,
                          bool (*keep)(void *user, const orr_jobs *jobs, int32_t job), void *user,
                          const orr_allocator *a, orr_error *err);
