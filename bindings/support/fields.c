#include "bindings/support/fields.h"

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
