/* A schedule: what happened, attempt by attempt, with the processors that each attempt held.
 *
 * Attempts stand in the order in which they started. A recorded schedule can be checked
 * (schedule/check.h), measured (schedule/metrics.h) and written out (schedule/export.h) without the
 * simulation that made it. */
#ifndef ORR_SCHEDULE_SCHEDULE_H
#define ORR_SCHEDULE_SCHEDULE_H

#include "schedule/procset.h"
#include "workload/instance.h"

typedef enum orr_outcome {
    ORR_RUNNING,    /* not over when the schedule was looked at; `end` is the planned one */
    ORR_COMPLETED,  /* the job is over */
    ORR_FAILED,     /* an error was detected at its end; the job goes back to the queue */
    ORR_KILLED,     /* reached its walltime; the job is over */
    ORR_PREEMPTED,  /* ended by the policy; the job waits again, in this group or in another */
    ORR_CANCELLED,  /* ended by the policy; the job is over */
    ORR_NODE_FAILED /* ended by a node's failure; the job waits again */
} orr_outcome;

typedef struct orr_attempt {
    double start, end; /* s, on the instance's clock */
    int32_t job;       /* position */
    int32_t number;    /* 1 for a job's first attempt */
    orr_outcome outcome;
    int32_t interval_count;
    int64_t first_interval; /* into orr_schedule.intervals */
} orr_attempt;

typedef struct orr_schedule {
    orr_attempt *attempts;
    int64_t count, capacity;
    orr_interval *intervals;
    int64_t interval_count, interval_capacity;
    int64_t *current; /* per job: its latest attempt, -1 before the first */
    int32_t jobs;
    orr_procset free;
    int32_t procs;
    orr_allocator alloc;
} orr_schedule;

/* An empty schedule for `jobs` jobs on `procs` processors. Safe to destroy after a failure. */
ORR_API orr_status orr_schedule_create(orr_schedule *s, int32_t jobs, int32_t procs,
                                       const orr_allocator *a, orr_error *err);
ORR_API void orr_schedule_destroy(orr_schedule *s);

/* Forgets all attempts; the memory is kept for the next run. */
ORR_API void orr_schedule_clear(orr_schedule *s);

/* Makes `to`, created for the same jobs and processors, equal to `from`. */
ORR_API orr_status orr_schedule_copy(orr_schedule *to, const orr_schedule *from, orr_error *err);

/* Records that `job` starts at `start` on the lowest-numbered `procs` free processors and is
 * planned to end at `planned_end`. */
ORR_API orr_status orr_schedule_start(orr_schedule *s, int32_t job, int32_t procs, double start,
                                      double planned_end, orr_error *err);

/* Records the end of the job's running attempt and frees its processors. */
ORR_API orr_status orr_schedule_end(orr_schedule *s, int32_t job, double end, orr_outcome outcome,
                                    orr_error *err);

#endif
