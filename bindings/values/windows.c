/* Windows given by a user: core.windows, and the functions that add to its value. */
#include "bindings/values/windows.h"
#include "bindings/support/classes.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/nodes.h"
#include "bindings/values/values.h"

#include <math.h>

#define ORR_LUA_WINDOWS "orrery.windows"

ORR_LUA_GC(windows_gc, ORR_LUA_WINDOWS, orr_windows_destroy)

static orr_windows *check_windows(lua_State *L, int arg)
{
    return *(orr_windows **)luaL_checkudata(L, arg, ORR_LUA_WINDOWS);
}

/* NULL: none. */
static orr_windows *windows_option(lua_State *L, int index, const char *name, int64_t *count)
{
    *count = 0;
    bool any = lua_getfield(L, index, name) != LUA_TNIL;
    orr_windows *windows = any ? check_windows(L, -1) : NULL;
    lua_pop(L, 1);
    return windows;
}

const orr_window *orr_lua_windows_option(lua_State *L, int index, const char *name, int64_t *count)
{
    orr_windows *windows = windows_option(L, index, name, count);
    return windows ? orr_windows_list(windows, count) : NULL;
}

const orr_closing *orr_lua_closings_option(lua_State *L, int index, int64_t *count)
{
    orr_windows *windows = windows_option(L, index, "windows", count);
    return windows ? orr_windows_closings(windows, count) : NULL;
}

/* core.windows(procs, node_procs, { nodes =, pools = }): none yet, of a machine with these. */
static int make(lua_State *L)
{
    orr_error err;
    luaL_checktype(L, 3, LUA_TTABLE);
    orr_windows **slot = orr_lua_new_value(L, ORR_LUA_WINDOWS, sizeof *slot, 1);
    *slot = orr_windows_create((int32_t)luaL_checkinteger(L, 1), (int32_t)luaL_checkinteger(L, 2),
                               NULL, &err);
    if (!*slot)
        return orr_lua_raise(L, &err);
    int32_t pool_count;
    const orr_pool *pools = orr_lua_pools_option(L, 3, &pool_count);
    orr_windows_set_nodes(*slot, orr_lua_nodes_option(L, 3));
    orr_windows_set_pools(*slot, pools, pool_count);
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, -2, 1); /* keeps them */
    return 1;
}

/* core.read_windows(windows, kind, path, jobs) */
static int read_file(lua_State *L)
{
    static const char *const kinds[] = {[ORR_WINDOWS_MAINTENANCE] = "maintenance",
                                        [ORR_WINDOWS_SIZE] = "capacity",
                                        [ORR_WINDOWS_RESERVATIONS] = "reservations",
                                        NULL};
    orr_windows_kind kind = (orr_windows_kind)luaL_checkoption(L, 2, NULL, kinds);
    orr_error err;
    orr_lua_try(L,
                orr_read_windows(luaL_checkstring(L, 3), kind, orr_lua_check_jobs(L, 4),
                                 check_windows(L, 1), &err),
                &err);
    return 0;
}

/* A number of processors; the functions that use it refuse one that is too large. */
static int32_t procs_at(lua_State *L, int arg)
{
    lua_Integer procs = luaL_optinteger(L, arg, -1);
    return procs < -1 || procs > INT32_MAX ? INT32_MAX : (int32_t)procs;
}

/* core.add_window(windows, from, to, procs, nodes, user, job, machine): procs or nodes; user and
 * job are nil where it is not a reservation. machine: it is a drain, and `procs` are the
 * highest-numbered of `machine` processors. */
static int add(lua_State *L)
{
    orr_error err;
    orr_window one = {.from = luaL_checknumber(L, 2),
                      .to = luaL_checknumber(L, 3),
                      .first = ORR_WINDOW_HIGHEST,
                      .count = procs_at(L, 4),
                      .user = luaL_optstring(L, 6, NULL),
                      .job = luaL_optstring(L, 7, NULL),
                      .drains = !lua_isnoneornil(L, 8)};
    if (one.drains && one.count >= 0)
        one.first = procs_at(L, 8) - one.count;
    orr_lua_try(L, orr_windows_add(check_windows(L, 1), &one, luaL_optstring(L, 5, NULL), &err),
                &err);
    return 0;
}

/* core.close_pool(windows, from, to, name, amount) */
static int close_pool(lua_State *L)
{
    orr_error err;
    orr_lua_try(L,
                orr_windows_add_closing(check_windows(L, 1), luaL_checknumber(L, 2),
                                        luaL_checknumber(L, 3), luaL_checkstring(L, 4),
                                        luaL_checkinteger(L, 5), &err),
                &err);
    return 0;
}

static int add_size(lua_State *L)
{
    orr_error err;
    orr_lua_try(
        L, orr_windows_add_size(check_windows(L, 1), luaL_checknumber(L, 2), procs_at(L, 3), &err),
        &err);
    return 0;
}

/* core.strangers(windows, jobs): for whom reservations are though no job is theirs, as keys "user
 * ann" or "job 7". */
static int strangers(lua_State *L)
{
    int64_t count;
    const orr_window *list = orr_windows_list(check_windows(L, 1), &count);
    const orr_jobs *jobs = orr_lua_check_jobs(L, 2);
    lua_newtable(L);
    for (int64_t i = 0; i < count; i++) {
        if (!orr_window_is_reserved(&list[i]))
            continue;
        const char *user = list[i].user;
        lua_pushfstring(L, user ? "user %s" : "job %s", user ? user : list[i].job);
        lua_pushboolean(L, 1);
        lua_rawset(L, -3);
    }
    for (int32_t job = 0; job < jobs->count; job++) {
        const char *user = orr_jobs_label_text(jobs, job, ORR_LABEL_USER);
        lua_pushfstring(L, "job %s", orr_jobs_id(jobs, job));
        lua_pushnil(L);
        lua_rawset(L, -3);
        lua_pushfstring(L, "user %s", user ? user : "");
        lua_pushnil(L);
        lua_rawset(L, -3);
    }
    return 1;
}

void orr_lua_open_windows(lua_State *L)
{
    static const luaL_Reg functions[] = {{"windows", make},
                                         {"read_windows", read_file},
                                         {"add_window", add},
                                         {"add_size", add_size},
                                         {"close_pool", close_pool},
                                         {"strangers", strangers},
                                         {NULL, NULL}};
    static const orr_lua_class class = {.name = ORR_LUA_WINDOWS, .gc = windows_gc};
    orr_lua_new_class(L, &class);
    luaL_setfuncs(L, functions, 0);
}
