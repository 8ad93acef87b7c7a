/* Policies for rigid jobs: how the waiting queue is ordered, and what starts when.
 *
 * A policy is this struct of function pointers with a user pointer; the kernel copies the struct
 * and borrows what it points to. The kernel's own disciplines (list, FCFS, shelves) and priorities
 * need no function at all, the Lua binding is one filler of this struct, a C program another.
 *
 * Order of a queue (READINGS 24): larger priority first, then by arrival (the submission time, or
 * the time at which a hook moved the job there), then in order of position, and behind these the
 * jobs that were moved, in the order of the moves. When a priority is asked is part of the policy:
 *   per workload   once, before any simulation; the order then holds for all scenarios
 *   per scenario   once per job when a scenario begins
 *   per attempt    whenever a job enters the queue: at its submission, after a failure, when it was
 *                  preempted, moved or released
 *   per decision   for all waiting jobs of the group at every decision
 *
 * Groups. The processors may be divided into groups, each with a queue, an order and a dispatch of
 * its own; processors are numbered group after group. Every job enters the first group when it is
 * submitted, on_submit may move it. Without groups there is one with all processors, "main".
 *
 * Events. Hooks are called while things happen and may act on the simulation (rigid/actions.h);
 * when is written in rigid/engine.h. An error that they return stops the simulation.
 *
 * State. A policy that remembers things keeps them in a state made for every scenario by
 * make_state, and copied with the simulation by copy_state; nothing else may change between calls,
 * or neither forks nor threads would give the same numbers twice. */
#pragma once

#include "base/random.h"
#include "schedule/schedule.h"

typedef struct orr_rigid orr_rigid; /* a simulation, see rigid/engine.h */

typedef enum orr_rigid_per {
    ORR_PER_WORKLOAD,
    ORR_PER_SCENARIO,
    ORR_PER_ATTEMPT,
    ORR_PER_DECISION
} orr_rigid_per;

/* What a priority may look at. */
typedef struct orr_rigid_priority_view {
    const orr_instance *instance;
    orr_rigid *sim; /* NULL per workload: there is no clock yet */
    orr_pcg *rng;   /* for this one job: its own stream per workload and per scenario, otherwise the
                       simulation's policy generator */
    int32_t group;  /* whose queue is ordered */
    int32_t procs;  /* of this group */
} orr_rigid_priority_view;

/* What a job is worth in an order: *value, not NaN. */
typedef orr_status (*orr_rigid_priority)(void *user, const orr_rigid_priority_view *view,
                                         int32_t job, double *value, orr_error *err);

typedef enum orr_rigid_discipline {
    ORR_DISPATCH_LIST,   /* R-LIST(m), RR-9296 Algorithm 1 */
    ORR_DISPATCH_FCFS,   /* strict order: the first job that does not fit blocks all behind it */
    ORR_DISPATCH_SHELF,  /* R-SHELF(b), RR-9296 Algorithm 2 */
    ORR_DISPATCH_CUSTOM, /* the function below decides */
    ORR_DISPATCH_CONSERVATIVE, /* a reservation for every job, which only moves forward: READINGS
                                  34; a list with ORR_RESERVE_ALL makes all of them anew instead */
    ORR_DISPATCH_RECORDED      /* no decision: a job starts when the log tells (orr_jobs_wait), or
                             as soon after that as it fits, in the order of these starts.
                             ORR_ERR_INPUT where the log does not tell one, or the jobs are not
                             submitted as it says */
} orr_rigid_discipline;

/* Which jobs R-LIST's m counts (spec/READINGS.md, 25). */
typedef enum orr_rigid_reading {
    ORR_READING_BLOCKED, /* the m highest jobs that cannot start now hold reservations */
    ORR_READING_HEAD     /* the m highest jobs count, also those that start at once */
} orr_rigid_reading;

enum { ORR_RESERVE_ALL = INT32_MAX };

struct orr_rigid_group;

/* A failure of processors first .. first + count - 1, a node or a domain of nodes, is announced. */
typedef struct orr_warning {
    double time; /* s: of the warning, */
    double at;   /* and of the failure, later */
    int32_t first, count;
} orr_warning;

/* What a policy's own placement may look at, all of it numbered on the machine. */
typedef struct orr_rigid_choice {
    const orr_instance *instance;
    const orr_interval *free; /* processors of the job's group that are free all the time that it
                                 is to run; ascending, not touching */
    int32_t free_count;
    int32_t most; /* runs that there is room for: one for every processor of the job */
} orr_rigid_choice;

/* Which of the free processors a job is to have: writes runs of them, ascending, and their number;
 * 0: it cannot run on what is free. What it says must follow from its arguments alone: it is asked
 * about times to come, and again when they are there. */
typedef orr_status (*orr_rigid_choose)(void *user, const orr_rigid_choice *choice, int32_t job,
                                       orr_interval *runs, int32_t *count, orr_error *err);

typedef struct orr_rigid_policy {
    size_t size;      /* sizeof this, see base/api.h */
    const char *name; /* for messages */
    void *user;       /* passed to every function but priority and backfill */

    orr_rigid_per per;
    orr_rigid_priority priority; /* NULL: FCFS (all equal) */
    void *priority_user;

    /* Backfilling in another order than the queue's (SJF-backfilled EASY and the like), list only:
       jobs that may not reserve any more are tried in this one. Its ties are those of the queue,
       its streams its own. NULL: in the order of the queue. */
    orr_rigid_per backfill_per;
    orr_rigid_priority backfill;
    void *backfill_user;

    orr_rigid_discipline discipline;
    int32_t reservations;      /* list: m >= 0, or ORR_RESERVE_ALL */
    orr_rigid_reading reading; /* list */
    bool fill;                 /* shelf: b = 1, try every waiting job */
    /* custom: called once per decision; acts with the functions of rigid/actions.h. */
    orr_status (*dispatch)(void *user, orr_rigid *sim, orr_error *err);

    /* Each may be NULL.
       on_submit  a job has entered the system and waits in the first group
       on_start   an attempt has started, by a decision or by a hook
       on_end     an attempt is over, unless the policy ended it itself; where the outcome is
                  ORR_FAILED or ORR_NODE_FAILED the job waits again
       on_idle    a group has free processors and nobody waits for them
       on_timer   a time is there that orr_rigid_wake_at was asked for */
    orr_status (*on_submit)(void *user, orr_rigid *sim, int32_t job, orr_error *err);
    orr_status (*on_start)(void *user, orr_rigid *sim, int32_t job, orr_error *err);
    orr_status (*on_end)(void *user, orr_rigid *sim, int32_t job, orr_outcome outcome,
                         orr_error *err);
    orr_status (*on_idle)(void *user, orr_rigid *sim, int32_t group, orr_error *err);
    orr_status (*on_timer)(void *user, orr_rigid *sim, orr_error *err);

    const struct orr_rigid_group *groups; /* borrowed; NULL: one group */
    int32_t group_count;                  /* 0 or 1 where groups is NULL */

    /* All three or none. *state may be any pointer; copy_state gives an equal, independent one. */
    orr_status (*make_state)(void *user, orr_rigid *sim, void **state, orr_error *err);
    orr_status (*copy_state)(void *user, void *state, void **copy, orr_error *err);
    void (*free_state)(void *user, void *state);

    /* The same as `priority` and `backfill`, for those that are asked per decision, or per
       workload; borrowed. NULL: there are the functions. See rigid/formula.h. */
    const struct orr_formula *priority_formula;
    const struct orr_formula *backfill_formula;

    /* On which processors jobs may run (READINGS 46); with every discipline but custom. */
    orr_placing place;
    int32_t node_procs;      /* ORR_PLACE_NODES: of a node, >= 1 */
    orr_rigid_choose choose; /* ORR_PLACE_CHOSEN */
    void *choose_user;

    /* How much work there is to be between two checkpoints of a job, s (READINGS 36), INFINITY for
       none; of jobs that can write one. Asked whenever the job begins to wait, before anybody plans
       with it, for the attempt that follows; it may ask, and not act. NULL: as the instance says.
       A policy whose groups have policies is asked, and not these. */
    orr_status (*period)(void *user, orr_rigid *sim, int32_t job, double *period, orr_error *err);

    /* A failure of nodes is announced, or a false warning comes (orr_rigid_node_failures); may be
       NULL, and then the times of warnings are no instants. */
    orr_status (*on_warning)(void *user, orr_rigid *sim, const orr_warning *warning,
                             orr_error *err);

    /* How long the policy believes that a job takes, s >= 0 (READINGS 43); at most the instance's
       estimate counts. All plans of the kernel are made with it. Jobs are killed at the instance's
       estimate all the same. An attempt that outlives it is planned anew, to end some time later.
       Asked whenever the job begins to wait, for the attempt that follows; it may ask, and not act.
       NULL: the instance's estimate. Not where jobs write checkpoints. A policy whose groups have
       policies is asked, and not these. */
    orr_status (*estimate)(void *user, orr_rigid *sim, int32_t job, double *seconds,
                           orr_error *err);
} orr_rigid_policy;

typedef struct orr_rigid_group {
    const char *name;               /* no two alike */
    int32_t procs;                  /* >= 1; together they are the instance's */
    const orr_rigid_policy *policy; /* borrowed: whose order, backfilling and dispatch hold here,
                                       its hooks, state and groups do not; NULL: the policy's own */
} orr_rigid_group;

/* The built-in priorities (spec/READINGS.md). */
typedef enum orr_rigid_rule {
    ORR_RULE_FCFS,   /* all equal: by submission time, then position */
    ORR_RULE_LPT,    /* longest estimate first */
    ORR_RULE_SPT,    /* shortest estimate first */
    ORR_RULE_HPA,    /* most processors first */
    ORR_RULE_LPA,    /* fewest processors first */
    ORR_RULE_LA,     /* largest area first */
    ORR_RULE_SA,     /* smallest area first */
    ORR_RULE_RANDOM, /* drawn per scenario */
    ORR_RULE_LJF     /* RR-9296 Proposition 1: at least (P+1)/2 processors first, by processors;
                        then the others by LPT */
} orr_rigid_rule;

/* Sets policy->priority, priority_user and per for a built-in rule; leaves the rest alone. */
ORR_API void orr_rigid_set_rule(orr_rigid_policy *policy, orr_rigid_rule rule);

/* Asks a priority that is per workload for every job, as of the first group; values has room for
 * instance->count numbers. seed and set name the stream that the priority's generator draws from.
 * ORR_ERR_POLICY when it returns NaN. */
ORR_API orr_status orr_rigid_priorities(const orr_rigid_policy *policy,
                                        const orr_instance *instance, uint64_t seed, uint64_t set,
                                        double *values, orr_error *err);
