/* Windows as a Lua value: processors that are known beforehand to be closed or reserved. */
#pragma once

#include "workload/window.h"

#include <lua.h>

/* The windows in a field of a table of options, and their number; NULL for none. The list lives as
 * long as the value, which the table keeps. */
const orr_window *orr_lua_windows_option(lua_State *L, int index, const char *name, int64_t *count);
/* Likewise what is closed of pools, of the field `windows`. */
const orr_closing *orr_lua_closings_option(lua_State *L, int index, int64_t *count);

void orr_lua_open_windows(lua_State *L); /* [core] -> [core] */
