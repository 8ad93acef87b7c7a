/* Jobs and instances from Lua tables, for the native modules that run simulations. */
#pragma once

#include "native.h"

#include "schedule/schedule_internal.h"
#include "workload/nodes.h"

#include <math.h>
#include <string.h>

/* Everything that must be freed, also when a Lua error passes by. */
typedef struct world {
    orr_jobs *jobs;
    orr_instance in;
    orr_schedule schedule;
    orr_nodes *nodes;    /* or NULL */
    double *checkpoints; /* cost, recovery and period of every job, or NULL */
} world;

static inline int world_destroy(lua_State *L)
{
    world *w = lua_touserdata(L, 1);
    if (w->schedule.current)
        orr_schedule_destroy(&w->schedule);
    orr_instance_destroy(&w->in);
    orr_jobs_destroy(w->jobs);
    orr_nodes_destroy(w->nodes);
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

/* Says what a job, the table at `at`, needs of pools and nodes, and its labels. */
static inline void fill_needs(lua_State *L, int at, orr_jobs *jobs)
{
    static const char *const needs[] = {"lic", "mem", "gpu", ORR_NEED_NODES, ORR_NEED_EXCLUSIVE};
    orr_error err;
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        int32_t pool;
        if (lua_getfield(L, at, needs[i]) == LUA_TNUMBER &&
            (orr_jobs_add_pool(jobs, needs[i], &pool, &err) != ORR_OK ||
             orr_jobs_set_need(jobs, jobs->count - 1, pool, lua_tointeger(L, -1), &err) != ORR_OK))
            spec_raise(L, &err);
        lua_pop(L, 1);
    }
    for (int i = 0; i < 2; i++) {
        int32_t number;
        if (lua_getfield(L, at, i ? "partition" : "user") == LUA_TSTRING &&
            (orr_labels_number(&jobs->names, lua_tostring(L, -1), lua_rawlen(L, -1), &number,
                               &err) != ORR_OK ||
             orr_jobs_set_label(jobs, jobs->count - 1, i ? ORR_LABEL_PARTITION : ORR_LABEL_USER,
                                number, &err) != ORR_OK))
            spec_raise(L, &err);
        lua_pop(L, 1);
    }
}

/* A machine of nodes with `mem` and `gpu`: kinds = { { count =, procs =, mem =, gpu = } } and
 * partitions = { { name =, low =, high =, exclusive = } } of the table at index 1; NULL: none. */
static inline orr_nodes *spec_nodes(lua_State *L)
{
    static const char resources[][48] = {"mem", "gpu"};
    orr_node_kind kinds[8] = {{0}};
    orr_partition partitions[8];
    orr_node_run runs[8];
    orr_nodes_options o = {
        .size = sizeof o, .kinds = kinds, .resources = resources, .resource_count = 2};
    orr_error err;
    if (lua_getfield(L, 1, "kinds") == LUA_TTABLE)
        for (; o.kind_count < 8 && o.kind_count < (int32_t)lua_rawlen(L, -1); lua_pop(L, 1)) {
            lua_rawgeti(L, -1, o.kind_count + 1);
            int at = lua_gettop(L);
            kinds[o.kind_count++] = (orr_node_kind){
                spec_int(L, at, "count"),
                spec_int(L, at, "procs"),
                {(int64_t)spec_number(L, at, "mem"), (int64_t)spec_number(L, at, "gpu")}};
        }
    if (lua_getfield(L, 1, "partitions") == LUA_TTABLE)
        for (; o.partition_count < 8 && o.partition_count < (int32_t)lua_rawlen(L, -1);
             lua_pop(L, 3)) {
            lua_rawgeti(L, -1, o.partition_count + 1);
            int at = lua_gettop(L);
            runs[o.partition_count] =
                (orr_node_run){spec_int(L, at, "low"), spec_int(L, at, "high")};
            orr_partition *p = &partitions[o.partition_count];
            *p = (orr_partition){
                .runs = &runs[o.partition_count++], .run_count = 1, .max_time = INFINITY};
            lua_getfield(L, at, "exclusive");
            p->exclusive = lua_toboolean(L, -1);
            lua_getfield(L, at, "name");
            snprintf(p->name, sizeof p->name, "%s", luaL_checkstring(L, -1));
        }
    lua_pop(L, 2);
    o.partitions = o.partition_count > 0 ? partitions : NULL;
    if (o.kind_count == 0)
        return NULL;
    orr_nodes *nodes = orr_nodes_create(&o, NULL, &err);
    if (!nodes)
        spec_raise(L, &err);
    return nodes;
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
        lua_pop(L, 1);
        fill_needs(L, at, w->jobs);
        lua_pop(L, 1);
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
                          {.of = ORR_AMOUNT_JOBS, .per = ORR_PER_ALL, .most = INT64_MAX},
                          {.of = ORR_AMOUNT_WAITING, .per = ORR_LABEL_USER, .most = INT64_MAX}};
    static const char *const names[] = {"user_procs", "all_jobs", "user_waiting"};
    options.limits = limits;
    for (int i = 0; i < 3; i++) {
        options.limit_count = lua_getfield(L, 1, names[i]) ? i + 1 : options.limit_count;
        limits[i].most = luaL_optinteger(L, -1, INT64_MAX);
        lua_pop(L, 1);
    }
    options.nodes = w->nodes = spec_nodes(L);
    if (!w->jobs || orr_instance_create(&w->in, w->jobs, &options, NULL, &err) != ORR_OK)
        spec_raise(L, &err);
    return w;
}
