/* Limits as a user gives them: runs and sessions of all kinds read them. */
#include "bindings/host/limits.h"
#include "bindings/support/options.h"

#include <lauxlib.h>

orr_limits orr_limits_default(void)
{
    return (orr_limits){.seconds = 5, .memory = (size_t)256 << 20, .instructions = 0};
}

orr_limits orr_lua_check_limits(lua_State *L, int index)
{
    orr_limits limits = orr_limits_default();
    if (lua_isnoneornil(L, index))
        return limits;
    if (!lua_istable(L, index))
        luaL_error(L, "limits must be a table { seconds =, memory =, instructions = }, it is %s",
                   luaL_tolstring(L, index, NULL));
    limits.seconds = orr_lua_number_option(L, index, "seconds", limits.seconds);
    limits.memory = (size_t)orr_lua_integer_option(L, index, "memory", (lua_Integer)limits.memory,
                                                   1 << 20, INT64_MAX);
    limits.instructions = (int)orr_lua_integer_option(L, index, "instructions", 0, 0, INT32_MAX);
    if (!(limits.seconds > 0.001))
        luaL_error(L, "limits.seconds must be more than 0.001");
    return limits;
}

orr_limits orr_lua_limits_option(lua_State *L, int index)
{
    lua_getfield(L, index, "limits");
    orr_limits limits = orr_lua_check_limits(L, lua_gettop(L));
    lua_pop(L, 1);
    return limits;
}
