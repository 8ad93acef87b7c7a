/* Limits of what running jobs may use, as a Lua value. */
#pragma once

#include "workload/limit.h"

#include <lua.h>

/* The limits in a table of options (its field `limit`), and their number; NULL for none. They live
 * as long as the value, which the table keeps. */
const orr_limit *orr_lua_limit_option(lua_State *L, int index, int32_t *count);

void orr_lua_open_limits(lua_State *L); /* [core] -> [core] */
