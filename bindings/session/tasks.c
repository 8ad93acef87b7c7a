/* Sessions of malleable tasks: their begin, their changes, and their state. */
#include "bindings/host/host.h"
#include "bindings/run/runs.h"
#include "bindings/session/session.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include <math.h>

ORR_DEFINE_ENGINE_CALLS(malleable)

/* --- creation ------------------------------------------------------------------------------- */

static orr_status make(orr_session *s, const orr_tasks *tasks, const orr_tasks_options *o,
                       uint64_t run, orr_error *err)
{
    orr_host *host = s->policy->host;
    orr_malleable_setup setup = {.size = sizeof(orr_malleable_setup),
                                 .count = tasks->count,
                                 .procs = o->procs,
                                 .resilience = o->resilience,
                                 .faults = o->faults,
                                 .policy = &host->tasks,
                                 .seed = o->seed,
                                 .set = o->set,
                                 .record = true,
                                 .max_faults = o->max_faults,
                                 .cancel = &orr_interrupted,
                                 .trap = orr_runs_trap()};
    orr_session_entry entry = orr_session_enter(s);
    s->sim = orr_malleable_create(&setup, err);
    orr_status status = s->sim ? orr_malleable_reset(s->sim, tasks, run, err) : err->status;
    orr_session_leave(entry);
    return status;
}

static orr_status begin(lua_State *L, orr_session *s, uint64_t run, orr_error *err)
{
    const orr_tasks *tasks = orr_lua_check_tasks(L, 1);
    orr_tasks_options o = orr_lua_tasks_options(L, 2, tasks, orr_lua_test_faults(L, 5));
    lua_pushvalue(L, 5);
    lua_setiuservalue(L, ORR_NEW, ORR_KEEPS_FAULTS);
    orr_status status = orr_session_load_policy(L, s, 3, &o.limits, err);
    return status == ORR_OK ? make(s, tasks, &o, run, err) : status;
}

/* --- changes -------------------------------------------------------------------------------- */

/* The session's tasks, and those that are submitted behind them, as a new set that the next one
 * keeps. */
static void read_submit(orr_session_change *c)
{
    lua_State *L = c->L;
    if (lua_getfield(L, ORR_CHANGES, "submit") == LUA_TNIL)
        return;
    const orr_tasks *more = orr_lua_check_tasks(L, lua_gettop(L));
    orr_error err;
    orr_tasks **all = orr_lua_new_tasks(L);
    *all = orr_tasks_create(NULL, &err);
    if (!*all)
        orr_lua_raise(L, &err);
    if (orr_tasks_append(*all, orr_malleable_look(c->from->sim).tasks, &err) != ORR_OK ||
        orr_tasks_append(*all, more, &err) != ORR_OK) {
        orr_error_prefix(&err, "submit");
        orr_lua_raise(L, &err);
    }
    c->kernel.tasks.tasks = *all;
    lua_setiuservalue(L, ORR_NEXT, ORR_KEEPS_ITEMS);
}

/* { [position] = factor }, in any order: the order does not matter. */
static void read_work(orr_session_change *c)
{
    lua_State *L = c->L;
    orr_malleable_change *k = &c->kernel.tasks;
    int32_t count = 0;
    if (!orr_change_has(c, "work"))
        return;
    int at = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1))
        count++;
    orr_work_change *list = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *list, 0);
    for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1))
        list[k->work_count++] =
            (orr_work_change){orr_change_position(L, -2, "work"), luaL_checknumber(L, -1)};
    k->work = list;
}

static void read_change(orr_session_change *c)
{
    if (c->group)
        luaL_error(c->L, "procs: a machine for tasks has no groups");
    read_submit(c);
    read_work(c);
    orr_fault *faults = lua_newuserdatauv(c->L, ((size_t)c->fault_count + 1) * sizeof *faults, 0);
    for (int32_t i = 0; i < c->fault_count; i++)
        faults[i] = (orr_fault){0, c->faults[i].processor, c->faults[i].job};
    c->kernel.tasks.faults = faults;
}

static orr_status change(orr_session_change *c, orr_error *err)
{
    orr_malleable_change *k = &c->kernel.tasks;
    k->size = sizeof *k;
    k->policy = c->host ? &c->host->tasks : NULL;
    k->draws = c->draws;
    k->seed = c->next->seed;
    k->resizes = c->resizes;
    k->procs = c->procs;
    k->until = c->until;
    k->cancel = c->cancel;
    k->cancel_count = c->cancel_count;
    k->fault_count = c->fault_count;
    k->remark = orr_change_remark;
    k->remark_user = c;
    c->next->sim = orr_malleable_changed(c->from->sim, k, err);
    return c->next->sim ? ORR_OK : err->status;
}

/* --- looking -------------------------------------------------------------------------------- */

static const orr_tasks *tasks_of(const orr_session *s)
{
    return orr_malleable_look(s->sim).tasks;
}

/* A task of the list of those that run. */
static void push_task(lua_State *L, const orr_session *s, int32_t task)
{
    static const char *const states[] = {"ready", "locked", "over"};
    orr_task_view view = orr_malleable_task(s->sim, task);
    const orr_tasks *tasks = tasks_of(s);
    lua_createtable(L, 0, 9);
    orr_lua_set_text(L, "id", orr_tasks_id(tasks, task));
    orr_lua_set_text(L, "state", states[view.state]);
    orr_lua_set_integer(L, "position", task + 1);
    orr_lua_set_integer(L, "procs", view.procs);
    orr_lua_set_number(L, "size", tasks->size[task]);
    orr_lua_set_number(L, "left", view.left);
    orr_lua_set_number(L, "ready", view.ready);
    orr_lua_set_number(L, "finish", view.finish);
    orr_lua_set_number(L, "end", view.end);
}

/* s:task(position): as in the list of running tasks, with the largest allowed number of
 * processors. */
static void session_task(lua_State *L, const orr_session *s)
{
    int32_t task = orr_session_check_item(L, "no such task");
    push_task(L, s, task);
    orr_lua_set_integer(L, "most", orr_malleable_most(s->sim, task));
}

/* s:running(): the tasks that run, in order of position. */
static void session_running(lua_State *L, const orr_session *s)
{
    int32_t count = tasks_of(s)->count;
    lua_newtable(L);
    for (int32_t i = 0, n = 0; i < count; i++) {
        if (orr_malleable_task(s->sim, i).state == ORR_TASK_OVER)
            continue;
        push_task(L, s, i);
        lua_rawseti(L, -2, ++n);
    }
}

/* s:ends(): the end of each task; for a running task its end if no fault strikes. */
static void session_ends(lua_State *L, const orr_session *s)
{
    orr_lua_push_numbers(L, orr_malleable_ends(s->sim), tasks_of(s)->count);
}

typedef struct span_list {
    lua_State *L;
    const orr_tasks *tasks;
    lua_Integer count;
} span_list;

/* Processors are above the list of spans on the stack. */
static bool push_span(void *user, const orr_span *span)
{
    span_list *list = user;
    lua_State *L = list->L;
    lua_createtable(L, 0, 7);
    orr_lua_set_text(L, "id", orr_tasks_id(list->tasks, span->task));
    orr_lua_set_text(L, "kind", orr_span_name(span->kind));
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
static void session_schedule(lua_State *L, const orr_session *s)
{
    const orr_stints *stints = orr_malleable_stints(s->sim);
    double now = orr_malleable_look(s->sim).now;
    span_list list = {L, tasks_of(s), 0};
    lua_newtable(L);
    for (int64_t i = 0; i < stints->count; i++) {
        const orr_stint *stint = &stints->stints[i];
        orr_lua_push_processors(L, stints->intervals + stint->first_interval,
                                stint->interval_count);
        orr_stint_spans(stints, i, now, push_span, &list);
        lua_pop(L, 1);
    }
}

/* s:faults(): the faults so far, absorbed ones included. */
static void session_faults(lua_State *L, const orr_session *s)
{
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
}

/* Adds an outage of a range of processors; nothing for an empty range. */
static void add_outage(lua_State *L, const char *what, double start, double finish,
                       orr_interval range)
{
    if (range.low <= range.high)
        orr_lua_add_outage(L, what, start, finish, range.low, range.high - range.low + 1);
}

/* s:outages(): the processors that left and came, in the form of a session of jobs. */
static void session_outages(lua_State *L, const orr_session *s)
{
    const orr_stints *stints = orr_malleable_stints(s->sim);
    int32_t known = stints->procs; /* processors behind never existed */
    lua_newtable(L);
    for (int64_t i = 0; i < stints->change_count; i++) {
        const orr_stints_change *change = &stints->changes[i];
        orr_interval old = change->processors, new = old;
        double time = change->time;
        if (change->what == ORR_CHANGED_LEAVES)
            add_outage(L, "drained", time, INFINITY, old);
        if (change->what != ORR_CHANGED_COMES)
            continue;
        old.high = old.high < known ? old.high : known - 1;
        new.low = new.low < known ? known : new.low;
        add_outage(L, "back", time, time, old);
        add_outage(L, "added", time, time, new);
        known = new.high >= known ? new.high + 1 : known;
    }
}

/* s:allocation(): how the processors were spread at the start and after every instant. */
static void session_allocation(lua_State *L, const orr_session *s)
{
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
}

static void push_metrics(lua_State *L, const orr_session *s)
{
    orr_malleable_result result = {
        .metrics = orr_malleable_measure(s->sim), .baseline = NAN, .fault_free = NAN};
    orr_lua_push_tasks_metrics(L, &result);
}

/* --- the engine ----------------------------------------------------------------------------- */

static orr_session_look look(const orr_session *s)
{
    orr_malleable_view view = orr_malleable_look(s->sim);
    return (orr_session_look){.now = view.now,
                              .expected = view.expected,
                              .procs = view.procs,
                              .free = view.free,
                              .draining = view.leaving,
                              .numbered = view.numbered,
                              .running = view.running,
                              .over = view.tasks->count - view.running,
                              .state = view.state};
}

static orr_status check(const orr_session *s, orr_error *err)
{
    return orr_malleable_check(s->sim, err);
}

static orr_status write_spans(const void *user, const orr_sink *sink, orr_error *err)
{
    const orr_session *s = user;
    return orr_export_spans(tasks_of(s), orr_malleable_stints(s->sim),
                            orr_malleable_look(s->sim).now, sink, err);
}

static orr_output_writer writer(const char *path)
{
    (void)path;
    return write_spans;
}

static const orr_lua_field numbers[] = {
    ORR_LOOK(now),      ORR_LOOK(expected), ORR_LOOK(free),     ORR_LOOK(procs),
    ORR_LOOK(draining), ORR_LOOK(numbered), ORR_LUA_LAST_FIELD,
};

static const orr_lua_field counts[] = {
    ORR_LOOK(running),
    ORR_LOOK(over),
    ORR_LUA_LAST_FIELD,
};

static const orr_session_value values[] = {{"tasks", orr_session_push_items}, {NULL, NULL}};

#define METHOD(name) ORR_LUA_METHOD(session, name)
static const orr_session_value methods[] = {
    METHOD(task),   METHOD(running),    METHOD(ends),    METHOD(schedule),
    METHOD(faults), METHOD(allocation), METHOD(outages), {"measure", push_metrics},
    {NULL, NULL},
};

const orr_engine orr_engine_of_tasks = {
    .class = {.name = "orrery.core.tasks_session", .what = "session of tasks"},
    .make = "malleable_session",
    .number = "run",
    .one = "task",
    .values = values,
    .methods = methods,
    ORR_ENGINE_CALLS};
