/* Sessions: one simulation of rigid jobs that stops, shows itself and is copied. */
#include "bindings/session/jobs.h"
#include "bindings/host/host.h"
#include "bindings/host/views.h"
#include "bindings/run/jobs.h"
#include "bindings/run/runs.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/failures.h"
#include "bindings/values/metrics.h"
#include "bindings/values/values.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int session_gc(lua_State *L)
{
    orr_session_close(luaL_checkudata(L, 1, ORR_LUA_SESSION));
    return 0;
}

/* The watchdog is on from enter to leave; raises where it cannot be. */
static orr_host *enter(lua_State *L, orr_session *s)
{
    orr_error err;
    if (orr_host_enter(s->policy->host, &err) != ORR_OK)
        orr_lua_raise(L, &err);
    return s->policy->host;
}

/* --- creation ------------------------------------------------------------------------------- */

/* The failure counts of the session's scenario: given, or drawn; NULL for none. */
static orr_status scenario_of(const orr_instance *in, const orr_run_options *o, int64_t scenario,
                              const orr_lua_failures *given, int32_t *drawn,
                              const int32_t **failures, orr_error *err)
{
    *failures = NULL;
    if (given) {
        int64_t row = given->rows == 1 ? 1 : scenario; /* one row is for whatever number */
        if (row < 1 || row > given->rows)
            return orr_fail(err, ORR_ERR_ARGUMENT, "there is no scenario %lld among %lld",
                            (long long)scenario, (long long)given->rows);
        *failures = given->counts + (row - 1) * given->columns;
        return ORR_OK;
    }
    if (!(o->lambda > 0))
        return ORR_OK;
    orr_silent_errors errors;
    orr_status status =
        orr_silent_errors_create(&errors, in, o->lambda, o->max_attempts, NULL, err);
    if (status == ORR_OK)
        status = orr_silent_errors_draw(&errors, o->seed, o->set, (uint64_t)scenario, drawn, err);
    orr_silent_errors_destroy(&errors);
    *failures = drawn;
    return status;
}

static orr_status begin(orr_session *s, const orr_run_options *o, const int32_t *failures,
                        orr_error *err)
{
    orr_host *host = s->policy->host;
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &s->instance->value,
                             .policy = &host->jobs.policy,
                             .node_failures = o->node_failures,
                             .seed = o->seed,
                             .set = o->set,
                             .record = true,
                             .cancel = &orr_interrupted,
                             .trap = orr_runs_trap()};
    orr_status status = orr_host_enter(host, err);
    if (status != ORR_OK)
        return status;
    s->sim = orr_rigid_create(&setup, err);
    status = s->sim ? orr_rigid_reset(s->sim, failures, s->scenario, err) : err->status;
    orr_host_leave(host);
    return status;
}

/* What changes have to know of the options. */
static void remember(orr_session *s, const orr_run_options *o, lua_Integer scenario, bool given)
{
    s->limits = o->limits;
    s->lambda = o->lambda;
    s->max_attempts = o->max_attempts;
    s->machine = o->instance.procs;
    s->seed = o->seed;
    s->set = o->set;
    s->scenario = (uint64_t)scenario;
    s->given = given;
    s->repair = o->node_failures ? o->node_failures->repair : 0;
}

/* The instance and the policy of a new session. */
static orr_status load(lua_State *L, orr_session *s, const orr_jobs *jobs, orr_run_options *o,
                       orr_error *err)
{
    o->instance.procs = (int32_t)orr_lua_integer_option(L, 3, "procs", o->instance.procs, 1,
                                                        INT32_MAX - 1); /* of the policy's groups */
    s->instance = orr_session_new_instance(err);
    if (!s->instance)
        return ORR_ERR_MEMORY;
    orr_status status = orr_instance_create(&s->instance->value, jobs, &o->instance, NULL, err);
    if (status != ORR_OK)
        return status;
    s->policy = orr_session_load_policy(L, 3, &o->limits, err);
    return s->policy ? ORR_OK : err->status;
}

/* core.session(jobs, options, policy, scenario[, failures]) */
static int new_session(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_Integer scenario = luaL_checkinteger(L, 4);
    if (scenario < 1)
        return luaL_error(L, "scenario must be at least 1, it is %I", (LUAI_UACINT)scenario);
    lua_settop(L, 5);
    const orr_lua_failures *given = orr_lua_test_failures(L, 5, jobs);
    orr_run_options o = orr_lua_run_options(L, 2, jobs);
    int32_t *drawn = lua_newuserdatauv(L, ((size_t)jobs->count + 1) * sizeof *drawn, 0);
    lua_getfield(L, 2, "node_failures");
    orr_session *s = orr_lua_push_session(L, 1, lua_gettop(L));
    remember(s, &o, scenario, given != NULL);
    orr_error err;
    const int32_t *failures = NULL;
    orr_status status = load(L, s, jobs, &o, &err);
    if (status == ORR_OK)
        status = scenario_of(&s->instance->value, &o, scenario, given, drawn, &failures, &err);
    if (status == ORR_OK)
        status = begin(s, &o, failures, &err);
    return status == ORR_OK ? 1 : orr_lua_raise(L, &err);
}

/* s:fork([changes]): an independent session at the same point, with the same future; or, with
 * changes, as session:change makes it, and its remarks. */
static int session_fork(lua_State *L)
{
    const orr_session *s = orr_lua_check_session(L, 1);
    if (!lua_isnoneornil(L, 2))
        return orr_lua_session_fork_changed(L);
    lua_getiuservalue(L, 1, 1);
    lua_getiuservalue(L, 1, 2);
    orr_session *copy = orr_lua_push_session(L, lua_gettop(L) - 1, lua_gettop(L));
    orr_error err;
    orr_rigid *sim = orr_rigid_copy(s->sim, &err);
    if (!sim)
        return orr_lua_raise(L, &err);
    orr_session_share(copy, s);
    copy->sim = sim;
    return 1;
}

/* --- going on ------------------------------------------------------------------------------- */

/* s:step(): all events of the next instant; true while jobs are unfinished. */
static int session_step(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    orr_error err;
    orr_host *host = enter(L, s);
    orr_status status = orr_rigid_step(s->sim, &err);
    orr_host_leave(host);
    if (status != ORR_OK)
        return orr_lua_raise(L, &err);
    lua_pushboolean(L, !orr_rigid_is_over(s->sim));
    return 1;
}

/* The next `most` instants up to and including `time`; whether that was all. */
static orr_status run_some(orr_rigid *sim, double time, lua_Integer most, bool *there,
                           orr_error *err)
{
    orr_status status = ORR_OK;
    double next = orr_rigid_next_event(sim);
    for (; status == ORR_OK && next <= time && next < INFINITY && most > 0; most--) {
        status = orr_rigid_step(sim, err);
        next = orr_rigid_next_event(sim);
    }
    *there = !(next <= time && next < INFINITY);
    return status == ORR_OK && *there ? orr_rigid_run_until(sim, time, err) : status;
}

/* s:run_until(seconds[, most]): all instants up to and including that time, or the next `most` of
 * them; returns whether it got there, without `most` the session. */
static int session_run_until(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    double time = luaL_checknumber(L, 2);
    lua_Integer most = luaL_optinteger(L, 3, LUA_MAXINTEGER);
    orr_error err;
    bool there;
    luaL_argcheck(L, !isnan(time), 2, "a time in seconds, not nan");
    orr_host *host = enter(L, s);
    orr_status status = run_some(s->sim, time, most, &there, &err);
    orr_host_leave(host);
    if (status != ORR_OK)
        return orr_lua_raise(L, &err);
    lua_pushboolean(L, there);
    lua_settop(L, lua_isnoneornil(L, 3) ? 1 : lua_gettop(L));
    return 1;
}

/* s:finish(): runs to the end; the metrics as a table. */
static int session_finish(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    orr_error err;
    orr_metrics metrics;
    orr_host *host = enter(L, s);
    orr_status status = orr_rigid_finish(s->sim, &metrics, &err);
    orr_host_leave(host);
    if (status != ORR_OK)
        return orr_lua_raise(L, &err);
    orr_lua_push_metrics(L, &metrics);
    return 1;
}

/* --- looking -------------------------------------------------------------------------------- */

static void push_job(lua_State *L, const orr_session *s, int32_t job)
{
    const orr_instance *in = &s->instance->value;
    orr_rigid_job_view view = orr_rigid_job(s->sim, job);
    lua_createtable(L, 0, 15);
    orr_lua_set_text(L, "id", orr_jobs_id(in->jobs, job));
    orr_lua_set_integer(L, "position", job + 1);
    orr_lua_set_known(L, "submit", in->submit[job]);
    orr_lua_set_integer(L, "procs", in->jobs->procs[job]);
    orr_lua_set_known(L, "time", in->estimate[job]);
    orr_lua_set_known(L, "runtime", in->jobs->time[job]);
    orr_lua_set_text(L, "user", orr_jobs_label_text(in->jobs, job, ORR_LABEL_USER));
    orr_lua_set_text(L, "queue", orr_jobs_label_text(in->jobs, job, ORR_LABEL_QUEUE));
    orr_lua_set_text(L, "partition", orr_jobs_label_text(in->jobs, job, ORR_LABEL_PARTITION));
    orr_lua_set_text(L, "state", orr_job_state_name(view.state));
    orr_lua_set_integer(L, "attempts", view.attempts);
    orr_lua_set_known(L, "start", view.start);
    orr_lua_set_known(L, "planned_end", view.planned_end);
    if (view.state == ORR_JOB_PENDING)
        return;
    orr_lua_set_text(L, "group", orr_rigid_look_group(s->sim, view.group).name);
    orr_lua_set_known(L, "arrival", view.arrival);
}

/* s:job(position) */
static int session_job(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    lua_Integer position = luaL_checkinteger(L, 2);
    luaL_argcheck(L, position >= 1 && position <= s->instance->value.count, 2, "no such job");
    push_job(L, s, (int32_t)position - 1);
    return 1;
}

/* The group named at arg: *from .. *to - 1; all of them where there is no name. */
static void group_argument(lua_State *L, const orr_session *s, int arg, int32_t *from, int32_t *to)
{
    *from = 0;
    *to = orr_rigid_look(s->sim).groups;
    if (lua_isnoneornil(L, arg))
        return;
    const char *name = luaL_checkstring(L, arg);
    *from = orr_rigid_find_group(s->sim, name);
    if (*from < 0)
        luaL_error(L, "there is no group '%s'", name);
    *to = *from + 1;
}

/* s:waiting([group]): the waiting jobs, in queue order, group after group. */
static int session_waiting(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    int32_t from, to;
    int n = 0;
    group_argument(L, s, 2, &from, &to);
    lua_newtable(L);
    for (int32_t group = from; group < to; group++) {
        int32_t job = -1;
        while ((job = orr_rigid_next_waiting(s->sim, group, job, INT32_MAX - 1)) >= 0) {
            push_job(L, s, job);
            lua_rawseti(L, -2, ++n);
        }
    }
    return 1;
}

/* s:running([group]): the running jobs, in order of their starts. */
static int session_running(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    int32_t from, to;
    group_argument(L, s, 2, &from, &to);
    int32_t n = orr_rigid_look(s->sim).running;
    int32_t *jobs = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *jobs, 0);
    n = orr_rigid_running(s->sim, to > from + 1 ? -1 : from, jobs);
    lua_createtable(L, n, 0);
    for (int32_t i = 0; i < n; i++) {
        push_job(L, s, jobs[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* s.groups: list of what is in them. */
static void push_groups(lua_State *L, const orr_session *s)
{
    int32_t count = orr_rigid_look(s->sim).groups;
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        orr_rigid_group_view view = orr_rigid_look_group(s->sim, i);
        lua_createtable(L, 0, 7);
        orr_lua_set_text(L, "name", view.name);
        orr_lua_set_integer(L, "procs", view.procs - view.drained);
        orr_lua_set_integer(L, "free", view.free);
        orr_lua_set_integer(L, "down", view.down - view.drained_down);
        orr_lua_set_integer(L, "draining", view.drained - view.drained_down);
        orr_lua_set_integer(L, "waiting_count", view.waiting);
        orr_lua_set_integer(L, "running_count", view.running);
        lua_rawseti(L, -2, i + 1);
    }
}

/* s.counts: how many jobs are in which state. */
static void push_counts(lua_State *L, const orr_session *s)
{
    orr_rigid_view view = orr_rigid_look(s->sim);
    int32_t come = view.waiting + view.held + view.running + view.over;
    lua_createtable(L, 0, 5);
    orr_lua_set_integer(L, "pending", view.instance->count - come);
    orr_lua_set_integer(L, "waiting", view.waiting);
    orr_lua_set_integer(L, "held", view.held);
    orr_lua_set_integer(L, "running", view.running);
    orr_lua_set_integer(L, "over", view.over);
}

static void check(lua_State *L)
{
    orr_lua_check_session(L, 1);
}

static bool session_field(lua_State *L, const char *name)
{
    orr_session *s = lua_touserdata(L, 1);
    orr_rigid_view view = orr_rigid_look(s->sim);
    if (strcmp(name, "now") == 0)
        lua_pushnumber(L, view.now);
    else if (strcmp(name, "next_event") == 0)
        lua_pushnumber(L, orr_rigid_next_event(s->sim));
    else if (strcmp(name, "free") == 0)
        lua_pushinteger(L, view.free);
    else if (strcmp(name, "procs") == 0)
        lua_pushinteger(L, view.instance->procs - view.drained);
    else if (strcmp(name, "down") == 0)
        lua_pushinteger(L, view.down - view.drained_down);
    else if (strcmp(name, "draining") == 0)
        lua_pushinteger(L, view.drained - view.drained_down);
    else if (strcmp(name, "numbered") == 0)
        lua_pushinteger(L, view.instance->procs);
    else if (strcmp(name, "machine") == 0)
        lua_pushinteger(L, s->machine);
    else if (strcmp(name, "state") == 0)
        orr_host_push_state(L, s->policy->host, view.state);
    else if (strcmp(name, "groups") == 0)
        push_groups(L, s);
    else if (strcmp(name, "counts") == 0)
        push_counts(L, s);
    else if (strcmp(name, "over") == 0)
        lua_pushboolean(L, orr_rigid_is_over(s->sim));
    else if (strcmp(name, "overruns") == 0)
        lua_pushinteger(L, view.instance->overruns);
    else if (strcmp(name, "jobs") == 0)
        lua_getiuservalue(L, 1, 1);
    else
        return false;
    return true;
}

static int session_tostring(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    orr_rigid_view view = orr_rigid_look(s->sim);
    char text[256];
    snprintf(text, sizeof text,
             "session of %s at %.17g s: %d jobs over, %d running, %d waiting; %d of %d processors "
             "free",
             s->policy->host->name, view.now, (int)view.over, (int)view.running, (int)view.waiting,
             (int)view.free, (int)(view.instance->procs - view.drained));
    lua_pushstring(L, text);
    return 1;
}

void orr_lua_open_session(lua_State *L)
{
    static const luaL_Reg methods[] = {{"step", session_step},
                                       {"run_until", session_run_until},
                                       {"finish", session_finish},
                                       {"fork", session_fork},
                                       {"change", orr_lua_session_change},
                                       {"job", session_job},
                                       {"waiting", session_waiting},
                                       {"running", session_running},
                                       {NULL, NULL}};
    static const orr_lua_class class = {
        .name = ORR_LUA_SESSION,
        .what = "session",
        .methods = methods,
        .gc = session_gc,
        .tostring = session_tostring,
        .check = check,
        .field = session_field,
        .unknown = "a session has no field '%s' (known: now, next_event, free, procs, down, "
                   "draining, numbered, machine, state, groups, counts, over, overruns, jobs, %s, "
                   "schedule, failures, outages, check, measure, timeline, times, users, "
                   "write_schedule)",
    };
    orr_lua_new_class(L, &class);
    luaL_getmetatable(L, ORR_LUA_SESSION);
    lua_getfield(L, -1, "methods");
    luaL_setfuncs(L, orr_session_record_methods, 0);
    lua_pop(L, 2);
    lua_pushcfunction(L, new_session);
    lua_setfield(L, -2, "session");
}
