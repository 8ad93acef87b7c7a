/* Workloads, random numbers and expected times as Lua values. */
#pragma once

#include "bindings/support/classes.h"
#include "bindings/support/raise.h"

#include "workload/jobs.h"
#include "workload/tasks.h"
#include "workload/zone.h"

#include <lauxlib.h>
#include <lua.h>

#define ORR_LUA_RANDOM "orrery.random"
#define ORR_LUA_JOBS "orrery.jobs"
#define ORR_LUA_TASKS "orrery.tasks"

/* Opening functions: stack [module] -> [module]. */
void orr_lua_open_base(lua_State *L);
void orr_lua_open_workload(lua_State *L);
void orr_lua_open_workload_make(lua_State *L);
void orr_lua_open_remarks(lua_State *L);      /* [core] -> [core] */
void orr_lua_open_descriptions(lua_State *L); /* [core] -> [core] */
void orr_lua_open_tasks(lua_State *L);        /* [core] -> [core] */

/* Workloads as Lua values: a userdata that holds a pointer to the orr_jobs, or orr_tasks, that it
 * owns. new pushes a userdata that is still empty and is filled through the pointer, so that
 * nothing leaks when Lua has no memory. check raises an argument error, also for an empty userdata.
 * The pointer is valid as long as the Lua value. */
static inline orr_jobs **orr_lua_new_jobs(lua_State *L)
{
    return orr_lua_new_value(L, ORR_LUA_JOBS, sizeof(orr_jobs *), 0);
}

/* Returns the value on top to Lua, or raises the error. */
static inline int orr_lua_return_jobs(lua_State *L, orr_jobs *const *slot, const orr_error *err)
{
    return *slot == NULL ? orr_lua_raise(L, err) : 1;
}

/* When second 0 of a log without dates is, by a text with the time on the clocks of their zone. */
orr_status orr_lua_origin(const orr_jobs *jobs, const char *text, int64_t *us, orr_error *err);

/* The pools of the field `pools` of a table, as core.pools makes them; NULL where it has none. The
 * table keeps them alive. */
const orr_pool *orr_lua_pools_option(lua_State *L, int index, int32_t *count);

static inline const orr_jobs *orr_lua_check_jobs(lua_State *L, int arg)
{
    return orr_lua_check_owned(L, arg, ORR_LUA_JOBS, "these jobs have been released");
}

/* Adds the job of the table on top, which it pops; `position` is for errors; id and submission (s)
 * are the defaults. */
void orr_lua_add_job(lua_State *L, orr_jobs *jobs, lua_Integer position, const char *id,
                     double submit);

/* jobs:user_estimates(options), of jobs_make.c, and jobs:values(name), of description.c. */
int orr_lua_user_estimates(lua_State *L);
int orr_lua_jobs_values(lua_State *L);

static inline orr_tasks **orr_lua_new_tasks(lua_State *L)
{
    return orr_lua_new_value(L, ORR_LUA_TASKS, sizeof(orr_tasks *), 0);
}

static inline const orr_tasks *orr_lua_check_tasks(lua_State *L, int arg)
{
    return orr_lua_check_owned(L, arg, ORR_LUA_TASKS, "these tasks have been released");
}
