/* Plain values, of which a simulation can be copied with its sim.state. */
#pragma once

#include "bindings/host/host.h"

/* How plain values are copied: numbers, strings, booleans and tables of these. */
typedef struct orr_plain_rules {
    const char *subject; /* of an error: "", or "sim.state " */
    const char
        *relation; /* of what is plain to a simulation; NULL: what is not plain is left out */
    bool refuses_metatables;
    bool looks; /* only for errors: nothing is copied */
} orr_plain_rules;

/* Pushes on `to` a deep copy of the value at `index` of `from`, the same state or another one.
 * Shared tables and cycles are kept. No error is raised in `from`. */
void orr_lua_copy_plain(lua_State *to, lua_State *from, int index, const orr_plain_rules *rules);

/* How sim.state is copied with its simulation. */
extern const orr_plain_rules orr_plain_state;

/* Remembers in host->unplain the error of a state that cannot be copied. */
void orr_host_look_at_state(orr_host *host, const void *state);
