/* Errors as Lua errors. */
#pragma once

#include "base/error.h"

#include <lua.h>
#include <stddef.h>

/* Raises err->message as a Lua error (a string, with the position of the calling Lua code in front
 * when it is the caller's argument that is wrong: ORR_ERR_ARGUMENT). Never returns. */
int orr_lua_raise(lua_State *L, const orr_error *err);
/* orr_lua_raise without a position. */
int orr_lua_raise_unplaced(lua_State *L, const orr_error *err);

/* Raises that an argument is wrong, as luaL_argerror does. Never returns. */
int orr_lua_raise_argument(lua_State *L, int arg, const char *message);

/* luaL_error with the code of an argument error, for a wrong value. */
int orr_lua_refuse(lua_State *L, const char *format, ...);

/* Remembers the code of an error whose message other code raises. */
void orr_lua_note_error(lua_State *L, const orr_error *err);

/* core.error_code(problem): the message of the last raised error, without later additions, and its
 * code, if `problem` contains it; else no values. The codes are "argument", "limit" and so on,
 * after orr_status. So no decision is made by a message's words. */
int orr_lua_error_code(lua_State *L);

/* core.note_code(message, code): an error with this message, which Lua raises, has this code. */
int orr_lua_note_code(lua_State *L);

/* Raises the error unless status is ORR_OK. */
void orr_lua_try(lua_State *L, orr_status status, const orr_error *err);

/* Pushes "a, b, c", the names in an array of structs of `size` bytes: each has its name first, and
 * the last has NULL. */
const char *orr_lua_push_names(lua_State *L, const void *first, size_t size);

/* Pushes the value at `index` as luaL_tolstring does, but "a table" or "a function" in place of its
 * address, which no policy may see. */
const char *orr_lua_push_key(lua_State *L, int index);

/* core.nearest(name, list): the element of the list that is most similar to the name, or else the
 * only one that begins with it; nil: there is none. */
int orr_lua_nearest(lua_State *L);

/* For values that hooks see: an unknown field is an error, not nil (`names` ends with NULL; the
 * field's name is at index 2). */
int orr_lua_unknown_field(lua_State *L, const char *what, const char *const *names);
