/* The messages of Batsim: JSON as Lua values, and back. */
#pragma once

#include <lua.h>

/* Pushes a table { decode =, encode = }.
 *   decode(text)     the value, as orr_lua_read_json has it
 *   encode(message)  the text of { now =, events = list }. Other empty tables are objects; tables
 *                    with a [1] are arrays */
void orr_edc_push_json(lua_State *L);
