/* Classes of userdata: values of C with methods. */
#pragma once

#include <lauxlib.h>
#include <lua.h>

/* A metatable in the registry under `name`, with these functions. `index`, which gets the table of
 * methods as upvalue 1, is called for every field; where it is NULL there are the methods alone.
 * `what` is all that getmetatable tells: a simulation borrows from such values, so nobody is to
 * call their __gc. */
void orr_lua_new_class(lua_State *L, const char *name, const luaL_Reg *meta,
                       const luaL_Reg *methods, lua_CFunction index, const char *what);

/* class(name): the metatable and the table of methods of such a class; nil where there is none. */
int orr_lua_find_class(lua_State *L);
