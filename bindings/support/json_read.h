/* JSON as Lua values, by libjansson. */
#pragma once

#include <jansson.h>
#include <lua.h>

/* Called with a text, and what null is to be in Lua (none: nil). Returns the value; objects and
 * arrays are tables. Raises what is wrong and where. What appears twice in an object is an error,
 * as are numbers that are none of JSON's or of Lua's, and nesting of more than 100. */
int orr_lua_read_json(lua_State *L);

/* Adds it to the table on top: core.read_json. */
void orr_lua_open_json(lua_State *L);

/* Pushes a box, a userdata with a json_t that it owns, so that a Lua error loses none; it is NULL
 * at first. */
json_t **orr_lua_push_json_box(lua_State *L);
