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
    double *checkpoints; /* cost, recovery and period of every job, or NULL */
} world;

static inline int world_destroy(lua_State *L)
{
    world *w = lua_touserdata(L, 1);
    if (w->schedule.current)
        ori_schedule_destroy(&w->schedule);
    orr_instance_destroy(&w->in);
    orr_jobs_destroy(w->jobs);
    free(w->checkpoints);
    memset(w, 0, sizeof *w);
    return 0;
}

/* A window: the table at `at`, { from =, to =, first =, count =, user =, job = }, whose texts are
 * borrowed. */
static inline orr_window spec_window(lua_State *L, int at)
{
    orr_window w = {.from = spec_number(L, at, "from"),
                    .to = spec_number(L, at, "to"),
                    .first = (int32_t)spec_number(L, at, "first"),
                    .count = (int32_t)spec_number(L, at, "count")};
    lua_getfield(L, at, "user");
    lua_getfield(L, at, "job");
    lua_getfield(L, at, "drains");
    lua_getfield(L, at, "lets_end");
    w.user = lua_tostring(L, -4);
    w.job = lua_tostring(L, -3);
    w.drains = lua_toboolean(L, -2);
    w.lets_end = lua_toboolean(L, -1);
    lua_pop(L, 4);
    return w;
}

/* What jobs pay, from a list { { cost =, recovery =, period = (none) }, ... } at the top. */
static inline void fill_checkpoints(lua_State *L, world *w, orr_checkpoints *c)
{
    size_t count = (size_t)w->jobs->count;
    w->checkpoints = malloc((3 * count + 1) * sizeof(double));
    *c = (orr_checkpoints){.cost = w->checkpoints,
                           .recovery = w->checkpoints + count,
                           .period = w->checkpoints + 2 * count};
    lua_getfield(L, 1, "before");
    c->before = (unsigned)luaL_optinteger(L, -1, 0);
    lua_getfield(L, 1, "requeue_killed");
    c->requeue_killed = lua_toboolean(L, -1);
    lua_pop(L, 2);
    for (size_t j = 0; j < count; j++) {
        lua_rawgeti(L, -1, (lua_Integer)j + 1);
        int at = lua_gettop(L);
        w->checkpoints[j] = spec_number(L, at, "cost");
        w->checkpoints[count + j] = spec_number(L, at, "recovery");
        lua_getfield(L, at, "period");
        w->checkpoints[2 * count + j] = luaL_optnumber(L, -1, INFINITY);
        lua_pop(L, 2);
    }
}

/* The world of a table { procs =, verification =, walltimes = "log", { procs =, time =, submit =,
 * walltime = }, ..., checkpoints = as above, or none, before =, requeue_killed = } at index 1. */
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
        if (lua_getfield(L, at, "user") == LUA_TSTRING) {
            const char *user = lua_tostring(L, -1);
            int32_t number;
            if (orr_labels_number(&w->jobs->names, user, strlen(user), &number, &err) != ORR_OK ||
                orr_jobs_set_label(w->jobs, w->jobs->count - 1, ORR_LABEL_USER, number, &err) !=
                    ORR_OK)
                spec_raise(L, &err);
        }
        int32_t pool;
        if (lua_getfield(L, at, "lic") == LUA_TNUMBER &&
            (orr_jobs_add_pool(w->jobs, "lic", &pool, &err) != ORR_OK ||
             orr_jobs_set_need(w->jobs, w->jobs->count - 1, pool, lua_tointeger(L, -1), &err) !=
                 ORR_OK))
            spec_raise(L, &err);
        lua_pop(L, 4);
    }
    lua_getfield(L, 1, "walltimes");
    orr_instance_options options = {.size = sizeof(orr_instance_options),
                                    .procs = (int32_t)spec_number(L, 1, "procs"),
                                    .log_walltimes = lua_toboolean(L, -1),
                                    .verification = spec_number(L, 1, "verification")};
    lua_pop(L, 1);
    if (lua_getfield(L, 1, "checkpoints") == LUA_TTABLE && w->jobs)
        fill_checkpoints(L, w, &options.checkpoints);
    lua_pop(L, 1);
    orr_pool lic = {.name = "lic"};
    if (lua_getfield(L, 1, "lic") == LUA_TNUMBER) {
        lic.amount = lua_tointeger(L, -1);
        options.pools = &lic;
        options.pool_count = 1;
    }
    lua_pop(L, 1);
    orr_limit limits[] = {{.of = ORR_AMOUNT_PROCS, .per = ORR_LABEL_USER, .most = INT64_MAX},
                          {.of = ORR_AMOUNT_JOBS, .per = ORR_PER_ALL, .most = INT64_MAX}};
    lua_getfield(L, 1, "user_procs"); /* limits */
    lua_getfield(L, 1, "all_jobs");
    limits[0].most = luaL_optinteger(L, -2, INT64_MAX);
    limits[1].most = luaL_optinteger(L, -1, INT64_MAX);
    options.limits = limits;
    options.limit_count = lua_isnil(L, -2) && lua_isnil(L, -1) ? 0 : 2;
    lua_pop(L, 2);
    if (!w->jobs || orr_instance_create(&w->in, w->jobs, &options, NULL, &err) != ORR_OK)
        spec_raise(L, &err);
    return w;
}
