/* A schedule: the record of all attempts, with the processors that each attempt held.
 *
 * Attempts stand in the order in which they started. A recorded schedule can be checked
 * (schedule/check.h), measured (schedule/metrics.h) and written out (schedule/export.h) without the
 * simulation that made it. */
#pragma once

#include "schedule/procset.h"
#include "workload/instance.h"
#include "workload/outages.h"
#include "workload/window.h"

typedef enum orr_outcome {
    ORR_RUNNING,    /* not over yet; `end` is the planned end */
    ORR_COMPLETED,  /* the job is over */
    ORR_FAILED,     /* an error was detected at its end; the job goes back to the queue */
    ORR_KILLED,     /* reached its walltime; the job is over */
    ORR_PREEMPTED,  /* ended by the policy; the job waits again, in this group or in another */
    ORR_CANCELLED,  /* ended by the policy, or from outside; the job is over */
    ORR_NODE_FAILED /* ended by a node's failure, or by a window that opened; the job waits again */
} orr_outcome;

typedef struct orr_attempt {
    double start, end;      /* s, on the instance's clock */
    double promised;        /* s: the first reservation of the job since it began to wait for this
                               attempt; NaN: no promise (READINGS 34) */
    int64_t first_interval; /* into orr_schedule.intervals */
    int32_t interval_count;
    int32_t job;     /* position */
    int32_t number;  /* 1 for a job's first attempt */
    int32_t group;   /* where it ran, see orr_schedule_group */
    int32_t terms;   /* 0: it runs by the numbers of the instance; else by those in
                        orr_schedule.terms[terms - 1], which were its job's until they were
                        changed */
    uint8_t outcome; /* orr_outcome */
    bool redirected; /* preempted, and its job moved to another group by the same action */
    bool excused;    /* the policy, or a change from outside, moved the reservation to a later
                        time */
} orr_attempt;

/* An outage, and the number of attempts that started before it. */
typedef struct orr_recorded_outage {
    orr_outage outage;
    orr_outage_kind kind;
    int64_t attempts;
} orr_recorded_outage;

/* A job's runtime and estimate before a change from outside. */
typedef struct orr_terms {
    double time, estimate; /* s */
} orr_terms;

/* A job that was cancelled from outside, or refused at submission. */
typedef struct orr_withdrawal {
    double time; /* s */
    int32_t job;
    int64_t attempts; /* that had started before */
    int32_t limit;    /* of the instance, counted from 1, by which it was refused; 0: cancelled */
    int64_t waiting;  /* jobs of its key, when it was refused */
} orr_withdrawal;

/* A checkpoint on demand: work goes on when it is complete, or the job leaves then. */
typedef struct orr_demand {
    double time, complete; /* s */
    double done;           /* s of the job's work that it saves */
    int64_t periodic; /* checkpoints that were complete since the attempt began, or since the one on
                         demand before */
    int64_t next;     /* next entry of the same attempt; -1: none */
} orr_demand;

/* The checkpoints of an attempt of a job that may write them (READINGS 36). */
typedef struct orr_attempt_checkpoints {
    double saved;  /* s of the job's work that were saved when the attempt began */
    double kept;   /* s saved at its end: all work where it completed, none where it failed, was
                      killed or cancelled; equal to `saved` while it runs */
    double period; /* tau, s */
    double leaves; /* s: when it was to leave at the policy's wish; NaN: never */
    int64_t first_demand, last_demand; /* into orr_schedule.demands, -1: none */
    orr_job_checkpoints spent;         /* by it alone; while it runs up to the last one on demand */
} orr_attempt_checkpoints;

/* The rule by which jobs get free processors of a group (READINGS 46). */
typedef enum orr_placing {
    ORR_PLACE_ANY,        /* the lowest-numbered free ones; plans count processors */
    ORR_PLACE_NAMED,      /* the lowest-numbered free ones, but a reservation holds particular
                             processors */
    ORR_PLACE_CONTIGUOUS, /* neighbours, that is, numbers without a gap */
    ORR_PLACE_NODES,      /* as many whole nodes as a job needs, not shared with other jobs */
    ORR_PLACE_CHOSEN,     /* chosen by a policy's own function */
    ORR_PLACE_RELIABLE,   /* as NAMED, of the nodes that have failed least often so far */
    ORR_PLACE_SPREAD,     /* on a machine of nodes: those with the most free processors first, */
    ORR_PLACE_LOW         /* or the lowest-numbered first, in place of the default (READINGS 58) */
} orr_placing;

/* The processors first .. first + procs - 1. */
typedef struct orr_processor_group {
    const char *name; /* borrowed; in a schedule: its own */
    int32_t first, procs;
    orr_placing place;
    int32_t node_procs; /* per node, where jobs have whole nodes */
} orr_processor_group;

/* The groups of processors before attempt number `attempts` started. */
typedef struct orr_era {
    int64_t attempts;
    orr_processor_group *groups;
    int32_t count;
    size_t size; /* bytes, of groups and names */
} orr_era;

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
    orr_terms *terms; /* in order of their changes */
    int64_t term_count, term_capacity;
    orr_withdrawal *withdrawals; /* in order of time */
    int64_t withdrawal_count, withdrawal_capacity;
    orr_era *eras; /* the groups before `groups` */
    int64_t era_count, era_capacity;
    size_t groups_size;
    orr_window *windows; /* in order of `from`, on processors that have numbers; texts borrowed */
    int64_t window_count, window_capacity;
    orr_procset free; /* where the schedule chooses the processors */
    bool placed;      /* the caller that records chooses the processors */
    int32_t procs;
    /* one for every attempt, where jobs may write checkpoints; else none */
    orr_attempt_checkpoints *checkpoints;
    int64_t checkpoint_count, checkpoint_capacity;
    orr_demand *demands; /* in order of time */
    int64_t demand_count, demand_capacity;
    bool checkpointed;
    bool estimated; /* policies estimated: a running attempt may be planned to end earlier than by
                       its estimate */
    struct ori_outlet *outlet; /* where attempts go that nothing changes any more; NULL: all stay */
    orr_allocator alloc;
} orr_schedule;

/* Of a schedule that belongs to the caller; also of one that is all zero. */
ORR_API void orr_schedule_destroy(orr_schedule *s);

/* The group in which attempt number i (from 0) ran; NULL where it does not exist. */
ORR_API const orr_processor_group *orr_schedule_group(const orr_schedule *s, int64_t i);

/* The numbers by which an attempt runs. */
static inline orr_terms orr_attempt_terms(const orr_instance *in, const orr_schedule *s,
                                          const orr_attempt *a)
{
    orr_terms given = {in->time[a->job], in->estimate[a->job]};
    return a->terms > 0 ? s->terms[a->terms - 1] : given;
}

/* The group and the processors of an attempt. */
typedef struct orr_placement {
    int32_t group;
    const orr_interval *intervals; /* ascending, not touching */
    int32_t count;
} orr_placement;
