/* Runs of rigid jobs: their options, and core.montecarlo. */
#include "bindings/run/jobs.h"
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"
#include "bindings/host/kept.h"
#include "bindings/support/classes.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/failures.h"
#include "bindings/values/limits.h"
#include "bindings/values/metrics.h"
#include "bindings/values/nodes.h"
#include "bindings/values/tallies.h"
#include "bindings/values/values.h"
#include "bindings/values/windows.h"
#include "workload/utc.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    return rate > 0 ? rate : orr_silent_error_rate(jobs, probability);
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

#define CHECKPOINTS "orrery.checkpoints"

/* Fills an array from the list at `index`. */
static void read_numbers(lua_State *L, int index, double *numbers, size_t count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    luaL_argcheck(L, lua_rawlen(L, index) == count, index, "one number per job");
    for (size_t j = 0; j < count; j++) {
        lua_rawgeti(L, index, (lua_Integer)j + 1);
        numbers[j] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
}

/* In front of the numbers of jobs: how many jobs there are, orr_checkpoints.before, and
 * whether .requeue_killed. */
enum { HEAD = 3 };

/* core.checkpoints(costs, recoveries, periods, { kill =, drain =, window =, requeue_killed = }):
 * lists of one number per job, as arrays, for the option `checkpoints`, which keeps them alive; and
 * what all jobs do. */
static int make_checkpoints(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 4);
    size_t count = lua_rawlen(L, 1);
    double *numbers = lua_newuserdatauv(L, (3 * count + HEAD) * sizeof *numbers, 0);
    numbers[0] = (double)count;
    numbers[1] = 0;
    if (orr_lua_flag_option(L, 4, "kill"))
        numbers[1] += ORR_BEFORE_KILL;
    if (orr_lua_flag_option(L, 4, "drain"))
        numbers[1] += ORR_BEFORE_DRAIN;
    if (orr_lua_flag_option(L, 4, "window"))
        numbers[1] += ORR_BEFORE_WINDOW;
    numbers[2] = orr_lua_flag_option(L, 4, "requeue_killed");
    luaL_setmetatable(L, CHECKPOINTS);
    for (int i = 0; i < 3; i++)
        read_numbers(L, i + 1, numbers + HEAD + (size_t)i * count, count);
    return 1;
}

static void set_number(lua_State *L, int index, int32_t job, double value)
{
    if (isnan(value))
        return;
    lua_pushnumber(L, value);
    lua_rawseti(L, index, job + 1);
}

/* core.logged_checkpoints(jobs): what the log says that jobs pay for a checkpoint, and for a
 * recovery, by position; nothing where it says nothing. */
static int find_logged(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    if (jobs->paying == 0)
        return 0;
    lua_settop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    for (int32_t j = 0; j < jobs->count; j++) {
        orr_job_pays pays = orr_jobs_pays(jobs, j);
        set_number(L, 2, j, pays.checkpoint);
        set_number(L, 3, j, pays.recovery);
    }
    return 2;
}

orr_checkpoints orr_lua_checkpoints_option(lua_State *L, int index, int32_t jobs)
{
    orr_checkpoints c = {0};
    if (lua_getfield(L, index, "checkpoints") != LUA_TNIL) {
        const double *numbers = luaL_checkudata(L, -1, CHECKPOINTS);
        if (numbers[0] != jobs)
            luaL_error(L, "checkpoints: expected %d, found %f", (int)jobs, numbers[0]);
        c = (orr_checkpoints){.cost = numbers + HEAD,
                              .recovery = numbers + HEAD + jobs,
                              .period = numbers + HEAD + 2 * (size_t)jobs,
                              .before = (unsigned)numbers[1],
                              .requeue_killed = numbers[2] > 0};
    }
    lua_pop(L, 1);
    return c;
}

/* core.period(rule, mtbf, node_procs, procs, cost): of a job, s of work. */
static int find_period(lua_State *L)
{
    static const char *const rules[] = {"young", "daly", NULL};
    int daly = luaL_checkoption(L, 1, NULL, rules);
    double mtbf = orr_job_mtbf(luaL_checknumber(L, 2), (int32_t)luaL_checkinteger(L, 3),
                               (int32_t)luaL_checkinteger(L, 4));
    double cost = luaL_checknumber(L, 5);
    lua_pushnumber(L, daly ? orr_daly_period(mtbf, cost) : orr_young_period(mtbf, cost));
    return 1;
}

/* Where second 0 of the clock lies. */
static void origin_option(lua_State *L, int index, const orr_jobs *jobs, orr_instance_options *o)
{
    orr_error err;
    if (lua_getfield(L, index, "origin") != LUA_TNIL) {
        if (orr_lua_origin(jobs, luaL_checkstring(L, -1), &o->origin_us, &err) != ORR_OK)
            luaL_error(L, "%s", err.message);
        o->has_origin = true;
    }
    lua_pop(L, 1);
}

static orr_instant instant_option(lua_State *L, int index)
{
    static const char *const names[] = {
        [ORR_INSTANT_BATCHED] = "batched",
        [ORR_INSTANT_ENDS_FIRST] = "ends-first",
        [ORR_INSTANT_SUBMISSIONS_FIRST] = "submissions-first",
        [ORR_INSTANT_PYSS] = "pyss",
        NULL,
    };
    return (orr_instant)orr_lua_choice_option(L, index, "instant", ORR_INSTANT_BATCHED, names);
}

orr_run_options orr_lua_run_options(lua_State *L, int index, const orr_jobs *jobs)
{
    orr_run_options o;
    memset(&o, 0, sizeof o);
    o.instance.size = sizeof o.instance;
    o.instance.procs = (int32_t)orr_lua_integer_option(L, index, "procs", 0, 1, INT32_MAX - 1);
    o.instance.batch = orr_lua_flag_option(L, index, "batch");
    o.instance.log_walltimes = orr_lua_flag_option(L, index, "log_walltimes");
    o.instance.estimates = estimates_option(L, index, jobs);
    o.instance.extend = orr_lua_flag_option(L, index, "extend");
    o.instance.cap = orr_lua_flag_option(L, index, "cap");
    o.instance.grace = orr_lua_number_option(L, index, "grace", 0);
    o.instance.clairvoyant = orr_lua_flag_option(L, index, "clairvoyant");
    o.instance.dependencies = orr_lua_flag_option(L, index, "dependencies");
    o.instance.checkpoints = orr_lua_checkpoints_option(L, index, jobs->count);
    o.instance.pools = orr_lua_pools_option(L, index, &o.instance.pool_count);
    o.instance.verification = orr_lua_number_option(L, index, "verification", 0);
    o.instance.tau = orr_lua_number_option(L, index, "tau", 0);
    o.instance.warmup = orr_lua_number_option(L, index, "warmup", 0);
    o.instance.cooldown = orr_lua_number_option(L, index, "cooldown", 0);
    origin_option(L, index, jobs, &o.instance);
    o.instance.limits = orr_lua_limit_option(L, index, &o.instance.limit_count);
    o.instance.nodes = orr_lua_nodes_option(L, index);
    o.seed = (uint64_t)orr_lua_integer_option(L, index, "seed", 1, INT64_MIN, INT64_MAX);
    o.set = (uint64_t)orr_lua_integer_option(L, index, "set", 0, 0, INT64_MAX);
    o.runs = orr_lua_integer_option(L, index, "runs", 1, 1, INT64_MAX / 4096);
    o.max_attempts =
        (int32_t)orr_lua_integer_option(L, index, "max_attempts", 1000000, 1, INT32_MAX - 1);
    o.plain = orr_lua_flag_option(L, index, "plain");
    o.instant = instant_option(L, index);
    o.live = orr_lua_flag_option(L, index, "live");
    o.node_failures = orr_lua_node_failures_option(L, index);
    o.windows = orr_lua_windows_option(L, index, "windows", &o.window_count);
    o.instance.closings = orr_lua_closings_option(L, index, &o.instance.closing_count);
    o.lambda = error_rate_option(L, index, jobs);
    o.instance.silent_error_rate = o.lambda;
    o.limits = orr_lua_limits_option(L, index);
    return o;
}

/* core.starting(jobs, options): the jobs that ever start where a job may come after one that must
 * end well and is killed, and the number of the others. */
static int find_starting(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    orr_run_options o = orr_lua_run_options(L, 2, jobs);
    orr_instance in;
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L);
    orr_status status = orr_instance_create(&in, jobs, &o.instance, NULL, &err);
    int32_t never = status == ORR_OK ? in.never : 0;
    if (never > 0)
        *slot = orr_instance_starting(&in, NULL, &err);
    orr_instance_destroy(&in);
    orr_lua_try(L, status, &err);
    if (never == 0)
        lua_pushvalue(L, 1);
    else
        orr_lua_return_jobs(L, slot, &err);
    lua_pushinteger(L, never);
    return 2;
}

/* --- Monte Carlo: sets ---------------------------------------------------------------------- */

#define MONTECARLO "orrery.montecarlo"

/* A set of jobs, and what its simulations share. */
typedef struct one_set {
    orr_run_options options;
    orr_lua_metrics *metrics; /* kept alive on the stack; has the first policy's instance */
    orr_lua_tallies *tallies; /* NULL: the values are kept */
    orr_instance *others;     /* per policy: an instance of its own, or all zero */
    const orr_instance **instances;
    const double **priorities;
    orr_silent_errors errors;
    orr_sink sink;  /* of the schedule that is written as it comes, */
    orr_rows *rows; /* and the policy of that; NULL: none is */
} one_set;

/* Its arrays are in the list at KEPT, its user value 1. */
typedef struct montecarlo {
    orr_runs *runs;
    int32_t *procs;    /* per policy: a machine of its own; 0: that of the options */
    bool *clairvoyant; /* per policy: it knows what jobs take */
    int32_t policies, count;
    one_set *sets;
    orr_rigid_set *kernel;
    int64_t block; /* the most scenarios at a time; 0: all, whose values are kept */
} montecarlo;

enum { SETS = 1, OPTIONS, POLICIES, PROGRESS, RUNS, KEPT, RESULTS = KEPT + 2 };

static int montecarlo_gc(lua_State *L)
{
    montecarlo *mc = lua_touserdata(L, 1);
    for (int32_t s = 0; s < mc->count; s++) {
        for (int32_t i = 0; mc->sets[s].others && i < mc->policies; i++)
            orr_instance_destroy(&mc->sets[s].others[i]);
        orr_silent_errors_destroy(&mc->sets[s].errors);
    }
    mc->count = 0;
    return 0;
}

/* An array of zeros that is kept. */
static void *array(lua_State *L, size_t count, size_t size)
{
    void *items = lua_newuserdatauv(L, count * size + 1, 0);
    memset(items, 0, count * size);
    lua_rawseti(L, KEPT, (lua_Integer)lua_rawlen(L, KEPT) + 1);
    return items;
}

static void ask_priorities(lua_State *L, const montecarlo *mc, one_set *set, int32_t i)
{
    orr_host *host = mc->runs->hosts[i];
    const orr_rigid_policy *policy = &host->jobs.policy;
    if (!set->options.plain) {
        orr_host_enter(host);
        orr_host_find_formulas(host, set->instances[i]->count);
        orr_host_leave(host);
    }
    if (policy->per != ORR_PER_WORKLOAD || !policy->priority)
        return;
    orr_error err;
    double *priorities = array(L, (size_t)set->instances[i]->count + 1, sizeof *priorities);
    orr_host_enter(host);
    orr_status status = orr_rigid_priorities(policy, set->instances[i], set->options.seed,
                                             set->options.set, priorities, &err);
    if (status == ORR_OK) /* the next set is asked about in the same Lua state */
        status = orr_host_check_kept(host, &err);
    orr_host_leave(host);
    orr_lua_try(L, status, &err);
    set->priorities[i] = priorities;
}

/* The instance of a policy: the set's first where the machine is the same. */
static void need_instance(lua_State *L, const montecarlo *mc, one_set *set, const orr_jobs *jobs,
                          int32_t i)
{
    orr_instance_options o = set->options.instance;
    orr_instance *first = &set->metrics->instance, *in = i == 0 ? first : &set->others[i];
    orr_error err;
    if (mc->procs[i] > 0)
        o.procs = mc->procs[i];
    o.clairvoyant = mc->clairvoyant[i];
    o.shares = !set->options.plain; /* Lua holds the jobs as long as the metrics */
    if (i > 0 && o.procs == first->procs && o.clairvoyant == first->clairvoyant)
        in = first;
    else
        orr_lua_try(L, orr_instance_create(in, jobs, &o, NULL, &err), &err);
    set->instances[i] = in;
}

static void fill_set(lua_State *L, const montecarlo *mc, one_set *set, const orr_jobs *jobs)
{
    size_t policies = (uint32_t)mc->policies;
    set->others = array(L, policies, sizeof *set->others);
    set->instances = array(L, policies, sizeof *set->instances);
    set->priorities = array(L, policies, sizeof *set->priorities);
    for (int32_t i = 0; i < mc->policies; i++)
        need_instance(L, mc, set, jobs, i);
    for (int32_t i = 0; i < mc->policies; i++)
        ask_priorities(L, mc, set, i);
    orr_error err;
    if (set->options.lambda > 0)
        orr_lua_try(L,
                    orr_silent_errors_create(&set->errors, set->instances[0], set->options.lambda,
                                             set->options.max_attempts, NULL, &err),
                    &err);
}

static orr_rigid_set kernel_set(const one_set *set, const orr_lua_failures *given)
{
    const orr_lua_metrics *m = set->metrics;
    return (orr_rigid_set){.instances = set->instances,
                           .priorities = set->priorities,
                           .number = set->options.set,
                           .windows = set->options.windows,
                           .window_count = set->options.window_count,
                           .errors = set->options.lambda > 0 && !given ? &set->errors : NULL,
                           .failures = given ? given->counts : NULL,
                           .results = m->values,
                           .quantiles = m->quantiles,
                           .shares = m->shares,
                           .kept = m->kept,
                           .schedules = m->schedules,
                           .rows = set->rows,
                           .columns = m->columns,
                           .column_count = m->column_count};
}

/* Where summaries are kept: about so many simulations at a time, so that the memory does not depend
 * on the numbers of scenarios, policies and sets. */
enum { AT_A_TIME = 1 << 15, FEWEST_AT_A_TIME = 64 };

static int64_t block_of(const montecarlo *mc)
{
    int64_t block = AT_A_TIME / mc->policies / mc->count;
    return block < FEWEST_AT_A_TIME ? FEWEST_AT_A_TIME : block;
}

/* Leaves no file of a run that has failed. */
static void abandon_schedule(montecarlo *mc)
{
    orr_output_abandon(mc->sets[0].metrics->output);
    mc->sets[0].metrics->output = NULL;
}

/* Writes the only schedule while it is made, where no others are to be written behind it. */
static void follow_schedule(lua_State *L, montecarlo *mc, const char *path)
{
    one_set *set = &mc->sets[0];
    orr_lua_metrics *m = set->metrics;
    if (mc->policies > 1 || orr_output_is_swf(path) || !orr_export_follows(&m->instance) ||
        !(m->output = orr_output_open(path)))
        return;
    set->sink = orr_output_sink(m->output);
    set->rows = array(L, 1, sizeof *set->rows);
    *set->rows = (orr_rows){&set->sink, mc->runs->hosts[0]->name};
}

/* Keeps the schedules of policies that are to be written to `path`, where one instance tells all
 * that is written of them: a job that comes after another one has its submission from the
 * simulation. */
static void keep_schedules(lua_State *L, montecarlo *mc, orr_lua_metrics *m, const char *path)
{
    for (int32_t i = 0; i < mc->policies; i++)
        if (mc->count > 1 || m->instance.links || mc->sets[0].instances[i] != &m->instance)
            return;
    follow_schedule(L, mc, path);
    if (m->output)
        return;
    size_t policies = (uint32_t)mc->policies;
    m->names = calloc(policies, sizeof *m->names);
    m->schedules = calloc(policies, sizeof *m->schedules);
    if (!m->names || !m->schedules)
        luaL_error(L, "not enough memory");
    for (size_t i = 0; i < policies; i++)
        memcpy(m->names[i], mc->runs->hosts[i]->name, sizeof m->names[i]);
}

/* Makes room for the results of a set. */
static void size_results(lua_State *L, montecarlo *mc, orr_lua_metrics *m, int table)
{
    int64_t runs = mc->runs->common.scenarios, room = runs;
    bool quantiles = orr_lua_flag_option(L, table, "quantiles");
    bool keep = orr_lua_flag_option(L, table, "keep") && runs == 1;
    lua_getfield(L, table, "record");
    const char *record = runs == 1 ? lua_tostring(L, -1) : NULL; /* the table has it, too */
    lua_pop(L, 1);
    bool fine = mc->block == 0 || orr_lua_take_all_columns(m);
    if (mc->block > 0 && mc->block < runs)
        room = mc->block;
    orr_lua_check_results(L, room, "scenarios",
                          (double)mc->policies * (double)room * (double)orr_lua_metrics_size(m));
    if (!fine || !orr_lua_size_metrics(m, mc->policies, room, quantiles, keep))
        luaL_error(L, "not enough memory");
    if (record)
        keep_schedules(L, mc, m, record);
    m->runs = runs;
    orr_share shares[ORR_MOST_SHARES];
    m->share_count = mc->block == 0 ? orr_shares(&m->instance, shares) : 0;
    size_t all = (size_t)mc->policies * (size_t)runs * (size_t)m->share_count;
    if (all > 0 && !(m->shares = calloc(all, sizeof *m->shares)))
        luaL_error(L, "not enough memory");
}

/* Takes in the results of a block. */
static orr_status fold(void *user, int64_t count, orr_error *err)
{
    montecarlo *mc = user;
    orr_status status = ORR_OK;
    for (int32_t s = 0; s < mc->count && status == ORR_OK; s++)
        status = orr_lua_fold(mc->sets[s].tallies, count, err);
    return status;
}

/* Reads set s of the list at 1, { jobs =, options =[, failures =] }, and leaves its metrics on the
 * stack. */
static void read_set(lua_State *L, montecarlo *mc, int32_t s)
{
    one_set *set = &mc->sets[s];
    lua_rawgeti(L, SETS, s + 1);
    int table = lua_gettop(L);
    lua_getfield(L, table, "jobs");
    lua_getfield(L, table, "options");
    lua_getfield(L, table, "failures");
    const orr_jobs *jobs = orr_lua_check_jobs(L, table + 1);
    const orr_lua_failures *given = orr_lua_test_failures(L, table + 3, jobs);
    set->options = orr_lua_run_options(L, table + 2, jobs);
    int64_t runs = mc->runs->common.scenarios = given ? given->rows : set->options.runs;
    if (runs < 1)
        luaL_error(L, "failures: expected at least one scenario, found none");
    set->metrics = orr_lua_new_metrics(L, table + 1);
    lua_getfield(L, table + 2, "metrics");
    orr_lua_take_columns(L, lua_gettop(L), set->metrics);
    lua_pop(L, 1);
    if (!orr_lua_flag_option(L, OPTIONS, "silent"))
        orr_runs_show_prints(mc->runs, mc->count);
    fill_set(L, mc, set, jobs);
    size_results(L, mc, set->metrics, table + 2);
    if (mc->block > 0)
        set->tallies = orr_lua_new_tallies(L, set->metrics);
    memcpy(set->metrics->clairvoyant, mc->clairvoyant, (size_t)mc->policies * sizeof(bool));
    mc->kernel[s] = kernel_set(set, given);
    lua_replace(L, table);
    lua_settop(L, table);
}

/* --- Monte Carlo: runs ---------------------------------------------------------------------- */

static montecarlo *new_montecarlo(lua_State *L)
{
    size_t sets = lua_rawlen(L, SETS);
    luaL_argcheck(L, sets >= 1 && sets < INT32_MAX, SETS, "at least one set of jobs");
    orr_runs *runs = orr_lua_new_runs(L);
    lua_newtable(L);
    montecarlo *mc = orr_lua_new_value(L, MONTECARLO, sizeof *mc, 1);
    lua_pushvalue(L, KEPT);
    lua_setiuservalue(L, -2, 1);
    mc->runs = runs;
    mc->policies = runs->policies;
    mc->procs = array(L, (size_t)runs->policies, sizeof *mc->procs);
    mc->clairvoyant = array(L, (size_t)runs->policies, sizeof *mc->clairvoyant);
    mc->sets = array(L, sets, sizeof *mc->sets);
    mc->kernel = array(L, sets, sizeof *mc->kernel);
    mc->count = (int32_t)sets;
    mc->block = orr_lua_flag_option(L, OPTIONS, "summaries") ? block_of(mc) : 0;
    for (int32_t i = 0; i < mc->policies; i++) {
        lua_rawgeti(L, POLICIES, i + 1);
        mc->procs[i] =
            (int32_t)orr_lua_integer_option(L, lua_gettop(L), "procs", 0, 1, INT32_MAX - 1);
        mc->clairvoyant[i] = orr_lua_flag_option(L, lua_gettop(L), "clairvoyant");
        lua_pop(L, 1);
    }
    return mc;
}

/* core.montecarlo(sets, options, policies[, progress]): the list of the sets' metrics, and why
 * progress failed if it did; or what orr_runs_fail pushes. All sets have as many runs. */
static int run_montecarlo(lua_State *L)
{
    for (int i = SETS; i <= POLICIES; i++)
        luaL_checktype(L, i, LUA_TTABLE);
    lua_settop(L, PROGRESS);
    montecarlo *mc = new_montecarlo(L);
    lua_createtable(L, mc->count, 0);
    for (int32_t s = 0; s < mc->count; s++) {
        read_set(L, mc, s);
        lua_rawseti(L, RESULTS, s + 1);
    }
    orr_rigid_montecarlo run = {.size = sizeof(orr_rigid_montecarlo),
                                .common = mc->runs->common,
                                .sets = mc->count,
                                .set = mc->kernel,
                                .node_failures = mc->sets[0].options.node_failures,
                                .plain = mc->sets[0].options.plain,
                                .instant = mc->sets[0].options.instant,
                                .block = mc->block,
                                .after_block = fold,
                                .block_user = mc};
    orr_error err = {0};
    orr_status status = orr_rigid_montecarlo_run(&run, &err);
    if (status != ORR_OK)
        abandon_schedule(mc);
    lua_pushcfunction(L, montecarlo_gc); /* now, and not when Lua collects it */
    lua_pushvalue(L, RESULTS - 1);
    lua_call(L, 1, 0);
    return orr_lua_finish_runs(L, mc->runs, status, &err);
}

void orr_lua_open_jobs_runs(lua_State *L)
{
    static const luaL_Reg functions[] = {{"montecarlo", run_montecarlo},
                                         {"estimates", make_estimates},
                                         {"checkpoints", make_checkpoints},
                                         {"period", find_period},
                                         {"logged_checkpoints", find_logged},
                                         {"starting", find_starting},
                                         {NULL, NULL}};
    static const orr_lua_class classes[] = {{.name = MONTECARLO, .gc = montecarlo_gc},
                                            {.name = "orrery.estimates"},
                                            {.name = CHECKPOINTS}};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        orr_lua_new_class(L, &classes[i]);
    luaL_setfuncs(L, functions, 0);
}
