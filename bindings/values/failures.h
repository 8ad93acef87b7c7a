/* Failures under jobs, as Lua values: counts of failures, and failures of nodes. */
#pragma once

#include "rigid/interface/engine.h"
#include "workload/jobs.h"

#include <lua.h>

/* Failure counts as a Lua value: rows of one count per job. */
typedef struct orr_lua_failures {
    int32_t *counts;
    int64_t rows;
    int32_t columns;
} orr_lua_failures;

/* The failure counts at arg; NULL: none. Raises an error when they are not for these jobs. */
const orr_lua_failures *orr_lua_test_failures(lua_State *L, int arg, const orr_jobs *jobs);

/* The node failures in a table of options; NULL: none. */
const orr_rigid_node_failures *orr_lua_node_failures_option(lua_State *L, int index);

void orr_lua_open_failures(lua_State *L); /* [core] -> [core] */
