/* Runs of malleable tasks: core.malleable_run, and fault logs. */
#include "bindings/run/tasks.h"
#include "bindings/host/host.h"
#include "bindings/run/runs.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- fault logs ----------------------------------------------------------------------------- */

static orr_lua_faults *new_faults(lua_State *L)
{
    return orr_lua_new_value(L, ORR_LUA_FAULTS, sizeof(orr_lua_faults), 0);
}

const orr_lua_faults *orr_lua_test_faults(lua_State *L, int arg)
{
    return luaL_testudata(L, arg, ORR_LUA_FAULTS);
}

static int faults_gc(lua_State *L)
{
    orr_lua_faults *f = luaL_checkudata(L, 1, ORR_LUA_FAULTS);
    orr_allocator a = orr_allocator_or_default(NULL);
    orr_release(&a, f->log, (size_t)f->count * sizeof *f->log);
    *f = (orr_lua_faults){0};
    return 0;
}

static int faults_len(lua_State *L)
{
    lua_pushinteger(L, ((orr_lua_faults *)luaL_checkudata(L, 1, ORR_LUA_FAULTS))->count);
    return 1;
}

static int read_faults(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    const orr_tasks *tasks = orr_lua_check_tasks(L, 2);
    lua_Integer procs = luaL_checkinteger(L, 3);
    orr_lua_faults *f = new_faults(L);
    orr_error err;
    orr_lua_try(L, orr_read_faults(path, tasks, (int32_t)procs, &f->log, &f->count, NULL, &err),
                &err);
    return 1;
}

/* The task named by the value on top: an id, or a position. */
static int32_t task_named(lua_State *L, const orr_tasks *tasks, lua_Integer row)
{
    int is_position = 0;
    lua_Integer position = lua_tointegerx(L, -1, &is_position);
    int32_t task = -1;
    if (lua_type(L, -1) == LUA_TSTRING)
        task = orr_tasks_find(tasks, lua_tostring(L, -1));
    else if (is_position && position >= 1 && position <= tasks->count)
        task = (int32_t)position - 1;
    if (task < 0)
        luaL_error(L, "fault %I: there is no task '%s'", (LUAI_UACINT)row, orr_lua_push_key(L, -1));
    return task;
}

static int32_t processor_named(lua_State *L, int32_t procs, lua_Integer row)
{
    int ok = 0;
    lua_Integer processor = lua_tointegerx(L, -1, &ok);
    if (!ok || processor < 0 || processor >= procs)
        luaL_error(L, "fault %I: expected a processor from 0 to %d, found %s", (LUAI_UACINT)row,
                   (int)procs - 1, orr_lua_push_key(L, -1));
    return (int32_t)processor;
}

/* One row of a list, which is on top; `before` is the time of the row before. */
static orr_fault fault_at(lua_State *L, const orr_tasks *tasks, int32_t procs, lua_Integer row,
                          double before)
{
    orr_fault fault = {.processor = -1, .task = -1};
    if (!lua_istable(L, -1))
        luaL_error(L, "fault %I: expected { time =, task = } or { time =, processor = }, found %s",
                   (LUAI_UACINT)row, luaL_typename(L, -1));
    lua_getfield(L, -1, "time");
    fault.time = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || !(fault.time >= 0 && fault.time < INFINITY))
        luaL_error(L, "fault %I: time must be a finite number of seconds >= 0, it is %s",
                   (LUAI_UACINT)row, orr_lua_push_key(L, -1));
    if (fault.time < before)
        luaL_error(L, "fault %I: faults stand in order of time, and %f comes after %f",
                   (LUAI_UACINT)row, (LUAI_UACNUMBER)fault.time, (LUAI_UACNUMBER)before);
    bool has_task = lua_getfield(L, -2, "task") != LUA_TNIL;
    if (has_task)
        fault.task = task_named(L, tasks, row);
    bool has_processor = lua_getfield(L, -3, "processor") != LUA_TNIL;
    if (has_processor)
        fault.processor = processor_named(L, procs, row);
    if (has_task == has_processor)
        luaL_error(L, "fault %I: expected a task or a processor, and not both", (LUAI_UACINT)row);
    lua_pop(L, 3);
    return fault;
}

/* core.fault_list(list, tasks, procs) */
static int make_faults(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    const orr_tasks *tasks = orr_lua_check_tasks(L, 2);
    int32_t procs = (int32_t)luaL_checkinteger(L, 3);
    lua_Integer count = (lua_Integer)lua_rawlen(L, 1);
    orr_lua_faults *f = new_faults(L);
    orr_allocator a = orr_allocator_or_default(NULL);
    f->log = orr_calloc(&a, (size_t)count, sizeof *f->log);
    if (!f->log)
        return luaL_error(L, "not enough memory");
    f->count = count;
    for (lua_Integer i = 0; i < count; i++) {
        lua_rawgeti(L, 1, i + 1);
        f->log[i] = fault_at(L, tasks, procs, i + 1, i > 0 ? f->log[i - 1].time : 0);
        lua_pop(L, 1);
    }
    return 1;
}

/* --- options -------------------------------------------------------------------------------- */

static orr_resilience resilience_options(lua_State *L, int index)
{
    static const char *const periods[] = {"young", "daly", NULL};
    orr_resilience r = orr_resilience_default();
    r.mtbf = orr_lua_number_option(L, index, "mtbf", INFINITY);
    r.downtime = orr_lua_number_option(L, index, "downtime", r.downtime);
    r.checkpoint_unit = orr_lua_number_option(L, index, "checkpoint", r.checkpoint_unit);
    r.checkpoint_fixed = orr_lua_number_option(L, index, "checkpoint_fixed", r.checkpoint_fixed);
    r.startup = orr_lua_number_option(L, index, "startup", r.startup);
    r.latency = orr_lua_number_option(L, index, "latency", r.latency);
    r.bandwidth = orr_lua_number_option(L, index, "bandwidth", r.bandwidth);
    r.rule = (orr_period_rule)orr_lua_choice_option(L, index, "period", ORR_PERIOD_YOUNG, periods);
    orr_error err;
    if (orr_resilience_check(&r, &err) != ORR_OK)
        luaL_error(L, "%s", err.message);
    return r;
}

static orr_faults_setup faults_options(lua_State *L, int index, double mtbf, int32_t procs,
                                       const orr_lua_faults *given)
{
    static const char *const laws[] = {"none", "exponential", "weibull", "lognormal", "log", NULL};
    orr_faults_setup setup = {.procs = procs, .mtbf = mtbf};
    setup.law = (orr_fault_law)orr_lua_choice_option(L, index, "law", ORR_FAULTS_EXPONENTIAL, laws);
    setup.shape = orr_lua_number_option(L, index, "shape", 1);
    if (!(setup.shape > 0 && setup.shape < INFINITY))
        luaL_error(L, "shape must be a finite number > 0, it is %f", (LUAI_UACNUMBER)setup.shape);
    if (given) {
        setup.law = ORR_FAULTS_LOG;
        setup.log = given->log;
        setup.log_count = given->count;
    } else if (setup.law == ORR_FAULTS_LOG) {
        luaL_error(L, "law 'log' needs a log of faults");
    }
    return setup;
}

static orr_synthetic_tasks synthetic_options(lua_State *L, int index)
{
    orr_synthetic_tasks s = orr_synthetic_tasks_default();
    if (lua_getfield(L, index, "synthetic") == LUA_TTABLE) {
        int at = lua_gettop(L);
        s.count = (int32_t)orr_lua_integer_option(L, at, "n", s.count, 1, INT32_MAX / 4);
        s.min_size = orr_lua_number_option(L, at, "min", s.min_size);
        s.max_size = orr_lua_number_option(L, at, "max", s.max_size);
        s.sequential = orr_lua_number_option(L, at, "sequential", s.sequential);
    }
    lua_pop(L, 1);
    return s;
}

orr_tasks_options orr_lua_tasks_options(lua_State *L, int index, const orr_tasks *tasks,
                                        const orr_lua_faults *given)
{
    orr_tasks_options o = {0};
    o.procs = (int32_t)orr_lua_integer_option(L, index, "procs", 0, 1, INT32_MAX - 1);
    o.resilience = resilience_options(L, index);
    o.faults = faults_options(L, index, o.resilience.mtbf, o.procs, given);
    o.seed = (uint64_t)orr_lua_integer_option(L, index, "seed", 1, INT64_MIN, INT64_MAX);
    o.set = (uint64_t)orr_lua_integer_option(L, index, "set", 0, 0, INT64_MAX);
    o.runs = orr_lua_integer_option(L, index, "runs", 1, 1, INT64_MAX / 4096);
    o.max_faults = orr_lua_integer_option(L, index, "max_faults", 0, 0, INT64_MAX);
    o.limits = orr_lua_limits_option(L, index);
    o.synthetic = synthetic_options(L, index);
    if (!tasks) {
        orr_error err; /* what the generator would say in every run, said before any */
        orr_tasks *probe = orr_tasks_create(NULL, &err);
        orr_status status = probe ? ORR_OK : err.status;
        if (probe)
            status = orr_generate_tasks(probe, &o.synthetic, o.seed, o.set, 1, &err);
        orr_tasks_destroy(probe);
        if (status != ORR_OK)
            luaL_error(L, "%s", err.message);
    }
    return o;
}

/* --- metrics -------------------------------------------------------------------------------- */

typedef struct metrics_value {
    int64_t runs;
    int32_t policies, tasks;
    double *ends; /* policies * runs * tasks, behind the values */
    orr_malleable_result values[];
} metrics_value;

static double normalised(const void *record)
{
    const orr_malleable_result *r = record;
    return r->baseline == 0 ? 1 : r->metrics.makespan / r->baseline; /* nan in a session */
}

static double fault_free_ratio(const void *record)
{
    const orr_malleable_result *r = record;
    return r->metrics.makespan / r->fault_free;
}

#define RESULT(name) ORR_LUA_FIELD(orr_malleable_result, name)
#define METRIC(name) ORR_LUA_FIELD_AS(#name, orr_malleable_result, metrics.name)
#define SPENT(name) ORR_LUA_FIELD_AS(#name, orr_malleable_result, metrics.spent.name)
static const orr_lua_field metric_fields[] = {
    METRIC(makespan),      {"normalised", 0, 0, normalised},
    METRIC(expected),      RESULT(baseline),
    RESULT(fault_free),    {"fault_free_ratio", 0, 0, fault_free_ratio},
    METRIC(faults),        METRIC(redistributions),
    METRIC(moves),         METRIC(fatal),
    SPENT(useful),         SPENT(checkpoint),
    SPENT(lost),           SPENT(recovery),
    SPENT(redistribution), SPENT(idle),
    ORR_LUA_LAST_FIELD,
};

void orr_lua_push_tasks_metrics(lua_State *L, const orr_malleable_result *result)
{
    orr_lua_push_record(L, result, metric_fields);
}

static int64_t check_policy(lua_State *L, const metrics_value *m)
{
    lua_Integer policy = luaL_checkinteger(L, 2);
    luaL_argcheck(L, policy >= 1 && policy <= m->policies, 2, "no such policy");
    return (policy - 1) * m->runs;
}

static int64_t check_run(lua_State *L, const metrics_value *m)
{
    lua_Integer run = luaL_checkinteger(L, 3);
    luaL_argcheck(L, run >= 1 && run <= m->runs, 3, "no such run");
    return run - 1;
}

/* metrics:column(policy, name): the list over the runs. */
static int metrics_column(lua_State *L)
{
    const metrics_value *m = luaL_checkudata(L, 1, ORR_LUA_TASKS_METRICS);
    const orr_malleable_result *values = m->values + check_policy(L, m);
    const char *name = luaL_checkstring(L, 3);
    const orr_lua_field *field = orr_lua_find_field(metric_fields, name);
    if (!field)
        return luaL_error(L, "there is no metric '%s'", name);
    orr_lua_push_column(L, values, sizeof *values, m->runs, field);
    return 1;
}

ORR_LUA_GETTER(metrics_has, lua_pushboolean,
               orr_lua_find_field(metric_fields, luaL_tolstring(L, 2, NULL)) != NULL)

static int metrics_scenario(lua_State *L)
{
    const metrics_value *m = luaL_checkudata(L, 1, ORR_LUA_TASKS_METRICS);
    orr_lua_push_tasks_metrics(L, &m->values[check_policy(L, m) + check_run(L, m)]);
    return 1;
}

static int metrics_ends(lua_State *L)
{
    const metrics_value *m = luaL_checkudata(L, 1, ORR_LUA_TASKS_METRICS);
    const double *ends = m->ends + (check_policy(L, m) + check_run(L, m)) * m->tasks;
    orr_lua_push_numbers(L, ends, m->tasks);
    return 1;
}

/* --- Monte Carlo ---------------------------------------------------------------------------- */

static metrics_value *new_metrics(lua_State *L, int32_t policies, int64_t runs, int32_t tasks)
{
    size_t rows = (size_t)policies * (size_t)runs;
    double row = sizeof(orr_malleable_result) + 8 * (double)tasks;
    orr_lua_check_results(L, runs, "runs", (double)policies * (double)runs * row);
    size_t results = rows * sizeof(orr_malleable_result);
    metrics_value *m =
        lua_newuserdatauv(L, sizeof *m + results + rows * (size_t)tasks * sizeof *m->ends, 0);
    *m = (metrics_value){.runs = runs, .policies = policies, .tasks = tasks};
    m->ends = (double *)((char *)m->values + results);
    luaL_setmetatable(L, ORR_LUA_TASKS_METRICS);
    return m;
}

/* core.malleable_run(tasks or nil, options, policies[, progress][, faults]): metrics, and why
 * progress failed if it did; or what orr_runs_fail pushes. */
static int run_malleable(lua_State *L)
{
    lua_settop(L, 5);
    const orr_tasks *tasks = lua_isnil(L, 1) ? NULL : orr_lua_check_tasks(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    orr_tasks_options o = orr_lua_tasks_options(L, 2, tasks, orr_lua_test_faults(L, 5));
    orr_runs *runs = orr_lua_new_runs(L);
    metrics_value *m =
        new_metrics(L, runs->policies, o.runs, tasks ? tasks->count : o.synthetic.count);
    orr_malleable_montecarlo mc = {.size = sizeof(orr_malleable_montecarlo),
                                   .common = runs->common,
                                   .set = o.set,
                                   .tasks = tasks,
                                   .synthetic = &o.synthetic,
                                   .procs = o.procs,
                                   .resilience = o.resilience,
                                   .faults = o.faults,
                                   .max_faults = o.max_faults,
                                   .fault_free = orr_lua_flag_option(L, 2, "fault_free"),
                                   .results = m->values,
                                   .ends = m->ends};
    mc.common.scenarios = o.runs;
    orr_error err = {0};
    orr_status status = orr_malleable_montecarlo_run(&mc, &err);
    return orr_lua_finish_runs(L, runs, status, &err);
}

void orr_lua_open_malleable(lua_State *L)
{
    static const luaL_Reg functions[] = {{"malleable_run", run_malleable},
                                         {"read_faults", read_faults},
                                         {"fault_list", make_faults},
                                         {NULL, NULL}};
    static const luaL_Reg metrics_methods[] = {{"column", metrics_column},
                                               {"has", metrics_has},
                                               {"scenario", metrics_scenario},
                                               {"ends", metrics_ends},
                                               {NULL, NULL}};
    static const orr_lua_class classes[] = {
        {.name = ORR_LUA_FAULTS, .gc = faults_gc, .len = faults_len},
        {.name = ORR_LUA_TASKS_METRICS, .methods = metrics_methods, .what = "metrics"}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        orr_lua_new_class(L, &classes[i]);
    luaL_setfuncs(L, functions, 0);
}
