/* Jobs and instances from Lua tables, for the native modules that run simulations. */
#pragma once

#include "native.h"

#include "schedule/schedule_internal.h"

#include <math.h>
#include <string.h>

/* Everything that must be freed, also when a Lua error passes by. */
typedef struct world {
    orr_jobs *jobs;
    orr_instance in;
    orr_schedule schedule;
} world;

static inline int world_destroy(lua_State *L)
{
    world *w = lua_touserdata(L, 1);
    if (w->schedule.current)
        ori_schedule_destroy(&w->schedule);
    orr_instance_destroy(&w->in);
    orr_jobs_destroy(w->jobs);
    memset(w, 0, sizeof *w);
    return 0;
}

/* The world of a table { procs =, verification =, walltimes = "log", { procs =, time =, submit =,
 * walltime = }, ... } at index 1. */
static inline world *push_world(lua_State *L)
{
    world *w = lua_newuserdatauv(L, sizeof *w, 0);
    memset(w, 0, sizeof *w);
    if (luaL_newmetatable(L, "native.world")) {
        lua_pushcfunction(L, world_destroy);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    orr_error err;
    w->jobs = orr_jobs_create(NULL, &err);
    for (lua_Integer i = 1; w->jobs && i <= (lua_Integer)lua_rawlen(L, 1); i++) {
        lua_rawgeti(L, 1, i);
        int at = lua_gettop(L);
        lua_getfield(L, at, "walltime");
        double walltime = luaL_optnumber(L, -1, NAN);
        if (orr_jobs_add(w->jobs, NULL, spec_number(L, at, "submit"),
                         (int32_t)spec_number(L, at, "procs"), spec_number(L, at, "time"), walltime,
                         &err) != ORR_OK)
            spec_raise(L, &err);
        lua_pop(L, 2);
    }
    lua_getfield(L, 1, "walltimes");
    orr_instance_options options = {.size = sizeof(orr_instance_options),
                                    .procs = (int32_t)spec_number(L, 1, "procs"),
                                    .log_walltimes = lua_toboolean(L, -1),
                                    .verification = spec_number(L, 1, "verification")};
    lua_pop(L, 1);
    if (!w->jobs || orr_instance_create(&w->in, w->jobs, &options, NULL, &err) != ORR_OK)
        spec_raise(L, &err);
    return w;
}
