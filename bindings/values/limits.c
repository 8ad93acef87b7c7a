/* Limits given by a user: core.limits, and which jobs are under them. */
#include "bindings/values/limits.h"
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "workload/select.h"

#include <string.h>

#define ORR_LUA_LIMITS "orrery.limits"

typedef struct limits {
    int32_t count;
    orr_limit list[];
} limits;

const orr_limit *orr_lua_limit_option(lua_State *L, int index, int32_t *count)
{
    const limits *all = NULL;
    if (lua_getfield(L, index, "limit") != LUA_TNIL)
        all = luaL_checkudata(L, -1, ORR_LUA_LIMITS);
    lua_pop(L, 1);
    *count = all ? all->count : 0;
    return all ? all->list : NULL;
}

/* The number of a kind of labels; ORR_PER_ALL where it is none. */
static int32_t kind_of(const char *name)
{
    int32_t kind = 0;
    while (kind < ORR_LABEL_KINDS && strcmp(orr_label_name((orr_label)kind), name) != 0)
        kind++;
    return kind;
}

/* core.limits(list): of { of = "jobs" or "procs", most =, per = (a kind of labels, or "all"),
 * only = (nil) }, which the value keeps, with its texts. */
static int make(lua_State *L)
{
    static const char *const amounts[] = {
        [ORR_AMOUNT_JOBS] = "jobs", [ORR_AMOUNT_PROCS] = "procs", NULL};
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t count = lua_rawlen(L, 1);
    limits *all = orr_lua_new_value(L, ORR_LUA_LIMITS, sizeof *all + count * sizeof *all->list, 1);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, 2, 1);
    for (all->count = 0; (size_t)all->count < count; all->count++) {
        lua_rawgeti(L, 1, all->count + 1);
        lua_getfield(L, 3, "of");
        lua_getfield(L, 3, "per");
        lua_getfield(L, 3, "only");
        lua_getfield(L, 3, "most");
        all->list[all->count] = (orr_limit){.of = (orr_amount)luaL_checkoption(L, 4, NULL, amounts),
                                            .per = kind_of(luaL_checkstring(L, 5)),
                                            .value = lua_tostring(L, 6),
                                            .most = luaL_checkinteger(L, 7)};
        lua_settop(L, 2);
    }
    return 1;
}

/* core.within(jobs, limits): the jobs that exceed no limit alone, or the same workload where all
 * are; the number of the others, the id of the first, the number of the limit that it exceeds; and
 * how many jobs are under each limit. */
static int find_within(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    const limits *all = luaL_checkudata(L, 2, ORR_LUA_LIMITS);
    int32_t kept = 0, first = -1;
    lua_settop(L, 2);
    int32_t *positions = lua_newuserdatauv(L, ((size_t)jobs->count + 1) * sizeof *positions, 0);
    const orr_limit *by = NULL;
    for (int32_t j = 0; j < jobs->count; j++) {
        const orr_limit *over = orr_limit_exceeded(all->list, all->count, jobs, j);
        if (!over)
            positions[kept++] = j;
        by = first < 0 && over ? over : by;
        first = first < 0 && over ? j : first;
    }
    orr_error err;
    lua_pushvalue(L, 1);
    if (kept < jobs->count) {
        orr_jobs **some = orr_lua_new_jobs(L);
        *some = orr_jobs_pick(jobs, positions, kept, NULL, &err);
        if (!*some)
            return orr_lua_raise(L, &err);
    }
    lua_pushinteger(L, jobs->count - kept);
    lua_pushstring(L, first < 0 ? NULL : orr_jobs_id(jobs, first));
    lua_pushinteger(L, by ? by - all->list + 1 : 0);
    lua_createtable(L, all->count, 0);
    for (int32_t i = 0; i < all->count; i++) {
        lua_Integer under = 0;
        for (int32_t j = 0; j < jobs->count; j++)
            under += orr_limit_key(&all->list[i], jobs, j) > 0;
        lua_pushinteger(L, under);
        lua_rawseti(L, -2, i + 1);
    }
    return 5;
}

void orr_lua_open_limits(lua_State *L)
{
    static const luaL_Reg functions[] = {{"limits", make}, {"within", find_within}, {NULL, NULL}};
    static const orr_lua_class class = {.name = ORR_LUA_LIMITS};
    orr_lua_new_class(L, &class);
    luaL_setfuncs(L, functions, 0);
}
