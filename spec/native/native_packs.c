/* What the specs of packs need and the public Lua API does not reach: memory that runs out, solvers
 * that are stopped, co-schedules that are wrong, a sink that refuses. */
#include "native.h"

#include "packs/allocation.h"
#include "packs/bounds.h"
#include "packs/cut.h"
#include "packs/exact.h"
#include "packs/one_pack.h"
#include "packs/partition.h"
#include "packs/program.h"

#include <math.h>
#include <string.h>

ORR_API int luaopen_native_packs(lua_State *L);

enum { TASKS = 11, PROCS = 20 };

/* Some tasks that scale, and a problem of them; both in the caller's memory. */
static orr_pack_problem *make_problem(orr_tasks **tasks, const orr_allocator *a, orr_error *err)
{
    *tasks = orr_tasks_create(NULL, err);
    for (int32_t i = 0; i < TASKS; i++) {
        double times[PROCS];
        for (int32_t j = 0; j < PROCS; j++)
            times[j] = (100 + 7 * i) * (0.1 + 0.9 / (j + 1));
        orr_tasks_add_table(*tasks, NULL, 0, times, PROCS, err);
    }
    return orr_pack_problem_create(*tasks, PROCS, 4, NULL, a, err);
}

/* --- memory ------------------------------------------------------------------------------------*/

static orr_status run_allocation(const orr_pack_problem *problem, orr_error *err)
{
    int32_t taken[TASKS], count;
    orr_coschedule *c = NULL;
    orr_allocation *a = orr_allocation_create(problem, err);
    orr_status status = a ? orr_allocation_raise(a, err) : ORR_ERR_MEMORY;
    if (status == ORR_OK)
        status = orr_allocation_rewind(a, 0, err);
    if (status == ORR_OK && (c = orr_allocation_make_pack(a, err)) == NULL)
        status = ORR_ERR_MEMORY;
    if (status == ORR_OK)
        status = orr_allocation_take_fullest(a, 0, taken, &count, err);
    orr_coschedule_destroy(c);
    orr_allocation_destroy(a);
    return status;
}

static orr_status run_partition(const orr_pack_problem *problem, const orr_coschedule *from,
                                orr_error *err)
{
    orr_coschedule *c = NULL;
    orr_partition *q = orr_partition_create(problem, from, err);
    if (q != NULL)
        c = orr_partition_coschedule(q, err);
    orr_status status = c ? ORR_OK : ORR_ERR_MEMORY;
    orr_coschedule_destroy(c);
    orr_partition_destroy(q);
    return status;
}

static orr_status run_coschedule(const orr_pack_problem *problem, orr_error *err)
{
    int32_t procs[TASKS];
    orr_coschedule_metrics metrics;
    for (int32_t i = 0; i < TASKS; i++)
        procs[i] = 1 + i;
    orr_coschedule *c = orr_make_pack(problem, procs, err), *copy = NULL;
    orr_status status = c ? orr_coschedule_balance(problem, c, err) : ORR_ERR_MEMORY;
    if (status == ORR_OK && (copy = orr_coschedule_copy(c, err)) == NULL)
        status = ORR_ERR_MEMORY;
    if (status == ORR_OK)
        status = orr_coschedule_measure(problem, copy, &metrics, err);
    if (status == ORR_OK)
        status = run_partition(problem, copy, err);
    orr_coschedule_destroy(copy);
    orr_coschedule_destroy(c);
    return status;
}

static orr_status run_exact(const orr_pack_problem *problem, orr_error *err)
{
    orr_pack_bounds bounds;
    int32_t pack[] = {0, 3, 5}, procs[3];
    double cost;
    orr_status status = orr_one_pack(problem, pack, 3, procs, &cost, err);
    if (status == ORR_OK)
        status = orr_one_pack_printed(problem, pack, 3, procs, &cost, err);
    if (status == ORR_OK)
        status = orr_pack_bound(problem, false, &bounds, err);
    orr_coschedule *best = status == ORR_OK ? orr_optimal(problem, NULL, err) : NULL;
    orr_coschedule *pairs = best ? orr_two_in_p(problem, NULL, err) : NULL;
    if (status == ORR_OK && (pairs == NULL || !(best->total >= bounds.best)))
        status = ORR_ERR_MEMORY;
    orr_coschedule_destroy(pairs);
    orr_coschedule_destroy(best);
    return status;
}

static orr_status run_cuts(const orr_pack_problem *problem, orr_error *err)
{
    int32_t tasks[TASKS];
    double costs[TASKS];
    for (int32_t i = 0; i < TASKS; i++)
        tasks[i] = TASKS - 1 - i;
    orr_coschedule *c = NULL;
    orr_status status = orr_open_pack_costs(problem, tasks, TASKS, costs, err);
    if (status == ORR_OK)
        status = orr_cut(problem, tasks, INFINITY, &c, err);
    orr_coschedule_destroy(c);
    return status;
}

/* starve(what, allowed, silent): message or nil, bytes that were not given back, number of
 * allocations. Silent: nobody wants to hear why; the status alone is the message then. */
static int starve(lua_State *L)
{
    static const char *const names[] = {"allocation", "coschedule", "exact", "cuts", NULL};
    static orr_status (*const runs[])(const orr_pack_problem *, orr_error *) = {
        run_allocation, run_coschedule, run_exact, run_cuts};
    int what = luaL_checkoption(L, 1, NULL, names);
    spec_memory m = {0};
    orr_allocator a = {spec_resize, &m};
    orr_error err = {0}, *told = lua_toboolean(L, 3) ? NULL : &err;
    orr_tasks *tasks;
    spec_allow(&m, luaL_checkinteger(L, 2));
    orr_pack_problem *problem = make_problem(&tasks, &a, told);
    orr_status status = problem ? runs[what](problem, told) : ORR_ERR_MEMORY;
    if (!told && status == ORR_ERR_MEMORY)
        orr_fail_memory(&err, 0);
    orr_pack_problem_destroy(problem);
    orr_tasks_destroy(tasks);
    return spec_report(L, status, &err, &m);
}

/* --- stopping ----------------------------------------------------------------------------------*/

/* cancelled(what): the message and the bytes that were not given back. */
static int cancelled(lua_State *L)
{
    static const char *const names[] = {"optimal", "two-in-p", NULL};
    int what = luaL_checkoption(L, 1, NULL, names);
    spec_memory m = {0};
    orr_allocator a = {spec_resize, &m};
    orr_error err = {0};
    orr_tasks *tasks;
    orr_pack_problem *problem = make_problem(&tasks, &a, &err);
    orr_cancel_flag flag = {0};
    orr_cancel_raise(&flag);
    orr_coschedule *c =
        what == 0 ? orr_optimal(problem, &flag, &err) : orr_two_in_p(problem, &flag, &err);
    lua_pushboolean(L, c == NULL && err.status == ORR_ERR_CANCELLED);
    lua_pushstring(L, err.message);
    orr_coschedule_destroy(c);
    orr_pack_problem_destroy(problem);
    orr_tasks_destroy(tasks);
    lua_pushinteger(L, m.bytes);
    return 3;
}

/* --- wrong co-schedules ------------------------------------------------------------------------*/

typedef enum fault {
    NO_FAULT,
    OTHER_PACK,
    NO_PACK,
    TOO_MANY_PROCS,
    NO_PROCS,
    OTHER_COST,
    OTHER_TOTAL,
    OTHER_ORDER,
    EMPTY_PACK,
    OTHER_COUNT
} fault;

static void spoil(orr_coschedule *c, fault what)
{
    switch (what) {
    case NO_FAULT:
        break;
    case OTHER_PACK:
        c->pack[0] = c->pack[0] == 0 ? 1 : 0;
        break;
    case NO_PACK:
        c->pack[2] = c->packs;
        break;
    case TOO_MANY_PROCS:
        c->procs[3] += 1;
        break;
    case NO_PROCS:
        c->procs[4] = 0;
        break;
    case OTHER_COST:
        c->cost[1] *= 1.0000001;
        break;
    case OTHER_TOTAL:
        c->total -= 1;
        break;
    case OTHER_ORDER:
        c->order[0] = c->order[1];
        break;
    case EMPTY_PACK:
        c->first[c->packs + 1] = c->first[c->packs];
        c->cost[c->packs++] = 0;
        break;
    case OTHER_COUNT:
        c->count--;
        break;
    }
}

/* spoiled(fault): what the checker says to it, nil for nothing. */
static int spoiled(lua_State *L)
{
    static const char *const names[] = {
        "nothing",     "other pack",  "no pack",    "too many procs", "no procs", "other cost",
        "other total", "other order", "empty pack", "other count",    NULL};
    fault what = (fault)luaL_checkoption(L, 1, NULL, names);
    orr_error err = {0};
    orr_tasks *tasks;
    int32_t pack[TASKS];
    orr_pack_problem *problem = make_problem(&tasks, NULL, &err);
    for (int32_t i = 0; i < TASKS; i++)
        pack[i] = i / 4;
    orr_coschedule *c = orr_coschedule_create(problem, pack, 3, NULL, &err);
    spoil(c, what);
    orr_status status = orr_coschedule_check(problem, c, &err);
    c->count = TASKS;
    orr_coschedule_destroy(c);
    orr_pack_problem_destroy(problem);
    orr_tasks_destroy(tasks);
    lua_pushstring(L, status == ORR_OK ? NULL : err.message);
    return 1;
}

/* --- the integer program -----------------------------------------------------------------------*/

static bool take_some(void *user, const char *text, size_t size)
{
    (void)text;
    int64_t *left = user;
    *left -= (int64_t)size;
    return *left >= 0;
}

/* program(tasks, procs, bytes): the message when the sink takes so many bytes, nil for none. */
static int program(lua_State *L)
{
    orr_error err = {0};
    orr_tasks *tasks = orr_tasks_create(NULL, &err);
    int64_t left = luaL_checkinteger(L, 3);
    for (lua_Integer i = 0; i < luaL_checkinteger(L, 1); i++)
        orr_tasks_add(tasks, NULL, 100, ORR_PROFILE_AMDAHL, 0.1, &err);
    orr_pack_problem *problem =
        orr_pack_problem_create(tasks, (int32_t)luaL_checkinteger(L, 2), 0, NULL, NULL, &err);
    orr_sink sink = {take_some, &left};
    orr_status status = orr_pack_program(problem, &sink, &err);
    orr_pack_problem_destroy(problem);
    orr_tasks_destroy(tasks);
    lua_pushstring(L, status == ORR_OK ? NULL : err.message);
    lua_pushinteger(L, luaL_checkinteger(L, 3) - left);
    return 2;
}

int luaopen_native_packs(lua_State *L)
{
    static const luaL_Reg functions[] = {{"starve", starve},
                                         {"cancelled", cancelled},
                                         {"spoiled", spoiled},
                                         {"program", program},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
