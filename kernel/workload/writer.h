/* Writers of workloads. The readers read the files back unchanged. */
#pragma once

#include "workload/jobs.h"
#include "workload/tasks.h"

typedef enum orr_log_format {
    ORR_LOG_PLAIN, /* id,submit,procs,runtime[,walltime,checkpoint,recovery,user,queue,partition,
                      status,machine_procs]: those in brackets where any job has one; exact */
    ORR_LOG_MIRA,  /* six columns of Mira's log: exact for rebased logs, submission times to the
                      microsecond below for others; needs has_origin. USERNAME_GENID, QUEUE_NAME
                      and EXIT_STATUS (0 for "completed", else 1) where any job has one */
    ORR_LOG_SWF /* the Standard Workload Format, with the log's waits and statuses ("completed" is
                      1, "cancelled" 5, any other 0). Lines stand in order of submission, -1 stands
                   for unknown values. Where not all ids are numbers, jobs are numbered by position;
                   where not all users (queues, partitions) are numbers, they are numbered as they
                   come, and the header has their names. Submissions, runtimes, walltimes and
                   processors are read back exactly, second 0 to the precision of a double */
} orr_log_format;

/* The whole log as text: *text has *size bytes and a zero behind them, and is the caller's, to be
 * freed with orr_release(a, *text, *capacity). ORR_ERR_ARGUMENT when the workload has no calendar
 * times and the format needs them. */
ORR_API orr_status orr_jobs_format(const orr_jobs *jobs, orr_log_format format, char **text,
                                   size_t *size, size_t *capacity, const orr_allocator *a,
                                   orr_error *err);

/* Tasks as text, owned as above: `id,m,profile`, or `id,m,1,2,...` where they are tables, with as
 * many columns as the longest has; a shorter table repeats its last time, which does not change its
 * meaning. ORR_ERR_ARGUMENT: the tasks have both families and tables, which have different
 * headers. */
ORR_API orr_status orr_tasks_format(const orr_tasks *tasks, char **text, size_t *size,
                                    size_t *capacity, const orr_allocator *a, orr_error *err);
