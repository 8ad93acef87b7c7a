/* The Lua files of bindings/ and scripts/command/ inside the program and the module:
 * folder/name.lua is the Lua module orrery.folder.name. */
#pragma once

#include <lua.h>

/* Pushes the chunk of an embedded module, such as "orrery.host.sandbox". */
int orr_lua_load_embedded(lua_State *L, const char *name);

/* A searcher of `require`: the loader of an embedded module, or nothing. */
int orr_lua_search_embedded(lua_State *L);

/* require(name) for a state without the library `package`: only embedded modules. */
int orr_lua_require_embedded(lua_State *L);
