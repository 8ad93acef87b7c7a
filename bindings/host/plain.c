/* Copies of plain values between Lua states: sim.state is copied with its simulation, and for a
 * reader in another Lua state; a policy's description of itself is copied to its reader. */
#include "bindings/host/plain.h"
#include "bindings/host/host.h"
#include "bindings/host/layouts.h"

#include <lauxlib.h>
#include <stdio.h>

enum { DEEPEST = 200 };

typedef struct copying {
    lua_State *to, *from;
    int memo; /* index in `to`: addresses of tables that are copied already -> their copies */
    const orr_plain_rules *rules;
} copying;

/* "function"; of what policies see as userdata "job" or "sim". No error is raised in `from`. */
static const char *kind_of(const copying *c, int index)
{
    if (c->to == c->from && luaL_getmetafield(c->to, index, "__metatable") == LUA_TSTRING)
        return lua_tostring(c->to, -1);
    return luaL_typename(c->from, index);
}

/* Pushes the copy of the value at `index` of c->from. */
// NOLINTNEXTLINE(misc-no-recursion): bounded by depth
static void copy_value(const copying *c, int index, int depth);

// NOLINTNEXTLINE(misc-no-recursion): bounded by depth
static void copy_table(const copying *c, int index, int depth)
{
    lua_State *to = c->to, *from = c->from;
    if (depth > DEEPEST || !lua_checkstack(from, 8))
        luaL_error(to, "%sis nested more than %d tables deep", c->rules->subject, DEEPEST);
    luaL_checkstack(to, 8, "sim.state");
    if (lua_rawgetp(to, c->memo, lua_topointer(from, index)) != LUA_TNIL)
        return;
    lua_pop(to, 1);
    if (c->rules->refuses_metatables && lua_getmetatable(from, index))
        luaL_error(to, "%sholds a table with a metatable; only plain tables %s a simulation",
                   c->rules->subject, c->rules->relation);
    if (c->rules->looks)
        lua_pushboolean(to, true);
    else
        orr_layout_push_like(to, from, index);
    int copy = lua_gettop(to);
    lua_pushvalue(to, copy);
    lua_rawsetp(to, c->memo, lua_topointer(from, index));
    lua_pushnil(from);
    while (lua_next(from, index)) {
        int key = lua_gettop(from) - 1;
        copy_value(c, key, depth + 1);
        copy_value(c, key + 1, depth + 1);
        if (c->rules->looks || lua_isnil(to, -2) || lua_isnil(to, -1))
            lua_pop(to, 2);
        else
            lua_rawset(to, copy);
        lua_pop(from, 1);
    }
    if (!c->rules->looks)
        orr_layout_finish(to, copy, from, index, c->memo);
}

// NOLINTNEXTLINE(misc-no-recursion): bounded by depth
static void copy_value(const copying *c, int index, int depth)
{
    size_t size;
    const char *text;
    switch (lua_type(c->from, index)) {
    case LUA_TBOOLEAN:
        lua_pushboolean(c->to, lua_toboolean(c->from, index));
        break;
    case LUA_TNUMBER:
        if (lua_isinteger(c->from, index))
            lua_pushinteger(c->to, lua_tointeger(c->from, index));
        else
            lua_pushnumber(c->to, lua_tonumber(c->from, index));
        break;
    case LUA_TSTRING:
        if (c->to == c->from) {
            lua_pushvalue(c->to, index);
            break;
        }
        text = lua_tolstring(c->from, index, &size);
        lua_pushlstring(c->to, text, size);
        break;
    case LUA_TTABLE:
        copy_table(c, index, depth);
        break;
    default:
        if (c->rules->relation)
            luaL_error(c->to,
                       "%sholds a %s; only numbers, strings, booleans and tables of these %s a "
                       "simulation",
                       c->rules->subject, kind_of(c, index), c->rules->relation);
        lua_pushnil(c->to);
    }
}

void orr_lua_copy_plain(lua_State *to, lua_State *from, int index, const orr_plain_rules *rules)
{
    index = lua_absindex(from, index);
    lua_newtable(to);
    copying c = {to, from, lua_gettop(to), rules};
    copy_value(&c, index, 0);
    lua_remove(to, c.memo);
}

/* --- sim.state ------------------------------------------------------------------------------ */

const orr_plain_rules orr_plain_state = {"", "can be copied with", true, false};

static int look(lua_State *L)
{
    orr_plain_rules rules = orr_plain_state;
    rules.looks = true;
    orr_lua_copy_plain(L, L, 1, &rules);
    return 0;
}

void orr_host_look_at_state(orr_host *host, const void *state)
{
    lua_State *L = host->L;
    if (host->unplain[0] || !lua_checkstack(L, 2))
        return;
    lua_pushcfunction(L, look);
    lua_rawgeti(L, LUA_REGISTRYINDEX, (lua_Integer)(intptr_t)state);
    int code = lua_pcall(L, 1, 0, 0);
    if (code == LUA_ERRRUN)
        snprintf(host->unplain, sizeof host->unplain, "%s", lua_tostring(L, -1));
    lua_settop(L, lua_gettop(L) - (code != LUA_OK));
}

static int copy_protected(lua_State *L)
{
    static const orr_plain_rules rules = {"sim.state ", "belong to", false, false};
    orr_lua_copy_plain(L, lua_touserdata(L, 1), -1, &rules);
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
