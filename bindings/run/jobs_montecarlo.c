/* Monte Carlo runs of rigid jobs: core.montecarlo. */
#include "bindings/host/host.h"
#include "bindings/host/limits.h"
#include "bindings/run/jobs.h"
#include "bindings/run/runs.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/failures.h"
#include "bindings/values/metrics.h"
#include "bindings/values/values.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#define MONTECARLO "orrery.montecarlo"

static const double MOST_BYTES = 1e12; /* of results; more is a slip of the pen */

/* A set of jobs, and what its simulations share. */
typedef struct one_set {
    orr_run_options options;
    orr_lua_metrics *metrics; /* kept alive on the stack; has the first policy's instance */
    orr_instance *others;     /* per policy: an instance of its own, or all zero */
    const orr_instance **instances;
    double **priorities;
    orr_silent_errors errors;
} one_set;

typedef struct montecarlo {
    orr_runs runs;
    int32_t procs[ORR_MAX_POLICIES]; /* a machine of its own; 0: that of the options */
    int32_t count;
    one_set *sets;
    orr_rigid_set *kernel;
    bool check;
} montecarlo;

static void free_set(one_set *set, int32_t policies)
{
    for (int32_t i = 0; i < policies; i++) {
        if (set->priorities)
            free(set->priorities[i]);
        if (set->others)
            orr_instance_destroy(&set->others[i]);
    }
    orr_silent_errors_destroy(&set->errors);
    free(set->priorities);
    free(set->instances);
    free(set->others);
}

static int montecarlo_gc(lua_State *L)
{
    montecarlo *mc = lua_touserdata(L, 1);
    for (int32_t s = 0; mc->sets && s < mc->count; s++)
        free_set(&mc->sets[s], mc->runs.policies);
    free(mc->sets);
    free(mc->kernel);
    mc->sets = NULL;
    mc->kernel = NULL;
    mc->count = 0;
    orr_runs_free(&mc->runs);
    return 0;
}

/* --- policies ------------------------------------------------------------------------------- */

static orr_status get_policy(void *user, int thread, int32_t i, void *out, orr_error *err)
{
    montecarlo *mc = user;
    orr_host *host = orr_runs_get(&mc->runs, thread, i, err);
    if (!host)
        return err->status;
    orr_rigid_policy *policy = out;
    *policy = host->jobs.policy;
    if (!host->asks_lua) /* its priorities are known, and the kernel does the rest */
        policy->priority = NULL;
    return ORR_OK;
}

static void put_policy(void *user, int thread, int32_t i, void *given)
{
    montecarlo *mc = user;
    orr_runs_put(&mc->runs, thread, i, ((orr_rigid_policy *)given)->user);
}

static orr_status ask_priorities(montecarlo *mc, one_set *set, int32_t i, orr_error *err)
{
    orr_host *host = mc->runs.hosts[i];
    size_t bytes = ((size_t)set->instances[i]->count + 1) * sizeof(double);
    if (host->jobs.policy.per != ORR_PER_WORKLOAD || !host->jobs.policy.priority)
        return ORR_OK;
    set->priorities[i] = malloc(bytes);
    if (!set->priorities[i])
        return orr_fail_memory(err, bytes);
    orr_status status = orr_host_enter(host, err);
    if (status != ORR_OK)
        return status;
    status = orr_rigid_priorities(&host->jobs.policy, set->instances[i], set->options.seed,
                                  set->options.set, set->priorities[i], err);
    orr_host_leave(host);
    return status;
}

/* The field `procs` of the policies at index: a machine of their own. */
static void read_procs(lua_State *L, montecarlo *mc, int index)
{
    for (int32_t i = 0; i < mc->runs.policies; i++) {
        lua_rawgeti(L, index, i + 1);
        mc->procs[i] =
            (int32_t)orr_lua_integer_option(L, lua_gettop(L), "procs", 0, 1, INT32_MAX - 1);
        lua_pop(L, 1);
    }
}

/* --- sets ----------------------------------------------------------------------------------- */

/* The instance of a policy: the set's first where the machine is the same. */
static orr_status need_instance(montecarlo *mc, one_set *set, const orr_jobs *jobs, int32_t i,
                                orr_error *err)
{
    orr_instance_options o = set->options.instance;
    if (mc->procs[i] > 0)
        o.procs = mc->procs[i];
    orr_instance *in = i == 0 ? &set->metrics->instance : &set->others[i];
    set->instances[i] = i == 0 ? in : &set->metrics->instance;
    if (i > 0 && o.procs == set->metrics->instance.procs)
        return ORR_OK;
    set->instances[i] = in;
    return orr_instance_create(in, jobs, &o, NULL, err);
}

static orr_status fill_set(montecarlo *mc, one_set *set, const orr_jobs *jobs, orr_error *err)
{
    size_t policies = (size_t)mc->runs.policies;
    orr_status status = ORR_OK;
    set->others = calloc(policies, sizeof *set->others);
    set->instances = calloc(policies, sizeof *set->instances);
    set->priorities = calloc(policies, sizeof *set->priorities);
    if (!set->others || !set->instances || !set->priorities)
        return orr_fail_memory(err, policies * sizeof *set->others);
    for (int32_t i = 0; status == ORR_OK && i < mc->runs.policies; i++)
        status = need_instance(mc, set, jobs, i, err);
    for (int32_t i = 0; status == ORR_OK && i < mc->runs.policies; i++)
        status = ask_priorities(mc, set, i, err);
    if (status == ORR_OK && set->options.lambda > 0)
        status = orr_silent_errors_create(&set->errors, set->instances[0], set->options.lambda,
                                          set->options.max_attempts, NULL, err);
    return status;
}

static orr_rigid_set kernel_set(const one_set *set, const orr_lua_failures *given)
{
    const orr_lua_metrics *m = set->metrics;
    return (orr_rigid_set){.instances = set->instances,
                           .priorities = (const double *const *)set->priorities,
                           .number = set->options.set,
                           .errors = set->options.lambda > 0 && !given ? &set->errors : NULL,
                           .failures = given ? given->counts : NULL,
                           .results = m->values,
                           .quantiles = m->quantiles,
                           .kept = m->kept};
}

/* Reads set s of the list at 1, { jobs =, options =[, failures =] }, and leaves its metrics on the
 * stack. */
static void read_set(lua_State *L, montecarlo *mc, int32_t s, int64_t *runs)
{
    one_set *set = &mc->sets[s];
    orr_error err;
    lua_rawgeti(L, 1, s + 1);
    int table = lua_gettop(L);
    lua_getfield(L, table, "jobs");
    lua_getfield(L, table, "options");
    lua_getfield(L, table, "failures");
    const orr_jobs *jobs = orr_lua_check_jobs(L, table + 1);
    const orr_lua_failures *given = orr_lua_test_failures(L, table + 3, jobs);
    set->options = orr_lua_run_options(L, table + 2, jobs);
    bool quantiles = orr_lua_flag_option(L, table + 2, "quantiles");
    *runs = given ? given->rows : set->options.runs;
    if (*runs < 1)
        luaL_error(L, "failures: expected at least one scenario, found none");
    double bytes = (double)mc->runs.policies * (double)*runs * sizeof(orr_metrics);
    if (bytes > MOST_BYTES)
        luaL_error(L, "runs: the results of %I scenarios need %f GB", (LUAI_UACINT)*runs,
                   (LUAI_UACNUMBER)(bytes / 1e9));
    bool keep = orr_lua_flag_option(L, table + 2, "keep") && *runs == 1;
    set->metrics = orr_lua_new_metrics(L, table + 1);
    orr_status status = fill_set(mc, set, jobs, &err);
    if (status == ORR_OK &&
        !orr_lua_size_metrics(set->metrics, mc->runs.policies, *runs, quantiles, keep))
        status = orr_fail(&err, ORR_ERR_MEMORY, "not enough memory");
    if (status != ORR_OK)
        orr_lua_raise(L, &err);
    mc->kernel[s] = kernel_set(set, given);
    lua_replace(L, table);
    lua_settop(L, table);
}

/* --- runs ----------------------------------------------------------------------------------- */

static montecarlo *new_montecarlo(lua_State *L)
{
    montecarlo *mc = lua_newuserdatauv(L, sizeof *mc, 0);
    memset(mc, 0, sizeof *mc);
    luaL_setmetatable(L, MONTECARLO);
    mc->runs.progress = lua_isnil(L, 4) ? 0 : 4;
    mc->runs.limits = orr_lua_limits_option(L, 2);
    mc->check = orr_lua_flag_option(L, 2, "check");
    size_t sets = lua_rawlen(L, 1);
    luaL_argcheck(L, sets >= 1 && sets < INT32_MAX, 1, "at least one set of jobs");
    mc->sets = calloc(sets, sizeof *mc->sets);
    mc->kernel = calloc(sets, sizeof *mc->kernel);
    if (!mc->sets || !mc->kernel)
        luaL_error(L, "not enough memory");
    mc->count = (int32_t)sets;
    return mc;
}

static orr_status run_all(montecarlo *mc, int64_t runs, orr_error *err)
{
    const orr_run_options *o = &mc->sets[0].options;
    orr_rigid_montecarlo run = {
        .size = sizeof(orr_rigid_montecarlo),
        .common = {.source = {get_policy, put_policy, mc},
                   .policies = mc->runs.policies,
                   .seed = o->seed,
                   .scenarios = runs,
                   .threads = orr_runs_are_portable(&mc->runs) ? o->threads : 1,
                   .check = mc->check,
                   .cancel = &orr_interrupted,
                   .progress = orr_runs_report,
                   .progress_user = &mc->runs,
                   .trap = orr_runs_trap()},
        .sets = mc->count,
        .set = mc->kernel,
        .node_failures = o->node_failures,
        .plain = o->plain};
    return orr_rigid_montecarlo_run(&run, err);
}

/* core.montecarlo(sets, options, policies[, progress]): the list of the sets' metrics, and why
 * progress failed if it did; or what orr_runs_fail pushes. All sets have as many runs. */
static int run_montecarlo(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_settop(L, 4);
    montecarlo *mc = new_montecarlo(L);
    orr_error err = {0};
    if (orr_runs_load(&mc->runs, L, 3, &err) != ORR_OK)
        return orr_lua_raise(L, &err);
    read_procs(L, mc, 3);
    lua_createtable(L, mc->count, 0);
    int list = lua_gettop(L);
    int64_t runs = 1;
    for (int32_t s = 0; s < mc->count; s++) {
        read_set(L, mc, s, &runs);
        lua_rawseti(L, list, s + 1);
    }
    orr_status status = run_all(mc, runs, &err);
    lua_pushcfunction(L, montecarlo_gc);
    lua_pushvalue(L, list - 1);
    lua_call(L, 1, 0);
    if (status != ORR_OK)
        return orr_runs_fail(L, &err);
    if (!mc->runs.problem[0])
        return 1;
    lua_pushstring(L, mc->runs.problem);
    return 2;
}

void orr_lua_open_montecarlo(lua_State *L)
{
    luaL_newmetatable(L, MONTECARLO);
    lua_pushcfunction(L, montecarlo_gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    lua_pushcfunction(L, run_montecarlo);
    lua_setfield(L, -2, "montecarlo");
}
