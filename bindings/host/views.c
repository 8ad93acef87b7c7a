/* What the values that hooks see share: they are handles, closures that know their host. */
#include "bindings/host/host.h"
#include "bindings/host/views.h"

#include <lauxlib.h>

int orr_lua_raise_decision(lua_State *L, const orr_error *err)
{
    luaL_where(L, 1);
    lua_pushstring(L, err->message);
    lua_concat(L, 2);
    return lua_error(L);
}

orr_rigid *orr_host_check_running(lua_State *L, const orr_host *host, const char *what)
{
    if (!host->call.sim)
        luaL_error(L,
                   "%s is not known when a priority is asked once per workload; say per = "
                   "\"scenario\", \"attempt\" or \"decision\"",
                   what);
    return host->call.sim;
}

const char *orr_host_group_name(const orr_host *host, int32_t group)
{
    return host->jobs.groups ? host->jobs.groups[group].name : "main";
}

void orr_host_push_sim(lua_State *L, const orr_host *host)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->sim_value);
}

void orr_lua_push_numbering(lua_State *L, const char *const *names)
{
    lua_newtable(L);
    for (int i = 0; names[i]; i++) {
        lua_pushinteger(L, i + 1);
        lua_setfield(L, -2, names[i]);
    }
}

void orr_lua_set_closure(lua_State *L, int self, const char *name, lua_CFunction function,
                         const char *const *names)
{
    lua_pushvalue(L, self);
    if (names)
        orr_lua_push_numbering(L, names);
    lua_pushcclosure(L, function, names ? 2 : 1);
    lua_setfield(L, -2, name);
}
