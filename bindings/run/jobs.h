/* What the files of the binding for rigid jobs share. */
#ifndef ORR_BINDINGS_RIGID_H
#define ORR_BINDINGS_RIGID_H

#include "bindings/run/runs.h"
#include "rigid/montecarlo.h"

#define ORR_LUA_FAILURES "orrery.failures"
#define ORR_LUA_SESSION "orrery.core.session"
#define ORR_LUA_NODE_FAILURES "orrery.node_failures"

/* Failure counts as a Lua value: rows of one count per job. */
typedef struct orr_lua_failures {
    int32_t *counts;
    int64_t rows;
    int32_t columns;
} orr_lua_failures;

/* The failure counts at arg, NULL where there are none; raises when they are not for these jobs. */
const orr_lua_failures *orr_lua_test_failures(lua_State *L, int arg, const orr_jobs *jobs);

/* What every run needs, read from a table of options (made by core_options in orrery.lua). */
typedef struct orr_run_options {
    orr_instance_options instance;
    uint64_t seed, set;
    int64_t runs;
    double lambda; /* errors per processor-second */
    int32_t max_attempts;
    int threads;
    bool plain; /* the plain event loop */
    const orr_rigid_node_failures
        *node_failures; /* kept alive by the table of options; NULL: none */
    orr_limits limits;
} orr_run_options;

orr_run_options orr_lua_run_options(lua_State *L, int index, const orr_jobs *jobs);

/* Pushes metrics as a table with the names of orr_metrics. */
void orr_lua_push_metrics(lua_State *L, const orr_metrics *m);

/* The node failures in a table of options, NULL for none. */
const orr_rigid_node_failures *orr_lua_node_failures_option(lua_State *L, int index);

void orr_lua_open_montecarlo(lua_State *L);
void orr_lua_open_node_failures(lua_State *L);
void orr_lua_open_rigid(lua_State *L);
void orr_lua_open_session(lua_State *L);

#endif
