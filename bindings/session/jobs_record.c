/* What a session of rigid jobs has recorded, and what is made of that. */
#include "bindings/host/views.h"
#include "bindings/session/jobs.h"
#include "bindings/support/fields.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"
#include "bindings/values/metrics.h"

#include "schedule/check.h"
#include "schedule/export.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void push_intervals(lua_State *L, const orr_schedule *schedule, const orr_attempt *a)
{
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (int32_t k = 0; k < a->interval_count; k++) {
        orr_interval range = schedule->intervals[a->first_interval + k];
        char one[32];
        if (range.low == range.high)
            snprintf(one, sizeof one, "%s%d", k > 0 ? " " : "", (int)range.low);
        else
            snprintf(one, sizeof one, "%s%d-%d", k > 0 ? " " : "", (int)range.low, (int)range.high);
        luaL_addstring(&text, one);
    }
    luaL_pushresult(&text);
}

static const char *outcome_name(orr_outcome outcome)
{
    static const char *const names[] = {
        [ORR_RUNNING] = "running",         [ORR_COMPLETED] = "completed",
        [ORR_FAILED] = "failed",           [ORR_KILLED] = "killed",
        [ORR_PREEMPTED] = "preempted",     [ORR_CANCELLED] = "cancelled",
        [ORR_NODE_FAILED] = "node_failure"};
    return names[outcome];
}

/* s:schedule(): the attempts so far, in order of their starts. */
static int session_schedule(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    lua_newtable(L);
    for (int64_t i = 0; i < schedule->count; i++) {
        const orr_attempt *a = &schedule->attempts[i];
        lua_createtable(L, 0, 8);
        orr_lua_set_text(L, "id", orr_jobs_id(s->instance->value.jobs, a->job));
        orr_lua_set_integer(L, "position", a->job + 1);
        orr_lua_set_integer(L, "attempt", a->number);
        orr_lua_set_known(L, "start", a->start);
        orr_lua_set_known(L, "finish", a->end);
        orr_lua_set_text(L, "outcome", outcome_name(a->outcome));
        const orr_processor_group *group = orr_schedule_group(schedule, i);
        orr_lua_set_text(L, "group", group ? group->name : NULL);
        push_intervals(L, schedule, a);
        lua_setfield(L, -2, "processors");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* A list of one number per job under this name of the table on top. */
static void set_list(lua_State *L, const char *name, const double *values, int32_t count)
{
    orr_lua_push_numbers(L, values, count);
    lua_setfield(L, -2, name);
}

/* s:times(): lists by position of submissions, first starts, ends of the last attempts, states. */
static int session_times(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    const orr_instance *in = &s->instance->value;
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    double *starts = lua_newuserdatauv(L, 2 * ((size_t)in->count + 1) * sizeof *starts, 0);
    double *ends = starts + in->count;
    for (int32_t j = 0; j < in->count; j++)
        starts[j] = ends[j] = NAN;
    for (int64_t i = schedule->count - 1; i >= 0; i--) {
        const orr_attempt *a = &schedule->attempts[i];
        if (isnan(starts[a->job]) && a->outcome != ORR_RUNNING) /* the last one */
            ends[a->job] = a->end;
        starts[a->job] = a->start;
    }
    lua_createtable(L, 0, 4);
    set_list(L, "submit", in->submit, in->count);
    set_list(L, "start", starts, in->count);
    set_list(L, "finish", ends, in->count);
    lua_createtable(L, in->count, 0);
    for (int32_t j = 0; j < in->count; j++) {
        lua_pushstring(L, orr_job_state_name(orr_rigid_job(s->sim, j).state));
        lua_rawseti(L, -2, j + 1);
    }
    lua_setfield(L, -2, "state");
    return 1;
}

/* s:failures(): the failure counts of the scenario, one per job. */
static int session_failures(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    orr_lua_push_integers(L, orr_rigid_failures(s->sim), s->instance->value.count, 0);
    return 1;
}

/* s:check(): true, or nil and what the independent checker objects to. */
static int session_check(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    orr_error err;
    orr_status status =
        orr_check_schedule(&s->instance->value, orr_rigid_schedule(s->sim),
                           orr_rigid_failures(s->sim), !orr_rigid_is_over(s->sim), &err);
    return orr_lua_push_verdict(L, status, &err);
}

/* s:measure(): the metrics computed anew from the recorded schedule of a finished session. */
static int session_measure(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    orr_error err;
    orr_metrics metrics;
    if (orr_measure_schedule(&s->instance->value, orr_rigid_schedule(s->sim),
                             orr_rigid_failures(s->sim), &metrics, &err) != ORR_OK)
        return orr_lua_raise(L, &err);
    orr_lua_push_metrics(L, &metrics);
    return 1;
}

/* s:timeline(): what was busy and who waited so far, as steps. */
static int session_timeline(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    orr_timeline timeline;
    orr_error err;
    double until = orr_rigid_look(s->sim).now;
    if (orr_rigid_next_event(s->sim) <= until) /* this instant is still to come */
        until = nextafter(until, -INFINITY);
    if (orr_timeline_make(&timeline, &s->instance->value, orr_rigid_schedule(s->sim), until, NULL,
                          &err) != ORR_OK) {
        orr_timeline_destroy(&timeline);
        return orr_lua_raise(L, &err);
    }
    orr_lua_push_timeline(L, &timeline);
    orr_timeline_destroy(&timeline);
    return 1;
}

/* s:outages(): when which processors were out and why, in order of time; `finish` of those that are
 * back before their time is when they were to be back. */
static int session_outages(lua_State *L)
{
    static const char *const outage_names[] = {[ORR_OUTAGE_FAILURE] = "failure",
                                               [ORR_OUTAGE_DRAINED] = "drained",
                                               [ORR_OUTAGE_BACK] = "back",
                                               [ORR_OUTAGE_ADDED] = "added"};
    orr_session *s = orr_lua_check_session(L, 1);
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    lua_newtable(L);
    for (int64_t i = 0; i < schedule->outage_count; i++) {
        const orr_outage *outage = &schedule->outages[i].outage;
        lua_createtable(L, 0, 5);
        orr_lua_set_text(L, "what", outage_names[schedule->outages[i].kind]);
        orr_lua_set_known(L, "start", outage->time);
        orr_lua_set_known(L, "finish", outage->repaired);
        orr_lua_set_integer(L, "first", outage->first);
        orr_lua_set_integer(L, "procs", outage->count);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* s:users(): what became of every user's jobs, once the session is finished. */
static int session_users(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    const orr_instance *in = &s->instance->value;
    if (!orr_rigid_is_over(s->sim))
        return luaL_error(L, "users: the session is not finished");
    size_t n = (size_t)in->count;
    double *runtimes = lua_newuserdatauv(L, (2 * n + 1) * sizeof *runtimes, 0),
           *ends = runtimes + n;
    orr_run run = orr_rigid_result(s->sim);
    for (int32_t j = 0; j < in->count; j++) {
        runtimes[j] = orr_measure_job(in, &run, j).runtime;
        ends[j] = orr_run_observes(in, &run, j) ? run.ends[j] : NAN;
    }
    orr_lua_push_users(L, in, ends, runtimes);
    return 1;
}

static bool is_swf(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcasecmp(path + length - 4, ".swf") == 0;
}

static orr_status write_swf(const void *user, const orr_sink *sink, orr_error *err)
{
    const orr_session *s = user;
    return orr_export_swf(&s->instance->value, orr_rigid_schedule(s->sim), s->policy->host->name,
                          sink, err);
}

static orr_status write_csv(const void *user, const orr_sink *sink, orr_error *err)
{
    const orr_session *s = user;
    return orr_export_csv(&s->instance->value, orr_rigid_schedule(s->sim), sink, err);
}

/* s:write_schedule(path): as CSV, or as SWF where the name ends so, complete or not at all; see
 * schedule/export.h. */
static int session_write_schedule(lua_State *L)
{
    orr_session *s = orr_lua_check_session(L, 1);
    const char *path = luaL_checkstring(L, 2);
    orr_error err;
    orr_status status = orr_output_write_by(path, is_swf(path) ? write_swf : write_csv, s, &err);
    return status == ORR_OK ? 0 : orr_lua_raise(L, &err);
}

const luaL_Reg orr_session_record_methods[] = {{"schedule", session_schedule},
                                               {"failures", session_failures},
                                               {"outages", session_outages},
                                               {"check", session_check},
                                               {"measure", session_measure},
                                               {"timeline", session_timeline},
                                               {"times", session_times},
                                               {"users", session_users},
                                               {"write_schedule", session_write_schedule},
                                               {NULL, NULL}};
