/* A child of the program for work on behalf of people who are not trusted: under a filter
 * (filter.h) and limits, it reads, computes and prints; what it wants written or drawn it sends to
 * its parent, which decides. orrery.support.confined is the side of both in Lua. */
#pragma once

#include <lua.h>
#include <stdbool.h>

/* core.confine, core.confined_...: see confined.c. */
void orr_lua_open_confined(lua_State *L);
