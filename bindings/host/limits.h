/* What a policy may take. */
#pragma once

#include <lua.h>
#include <stddef.h>

typedef struct orr_limits {
    double seconds;   /* of processor time per call into the policy */
    size_t memory;    /* bytes per host */
    int instructions; /* Lua instructions per call; 0: not counted */
} orr_limits;

/* What a policy gets where nothing else is said. */
orr_limits orr_limits_default(void);

/* The limits in the table at `index`; the usual ones where that is nil. */
orr_limits orr_lua_check_limits(lua_State *L, int index);

/* The field `limits`. */
orr_limits orr_lua_limits_option(lua_State *L, int index);
