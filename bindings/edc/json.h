/* JSON as Lua values, by libjansson. */
#pragma once

#include <lua.h>

/* Pushes a table { decode =, encode = }.
 *   decode(text)     the value; raises what is wrong and where. Objects and arrays are tables, null
 *                    is nil; what appears twice in an object is an error
 *   encode(message)  the text of { now =, events = list }. Other empty tables are objects; tables
 *                    with a [1] are arrays */
void orr_edc_push_json(lua_State *L);
