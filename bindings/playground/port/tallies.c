/* In a browser no scenarios are so many that their values would not fit. */
#include "bindings/values/tallies.h"

#include <lauxlib.h>

orr_lua_tallies *orr_lua_new_tallies(lua_State *L, orr_lua_metrics *m)
{
    (void)m;
    luaL_error(L, "there are no summaries in the playground: compare without them");
    return NULL;
}

orr_status orr_lua_fold(orr_lua_tallies *tallies, int64_t count, orr_error *err)
{
    (void)tallies, (void)count, (void)err;
    return ORR_OK;
}

void orr_lua_open_tallies(lua_State *L)
{
    (void)L;
}
