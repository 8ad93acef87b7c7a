/* A session as a Lua value: the objects that it owns, the objects that it shares with its forks,
 * and values pushed by the functions of both engines. */
#include "bindings/host/host.h"
#include "bindings/session/session.h"
#include "bindings/support/raise.h"

#include <stdio.h>
#include <stdlib.h>

orr_shared *orr_new_shared(orr_error *err)
{
    orr_shared *shared = calloc(1, sizeof *shared);
    if (shared)
        shared->users = 1;
    else
        orr_fail_memory(err, sizeof *shared);
    return shared;
}

void orr_release_shared(orr_shared *shared)
{
    if (!shared || --shared->users > 0)
        return;
    for (int i = 0; i < 2; i++)
        if (shared->frozen[i])
            shared->engine->destroy(shared->frozen[i]);
    orr_host_destroy(shared->host);
    if (shared->instance.jobs)
        orr_instance_destroy(&shared->instance);
    free(shared);
}

orr_status orr_session_load_policy(lua_State *L, orr_session *s, int index,
                                   const orr_limits *limits, orr_error *err)
{
    orr_shared *policy = orr_new_shared(err);
    if (!policy)
        return ORR_ERR_MEMORY;
    policy->host = orr_lua_own_host(L, index, limits, err);
    orr_release_shared(s->policy);
    s->policy = policy;
    return policy->host ? ORR_OK : err->status;
}

const void *orr_session_point(orr_session *s, bool changed)
{
    orr_error err; /* without memory for it, the simulation itself is copied */
    if (!s->engine->freeze || (!s->twins && !(s->twins = orr_new_shared(&err))))
        return s->sim;
    orr_shared *twins = s->twins;
    twins->engine = s->engine;
    if (twins->copied[changed] && !twins->frozen[changed])
        twins->frozen[changed] = s->engine->freeze(s->sim, changed, &err);
    twins->copied[changed] = true;
    return twins->frozen[changed] ? twins->frozen[changed] : s->sim;
}

orr_status orr_session_own(orr_session *s, orr_error *err)
{
    void *sim = s->sim;
    if (s->twins && s->twins->users > 1)
        sim = s->engine->copy(orr_session_point(s, false), err);
    if (!sim)
        return err->status;
    orr_release_shared(s->twins);
    s->twins = NULL;
    s->sim = sim;
    return ORR_OK;
}

orr_session_entry orr_session_enter(const orr_session *s)
{
    orr_session *session = (orr_session *)(uintptr_t)s; /* a userdata, which no one made const */
    orr_host *host = s->policy->host;
    orr_session_entry entry = {session, host, host->notes, host->prints};
    session->entered++;
    host->notes = &session->notes;
    host->prints = true;
    orr_host_enter(host);
    return entry;
}

void orr_session_leave(orr_session_entry entry)
{
    orr_host_leave(entry.host);
    entry.session->entered--;
    entry.host->notes = entry.notes;
    entry.host->prints = entry.prints;
}

const orr_engine *orr_lua_engine(lua_State *L)
{
    return lua_touserdata(L, lua_upvalueindex(1));
}

orr_session *orr_lua_check_session(lua_State *L)
{
    const orr_engine *engine = orr_lua_engine(L);
    orr_session *s = orr_lua_test_tagged(L, 1, engine);
    if (!s)
        s = luaL_checkudata(L, 1, engine->class.name);
    if (!s->sim)
        luaL_error(L, "this session is gone");
    return s;
}

orr_session *orr_lua_push_session(lua_State *L, const orr_engine *engine)
{
    orr_session *s = orr_lua_new_value(L, engine->class.name, sizeof *s, ORR_KEPT_VALUES);
    s->engine = engine;
    return s;
}

orr_session *orr_lua_push_successor(lua_State *L, const orr_session *s)
{
    orr_session *next = orr_lua_push_session(L, s->engine);
    for (int i = 1; i <= ORR_KEPT_VALUES; i++) {
        lua_getiuservalue(L, 1, i);
        lua_setiuservalue(L, -2, i);
    }
    *next = *s;
    next->sim = NULL;
    next->twins = NULL;
    next->entered = 0;
    next->reserved = NULL;
    next->policy->users++;
    if (next->instance)
        next->instance->users++;
    orr_error err;
    orr_lua_try(L, orr_notes_copy(&next->notes, &s->notes, &err), &err);
    return next;
}

int32_t orr_session_check_item(lua_State *L, const char *no_such)
{
    lua_Integer position = luaL_checkinteger(L, 2);
    lua_getiuservalue(L, 1, ORR_KEEPS_ITEMS);
    luaL_argcheck(L, position >= 1 && position <= luaL_len(L, -1), 2, no_such);
    return (int32_t)position - 1;
}

void orr_session_push_items(lua_State *L, const orr_session *s)
{
    (void)s;
    lua_getiuservalue(L, 1, ORR_KEEPS_ITEMS);
}

void orr_lua_push_processors(lua_State *L, const orr_interval *ranges, int32_t count)
{
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int32_t k = 0; k < count; k++) {
        orr_interval range = ranges[k];
        char one[32];
        if (range.low == range.high)
            snprintf(one, sizeof one, "%s%d", k > 0 ? " " : "", (int)range.low);
        else
            snprintf(one, sizeof one, "%s%d-%d", k > 0 ? " " : "", (int)range.low, (int)range.high);
        luaL_addstring(&text, one);
    }
    luaL_pushresult(&text);
}

void orr_lua_add_outage(lua_State *L, const char *what, double start, double finish, int32_t first,
                        int32_t procs)
{
    lua_createtable(L, 0, 5);
    orr_lua_set_text(L, "what", what);
    orr_lua_set_known(L, "start", start);
    orr_lua_set_known(L, "finish", finish);
    orr_lua_set_integer(L, "first", first);
    orr_lua_set_integer(L, "procs", procs);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}
