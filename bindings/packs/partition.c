/* Partitions that change, for local search, as Lua values. */
#include "bindings/packs/packs.h"
#include "bindings/support/classes.h"
#include "bindings/support/raise.h"

#include "packs/partition.h"

#include <lauxlib.h>
#include <math.h>

static orr_partition *check(lua_State *L)
{
    return orr_lua_check_packed(L, 1, ORR_LUA_PARTITION)->object;
}

ORR_LUA_GC(partition_gc, ORR_LUA_PARTITION, orr_partition_destroy)

ORR_LUA_GETTER(partition_len, lua_pushinteger, orr_partition_packs(check(L)))

static int partition_tostring(lua_State *L)
{
    const orr_partition *q = check(L);
    lua_pushfstring(L, "partition into %d packs: %f s", (int)orr_partition_packs(q),
                    orr_partition_cost(q));
    return 1;
}

/* The number of a pack at arg, or of one that is `more` behind the last. */
static int32_t check_pack(lua_State *L, const orr_partition *q, int arg, int more)
{
    return orr_lua_check_whole(L, arg, "the number of a pack", 1,
                               (int64_t)orr_partition_packs(q) + more) -
           1;
}

ORR_LUA_GETTER(partition_cost, lua_pushnumber, orr_partition_cost(check(L)))

ORR_LUA_GETTER_OF(partition_pack_cost, const orr_partition *q = check(L), lua_pushnumber,
                  orr_partition_pack_cost(q, check_pack(L, q, 2, 0)))

ORR_LUA_GETTER_OF(partition_pack_of, const orr_partition *q = check(L), lua_pushinteger,
                  orr_partition_pack_of(q, orr_lua_check_task(L, 2)) + 1)

ORR_LUA_GETTER_OF(partition_move_gain, orr_partition *q = check(L);
                  int32_t task = orr_lua_check_task(L, 2), lua_pushnumber,
                  orr_partition_move_gain(q, task, check_pack(L, q, 3, 1)))

ORR_LUA_GETTER_OF(partition_swap_gain, orr_partition *q = check(L);
                  int32_t a = orr_lua_check_task(L, 2);
                  int32_t b = orr_lua_check_task(L, 3), lua_pushnumber,
                  orr_partition_swap_gain(q, a, b))

static int push_best(lua_State *L, int32_t found, double gain)
{
    if (found < 0)
        lua_pushnil(L);
    else
        lua_pushinteger(L, found + 1);
    lua_pushnumber(L, gain);
    return 2;
}

static int partition_best_move(lua_State *L)
{
    orr_partition *q = check(L);
    int32_t pack;
    double gain = orr_partition_best_move(q, orr_lua_check_task(L, 2), &pack);
    return push_best(L, pack, gain);
}

static int partition_best_swap(lua_State *L)
{
    orr_partition *q = check(L);
    int32_t other;
    double gain = orr_partition_best_swap(q, orr_lua_check_task(L, 2), &other);
    return push_best(L, other, gain);
}

static int partition_move(lua_State *L)
{
    orr_partition *q = check(L);
    orr_error err;
    int32_t task = orr_lua_check_task(L, 2);
    orr_lua_try(L, orr_partition_move(q, task, check_pack(L, q, 3, 1), &err), &err);
    return 0;
}

static int partition_swap(lua_State *L)
{
    orr_partition *q = check(L);
    orr_error err;
    int32_t a = orr_lua_check_task(L, 2), b = orr_lua_check_task(L, 3);
    return orr_partition_swap(q, a, b, &err) == ORR_OK ? 0 : orr_lua_raise(L, &err);
}

ORR_LUA_MAKER(partition_coschedule, const orr_partition *q = check(L), ORR_LUA_COSCHEDULE,
              orr_partition_coschedule(q, &err))

void orr_lua_open_partition(lua_State *L)
{
#define METHOD(name) ORR_LUA_METHOD(partition, name)
    static const luaL_Reg methods[] = {
        METHOD(best_move), METHOD(best_swap), METHOD(coschedule), METHOD(cost),
        METHOD(move),      METHOD(move_gain), METHOD(pack_cost),  METHOD(pack_of),
        METHOD(swap),      METHOD(swap_gain), {NULL, NULL},
    };
    static const orr_lua_class class = {
        .name = ORR_LUA_PARTITION,
        .what = "partition",
        .methods = methods,
        .gc = partition_gc,
        .len = partition_len,
        .tostring = partition_tostring,
        .unknown = "a partition has no field '%s' (known: %s)",
    };
    orr_lua_new_class(L, &class);
}
