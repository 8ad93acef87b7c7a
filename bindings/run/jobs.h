/* Declarations shared by the files of the binding for rigid jobs. */
#pragma once

#include "bindings/run/runs.h"
#include "rigid/montecarlo.h"

/* The options of all runs, read from a table (made by run/jobs_options.lua). */
typedef struct orr_run_options {
    orr_instance_options instance;
    uint64_t seed, set;
    int64_t runs;
    double lambda; /* errors per processor-second */
    int32_t max_attempts;
    bool plain; /* the plain event loop */
    orr_instant instant;
    bool live; /* see rigid/whatif/live.h; of sessions alone */
    const orr_rigid_node_failures
        *node_failures;        /* kept alive by the table of options; NULL: none */
    const orr_window *windows; /* likewise */
    int64_t window_count;
    orr_limits limits;
} orr_run_options;

orr_run_options orr_lua_run_options(lua_State *L, int index, const orr_jobs *jobs);

/* The option `checkpoints` of the table, made by core.checkpoints for so many jobs; all zero where
 * there is none. */
orr_checkpoints orr_lua_checkpoints_option(lua_State *L, int index, int32_t jobs);

void orr_lua_open_jobs_runs(lua_State *L);
