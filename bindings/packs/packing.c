/* Packings that change, with the processors of their tasks, as Lua values. */
#include "bindings/packs/packs.h"
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"

#include "packs/packing.h"

#include <lauxlib.h>

static orr_packing *check(lua_State *L)
{
    return orr_lua_check_packed(L, 1, ORR_LUA_PACKING)->object;
}

ORR_LUA_GC(packing_gc, ORR_LUA_PACKING, orr_packing_destroy)

static int packing_tostring(lua_State *L)
{
    lua_pushfstring(L, "packing: %f s", orr_packing_cost(check(L)));
    return 1;
}

/* The number of a pack at arg: 1 to the number of tasks. */
static int32_t check_pack(lua_State *L, int arg)
{
    return orr_lua_check_whole(L, arg, "the number of a pack", 1, orr_lua_problem_of(L)->count) - 1;
}

static int32_t check_procs(lua_State *L, int arg)
{
    return orr_lua_check_whole(L, arg, "a number of processors", 1, orr_lua_problem_of(L)->procs);
}

ORR_LUA_GETTER(packing_cost, lua_pushnumber, orr_packing_cost(check(L)))

static int packing_pack_cost(lua_State *L)
{
    const orr_packing *q = check(L);
    lua_pushnumber(L, orr_packing_pack_cost(q, check_pack(L, 2)));
    return 1;
}

static int packing_free(lua_State *L)
{
    const orr_packing *q = check(L);
    lua_pushinteger(L, orr_packing_free(q, check_pack(L, 2)));
    return 1;
}

static int packing_tasks(lua_State *L)
{
    const orr_packing *q = check(L);
    lua_pushinteger(L, orr_packing_tasks(q, check_pack(L, 2)));
    return 1;
}

static int packing_empty(lua_State *L)
{
    int32_t pack = orr_packing_empty(check(L));
    if (pack < 0)
        lua_pushnil(L);
    else
        lua_pushinteger(L, pack + 1);
    return 1;
}

static int packing_pack_of(lua_State *L)
{
    const orr_packing *q = check(L);
    lua_pushinteger(L, orr_packing_pack_of(q, orr_lua_check_task(L, 2)) + 1);
    return 1;
}

static int packing_procs(lua_State *L)
{
    const orr_packing *q = check(L);
    lua_pushinteger(L, orr_packing_procs(q, orr_lua_check_task(L, 2)));
    return 1;
}

/* packing:cost_with(task, pack, procs) */
static int packing_cost_with(lua_State *L)
{
    const orr_packing *q = check(L);
    int32_t task = orr_lua_check_task(L, 2), pack = check_pack(L, 3), procs = check_procs(L, 4);
    lua_pushnumber(L, orr_packing_cost_with(q, task, pack, procs));
    return 1;
}

/* packing:move(task, pack, procs) */
static int packing_move(lua_State *L)
{
    orr_packing *q = check(L);
    orr_error err;
    int32_t task = orr_lua_check_task(L, 2), pack = check_pack(L, 3), procs = check_procs(L, 4);
    orr_lua_try(L, orr_packing_move(q, task, pack, procs, &err), &err);
    return 0;
}

static int packing_coschedule(lua_State *L)
{
    const orr_packing *q = check(L);
    orr_error err;
    lua_getiuservalue(L, 1, 1);
    orr_lua_packed *value = orr_lua_new_packed(L, -1, ORR_LUA_COSCHEDULE);
    return orr_lua_set_packed(L, value, orr_packing_coschedule(q, &err), &err);
}

void orr_lua_open_packing(lua_State *L)
{
    static const luaL_Reg methods[] = {{"cost", packing_cost},
                                       {"cost_with", packing_cost_with},
                                       {"coschedule", packing_coschedule},
                                       {"empty", packing_empty},
                                       {"free", packing_free},
                                       {"move", packing_move},
                                       {"pack_cost", packing_pack_cost},
                                       {"pack_of", packing_pack_of},
                                       {"procs", packing_procs},
                                       {"tasks", packing_tasks},
                                       {NULL, NULL}};
    static const orr_lua_class class = {
        .name = ORR_LUA_PACKING,
        .what = "packing",
        .methods = methods,
        .gc = packing_gc,
        .tostring = packing_tostring,
        .unknown = "a packing has no field '%s' (known: %s)",
    };
    orr_lua_new_class(L, &class);
}
