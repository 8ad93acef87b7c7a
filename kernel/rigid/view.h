/* What may be asked of a simulation, by its policy and from outside, at any time.
 *
 * Jobs are named by position, groups are numbered from 0. */
#pragma once

#include "rigid/policy.h"

typedef enum orr_rigid_job_state {
    ORR_JOB_PENDING, /* not submitted yet */
    ORR_JOB_WAITING,
    ORR_JOB_RUNNING,
    ORR_JOB_OVER,
    ORR_JOB_HELD /* out of its group's queue until it is released or moved */
} orr_rigid_job_state;

/* Where the simulation stands; processors and jobs of all groups. */
typedef struct orr_rigid_view {
    const orr_instance *instance;
    double now;      /* s */
    int32_t known;   /* processors that the policy is for; those behind are drained for ever
                        (rigid/change.h) */
    int32_t free;    /* processors */
    int32_t down;    /* processors, see node failures in rigid/engine.h */
    int32_t drained; /* processors that were taken out of service from outside (rigid/change.h); of
                        these `drained_down` are down, the others busy */
    int32_t drained_down;
    int32_t waiting; /* jobs */
    int32_t held;    /* jobs */
    int32_t running; /* jobs */
    int32_t over;    /* jobs */
    uint64_t seed, set, scenario;
    orr_pcg *rng;     /* the policy's generator: part of the simulation, copied with it */
    void *state;      /* what make_state made */
    int32_t groups;   /* their number, >= 1 */
    int32_t group;    /* being decided, idle, or the one of the hook's job when it was called; 0
                         elsewhere */
    const char *hook; /* the policy's function that is being called ("dispatch", "on_submit",
                         "priority" ...); NULL: none */
    bool deciding;    /* inside the dispatch function */
    int64_t node_failures; /* so far: failures of nodes and of domains, one each */
    int32_t windows;       /* that are open or to come */
} orr_rigid_view;
ORR_API orr_rigid_view orr_rigid_look(orr_rigid *sim);

/* Its `state` alone, which hooks ask for most often. */
ORR_API void *orr_rigid_state(const orr_rigid *sim);

/* The fields of orr_rigid_view that say what a hook is called about, which every call asks for. */
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
    int32_t drained;      /* processors, of which */
    int32_t drained_down; /* so many are down */
    int32_t waiting;      /* jobs */
    int32_t running;      /* jobs */
} orr_rigid_group_view;
ORR_API orr_rigid_group_view orr_rigid_look_group(const orr_rigid *sim, int32_t group);

enum { ORR_SIZE_CLASSES = 31 };

/* The waiting jobs of a group, or of all. Sizes are in classes: class i holds those from 2^i to
 * below 2^(i + 1), the first one also those below 1, the last one also those above. */
typedef struct orr_rigid_queue_view {
    int32_t waiting; /* jobs */
    double work;     /* processor-seconds: the processors of every job times its estimate, which is
                        rounded to 2^-20 s and at most 2^43 s here; their sum is rounded once */
    int32_t procs[ORR_SIZE_CLASSES]; /* jobs by their processors */
    int32_t time[ORR_SIZE_CLASSES];  /* jobs by their estimates, s */
} orr_rigid_queue_view;

/* group -1: of all groups. The first question in a run costs O(waiting jobs), all later ones O(1).
 * The answer depends only on who waits and on their estimates. */
ORR_API orr_rigid_queue_view orr_rigid_look_queue(orr_rigid *sim, int32_t group);

enum { ORR_RECENT_WAITS = 128 };

/* A quantile of the waits (first start - submission), s, of the last ORR_RECENT_WAITS jobs that
 * started for the first time, in this group, by linear interpolation as orr_quantiles has it;
 * probability in [0, 1]. Jobs that were interrupted or failed and start again are not counted
 * again. NaN where none has started, and where the simulation does not keep waits: it does with a
 * recording, hooks that may act, a priority per attempt or per decision, and where it may be
 * changed from outside. Costs O(1). */
ORR_API double orr_rigid_recent_wait(orr_rigid *sim, int32_t group, double probability);

/* The group of this name; -1 when there is none. */
ORR_API int32_t orr_rigid_find_group(const orr_rigid *sim, const char *name);

typedef struct orr_rigid_job_view {
    orr_rigid_job_state state;
    int32_t group;      /* where it waits, is held, runs or ran last; 0 before its submission */
    int32_t attempts;   /* that have started */
    double arrival;     /* s: in the queue of its group; its submission where it was not moved */
    double start;       /* s: of the latest attempt; NaN before the first */
    double planned_end; /* s: when that is planned to end, for a job that is over: when it ended;
                           NaN before the first */
    double promised;    /* s: its first reservation since it waits, which it keeps as it runs, where
                           its group backfills conservatively; NaN elsewhere */
    double reserved;    /* s: its reservation now, where it waits there; else NaN */
    double saved;       /* s of its work that are saved (READINGS 36): of a running job, by the last
                           checkpoint that is complete */
    double next_length; /* s: what its attempt that runs, or else the next one, is planned to take,
                           without verification */
} orr_rigid_job_view;
ORR_API orr_rigid_job_view orr_rigid_job(const orr_rigid *sim, int32_t job);

/* The node of a processor. */
typedef struct orr_rigid_node_view {
    int32_t first, count; /* its processors; count 0: there is no such processor */
    int32_t failures;     /* so far, its own and those of its domain, also while it was down */
    bool down;            /* the processor that was asked about, by a failure or a drain */
    bool drained;         /* it is taken out of service from outside, or will be when it is free */
    double back;          /* s: when it will be in service, if it is down; inf: never; else NaN */
} orr_rigid_node_view;
ORR_API orr_rigid_node_view orr_rigid_look_node(const orr_rigid *sim, int32_t processor);

/* What was announced by now (orr_rigid_node_failures), in order of the announced times: the first
 * `past` are of failures by now, which only a recording keeps. The list is the simulation's, valid
 * until it goes on. ORR_ERR_MEMORY only. */
typedef struct orr_warnings {
    const orr_warning *list;
    int64_t past, count;
} orr_warnings;
ORR_API orr_status orr_rigid_warnings(orr_rigid *sim, orr_warnings *warnings, orr_error *err);

/* How often one node is struck, by its own failures and those of its domain, 1/s; counted as the
 * next three. */
ORR_API double orr_rigid_node_error_rate(const orr_rigid *sim);

/* The next three are about a job on as few nodes and domains as possible, and count by the mean
 * rates of drawn failures, lemons left aside; where failures are not drawn the rate is 0. The job
 * is in 0 .. count - 1, otherwise they are NaN.
 *
 * How often a failure strikes a running job, 1/s. */
ORR_API double orr_rigid_error_rate(const orr_rigid *sim, int32_t job);
/* The probability that one strikes its attempt that runs, or else the next one, if that takes as
 * long as planned (next_length). */
ORR_API double orr_rigid_failure_probability(const orr_rigid *sim, int32_t job);
/* How long it is expected to hold processors until it completes, s, in this attempt and those that
 * failures make of it: work, checkpoints, recoveries and what is done again, without verification
 * and the waits between attempts; its runtime is its estimate. A checkpoint on demand that is under
 * way counts as one that is written again at its place. 0 for a job that is over. */
ORR_API double orr_rigid_expected_remaining(const orr_rigid *sim, int32_t job);

/* The next waiting job of a group in queue order behind `job` (-1: from the front), with at most
 * max_procs processors (INT32_MAX - 1: any); -1 when there is none. `job` itself may have been
 * started; after any other action, begin anew at the front. Where priorities are asked per decision
 * the order is that of the last one, with those behind who have come since. */
ORR_API int32_t orr_rigid_next_waiting(orr_rigid *sim, int32_t group, int32_t job,
                                       int32_t max_procs);

/* Writes the running jobs of a group (-1: of all) in order of (start, position) to `jobs`, which
 * has room for all of them, and returns their number. */
ORR_API int32_t orr_rigid_running(const orr_rigid *sim, int32_t group, int32_t *jobs);

/* The same of the jobs on any of processors first .. first + count - 1; -1: where the simulation
 * only counts processors, which is never so where nodes may fail. */
ORR_API int32_t orr_rigid_running_on(const orr_rigid *sim, int32_t first, int32_t count,
                                     int32_t *jobs);

/* The next two need the planned ends of the running jobs, which a simulation keeps where somebody
 * may ask: with a recording, hooks (a dispatch function, events, a state), or a priority per
 * attempt or per decision. Elsewhere the first answers NaN and the second false.
 *
 * The earliest time, s, at which `procs` processors of a group can be had for `seconds` (plus
 * verification), given the planned ends of running jobs, the repairs, and the reservations of this
 * decision; inf for more than the group has. procs >= 1, seconds >= 0. */
ORR_API double orr_rigid_earliest_start(orr_rigid *sim, int32_t group, int32_t procs,
                                        double seconds);

/* Whether a waiting job could start now without delaying a reservation of this decision. */
ORR_API bool orr_rigid_can_start(orr_rigid *sim, int32_t job);
