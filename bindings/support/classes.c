/* Classes of userdata: a file of its own, since every folder has some. */
#include "bindings/support/classes.h"

#include <lauxlib.h>

void orr_lua_new_class(lua_State *L, const char *name, const luaL_Reg *meta,
                       const luaL_Reg *methods, lua_CFunction index, const char *what)
{
    luaL_newmetatable(L, name);
    luaL_setfuncs(L, meta, 0);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1); /* pictures add methods in Lua */
    lua_setfield(L, -3, "methods");
    if (index)
        lua_pushcclosure(L, index, 1);
    lua_setfield(L, -2, "__index");
    lua_pushstring(L, what);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}

int orr_lua_find_class(lua_State *L)
{
    if (luaL_getmetatable(L, luaL_checkstring(L, 1)) != LUA_TTABLE)
        return 0;
    lua_getfield(L, -1, "methods");
    return 2;
}
