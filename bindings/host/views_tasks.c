/* The values that a redistribution policy sees: `sim` and `task`. */
#include "bindings/host/host.h"
#include "bindings/host/notes.h"
#include "bindings/host/views.h"
#include "bindings/support/raise.h"

#include <stdlib.h>

static int32_t check_task(lua_State *L, const orr_host *host, int arg)
{
    return orr_view_check_item(L, host, arg, "task").item;
}

static orr_host *check_method(lua_State *L)
{
    orr_host *host = orr_view_host(L);
    if (lua_touserdata(L, 1) != (void *)host->self)
        luaL_error(L, "expected sim as the first argument; call it as sim:method(...)");
    return host;
}

/* A number that does not fit becomes one that no machine has. It is even, so that the error is that
 * the number is too large or too small, not that it is odd. */
static int32_t to_procs(lua_Integer procs)
{
    const int32_t most = INT32_MAX - 1;
    return procs > most ? most : procs < -most ? -most : (int32_t)procs;
}

/* A number of processors. */
static int32_t check_procs(lua_State *L, int arg)
{
    return to_procs(luaL_checkinteger(L, arg));
}

static int push_task_or_nil(lua_State *L, orr_host *host, int32_t task)
{
    if (task < 0)
        lua_pushnil(L);
    else
        orr_host_push_item(L, host, task);
    return 1;
}

/* --- task ----------------------------------------------------------------------------------- */

static bool is_locked(orr_task_view view)
{
    return view.state != ORR_TASK_OVER && !view.takes_part;
}

#define TASK_FIELDS(F)                                                                             \
    F(id, "string", NULL, "name of the task", lua_pushstring,                                      \
      orr_tasks_id(orr_malleable_look(pack).tasks, task))                                          \
    F(position, "integer", "", "position among the tasks, from 1", lua_pushinteger, task + 1)      \
    F(size, "number", "data units", "size m of the task", lua_pushnumber,                          \
      orr_malleable_look(pack).tasks->size[task])                                                  \
    F(procs, "integer", "processors", "its processors under the proposal", lua_pushinteger,        \
      orr_malleable_proposed(pack, task))                                                          \
    F(held, "integer", "processors",                                                               \
      "its processors when the hook was called, 0 once the task is over", lua_pushinteger,         \
      orr_malleable_task(pack, task).procs)                                                        \
    F(most, "integer", "processors", "with more processors the whole task is never faster",        \
      lua_pushinteger, orr_malleable_most(pack, task))                                             \
    F(left, "number", "",                                                                          \
      "share of its work that is left now; for a struck task, the share at its last checkpoint",   \
      lua_pushnumber, orr_malleable_task(pack, task).left)                                         \
    F(ready, "number", "s", "since when the task computes; if it recovers or moves, from when",    \
      lua_pushnumber, orr_malleable_task(pack, task).ready)                                        \
    F(finish, "number", "s",                                                                       \
      "expected finish under the proposal, with faults; for a task that is over, its end",         \
      lua_pushnumber, orr_malleable_proposed_finish(pack, task))                                   \
    F(locked, "boolean", NULL,                                                                     \
      "true: the task recovers, moves, or takes the checkpoint after recovery or move, and its "   \
      "processors cannot change",                                                                  \
      lua_pushboolean, is_locked(orr_malleable_task(pack, task)))                                  \
    F(error_rate, "number", "1/s",                                                                 \
      "how often a fault strikes it on its processors under the proposal; 0 once it is over",      \
      lua_pushnumber, orr_malleable_error_rate(pack, task))                                        \
    F(failure_probability, "number", "",                                                           \
      "probability that a fault strikes it before it ends, under the proposal, if it ends as "     \
      "soon as it can",                                                                            \
      lua_pushnumber, orr_malleable_failure_probability(pack, task))                               \
    F(over, "boolean", NULL, "true: the task has ended", lua_pushboolean,                          \
      orr_malleable_task(pack, task).state == ORR_TASK_OVER)

static const char *const task_fields[] = {TASK_FIELDS(ORR_FIELD_NAME) NULL};
static const orr_field_text task_texts[] = {TASK_FIELDS(ORR_FIELD_TEXT){NULL}};

static int task_index(lua_State *L)
{
    enum { NONE, TASK_FIELDS(ORR_FIELD_NUMBER) };
    const orr_host *host = orr_view_host(L);
    int32_t task = check_task(L, host, 1);
    orr_malleable *pack = host->call->tasks;
    switch (orr_view_field(L, &host->self->item)) {
        TASK_FIELDS(ORR_FIELD_CASE)
    default:
        return orr_lua_unknown_field(L, "task", task_fields);
    }
}

/* --- sim: questions ------------------------------------------------------------------------- */

/* sim:longest(): the task of the list that is expected to finish last; nil when it is empty. */
static int sim_longest(lua_State *L)
{
    orr_host *host = check_method(L);
    return push_task_or_nil(L, host, orr_malleable_longest(host->call->tasks));
}

/* sim:shortest([min_procs]): the task that is expected to finish first, of those that could give.
 */
static int sim_shortest(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t procs = lua_isnoneornil(L, 2) ? 4 : check_procs(L, 2);
    luaL_argcheck(L, procs >= 2, 2, "a task has at least 2 processors");
    return push_task_or_nil(L, host, orr_malleable_shortest(host->call->tasks, procs));
}

/* sim:drop(task): out of the list. */
static int sim_drop(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_malleable_drop(host->call->tasks, check_task(L, host, 2));
    return 0;
}

static int push_count_or_nil(lua_State *L, int32_t count)
{
    if (count > 0)
        lua_pushinteger(L, count);
    else
        lua_pushnil(L);
    return 1;
}

/* sim:improvement(task[, most]): the smallest number of processors, up to `most` (default: those
 * that are free), that would let it finish earlier; nil for none. */
static int sim_improvement(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_malleable *pack = host->call->tasks;
    int32_t task = check_task(L, host, 2);
    int32_t most = lua_isnoneornil(L, 3) ? orr_malleable_look(pack).free : check_procs(L, 3);
    return push_count_or_nil(L, orr_malleable_improvement(pack, task, most));
}

static int32_t check_part(lua_State *L, orr_host *host, int arg)
{
    int32_t task = check_task(L, host, arg);
    if (!orr_malleable_task(host->call->tasks, task).takes_part)
        luaL_argerror(L, arg, "the task takes no part in this redistribution");
    return task;
}

/* sim:transfer(from, to): the smallest number of processors that, moved, lets both finish earlier
 * than `to` would now; nil for none. */
static int sim_transfer(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t from = check_part(L, host, 2), to = check_part(L, host, 3);
    return push_count_or_nil(L, orr_malleable_transfer(host->call->tasks, from, to));
}

/* sim:finish_with(task, procs): its expected finish, s, if it had so many. */
static int sim_finish_with(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t task = check_part(L, host, 2), procs = check_procs(L, 3);
    orr_malleable *pack = host->call->tasks;
    int32_t held = orr_malleable_task(pack, task).procs, most = orr_malleable_look(pack).procs;
    if (procs < 2 || procs % 2 != 0 || (procs > most && procs > held))
        return luaL_argerror(L, 3,
                             "a task has an even number of processors, from 2 to the machine's");
    lua_pushnumber(L, orr_malleable_finish_with(pack, task, procs));
    return 1;
}

/* sim:time(task, procs): its fault-free time, s, for all of its work. */
static int sim_time(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t task = check_task(L, host, 2), procs = check_procs(L, 3);
    luaL_argcheck(L, procs >= 1, 3, "at least one processor");
    lua_pushnumber(L, orr_task_time(orr_malleable_look(host->call->tasks).tasks, task, procs));
    return 1;
}

/* Reads { [task] = processors } at arg into two lists with room for `most`; returns how many. */
static int32_t read_proposal(lua_State *L, orr_host *host, int arg, int32_t most, int32_t *tasks,
                             int32_t *procs)
{
    int32_t count = 0;
    luaL_checktype(L, arg, LUA_TTABLE);
    for (lua_pushnil(L); lua_next(L, arg); lua_pop(L, 1)) {
        int is_whole, at = lua_gettop(L);
        lua_Integer number = lua_tointegerx(L, at, &is_whole);
        if (!lua_isuserdata(L, at - 1) || !is_whole || count == most)
            luaL_argerror(L, arg, "a proposal is { [task] = processors, ... }");
        tasks[count] = orr_view_check_item(L, host, at - 1, "task").item;
        procs[count++] = to_procs(number);
    }
    return count;
}

/* sim:expected_last([proposal]): the largest expected finish, s, if these tasks had so many. */
static int sim_expected_last(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_malleable *pack = host->call->tasks;
    int32_t most = orr_malleable_look(pack).tasks->count, count = 0;
    lua_settop(L, 2);
    int32_t *tasks = lua_newuserdatauv(L, 2 * (size_t)most * sizeof *tasks, 0);
    orr_error err;
    double last;
    if (!lua_isnil(L, 2))
        count = read_proposal(L, host, 2, most, tasks, tasks + most);
    orr_status status = orr_malleable_expected_last(pack, tasks, tasks + most, count, &last, &err);
    orr_view_decided(L, status, &err);
    lua_pushnumber(L, last);
    return 1;
}

typedef struct by_finish {
    double finish;
    int32_t task;
} by_finish;

static int later_first(const void *a, const void *b)
{
    const by_finish *x = a, *y = b;
    if (x->finish != y->finish)
        return x->finish > y->finish ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static int push_list(lua_State *L, orr_host *host, bool all)
{
    orr_malleable *pack = host->call->tasks;
    int32_t count = orr_malleable_look(pack).tasks->count, n = 0;
    by_finish *list = lua_newuserdatauv(L, (size_t)count * sizeof *list, 0);
    for (int32_t i = 0; i < count; i++) {
        orr_task_view view = orr_malleable_task(pack, i);
        if (all ? view.state != ORR_TASK_OVER : view.takes_part)
            list[n++] = (by_finish){view.finish, i};
    }
    qsort(list, (size_t)n, sizeof *list, later_first);
    lua_createtable(L, n, 0);
    for (int32_t i = 0; i < n; i++) {
        orr_host_push_item(L, host, list[i].task);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* sim:tasks(): those that take part, in order of expected finish, the latest first. */
static int sim_tasks(lua_State *L)
{
    return push_list(L, check_method(L), false);
}

/* sim:running(): all that run, also locked ones, in the same order. */
static int sim_running(lua_State *L)
{
    return push_list(L, check_method(L), true);
}

/* --- sim: proposals ------------------------------------------------------------------------- */

static int propose(lua_State *L, orr_malleable *pack, int32_t task, int32_t procs)
{
    orr_error err;
    return orr_view_decided(L, orr_malleable_assign(pack, task, procs, &err), &err);
}

static int sim_assign(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t task = check_task(L, host, 2);
    return propose(L, host->call->tasks, task, check_procs(L, 3));
}

/* sim:give(task, more): so many more than proposed; less than 0 takes them away. */
static int sim_give(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_malleable *pack = host->call->tasks;
    int32_t task = check_task(L, host, 2);
    int64_t procs = (int64_t)orr_malleable_proposed(pack, task) + check_procs(L, 3);
    return propose(L, pack, task, to_procs(procs));
}

/* sim:start_over(): 2 processors for all that take part. */
static int sim_start_over(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_error err;
    return orr_view_decided(L, orr_malleable_start_over(host->call->tasks, &err), &err);
}

/* sim:share_out([procs]): up to so many processors (default: those that are free), two at a time to
 * the longest task; how many it gave. */
static int sim_share_out(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_malleable *pack = host->call->tasks;
    int32_t procs = lua_isnoneornil(L, 2) ? orr_malleable_look(pack).free : check_procs(L, 2),
            given;
    orr_error err;
    orr_view_decided(L, orr_malleable_share_out(pack, procs, &given, &err), &err);
    lua_pushinteger(L, given);
    return 1;
}

/* --- sim: fields ---------------------------------------------------------------------------- */

#define SIM_FIELDS(F)                                                                              \
    F(now, "number", "s", "the clock", lua_pushnumber, view.now)                                   \
    F(procs, "integer", "processors", "size of the machine", lua_pushinteger, view.procs)          \
    F(free, "integer", "processors", "processors that no task holds under the proposal",           \
      lua_pushinteger, view.free)                                                                  \
    F(running_count, "integer", "tasks", "tasks that are not over", lua_pushinteger, view.running) \
    F(expected, "number", "s", "the largest expected finish of the running tasks", lua_pushnumber, \
      view.expected)                                                                               \
    F(struck, "Task?", NULL, "in `on_fault` the task that the fault struck, else nil",             \
      push_task_or_nil, host, view.struck)                                                         \
    F(mtbf, "number", "s",                                                                         \
      "mean time between failures of one processor; inf if processors never fail", lua_pushnumber, \
      view.resilience->mtbf)                                                                       \
    F(downtime, "number", "s", "downtime after a fault", lua_pushnumber,                           \
      view.resilience->downtime)                                                                   \
    F(state, "table", NULL, "the policy's own table", orr_view_push_state, host)

#define sim_note orr_view_note
#define SIM_METHODS(M)                                                                             \
    M(tasks), M(running), M(longest), M(shortest), M(drop), M(improvement), M(transfer),           \
        M(finish_with), M(expected_last), M(time), M(assign), M(give), M(start_over),              \
        M(share_out), M(note)

static const char *const sim_fields[] = {SIM_FIELDS(ORR_FIELD_NAME) SIM_METHODS(ORR_METHOD_NAME),
                                         NULL};
static const orr_field_text sim_texts[] = {SIM_FIELDS(ORR_FIELD_TEXT){NULL}};

static int sim_index(lua_State *L)
{
    enum { NONE, SIM_FIELDS(ORR_FIELD_NUMBER) };
    orr_host *host = orr_view_host(L);
    orr_malleable_view view = orr_malleable_look(host->call->tasks);
    switch (orr_view_field(L, &host->self->sim)) {
        SIM_FIELDS(ORR_FIELD_CASE)
    default:
        return orr_lua_unknown_field(L, "sim", sim_fields);
    }
}

static const luaL_Reg sim_methods[] = {SIM_METHODS(ORR_METHOD), {NULL, NULL}};

const orr_views orr_views_of_tasks = {
    .handles = "sim and tasks",
    .items = "tasks",
    .instead = "sim:assign gives a task processors, and sim.state keeps what you remember",
    .sim = {"sim", "orrery.tasks.sim", sim_index, NULL, sim_fields, "TaskSim", sim_texts,
            sim_methods},
    .item = {"task", "orrery.tasks.task", task_index, NULL, task_fields, "Task", task_texts, NULL},
};
