/* Tables of options, as the Lua side hands them to core functions. Every function raises an error
 * that names the option and the found value. */
#pragma once

#include <lua.h>
#include <stdbool.h>

/* The field `name` of the table at index; fallback where it is nil. Errors have the whole name: in
 * front of a field's name, with a blank behind it, may stand whose option it is, "lublin: days". */
lua_Integer orr_lua_integer_option(lua_State *L, int index, const char *name, lua_Integer fallback,
                                   lua_Integer low, lua_Integer high);
double orr_lua_number_option(lua_State *L, int index, const char *name, double fallback);
bool orr_lua_flag_option(lua_State *L, int index, const char *name);

/* The position of the word in `choices`, which ends with NULL. fallback is a position, too. */
int orr_lua_choice_option(lua_State *L, int index, const char *name, int fallback,
                          const char *const *choices);

/* The last argument, a table of options, is at index; nil becomes an empty one. Every key must be
 * one of `known`, which ends with NULL. */
void orr_lua_check_options(lua_State *L, int index, const char *function, const char *const *known);
