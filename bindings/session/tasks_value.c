/* A session of malleable tasks as a Lua value: what it owns, and what it shares with its copies. */
#include "bindings/host/host.h"
#include "bindings/host/limits.h"
#include "bindings/run/tasks.h"
#include "bindings/session/tasks.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

static void release_world(orr_tasks_world *w)
{
    if (--w->sessions > 0)
        return;
    orr_host_destroy(w->host);
    free(w);
}

void orr_tasks_session_empty(orr_tasks_session *s)
{
    orr_malleable_destroy(s->sim);
    s->sim = NULL;
    if (s->world)
        release_world(s->world);
    s->world = NULL;
}

orr_tasks_session *orr_lua_check_tasks_session(lua_State *L, int arg)
{
    orr_tasks_session *s = luaL_checkudata(L, arg, ORR_LUA_TASKS_SESSION);
    if (!s->sim)
        luaL_error(L, "this session is gone");
    return s;
}

/* An empty session on the stack that keeps nothing alive yet. */
orr_tasks_session *orr_lua_push_tasks_session(lua_State *L)
{
    orr_tasks_session *s = lua_newuserdatauv(L, sizeof *s, ORR_KEPT_VALUES);
    memset(s, 0, sizeof *s);
    luaL_setmetatable(L, ORR_LUA_TASKS_SESSION);
    return s;
}

orr_tasks_session *orr_lua_push_successor(lua_State *L, const orr_tasks_session *s)
{
    orr_tasks_session *next = orr_lua_push_tasks_session(L);
    for (int i = 1; i <= ORR_KEPT_VALUES; i++) {
        lua_getiuservalue(L, 1, i);
        lua_setiuservalue(L, -2, i);
    }
    next->tasks = s->tasks;
    next->world = s->world;
    next->world->sessions++;
    return next;
}

orr_status orr_lua_new_world(lua_State *L, orr_tasks_session *s, int policy,
                             const orr_limits *limits, orr_error *err)
{
    orr_tasks_world *world = calloc(1, sizeof *world);
    if (!world)
        return orr_fail_memory(err, sizeof *world);
    if (s->world)
        release_world(s->world);
    s->world = world;
    world->sessions = 1;
    world->host = orr_lua_make_host(L, policy, limits, err);
    return world->host ? ORR_OK : err->status;
}

orr_host *orr_tasks_session_enter(lua_State *L, orr_tasks_session *s)
{
    orr_error err;
    if (orr_host_enter(s->world->host, &err) != ORR_OK)
        orr_lua_raise(L, &err);
    return s->world->host;
}
