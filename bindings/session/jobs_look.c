/* What a session of rigid jobs shows: its jobs and groups, what it has recorded, and what is made
 * of that. */
#include "bindings/host/views.h"
#include "bindings/session/session.h"
#include "bindings/support/raise.h"
#include "bindings/values/metrics.h"

#include "schedule/check.h"

#include <math.h>

static void push_job(lua_State *L, const orr_session *s, int32_t job)
{
    const orr_instance *in = orr_rigid_instance(s->sim);
    orr_rigid_job_view view = orr_rigid_job(s->sim, job);
    lua_createtable(L, 0, 17);
    orr_lua_set_text(L, "id", orr_jobs_id(in->jobs, job));
    orr_lua_set_integer(L, "position", job + 1);
    orr_lua_set_known(L, "submit", in->submit[job] < INFINITY ? in->submit[job] : NAN);
    orr_lua_set_integer(L, "procs", in->jobs->procs[job]);
    orr_lua_set_known(L, "time", in->estimate[job]);
    orr_lua_set_known(L, "runtime", in->time[job]);
    orr_lua_set_text(L, "user", orr_jobs_label_text(in->jobs, job, ORR_LABEL_USER));
    orr_lua_set_text(L, "queue", orr_jobs_label_text(in->jobs, job, ORR_LABEL_QUEUE));
    orr_lua_set_text(L, "partition", orr_jobs_label_text(in->jobs, job, ORR_LABEL_PARTITION));
    orr_lua_set_text(L, "state", orr_job_state_name(view.state));
    orr_lua_set_integer(L, "attempts", view.attempts);
    orr_lua_set_known(L, "start", view.start);
    orr_lua_set_known(L, "planned_end", view.planned_end);
    orr_lua_set_known(L, "promised", view.promised);
    orr_lua_set_known(L, "reserved", view.reserved);
    if (view.state == ORR_JOB_PENDING)
        return;
    orr_lua_set_text(L, "group", orr_rigid_look_group(s->sim, view.group).name);
    orr_lua_set_known(L, "arrival", view.arrival);
}

/* s:job(position) */
static void session_job(lua_State *L, const orr_session *s)
{
    push_job(L, s, orr_session_check_item(L, "no such job"));
}

/* The group named at argument 2: *from .. *to - 1; all of them where there is no name. */
static void group_argument(lua_State *L, const orr_session *s, int32_t *from, int32_t *to)
{
    *from = 0;
    *to = orr_rigid_look(s->sim).groups;
    if (lua_isnoneornil(L, 2))
        return;
    const char *name = luaL_checkstring(L, 2);
    *from = orr_rigid_find_group(s->sim, name);
    if (*from < 0)
        luaL_error(L, "there is no group '%s'", name);
    *to = *from + 1;
}

/* s:waiting([group]): the waiting jobs, in queue order, group after group. */
static void session_waiting(lua_State *L, const orr_session *s)
{
    int32_t from, to;
    int n = 0;
    group_argument(L, s, &from, &to);
    lua_newtable(L);
    for (int32_t group = from; group < to; group++) {
        int32_t job = -1;
        while ((job = orr_rigid_next_waiting(s->sim, group, job, INT32_MAX - 1)) >= 0) {
            push_job(L, s, job);
            lua_rawseti(L, -2, ++n);
        }
    }
}

/* s:running([group]): the running jobs, in order of their starts. */
static void session_running(lua_State *L, const orr_session *s)
{
    int32_t from, to;
    group_argument(L, s, &from, &to);
    int32_t n = orr_rigid_look(s->sim).running;
    int32_t *jobs = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *jobs, 0);
    n = orr_rigid_running(s->sim, to > from + 1 ? -1 : from, jobs);
    lua_createtable(L, n, 0);
    for (int32_t i = 0; i < n; i++) {
        push_job(L, s, jobs[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* s.groups: list of what is in them. */
static void session_groups(lua_State *L, const orr_session *s)
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

/* --- what was recorded ---------------------------------------------------------------------- */

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
static void session_schedule(lua_State *L, const orr_session *s)
{
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    lua_newtable(L);
    for (int64_t i = 0; i < schedule->count; i++) {
        const orr_attempt *a = &schedule->attempts[i];
        lua_createtable(L, 0, 9);
        orr_lua_set_text(L, "id", orr_jobs_id(s->instance->instance.jobs, a->job));
        orr_lua_set_integer(L, "position", a->job + 1);
        orr_lua_set_integer(L, "attempt", a->number);
        orr_lua_set_known(L, "start", a->start);
        orr_lua_set_known(L, "finish", a->end);
        orr_lua_set_known(L, "promised", a->promised);
        orr_lua_set_text(L, "outcome", outcome_name(a->outcome));
        const orr_processor_group *group = orr_schedule_group(schedule, i);
        orr_lua_set_text(L, "group", group ? group->name : NULL);
        orr_lua_push_processors(L, schedule->intervals + a->first_interval, a->interval_count);
        lua_setfield(L, -2, "processors");
        lua_rawseti(L, -2, i + 1);
    }
}

/* A list of one number per job under this name of the table on top. */
static void set_list(lua_State *L, const char *name, const double *values, int32_t count)
{
    orr_lua_push_numbers(L, values, count);
    lua_setfield(L, -2, name);
}

/* s:times(): lists by position of submissions, first starts, ends of the last attempts, states. */
static void session_times(lua_State *L, const orr_session *s)
{
    const orr_instance *in = orr_rigid_instance(s->sim);
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
}

/* s:failures(): the failure counts of the scenario, one per job. */
static void session_failures(lua_State *L, const orr_session *s)
{
    orr_lua_push_integers(L, orr_rigid_failures(s->sim), s->instance->instance.count, 0);
}

/* s:measure(): the metrics computed anew from the recorded schedule of a finished session. */
static void session_measure(lua_State *L, const orr_session *s)
{
    orr_error err;
    orr_metrics metrics;
    orr_lua_try(L,
                orr_measure_schedule(orr_rigid_instance(s->sim), orr_rigid_schedule(s->sim),
                                     orr_rigid_failures(s->sim), &metrics, &err),
                &err);
    orr_lua_push_metrics(L, &metrics);
}

/* s:timeline(): what was busy and who waited so far, as steps. */
static void session_timeline(lua_State *L, const orr_session *s)
{
    orr_timeline timeline;
    orr_error err;
    double until = orr_rigid_look(s->sim).now;
    if (orr_rigid_next_event(s->sim) <= until) /* this instant is still to come */
        until = nextafter(until, -INFINITY);
    if (orr_timeline_make(&timeline, orr_rigid_instance(s->sim), orr_rigid_schedule(s->sim), until,
                          NULL, &err) != ORR_OK) {
        orr_timeline_destroy(&timeline);
        orr_lua_raise(L, &err);
    }
    orr_lua_push_timeline(L, &timeline);
    orr_timeline_destroy(&timeline);
}

/* s:outages(): when which processors were out and why, in order of time; `finish` of those that are
 * back before their time is when they were to be back. */
static void session_outages(lua_State *L, const orr_session *s)
{
    static const char *const outage_names[] = {[ORR_OUTAGE_FAILURE] = "failure",
                                               [ORR_OUTAGE_DRAINED] = "drained",
                                               [ORR_OUTAGE_BACK] = "back",
                                               [ORR_OUTAGE_ADDED] = "added"};
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    lua_newtable(L);
    for (int64_t i = 0; i < schedule->outage_count; i++) {
        const orr_outage *outage = &schedule->outages[i].outage;
        orr_lua_add_outage(L, outage_names[schedule->outages[i].kind], outage->time,
                           outage->repaired, outage->first, outage->count);
    }
}

/* s:users(): what became of every user's jobs, once the session is finished. */
static void session_users(lua_State *L, const orr_session *s)
{
    const orr_instance *in = orr_rigid_instance(s->sim);
    if (!orr_rigid_is_over(s->sim))
        luaL_error(L, "users: the session is not finished");
    size_t n = (size_t)in->count;
    double *runtimes = lua_newuserdatauv(L, (2 * n + 1) * sizeof *runtimes, 0),
           *ends = runtimes + n;
    orr_run run = orr_rigid_result(s->sim);
    for (int32_t j = 0; j < in->count; j++) {
        runtimes[j] = orr_measure_job(in, &run, j).runtime;
        ends[j] = orr_run_observes(in, &run, j) ? run.ends[j] : NAN;
    }
    orr_lua_push_users(L, in, ends, runtimes);
}

const orr_session_value orr_session_of_jobs_methods[] = {{"job", session_job},
                                                         {"submit", orr_session_push_submitted},
                                                         {"share", orr_session_push_shared},
                                                         {"waiting", session_waiting},
                                                         {"running", session_running},
                                                         {"schedule", session_schedule},
                                                         {"failures", session_failures},
                                                         {"outages", session_outages},
                                                         {"measure", session_measure},
                                                         {"timeline", session_timeline},
                                                         {"times", session_times},
                                                         {"users", session_users},
                                                         {NULL, NULL}};

const orr_session_value orr_session_of_jobs_values[] = {
    {"jobs", orr_session_push_items}, {"groups", session_groups}, {NULL, NULL}};
