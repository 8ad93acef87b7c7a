/* JSON as Lua values, by libjansson. */
#pragma once

#include <jansson.h>
#include <lua.h>
#include <stdbool.h>

/* Arguments: a text, and the Lua value for null (default nil). Returns the value; objects and
 * arrays become tables. Errors have a message with the place. Repeated keys of an object, numbers
 * that JSON or Lua does not have, and nesting of more than 100 are errors. */
int orr_lua_read_json(lua_State *L);

/* Adds core.read_json to the table on top. */
void orr_lua_open_json(lua_State *L);

/* Pushes a box, a userdata with a json_t that it owns, so that a Lua error loses none; it is NULL
 * at first. */
json_t **orr_lua_push_json_box(lua_State *L);

/* Between these two, which hold a lock, Jansson reads or writes one text. false: memory ran out, and
 * what looks like a result lacks a part, because Jansson goes on without what it could not keep. */
void orr_json_begin(void);
bool orr_json_end(void);
