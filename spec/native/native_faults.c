/* What the specs of kernel/malleable need of expected times and sources of faults. */
#include "native.h"

#include "malleable/expected.h"
#include "workload/fault_law_internal.h"
#include "workload/faults_internal.h"
#include "workload/outages.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ORR_API int luaopen_native_faults(lua_State *L);

#define SOURCE "native_faults.source"

static double number(lua_State *L, int arg, const char *name, double otherwise)
{
    lua_getfield(L, arg, name);
    double value = luaL_optnumber(L, -1, otherwise);
    lua_pop(L, 1);
    return value;
}

static void set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

/* --- expected times ----------------------------------------------------------------------------*/

static orr_expected prepare(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    double checkpoint = number(L, 1, "checkpoint", 0);
    return orr_expected_prepare(number(L, 1, "time", 1), number(L, 1, "procs", 1),
                                number(L, 1, "mtbf", 1), checkpoint,
                                number(L, 1, "recovery", checkpoint), number(L, 1, "downtime", 0),
                                number(L, 1, "daly", 0) != 0 ? ORR_PERIOD_DALY : ORR_PERIOD_YOUNG);
}

/* expected { time, procs, mtbf, checkpoint, recovery, downtime, daly = 0 or 1 }, alpha, elapsed,
 * ready: table of everything. */
static int expected(lua_State *L)
{
    orr_expected e = prepare(L);
    double alpha = luaL_optnumber(L, 2, 1), elapsed = luaL_optnumber(L, 3, 0);
    double ready = luaL_optnumber(L, 4, 0);
    lua_newtable(L);
    set_number(L, "period", e.period);
    set_number(L, "work", e.work);
    set_number(L, "checkpoint", e.checkpoint);
    set_number(L, "recovery", e.recovery);
    set_number(L, "rate", e.rate);
    set_number(L, "time", orr_expected_time(&e, alpha));
    set_number(L, "checkpoints", orr_expected_checkpoints(&e, alpha));
    set_number(L, "last", orr_expected_last(&e, alpha));
    set_number(L, "finish", orr_undisturbed_end(&e, ready, alpha));
    set_number(L, "left", orr_left_after(&e, alpha, elapsed));
    set_number(L, "left_struck", orr_left_after_fault(&e, alpha, elapsed));
    return 1;
}

static orr_resilience resilience(lua_State *L, int arg)
{
    orr_resilience r = orr_resilience_default();
    luaL_checktype(L, arg, LUA_TTABLE);
    r.mtbf = number(L, arg, "mtbf", r.mtbf);
    r.checkpoint_unit = number(L, arg, "unit", r.checkpoint_unit);
    r.checkpoint_fixed = number(L, arg, "fixed", 0);
    r.startup = number(L, arg, "startup", 0);
    r.latency = number(L, arg, "latency", 0);
    r.bandwidth = number(L, arg, "bandwidth", 1);
    return r;
}

/* checkpoint_cost(resilience, size, procs) */
static int checkpoint_cost(lua_State *L)
{
    orr_resilience r = resilience(L, 1);
    lua_pushnumber(
        L, orr_checkpoint_cost(&r, luaL_checknumber(L, 2), (int32_t)luaL_checkinteger(L, 3)));
    return 1;
}

/* redistribution(resilience, size, from, to): cost, rounds */
static int redistribution(lua_State *L)
{
    orr_resilience r = resilience(L, 1);
    int32_t from = (int32_t)luaL_checkinteger(L, 3), to = (int32_t)luaL_checkinteger(L, 4);
    lua_pushnumber(L, orr_redistribution_cost(&r, luaL_checknumber(L, 2), from, to));
    lua_pushinteger(L, orr_redistribution_rounds(from, to));
    return 2;
}

/* --- sources -----------------------------------------------------------------------------------*/

typedef struct source {
    orr_faults *faults;
    orr_fault *log;
    spec_memory memory;
} source;

static source *check_source(lua_State *L)
{
    return luaL_checkudata(L, 1, SOURCE);
}

static source *push_source(lua_State *L)
{
    source *s = lua_newuserdatauv(L, sizeof *s, 1);
    memset(s, 0, sizeof *s);
    luaL_setmetatable(L, SOURCE);
    return s;
}

/* The list of { time, processor or nil, task or nil } in the field "log". */
static int64_t read_log(lua_State *L, source *s)
{
    if (lua_getfield(L, 1, "log") == LUA_TNIL)
        return 0;
    int64_t count = luaL_len(L, -1);
    s->log = calloc((size_t)count + 1, sizeof *s->log);
    for (int64_t i = 0; i < count; i++) {
        lua_geti(L, -1, i + 1);
        s->log[i].time = number(L, lua_gettop(L), "time", 0);
        s->log[i].processor = (int32_t)number(L, lua_gettop(L), "processor", -1);
        s->log[i].task = (int32_t)number(L, lua_gettop(L), "task", -1);
        lua_pop(L, 1);
    }
    return count;
}

/* source { law = "none"|"exponential"|"weibull"|"lognormal"|"log", procs, mtbf, shape, log, window,
 * fail_at }; or nil, message, status, bytes not given back. */
static int source_new(lua_State *L)
{
    static const char *const laws[] = {"none", "exponential", "weibull", "lognormal", "log", NULL};
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    source *s = push_source(L);
    s->memory.fail_at = (long long)number(L, 1, "fail_at", 0);
    orr_allocator a = {spec_resize, &s->memory};
    orr_faults_setup setup = {.procs = (int32_t)number(L, 1, "procs", 1),
                              .mtbf = number(L, 1, "mtbf", 1),
                              .shape = number(L, 1, "shape", 1),
                              .alloc = &a};
    setup.log_count = read_log(L, s);
    setup.log = s->log;
    lua_getfield(L, 1, "law");
    setup.law = (orr_fault_law)luaL_checkoption(L, -1, NULL, laws);
    orr_error err;
    s->faults = orr_faults_create(&setup, &err);
    if (s->faults == NULL) {
        spec_fail(L, &err);
        lua_pushinteger(L, s->memory.bytes);
        return 4;
    }
    int32_t window = (int32_t)number(L, 1, "window", 0);
    if (window > 0)
        ori_faults_set_window(s->faults, window);
    lua_pushvalue(L, 2);
    return 1;
}

static int source_destroy(lua_State *L)
{
    source *s = check_source(L);
    orr_faults_destroy(s->faults);
    free(s->log);
    s->faults = NULL;
    s->log = NULL;
    lua_pushinteger(L, s->memory.bytes);
    return 1;
}

/* reset(seed, set, run): true; or nil, message, status. */
static int source_reset(lua_State *L)
{
    orr_error err;
    if (orr_faults_reset(check_source(L)->faults, (uint64_t)luaL_checkinteger(L, 2),
                         (uint64_t)luaL_checkinteger(L, 3), (uint64_t)luaL_checkinteger(L, 4),
                         &err) != ORR_OK)
        return spec_fail(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

/* peek(): time, processor, task */
static int source_peek(lua_State *L)
{
    orr_fault fault = orr_faults_peek(check_source(L)->faults);
    lua_pushnumber(L, fault.time);
    lua_pushinteger(L, fault.processor);
    lua_pushinteger(L, fault.task);
    return 3;
}

/* take(most, time): at most so many faults before time; lists of times and of processors (or
 * tasks); or nil, message, status. */
static int source_take(lua_State *L)
{
    orr_faults *faults = check_source(L)->faults;
    lua_Integer most = luaL_checkinteger(L, 2);
    double until = luaL_optnumber(L, 3, HUGE_VAL);
    orr_error err;
    lua_newtable(L);
    lua_newtable(L);
    for (lua_Integer i = 1; i <= most && orr_faults_peek(faults).time < until; i++) {
        orr_fault fault = orr_faults_peek(faults);
        lua_pushnumber(L, fault.time);
        lua_rawseti(L, -3, i);
        lua_pushinteger(L, fault.processor >= 0 ? fault.processor : fault.task);
        lua_rawseti(L, -2, i);
        if (orr_faults_take(faults, &err) != ORR_OK)
            return spec_fail(L, &err);
    }
    return 2;
}

/* copy([fail_at]): the copy allocates with a memory of its own; or nil, message, status, bytes. */
static int source_copy(lua_State *L)
{
    source *from = check_source(L);
    long long calls = from->memory.calls, bytes = from->memory.bytes;
    from->memory.fail_at = calls + luaL_optinteger(L, 2, -calls);
    orr_error err;
    source *s = push_source(L);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1); /* its log and its allocator are the original's */
    s->faults = ori_faults_copy(from->faults, &err);
    from->memory.fail_at = 0;
    if (s->faults != NULL)
        return 1;
    spec_fail(L, &err);
    lua_pushinteger(L, from->memory.bytes - bytes);
    return 4;
}

/* gap(processor, n) */
static int source_gap(lua_State *L)
{
    lua_pushnumber(L, ori_faults_gap(check_source(L)->faults, (int32_t)luaL_checkinteger(L, 2),
                                     (uint32_t)luaL_checkinteger(L, 3)));
    return 1;
}

/* gap_at(law, mtbf, shape, u): the gap that a share u does not exceed, the share at that gap. */
static int gap_at(lua_State *L)
{
    static const char *const laws[] = {"weibull", "lognormal", NULL};
    ori_fault_gap gap;
    orr_error err;
    orr_fault_law law = ORR_FAULTS_WEIBULL + (unsigned)luaL_checkoption(L, 1, NULL, laws);
    if (ori_fault_gap_prepare(&gap, law, luaL_checknumber(L, 2), luaL_checknumber(L, 3), &err) !=
        ORR_OK)
        return spec_fail(L, &err);
    double time = ori_fault_gap_at(&gap, luaL_checknumber(L, 4));
    lua_pushnumber(L, time);
    lua_pushnumber(L, ori_fault_gap_share(&gap, time));
    return 2;
}

/* grow(count, time), keep(procs): true; or nil, message, status. */
static int source_grow(lua_State *L)
{
    orr_error err;
    if (ori_faults_grow(check_source(L)->faults, (int32_t)luaL_checkinteger(L, 2),
                        luaL_checknumber(L, 3), &err) != ORR_OK)
        return spec_fail(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

static int source_keep(lua_State *L)
{
    orr_error err;
    if (ori_faults_keep(check_source(L)->faults, (int32_t)luaL_checkinteger(L, 2), &err) != ORR_OK)
        return spec_fail(L, &err);
    lua_pushboolean(L, true);
    return 1;
}

static int source_allocations(lua_State *L)
{
    lua_pushinteger(L, check_source(L)->memory.calls);
    return 1;
}

/* --- files -------------------------------------------------------------------------------------*/

/* The tasks whose ids are the list at arg. */
static orr_tasks *make_tasks(lua_State *L, int arg)
{
    orr_tasks *tasks = orr_tasks_create(NULL, NULL);
    for (lua_Integer i = 1; i <= luaL_len(L, arg); i++) {
        lua_geti(L, arg, i);
        orr_tasks_add(tasks, lua_tostring(L, -1), 1000, ORR_PROFILE_AMDAHL, 0, NULL);
        lua_pop(L, 1);
    }
    return tasks;
}

/* read(path, ids or nil, procs[, fail_at]): list of { time, processor, task }, bytes not given
 * back, allocations; or nil, message, status, bytes. */
static int read_file(lua_State *L)
{
    spec_memory f = {.fail_at = luaL_optinteger(L, 4, 0)};
    orr_allocator a = {spec_resize, &f};
    orr_error err;
    orr_fault *log;
    int64_t count;
    orr_tasks *tasks = lua_isnil(L, 2) ? NULL : make_tasks(L, 2);
    orr_status status = orr_read_faults(luaL_checkstring(L, 1), tasks,
                                        (int32_t)luaL_checkinteger(L, 3), &log, &count, &a, &err);
    orr_tasks_destroy(tasks);
    if (status != ORR_OK) {
        spec_fail(L, &err);
        lua_pushinteger(L, f.bytes);
        return 4;
    }
    lua_newtable(L);
    for (int64_t i = 0; i < count; i++) {
        const double values[] = {log[i].time, log[i].processor, log[i].task};
        lua_newtable(L);
        for (int k = 0; k < 3; k++) {
            lua_pushnumber(L, values[k]);
            lua_rawseti(L, -2, k + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
    orr_release(&a, log, (size_t)count * sizeof *log);
    lua_pushinteger(L, f.bytes);
    lua_pushinteger(L, f.calls);
    return 3;
}

/* read_outages(path, { procs =, node_procs =, node_names =, origin = s or nil }[, fail_at]): list
 * of { time, repaired, first, count, kind }, rows left out, bytes not given back, allocations; or nil,
 * message, status, bytes. */
static int read_outages(lua_State *L)
{
    spec_memory f = {.fail_at = luaL_optinteger(L, 3, 0)};
    orr_allocator a = {spec_resize, &f};
    orr_error err;
    orr_outage_list list;
    lua_getfield(L, 2, "procs");
    lua_getfield(L, 2, "node_procs");
    lua_getfield(L, 2, "node_names");
    lua_getfield(L, 2, "origin");
    orr_outage_reading reading = {.size = sizeof reading,
                                  .procs = (int32_t)luaL_optinteger(L, -4, 8),
                                  .node_procs = (int32_t)luaL_optinteger(L, -3, 1),
                                  .node_names = lua_tostring(L, -2),
                                  .has_origin = !lua_isnil(L, -1),
                                  .origin_us = (int64_t)(lua_tonumber(L, -1) * 1e6)};
    if (orr_read_outages(luaL_checkstring(L, 1), &reading, &list, &a, &err) != ORR_OK) {
        spec_fail(L, &err);
        lua_pushinteger(L, f.bytes);
        return 4;
    }
    lua_newtable(L);
    for (int64_t i = 0; i < list.count; i++) {
        const orr_outage *o = &list.outages[i];
        const double values[] = {o->time, o->repaired, o->first, o->count, list.kinds[i]};
        lua_newtable(L);
        for (int k = 0; k < 5; k++) {
            lua_pushnumber(L, values[k]);
            lua_rawseti(L, -2, k + 1);
        }
        lua_rawseti(L, -2, i + 1);
    }
    orr_release(&a, list.outages, (size_t)list.count * sizeof *list.outages);
    orr_release(&a, list.kinds, (size_t)list.count * sizeof *list.kinds);
    lua_pushinteger(L, list.left_out);
    lua_pushinteger(L, f.bytes);
    lua_pushinteger(L, f.calls);
    return 4;
}

int luaopen_native_faults(lua_State *L)
{
    static const luaL_Reg functions[] = {{"expected", expected},
                                         {"checkpoint_cost", checkpoint_cost},
                                         {"redistribution", redistribution},
                                         {"source", source_new},
                                         {"gap_at", gap_at},
                                         {"read", read_file},
                                         {"read_outages", read_outages},
                                         {NULL, NULL}};
    static const luaL_Reg methods[] = {{"reset", source_reset},
                                       {"peek", source_peek},
                                       {"take", source_take},
                                       {"copy", source_copy},
                                       {"gap", source_gap},
                                       {"grow", source_grow},
                                       {"keep", source_keep},
                                       {"allocations", source_allocations},
                                       {"destroy", source_destroy},
                                       {"__gc", source_destroy},
                                       {NULL, NULL}};
    luaL_newmetatable(L, SOURCE);
    luaL_setfuncs(L, methods, 0);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "__index");
    luaL_newlib(L, functions);
    return 1;
}
