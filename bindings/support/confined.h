/* A child process for work on behalf of people who are not trusted. Under a filter (filter.h) and
 * limits it reads, computes and prints. It sends files and drawings to its parent, which decides
 * about them. orrery.support.confined is the Lua part of both. */
#pragma once

#include <lua.h>
#include <stdbool.h>

/* core.confine, core.confined_...: see confined.c. */
void orr_lua_open_confined(lua_State *L);
