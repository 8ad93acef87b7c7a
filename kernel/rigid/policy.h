/* Policies for rigid jobs: how the waiting queue is ordered, and what starts when.
 *
 * A policy is this struct of function pointers with a user pointer; the kernel copies the struct
 * and borrows what it points to. The kernel's own disciplines (list, FCFS, shelves) and priorities
 * need no function at all, the Lua binding is one filler of this struct, a C program another.
 *
 * Order of the queue (READINGS 24): larger priority first, ties by submission time, then by
 * position. When a priority is asked is part of the policy:
 *   per workload   once, before any simulation; the order then holds for all scenarios
 *   per scenario   once per job when a scenario begins
 *   per attempt    whenever a job enters the queue: at its submission and after a failure
 *   per decision   for all waiting jobs at every decision
 *
 * State. A policy that remembers things keeps them in a state made for every scenario by
 * make_state, and copied with the simulation by copy_state; nothing else may change between calls,
 * or neither forks nor threads would give the same numbers twice. */
#ifndef ORR_RIGID_POLICY_H
#define ORR_RIGID_POLICY_H

#include "base/random.h"
#include "workload/instance.h"

typedef struct orr_rigid orr_rigid; /* a simulation, see rigid/engine.h */

typedef enum orr_per {
    ORR_PER_WORKLOAD,
    ORR_PER_SCENARIO,
    ORR_PER_ATTEMPT,
    ORR_PER_DECISION
} orr_per;

/* What a priority may look at. */
typedef struct orr_view {
    const orr_instance *instance;
    orr_rigid *sim; /* NULL per workload: there is no clock yet */
    orr_pcg *rng;   /* for this one job: its own stream per workload and per scenario, otherwise the
                       simulation's policy generator */
} orr_view;

typedef enum orr_discipline {
    ORR_DISPATCH_LIST,  /* R-LIST(m), RR-9296 Algorithm 1 */
    ORR_DISPATCH_FCFS,  /* strict order: the first job that does not fit blocks all behind it */
    ORR_DISPATCH_SHELF, /* R-SHELF(b), RR-9296 Algorithm 2 */
    ORR_DISPATCH_CUSTOM /* the function below decides */
} orr_discipline;

/* Which jobs R-LIST's m counts (spec/READINGS.md, 25). */
typedef enum orr_reading {
    ORR_READING_BLOCKED, /* the m highest jobs that cannot start now hold reservations */
    ORR_READING_HEAD     /* the m highest jobs count, also those that start at once */
} orr_reading;

enum { ORR_RESERVE_ALL = INT32_MAX };

typedef struct orr_rigid_policy {
    const char *name; /* for messages */
    void *user;       /* passed to every function */

    orr_per per;
    /* The priority of one job, not NaN. NULL: FCFS (all equal). */
    orr_status (*priority)(void *user, const orr_view *view, int32_t job, double *value,
                           orr_error *err);

    orr_discipline discipline;
    int32_t reservations; /* list: m >= 0, or ORR_RESERVE_ALL */
    orr_reading reading;  /* list */
    bool fill;            /* shelf: b = 1, try every waiting job */
    /* custom: called once per decision; starts jobs with the functions of rigid/decide.h. */
    orr_status (*dispatch)(void *user, orr_rigid *sim, orr_error *err);

    /* All three or none. *state may be any pointer; copy_state gives an equal, independent one. */
    orr_status (*make_state)(void *user, orr_rigid *sim, void **state, orr_error *err);
    orr_status (*copy_state)(void *user, void *state, void **copy, orr_error *err);
    void (*free_state)(void *user, void *state);
} orr_rigid_policy;

/* The built-in priorities (spec/READINGS.md). */
typedef enum orr_rule {
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
} orr_rule;

/* Sets policy->priority, per and user for a built-in rule; leaves the rest alone. */
ORR_API void orr_policy_set_rule(orr_rigid_policy *policy, orr_rule rule);

/* Asks a priority that is per workload for every job; values has room for instance->count numbers.
 * seed and set name the stream that the priority's generator draws from. ORR_ERR_POLICY when it
 * returns NaN. */
ORR_API orr_status orr_priorities(const orr_rigid_policy *policy, const orr_instance *instance,
                                  uint64_t seed, uint64_t set, double *values, orr_error *err);

#endif
