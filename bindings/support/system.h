/* The machine that the program runs on: core.cores, core.is_terminal, core.window. */
#pragma once

#include <lua.h>

/* [core] -> [core] */
void orr_lua_open_system(lua_State *L);

/* From now on core.is_terminal and core.window answer as now: for a process that prints by another
 * one. */
void orr_system_keep_terminals(void);
