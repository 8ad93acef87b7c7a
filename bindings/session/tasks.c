/* Sessions of malleable tasks: one simulation that stops, shows itself and is copied. */
#include "bindings/session/tasks.h"
#include "bindings/host/host.h"
#include "bindings/run/runs.h"
#include "bindings/run/tasks.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "schedule/export.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int session_gc(lua_State *L)
{
    orr_tasks_session_empty(luaL_checkudata(L, 1, ORR_LUA_TASKS_SESSION));
    return 0;
}

/* The session on top of the stack keeps the value at `index` alive. */
static void keep(lua_State *L, int index, int as)
{
    lua_pushvalue(L, index);
    lua_setiuservalue(L, -2, as);
}

/* --- creation ------------------------------------------------------------------------------- */

static orr_status begin(orr_tasks_session *s, const orr_tasks_options *o, uint64_t run,
                        orr_error *err)
{
    orr_host *host = s->world->host;
    orr_malleable_setup setup = {.size = sizeof(orr_malleable_setup),
                                 .count = s->tasks->count,
                                 .procs = o->procs,
                                 .resilience = o->resilience,
                                 .faults = o->faults,
                                 .policy = &host->tasks.policy,
                                 .seed = o->seed,
                                 .set = o->set,
                                 .record = true,
                                 .max_faults = o->max_faults,
                                 .cancel = &orr_interrupted,
                                 .trap = orr_runs_trap()};
    orr_status status = orr_host_enter(host, err);
    if (status != ORR_OK)
        return status;
    err->status = ORR_ERR_INTERNAL; /* whatever creation says instead */
    s->sim = orr_malleable_create(&setup, err);
    status = s->sim ? orr_malleable_reset(s->sim, s->tasks, run, err) : err->status;
    orr_host_leave(host);
    return status;
}

/* core.malleable_session(tasks, options, policy, run[, faults]) */
static int new_session(lua_State *L)
{
    lua_settop(L, 5);
    const orr_tasks *tasks = orr_lua_check_tasks(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_Integer run = luaL_checkinteger(L, 4);
    if (run < 1)
        return luaL_error(L, "run must be at least 1, it is %I", (LUAI_UACINT)run);
    orr_tasks_options o = orr_lua_tasks_options(L, 2, tasks, orr_lua_test_faults(L, 5));
    orr_tasks_session *s = orr_lua_push_tasks_session(L);
    keep(L, 1, ORR_KEEPS_TASKS);
    keep(L, 5, ORR_KEEPS_FAULTS);
    keep(L, 3, ORR_KEEPS_POLICY);
    s->tasks = tasks;
    orr_error err;
    orr_status status = orr_lua_new_world(L, s, 3, &o.limits, &err);
    if (status == ORR_OK)
        status = begin(s, &o, (uint64_t)run, &err);
    return status == ORR_OK ? 1 : orr_lua_raise(L, &err);
}

/* s:fork([changes]): an independent session at the same point, with the same future; or, with
 * changes, as session:change makes it, and its remarks. */
static int session_fork(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    if (!lua_isnoneornil(L, 2))
        return orr_lua_tasks_fork_changed(L);
    lua_settop(L, 1);
    orr_tasks_session *copy = orr_lua_push_successor(L, s);
    orr_error err;
    copy->sim = orr_malleable_copy(s->sim, &err);
    return copy->sim ? 1 : orr_lua_raise(L, &err);
}

/* --- going on ------------------------------------------------------------------------------- */

/* s:step(): all events of the next instant; true while tasks run. */
static int session_step(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    orr_error err;
    orr_host *host = orr_tasks_session_enter(L, s);
    orr_status status = orr_malleable_step(s->sim, &err);
    orr_host_leave(host);
    if (status != ORR_OK)
        return orr_lua_raise(L, &err);
    lua_pushboolean(L, !orr_malleable_is_over(s->sim));
    return 1;
}

/* At most so many instants up to `time`; *there says whether the clock got there. */
static orr_status run_some(orr_malleable *sim, double time, lua_Integer most, bool *there,
                           orr_error *err)
{
    orr_status status = ORR_OK;
    while (status == ORR_OK && most-- > 0 && orr_malleable_next_event(sim) <= time &&
           orr_malleable_next_event(sim) < INFINITY)
        status = orr_malleable_step(sim, err);
    double next = orr_malleable_next_event(sim);
    *there = !(next <= time && next < INFINITY);
    return status == ORR_OK && *there ? orr_malleable_run_until(sim, time, err) : status;
}

/* s:run_until(seconds): all instants up to and including that time; returns the session.
 * s:run_until(seconds, most): at most so many of them; whether it got there. */
static int session_run_until(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    double time = luaL_checknumber(L, 2);
    bool limited = !lua_isnoneornil(L, 3), there;
    lua_Integer most = limited ? luaL_checkinteger(L, 3) : LUA_MAXINTEGER;
    orr_error err;
    luaL_argcheck(L, !isnan(time), 2, "a time in seconds, not nan");
    orr_host *host = orr_tasks_session_enter(L, s);
    orr_status status = run_some(s->sim, time, most, &there, &err);
    orr_host_leave(host);
    if (status != ORR_OK)
        return orr_lua_raise(L, &err);
    lua_settop(L, 1);
    if (limited)
        lua_pushboolean(L, there);
    return 1;
}

static void push_metrics(lua_State *L, const orr_malleable *sim)
{
    orr_malleable_result result = {
        .metrics = orr_malleable_measure(sim), .baseline = NAN, .fault_free = NAN};
    orr_lua_push_tasks_metrics(L, &result);
}

/* s:finish(): runs to the end; the metrics as a table. */
static int session_finish(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    orr_error err;
    orr_host *host = orr_tasks_session_enter(L, s);
    orr_status status = orr_malleable_finish(s->sim, NULL, &err);
    orr_host_leave(host);
    if (status != ORR_OK)
        return orr_lua_raise(L, &err);
    push_metrics(L, s->sim);
    return 1;
}

/* --- looking -------------------------------------------------------------------------------- */

static void push_task(lua_State *L, orr_tasks_session *s, int32_t task)
{
    static const char *const states[] = {"ready", "locked", "over"};
    orr_task_view view = orr_malleable_task(s->sim, task);
    lua_createtable(L, 0, 9);
    lua_pushstring(L, orr_tasks_id(s->tasks, task));
    lua_setfield(L, -2, "id");
    lua_pushstring(L, states[view.state]);
    lua_setfield(L, -2, "state");
    orr_lua_set_integer(L, "position", task + 1);
    orr_lua_set_integer(L, "procs", view.procs);
    orr_lua_set_number(L, "size", s->tasks->size[task]);
    orr_lua_set_number(L, "left", view.left);
    orr_lua_set_number(L, "ready", view.ready);
    orr_lua_set_number(L, "finish", view.finish);
    orr_lua_set_number(L, "end", view.end);
}

/* s:task(position) */
static int session_task(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    lua_Integer position = luaL_checkinteger(L, 2);
    luaL_argcheck(L, position >= 1 && position <= s->tasks->count, 2, "no such task");
    push_task(L, s, (int32_t)position - 1);
    orr_lua_set_integer(L, "most", orr_malleable_most(s->sim, (int32_t)position - 1));
    return 1;
}

/* s:running(): the tasks that run, in order of position. */
static int session_running(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    lua_newtable(L);
    for (int32_t i = 0, n = 0; i < s->tasks->count; i++) {
        if (orr_malleable_task(s->sim, i).state == ORR_TASK_OVER)
            continue;
        push_task(L, s, i);
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

/* s:ends(): per task, its end; of one that runs, when it ends if nothing strikes it. */
static int session_ends(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    orr_lua_push_numbers(L, orr_malleable_ends(s->sim), s->tasks->count);
    return 1;
}

static void push_processors(lua_State *L, const orr_stints *stints, const orr_stint *stint)
{
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int32_t k = 0; k < stint->interval_count; k++) {
        orr_interval range = stints->intervals[stint->first_interval + k];
        char one[32];
        snprintf(one, sizeof one, "%s%d-%d", k > 0 ? " " : "", (int)range.low, (int)range.high);
        luaL_addstring(&text, one);
    }
    luaL_pushresult(&text);
}

typedef struct span_list {
    lua_State *L;
    const orr_tasks_session *session;
    const orr_stints *stints;
    lua_Integer count;
} span_list;

/* Processors are above the list of spans on the stack. */
static bool push_span(void *user, const orr_span *span)
{
    span_list *list = user;
    lua_State *L = list->L;
    lua_createtable(L, 0, 7);
    lua_pushstring(L, orr_tasks_id(list->session->tasks, span->task));
    lua_setfield(L, -2, "id");
    lua_pushstring(L, orr_span_name(span->kind));
    lua_setfield(L, -2, "kind");
    orr_lua_set_integer(L, "position", span->task + 1);
    orr_lua_set_integer(L, "procs", span->procs);
    orr_lua_set_number(L, "start", span->start);
    orr_lua_set_number(L, "finish", span->finish);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "processors");
    lua_rawseti(L, -3, ++list->count);
    return true;
}

/* s:schedule(): the spans so far, stint by stint. */
static int session_schedule(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    const orr_stints *stints = orr_malleable_stints(s->sim);
    double now = orr_malleable_look(s->sim).now;
    span_list list = {L, s, stints, 0};
    lua_newtable(L);
    for (int64_t i = 0; i < stints->count; i++) {
        push_processors(L, stints, &stints->stints[i]);
        orr_stint_spans(stints, i, now, push_span, &list);
        lua_pop(L, 1);
    }
    return 1;
}

/* s:faults(): the faults so far, absorbed ones included. */
static int session_faults(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    int64_t count;
    const orr_fault *faults = orr_malleable_faults(s->sim, &count);
    lua_createtable(L, (int)count, 0);
    for (int64_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 2);
        orr_lua_set_number(L, "time", faults[i].time);
        if (faults[i].processor >= 0)
            orr_lua_set_integer(L, "processor", faults[i].processor);
        else
            orr_lua_set_integer(L, "task", faults[i].task + 1);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* Appends { what =, start =, finish =, first =, procs = } to the list on the stack; nothing for no
 * processors. */
static void push_outage(lua_State *L, const char *what, double start, double finish,
                        orr_interval range)
{
    if (range.low > range.high)
        return;
    lua_createtable(L, 0, 5);
    lua_pushstring(L, what);
    lua_setfield(L, -2, "what");
    orr_lua_set_number(L, "start", start);
    orr_lua_set_number(L, "finish", finish);
    orr_lua_set_integer(L, "first", range.low);
    orr_lua_set_integer(L, "procs", range.high - range.low + 1);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* s:outages(): which processors left and came, as a session of jobs tells it. */
static int session_outages(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    const orr_stints *stints = orr_malleable_stints(s->sim);
    int32_t known = stints->procs; /* those behind were never there */
    lua_newtable(L);
    for (int64_t i = 0; i < stints->change_count; i++) {
        const orr_stints_change *change = &stints->changes[i];
        orr_interval old = change->processors, new = old;
        double time = change->time;
        if (change->what == ORR_CHANGED_LEAVES)
            push_outage(L, "drained", time, INFINITY, old);
        if (change->what != ORR_CHANGED_COMES)
            continue;
        old.high = old.high < known ? old.high : known - 1;
        new.low = new.low < known ? known : new.low;
        push_outage(L, "back", time, time, old);
        push_outage(L, "added", time, time, new);
        known = new.high >= known ? new.high + 1 : known;
    }
    return 1;
}

/* s:allocation(): how the processors were spread at the start and after every instant. */
static int session_allocation(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    int64_t count;
    const orr_moment *moments = orr_malleable_moments(s->sim, &count);
    lua_createtable(L, (int)count, 0);
    for (int64_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 5);
        orr_lua_set_number(L, "time", moments[i].time);
        orr_lua_set_integer(L, "running", moments[i].running);
        orr_lua_set_number(L, "mean", moments[i].mean);
        orr_lua_set_number(L, "sd", moments[i].deviation);
        orr_lua_set_number(L, "expected", moments[i].expected);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* s:check(): true, or nil and what the independent checker objects to. */
static int session_check(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    orr_error err;
    return orr_lua_push_verdict(L, orr_malleable_check(s->sim, &err), &err);
}

/* s:measure(): the metrics so far. */
static int session_measure(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    push_metrics(L, s->sim);
    return 1;
}

static orr_status write_spans(const void *user, const orr_sink *sink, orr_error *err)
{
    const orr_tasks_session *s = user;
    return orr_export_spans(s->tasks, orr_malleable_stints(s->sim), orr_malleable_look(s->sim).now,
                            sink, err);
}

/* s:write_schedule(path): the spans as CSV, complete or not at all; see schedule/stints.h. */
static int session_write_schedule(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    const char *path = luaL_checkstring(L, 2);
    orr_error err;
    orr_status status = orr_output_write_by(path, write_spans, s, &err);
    return status == ORR_OK ? 0 : orr_lua_raise(L, &err);
}

/* s.counts: how many tasks are in which state. */
static void push_counts(lua_State *L, const orr_tasks_session *s)
{
    int32_t running = orr_malleable_look(s->sim).running;
    lua_createtable(L, 0, 2);
    orr_lua_set_integer(L, "running", running);
    orr_lua_set_integer(L, "over", s->tasks->count - running);
}

static void check(lua_State *L)
{
    orr_lua_check_tasks_session(L, 1);
}

static bool session_field(lua_State *L, const char *name)
{
    orr_tasks_session *s = lua_touserdata(L, 1);
    orr_malleable_view view = orr_malleable_look(s->sim);
    if (strcmp(name, "now") == 0)
        lua_pushnumber(L, view.now);
    else if (strcmp(name, "next_event") == 0)
        lua_pushnumber(L, orr_malleable_next_event(s->sim));
    else if (strcmp(name, "expected") == 0)
        lua_pushnumber(L, view.expected);
    else if (strcmp(name, "free") == 0)
        lua_pushinteger(L, view.free);
    else if (strcmp(name, "procs") == 0)
        lua_pushinteger(L, view.procs);
    else if (strcmp(name, "draining") == 0)
        lua_pushinteger(L, view.leaving);
    else if (strcmp(name, "numbered") == 0)
        lua_pushinteger(L, view.numbered);
    else if (strcmp(name, "counts") == 0)
        push_counts(L, s);
    else if (strcmp(name, "over") == 0)
        lua_pushboolean(L, orr_malleable_is_over(s->sim));
    else if (strcmp(name, "tasks") == 0)
        lua_getiuservalue(L, 1, ORR_KEEPS_TASKS);
    else if (strcmp(name, "state") == 0)
        orr_host_push_state(L, s->world->host, view.state);
    else
        return false;
    return true;
}

static int session_tostring(lua_State *L)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    orr_malleable_view view = orr_malleable_look(s->sim);
    char text[512];
    snprintf(text, sizeof text,
             "session of %s at %.17g s: %d of %d tasks over; %d of %d processors free; expected to "
             "end at %.17g s",
             s->world->host->name, view.now, (int)(s->tasks->count - view.running),
             (int)s->tasks->count, (int)view.free, (int)view.procs, view.expected);
    lua_pushstring(L, text);
    return 1;
}

void orr_lua_open_tasks_session(lua_State *L)
{
    static const luaL_Reg methods[] = {{"step", session_step},
                                       {"run_until", session_run_until},
                                       {"finish", session_finish},
                                       {"fork", session_fork},
                                       {"change", orr_lua_tasks_change},
                                       {"task", session_task},
                                       {"running", session_running},
                                       {"ends", session_ends},
                                       {"schedule", session_schedule},
                                       {"faults", session_faults},
                                       {"allocation", session_allocation},
                                       {"outages", session_outages},
                                       {"check", session_check},
                                       {"measure", session_measure},
                                       {"write_schedule", session_write_schedule},
                                       {NULL, NULL}};
    static const orr_lua_class class = {
        .name = ORR_LUA_TASKS_SESSION,
        .what = "session of tasks",
        .methods = methods,
        .gc = session_gc,
        .tostring = session_tostring,
        .check = check,
        .field = session_field,
        .unknown = "a session of tasks has no field '%s' (known: now, next_event, expected, free, "
                   "procs, draining, numbered, counts, over, tasks, state, %s)",
    };
    orr_lua_new_class(L, &class);
    lua_pushcfunction(L, new_session);
    lua_setfield(L, -2, "malleable_session");
}
