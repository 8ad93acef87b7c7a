/* A session of rigid jobs as a Lua value: what it owns, and what it shares with its forks. */
#include "bindings/host/host.h"
#include "bindings/host/limits.h"
#include "bindings/run/jobs.h"
#include "bindings/session/jobs.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

static void release_policy(orr_session_policy *p)
{
    if (!p || --p->users > 0)
        return;
    orr_host_destroy(p->host);
    free(p->text);
    free(p);
}

static void release_instance(orr_session_instance *in)
{
    if (!in || --in->users > 0)
        return;
    orr_instance_destroy(&in->value);
    free(in);
}

orr_session_instance *orr_session_new_instance(orr_error *err)
{
    orr_session_instance *in = calloc(1, sizeof *in);
    if (in)
        in->users = 1;
    else
        orr_fail_memory(err, sizeof *in);
    return in;
}

orr_session_policy *orr_session_load_policy(lua_State *L, int index, const orr_limits *limits,
                                            orr_error *err)
{
    orr_session_policy *p = calloc(1, sizeof *p);
    if (!p) {
        orr_fail_memory(err, sizeof *p);
        return NULL;
    }
    p->users = 1;
    lua_getfield(L, index, "text");
    const char *text = lua_tolstring(L, -1, &p->size);
    if (text && (p->text = malloc(p->size + 1)))
        memcpy(p->text, text, p->size);
    lua_pop(L, 1);
    p->host = orr_lua_make_host(L, index, limits, err);
    if (p->host && (p->text || !text))
        return p;
    if (p->host)
        orr_fail_memory(err, p->size);
    release_policy(p);
    return NULL;
}

void orr_session_share(orr_session *to, const orr_session *from)
{
    *to = *from;
    to->sim = NULL;
    to->instance->users++;
    to->policy->users++;
}

void orr_session_close(orr_session *s)
{
    orr_rigid_destroy(s->sim);
    release_instance(s->instance);
    release_policy(s->policy);
    s->sim = NULL;
    s->instance = NULL;
    s->policy = NULL;
}

void orr_session_set_instance(orr_session *s, orr_session_instance *in)
{
    release_instance(s->instance);
    s->instance = in;
}

void orr_session_set_policy(orr_session *s, orr_session_policy *policy)
{
    release_policy(s->policy);
    s->policy = policy;
}

orr_session *orr_lua_check_session(lua_State *L, int arg)
{
    orr_session *s = luaL_checkudata(L, arg, ORR_LUA_SESSION);
    if (!s->sim)
        luaL_error(L, "this session is gone");
    return s;
}

orr_session *orr_lua_push_session(lua_State *L, int jobs, int nodes)
{
    orr_session *s = lua_newuserdatauv(L, sizeof *s, 2);
    memset(s, 0, sizeof *s);
    luaL_setmetatable(L, ORR_LUA_SESSION);
    lua_pushvalue(L, jobs);
    lua_setiuservalue(L, -2, 1);
    lua_pushvalue(L, nodes);
    lua_setiuservalue(L, -2, 2);
    return s;
}
