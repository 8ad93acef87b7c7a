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

ORR_LUA_GETTER_OF(packing_pack_cost, const orr_packing *q = check(L), lua_pushnumber,
                  orr_packing_pack_cost(q, check_pack(L, 2)))

ORR_LUA_GETTER_OF(packing_free, const orr_packing *q = check(L), lua_pushinteger,
                  orr_packing_free(q, check_pack(L, 2)))

ORR_LUA_GETTER_OF(packing_tasks, const orr_packing *q = check(L), lua_pushinteger,
                  orr_packing_tasks(q, check_pack(L, 2)))

static int packing_empty(lua_State *L)
{
    int32_t pack = orr_packing_empty(check(L));
    if (pack < 0)
        lua_pushnil(L);
    else
        lua_pushinteger(L, pack + 1);
    return 1;
}

ORR_LUA_GETTER_OF(packing_pack_of, const orr_packing *q = check(L), lua_pushinteger,
                  orr_packing_pack_of(q, orr_lua_check_task(L, 2)) + 1)

ORR_LUA_GETTER_OF(packing_procs, const orr_packing *q = check(L), lua_pushinteger,
                  orr_packing_procs(q, orr_lua_check_task(L, 2)))

static int packing_cost_with(lua_State *L)
{
    const orr_packing *q = check(L);
    int32_t task = orr_lua_check_task(L, 2), pack = check_pack(L, 3), procs = check_procs(L, 4);
    lua_pushnumber(L, orr_packing_cost_with(q, task, pack, procs));
    return 1;
}

static int packing_move(lua_State *L)
{
    orr_packing *q = check(L);
    orr_error err;
    int32_t task = orr_lua_check_task(L, 2), pack = check_pack(L, 3), procs = check_procs(L, 4);
    orr_lua_try(L, orr_packing_move(q, task, pack, procs, &err), &err);
    return 0;
}

ORR_LUA_MAKER(packing_coschedule, const orr_packing *q = check(L), ORR_LUA_COSCHEDULE,
              orr_packing_coschedule(q, &err))

void orr_lua_open_packing(lua_State *L)
{
#define METHOD(name) ORR_LUA_METHOD(packing, name)
    static const luaL_Reg methods[] = {
        METHOD(cost),  METHOD(cost_with), METHOD(coschedule), METHOD(empty),
        METHOD(free),  METHOD(move),      METHOD(pack_cost),  METHOD(pack_of),
        METHOD(procs), METHOD(tasks),     {NULL, NULL},
    };
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
