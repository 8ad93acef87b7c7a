/* Monte Carlo: many scenarios of one instance under several policies, spread over threads.
 *
 * All policies see the same scenarios. Which thread runs a scenario depends on the machine; what
 * comes out does not: a scenario's numbers are a function of (seed, set, scenario) and the policy,
 * and results stand at the scenario's place. If runs fail, the error returned is that of the
 * smallest scenario (and there of the first policy), also independent of the threads. */
#ifndef ORR_RIGID_MONTECARLO_H
#define ORR_RIGID_MONTECARLO_H

#include "rigid/engine.h"
#include "rigid/scenario.h"

/* Where the policies come from: thread `thread` (0 .. threads - 1) asks for its own copies, in that
 * thread, before its first scenario, and gives them back at the end; what a policy's functions use
 * then belongs to one thread. */
typedef struct orr_policy_source {
    orr_status (*get)(void *user, int thread, int32_t policy, orr_rigid_policy *out,
                      orr_error *err);
    void (*put)(void *user, int thread, int32_t policy, orr_rigid_policy *given); /* or NULL */
    void *user;
} orr_policy_source;

typedef struct orr_montecarlo {
    const orr_instance *instance;
    int32_t policies;
    orr_policy_source source;
    const double *const *priorities; /* per policy: of every job, where per workload, else NULL */

    uint64_t seed, set;
    int64_t runs;             /* scenarios 1 .. runs */
    const orr_errors *errors; /* drawn from this, or, when NULL, */
    const int32_t *failures;  /* given: runs rows of one count per job; NULL: none fail */
    int threads;              /* >= 1 */
    bool plain;               /* as in orr_rigid_setup */

    const orr_cancel_flag *cancel; /* NULL: none */
    /* Called now and then in the calling thread with the number of simulations that are done;
     * NULL: never. */
    void (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user;
    orr_trap trap;
    const orr_allocator *alloc; /* must be safe to use from all threads; NULL: malloc */
} orr_montecarlo;

/* Runs it all in the calling thread and threads - 1 more. results has room for policies * runs
 * metrics: results[policy * runs + scenario - 1]. */
ORR_API orr_status orr_montecarlo_run(const orr_montecarlo *mc, orr_metrics *results,
                                      orr_error *err);

#endif
