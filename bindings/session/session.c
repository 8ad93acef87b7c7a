/* The class of sessions: the common part of both engines. */
#include "bindings/session/session.h"
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"
#include "bindings/host/kept.h"
#include "bindings/support/raise.h"

#include <math.h>
#include <stdlib.h>

/* s:close(): lets go of everything. */
static int session_close(lua_State *L)
{
    orr_session *s = luaL_checkudata(L, 1, orr_lua_engine(L)->class.name);
    if (s->sim && !(s->twins && s->twins->users > 1))
        s->engine->destroy(s->sim);
    orr_release_shared(s->twins);
    orr_release_shared(s->instance);
    orr_release_shared(s->policy);
    orr_notes_destroy(&s->notes);
    free(s->reserved);
    *s = (orr_session){.engine = s->engine};
    return 0;
}

/* core.session(jobs, options, policy, scenario[, failures]),
 * core.malleable_session(tasks, options, policy, run[, faults]) */
static int new_session(lua_State *L)
{
    const orr_engine *engine = orr_lua_engine(L);
    lua_settop(L, ORR_NEW - 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_Integer number = luaL_checkinteger(L, 4);
    if (number < 1)
        return luaL_error(L, "%s must be at least 1, it is %I", engine->number,
                          (LUAI_UACINT)number);
    orr_session *s = orr_lua_push_session(L, engine);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, ORR_NEW, ORR_KEEPS_ITEMS);
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, ORR_NEW, ORR_KEEPS_POLICY);
    orr_error err;
    orr_lua_try(L, engine->begin(L, s, (uint64_t)number, &err), &err);
    lua_settop(L, ORR_NEW);
    return 1;
}

/* The session's simulation for a fork, shared until either goes on; or, where it is under way or
 * writes to this session, a copy. NULL: neither is possible, as where the policy's state cannot be
 * copied. */
static void *sim_for(orr_session *s, orr_session *fork, orr_error *err)
{
    void *state = s->engine->look(s).state, *copy;
    if (s->entered > 0 || s->reserved)
        return s->engine->copy(s->sim, err);
    if (state && orr_host_copy_state(s->policy->host, state, &copy, err) != ORR_OK)
        return NULL;
    if (state)
        orr_host_free_state(s->policy->host, copy);
    if (!s->twins && !(s->twins = orr_new_shared(err)))
        return NULL;
    fork->twins = s->twins;
    fork->twins->users++;
    return s->sim;
}

/* s:fork([changes]): an independent session at the same point, with the same future; or, with
 * changes, a changed session, and remarks. Both share the policy's Lua state: values that the
 * policy keeps outside of sim.state would pass from one to the other. */
static int session_fork(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L);
    orr_error err;
    orr_lua_try(L, orr_host_check_kept(s->policy->host, &err), &err);
    if (!lua_isnoneornil(L, 2))
        return orr_lua_fork_changed(L);
    orr_session *copy = orr_lua_push_successor(L, s);
    copy->sim = sim_for(s, copy, &err);
    return copy->sim ? 1 : orr_lua_raise(L, &err);
}

/* --- going on ------------------------------------------------------------------------------- */

/* Enters the session at 1, which goes on in a simulation of its own. */
static orr_session_entry enter(lua_State *L, const orr_session *s)
{
    orr_error err;
    orr_lua_try(L, orr_session_own(orr_lua_check_session(L), &err), &err);
    return orr_session_enter(s);
}

/* Since it was entered. */
static orr_status left(const orr_session *s, orr_session_entry entry, orr_status status,
                       orr_error *err)
{
    orr_session_leave(entry);
    return status == ORR_OK && s->engine->is_over(s->sim)
               ? orr_host_check_kept(s->policy->host, err)
               : status;
}

/* Leaves as `left` does, and raises errors of the simulation. */
static void leave(lua_State *L, const orr_session *s, orr_session_entry entry, orr_status status,
                  orr_error *err)
{
    orr_lua_try(L, left(s, entry, status, err), err);
}

/* s:step(): all events of the next instant; true while something is unfinished. */
static void session_step(lua_State *L, const orr_session *s)
{
    orr_session_entry entry = enter(L, s);
    orr_error err;
    leave(L, s, entry, s->engine->step(s->sim, &err), &err);
    lua_pushboolean(L, !s->engine->is_over(s->sim));
}

/* The next `most` instants up to and including `time`; whether that was all. */
static orr_status run_some(const orr_session *s, double time, lua_Integer most, bool *there,
                           orr_error *err)
{
    const orr_engine *engine = s->engine;
    orr_status status = ORR_OK;
    double next = engine->next_event(s->sim);
    for (; status == ORR_OK && next <= time && next < INFINITY && most > 0; most--) {
        status = engine->step(s->sim, err);
        next = engine->next_event(s->sim);
    }
    *there = !(next <= time && next < INFINITY);
    return status == ORR_OK && *there ? engine->run_until(s->sim, time, err) : status;
}

/* s:run_until(seconds[, most]): all instants up to and including that time, or the next `most` of
 * them; returns whether it reached the time. */
static void session_run_until(lua_State *L, const orr_session *s)
{
    double time = luaL_checknumber(L, 2);
    lua_Integer most = luaL_optinteger(L, 3, LUA_MAXINTEGER);
    luaL_argcheck(L, !isnan(time), 2, "a time in seconds, not nan");
    orr_session_entry entry = enter(L, s);
    orr_error err;
    bool there;
    leave(L, s, entry, run_some(s, time, most, &there, &err), &err);
    lua_pushboolean(L, there);
}

orr_status orr_session_run_before(orr_session *s, double time, lua_Integer most, lua_Integer *count,
                                  orr_error *err)
{
    const orr_engine *engine = s->engine;
    orr_status status = ORR_OK;
    *count = 0;
    if (most <= 0 || !(engine->next_event(s->sim) < time))
        return ORR_OK;
    if (orr_session_own(s, err) != ORR_OK)
        return err->status;
    orr_session_entry entry = orr_session_enter(s);
    for (; status == ORR_OK && *count < most && engine->next_event(s->sim) < time; (*count)++)
        status = engine->step(s->sim, err);
    return left(s, entry, status, err);
}

/* s:run_before(seconds, most): the instants before that time, or the next `most` of them; returns
 * their number. */
static void session_run_before(lua_State *L, const orr_session *session)
{
    orr_session *s = orr_lua_check_session(L);
    (void)session;
    double time = luaL_checknumber(L, 2);
    lua_Integer count;
    orr_error err;
    orr_lua_try(L, orr_session_run_before(s, time, luaL_checkinteger(L, 3), &count, &err), &err);
    lua_pushinteger(L, count);
}

/* s:passed(more): the number of instants passed by the short way (short_ways.c) since the last
 * call; from now on it may pass `more` instants. */
static void session_passed(lua_State *L, const orr_session *session)
{
    orr_session *s = orr_lua_check_session(L);
    (void)session;
    lua_pushinteger(L, s->passed);
    s->passed = 0;
    s->may_pass = luaL_checkinteger(L, 2);
}

/* s:finish(): runs to the end; the metrics as a table. */
static void session_finish(lua_State *L, const orr_session *s)
{
    orr_session_entry entry = enter(L, s);
    orr_error err;
    leave(L, s, entry, s->engine->finish(s->sim, &err), &err);
    s->engine->push_metrics(L, s);
}

/* --- looking -------------------------------------------------------------------------------- */

/* s:check(): true, or nil and the objection of the independent checker. */
static int session_check(lua_State *L)
{
    const orr_session *s = orr_lua_check_session(L);
    orr_error err;
    return orr_lua_push_verdict(L, s->engine->check(s, &err), &err);
}

/* s:write_schedule(path): complete or not at all; see schedule/export.h. Without a path the
 * text. */
static int session_write_schedule(lua_State *L)
{
    const orr_session *s = orr_lua_check_session(L);
    const char *path = luaL_optstring(L, 2, NULL);
    if (!path)
        return orr_output_push_text(L, s->engine->writer(""), s);
    orr_error err;
    orr_status status = orr_output_write_by(path, s->engine->writer(path), s, &err);
    return status == ORR_OK ? 0 : orr_lua_raise(L, &err);
}

static void session_next_event(lua_State *L, const orr_session *s)
{
    lua_pushnumber(L, s->engine->next_event(s->sim));
}

/* s.counts: how many jobs or tasks are in which state. */
static void session_counts(lua_State *L, const orr_session *s)
{
    orr_session_look look = s->engine->look(s);
    orr_lua_push_record(L, &look, s->engine->counts);
}

static void session_over(lua_State *L, const orr_session *s)
{
    lua_pushboolean(L, s->engine->is_over(s->sim));
}

/* s.notes */
static void session_notes(lua_State *L, const orr_session *s)
{
    orr_notes_push(L, &s->notes, 0);
}

/* s:new_notes(before): the notes behind the first `before`. */
static void session_new_notes(lua_State *L, const orr_session *s)
{
    orr_notes_push(L, &s->notes, luaL_checkinteger(L, 2));
}

/* s:hooks_called(): see orr_host_push_called. */
static void session_hooks_called(lua_State *L, const orr_session *s)
{
    orr_host_push_called(L, s->policy->host);
}

static void session_state(lua_State *L, const orr_session *s)
{
    orr_host_push_state(L, s->policy->host, s->engine->look(s).state);
}

/* --- the class ------------------------------------------------------------------------------ */

static const luaL_Reg meta[] = {{"__gc", session_close}, {NULL, NULL}};

static const orr_session_value values[] = {
    {"next_event", session_next_event}, {"counts", session_counts}, {"over", session_over},
    {"notes", session_notes},           {"state", session_state},   {NULL, NULL}};

#define METHOD(name) ORR_LUA_METHOD(session, name)
static const orr_session_value methods[] = {
    METHOD(step),   METHOD(run_until), METHOD(run_before),   METHOD(passed),
    METHOD(finish), METHOD(new_notes), METHOD(hooks_called), {NULL, NULL},
};

/* Methods that do not push one value. */
static const luaL_Reg others[] = {
    METHOD(fork), METHOD(close), METHOD(check), METHOD(write_schedule), {NULL, NULL},
};

/* Upvalues: the engine, and the function that pushes. */
static int push_value(lua_State *L)
{
    const orr_session_value *value = lua_touserdata(L, lua_upvalueindex(2));
    value->push(L, orr_lua_check_session(L));
    return 1;
}

/* Upvalues: the engine, the table of methods, the table of fields (functions, or offsets of
 * numbers). */
static int session_index(lua_State *L)
{
    const orr_session *s = orr_lua_check_session(L);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(2)) != LUA_TNIL)
        return 1;
    lua_pushvalue(L, 2);
    switch (lua_rawget(L, lua_upvalueindex(3))) {
    case LUA_TFUNCTION:
        lua_pushvalue(L, 1);
        lua_call(L, 1, 1);
        return 1;
    case LUA_TLIGHTUSERDATA: {
        orr_session_look look = s->engine->look(s);
        orr_lua_push_field(L, &look, lua_touserdata(L, -1));
        return 1;
    }
    default:
        return luaL_error(L, "a %s has no field '%s'", s->engine->class.what,
                          orr_lua_push_key(L, 2));
    }
}

/* Functions that know their engine into the table on top. */
static void add_functions(lua_State *L, const orr_engine *engine, const luaL_Reg *functions)
{
    lua_pushlightuserdata(L, (void *)engine);
    luaL_setfuncs(L, functions, 1);
}

static void add_values(lua_State *L, const orr_engine *engine, const orr_session_value *list)
{
    for (; list->name; list++) {
        lua_pushlightuserdata(L, (void *)engine);
        lua_pushlightuserdata(L, (void *)list);
        lua_pushcclosure(L, push_value, 2);
        lua_setfield(L, -2, list->name);
    }
}

/* core.session or core.malleable_session, and the class; its metatable has the table of fields,
 * too. */
static void open_class(lua_State *L, const orr_engine *engine)
{
    const luaL_Reg make[] = {{engine->make, new_session}, {NULL, NULL}};
    add_functions(L, engine, make);
    orr_lua_new_class(L, &engine->class);
    luaL_getmetatable(L, engine->class.name);
    add_functions(L, engine, meta);
    lua_pushlightuserdata(L, (void *)engine);
    lua_newtable(L);
    lua_pushvalue(L, -1); /* session.lua passes on these methods */
    lua_setfield(L, -4, "methods");
    add_functions(L, engine, others);
    add_values(L, engine, methods);
    add_values(L, engine, engine->methods);
    lua_newtable(L);
    add_values(L, engine, values);
    add_values(L, engine, engine->values);
    for (const orr_lua_field *field = engine->numbers; field->name; field++) {
        lua_pushlightuserdata(L, (void *)field);
        lua_setfield(L, -2, field->name);
    }
    lua_pushvalue(L, -1);
    lua_setfield(L, -5, "fields");
    lua_pushcclosure(L, session_index, 3);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
}

void orr_lua_open_sessions(lua_State *L)
{
    open_class(L, &orr_engine_of_jobs);
    open_class(L, &orr_engine_of_tasks);
}
