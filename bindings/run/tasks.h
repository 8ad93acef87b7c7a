/* Declarations shared by the files of the binding for malleable tasks. */
#pragma once

#include "bindings/run/runs.h"
#include "malleable/montecarlo.h"

#define ORR_LUA_FAULTS "orrery.faults"
#define ORR_LUA_TASKS_METRICS "orrery.tasks.metrics"

/* A fault log as a Lua value. */
typedef struct orr_lua_faults {
    orr_fault *log;
    int64_t count;
} orr_lua_faults;

/* The log at arg, NULL where there is none. */
const orr_lua_faults *orr_lua_test_faults(lua_State *L, int arg);

/* The options of all runs, read from a table (made by run/tasks.lua). */
typedef struct orr_tasks_options {
    int32_t procs;
    orr_resilience resilience;
    orr_faults_setup faults;
    orr_synthetic_tasks synthetic; /* where no tasks are given */
    uint64_t seed, set;
    int64_t runs, max_faults;
    orr_limits limits;
} orr_tasks_options;

/* tasks: NULL where they are drawn; given: the log, NULL for none. */
orr_tasks_options orr_lua_tasks_options(lua_State *L, int index, const orr_tasks *tasks,
                                        const orr_lua_faults *given);

/* Pushes a table with all metrics of a run. */
void orr_lua_push_tasks_metrics(lua_State *L, const orr_malleable_result *result);

void orr_lua_open_malleable(lua_State *L);
