/* Questions to a simulation, which its policy and outside callers may ask at any time.
 *
 * Jobs are named by position, groups are numbered from 0. */
#pragma once

#include "rigid/queue/policy.h"

typedef enum orr_rigid_job_state {
    ORR_JOB_PENDING, /* not submitted yet */
    ORR_JOB_WAITING,
    ORR_JOB_RUNNING,
    ORR_JOB_OVER,
    ORR_JOB_HELD /* out of its group's queue until it is released or moved */
} orr_rigid_job_state;

/* The present state of a simulation; processors and jobs of all groups. */
typedef struct orr_rigid_view {
    const orr_instance *instance;
    double now;    /* s */
    int32_t known; /* processors that the policy is for; higher-numbered ones are drained for ever
                        (rigid/whatif/change.h) */
    int32_t free;  /* processors */
    int32_t down;  /* processors, see node failures in rigid/interface/engine.h */
    int32_t
        drained; /* processors that were taken out of service from outside (rigid/whatif/change.h);
                        of these `drained_down` are down, the others busy */
    int32_t drained_down;
    int32_t waiting; /* jobs */
    int32_t held;    /* jobs */
    int32_t running; /* jobs */
    int32_t over;    /* jobs */
    uint64_t seed, set, scenario;
    orr_pcg *rng;     /* the policy's generator: part of the simulation, copied with it */
    void *state;      /* the policy's state, from make_state */
    int32_t groups;   /* their number, >= 1 */
    int32_t group;    /* the group that decides, that is idle, or that the hook's job belonged to
                         when the hook was called; otherwise 0 */
    const char *hook; /* the policy's function that is being called ("dispatch", "on_submit",
                         "priority" ...); NULL: none */
    bool deciding;    /* inside the dispatch function */
    int64_t node_failures; /* so far: failures of nodes and of domains, one each */
    int32_t windows;       /* windows that are open or to come */
    int32_t limited;       /* jobs that wait in no queue, for they are over a limit; not among the
                              `waiting` ones, here and below */
} orr_rigid_view;
ORR_API orr_rigid_view orr_rigid_look(orr_rigid *sim);

/* The `state` of orr_rigid_view alone, which hooks ask for most often. */
ORR_API void *orr_rigid_state(const orr_rigid *sim);

/* The fields of orr_rigid_view that every call of a hook needs. */
typedef struct orr_rigid_hook_view {
    const orr_instance *instance;
    orr_pcg *rng;
    int32_t groups, group;
    int32_t procs; /* of the group */
} orr_rigid_hook_view;
ORR_API orr_rigid_hook_view orr_rigid_look_hook(orr_rigid *sim);

/* One group; group in 0 .. groups - 1. */
typedef struct orr_rigid_group_view {
    const char *name;
    int32_t first;        /* its first processor */
    int32_t procs;        /* of these: */
    int32_t free;         /* processors */
    int32_t down;         /* processors */
    int32_t drained;      /* processors; of these, */
    int32_t drained_down; /* processors that are down */
    int32_t waiting;      /* jobs */
    int32_t running;      /* jobs */
} orr_rigid_group_view;
ORR_API orr_rigid_group_view orr_rigid_look_group(const orr_rigid *sim, int32_t group);

enum { ORR_SIZE_CLASSES = 31 };

/* The waiting jobs of a group, or of all groups. Sizes are counted in classes: class i holds the
 * sizes from 2^i to below 2^(i + 1), the first class also those below 1, the last class also all
 * larger ones. */
typedef struct orr_rigid_queue_view {
    int32_t waiting; /* jobs */
    double work;     /* processor-seconds: the sum of processors times estimate over the jobs;
                        estimates are rounded to 2^-20 s and limited to 2^43 s, the sum is rounded
                        once */
    int32_t procs[ORR_SIZE_CLASSES]; /* jobs by their processors */
    int32_t time[ORR_SIZE_CLASSES];  /* jobs by their estimates, s */
} orr_rigid_queue_view;

/* group -1: all groups. The first question in a run costs O(waiting jobs), all later ones O(1). The
 * answer depends only on the waiting jobs and their estimates. */
ORR_API orr_rigid_queue_view orr_rigid_look_queue(orr_rigid *sim, int32_t group);

enum { ORR_RECENT_WAITS = 128 };

/* A quantile of the recent waits in a group, s; probability in [0, 1]. Recent waits are those
 * (first start - submission) of the last ORR_RECENT_WAITS jobs that started for the first time in
 * this group. The quantile is by linear interpolation, as in orr_quantiles. Jobs that start again
 * after an interruption or failure are not counted again. NaN if no job has started, or if the
 * simulation does not keep waits. It keeps waits with a recording, hooks that may act, a priority
 * per attempt or per decision, or if it may be changed from outside. Costs O(1). */
ORR_API double orr_rigid_recent_wait(orr_rigid *sim, int32_t group, double probability);

/* The group of this name; -1 when there is none. */
ORR_API int32_t orr_rigid_find_group(const orr_rigid *sim, const char *name);

typedef struct orr_rigid_job_view {
    orr_rigid_job_state state;
    int32_t group;      /* the group where it waits, is held, runs or ran last; 0 before its
                           submission */
    int32_t attempts;   /* attempts that have started */
    double arrival;     /* s: arrival in the queue of its group; its submission if it was not
                           moved */
    double start;       /* s: of the latest attempt; NaN before the first */
    double planned_end; /* s: planned end of the latest attempt; for a job that is over its real
                           end; NaN before the first attempt */
    double promised;    /* s: its first reservation since it waits, kept while it runs, if its group
                           backfills conservatively; otherwise NaN */
    double reserved;    /* s: its present reservation, if it waits in such a group; otherwise NaN */
    double saved;       /* s: its saved work (READINGS 36); of a running job, by the last complete
                           checkpoint */
    double next_length; /* s: planned length of its running attempt, or else of its next one,
                           without verification */
    bool limited;       /* it waits, and is over a limit: it is in no queue */
    bool refused;       /* it is over, for a limit refused it at submission */
} orr_rigid_job_view;
ORR_API orr_rigid_job_view orr_rigid_job(const orr_rigid *sim, int32_t job);

/* The node of a processor. */
typedef struct orr_rigid_node_view {
    int32_t first, count; /* its processors; count 0: there is no such processor */
    int32_t failures;     /* so far, of the node and of its domain, also failures while it was
                             down */
    bool down;            /* the given processor is down, by a failure or a drain */
    bool drained;         /* the given processor is taken out of service from outside, or will be
                             when it is free */
    double back;          /* s: its return to service, if it is down; inf: never; if it is not down
                             NaN */
} orr_rigid_node_view;
ORR_API orr_rigid_node_view orr_rigid_look_node(const orr_rigid *sim, int32_t processor);

/* The warnings given so far (orr_rigid_node_failures), in order of the announced times. The first
 * `past` of them announced failures until now; only a recording keeps these. The list belongs to
 * the simulation and is valid until the simulation goes on. ORR_ERR_MEMORY only. */
typedef struct orr_warnings {
    const orr_warning *list;
    int64_t past, count;
} orr_warnings;
ORR_API orr_status orr_rigid_warnings(orr_rigid *sim, orr_warnings *warnings, orr_error *err);

/* How much of a pool of the instance is free now. */
ORR_API int64_t orr_rigid_pool_free(const orr_rigid *sim, int32_t pool);

/* How much is free now on a node of the instance: of a resource, or of its processors (-1). */
ORR_API int64_t orr_rigid_node_free(const orr_rigid *sim, int32_t node, int32_t resource);

/* The failure rate of one node, by its own failures and those of its domain, 1/s; from mean rates
 * like the next three. */
ORR_API double orr_rigid_node_error_rate(const orr_rigid *sim);

/* The next three assume that a job runs on as few nodes and domains as possible. They use the mean
 * rates of drawn failures, without lemons; if failures are not drawn the rate is 0. They return NaN
 * for a job outside 0 .. count - 1.
 *
 * The rate at which failures strike the job while it runs, 1/s. */
ORR_API double orr_rigid_error_rate(const orr_rigid *sim, int32_t job);
/* The probability that a failure strikes the job's running attempt, or else its next one, if the
 * attempt takes as long as planned (next_length). */
ORR_API double orr_rigid_failure_probability(const orr_rigid *sim, int32_t job);
/* The expected time that the job holds processors until it completes, s, over this attempt and all
 * attempts after failures: work, checkpoints, recoveries and repeated work, without verification
 * and the waits between attempts. The estimate is taken as the runtime. A checkpoint on demand that
 * is being written counts as one that is written again if a failure repeats this part. 0 for a job
 * that is over. */
ORR_API double orr_rigid_expected_remaining(const orr_rigid *sim, int32_t job);

/* The next waiting job of a group in queue order behind `job` (-1: from the front), with at most
 * max_procs processors (INT32_MAX - 1: any); -1 when there is none. `job` itself may have been
 * started; after any other action, begin again at the front. With priorities per decision the order
 * is that of the last decision; jobs that have come since stand behind. */
ORR_API int32_t orr_rigid_next_waiting(orr_rigid *sim, int32_t group, int32_t job,
                                       int32_t max_procs);

/* Writes the running jobs of a group (-1: of all groups) in order of (start, position) to `jobs`,
 * which has room for all running jobs, and returns their number. */
ORR_API int32_t orr_rigid_running(const orr_rigid *sim, int32_t group, int32_t *jobs);

/* Writes the running jobs on any of processors first .. first + count - 1, in the same order, and
 * returns their number. Returns -1 if the simulation only counts processors; a simulation whose
 * nodes may fail never does. */
ORR_API int32_t orr_rigid_running_on(const orr_rigid *sim, int32_t first, int32_t count,
                                     int32_t *jobs);

/* The next two need the planned ends of the running jobs. A simulation keeps them with a recording,
 * hooks (a dispatch function, events, a state), or a priority per attempt or per decision. Without
 * them the first returns NaN and the second false.
 *
 * The earliest time, s, at which `procs` processors of a group can be had for `seconds` (plus
 * verification), given the planned ends of running jobs, the repairs, and the reservations of this
 * decision; inf for more than the group has. procs >= 1, seconds >= 0. */
ORR_API double orr_rigid_earliest_start(orr_rigid *sim, int32_t group, int32_t procs,
                                        double seconds);

/* Whether a waiting job could start now without delaying a reservation of this decision. */
ORR_API bool orr_rigid_can_start(orr_rigid *sim, int32_t job);
