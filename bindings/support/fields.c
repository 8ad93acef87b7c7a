/* Fields of tables: a file of its own, since every folder fills some. */
#include "bindings/support/fields.h"

#include <lauxlib.h>
#include <math.h>

void orr_lua_set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

void orr_lua_set_integer(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

void orr_lua_set_text(lua_State *L, const char *name, const char *text)
{
    lua_pushstring(L, text); /* nil for NULL */
    lua_setfield(L, -2, name);
}

void orr_lua_set_known(lua_State *L, const char *name, double value)
{
    if (!isnan(value))
        orr_lua_set_number(L, name, value);
}

int orr_lua_push_verdict(lua_State *L, orr_status status, const orr_error *err)
{
    if (status == ORR_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, err->message);
    return 2;
}

int orr_lua_take_function(lua_State *L, const char *name)
{
    if (lua_getfield(L, -1, name) != LUA_TFUNCTION) {
        lua_pop(L, 1);
        return LUA_NOREF;
    }
    return luaL_ref(L, LUA_REGISTRYINDEX);
}

const char *orr_lua_take_text(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    const char *text = lua_tostring(L, -1); /* stays alive in the table */
    lua_pop(L, 1);
    return text ? text : "";
}
