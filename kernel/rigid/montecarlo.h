/* Monte Carlo: many scenarios of one or more sets of jobs under several policies, over threads.
 *
 * All policies see the same scenarios. The work is spread over the threads by simulation, so that
 * they are all busy whether there are many scenarios, many sets or many policies. Which thread runs
 * a simulation depends on the machine; what comes out does not: the numbers of a scenario are a
 * function of (seed, set, scenario) and the policy, and stand at their place. If
 * simulations fail, the error returned is that of the first set, there of the smallest scenario,
 * and there of the first policy, also independent of the threads; its place says which it is. */
#ifndef ORR_RIGID_MONTECARLO_H
#define ORR_RIGID_MONTECARLO_H

#include "rigid/engine.h"
#include "rigid/scenario.h"

/* Where the policies come from: thread `thread` (0 .. threads - 1) asks for its own copies, in that
 * thread, before its first scenario, and gives them back at the end; what a policy's functions use
 * then belongs to one thread. */
typedef struct orr_rigid_source {
    orr_status (*get)(void *user, int thread, int32_t policy, orr_rigid_policy *out,
                      orr_error *err);
    void (*put)(void *user, int thread, int32_t policy, orr_rigid_policy *given); /* or NULL */
    void *user;
} orr_rigid_source;

/* What is kept of every job of a simulation; room for one number per job. */
typedef struct orr_rigid_kept_times {
    double *ends;     /* s: of its last attempt */
    double *runtimes; /* s: what that computed, see orr_job_times */
} orr_rigid_kept_times;

/* Jobs that are simulated together. */
typedef struct orr_montecarlo_set {
    /* Per policy; of the same jobs, and often one and the same: they may differ in the machine. */
    const orr_instance *const *instances;
    const double *const *priorities; /* per policy: of every job, where per workload, else NULL; may
                                        itself be NULL */
    uint64_t number;                 /* names the random streams, with seed and scenario */
    const orr_silent_errors *errors; /* failures are drawn from this, or, when NULL, */
    const int32_t *failures;         /* given: runs rows of one count per job; NULL: none fail */

    /* What comes out; arrays of the caller's. */
    orr_metrics *results;             /* results[policy * runs + scenario - 1] */
    orr_job_quantiles *quantiles;     /* in the same places; NULL: not wanted */
    const orr_rigid_kept_times *kept; /* per policy, with runs = 1; NULL: nothing is kept */
} orr_montecarlo_set;

typedef struct orr_montecarlo {
    int32_t sets, policies;
    const orr_montecarlo_set *set; /* one per set */
    orr_rigid_source source;

    const orr_rigid_node_failures *node_failures; /* as in orr_rigid_setup */
    uint64_t seed;
    int64_t runs; /* scenarios 1 .. runs of each set */
    int threads;  /* >= 1 */
    bool plain;   /* as in orr_rigid_setup */
    bool check;   /* every simulation is recorded, and its schedule must pass schedule/check.h */

    const orr_cancel_flag *cancel; /* NULL: none */
    /* Called now and then in the calling thread with the number of simulations that are done;
     * NULL: never. */
    void (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user;
    orr_trap trap;
    const orr_allocator *alloc; /* must be safe to use from all threads; NULL: malloc */
} orr_montecarlo;

/* Runs it all in the calling thread and threads - 1 more. */
ORR_API orr_status orr_montecarlo_run(const orr_montecarlo *mc, orr_error *err);

#endif
