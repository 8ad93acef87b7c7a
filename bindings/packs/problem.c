/* Problems of packs as Lua values, and the functions that solve them in one call. */
#include "bindings/packs/packs.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "packs/bounds.h"
#include "packs/cut.h"
#include "packs/exact.h"
#include "packs/one_pack.h"
#include "packs/partition.h"
#include "packs/program.h"

#include <lauxlib.h>
#include <math.h>
#include <string.h>

/* --- a problem as a Lua value; user value 1: its tasks --------------------------------------- */

static orr_lua_problem *push_problem(lua_State *L, bool lent)
{
    orr_lua_problem *value = orr_lua_new_value(L, ORR_LUA_PACK_PROBLEM, sizeof *value, 1);
    value->lent = lent;
    return value;
}

orr_lua_problem *orr_lua_lend_problem(lua_State *L, const orr_pack_problem *problem)
{
    orr_lua_problem *value = push_problem(L, true);
    value->problem = problem;
    return value;
}

void orr_lua_take_back(orr_lua_problem *lent)
{
    lent->problem = NULL;
}

/* core.pack_problem(tasks, procs, k, least) */
static int new_problem(lua_State *L)
{
    orr_error err;
    int32_t count = 0, *least = NULL;
    lua_settop(L, 4);
    const orr_tasks *tasks = orr_lua_check_tasks(L, 1);
    int32_t procs = orr_lua_check_whole(L, 2, "procs", 1, INT32_MAX);
    int32_t k = lua_isnil(L, 3) ? 0 : orr_lua_check_whole(L, 3, "k", 1, INT32_MAX);
    if (!lua_isnil(L, 4)) {
        least = orr_lua_check_integers(L, 4, "the least number of processors of a task", 1,
                                       INT32_MAX, &count);
        if (count != tasks->count)
            return luaL_error(L, "%d tasks, but least numbers of processors for %d",
                              (int)tasks->count, (int)count);
    }
    orr_lua_problem *value = push_problem(L, false);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1);
    value->problem = orr_pack_problem_create(tasks, procs, k, least, NULL, &err);
    return value->problem == NULL ? orr_lua_raise(L, &err) : 1;
}

static int problem_gc(lua_State *L)
{
    orr_lua_problem *value = luaL_checkudata(L, 1, ORR_LUA_PACK_PROBLEM);
    if (!value->lent)
        orr_pack_problem_destroy((orr_pack_problem *)(uintptr_t)value->problem);
    value->problem = NULL;
    return 0;
}

ORR_LUA_GETTER(problem_len, lua_pushinteger, orr_lua_check_problem(L, 1)->count)

static int problem_tostring(lua_State *L)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    lua_pushfstring(L, "%d tasks on %d processors, at most %d in a pack", (int)problem->count,
                    (int)problem->procs, (int)problem->most);
    return 1;
}

ORR_LUA_GETTER_OF(problem_time, const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
                  int32_t task = orr_lua_check_position(L, problem, 2);
                  int32_t procs = orr_lua_check_whole(L, 3, "a number of processors", 1,
                                                      problem->procs),
                  lua_pushnumber, orr_pack_time(problem, task, procs))

ORR_LUA_GETTER_OF(problem_least, const orr_pack_problem *problem = orr_lua_check_problem(L, 1),
                  lua_pushinteger, problem->least[orr_lua_check_position(L, problem, 2)])

static int problem_procs_for(lua_State *L)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    int32_t task = orr_lua_check_position(L, problem, 2);
    int32_t procs = orr_pack_procs_for(problem, task, luaL_checknumber(L, 3));
    if (procs > problem->procs)
        lua_pushnil(L);
    else
        lua_pushinteger(L, procs);
    return 1;
}

/* --- one pack -------------------------------------------------------------------------------- */

/* A list of different tasks at arg; leaves two values on the stack. */
static int32_t *check_pack(lua_State *L, const orr_pack_problem *problem, int arg, int32_t *count)
{
    int32_t *tasks =
        orr_lua_check_integers(L, arg, "the position of a task", 1, problem->count, count);
    char *seen = lua_newuserdatauv(L, (size_t)problem->count, 0);
    memset(seen, 0, (size_t)problem->count);
    for (int32_t i = 0; i < *count; i++) {
        if (seen[--tasks[i]]++)
            luaL_error(L, "task %s is twice in a pack", orr_tasks_id(problem->tasks, tasks[i]));
    }
    return tasks;
}

/* problem:one_pack(list[, "printed"]): processors in the order of the list, cost */
static int problem_one_pack(lua_State *L)
{
    static const char *const ways[] = {"fast", "printed", NULL};
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    int way = luaL_checkoption(L, 3, "fast", ways);
    orr_error err;
    int32_t count;
    double cost;
    int32_t *tasks = check_pack(L, problem, 2, &count);
    int32_t *procs = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *procs, 0);
    orr_status status = way == 0 ? orr_one_pack(problem, tasks, count, procs, &cost, &err)
                                 : orr_one_pack_printed(problem, tasks, count, procs, &cost, &err);
    orr_lua_try(L, status, &err);
    orr_lua_push_integers(L, procs, count, 0);
    lua_pushnumber(L, cost);
    return 2;
}

static int problem_cost(lua_State *L)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    int32_t count;
    int32_t *tasks = check_pack(L, problem, 2, &count);
    luaL_argcheck(L, count > 0, 2, "a pack has at least one task");
    lua_pushnumber(L, orr_one_pack_cost(problem, tasks, count));
    return 1;
}

/* problem:costs(list): the cost of each prefix of the list as one pack */
static int problem_costs(lua_State *L)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    orr_error err;
    int32_t count;
    int32_t *tasks = check_pack(L, problem, 2, &count);
    double *costs = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *costs, 0);
    orr_lua_try(L, orr_open_pack_costs(problem, tasks, count, costs, &err), &err);
    orr_lua_push_numbers(L, costs, count);
    return 1;
}

/* --- co-schedules ---------------------------------------------------------------------------- */

static int32_t *check_procs(lua_State *L, const orr_pack_problem *problem, int arg)
{
    int32_t count;
    int32_t *procs =
        orr_lua_check_integers(L, arg, "a number of processors", 1, problem->procs, &count);
    if (count != problem->count)
        luaL_error(L, "%d tasks, but numbers of processors for %d", (int)problem->count,
                   (int)count);
    return procs;
}

ORR_LUA_MAKER(problem_make_pack, const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
              int32_t *procs = check_procs(L, problem, 2), ORR_LUA_COSCHEDULE,
              orr_make_pack(problem, procs, &err))

/* The tasks of the list on top of the stack go into `pack`. */
static void put_into_pack(lua_State *L, const orr_pack_problem *problem, int32_t *pack_of,
                          int32_t pack)
{
    int32_t count;
    int32_t *tasks =
        orr_lua_check_integers(L, -1, "the position of a task", 1, problem->count, &count);
    for (int32_t i = 0; i < count; i++) {
        int32_t task = tasks[i] - 1;
        if (pack_of[task] == pack)
            luaL_error(L, "task %s is twice in pack %d", orr_tasks_id(problem->tasks, task),
                       (int)pack + 1);
        if (pack_of[task] >= 0)
            luaL_error(L, "task %s is in pack %d and in pack %d",
                       orr_tasks_id(problem->tasks, task), (int)pack_of[task] + 1, (int)pack + 1);
        pack_of[task] = pack;
    }
}

/* problem:coschedule(packs[, procs]) */
int orr_lua_make_coschedule(lua_State *L)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    orr_error err;
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 3);
    const int32_t *procs = lua_isnil(L, 3) ? NULL : check_procs(L, problem, 3);
    lua_Unsigned packs = lua_rawlen(L, 2);
    int32_t *pack_of = lua_newuserdatauv(L, (size_t)problem->count * sizeof *pack_of, 0);
    for (int32_t i = 0; i < problem->count; i++)
        pack_of[i] = -1;
    if (packs > (lua_Unsigned)problem->count)
        return luaL_error(L, "%d tasks go into 1 to %d packs, not %I", (int)problem->count,
                          (int)problem->count, (LUAI_UACINT)packs);
    int top = lua_gettop(L);
    for (int32_t b = 0; b < (int32_t)packs; b++, lua_settop(L, top)) {
        if (lua_rawgeti(L, 2, b + 1) != LUA_TTABLE)
            return luaL_error(L, "pack %d must be a list of positions, it is a %s", (int)b + 1,
                              luaL_typename(L, -1));
        put_into_pack(L, problem, pack_of, b);
    }
    orr_lua_packed *value = orr_lua_new_packed(L, 1, ORR_LUA_COSCHEDULE);
    return orr_lua_set_packed(
        L, value, orr_coschedule_create(problem, pack_of, (int32_t)packs, procs, &err), &err);
}

/* problem:cut(list[, limit]): the cheapest co-schedule whose packs are runs of neighbours in the
 * list; nil: none is below the limit */
static int problem_cut(lua_State *L)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    double limit = luaL_optnumber(L, 3, INFINITY);
    orr_error err;
    int32_t count;
    int32_t *tasks = check_pack(L, problem, 2, &count);
    if (count != problem->count)
        return luaL_error(L, "%d tasks, but a sequence of %d to cut", (int)problem->count,
                          (int)count);
    orr_lua_packed *value = orr_lua_new_packed(L, 1, ORR_LUA_COSCHEDULE);
    orr_coschedule *found;
    orr_lua_try(L, orr_cut(problem, tasks, limit, &found, &err), &err);
    if (found)
        return orr_lua_set_packed(L, value, found, &err);
    lua_pushnil(L);
    return 1;
}

/* problem:one_by_one(): every task alone on all processors */
static int problem_one_by_one(lua_State *L)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    orr_error err;
    int32_t *pack_of = lua_newuserdatauv(L, (size_t)problem->count * sizeof *pack_of, 0);
    for (int32_t i = 0; i < problem->count; i++)
        pack_of[i] = i;
    orr_lua_packed *value = orr_lua_new_packed(L, 1, ORR_LUA_COSCHEDULE);
    return orr_lua_set_packed(
        L, value, orr_coschedule_create(problem, pack_of, problem->count, NULL, &err), &err);
}

ORR_LUA_MAKER(problem_allocation, const orr_pack_problem *problem = orr_lua_check_problem(L, 1),
              ORR_LUA_ALLOCATION, orr_allocation_create(problem, &err))

static const orr_coschedule *check_coschedule(lua_State *L, const orr_pack_problem *problem)
{
    const orr_coschedule *from = orr_lua_test_coschedule(L, 2, problem);
    luaL_argcheck(L, from != NULL, 2, "a co-schedule expected");
    return from;
}

/* problem:partition(coschedule) */
ORR_LUA_MAKER(problem_partition, const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
              const orr_coschedule *from = check_coschedule(L, problem), ORR_LUA_PARTITION,
              orr_partition_create(problem, from, &err))

/* --- exact solutions and bounds -------------------------------------------------------------- */

ORR_LUA_MAKER(problem_optimal, const orr_pack_problem *problem = orr_lua_check_problem(L, 1),
              ORR_LUA_COSCHEDULE, orr_optimal(problem, &orr_interrupted, &err))

ORR_LUA_MAKER(problem_two_in_p, const orr_pack_problem *problem = orr_lua_check_problem(L, 1),
              ORR_LUA_COSCHEDULE, orr_two_in_p(problem, &orr_interrupted, &err))

static int problem_bounds(lua_State *L)
{
#define BOUND(name) ORR_LUA_FIELD(orr_pack_bounds, name)
    static const orr_lua_field fields[] = {
        BOUND(longest),    BOUND(work), BOUND(layers),      BOUND(mixed),
        BOUND(fractional), BOUND(best), ORR_LUA_LAST_FIELD,
    };
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    orr_error err;
    orr_pack_bounds bounds;
    orr_lua_try(L, orr_pack_bound(problem, lua_toboolean(L, 2), &bounds, &err), &err);
    orr_lua_push_record(L, &bounds, fields);
    return 1;
}

static orr_status write_program(const void *user, const orr_sink *sink, orr_error *err)
{
    return orr_pack_program(user, sink, err);
}

/* problem:write_lp(path): complete or not at all */
static int problem_write_lp(lua_State *L)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    const char *path = luaL_checkstring(L, 2);
    orr_error err;
    orr_status status = orr_output_write_by(path, write_program, problem, &err);
    return status == ORR_OK ? 0 : orr_lua_raise(L, &err);
}

/* --- fields ---------------------------------------------------------------------------------- */

/* Functions that reach files, or values that outlive a call. */
static bool is_outside(const char *name)
{
    return strcmp(name, "tasks") == 0 || strcmp(name, "write_lp") == 0;
}

static void check_lent(lua_State *L)
{
    const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    orr_lua_check_problem(L, 1);
    if (((const orr_lua_problem *)lua_touserdata(L, 1))->lent && is_outside(name))
        luaL_error(L, "a problem that is lent to a policy has no %s", name);
}

static bool problem_field(lua_State *L, const char *name)
{
    const orr_pack_problem *problem = orr_lua_check_problem(L, 1);
    if (strcmp(name, "procs") == 0)
        lua_pushinteger(L, problem->procs);
    else if (strcmp(name, "k") == 0)
        lua_pushinteger(L, problem->most);
    else if (strcmp(name, "tasks") == 0)
        lua_getiuservalue(L, 1, 1);
    else
        return false;
    return true;
}

void orr_lua_open_pack_values(lua_State *L)
{
#define METHOD(name) ORR_LUA_METHOD(problem, name)
    static const luaL_Reg methods[] = {
        METHOD(time),       METHOD(least),      METHOD(procs_for),
        METHOD(one_pack),   METHOD(cost),       METHOD(costs),
        METHOD(cut),        METHOD(make_pack),  {"coschedule", orr_lua_make_coschedule},
        METHOD(one_by_one), METHOD(allocation), METHOD(partition),
        METHOD(optimal),    METHOD(two_in_p),   METHOD(bounds),
        METHOD(write_lp),   {NULL, NULL},
    };
    static const orr_lua_class class = {
        .name = ORR_LUA_PACK_PROBLEM,
        .what = "problem of packs",
        .methods = methods,
        .gc = problem_gc,
        .len = problem_len,
        .tostring = problem_tostring,
        .check = check_lent,
        .field = problem_field,
        .unknown = "a problem of packs has no field '%s' (known: procs, k, tasks, %s)",
    };
    orr_lua_new_class(L, &class);
    orr_lua_open_coschedule(L);
    orr_lua_open_allocation(L);
    orr_lua_open_partition(L);
}

void orr_lua_open_packs(lua_State *L)
{
    orr_lua_open_pack_values(L);
    lua_pushcfunction(L, new_problem);
    lua_setfield(L, -2, "pack_problem");
}
