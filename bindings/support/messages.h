/* Messages and tables for people, on a terminal, where control characters are commands. */
#pragma once

#include <lua.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the text (which a zero follows) with all that a terminal obeys, but for tabs and ends of
 * lines, as \x1b: control characters, marks of the direction of text, and bytes that are no UTF-8.
 * They may come from a policy or a log. */
void orr_write_message(FILE *to, const char *text, size_t size);

/* Flushes standard output: 0, or errno of the first time that it could not be written. */
int orr_flush_output(void);

/* core.print(value...), as Lua's print, core.complain(text), to standard error, and
 * core.harmless(text), the text that these two write. [core] -> [core] */
void orr_lua_open_messages(lua_State *L);
