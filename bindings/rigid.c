/* Monte Carlo runs of rigid jobs: core.montecarlo, core.failures, core.describe. */
#include "rigid.h"
#include "options.h"

#include "workload/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- options ------------------------------------------------------------------------------- */

/* Errors per processor-second, from `rate` or `mean_probability`; 0 where neither is given. */
static double error_rate_option(lua_State *L, int index, const orr_jobs *jobs)
{
    double rate = orr_lua_number_option(L, index, "rate", 0);
    double probability = orr_lua_number_option(L, index, "mean_probability", 0);
    if (!(rate >= 0) || isinf(rate))
        luaL_error(L, "errors.rate must be a finite number of at least 0, it is %f", rate);
    if (!(probability >= 0 && probability < 1))
        luaL_error(L, "errors.mean_probability must be at least 0 and less than 1, it is %f",
                   probability);
    return rate > 0 ? rate : orr_error_rate(jobs, probability);
}

/* core.estimates(list): as an array, for the option `estimates`, which keeps it alive. */
static int make_estimates(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t count = lua_rawlen(L, 1);
    double *estimates = lua_newuserdatauv(L, (count + 1) * sizeof *estimates, 0);
    estimates[0] = (double)count;
    luaL_setmetatable(L, "orrery.estimates");
    for (size_t j = 1; j <= count; j++) {
        lua_rawgeti(L, 1, (lua_Integer)j);
        estimates[j] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    return 1;
}

static const double *estimates_option(lua_State *L, int index, const orr_jobs *jobs)
{
    const double *estimates = NULL;
    if (lua_getfield(L, index, "estimates") != LUA_TNIL) {
        estimates = luaL_checkudata(L, -1, "orrery.estimates");
        if (estimates[0] != jobs->count)
            luaL_error(L, "estimates: expected %d, found %f", (int)jobs->count, estimates[0]);
        estimates++;
    }
    lua_pop(L, 1);
    return estimates;
}

orr_run_options orr_lua_run_options(lua_State *L, int index, const orr_jobs *jobs)
{
    orr_run_options o;
    memset(&o, 0, sizeof o);
    o.instance.procs = (int32_t)orr_lua_integer_option(L, index, "procs", 0, 1, INT32_MAX - 1);
    o.instance.batch = orr_lua_flag_option(L, index, "batch");
    o.instance.log_walltimes = orr_lua_flag_option(L, index, "log_walltimes");
    o.instance.estimates = estimates_option(L, index, jobs);
    o.instance.extend = orr_lua_flag_option(L, index, "extend");
    o.instance.verification = orr_lua_number_option(L, index, "verification", 0);
    o.instance.tau = orr_lua_number_option(L, index, "tau", 0);
    o.instance.warmup = orr_lua_number_option(L, index, "warmup", 0);
    o.instance.cooldown = orr_lua_number_option(L, index, "cooldown", 0);
    o.seed = (uint64_t)orr_lua_integer_option(L, index, "seed", 1, INT64_MIN, INT64_MAX);
    o.set = (uint64_t)orr_lua_integer_option(L, index, "set", 0, 0, INT64_MAX);
    o.runs = orr_lua_integer_option(L, index, "runs", 1, 1, INT64_MAX / 4096);
    o.max_attempts =
        (int32_t)orr_lua_integer_option(L, index, "max_attempts", 1000000, 1, INT32_MAX - 1);
    o.threads = (int)orr_lua_integer_option(L, index, "threads", 1, 1, 4096);
    o.plain = orr_lua_flag_option(L, index, "plain");
    o.lambda = error_rate_option(L, index, jobs);
    o.limits = orr_lua_limits_option(L, index);
    return o;
}

/* --- hosts ---------------------------------------------------------------------------------- */

/* Copies a table of plain values from one state to another. */
// NOLINTNEXTLINE(misc-no-recursion): a description is a few tables deep
static void copy_plain(lua_State *from, int index, lua_State *to)
{
    luaL_checkstack(to, 4, "description");
    luaL_checkstack(from, 4, "description");
    switch (lua_type(from, index)) {
    case LUA_TBOOLEAN:
        lua_pushboolean(to, lua_toboolean(from, index));
        return;
    case LUA_TNUMBER:
        if (lua_isinteger(from, index))
            lua_pushinteger(to, lua_tointeger(from, index));
        else
            lua_pushnumber(to, lua_tonumber(from, index));
        return;
    case LUA_TSTRING:
        lua_pushstring(to, lua_tostring(from, index)); /* text for people */
        return;
    case LUA_TTABLE:
        break;
    default:
        lua_pushnil(to);
        return;
    }
    index = lua_absindex(from, index);
    lua_newtable(to);
    lua_pushnil(from);
    while (lua_next(from, index)) {
        copy_plain(from, -2, to);
        copy_plain(from, -1, to);
        lua_pop(from, 1);
        if (lua_isnil(to, -2))
            lua_pop(to, 2);
        else
            lua_rawset(to, -3);
    }
}

/* core.describe(description[, limits]): what the policy says about itself. */
static int describe(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    orr_error err;
    orr_limits limits = orr_lua_check_limits(L, 2);
    orr_host *host = orr_lua_make_host(L, 1, &limits, &err);
    if (!host)
        return orr_lua_raise(L, &err);
    orr_host_push_description(host);
    copy_plain(host->L, -1, L);
    lua_pop(host->L, 1);
    orr_host_destroy(host);
    return 1;
}

/* --- failure counts ------------------------------------------------------------------------- */

static orr_lua_failures *new_failures(lua_State *L, int32_t columns)
{
    orr_lua_failures *f = lua_newuserdatauv(L, sizeof *f, 0);
    *f = (orr_lua_failures){.columns = columns};
    luaL_setmetatable(L, ORR_LUA_FAILURES);
    return f;
}

const orr_lua_failures *orr_lua_test_failures(lua_State *L, int arg, const orr_jobs *jobs)
{
    const orr_lua_failures *f = luaL_testudata(L, arg, ORR_LUA_FAILURES);
    if (f && f->columns != jobs->count)
        luaL_error(L, "failures: expected %d counts per scenario, one per job, found %d",
                   (int)jobs->count, (int)f->columns);
    return f;
}

static int failures_gc(lua_State *L)
{
    orr_lua_failures *f = luaL_checkudata(L, 1, ORR_LUA_FAILURES);
    orr_allocator a = orr_allocator_or_default(NULL);
    orr_release(&a, f->counts, (size_t)f->rows * (size_t)f->columns * sizeof *f->counts);
    f->counts = NULL;
    return 0;
}

static int failures_len(lua_State *L)
{
    lua_pushinteger(L, ((orr_lua_failures *)luaL_checkudata(L, 1, ORR_LUA_FAILURES))->rows);
    return 1;
}

/* core.read_failures(path, columns) */
static int read_failures(lua_State *L)
{
    orr_error err;
    orr_lua_failures *f = new_failures(L, (int32_t)luaL_checkinteger(L, 2));
    if (orr_read_failures(luaL_checkstring(L, 1), f->columns, &f->counts, &f->rows, NULL, &err) !=
        ORR_OK)
        return orr_lua_raise(L, &err);
    return 1;
}

static int32_t count_at(lua_State *L, int64_t row, int32_t column)
{
    int ok = 0;
    lua_rawgeti(L, -1, column + 1);
    lua_Integer count = lua_tointegerx(L, -1, &ok);
    if (!ok || count < 0 || count >= INT32_MAX)
        luaL_error(L, "failures: scenario %I, job %d: expected a whole number >= 0, found %s",
                   (LUAI_UACINT)(row + 1), (int)column + 1, luaL_tolstring(L, -1, NULL));
    lua_pop(L, 1);
    return (int32_t)count;
}

/* core.failures(rows, columns): from a list of lists. */
static int make_failures(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_Integer rows = (lua_Integer)lua_rawlen(L, 1);
    orr_lua_failures *f = new_failures(L, (int32_t)luaL_checkinteger(L, 2));
    orr_allocator a = orr_allocator_or_default(NULL);
    f->counts = orr_calloc(&a, (size_t)rows * (size_t)f->columns, sizeof *f->counts);
    if (!f->counts)
        return luaL_error(L, "not enough memory");
    f->rows = rows;
    for (lua_Integer r = 0; r < rows; r++) {
        if (lua_rawgeti(L, 1, r + 1) != LUA_TTABLE || lua_rawlen(L, -1) != (lua_Unsigned)f->columns)
            return luaL_error(L, "failures: scenario %I: expected a list of %d counts, one per job",
                              (LUAI_UACINT)(r + 1), (int)f->columns);
        for (int32_t j = 0; j < f->columns; j++)
            f->counts[r * f->columns + j] = count_at(L, r, j);
        lua_pop(L, 1);
    }
    return 1;
}

/* --- metrics -------------------------------------------------------------------------------- */

typedef struct metrics_value {
    int64_t runs;
    int32_t overruns; /* of the jobs */
    int32_t policies;
    orr_metrics values[];
} metrics_value;

#define METRIC(name, type)                                                                         \
    {                                                                                              \
#name, offsetof(orr_metrics, name), type                                                   \
    }
static const struct {
    const char *name;
    size_t offset;
    char type; /* d: double, i: int64_t */
} metric_fields[] = {
    METRIC(makespan, 'd'),      METRIC(lower_bound, 'd'), METRIC(ratio, 'd'),
    METRIC(wait_mean, 'd'),     METRIC(wait_max, 'd'),    METRIC(flow_mean, 'd'),
    METRIC(utilisation, 'd'),   METRIC(starts, 'i'),      METRIC(failures, 'i'),
    METRIC(killed, 'i'),        METRIC(bsld_mean, 'd'),   METRIC(bsld_max, 'd'),
    METRIC(work_lost, 'd'),     METRIC(redirected, 'i'),  METRIC(preempted, 'i'),
    METRIC(node_failures, 'i'),
};
enum { METRICS = sizeof metric_fields / sizeof *metric_fields };

static void push_metric(lua_State *L, const orr_metrics *m, size_t field)
{
    const char *at = (const char *)m + metric_fields[field].offset;
    if (metric_fields[field].type == 'd')
        lua_pushnumber(L, *(const double *)(const void *)at);
    else
        lua_pushinteger(L, *(const int64_t *)(const void *)at);
}

void orr_lua_push_metrics(lua_State *L, const orr_metrics *m)
{
    lua_createtable(L, 0, METRICS);
    for (size_t i = 0; i < METRICS; i++) {
        push_metric(L, m, i);
        lua_setfield(L, -2, metric_fields[i].name);
    }
}

static const orr_metrics *metrics_of(lua_State *L, const metrics_value *m)
{
    lua_Integer policy = luaL_checkinteger(L, 2);
    luaL_argcheck(L, policy >= 1 && policy <= m->policies, 2, "no such policy");
    return m->values + (policy - 1) * m->runs;
}

/* metrics:column(policy, name): the list over the scenarios. */
static int metrics_column(lua_State *L)
{
    const metrics_value *m = luaL_checkudata(L, 1, ORR_LUA_METRICS);
    const orr_metrics *values = metrics_of(L, m);
    const char *name = luaL_checkstring(L, 3);
    for (size_t i = 0; i < METRICS; i++) {
        if (strcmp(name, metric_fields[i].name) != 0)
            continue;
        lua_createtable(L, (int)m->runs, 0);
        for (int64_t s = 0; s < m->runs; s++) {
            push_metric(L, &values[s], i);
            lua_rawseti(L, -2, s + 1);
        }
        return 1;
    }
    return luaL_error(L, "there is no metric '%s'", name);
}

/* metrics:scenario(policy, number): all metrics of one scenario. */
static int metrics_scenario(lua_State *L)
{
    const metrics_value *m = luaL_checkudata(L, 1, ORR_LUA_METRICS);
    const orr_metrics *values = metrics_of(L, m);
    lua_Integer scenario = luaL_checkinteger(L, 3);
    luaL_argcheck(L, scenario >= 1 && scenario <= m->runs, 3, "no such scenario");
    orr_lua_push_metrics(L, &values[scenario - 1]);
    return 1;
}

/* metrics:overruns(): how many jobs ran longer than their estimates. */
static int metrics_overruns(lua_State *L)
{
    lua_pushinteger(L, ((metrics_value *)luaL_checkudata(L, 1, ORR_LUA_METRICS))->overruns);
    return 1;
}

/* --- Monte Carlo ---------------------------------------------------------------------------- */

static const double MOST_BYTES = 1e12; /* of results; more is a slip of the pen */

typedef struct montecarlo {
    orr_runs runs;
    orr_instance instance;
    orr_errors errors;
    double *priorities[ORR_MAX_POLICIES];
} montecarlo;

static int montecarlo_gc(lua_State *L)
{
    montecarlo *mc = lua_touserdata(L, 1);
    for (int32_t i = 0; i < mc->runs.policies; i++)
        free(mc->priorities[i]);
    orr_runs_free(&mc->runs);
    orr_errors_destroy(&mc->errors);
    orr_instance_destroy(&mc->instance);
    return 0;
}

static orr_status get_policy(void *user, int thread, int32_t i, orr_rigid_policy *out,
                             orr_error *err)
{
    montecarlo *mc = user;
    orr_host *host = orr_runs_get(&mc->runs, thread, i, err);
    if (!host)
        return err->status;
    *out = host->policy;
    if (!host->asks_lua) /* its priorities are known, and the kernel does the rest */
        out->priority = NULL;
    return ORR_OK;
}

static void put_policy(void *user, int thread, int32_t i, orr_rigid_policy *given)
{
    montecarlo *mc = user;
    orr_runs_put(&mc->runs, thread, i, given->user);
}

static orr_status ask_priorities(montecarlo *mc, int32_t i, const orr_run_options *o,
                                 orr_error *err)
{
    orr_host *host = mc->runs.hosts[i];
    if (host->policy.per != ORR_PER_WORKLOAD)
        return ORR_OK;
    mc->priorities[i] = malloc(((size_t)mc->instance.count + 1) * sizeof(double));
    if (!mc->priorities[i])
        return orr_fail_memory(err, (size_t)mc->instance.count * sizeof(double));
    orr_status status = orr_host_enter(host, err);
    if (status != ORR_OK)
        return status;
    status = orr_priorities(&host->policy, &mc->instance, o->seed, o->set, mc->priorities[i], err);
    orr_host_leave(host);
    return status;
}

static orr_status load_policies(lua_State *L, montecarlo *mc, const orr_run_options *o,
                                orr_error *err)
{
    orr_status status = orr_runs_load(&mc->runs, L, 3, err);
    for (int32_t i = 0; status == ORR_OK && i < mc->runs.policies; i++)
        status = ask_priorities(mc, i, o, err);
    return status;
}

static orr_status prepare(lua_State *L, montecarlo *mc, const orr_jobs *jobs,
                          const orr_run_options *o, orr_error *err)
{
    mc->runs.limits = o->limits;
    orr_status status = orr_instance_create(&mc->instance, jobs, &o->instance, NULL, err);
    if (status == ORR_OK)
        status = load_policies(L, mc, o, err);
    if (status == ORR_OK && o->lambda > 0)
        status =
            orr_errors_create(&mc->errors, &mc->instance, o->lambda, o->max_attempts, NULL, err);
    return status;
}

/* core.montecarlo(jobs, options, policies[, progress][, failures]): metrics, and why progress
 * failed if it did. */
static int run_montecarlo(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 5);
    const orr_lua_failures *given = orr_lua_test_failures(L, 5, jobs);
    orr_run_options o = orr_lua_run_options(L, 2, jobs);
    int64_t runs = given ? given->rows : o.runs;
    if (runs < 1)
        return luaL_error(L, "failures: expected at least one scenario, found none");
    montecarlo *mc = lua_newuserdatauv(L, sizeof *mc, 0);
    memset(mc, 0, sizeof *mc);
    mc->runs.progress = lua_isnil(L, 4) ? 0 : 4;
    luaL_setmetatable(L, "orrery.montecarlo");
    orr_error err;
    if (prepare(L, mc, jobs, &o, &err) != ORR_OK)
        return orr_lua_raise(L, &err);
    double bytes = (double)mc->runs.policies * (double)runs * sizeof(orr_metrics);
    if (bytes > MOST_BYTES)
        return luaL_error(L, "runs: the results of %I scenarios need %f GB", (LUAI_UACINT)runs,
                          (LUAI_UACNUMBER)(bytes / 1e9));
    metrics_value *m = lua_newuserdatauv(
        L, sizeof *m + (size_t)mc->runs.policies * (size_t)runs * sizeof *m->values, 0);
    m->runs = runs;
    m->policies = mc->runs.policies;
    m->overruns = mc->instance.overruns;
    luaL_setmetatable(L, ORR_LUA_METRICS);
    orr_montecarlo run = {.instance = &mc->instance,
                          .policies = mc->runs.policies,
                          .source = {get_policy, put_policy, mc},
                          .priorities = (const double *const *)mc->priorities,
                          .seed = o.seed,
                          .set = o.set,
                          .runs = runs,
                          .errors = o.lambda > 0 && !given ? &mc->errors : NULL,
                          .failures = given ? given->counts : NULL,
                          .plain = o.plain,
                          .threads = orr_runs_are_portable(&mc->runs) ? o.threads : 1,
                          .cancel = &orr_interrupted,
                          .progress = orr_runs_report,
                          .progress_user = &mc->runs};
    orr_status status = orr_montecarlo_run(&run, m->values, &err);
    lua_pushcfunction(L, montecarlo_gc);
    lua_pushvalue(L, 6);
    lua_call(L, 1, 0);
    if (status != ORR_OK)
        return orr_lua_raise(L, &err);
    if (!mc->runs.problem[0])
        return 1;
    lua_pushstring(L, mc->runs.problem);
    return 2;
}

/* core.known_walltimes(jobs): how many jobs have a walltime. */
static int known_walltimes(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    lua_Integer known = 0;
    for (int32_t j = 0; j < jobs->count; j++)
        known += !isnan(jobs->walltime[j]);
    lua_pushinteger(L, known);
    return 1;
}

static int cores(lua_State *L)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    lua_pushinteger(L, n > 0 ? n : 1);
    return 1;
}

static int is_terminal(lua_State *L)
{
    lua_pushboolean(L, isatty((int)luaL_checkinteger(L, 1)));
    return 1;
}

void orr_lua_open_rigid(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"describe", describe},
        {"read_failures", read_failures},
        {"failures", make_failures},
        {"estimates", make_estimates},
        {"montecarlo", run_montecarlo},
        {"cores", cores},
        {"known_walltimes", known_walltimes},
        {"is_terminal", is_terminal},
        {NULL, NULL},
    };
    static const luaL_Reg metrics_methods[] = {{"column", metrics_column},
                                               {"scenario", metrics_scenario},
                                               {"overruns", metrics_overruns},
                                               {NULL, NULL}};
    luaL_newmetatable(L, ORR_LUA_FAILURES);
    lua_pushcfunction(L, failures_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, failures_len);
    lua_setfield(L, -2, "__len");
    luaL_newmetatable(L, "orrery.estimates");
    lua_pop(L, 1);
    luaL_newmetatable(L, ORR_LUA_METRICS);
    luaL_newlib(L, metrics_methods);
    lua_setfield(L, -2, "__index");
    luaL_newmetatable(L, "orrery.montecarlo");
    lua_pushcfunction(L, montecarlo_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 3);
    luaL_setfuncs(L, functions, 0);
}
