/* Summaries of metrics in place of their values. The playground has none: port/tallies.c. */
#pragma once

#include "bindings/values/metrics.h"

typedef struct orr_lua_tallies orr_lua_tallies;

/* Summaries of all scenarios for the metrics on top of the stack, whose arrays have room for one
 * block. */
orr_lua_tallies *orr_lua_new_tallies(lua_State *L, orr_lua_metrics *m);

/* Takes in the `count` scenarios that the arrays of the metrics have now. */
orr_status orr_lua_fold(orr_lua_tallies *tallies, int64_t count, orr_error *err);

void orr_lua_open_tallies(lua_State *L);
