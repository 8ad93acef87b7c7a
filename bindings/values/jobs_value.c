/* The Lua value that owns jobs, without its methods: they and what makes jobs both need it. */
#include "bindings/values/values.h"

#include <lauxlib.h>

orr_jobs **orr_lua_new_jobs(lua_State *L)
{
    orr_jobs **slot = lua_newuserdatauv(L, sizeof *slot, 0);
    *slot = NULL;
    luaL_setmetatable(L, ORR_LUA_JOBS);
    return slot;
}

const orr_jobs *orr_lua_check_jobs(lua_State *L, int arg)
{
    orr_jobs *const *slot = luaL_checkudata(L, arg, ORR_LUA_JOBS);
    luaL_argcheck(L, *slot != NULL, arg, "these jobs have been released");
    return *slot;
}

const orr_jobs *orr_lua_test_jobs(lua_State *L, int arg)
{
    orr_jobs *const *slot = luaL_testudata(L, arg, ORR_LUA_JOBS);
    return slot == NULL ? NULL : *slot;
}
