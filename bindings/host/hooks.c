/* Calls into a policy, and sim.state: what policies for jobs, tasks and packs have in common. */
#include "bindings/host/hooks.h"
#include "bindings/host/calls.h"
#include "bindings/host/host.h"
#include "bindings/host/views.h"
#include "bindings/host/watchdog.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

/* --- calls into Lua ------------------------------------------------------------------------- */

enum { LEVELS_SEEN = 100 };

/* Whether one function of a policy is under way, or more (2), and where the innermost stands. No
 * further: a level costs its depth, and there may be 200,000. */
static int policy_frames(lua_State *L, lua_Debug *innermost)
{
    int count = 0;
    lua_Debug frame;
    for (int level = 1; count < 2 && lua_getstack(L, level, &frame); level++) {
        if (level > LEVELS_SEEN)
            return 2;
        lua_getinfo(L, "Sl", &frame);
        bool fence = strncmp(frame.source, "=orrery/", 8) == 0;
        if (frame.currentline >= 0 && !fence && count++ == 0)
            *innermost = frame;
    }
    return count;
}

enum { MOST_OF_MESSAGE = 1000 }; /* bytes; the rest is for what was called when, and from where */

/* Cut between characters, where it is longer. */
static const char *push_cut(lua_State *L, const char *message, size_t size)
{
    if (size <= MOST_OF_MESSAGE)
        return lua_pushlstring(L, message, size);
    size_t end = MOST_OF_MESSAGE;
    while (end > 0 && (message[end] & 0xc0) == 0x80)
        end--;
    lua_pushlstring(L, message, end);
    return lua_pushfstring(L, "%s ... (%d bytes more)", lua_tostring(L, -1), (int)(size - end));
}

/* Of one function the line says all that a traceback would; a message that has none gets it. */
static int with_traceback(lua_State *L)
{
    size_t size;
    const char *message = lua_tolstring(L, 1, &size);
    if (message) {
        message = push_cut(L, message, size);
    } else {
        message = luaL_tolstring(L, 1, &size);
        message = lua_pushfstring(L, "(error object: %s)", push_cut(L, message, size));
    }
    lua_Debug at = {0};
    int frames = policy_frames(L, &at);
    if (frames > 1) {
        luaL_traceback(L, L, message, 1);
    } else if (frames == 1) {
        const char *line = lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
        lua_pushfstring(L, "%s%s", strstr(message, line) ? "" : line, message);
    } else {
        lua_pushstring(L, message);
    }
    return 1;
}

/* " for job 17 at time 3600": what the call under way is about, as far as that is known. */
static void describe_call(const orr_call *call, char *text, size_t size)
{
    int used = 0;
    text[0] = '\0';
    if (call->item >= 0 && (call->tasks || call->instance))
        used = snprintf(text, size, " for %s %.100s", call->tasks ? "task" : "job",
                        orr_call_item_id(call, call->item));
    if (call->tasks || call->sim)
        snprintf(text + used, size - (size_t)used, " at time %.17g", orr_call_now(call));
}

/* The error on top of the stack becomes a message that says which hook, when, and for which job. */
static orr_status policy_error(orr_host *host, orr_error *err)
{
    const char *message = lua_tostring(host->L, -1);
    if (!message)
        message = "an error that is not text";
    char about[256];
    describe_call(&host->call, about, sizeof about);
    bool interrupted = orr_is_cancelled(host->cancel);
    return orr_fail(err, interrupted ? ORR_ERR_CANCELLED : ORR_ERR_POLICY, "policy %s: %s%s: %s",
                    host->name, host->call.hook, about, message);
}

orr_status orr_host_run(orr_host *host, orr_call call, lua_CFunction run, void *argument,
                        orr_error *err)
{
    lua_State *L = host->L;
    orr_call before = orr_host_begin_call(host, call);
    orr_calls_mark mark = orr_calls_begin(host);
    int handler = lua_gettop(L) + 1;
    lua_pushcfunction(L, with_traceback);
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, argument);
    orr_status status = ORR_OK;
    if (lua_pcall(L, 1, 0, handler) != LUA_OK)
        status = policy_error(host, err);
    lua_settop(L, handler - 1);
    orr_calls_end(host, &mark);
    orr_host_end_call(host, before);
    return status;
}

/* --- sim.state ------------------------------------------------------------------------------ */

/* The state is a table in the host's registry; the simulation holds its reference. It must be
 * reachable from the simulation while init runs, so it is made here and filled at the first look.
 */
static int new_table_ref(lua_State *L)
{
    lua_newtable(L);
    lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
    return 1;
}

static orr_status make_ref(orr_host *host, lua_CFunction make, int source, void **state,
                           orr_error *err)
{
    lua_State *L = host->L;
    lua_pushcfunction(L, make);
    lua_pushinteger(L, source);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        orr_fail(err, ORR_ERR_POLICY, "policy %s: sim.state: %s", host->name,
                 lua_tostring(L, -1) ? lua_tostring(L, -1) : "error");
        lua_pop(L, 1);
        return ORR_ERR_POLICY;
    }
    *state = (void *)(intptr_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return ORR_OK;
}

static int run_init(lua_State *L)
{
    const orr_host *host = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->init);
    orr_host_push_sim(L, host);
    lua_call(L, 1, 0);
    return 0;
}

orr_status orr_host_init_state(orr_host *host, orr_call call, void **state, orr_error *err)
{
    orr_status status = make_ref(host, new_table_ref, 0, state, err);
    if (status != ORR_OK || host->init == LUA_NOREF)
        return status;
    status = orr_host_run(host, call, run_init, host, err);
    if (status != ORR_OK)
        luaL_unref(host->L, LUA_REGISTRYINDEX, (int)(intptr_t)*state);
    return status;
}

void orr_host_free_state(orr_host *host, void *state)
{
    luaL_unref(host->L, LUA_REGISTRYINDEX, (int)(intptr_t)state);
}

static bool is_plain(int type)
{
    return type == LUA_TNIL || type == LUA_TBOOLEAN || type == LUA_TNUMBER || type == LUA_TSTRING ||
           type == LUA_TTABLE;
}

/* Replaces the plain value on top of the stack by its deep copy; memo (index) maps tables that are
 * copied already, so that sharing and cycles stay as they are. */
// NOLINTNEXTLINE(misc-no-recursion): bounded by depth
static void deep_copy(lua_State *L, int memo, int depth)
{
    if (!is_plain(lua_type(L, -1)))
        luaL_error(L,
                   "holds a %s; only numbers, strings, booleans and tables of these can be "
                   "copied with a simulation",
                   luaL_typename(L, -1));
    if (lua_type(L, -1) != LUA_TTABLE)
        return;
    if (depth > 200)
        luaL_error(L, "is nested more than 200 tables deep");
    luaL_checkstack(L, 8, "sim.state");
    lua_pushvalue(L, -1);
    if (lua_rawget(L, memo) != LUA_TNIL) {
        lua_remove(L, -2);
        return;
    }
    lua_pop(L, 1);
    if (lua_getmetatable(L, -1))
        luaL_error(L, "holds a table with a metatable; only plain tables can be copied with a "
                      "simulation");
    lua_createtable(L, (int)lua_rawlen(L, -1),
                    0); /* source copy; # is the same where it is defined */
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, memo);
    lua_pushnil(L);
    while (lua_next(L, -3)) { /* source copy key value */
        lua_pushvalue(L, -2);
        deep_copy(L, memo, depth + 1);
        lua_insert(L, -2);
        deep_copy(L, memo, depth + 1); /* source copy key key' value' */
        lua_rawset(L, -4);
    }
    lua_remove(L, -2);
}

static int copied_table_ref(lua_State *L)
{
    lua_newtable(L); /* memo */
    lua_rawgeti(L, LUA_REGISTRYINDEX, lua_tointeger(L, 1));
    deep_copy(L, 2, 0);
    lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
    return 1;
}

orr_status orr_host_copy_state(orr_host *host, void *state, void **copy, orr_error *err)
{
    return make_ref(host, copied_table_ref, (int)(intptr_t)state, copy, err);
}
