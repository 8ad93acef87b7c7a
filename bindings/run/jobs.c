/* What runs of rigid jobs need: options, failure counts, estimates, descriptions of policies. */
#include "bindings/run/jobs.h"
#include "bindings/host/limits.h"
#include "bindings/support/options.h"
#include "bindings/values/failures.h"

#include "workload/reader.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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
    o.node_failures = orr_lua_node_failures_option(L, index);
    o.lambda = error_rate_option(L, index, jobs);
    o.limits = orr_lua_limits_option(L, index);
    return o;
}

void orr_lua_open_jobs_runs(lua_State *L)
{
    luaL_newmetatable(L, "orrery.estimates");
    lua_pop(L, 1);
    lua_pushcfunction(L, make_estimates);
    lua_setfield(L, -2, "estimates");
}
