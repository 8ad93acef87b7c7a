/* JSON as Lua values, by libjansson. */
#pragma once

#include <lua.h>

/* Arguments: a text, and the Lua value for null (default nil). Returns the value; objects and
 * arrays become tables. Errors have a message with the place. Repeated keys of an object, numbers
 * that JSON or Lua does not have, and nesting of more than 100 are errors. */
int orr_lua_read_json(lua_State *L);

/* Adds core.read_json to the table on top. */
void orr_lua_open_json(lua_State *L);
