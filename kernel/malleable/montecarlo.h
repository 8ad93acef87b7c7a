/* Monte Carlo: many scenarios of a pack of malleable tasks under several policies, over threads
 * (sim/montecarlo.h). All policies see the same tasks and the same faults in a scenario. */
#pragma once

#include "malleable/engine.h"
#include "sim/montecarlo.h"

/* The result of one scenario under one policy, with the makespans to compare with. */
typedef struct orr_malleable_result {
    orr_malleable_metrics metrics;
    double baseline;   /* s: the makespan without redistribution, same tasks and faults */
    double fault_free; /* s: the makespan under the same policy on processors that never fail,
                          without checkpoints; NaN unless asked for */
} orr_malleable_result;

typedef struct orr_malleable_montecarlo {
    size_t size; /* sizeof this, see base/api.h */
    orr_montecarlo common;
    uint64_t set;                         /* names the random streams, with seed and scenario */
    const orr_tasks *tasks;               /* the same in every scenario; or, when NULL, */
    const orr_synthetic_tasks *synthetic; /* drawn anew in every scenario */
    int32_t procs;
    orr_resilience resilience;
    orr_faults_setup faults;
    int64_t max_faults; /* of one simulation; 0: ten million */
    bool fault_free;    /* wanted in the results */

    /* The results; the caller's arrays, at [policy * scenarios + scenario - first - 1]. */
    orr_malleable_result *results;
    double *ends; /* s: the ends of all tasks, one block of tasks per place; NULL: not wanted */
} orr_malleable_montecarlo;

ORR_API orr_status orr_malleable_montecarlo_run(const orr_malleable_montecarlo *mc, orr_error *err);
