/* Messages and tables for people: what goes to a terminal, where control characters are commands.
 */
#pragma once

#include <lua.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the text (which a zero follows) with its control characters, but for tabs and ends of
 * lines, as \x1b: they may come from a policy or a log. */
void orr_write_message(FILE *to, const char *text, size_t size);

/* core.print(value...), as Lua's print, and core.complain(text), to standard error.
 * [core] -> [core] */
void orr_lua_open_messages(lua_State *L);
