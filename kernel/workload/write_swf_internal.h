/* A simulated log in the Standard Workload Format. Not a public header. */
#pragma once

#include "workload/writer.h"

/* The result of a job. */
typedef struct ori_swf_result {
    double wait, time; /* s; NaN: the job is not over */
    int status;        /* field 11: 1 completed, 0 failed, 5 cancelled, -1 unknown */
} ori_swf_result;

/* The results of a simulated log, by job. */
typedef struct ori_swf_run {
    const double *submit, *walltime; /* s; the times that the scheduler knew */
    const ori_swf_result *results;
    int32_t procs;
    const char *policy; /* for the header */
} ori_swf_run;

/* ORR_LOG_SWF (workload/writer.h), with the results of the jobs; run NULL: the log itself. The text
 * belongs to the caller, as for orr_jobs_format. */
orr_status ori_jobs_format_swf(const orr_jobs *jobs, const ori_swf_run *run, char **text,
                               size_t *size, size_t *capacity, const orr_allocator *a,
                               orr_error *err);
