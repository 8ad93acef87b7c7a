/* The machine that the program runs on: core.cores, core.is_terminal, core.window. */
#pragma once

#include <lua.h>

/* [core] -> [core] */
void orr_lua_open_system(lua_State *L);
