/* Monte Carlo: many runs of a pack of malleable tasks under several policies, spread over threads.
 *
 * All policies see the same tasks and the same faults in a run. Results stand at the run's place
 * and do not depend on the threads (base/crew.h). */
#ifndef ORR_MALLEABLE_MONTECARLO_H
#define ORR_MALLEABLE_MONTECARLO_H

#include "malleable/engine.h"

/* Where the policies come from: thread `thread` (0 .. threads - 1) asks for its own copies, in that
 * thread, before its first run, and gives them back at the end. */
typedef struct orr_malleable_source {
    orr_status (*get)(void *user, int thread, int32_t policy, orr_malleable_policy *out,
                      orr_error *err);
    void (*put)(void *user, int thread, int32_t policy, orr_malleable_policy *given); /* or NULL */
    void *user;
} orr_malleable_source;

/* One run under one policy, with what it is compared to. */
typedef struct orr_malleable_result {
    orr_malleable_metrics metrics;
    double baseline;   /* s: the makespan without redistribution, same tasks and faults */
    double fault_free; /* s: the makespan under the same policy on processors that never fail, so
                          that nothing checkpoints; NaN unless asked for */
} orr_malleable_result;

typedef struct orr_malleable_runs {
    const orr_tasks *tasks;               /* the same in every run; or, when NULL, */
    const orr_synthetic_tasks *synthetic; /* drawn anew in every run */
    int32_t procs;
    orr_resilience resilience;
    orr_faults_setup faults;
    int32_t policies;
    orr_malleable_source source;

    uint64_t seed, set;
    int64_t runs; /* 1 .. runs */
    int threads;  /* >= 1 */
    bool fault_free;
    bool check;         /* every run under a policy is recorded, and its stints must be possible */
    int64_t max_faults; /* of one run; 0: ten million */

    const orr_cancel_flag *cancel; /* NULL: none */
    /* Called now and then in the calling thread with the number of simulations that are done;
     * NULL: never. */
    void (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user;
    orr_trap trap;
    const orr_allocator *alloc; /* must be safe to use from all threads; NULL: malloc */
} orr_malleable_runs;

/* Runs it all in the calling thread and threads - 1 more. results has room for policies * runs:
 * results[policy * runs + run - 1]; ends (NULL: not wanted) for policies * runs * tasks numbers, s,
 * in the same order. */
ORR_API orr_status orr_malleable_runs_run(const orr_malleable_runs *runs,
                                          orr_malleable_result *results, double *ends,
                                          orr_error *err);

#endif
