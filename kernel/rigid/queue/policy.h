/* Policies for rigid jobs: how the waiting queue is ordered, and what starts when.
 *
 * A policy is this struct of function pointers with a user pointer; the kernel copies the struct
 * and borrows what it points to. The kernel's own disciplines (list, FCFS, shelves) and priorities
 * need no function at all. The struct is filled by the Lua binding or by a C program.
 *
 * Order of a queue (READINGS 24): larger priority first, then by arrival (the submission time, or
 * the time at which a hook moved the job there), then in order of position; moved jobs stand behind
 * these, in the order of the moves. The policy says when a priority is asked:
 *   per workload   once, before any simulation; the order then holds for all scenarios
 *   per scenario   once per job when a scenario begins
 *   per attempt    whenever a job enters the queue: at its submission, after a failure, when it was
 *                  preempted, moved or released
 *   per change     the same, and at the time that the priority last named, if the job waits then:
 *                  it is moved, to its own group
 *   per decision   for all waiting jobs of the group at every decision
 *
 * Groups. The processors may be divided into groups, each with a queue, an order and a dispatch of
 * its own; processors are numbered group after group. Every job enters the first group when it is
 * submitted, on_submit may move it. Without groups there is one with all processors, "main".
 *
 * Events. Hooks are called at events and may act on the simulation (rigid/interface/actions.h);
 * rigid/interface/engine.h says when they are called. An error that a hook returns stops the
 * simulation.
 *
 * State. A policy that has data of its own keeps them in a state, which make_state makes for every
 * scenario and copy_state copies with the simulation. Nothing else may change between calls;
 * otherwise results with forks or threads would not be reproducible. */
#pragma once

#include "base/random.h"
#include "schedule/schedule.h"

typedef struct orr_rigid orr_rigid; /* a simulation, see rigid/interface/engine.h */

typedef enum orr_rigid_per {
    ORR_PER_WORKLOAD,
    ORR_PER_SCENARIO,
    ORR_PER_ATTEMPT,
    ORR_PER_DECISION,
    ORR_PER_CHANGE
} orr_rigid_per;

/* The data that a priority may look at. */
typedef struct orr_rigid_priority_view {
    const orr_instance *instance;
    orr_rigid *sim; /* NULL per workload: there is no clock yet */
    orr_pcg *rng;   /* for this one job: per workload and per scenario the job's own stream,
                       otherwise the simulation's policy generator */
    int32_t group;  /* the group whose queue is ordered */
    int32_t procs;  /* of this group */
    double *until;  /* per change: the time, s, at which the priority is to be asked again, later
                       than now; INFINITY unless the function writes another one. Otherwise NULL */
} orr_rigid_priority_view;

/* Computes the priority of a job: *value, not NaN; larger values come first. */
typedef orr_status (*orr_rigid_priority)(void *user, const orr_rigid_priority_view *view,
                                         int32_t job, double *value, orr_error *err);

typedef enum orr_rigid_discipline {
    ORR_DISPATCH_LIST,   /* R-LIST(m), RR-9296 Algorithm 1 */
    ORR_DISPATCH_FCFS,   /* strict order: the first job that does not fit blocks all behind it */
    ORR_DISPATCH_SHELF,  /* R-SHELF(b), RR-9296 Algorithm 2 */
    ORR_DISPATCH_CUSTOM, /* the function below decides */
    ORR_DISPATCH_CONSERVATIVE, /* a reservation for every job, which only moves to earlier times:
                                  READINGS 34; a list with ORR_RESERVE_ALL makes all reservations
                                  anew instead */
    ORR_DISPATCH_RECORDED      /* no decision: a job starts at its start in the log (orr_jobs_wait),
                                  or as soon after that as it fits, in the order of the logged
                                  starts. ORR_ERR_INPUT if the log has no start for a job, or jobs
                                  are not submitted at their times in the log */
} orr_rigid_discipline;

/* The jobs that count towards m in R-LIST(m) (spec/READINGS.md, 25). */
typedef enum orr_rigid_reading {
    ORR_READING_BLOCKED, /* the m highest jobs that cannot start now hold reservations */
    ORR_READING_HEAD     /* the m highest jobs count, also those that start at once */
} orr_rigid_reading;

enum { ORR_RESERVE_ALL = INT32_MAX };

struct orr_rigid_group;

/* The announcement of a failure of processors first .. first + count - 1, a node or a domain of
 * nodes. */
typedef struct orr_warning {
    double time; /* s: of the warning, */
    double at;   /* and of the failure, later */
    int32_t first, count;
} orr_warning;

/* The data that a policy's own placement may look at; processors are numbered on the machine. */
typedef struct orr_rigid_choice {
    const orr_instance *instance;
    const orr_interval *free; /* processors of the job's group that are free during its whole
                                 planned run; ascending, not touching */
    int32_t free_count;
    int32_t most; /* room for this number of runs: one for every processor of the job */
} orr_rigid_choice;

/* Chooses processors for a job among the free ones: writes runs of processors, ascending, and the
 * number of runs; 0: the job cannot run on the free processors. The result must depend on the
 * arguments alone, because the function is asked for planned starts and again when the job
 * starts. */
typedef orr_status (*orr_rigid_choose)(void *user, const orr_rigid_choice *choice, int32_t job,
                                       orr_interval *runs, int32_t *count, orr_error *err);

/* Processors of a job on a node, numbered from 0; procs 0: as many as the node can take, or, where
 * the job asks for a number of nodes, its even share. */
typedef struct orr_node_share {
    int32_t node, procs;
} orr_node_share;

/* The data that a policy's own placement on nodes may look at (READINGS 58). */
typedef struct orr_rigid_node_choice {
    const orr_instance *instance;
    const int64_t *free;  /* processors of every node that are free until the job's planned end,
                             then each resource of every node */
    const int32_t *takes; /* per node: the job's processors that it can take, or 1 where the job
                             asks for a number of nodes; 0: the job cannot use it */
    int32_t most;         /* room for this number of shares */
} orr_rigid_node_choice;

/* Chooses nodes for a job that starts now: writes shares and their number; 0: the default
 * placement is taken. What is behind the shares that the job needs is not read. The result must
 * depend on the arguments alone. */
typedef orr_status (*orr_rigid_choose_nodes)(void *user, const orr_rigid_node_choice *choice,
                                             int32_t job, orr_node_share *shares, int32_t *count,
                                             orr_error *err);

typedef struct orr_rigid_policy {
    size_t size;      /* sizeof this, see base/api.h */
    const char *name; /* for messages */
    void *user;       /* passed to every function but priority and backfill */

    orr_rigid_per per;
    orr_rigid_priority priority; /* NULL: FCFS (all equal) */
    void *priority_user;

    /* Backfilling in another order than the queue's (EASY with SJF backfilling, for example): jobs
       that may not reserve any more are tried in this order. List only, for other disciplines it is
       refused. Ties are broken as in the queue; random streams are separate. NULL: in the order of
       the queue. */
    orr_rigid_per backfill_per;
    orr_rigid_priority backfill;
    void *backfill_user;

    orr_rigid_discipline discipline;
    int32_t reservations;      /* list: m >= 0, or ORR_RESERVE_ALL */
    orr_rigid_reading reading; /* list */
    bool fill;                 /* shelf: b = 1, try every waiting job */
    /* custom: called once per decision; acts with the functions of rigid/interface/actions.h. */
    orr_status (*dispatch)(void *user, orr_rigid *sim, orr_error *err);

    /* Each may be NULL.
       on_submit  a job has entered the system and waits in the first group
       on_start   an attempt has started, by a decision or by a hook
       on_end     an attempt is over, unless the policy ended it itself; after ORR_FAILED or
                  ORR_NODE_FAILED the job waits again
       on_idle    a group has free processors and no waiting job
       on_timer   a time requested with orr_rigid_wake_at has come */
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

    /* `priority` and `backfill` as formulas, for priorities per decision or per workload; borrowed.
       NULL: the functions are used. See rigid/queue/formula.h. */
    const struct orr_formula *priority_formula;
    const struct orr_formula *backfill_formula;

    /* The placement of jobs on processors (READINGS 46); allowed with every discipline except
       custom. */
    orr_placing place;
    int32_t node_procs;      /* ORR_PLACE_NODES: processors of a node, >= 1 */
    orr_rigid_choose choose; /* ORR_PLACE_CHOSEN */
    void *choose_user;

    /* The work between two checkpoints of a job, s (READINGS 36); INFINITY: no checkpoints. Called
       for jobs that can write checkpoints, whenever the job begins to wait, before it is planned,
       for the next attempt. The function may ask questions but may not act. NULL: the period of the
       instance. Only the function of the whole policy is called, not those of its groups'
       policies. */
    orr_status (*period)(void *user, orr_rigid *sim, int32_t job, double *period, orr_error *err);

    /* Called when a failure of nodes is announced or a false warning comes
       (orr_rigid_node_failures). NULL: the times of warnings are no instants. */
    orr_status (*on_warning)(void *user, orr_rigid *sim, const orr_warning *warning,
                             orr_error *err);

    /* The policy's own estimate of a job's runtime, s >= 0 (READINGS 43), limited to the instance's
       estimate. All plans of the kernel use it, but jobs are still killed at the instance's
       estimate. An attempt that outlives the policy's estimate is planned to end later. Called
       whenever the job begins to wait, for the next attempt. The function may ask questions but may
       not act. NULL: the instance's estimate. Not allowed if jobs write checkpoints. Only the
       function of the whole policy is called, not those of its groups' policies. */
    orr_status (*estimate)(void *user, orr_rigid *sim, int32_t job, double *seconds,
                           orr_error *err);

    /* When the policy plans a running job to end, s. Asked at ORR_INSTANT_PYSS alone, of attempts
       that end now, before all that happens at this instant: those planned to end now are over
       then. The function may ask questions but may not act. NULL: start plus estimate. Only the
       function of the whole policy is called, not those of its groups' policies. */
    orr_status (*planned_end)(void *user, orr_rigid *sim, int32_t job, double *time,
                              orr_error *err);

    /* The placement on a machine of nodes (READINGS 58), in place of `place`; it gets choose_user.
       NULL: that placement. */
    orr_rigid_choose_nodes choose_nodes;
} orr_rigid_policy;

typedef struct orr_rigid_group {
    const char *name;               /* no two alike */
    int32_t procs;                  /* >= 1; the sum over all groups is the instance's */
    const orr_rigid_policy *policy; /* borrowed: its order, backfilling and dispatch are used here,
                                       its hooks, state and groups are not; NULL: those of the whole
                                       policy */
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

/* Sets policy->priority, priority_user and per for a built-in rule; changes no other field. */
ORR_API void orr_rigid_set_rule(orr_rigid_policy *policy, orr_rigid_rule rule);

/* Computes a priority per workload for every job, as in the first group; values has room for
 * instance->count numbers. seed and set name the stream that the priority's generator draws from.
 * ORR_ERR_POLICY when it returns NaN. */
ORR_API orr_status orr_rigid_priorities(const orr_rigid_policy *policy,
                                        const orr_instance *instance, uint64_t seed, uint64_t set,
                                        double *values, orr_error *err);
