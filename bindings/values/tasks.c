/* Tasks as Lua values, the functions that bindings/values/tasks.lua makes them with, and expected
 * times. */
#include "bindings/support/block.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "malleable/expected.h"
#include "workload/writer.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

static const char *const profile_names[] = {"synthetic", "amdahl", "power", "table", NULL};

/* --- tasks as a Lua value -------------------------------------------------------------------- */

ORR_LUA_GC(tasks_gc, ORR_LUA_TASKS, orr_tasks_destroy)

/* --- reading a value ------------------------------------------------------------------------- */

static void push_task(lua_State *L, const orr_tasks *tasks, int32_t task)
{
    lua_createtable(L, 0, 5);
    orr_lua_set_text(L, "id", orr_tasks_id(tasks, task));
    orr_lua_set_text(L, "profile", profile_names[tasks->profile[task]]);
    orr_lua_set_number(L, "m", tasks->size[task]);
    orr_lua_set_number(L, "sequential", tasks->sequential[task]);
    if (tasks->profile[task] != ORR_PROFILE_TABLE) {
        orr_lua_set_number(L, "parameter", tasks->parameter[task]);
        return;
    }
    orr_lua_set_integer(L, "columns", tasks->columns[task]);
}

ORR_LUA_GETTER(tasks_len, lua_pushinteger, orr_lua_check_tasks(L, 1)->count)

static int tasks_time(lua_State *L)
{
    const orr_tasks *tasks = orr_lua_check_tasks(L, 1);
    lua_Integer task = luaL_checkinteger(L, 2), procs = luaL_checkinteger(L, 3);
    if (task < 1 || task > tasks->count)
        luaL_argerror(L, 2,
                      lua_pushfstring(L, "a position from 1 to %d expected, not %I",
                                      (int)tasks->count, (LUAI_UACINT)task));
    if (procs < 1 || procs > INT32_MAX)
        luaL_argerror(
            L, 3,
            lua_pushfstring(L, "a number of processors >= 1 expected, not %I", (LUAI_UACINT)procs));
    lua_pushnumber(L, orr_task_time(tasks, (int32_t)task - 1, (int32_t)procs));
    return 1;
}

/* "98 synthetic, 2 table (1 repaired)" */
static void add_profiles(luaL_Buffer *b, const orr_tasks *tasks)
{
    int32_t counts[4] = {0};
    const char *comma = "";
    for (int32_t task = 0; task < tasks->count; task++)
        counts[tasks->profile[task]]++;
    for (int i = 0; i < 4; i++) {
        char text[64];
        if (counts[i] == 0)
            continue;
        snprintf(text, sizeof text, "%s%d %s", comma, (int)counts[i], profile_names[i]);
        luaL_addstring(b, text);
        comma = ", ";
    }
    if (tasks->repaired > 0) {
        char text[64];
        snprintf(text, sizeof text, " (%d repaired)", (int)tasks->repaired);
        luaL_addstring(b, text);
    }
}

static void add_range(luaL_Buffer *b, const char *what, const char *unit, const double *values,
                      int32_t count)
{
    char text[96];
    double least = values[0], most = values[0];
    for (int32_t i = 1; i < count; i++) {
        least = values[i] < least ? values[i] : least;
        most = values[i] > most ? values[i] : most;
    }
    snprintf(text, sizeof text, "; %s %.4g to %.4g%s", what, least, most, unit);
    luaL_addstring(b, text);
}

/* "100 tasks: 100 synthetic; m 1.5e+06 to 2.5e+06; t(1) 9.3e+07 to 1.6e+08 s" */
static int tasks_tostring(lua_State *L)
{
    const orr_tasks *tasks = orr_lua_check_tasks(L, 1);
    luaL_Buffer b;
    char text[64];
    if (tasks->count == 0) {
        lua_pushliteral(L, "no tasks");
        return 1;
    }
    luaL_buffinit(L, &b);
    snprintf(text, sizeof text, "%d task%s: ", (int)tasks->count, tasks->count == 1 ? "" : "s");
    luaL_addstring(&b, text);
    add_profiles(&b, tasks);
    add_range(&b, "m", "", tasks->size, tasks->count);
    add_range(&b, "t(1)", " s", tasks->sequential, tasks->count);
    luaL_pushresult(&b);
    return 1;
}

/* --- writing --------------------------------------------------------------------------------- */

/* The tasks as text in a block on top of the stack, which owns it. */
static const char *push_text(lua_State *L, const orr_tasks *tasks, size_t *size)
{
    orr_error err;
    char *text = NULL;
    orr_lua_block *b = orr_lua_new_block(L);
    orr_lua_try(L, orr_tasks_format(tasks, &text, size, &b->size, NULL, &err), &err);
    b->bytes = text;
    return text;
}

static int tasks_csv(lua_State *L)
{
    size_t size = 0;
    const char *text = push_text(L, orr_lua_check_tasks(L, 1), &size);
    lua_pushlstring(L, text, size);
    return 1;
}

static int tasks_to_csv(lua_State *L)
{
    const orr_tasks *tasks = orr_lua_check_tasks(L, 1);
    const char *path = luaL_checkstring(L, 2);
    size_t size = 0;
    const char *text = push_text(L, tasks, &size);
    orr_error err;
    orr_lua_try(L, orr_output_write_file(path, text, size, &err), &err);
    return 0;
}

/* --- fields ---------------------------------------------------------------------------------- */

static const luaL_Reg tasks_methods[] = {
    {"csv", tasks_csv}, {"time", tasks_time}, {"to_csv", tasks_to_csv}, {NULL, NULL}};

static bool tasks_item(lua_State *L, lua_Integer position)
{
    const orr_tasks *tasks = orr_lua_check_tasks(L, 1);
    if (position < 1 || position > tasks->count)
        return false;
    push_task(L, tasks, (int32_t)position - 1);
    return true;
}

static bool tasks_field(lua_State *L, const char *name)
{
    if (strcmp(name, "repaired") != 0)
        return false;
    lua_pushinteger(L, orr_lua_check_tasks(L, 1)->repaired);
    return true;
}

/* --- making tasks; bindings/values/tasks.lua has looked at types and names ----------------- */

/* n, least and most m, f, seed, set, run */
static int make_synthetic(lua_State *L)
{
    orr_synthetic_tasks options = {(int32_t)luaL_checkinteger(L, 1), luaL_checknumber(L, 2),
                                   luaL_checknumber(L, 3), luaL_checknumber(L, 4)};
    uint64_t seed = (uint64_t)luaL_checkinteger(L, 5), set = (uint64_t)luaL_checkinteger(L, 6);
    uint64_t run = (uint64_t)luaL_checkinteger(L, 7);
    orr_error err;
    orr_tasks **slot = orr_lua_new_tasks(L);
    *slot = orr_tasks_create(NULL, &err);
    if (*slot == NULL || orr_generate_tasks(*slot, &options, seed, set, run, &err) != ORR_OK)
        return orr_lua_raise(L, &err);
    return 1;
}

/* path, f */
static int read_file(lua_State *L)
{
    orr_error err;
    const char *path = luaL_checkstring(L, 1);
    double sequential = luaL_checknumber(L, 2);
    orr_tasks **slot = orr_lua_new_tasks(L);
    *slot = orr_read_tasks(path, sequential, NULL, &err);
    return *slot == NULL ? orr_lua_raise(L, &err) : 1;
}

/* Replaces the list at -1 by its numbers, in a userdata. */
static const double *take_times(lua_State *L, int32_t *columns)
{
    lua_Unsigned count = lua_rawlen(L, -1);
    luaL_argcheck(L, count <= INT32_MAX, 1, "too many times");
    double *times = lua_newuserdatauv(L, (size_t)count * sizeof *times, 0);
    for (lua_Unsigned j = 0; j < count; j++) {
        lua_rawgeti(L, -2, (lua_Integer)j + 1);
        times[j] = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    lua_replace(L, -2);
    *columns = (int32_t)count;
    return times;
}

/* The table at -1: { id, m, profile, parameter } or { id, m, times }. */
static orr_status add_task(lua_State *L, orr_tasks *tasks, orr_error *err)
{
    int at = lua_gettop(L);
    lua_getfield(L, at, "id");
    const char *id = lua_tostring(L, -1);
    lua_getfield(L, at, "m");
    double size = luaL_checknumber(L, -1);
    if (lua_getfield(L, at, "times") == LUA_TTABLE) {
        int32_t columns;
        const double *times = take_times(L, &columns);
        return orr_tasks_add_table(tasks, id, size, times, columns, err);
    }
    lua_getfield(L, at, "parameter");
    double parameter = luaL_checknumber(L, -1);
    lua_getfield(L, at, "profile");
    orr_profile family = (orr_profile)luaL_checkoption(L, -1, NULL, profile_names);
    return orr_tasks_add(tasks, id, size, family, parameter, err);
}

static int make_list(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    orr_error err;
    orr_tasks **slot = orr_lua_new_tasks(L);
    *slot = orr_tasks_create(NULL, &err);
    if (*slot == NULL)
        return orr_lua_raise(L, &err);
    lua_Integer n = luaL_len(L, 1);
    for (lua_Integer i = 1; i <= n; i++) {
        lua_geti(L, 1, i);
        if (add_task(L, *slot, &err) != ORR_OK) {
            orr_error_prefix(&err, "tasks.list: task %lld", (long long)i);
            return orr_lua_raise(L, &err);
        }
        lua_settop(L, 2);
    }
    return 1;
}

/* --- expected times; what bindings/values/expected.lua computes with -------------------------- */

/* Pushes an integer where it fits: the count has no upper bound, and is infinite for free
 * checkpoints. */
static void push_count(lua_State *L, double count)
{
    if (count <= 0x1p53)
        lua_pushinteger(L, (lua_Integer)count);
    else
        lua_pushnumber(L, count);
}

/* expected(time, work, procs, mtbf, checkpoint, downtime, recovery, daly): t^R, details. */
static int expected(lua_State *L)
{
    double time = luaL_checknumber(L, 1), alpha = luaL_checknumber(L, 2);
    double procs = luaL_checknumber(L, 3), mtbf = luaL_checknumber(L, 4);
    double checkpoint = luaL_checknumber(L, 5), downtime = luaL_checknumber(L, 6);
    double recovery = luaL_checknumber(L, 7);
    orr_expected e = orr_expected_prepare(time, procs, mtbf, checkpoint, recovery, downtime,
                                          lua_toboolean(L, 8) ? ORR_PERIOD_DALY : ORR_PERIOD_YOUNG);
    lua_pushnumber(L, orr_expected_time(&e, alpha));
    lua_createtable(L, 0, 3);
    orr_lua_set_number(L, "period", e.period);
    push_count(L, orr_expected_checkpoints(&e, alpha));
    lua_setfield(L, -2, "checkpoints");
    orr_lua_set_number(L, "last", orr_expected_last(&e, alpha));
    return 2;
}

/* --- opening --------------------------------------------------------------------------------- */

void orr_lua_open_tasks(lua_State *L)
{
    static const orr_lua_class class = {
        .name = ORR_LUA_TASKS,
        .what = "tasks",
        .methods = tasks_methods,
        .gc = tasks_gc,
        .len = tasks_len,
        .tostring = tasks_tostring,
        .item = tasks_item,
        .field = tasks_field,
        .unknown = "tasks have no field '%s' (known: repaired, a position, or the methods %s)",
        .unchangeable = "tasks can't be changed; make new ones with orrery.tasks.list",
    };
    static const luaL_Reg functions[] = {{"tasks_synthetic", make_synthetic},
                                         {"tasks_read", read_file},
                                         {"tasks_list", make_list},
                                         {"expected", expected},
                                         {NULL, NULL}};
    orr_lua_new_class(L, &class);
    luaL_setfuncs(L, functions, 0);
}
