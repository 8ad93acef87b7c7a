/* Allocations under construction as Lua values: policies for packs loop over them. */
#include "bindings/packs/packs.h"
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <math.h>

static orr_allocation *check(lua_State *L)
{
    return orr_lua_check_packed(L, 1, ORR_LUA_ALLOCATION)->object;
}

ORR_LUA_GC(allocation_gc, ORR_LUA_ALLOCATION, orr_allocation_destroy)

ORR_LUA_GETTER(allocation_len, lua_pushinteger, orr_allocation_listed(check(L)))

static int allocation_tostring(lua_State *L)
{
    int32_t listed = orr_allocation_listed(check(L));
    lua_pushfstring(L, "allocation: %d of %d tasks in the list", (int)listed,
                    (int)orr_lua_problem_of(L)->count);
    return 1;
}

static int push_head(lua_State *L, const orr_allocation *a)
{
    int32_t head = orr_allocation_head(a);
    if (head < 0) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushinteger(L, head + 1);
    lua_pushinteger(L, orr_allocation_procs(a, head));
    lua_pushnumber(L, orr_allocation_time(a, head));
    return 3;
}

static int allocation_head(lua_State *L)
{
    return push_head(L, check(L));
}

ORR_LUA_GETTER_OF(allocation_procs, const orr_allocation *a = check(L), lua_pushinteger,
                  orr_allocation_procs(a, orr_lua_check_task(L, 2)))

ORR_LUA_GETTER_OF(allocation_time, const orr_allocation *a = check(L), lua_pushnumber,
                  orr_allocation_time(a, orr_lua_check_task(L, 2)))

static int allocation_raise(lua_State *L)
{
    orr_error err;
    return orr_allocation_raise(check(L), &err) == ORR_OK ? 0 : orr_lua_raise(L, &err);
}

/* --- PACK-BY-PACK ---------------------------------------------------------------------------- */

ORR_LUA_GETTER(allocation_requested, lua_pushinteger,
               orr_allocation_requested(check(L), luaL_checknumber(L, 2)))

static int allocation_grow(lua_State *L)
{
    orr_allocation *a = check(L);
    orr_error err;
    orr_lua_try(L, orr_allocation_grow(a, luaL_checknumber(L, 2), &err), &err);
    return push_head(L, a);
}

static int allocation_take(lua_State *L)
{
    orr_allocation *a = check(L);
    const orr_pack_problem *problem = orr_lua_problem_of(L);
    double time = luaL_checknumber(L, 2);
    int32_t *taken = lua_newuserdatauv(L, (size_t)problem->most * sizeof *taken, 0);
    orr_lua_push_integers(L, taken, orr_allocation_take(a, time, taken), 1);
    return 1;
}

static int allocation_take_fullest(lua_State *L)
{
    orr_allocation *a = check(L);
    const orr_pack_problem *problem = orr_lua_problem_of(L);
    double time = luaL_checknumber(L, 2);
    int32_t count, *taken = lua_newuserdatauv(L, (size_t)problem->most * sizeof *taken, 0);
    orr_error err;
    orr_lua_try(L, orr_allocation_take_fullest(a, time, taken, &count, &err), &err);
    orr_lua_push_integers(L, taken, count, 1);
    return 1;
}

/* --- PACK-APPROX ----------------------------------------------------------------------------- */

static orr_allocation *check_whole(lua_State *L)
{
    orr_allocation *a = check(L);
    const orr_pack_problem *problem = orr_lua_problem_of(L);
    int32_t taken = problem->count - orr_allocation_listed(a);
    if (taken > 0)
        luaL_error(L, "%d of %d tasks have been taken out of the list", (int)taken,
                   (int)problem->count);
    return a;
}

ORR_LUA_GETTER(allocation_work, lua_pushnumber, orr_allocation_work(check_whole(L)))

ORR_LUA_GETTER(allocation_is_saturated, lua_pushboolean,
               orr_allocation_is_saturated(check_whole(L)))

/* a:pack_cost([limit]): nil where the cost is not below the limit */
static int allocation_pack_cost(lua_State *L)
{
    orr_allocation *a = check_whole(L);
    double cost = orr_allocation_pack_cost(a, luaL_optnumber(L, 2, (lua_Number)INFINITY));
    if (isinf(cost))
        lua_pushnil(L);
    else
        lua_pushnumber(L, cost);
    return 1;
}

ORR_LUA_MAKER(allocation_make_pack, orr_allocation *a = check_whole(L), ORR_LUA_COSCHEDULE,
              orr_allocation_make_pack(a, &err))

ORR_LUA_GETTER(allocation_mark, lua_pushinteger, orr_allocation_mark(check(L)))

static int allocation_rewind(lua_State *L)
{
    orr_allocation *a = check_whole(L);
    orr_error err;
    orr_lua_try(L, orr_allocation_rewind(a, luaL_checkinteger(L, 2), &err), &err);
    return 0;
}

void orr_lua_open_allocation(lua_State *L)
{
#define METHOD(name) ORR_LUA_METHOD(allocation, name)
    static const luaL_Reg methods[] = {
        METHOD(grow),      METHOD(head),      METHOD(is_saturated), METHOD(make_pack),
        METHOD(mark),      METHOD(pack_cost), METHOD(procs),        METHOD(raise),
        METHOD(requested), METHOD(rewind),    METHOD(take),         METHOD(take_fullest),
        METHOD(time),      METHOD(work),      {NULL, NULL},
    };
    static const orr_lua_class class = {
        .name = ORR_LUA_ALLOCATION,
        .what = "allocation",
        .methods = methods,
        .gc = allocation_gc,
        .len = allocation_len,
        .tostring = allocation_tostring,
        .unknown = "an allocation has no field '%s' (known: %s)",
    };
    orr_lua_new_class(L, &class);
}
