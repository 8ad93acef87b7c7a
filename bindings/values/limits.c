/* Limits given by a user: core.limits, and which jobs are under them. */
#include "bindings/values/limits.h"
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "workload/select.h"

#include <string.h>

#define ORR_LUA_LIMITS "orrery.limits"

const orr_limit *orr_lua_limit_option(lua_State *L, int index, int32_t *count)
{
    const orr_limit *list = NULL;
    *count = 0;
    if (lua_getfield(L, index, "limit") != LUA_TNIL) {
        list = luaL_checkudata(L, -1, ORR_LUA_LIMITS);
        *count = (int32_t)(lua_rawlen(L, -1) / sizeof *list);
    }
    lua_pop(L, 1);
    return list;
}

/* core.limits(list): of { of = "jobs", "procs", "waiting" or what the machine has, most =, per = (a
 * kind of labels, or "all"), only = (of all) }. */
static int make(lua_State *L)
{
    size_t count = lua_rawlen(L, 1);
    orr_limit *list = orr_lua_new_value(L, ORR_LUA_LIMITS, count * sizeof *list, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        lua_getfield(L, 3, "of");
        lua_getfield(L, 3, "per");
        lua_getfield(L, 3, "only");
        lua_getfield(L, 3, "most");
        static const char *const amounts[] = {"jobs", "procs", "waiting"};
        const char *of = luaL_checkstring(L, 4);
        const char *per = luaL_checkstring(L, 5), *only = luaL_optstring(L, 6, "");
        list[i] = (orr_limit){.most = luaL_checkinteger(L, 7), .number = -1};
        while (list[i].of < ORR_AMOUNT_NEED && strcmp(amounts[list[i].of], of) != 0)
            list[i].of++;
        if (list[i].of == ORR_AMOUNT_NEED)
            snprintf(list[i].need, sizeof list[i].need, "%s", of);
        while (list[i].per < ORR_PER_ALL &&
               strcmp(orr_label_name((orr_label)list[i].per), per) != 0)
            list[i].per++;
        luaL_argcheck(L, strlen(only) < sizeof list[i].only, 1, "a label is too long");
        snprintf(list[i].only, sizeof list[i].only, "%s", only);
        lua_settop(L, 2);
    }
    return 1;
}

/* The number of the first limit that a job alone exceeds, or, counted behind them, of the pool of
 * which it needs more than there is; 0: it can start. */
static int32_t number_exceeded(const orr_jobs *jobs, int32_t j, const orr_limit *limits,
                               int32_t limit_count, const orr_pool *pools, int32_t pool_count)
{
    const orr_limit *over = orr_limit_exceeded(limits, limit_count, jobs, j);
    for (int32_t i = 0; !over && i < pool_count; i++)
        if (orr_jobs_need(jobs, j, orr_jobs_find_pool(jobs, pools[i].name)) > pools[i].amount)
            return limit_count + i + 1;
    return over ? (int32_t)(over - limits) + 1 : 0;
}

/* core.within(jobs, { limit =, pools = }): the jobs that exceed no limit or pool alone; the
 * position of the first other one, or nil, and the number of the limit or pool that it exceeds; how
 * many jobs are under each limit. */
static int find_within(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    int32_t kept = 0, first = -1, by = 0, count, pool_count;
    const orr_limit *list = orr_lua_limit_option(L, 2, &count);
    const orr_pool *pools = orr_lua_pools_option(L, 2, &pool_count);
    int32_t *positions = lua_newuserdatauv(L, ((size_t)jobs->count + 1) * sizeof *positions, 0);
    lua_Integer under[ORR_MOST_LIMITS] = {0};
    for (int32_t j = 0; j < jobs->count; j++) {
        int32_t over = number_exceeded(jobs, j, list, count, pools, pool_count);
        if (over == 0)
            positions[kept++] = j;
        by = first < 0 ? over : by;
        first = over > 0 && first < 0 ? j : first;
        for (int32_t i = 0; i < count; i++)
            under[i] += orr_limit_key(&list[i], jobs, j) > 0;
    }
    orr_error err;
    lua_pushvalue(L, 1);
    if (first >= 0) {
        orr_jobs **some = orr_lua_new_jobs(L);
        if (!(*some = orr_jobs_pick(jobs, positions, kept, NULL, &err)))
            return orr_lua_raise(L, &err);
        lua_pushinteger(L, first + 1);
        lua_pushinteger(L, by);
    } else {
        lua_pushnil(L);
        lua_pushnil(L);
    }
    for (int32_t i = 0; i < count; i++)
        lua_pushinteger(L, under[i]);
    return 3 + count;
}

void orr_lua_open_limits(lua_State *L)
{
    static const luaL_Reg functions[] = {{"limits", make}, {"within", find_within}, {NULL, NULL}};
    static const orr_lua_class class = {.name = ORR_LUA_LIMITS};
    orr_lua_new_class(L, &class);
    luaL_setfuncs(L, functions, 0);
}
