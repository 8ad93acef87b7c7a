/* The loop over all simulations of a Monte Carlo; an engine runs each. */
#pragma once

#include "base/block_internal.h"
#include "sim/montecarlo.h"

/* One simulation. Policies follow each other first, then scenarios, then sets. */
typedef struct ori_cell {
    int32_t set, policy;
    int64_t scenario; /* from 1 */
    int64_t place;    /* of its results within its set: policy * scenarios + scenario - first - 1 */
    /* The place of an error; the engine sets the number of the set and `now`, and policy -1 for the
     * baseline simulation. */
    orr_place where;
} ori_cell;

/* A thread. Engines put this struct first into their own data of a thread. */
typedef struct ori_worker {
    const void *question; /* the engine's, as in ori_cells */
    int thread;
    orr_allocator alloc;
    void *policies; /* the engine's policy structs, one per policy */
    void **sims;    /* the engine's: room for as many as it wants, NULL at first */
    bool *fetched;  /* per policy */
    ori_block block;
} ori_worker;

/* The functions of an engine. They are called in the thread of the worker. */
typedef struct ori_cells {
    const orr_montecarlo *common;
    const void *question;
    int32_t sets;
    bool together; /* one thread runs all policies of a scenario: they share a baseline */
    size_t policy_size, worker_size;
    int32_t sims; /* per thread */

    /* Called once the policies exist. Also when it fails, `end` must be able to clean up. */
    orr_status (*begin)(ori_worker *w, orr_error *err);
    orr_status (*run)(ori_worker *w, ori_cell *cell, orr_error *err);
    void (*end)(ori_worker *w); /* before the policies go */
} ori_cells;

orr_status ori_montecarlo_run(const ori_cells *cells, orr_error *err);
