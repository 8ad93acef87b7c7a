/* What a redistribution policy sees: the values `sim` and `task`.
 *
 * Both are handles that work only inside a hook. The loops of a heuristic call their methods at
 * every step, so these are found without a search: methods are closures that know their host, and
 * values are told by their metatables' addresses. */
#include "bindings/host/host.h"
#include "bindings/host/views.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#define SIM "orrery.tasks.sim"
#define TASK "orrery.tasks.task"

typedef struct task_value {
    int32_t task;
} task_value;

/* The host of a closure, inside a hook; its first upvalue is the userdata host->self. */
static orr_host *host_of(lua_State *L)
{
    orr_host *host = *(orr_host **)lua_touserdata(L, lua_upvalueindex(1));
    if (!host || !host->call.tasks)
        luaL_error(L, "sim and tasks can be used only inside a hook of the policy");
    return host;
}

static int32_t wrong_task(lua_State *L, int arg)
{
    return (int32_t)luaL_typeerror(L, arg, "task");
}

static int32_t check_task(lua_State *L, const orr_host *host, int arg)
{
    const task_value *v = lua_touserdata(L, arg);
    if (!v || !lua_getmetatable(L, arg))
        return wrong_task(L, arg);
    bool is_task = lua_topointer(L, -1) == host->item_metatable;
    lua_pop(L, 1);
    return is_task ? v->task : wrong_task(L, arg);
}

/* The host of a method, whose first argument must be sim. */
static orr_host *check_method(lua_State *L)
{
    orr_host *host = host_of(L);
    if (lua_touserdata(L, 1) != (void *)host->self)
        luaL_error(L, "expected sim as the first argument; call it as sim:method(...)");
    return host;
}

/* What does not fit is more, or less, than any machine has; an even number, so that this is what is
 * wrong with it. */
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

static int push_task_or_nil(lua_State *L, const orr_host *host, int32_t task)
{
    if (task < 0)
        lua_pushnil(L);
    else
        orr_host_push_task(L, host, task);
    return 1;
}

/* --- task ----------------------------------------------------------------------------------- */

enum { ID = 1, POSITION, SIZE, PROCS, HELD, MOST, LEFT, READY, FINISH, LOCKED, OVER };
static const char *const task_fields[] = {"id",   "position", "size",   "procs",  "held", "most",
                                          "left", "ready",    "finish", "locked", "over", NULL};

static void push_task_field(lua_State *L, orr_malleable *pack, int32_t task, int field)
{
    const orr_tasks *tasks = orr_malleable_look(pack).tasks;
    orr_task_view view = orr_malleable_task(pack, task);
    switch (field) {
    case ID:
        lua_pushstring(L, orr_tasks_id(tasks, task));
        break;
    case SIZE:
        lua_pushnumber(L, tasks->size[task]);
        break;
    case HELD:
        lua_pushinteger(L, view.procs);
        break;
    case MOST:
        lua_pushinteger(L, orr_malleable_most(pack, task));
        break;
    case LEFT:
        lua_pushnumber(L, view.left);
        break;
    case READY:
        lua_pushnumber(L, view.ready);
        break;
    case LOCKED:
        lua_pushboolean(L, view.state != ORR_TASK_OVER && !view.takes_part);
        break;
    default:
        lua_pushboolean(L, view.state == ORR_TASK_OVER);
        break;
    }
}

/* Upvalues: self, numbers of the fields. */
static int task_index(lua_State *L)
{
    const orr_host *host = host_of(L);
    int32_t task = check_task(L, host, 1);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    int field = (int)lua_tointeger(L, -1);
    if (field == 0)
        return orr_lua_unknown_field(L, "task", task_fields);
    if (field == POSITION)
        lua_pushinteger(L, task + 1);
    else if (field == PROCS)
        lua_pushinteger(L, orr_malleable_proposed(host->call.tasks, task));
    else if (field == FINISH)
        lua_pushnumber(L, orr_malleable_proposed_finish(host->call.tasks, task));
    else
        push_task_field(L, host->call.tasks, task, field);
    return 1;
}

static int task_newindex(lua_State *L)
{
    return luaL_error(L,
                      "tasks cannot be changed by a policy (field '%s'); sim:assign gives a task "
                      "processors, and sim.state keeps what you remember",
                      luaL_tolstring(L, 2, NULL));
}

static int task_tostring(lua_State *L)
{
    orr_host *host = *(orr_host **)lua_touserdata(L, lua_upvalueindex(1));
    if (!host || !host->call.tasks)
        lua_pushliteral(L, "task of a run that is over");
    else
        lua_pushfstring(
            L, "task %s",
            orr_tasks_id(orr_malleable_look(host->call.tasks).tasks, check_task(L, host, 1)));
    return 1;
}

/* Values are made once per position: the same task is the same value, also as a key. */
void orr_host_push_task(lua_State *L, const orr_host *host, int32_t task)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->values);
    if (lua_rawgeti(L, -1, task + 1) == LUA_TNIL) {
        lua_pop(L, 1);
        task_value *v = lua_newuserdatauv(L, sizeof *v, 0);
        v->task = task;
        lua_rawgeti(L, -2, 0); /* the metatable */
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, task + 1);
    }
    lua_remove(L, -2);
}

/* --- sim: questions ------------------------------------------------------------------------- */

/* sim:longest(): the task of the list that is expected to finish last; nil when it is empty. */
static int sim_longest(lua_State *L)
{
    orr_host *host = check_method(L);
    return push_task_or_nil(L, host, orr_malleable_longest(host->call.tasks));
}

/* sim:shortest([min_procs]): the task that is expected to finish first, of those that could give.
 */
static int sim_shortest(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t procs = lua_isnoneornil(L, 2) ? 4 : check_procs(L, 2);
    luaL_argcheck(L, procs >= 2, 2, "a task has at least 2 processors");
    return push_task_or_nil(L, host, orr_malleable_shortest(host->call.tasks, procs));
}

/* sim:drop(task): out of the list. */
static int sim_drop(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_malleable_drop(host->call.tasks, check_task(L, host, 2));
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
    orr_malleable *pack = host->call.tasks;
    int32_t task = check_task(L, host, 2);
    int32_t most = lua_isnoneornil(L, 3) ? orr_malleable_look(pack).free : check_procs(L, 3);
    return push_count_or_nil(L, orr_malleable_improvement(pack, task, most));
}

static int32_t check_part(lua_State *L, orr_host *host, int arg)
{
    int32_t task = check_task(L, host, arg);
    if (!orr_malleable_task(host->call.tasks, task).takes_part)
        luaL_argerror(L, arg, "the task takes no part in this redistribution");
    return task;
}

/* sim:transfer(from, to): the smallest number of processors that, moved, lets both finish earlier
 * than `to` would now; nil for none. */
static int sim_transfer(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t from = check_part(L, host, 2), to = check_part(L, host, 3);
    return push_count_or_nil(L, orr_malleable_transfer(host->call.tasks, from, to));
}

/* sim:finish_with(task, procs): its expected finish, s, if it had so many. */
static int sim_finish_with(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t task = check_part(L, host, 2), procs = check_procs(L, 3);
    orr_malleable *pack = host->call.tasks;
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
    lua_pushnumber(L, orr_task_time(orr_malleable_look(host->call.tasks).tasks, task, procs));
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
    orr_malleable *pack = host->call.tasks;
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
        orr_host_push_task(L, host, list[i].task);
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
    if (orr_malleable_assign(pack, task, procs, &err) != ORR_OK)
        return orr_lua_raise_decision(L, &err);
    return 0;
}

/* sim:assign(task, procs) */
static int sim_assign(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t task = check_task(L, host, 2);
    return propose(L, host->call.tasks, task, check_procs(L, 3));
}

/* sim:give(task, more): so many more than proposed; less than 0 takes them away. */
static int sim_give(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_malleable *pack = host->call.tasks;
    int32_t task = check_task(L, host, 2);
    int64_t procs = (int64_t)orr_malleable_proposed(pack, task) + check_procs(L, 3);
    return propose(L, pack, task, to_procs(procs));
}

/* sim:start_over(): 2 processors for all that take part. */
static int sim_start_over(lua_State *L)
{
    orr_host *host = check_method(L);
    orr_error err;
    if (orr_malleable_start_over(host->call.tasks, &err) != ORR_OK)
        return orr_lua_raise_decision(L, &err);
    return 0;
}

/* --- sim: fields ---------------------------------------------------------------------------- */

enum { NOW = 1, MACHINE, FREE, RUNNING_COUNT, EXPECTED, STRUCK, STATE, MTBF, DOWNTIME };
static const char *const sim_fields[] = {
    "now",         "procs",    "free",        "running_count", "expected", "struck",   "state",
    "mtbf",        "downtime", "tasks",       "running",       "longest",  "shortest", "drop",
    "improvement", "transfer", "finish_with", "time",          "assign",   "give",     "start_over",
    NULL};

static int state_ref(const orr_host *host)
{
    return (int)(intptr_t)orr_malleable_look(host->call.tasks).state;
}

/* What is no method. The first argument is the table of methods. Upvalues: self, numbers. */
static int sim_field(lua_State *L)
{
    orr_host *host = host_of(L);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    int field = (int)lua_tointeger(L, -1);
    orr_malleable_view view = orr_malleable_look(host->call.tasks);
    switch (field) {
    case NOW:
        lua_pushnumber(L, view.now);
        break;
    case MACHINE:
        lua_pushinteger(L, view.procs);
        break;
    case FREE:
        lua_pushinteger(L, view.free);
        break;
    case RUNNING_COUNT:
        lua_pushinteger(L, view.running);
        break;
    case EXPECTED:
        lua_pushnumber(L, view.expected);
        break;
    case STRUCK:
        return push_task_or_nil(L, host, view.struck);
    case STATE:
        lua_rawgeti(L, LUA_REGISTRYINDEX, state_ref(host));
        break;
    case MTBF:
        lua_pushnumber(L, view.resilience->mtbf);
        break;
    case DOWNTIME:
        lua_pushnumber(L, view.resilience->downtime);
        break;
    default:
        return orr_lua_unknown_field(L, "sim", sim_fields);
    }
    return 1;
}

static int sim_newindex(lua_State *L)
{
    orr_host *host = host_of(L);
    const char *name = lua_tostring(L, 2);
    if (!name || strcmp(name, "state") != 0)
        return luaL_error(L, "sim.%s cannot be set; only sim.state can",
                          luaL_tolstring(L, 2, NULL));
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_pushvalue(L, 3);
    lua_rawseti(L, LUA_REGISTRYINDEX, state_ref(host));
    return 0;
}

static int sim_tostring(lua_State *L)
{
    orr_host *host = *(orr_host **)lua_touserdata(L, lua_upvalueindex(1));
    if (!host || !host->call.tasks)
        lua_pushliteral(L, "sim");
    else
        lua_pushfstring(L, "sim at %f s", (LUAI_UACNUMBER)orr_malleable_look(host->call.tasks).now);
    return 1;
}

/* --- making --------------------------------------------------------------------------------- */

static void make_task_values(orr_host *host, int self)
{
    lua_State *L = host->L;
    lua_newtable(L); /* values */
    lua_newtable(L); /* their metatable, at 0 */
    host->item_metatable = lua_topointer(L, -1);
    orr_lua_set_closure(L, self, "__index", task_index, task_fields);
    orr_lua_set_closure(L, self, "__newindex", task_newindex, NULL);
    orr_lua_set_closure(L, self, "__tostring", task_tostring, NULL);
    lua_pushliteral(L, "task");
    lua_setfield(L, -2, "__metatable");
    lua_pushliteral(L, TASK);
    lua_setfield(L, -2, "__name");
    lua_rawseti(L, -2, 0);
    host->values = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* The table of methods, with the fields behind it. */
static void push_methods(lua_State *L, int self)
{
    static const luaL_Reg methods[] = {{"tasks", sim_tasks},
                                       {"running", sim_running},
                                       {"longest", sim_longest},
                                       {"shortest", sim_shortest},
                                       {"drop", sim_drop},
                                       {"improvement", sim_improvement},
                                       {"transfer", sim_transfer},
                                       {"finish_with", sim_finish_with},
                                       {"time", sim_time},
                                       {"assign", sim_assign},
                                       {"give", sim_give},
                                       {"start_over", sim_start_over},
                                       {NULL, NULL}};
    lua_newtable(L);
    for (const luaL_Reg *m = methods; m->name; m++)
        orr_lua_set_closure(L, self, m->name, m->func, NULL);
    lua_newtable(L);
    orr_lua_set_closure(L, self, "__index", sim_field, sim_fields);
    lua_setmetatable(L, -2);
}

void orr_host_make_tasks_sim(orr_host *host)
{
    lua_State *L = host->L;
    int self = lua_gettop(L);
    make_task_values(host, self);
    lua_newtable(L);
    push_methods(L, self);
    lua_setfield(L, -2, "__index");
    orr_lua_set_closure(L, self, "__newindex", sim_newindex, NULL);
    orr_lua_set_closure(L, self, "__tostring", sim_tostring, NULL);
    lua_pushliteral(L, "sim");
    lua_setfield(L, -2, "__metatable");
    lua_pushliteral(L, SIM);
    lua_setfield(L, -2, "__name");
    lua_setmetatable(L, self);
    host->sim_value = luaL_ref(L, LUA_REGISTRYINDEX);
}
