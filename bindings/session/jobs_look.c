/* The state of a session of rigid jobs: its jobs and groups, its record, and results from the
 * record. */
#include "bindings/host/hooks.h"
#include "bindings/host/kept.h"
#include "bindings/host/views.h"
#include "bindings/session/session.h"
#include "bindings/support/raise.h"
#include "bindings/values/metrics.h"
#include "bindings/values/nodes.h"

#include "schedule/check.h"

#include <math.h>
#include <stdlib.h>

static const char *outcome_name(orr_outcome outcome)
{
    static const char *const names[] = {
        [ORR_RUNNING] = "running",         [ORR_COMPLETED] = "completed",
        [ORR_FAILED] = "failed",           [ORR_KILLED] = "killed",
        [ORR_PREEMPTED] = "preempted",     [ORR_CANCELLED] = "cancelled",
        [ORR_NODE_FAILED] = "node_failure"};
    return names[outcome];
}

static const char *state_name(orr_rigid_job_view view)
{
    return view.refused ? "refused" : orr_job_state_name(view.state);
}

static void push_job(lua_State *L, const orr_session *s, int32_t job)
{
    const orr_instance *in = orr_rigid_instance(s->sim);
    orr_rigid_job_view view = orr_rigid_job(s->sim, job);
    lua_createtable(L, 0, 23);
    orr_lua_set_text(L, "id", orr_jobs_id(in->jobs, job));
    orr_lua_set_integer(L, "position", job + 1);
    orr_lua_set_known(L, "submit", in->submit[job] < INFINITY ? in->submit[job] : NAN);
    orr_lua_set_integer(L, "procs", in->jobs->procs[job]);
    orr_lua_set_known(L, "time", in->estimate[job]);
    orr_lua_set_known(L, "runtime", in->time[job]);
    for (int kind = 0; kind < ORR_LABEL_KINDS; kind++)
        if (kind != ORR_LABEL_STATUS)
            orr_lua_set_text(L, orr_label_name((orr_label)kind),
                             orr_jobs_label_text(in->jobs, job, (orr_label)kind));
    orr_lua_set_text(L, "state", state_name(view));
    orr_lua_set_integer(L, "attempts", view.attempts);
    orr_lua_set_known(L, "start", view.start);
    orr_lua_set_known(L, "planned_end", view.planned_end);
    orr_lua_set_known(L, "promised", view.promised);
    orr_lua_set_known(L, "reserved", view.reserved);
    orr_lua_set_known(L, "walltime", in->jobs->walltime[job]);
    if (in->checkpoints.cost) {
        orr_lua_set_number(L, "saved", view.saved);
        orr_lua_set_number(L, "next_length", view.next_length);
    }
    if (view.state == ORR_JOB_PENDING)
        return;
    double until = view.state == ORR_JOB_RUNNING || view.state == ORR_JOB_OVER
                       ? view.start
                       : orr_rigid_look(s->sim).now;
    orr_lua_set_known(L, "waited", until - view.arrival);
    orr_lua_set_text(L, "group", orr_rigid_look_group(s->sim, view.group).name);
    orr_lua_set_known(L, "arrival", view.arrival);
}

static void session_job(lua_State *L, const orr_session *s)
{
    push_job(L, s, orr_session_check_item(L, "no such job"));
}

/* The group named at argument 2: *from .. *to - 1; all groups without a name. */
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

/* s:waiting([group]): the waiting jobs, in queue order, group after group, then those that are over
 * a limit. */
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
    orr_rigid_view all = orr_rigid_look(s->sim);
    for (int32_t job = 0; all.limited > 0 && job < all.instance->count; job++) {
        orr_rigid_job_view view = orr_rigid_job(s->sim, job);
        if (!view.limited || view.group < from || view.group >= to)
            continue;
        push_job(L, s, job);
        lua_rawseti(L, -2, ++n);
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

/* --- why a job waits ------------------------------------------------------------------------ */

static const char *const reasons[] = {
    [ORR_WHY_NOTHING] = "nothing", [ORR_WHY_PENDING] = "pending",
    [ORR_WHY_RUNNING] = "running", [ORR_WHY_OVER] = "over",
    [ORR_WHY_HELD] = "held",       [ORR_WHY_CAPACITY] = "capacity",
    [ORR_WHY_FULL] = "full",       [ORR_WHY_PLACEMENT] = "placement",
    [ORR_WHY_LOG] = "log",         [ORR_WHY_ORDER] = "order",
    [ORR_WHY_DELAY] = "delay",     [ORR_WHY_LEAVING] = "leaving",
    [ORR_WHY_POLICY] = "policy",   [ORR_WHY_POOL] = "pool",
    [ORR_WHY_LIMIT] = "limit",     [ORR_WHY_NODES] = "nodes",
    [ORR_WHY_REFUSED] = "refused",
};

static void push_delays(lua_State *L, const orr_jobs *jobs, const orr_rigid_delay *delays,
                        int32_t count)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_createtable(L, 0, 4);
        orr_lua_set_text(L, "id", orr_jobs_id(jobs, delays[i].job));
        orr_lua_set_integer(L, "position", delays[i].job + 1);
        orr_lua_set_known(L, "planned", delays[i].planned);
        orr_lua_set_known(L, "delayed", delays[i].delayed);
        lua_rawseti(L, -2, i + 1);
    }
}

/* Sets `most_free`: up to 3 nodes of a partition with the most free of a resource, or (-1)
 * of processors. */
static void push_free(lua_State *L, const orr_rigid *sim, const orr_partition *p, int32_t resource)
{
    int64_t last = INT64_MAX;
    int32_t behind = -1; /* of nodes with as many free, the last one in the list */
    lua_newtable(L);
    for (int i = 1; i <= 3; i++) {
        int64_t most = 0;
        int32_t which = -1;
        for (int32_t r = 0; r < p->run_count; r++)
            for (int32_t k = p->runs[r].low; k <= p->runs[r].high; k++) {
                int64_t free = orr_rigid_node_free(sim, k, resource);
                if (free > most && (free < last || (free == last && k > behind)))
                    most = free, which = k;
            }
        if (which < 0)
            break;
        lua_createtable(L, 0, 2);
        orr_lua_set_integer(L, "node", which + 1);
        orr_lua_set_integer(L, "free", most);
        lua_rawseti(L, -2, i);
        last = most, behind = which;
    }
    lua_setfield(L, -2, "most_free");
}

/* What nodes lack. */
static void push_nodes(lua_State *L, const orr_session *s, int32_t job, const orr_rigid_why *why)
{
    const orr_instance *in = &s->instance->instance;
    const orr_nodes *nodes = in->nodes;
    const orr_jobs *jobs = in->jobs;
    orr_lua_set_integer(L, "fitting", why->fitting);
    orr_lua_set_integer(L, "nodes", why->nodes);
    orr_lua_set_integer(L, "wanted_nodes",
                        orr_jobs_need(jobs, job, orr_jobs_find_pool(jobs, ORR_NEED_NODES)));
    const orr_partition *p = &nodes->partitions[orr_nodes_partition(nodes, jobs, job)];
    orr_lua_set_text(L, "partition", p->name);
    push_free(L, s->sim, p, why->lacking - 1 < -1 ? -1 : why->lacking - 1);
    if (why->lacking < 1)
        return;
    const char *name = nodes->resources[why->lacking - 1];
    orr_lua_set_text(L, "lacking", name);
    orr_lua_set_integer(L, "needs", orr_jobs_need(jobs, job, orr_jobs_find_pool(jobs, name)));
}

static void push_why(lua_State *L, const orr_session *s, int32_t job, const orr_rigid_why *why)
{
    const orr_jobs *jobs = s->instance->instance.jobs;
    lua_createtable(L, 0, 16);
    orr_lua_set_text(L, "id", orr_jobs_id(jobs, job));
    orr_lua_set_integer(L, "position", job + 1);
    orr_lua_set_text(L, "reason", reasons[why->reason]);
    orr_lua_set_text(L, "group", orr_rigid_look_group(s->sim, why->group).name);
    orr_lua_set_integer(L, "procs", why->procs);
    orr_lua_set_integer(L, "free", why->free);
    orr_lua_set_integer(L, "in_service", why->in_service);
    orr_lua_set_integer(L, "failed", why->failed);
    orr_lua_set_integer(L, "drained", why->drained);
    orr_lua_set_known(L, "reserved", why->reserved);
    orr_lua_set_known(L, "earliest", why->earliest);
    orr_lua_set_known(L, "when", why->when);
    if (why->pool >= 0) {
        const orr_instance *in = &s->instance->instance;
        orr_lua_set_text(L, "pool", in->pools[why->pool].name);
        orr_lua_set_integer(L, "needs", orr_need_of(in, job, why->pool));
        orr_lua_set_integer(L, "pool_free", orr_rigid_pool_free(s->sim, why->pool));
    }
    if (why->reason == ORR_WHY_NODES)
        push_nodes(L, s, job, why);
    if (why->blocker >= 0)
        orr_lua_set_text(L, "blocker", orr_jobs_id(jobs, why->blocker));
    if (!why->limit)
        return;
    const char *const amounts[] = {"jobs", "processors", "waiting jobs", why->limit->need};
    orr_lua_set_text(L, "amount", amounts[why->limit->of]);
    orr_lua_set_integer(L, "most", why->limit->most);
    orr_lua_set_integer(L, "used", why->used);
    orr_label kind = (orr_label)why->limit->per;
    bool all = why->limit->per == ORR_PER_ALL;
    orr_lua_set_text(L, "per", all ? "all" : orr_label_name(kind));
    if (!all)
        orr_lua_set_text(L, "key", orr_jobs_label_text(jobs, job, kind));
}

/* Around questions that a policy answers in copies, without the session's output. */
static orr_session_entry enter_copies(lua_State *L, const orr_session *s)
{
    orr_error err;
    orr_lua_try(L, orr_host_check_kept(s->policy->host, &err), &err);
    orr_session_entry entry = orr_session_enter(s);
    entry.host->notes = NULL;
    entry.host->silent = true;
    return entry;
}

static void leave_copies(orr_session_entry entry)
{
    entry.host->silent = false;
    orr_session_leave(entry);
}

/* s:why(position): the answer of s:why without the words. The policy is asked in copies, without
 * the session's output. */
static void session_why(lua_State *L, const orr_session *s)
{
    int32_t job = orr_session_check_item(L, "no such job"), room = s->instance->instance.count;
    orr_rigid_delay *delays = lua_newuserdatauv(L, ((size_t)room + 1) * sizeof *delays, 0);
    orr_rigid_why why;
    orr_error err;
    orr_session_entry entry = enter_copies(L, s);
    orr_status status = orr_rigid_ask_why(s->sim, job, &why, delays, room, &err);
    leave_copies(entry);
    orr_lua_try(L, status, &err);
    push_why(L, s, job, &why);
    push_delays(L, s->instance->instance.jobs, delays, why.delayed);
    lua_setfield(L, -2, "delays");
}

/* --- the events of an instant ----------------------------------------------------------------- */

static void add_job(lua_State *L, const orr_session *s, int32_t job)
{
    lua_createtable(L, 0, 4);
    orr_lua_set_text(L, "id", orr_jobs_id(s->instance->instance.jobs, job));
    orr_lua_set_integer(L, "position", job + 1);
}

static void append(lua_State *L, int list)
{
    lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* The first of the jobs in order of submission that came at `time` or later. */
static int32_t first_since(const orr_instance *in, double time)
{
    int32_t low = 0, high = in->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (in->submit[in->by_submission[middle]] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void push_submitted(lua_State *L, const orr_session *s, double time)
{
    const orr_instance *in = orr_rigid_instance(s->sim);
    bool ordered = !in->links; /* else some submissions are not known yet */
    lua_newtable(L);
    int list = lua_gettop(L);
    for (int32_t i = ordered ? first_since(in, time) : 0; i < in->count; i++) {
        int32_t job = in->by_submission[i];
        if (ordered && in->submit[job] > time)
            return;
        if (in->submit[job] == time) {
            add_job(L, s, job);
            append(L, list);
        }
    }
}

/* s:happened(time[, first]): { submitted =, started =, ended = lists of jobs, open = the first
 * attempt that was still running then }; attempts before `first` (from 0) are not read. */
static void session_happened(lua_State *L, const orr_session *s)
{
    double time = luaL_checknumber(L, 2);
    lua_Integer first = luaL_optinteger(L, 3, 0), open = -1;
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    luaL_argcheck(L, first >= 0 && first <= schedule->count, 3, "a number of attempts");
    lua_createtable(L, 0, 4);
    int result = lua_gettop(L), started = result + 1, ended = result + 2;
    lua_newtable(L);
    lua_newtable(L);
    for (int64_t i = first; i < schedule->count; i++) {
        const orr_attempt *a = &schedule->attempts[i];
        bool runs = a->outcome == ORR_RUNNING;
        open = runs && open < 0 ? i : open;
        if (a->start == time) {
            add_job(L, s, a->job);
            orr_lua_push_processors(L, schedule->intervals + a->first_interval, a->interval_count);
            lua_setfield(L, -2, "processors");
            append(L, started);
        }
        if (!runs && a->end == time) {
            add_job(L, s, a->job);
            orr_lua_set_text(L, "outcome", outcome_name(a->outcome));
            append(L, ended);
        }
    }
    push_submitted(L, s, time);
    lua_setfield(L, result, "submitted");
    lua_setfield(L, result, "ended");
    lua_setfield(L, result, "started");
    orr_lua_set_integer(L, "open", open < 0 ? schedule->count : open);
}

/* Pushes a table of the values that are not NaN, by position. */
static void push_planned(lua_State *L, const double *planned, int32_t count)
{
    lua_newtable(L);
    for (int32_t j = 0; j < count; j++) {
        if (isnan(planned[j]))
            continue;
        lua_pushnumber(L, planned[j]);
        lua_rawseti(L, -2, j + 1);
    }
}

/* s:plans(): planned start of waiting jobs, by position. */
static void session_plans(lua_State *L, const orr_session *s)
{
    int32_t count = s->instance->instance.count;
    double *planned = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *planned, 0);
    orr_error err;
    orr_session_entry entry = enter_copies(L, s);
    orr_status status = orr_rigid_ask_plans(s->sim, planned, &err);
    leave_copies(entry);
    orr_lua_try(L, status, &err);
    push_planned(L, planned, count);
}

/* s:note_reservations(): notes reservations from now on; s:reserved(): reservations made since the
 * last call, by position. */
static void session_note_reservations(lua_State *L, const orr_session *session)
{
    orr_session *s = orr_lua_check_session(L);
    (void)session;
    int32_t count = s->instance->instance.count;
    orr_error err;
    orr_lua_try(L, orr_session_own(s, &err), &err);
    orr_lua_try(L, orr_rigid_note_reservations(s->sim, NULL, &err), &err);
    free(s->reserved);
    s->reserved = malloc(((size_t)count + 1) * sizeof *s->reserved);
    s->reserved_count = s->reserved ? count : 0;
    if (!s->reserved)
        luaL_error(L, "not enough memory");
    for (int32_t j = 0; j < s->reserved_count; j++)
        s->reserved[j] = NAN;
    orr_lua_try(L, orr_rigid_note_reservations(s->sim, s->reserved, &err), &err);
    lua_pushboolean(L, true);
}

static void session_reserved(lua_State *L, const orr_session *s)
{
    int32_t groups = orr_rigid_look(s->sim).groups;
    lua_newtable(L);
    for (int32_t group = 0, job = -1; group < groups; group++, job = -1) {
        while ((job = orr_rigid_next_waiting(s->sim, group, job, INT32_MAX - 1)) >= 0) {
            double start = orr_rigid_job(s->sim, job).reserved;
            bool noted = job < s->reserved_count;
            start = isnan(start) && noted ? s->reserved[job] : start;
            if (noted)
                s->reserved[job] = NAN;
            if (isnan(start))
                continue;
            lua_pushnumber(L, start);
            lua_rawseti(L, -2, job + 1);
        }
    }
}

/* s.groups: list of the groups and their contents. */
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

/* --- the record ------------------------------------------------------------------------------- */

/* s:schedule(): the attempts so far, in order of their starts. */
static void session_schedule(lua_State *L, const orr_session *s)
{
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    lua_newtable(L);
    for (int64_t i = 0; i < schedule->count; i++) {
        const orr_attempt *a = &schedule->attempts[i];
        lua_createtable(L, 0, 11);
        orr_lua_set_text(L, "id", orr_jobs_id(s->instance->instance.jobs, a->job));
        orr_lua_set_integer(L, "position", a->job + 1);
        orr_lua_set_integer(L, "attempt", a->number);
        orr_lua_set_known(L, "start", a->start);
        orr_lua_set_known(L, "finish", a->end);
        orr_lua_set_known(L, "promised", a->promised);
        if (schedule->checkpoints) {
            orr_lua_set_number(L, "saved", schedule->checkpoints[i].kept);
            orr_lua_set_integer(L, "checkpoints", schedule->checkpoints[i].spent.written);
        }
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
        if (isnan(starts[a->job]) && a->outcome != ORR_RUNNING) /* the last attempt */
            ends[a->job] = a->end;
        starts[a->job] = a->start;
    }
    lua_createtable(L, 0, 4);
    set_list(L, "submit", in->submit, in->count);
    set_list(L, "start", starts, in->count);
    set_list(L, "finish", ends, in->count);
    lua_createtable(L, in->count, 0);
    for (int32_t j = 0; j < in->count; j++) {
        lua_pushstring(L, state_name(orr_rigid_job(s->sim, j)));
        lua_rawseti(L, -2, j + 1);
    }
    lua_setfield(L, -2, "state");
}

/* s:failures(): the failure counts of the scenario, one per job. */
static void session_failures(lua_State *L, const orr_session *s)
{
    orr_lua_push_integers(L, orr_rigid_failures(s->sim), s->instance->instance.count, 0);
}

/* s:measure(): the metrics, computed again from the recorded schedule of a finished session. */
static void session_measure(lua_State *L, const orr_session *s)
{
    orr_error err;
    orr_metrics metrics;
    orr_lua_try(L,
                orr_measure_schedule(orr_rigid_instance(s->sim), orr_rigid_schedule(s->sim),
                                     orr_rigid_failures(s->sim), &metrics, &err),
                &err);
    orr_lua_push_metrics(L, &metrics, NULL);
}

orr_timeline orr_session_timeline(lua_State *L, const orr_session *s)
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
    return timeline;
}

/* s:timeline(): busy processors and waiting jobs so far, as steps. */
static void session_timeline(lua_State *L, const orr_session *s)
{
    orr_timeline timeline = orr_session_timeline(L, s);
    orr_lua_push_timeline(L, &timeline);
    orr_timeline_destroy(&timeline);
}

/* s:outages(): when which processors were out and why, in order of time; `finish` of those that are
 * back before their time is when they were to be back. */
static void session_outages(lua_State *L, const orr_session *s)
{
    static const char *const outage_names[] = {
        [ORR_OUTAGE_FAILURE] = "failure", [ORR_OUTAGE_DRAINED] = "drained",
        [ORR_OUTAGE_BACK] = "back",       [ORR_OUTAGE_ADDED] = "added",
        [ORR_OUTAGE_WINDOW] = "window",   [ORR_OUTAGE_RESERVED] = "reserved"};
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    lua_newtable(L);
    for (int64_t i = 0; i < schedule->outage_count; i++) {
        const orr_outage *outage = &schedule->outages[i].outage;
        orr_lua_add_outage(L, outage_names[schedule->outages[i].kind], outage->time,
                           outage->repaired, outage->first, outage->count);
    }
}

static void push_warning(lua_State *L, const orr_warning *warning)
{
    lua_createtable(L, 0, 4);
    orr_lua_set_number(L, "time", warning->time);
    orr_lua_set_number(L, "at", warning->at);
    orr_lua_set_integer(L, "first", warning->first);
    orr_lua_set_integer(L, "procs", warning->count);
}

static orr_warnings warnings_of(lua_State *L, const orr_session *s)
{
    orr_warnings warnings;
    orr_error err;
    orr_lua_try(L, orr_rigid_warnings(s->sim, &warnings, &err), &err);
    return warnings;
}

static void push_warnings(lua_State *L, const orr_warnings *warnings, int64_t first)
{
    lua_newtable(L);
    for (int64_t i = first; i < warnings->count; i++) {
        push_warning(L, &warnings->list[i]);
        lua_rawseti(L, -2, (lua_Integer)(i - first) + 1);
    }
}

/* s:warnings(): which failures are announced, and have not come yet. */
static void session_warnings(lua_State *L, const orr_session *s)
{
    orr_warnings warnings = warnings_of(L, s);
    push_warnings(L, &warnings, warnings.past);
}

/* s:warned(first): the announced failures so far, without the first `first`. */
static void session_warned(lua_State *L, const orr_session *s)
{
    lua_Integer first = luaL_checkinteger(L, 2);
    orr_warnings warnings = warnings_of(L, s);
    luaL_argcheck(L, first >= 0 && first <= warnings.count, 2, "a number of warnings");
    push_warnings(L, &warnings, first);
}

/* s:out(): which processors are out of service because their node is down: "0-7 24-31". */
static void session_out(lua_State *L, const orr_session *s)
{
    int32_t procs = orr_rigid_instance(s->sim)->procs, count = 0;
    orr_interval *ranges = lua_newuserdatauv(L, ((size_t)procs + 1) * sizeof *ranges, 0);
    for (int32_t p = 0; p < procs; p++) {
        orr_rigid_node_view view = orr_rigid_look_node(s->sim, p);
        if (!view.down || view.drained)
            continue;
        if (count > 0 && ranges[count - 1].high == p - 1)
            ranges[count - 1].high = p;
        else
            ranges[count++] = (orr_interval){p, p};
    }
    orr_lua_push_processors(L, ranges, count);
}

/* s:users(): the results of every user's jobs, once the session is finished. */
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

/* s:node_rows(most): the first processors of the nodes, and one behind the last; nil where there
 * are no nodes, or more than `most`. */
static void session_node_rows(lua_State *L, const orr_session *s)
{
    const orr_nodes *nodes = orr_rigid_instance(s->sim)->nodes;
    if (!nodes || nodes->count > luaL_checkinteger(L, 2))
        lua_pushnil(L);
    else
        orr_lua_push_integers(L, nodes->first, nodes->count + 1, 0);
}

/* s:nodes(): the nodes that the machine has now, as core.nodes makes them; nil: there are none. */
static void session_nodes(lua_State *L, const orr_session *s)
{
    const orr_nodes *nodes = orr_rigid_instance(s->sim)->nodes;
    if (nodes)
        orr_lua_push_nodes(L, nodes);
    else
        lua_pushnil(L);
}

/* s:resources(): the utilisation of what jobs share, once the session is finished. */
static void session_resources(lua_State *L, const orr_session *s)
{
    if (!orr_rigid_is_over(s->sim))
        luaL_error(L, "resources: the session is not finished");
    double used[ORR_MOST_SHARES];
    orr_metrics metrics = orr_rigid_measure(s->sim);
    orr_rigid_shares_used(s->sim, &metrics, used);
    orr_lua_push_shares(L, orr_rigid_instance(s->sim), used);
}

const orr_session_value orr_session_of_jobs_methods[] = {
    {"job", session_job},
    {"submit", orr_session_push_submitted},
    {"share", orr_session_push_shared},
    {"waiting", session_waiting},
    {"running", session_running},
    {"why", session_why},
    {"plans", session_plans},
    {"happened", session_happened},
    {"note_reservations", session_note_reservations},
    {"reserved", session_reserved},
    {"schedule", session_schedule},
    {"failures", session_failures},
    {"outages", session_outages},
    {"warnings", session_warnings},
    {"warned", session_warned},
    {"out", session_out},
    {"measure", session_measure},
    {"timeline", session_timeline},
    {"times", session_times},
    {"users", session_users},
    {"node_rows", session_node_rows},
    {"nodes", session_nodes},
    {"resources", session_resources},
    {NULL, NULL}};

const orr_session_value orr_session_of_jobs_values[] = {
    {"jobs", orr_session_push_items}, {"groups", session_groups}, {NULL, NULL}};
