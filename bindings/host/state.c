/* sim.state for others to look at: a copy in the Lua state of who asks. */
#include "bindings/host/host.h"

#include <lauxlib.h>

enum { DEEPEST = 200 };

/* The plain value on top of `from`, copied to the top of L; memo (index in L) maps the addresses of
 * tables that are copied already, so that sharing and cycles stay as they are. Nothing that is
 * asked of `from` can raise there. */
// NOLINTNEXTLINE(misc-no-recursion): bounded by depth
static void copy_value(lua_State *L, lua_State *from, int memo, int depth);

// NOLINTNEXTLINE(misc-no-recursion): bounded by depth
static void copy_table(lua_State *L, lua_State *from, int memo, int depth)
{
    if (depth > DEEPEST || !lua_checkstack(from, 4))
        luaL_error(L, "sim.state is nested more than %d tables deep", DEEPEST);
    luaL_checkstack(L, 4, "sim.state");
    const void *address = lua_topointer(from, -1);
    if (lua_rawgetp(L, memo, address) != LUA_TNIL)
        return;
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, memo, address);
    lua_pushnil(from);
    while (lua_next(from, -2)) {
        lua_pushvalue(from, -2);
        copy_value(L, from, memo, depth + 1);
        lua_pop(from, 1);
        copy_value(L, from, memo, depth + 1);
        lua_pop(from, 1);
        lua_rawset(L, -3);
    }
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by depth
static void copy_value(lua_State *L, lua_State *from, int memo, int depth)
{
    size_t size;
    const char *text;
    switch (lua_type(from, -1)) {
    case LUA_TBOOLEAN:
        lua_pushboolean(L, lua_toboolean(from, -1));
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(from, -1))
            lua_pushinteger(L, lua_tointeger(from, -1));
        else
            lua_pushnumber(L, lua_tonumber(from, -1));
        break;
    case LUA_TSTRING:
        text = lua_tolstring(from, -1, &size);
        lua_pushlstring(L, text, size);
        break;
    case LUA_TTABLE:
        copy_table(L, from, memo, depth);
        break;
    default:
        luaL_error(L,
                   "sim.state holds a %s; only numbers, strings, booleans and tables of these "
                   "belong to a simulation",
                   luaL_typename(from, -1));
    }
}

static int copy_protected(lua_State *L)
{
    lua_State *from = lua_touserdata(L, 1);
    lua_newtable(L);
    copy_value(L, from, 2, 0);
    return 1;
}

void orr_host_push_state(lua_State *L, orr_host *host, void *state)
{
    lua_State *from = host->L;
    if (!state) {
        lua_pushnil(L);
        return;
    }
    int top = lua_gettop(from);
    luaL_checkstack(L, 4, "sim.state");
    lua_pushcfunction(L, copy_protected);
    lua_pushlightuserdata(L, from);
    if (!lua_checkstack(from, 1))
        luaL_error(L, "stack overflow (no room for sim.state)");
    lua_rawgeti(from, LUA_REGISTRYINDEX, (lua_Integer)(intptr_t)state);
    int code = lua_pcall(L, 1, 1, 0);
    lua_settop(from, top);
    if (code != LUA_OK)
        lua_error(L);
}
