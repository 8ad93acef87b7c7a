/* core.describe: what a policy says about itself, copied from its state into that of who asks. */
#include "bindings/host/host.h"
#include "bindings/host/limits.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>

/* Copies a table of plain values from one state to another. */
// NOLINTNEXTLINE(misc-no-recursion): a description is a few tables deep
static void copy_plain(lua_State *from, int index, lua_State *to)
{
    luaL_checkstack(to, 4, "description");
    luaL_checkstack(from, 4, "description");
    switch (lua_type(from, index)) {
    case LUA_TBOOLEAN:
        lua_pushboolean(to, lua_toboolean(from, index));
        return;
    case LUA_TNUMBER:
        if (lua_isinteger(from, index))
            lua_pushinteger(to, lua_tointeger(from, index));
        else
            lua_pushnumber(to, lua_tonumber(from, index));
        return;
    case LUA_TSTRING:
        lua_pushstring(to, lua_tostring(from, index)); /* text for people */
        return;
    case LUA_TTABLE:
        break;
    default:
        lua_pushnil(to);
        return;
    }
    index = lua_absindex(from, index);
    lua_newtable(to);
    lua_pushnil(from);
    while (lua_next(from, index)) {
        copy_plain(from, -2, to);
        copy_plain(from, -1, to);
        lua_pop(from, 1);
        if (lua_isnil(to, -2))
            lua_pop(to, 2);
        else
            lua_rawset(to, -3);
    }
}

/* core.describe(description[, limits]): what the policy says about itself. */
int orr_lua_describe_policy(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    orr_error err;
    orr_limits limits = orr_lua_check_limits(L, 2);
    orr_host *host = orr_lua_make_host(L, 1, &limits, &err);
    if (!host)
        return orr_lua_raise(L, &err);
    orr_host_push_description(host);
    copy_plain(host->L, -1, L);
    lua_pop(host->L, 1);
    orr_host_destroy(host);
    return 1;
}
