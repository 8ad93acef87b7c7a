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
    bool redirected; /* preempted, and the job moved to another group in the same action */
    int32_t group;   /* where it ran, see orr_schedule.groups */
    int32_t interval_count;
    int64_t first_interval; /* into orr_schedule.intervals */
} orr_attempt;

/* An outage: `count` processors from `first` on fail at `time` and work again from `repaired` >=
 * time on, or from the end of another outage of theirs that lasts longer. */
typedef struct orr_outage {
    double time, repaired; /* s, on the instance's clock */
    int32_t first, count;
} orr_outage;

/* An outage, and how many attempts had started before it. */
typedef struct orr_recorded_outage {
    orr_outage outage;
    int64_t attempts;
} orr_recorded_outage;

/* The processors first .. first + procs - 1. */
typedef struct orr_processor_group {
    const char *name; /* borrowed */
    int32_t first, procs;
} orr_processor_group;

typedef struct orr_schedule {
    orr_attempt *attempts;
    int64_t count, capacity;
    orr_interval *intervals;
    int64_t interval_count, interval_capacity;
    int64_t *current; /* per job: its latest attempt, -1 before the first */
    int32_t jobs;
    orr_processor_group *groups; /* in order of their processors */
    int32_t group_count;
    orr_recorded_outage *outages; /* in order of time */
    int64_t outage_count, outage_capacity;
    orr_procset free; /* where the schedule chooses the processors, orr_schedule_start */
    bool placed;      /* the caller does, orr_schedule_start_on */
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

/* Divides the processors into groups, before any attempt; copied but for the names. Otherwise all
 * are one group. */
ORR_API orr_status orr_schedule_set_groups(orr_schedule *s, const orr_processor_group *groups,
                                           int32_t count, orr_error *err);

/* Where an attempt runs. */
typedef struct orr_placement {
    int32_t group;
    const orr_interval *intervals; /* ascending, not touching */
    int32_t count;
} orr_placement;

/* Records that `job` starts on processors that the caller chose. A schedule is made either this way
 * or with orr_schedule_start. */
ORR_API orr_status orr_schedule_start_on(orr_schedule *s, int32_t job, const orr_placement *where,
                                         double start, double planned_end, orr_error *err);

/* Records an outage. */
ORR_API orr_status orr_schedule_outage(orr_schedule *s, const orr_outage *outage, orr_error *err);

/* Records the end of the job's running attempt and frees its processors. */
ORR_API orr_status orr_schedule_end(orr_schedule *s, int32_t job, double end, orr_outcome outcome,
                                    orr_error *err);

/* Records that the job's latest attempt ended because the job was moved to another group. */
ORR_API void orr_schedule_redirected(orr_schedule *s, int32_t job);

#endif
