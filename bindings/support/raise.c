/* Errors of the kernel as Lua errors, and what is said of a field that is not there: a file of its
 * own, since all others raise. */
#include "bindings/support/raise.h"

#include <lauxlib.h>

int orr_lua_raise(lua_State *L, const orr_error *err)
{
    if (err->status == ORR_ERR_ARGUMENT)
        luaL_where(L, 1);
    else
        lua_pushliteral(L, "");
    lua_pushstring(L, err->message);
    lua_concat(L, 2);
    return lua_error(L);
}

int orr_lua_unknown_field(lua_State *L, const char *what, const char *const *names)
{
    luaL_Buffer known;
    luaL_buffinit(L, &known);
    for (int i = 0; names[i]; i++) {
        if (i > 0)
            luaL_addstring(&known, ", ");
        luaL_addstring(&known, names[i]);
    }
    luaL_pushresult(&known);
    const char *names_known = lua_tostring(L, -1), *name = luaL_tolstring(L, 2, NULL);
    return luaL_error(L, "%s has no field '%s' (known: %s)", what, name, names_known);
}
