/* A machine of nodes, as a Lua value. */
#pragma once

#include "workload/nodes.h"

#include <lua.h>

/* The nodes in a table of options (its field `nodes`); NULL for none. They live as long as the
 * value, which the table keeps. */
const orr_nodes *orr_lua_nodes_option(lua_State *L, int index);

/* A copy of nodes on top of the stack. */
void orr_lua_push_nodes(lua_State *L, const orr_nodes *nodes);

void orr_lua_open_nodes(lua_State *L); /* [core] -> [core] */
