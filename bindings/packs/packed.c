/* The common part of problems of packs and the values made from them: arguments, and the references
 * that keep values alive. */
#include "bindings/packs/packs.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>

int32_t orr_lua_check_whole(lua_State *L, int arg, const char *what, int64_t low, int64_t high)
{
    int is_whole;
    lua_Integer value = lua_tointegerx(L, arg, &is_whole);
    if (!is_whole || lua_type(L, arg) != LUA_TNUMBER || value < low || value > high)
        luaL_error(L, "%s must be a whole number from %I to %I, not %s", what, (LUAI_UACINT)low,
                   (LUAI_UACINT)high, orr_lua_push_key(L, arg));
    return (int32_t)value;
}

int32_t orr_lua_check_position(lua_State *L, const orr_pack_problem *problem, int arg)
{
    return orr_lua_check_whole(L, arg, "the position of a task", 1, problem->count) - 1;
}

int32_t orr_lua_check_task(lua_State *L, int arg)
{
    return orr_lua_check_position(L, orr_lua_problem_of(L), arg);
}

int32_t *orr_lua_check_integers(lua_State *L, int arg, const char *what, int64_t low, int64_t high,
                                int32_t *count)
{
    arg = lua_absindex(L, arg);
    if (!lua_istable(L, arg))
        luaL_error(L, "expected a list, each of it %s, found %s", what, luaL_typename(L, arg));
    lua_Unsigned length = lua_rawlen(L, arg);
    if (length > INT32_MAX)
        luaL_error(L, "a list of %I is too long", (LUAI_UACINT)length);
    int32_t *values = lua_newuserdatauv(L, ((size_t)length + 1) * sizeof *values, 0);
    for (lua_Unsigned i = 0; i < length; i++) {
        lua_rawgeti(L, arg, (lua_Integer)i + 1);
        values[i] = orr_lua_check_whole(L, -1, what, low, high);
        lua_pop(L, 1);
    }
    *count = (int32_t)length;
    return values;
}

const orr_pack_problem *orr_lua_check_problem(lua_State *L, int arg)
{
    const orr_lua_problem *value = luaL_checkudata(L, arg, ORR_LUA_PACK_PROBLEM);
    luaL_argcheck(L, value->problem != NULL, arg,
                  value->lent ? "this problem was lent for one call of the policy, which is over"
                              : "this problem has been released");
    return value->problem;
}

orr_lua_packed *orr_lua_new_packed(lua_State *L, int from, const char *metatable)
{
    orr_lua_packed *value = orr_lua_new_value(L, metatable, sizeof *value, 1);
    if (luaL_testudata(L, from, ORR_LUA_PACK_PROBLEM))
        lua_pushvalue(L, from);
    else
        lua_getiuservalue(L, from, 1);
    orr_lua_check_problem(L, -1);
    value->from = lua_touserdata(L, -1);
    lua_setiuservalue(L, -2, 1);
    return value;
}

orr_lua_packed *orr_lua_check_packed(lua_State *L, int arg, const char *metatable)
{
    orr_lua_packed *value = luaL_checkudata(L, arg, metatable);
    luaL_argcheck(L, value->object != NULL, arg, "it has been released");
    luaL_argcheck(L, value->from->problem != NULL, arg,
                  "its problem was lent for one call of the policy, which is over");
    return value;
}

int orr_lua_set_packed(lua_State *L, orr_lua_packed *value, void *object, const orr_error *err)
{
    if (object == NULL)
        return orr_lua_raise(L, err);
    value->object = object;
    return 1;
}
