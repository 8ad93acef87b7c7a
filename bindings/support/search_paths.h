/* Where `require` looks for modules. */
#pragma once

#include <lua.h>

/* Sets package.path and package.cpath of a state with the standard libraries: Lua's default without
 * its relative entries, which would run files of whatever folder is the current one; or what the
 * user's LUA_PATH and LUA_CPATH say, where ;; stands for the former. */
void orr_lua_set_search_paths(lua_State *L);
