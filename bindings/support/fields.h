/* Fields of the table on top of the stack, and what checks return. */
#ifndef ORR_BINDINGS_FIELDS_H
#define ORR_BINDINGS_FIELDS_H

#include "base/error.h"

#include <lua.h>

void orr_lua_set_number(lua_State *L, const char *name, double value);
void orr_lua_set_integer(lua_State *L, const char *name, lua_Integer value);
void orr_lua_set_text(lua_State *L, const char *name, const char *text); /* NULL: no field */

/* No field for NaN, which stands for what is not known. */
void orr_lua_set_known(lua_State *L, const char *name, double value);

/* What a check returns: true, or nil and the message; how many values that is. */
int orr_lua_push_verdict(lua_State *L, orr_status status, const orr_error *err);

/* Field `name` of the table on top: a function as a registry reference (LUA_NOREF where there is
 * none), a text ("" where there is none; it lives as long as the table). */
int orr_lua_take_function(lua_State *L, const char *name);
const char *orr_lua_take_text(lua_State *L, const char *name);

#endif
