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

void orr_lua_try(lua_State *L, orr_status status, const orr_error *err)
{
    if (status != ORR_OK)
        orr_lua_raise(L, err);
}

const char *orr_lua_push_names(lua_State *L, const void *first, size_t size)
{
    luaL_Buffer names;
    const char *const *name = first;
    luaL_buffinit(L, &names);
    while (*name) {
        luaL_addstring(&names, name == first ? "" : ", ");
        luaL_addstring(&names, *name);
        name = (const void *)((const char *)name + size);
    }
    luaL_pushresult(&names);
    return lua_tostring(L, -1);
}

const char *orr_lua_push_key(lua_State *L, int index)
{
    int type = lua_type(L, index);
    if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TTHREAD)
        return lua_pushfstring(L, "a %s", lua_typename(L, type));
    return luaL_tolstring(L, index, NULL);
}

int orr_lua_unknown_field(lua_State *L, const char *what, const char *const *names)
{
    const char *known = orr_lua_push_names(L, names, sizeof *names);
    return luaL_error(L, "%s has no field '%s' (known: %s)", what, orr_lua_push_key(L, 2), known);
}
