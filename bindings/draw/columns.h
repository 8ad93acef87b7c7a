/* core's functions for charts in pages: a schedule as columns of text, see columns.c. */
#pragma once

#include <lua.h>

void orr_lua_open_columns(lua_State *L);
