/* Monte Carlo: many scenarios of one or more sets of jobs under several policies, over threads
 * (sim/montecarlo.h). The work is spread over the threads by simulation, so that they are all busy
 * whether there are many scenarios, many sets or many policies. */
#pragma once

#include "rigid/engine.h"
#include "rigid/scenario.h"
#include "sim/montecarlo.h"

/* What is kept of every job of a simulation; room for one number per job. */
typedef struct orr_rigid_kept_times {
    double *ends;        /* s: of its last attempt */
    double *runtimes;    /* s: what that computed, see orr_job_times */
    double *submissions; /* s; NULL: they are those of the instance */
    bool by_length;      /* comes out: runtimes are not written, each is orr_job_length */
} orr_rigid_kept_times;

/* Jobs that are simulated together. */
/* One metric of all scenarios. */
typedef struct orr_metrics_column {
    size_t offset; /* of the field in orr_metrics, whose fields have 8 bytes each */
    void *values;  /* double or int64_t, as the field is */
} orr_metrics_column;

typedef struct orr_rigid_set {
    /* Per policy; of the same jobs, and often one and the same: they may differ in the machine and
       in what the scheduler knows. */
    const orr_instance *const *instances;
    const double *const *priorities; /* per policy: of every job, where per workload, else NULL; may
                                        itself be NULL */
    uint64_t number;                 /* names the random streams, with seed and scenario */
    const orr_window *windows;       /* as in orr_rigid_setup */
    int64_t window_count;
    const orr_silent_errors *errors; /* failures are drawn from this, or, when NULL, */
    const int32_t *failures;         /* given: per scenario from 1 on, also where `first` is more,
                                        one count per job; NULL: none fail */

    /* What comes out; arrays of the caller's. */
    orr_metrics *results;         /* results[policy * scenarios + scenario - first - 1]; NULL: not
                                     wanted as a whole */
    orr_job_quantiles *quantiles; /* in the same places; NULL: not wanted */
    orr_rigid_kept_times *kept;   /* per policy, of one scenario alone; NULL: nothing is kept */
    const orr_metrics_column *columns; /* single metrics, in the same places of an array each */
    int32_t column_count;
} orr_rigid_set;

typedef struct orr_rigid_montecarlo {
    size_t size; /* sizeof this, see base/api.h */
    orr_montecarlo common;
    int32_t sets;
    const orr_rigid_set *set;                     /* one per set */
    const orr_rigid_node_failures *node_failures; /* as in orr_rigid_setup */
    bool plain;                                   /* as in orr_rigid_setup */
    orr_instant instant;                          /* likewise */
} orr_rigid_montecarlo;

ORR_API orr_status orr_rigid_montecarlo_run(const orr_rigid_montecarlo *mc, orr_error *err);
