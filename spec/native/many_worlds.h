/* Random decisions in one world after the other, counted per verb. */
#pragma once

#include "base/error.h"

#include <lauxlib.h>
#include <lua.h>

/* What was decided in one world, added up: per verb how often it was carried out or refused. */
typedef struct spec_tally {
    int64_t *accepted, *denied, made;
} spec_tally;

typedef orr_status (*spec_world)(uint64_t seed, spec_tally *tally, orr_error *err);

static inline void spec_push_counts(lua_State *L, const int64_t *counts, const char *const *verbs,
                                    int count)
{
    lua_newtable(L);
    for (int i = 0; i < count; i++) {
        lua_pushinteger(L, counts[i]);
        lua_setfield(L, -2, verbs[i]);
    }
}

/* NAME(decisions, seed): that many decisions at least, in worlds named seed, seed + 1, ...; per
 * verb how many were carried out, and how many refused; and how many worlds there were. */
static inline int spec_many_worlds(lua_State *L, spec_world world, const char *const *verbs,
                                   int count)
{
    enum { MOST_VERBS = 16 };
    int64_t wanted = luaL_checkinteger(L, 1);
    uint64_t seed = (uint64_t)luaL_checkinteger(L, 2), first = seed;
    int64_t accepted[MOST_VERBS] = {0}, denied[MOST_VERBS] = {0};
    spec_tally tally = {accepted, denied, 0};
    for (; tally.made < wanted; seed++) {
        orr_error err = {0};
        if (world(seed, &tally, &err) != ORR_OK)
            return luaL_error(L, "seed %I: %s", (lua_Integer)seed, err.message);
    }
    spec_push_counts(L, accepted, verbs, count);
    spec_push_counts(L, denied, verbs, count);
    lua_pushinteger(L, (lua_Integer)(seed - first));
    return 3;
}
