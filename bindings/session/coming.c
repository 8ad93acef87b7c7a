/* The times at which a session's jobs were submitted one by one. */
#include "bindings/session/session.h"
#include "bindings/support/classes.h"

#include <stdlib.h>

#define COMING "orrery.coming"

struct orr_coming {
    const orr_lua_class *class; /* first: see orr_lua_check_coming */
    orr_came *list;
    int64_t count, capacity;
};

static const orr_lua_class class_of_coming;

orr_coming *orr_lua_check_coming(lua_State *L, int index)
{
    orr_coming *coming = orr_lua_test_tagged(L, index, &class_of_coming);
    return coming ? coming : luaL_checkudata(L, index, COMING);
}

static int coming_gc(lua_State *L)
{
    orr_coming *coming = orr_lua_check_coming(L, 1);
    free(coming->list);
    coming->list = NULL;
    coming->count = coming->capacity = 0;
    return 0;
}

bool orr_coming_reserve(orr_coming *coming)
{
    if (coming->count < coming->capacity)
        return true;
    int64_t capacity = 16 + 2 * coming->capacity;
    orr_came *list = realloc(coming->list, (size_t)capacity * sizeof *list);
    if (!list)
        return false;
    coming->list = list;
    coming->capacity = capacity;
    return true;
}

void orr_coming_add(orr_coming *coming, orr_came came)
{
    coming->list[coming->count++] = came;
}

/* coming:add(time, last, at_once) */
static int coming_add(lua_State *L)
{
    orr_coming *coming = orr_lua_check_coming(L, 1);
    orr_came came = {luaL_checknumber(L, 2), (int32_t)luaL_checkinteger(L, 3), lua_toboolean(L, 4)};
    if (!orr_coming_reserve(coming))
        return luaL_error(L, "not enough memory");
    orr_coming_add(coming, came);
    return 0;
}

/* coming:get(k): the k-th added entry. */
static int coming_get(lua_State *L)
{
    const orr_coming *coming = orr_lua_check_coming(L, 1);
    lua_Integer k = luaL_checkinteger(L, 2);
    luaL_argcheck(L, k >= 1 && k <= coming->count, 2, "out of range");
    const orr_came *came = &coming->list[k - 1];
    lua_pushnumber(L, came->time);
    lua_pushinteger(L, came->last);
    lua_pushboolean(L, came->at_once);
    return 3;
}

/* coming:up_to(time): how many came no later. */
static int coming_up_to(lua_State *L)
{
    const orr_coming *coming = orr_lua_check_coming(L, 1);
    double time = luaL_checknumber(L, 2);
    int64_t count = coming->count;
    while (count > 0 && coming->list[count - 1].time > time)
        count--;
    lua_pushinteger(L, count);
    return 1;
}

ORR_LUA_GETTER(coming_count, lua_pushinteger, orr_lua_check_coming(L, 1)->count)

static const luaL_Reg methods[] = {
    {"add", coming_add}, {"get", coming_get}, {"up_to", coming_up_to}, {NULL, NULL}};

static const orr_lua_class class_of_coming = {
    .name = COMING, .methods = methods, .gc = coming_gc, .len = coming_count};

/* core.coming(ids): an empty list; ids, which are not copied, are the ids of all jobs of the
 * session. */
static int new_coming(lua_State *L)
{
    lua_settop(L, 1);
    orr_lua_new_class(L, &class_of_coming);
    orr_coming *coming = orr_lua_new_value(L, COMING, sizeof *coming, ORR_COMING_IDS);
    coming->class = &class_of_coming;
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, ORR_COMING_IDS);
    return 1;
}

void orr_lua_open_coming(lua_State *L)
{
    lua_pushcfunction(L, new_coming);
    lua_setfield(L, -2, "coming");
}
