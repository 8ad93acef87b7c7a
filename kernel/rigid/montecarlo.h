/* Monte Carlo: many scenarios of one or more sets of jobs under several policies, over threads
 * (sim/montecarlo.h). The work is spread over the threads by simulation, so that they are all busy
 * whether there are many scenarios, many sets or many policies.
 *
 * Where the results of all scenarios need too much memory, they are had block by block: with
 * `block`, so many scenarios run at a time, the arrays of results have room for one block, and
 * `after_block` takes from them what is wanted (stats/running.h) before the next one begins. The
 * numbers are the same. */
#pragma once

#include "rigid/interface/engine.h"
#include "rigid/machine/scenario.h"
#include "schedule/export.h"
#include "sim/montecarlo.h"

/* The times that are kept of every job of a simulation; each array has room for one number per
 * job. */
typedef struct orr_rigid_kept_times {
    double *ends;        /* s: of its last attempt */
    double *runtimes;    /* s: the runtime, see orr_job_times */
    double *submissions; /* s; NULL: the submissions of the instance are valid */
    bool by_length;      /* a result: `runtimes` is not written, each runtime is orr_job_length */
} orr_rigid_kept_times;

/* One metric of all scenarios. */
typedef struct orr_metrics_column {
    size_t offset; /* of the field in orr_metrics; all fields have 8 bytes */
    void *values;  /* double or int64_t, like the field */
} orr_metrics_column;

/* A set of jobs that are simulated together, and its results. */
typedef struct orr_rigid_set {
    /* Per policy. All have the same jobs; they may differ in the machine and in the scheduler's
       knowledge. Several policies may share one instance. */
    const orr_instance *const *instances;
    const double *const *priorities; /* per policy: the priorities per workload, of every job; NULL:
                                        none. The array itself may be NULL */
    uint64_t number;                 /* names the random streams, with seed and scenario */
    const orr_window *windows;       /* as in orr_rigid_setup */
    int64_t window_count;
    const orr_silent_errors *errors; /* failures are drawn from this; if NULL, */
    const int32_t *failures;         /* they are given: per scenario from 1 on, also if `first` > 0,
                                        one count per job; NULL: no job fails */

    /* The results; the arrays belong to the caller. */
    orr_metrics *results;         /* results[policy * scenarios + scenario - first - 1]; NULL: whole
                                     results are not wanted */
    orr_job_quantiles *quantiles; /* indexed like `results`; NULL: not wanted */
    double *shares;             /* indexed like `results`, for each as many as orr_shares has of the
                                     first instance: orr_rigid_shares_used; NULL: not wanted */
    orr_rigid_kept_times *kept; /* per policy, only if there is one scenario; NULL: nothing is
                                     kept */
    orr_schedule *schedules; /* per policy, only if there is one scenario: its checked schedule, for
                                   orr_schedule_destroy, also where another simulation failed; NULL:
                                   not wanted */
    const orr_rows *rows; /* per policy, only if there is one scenario, and orr_export_follows its
                                   instance: where the checked schedule is written while it is
                                   made, also the first part of one that fails; NULL: not wanted */
    const orr_metrics_column *columns; /* single metrics: an array each, indexed like `results` */
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
    int64_t block; /* the most scenarios at a time; 0: all. The last block may have fewer */
    /* Called after each block, in the calling thread, with the number of its scenarios; the results
       lie as if these were all. An error ends the run. Must not be NULL where there are blocks. */
    orr_status (*after_block)(void *user, int64_t count, orr_error *err);
    void *block_user;
} orr_rigid_montecarlo;

ORR_API orr_status orr_rigid_montecarlo_run(const orr_rigid_montecarlo *mc, orr_error *err);
