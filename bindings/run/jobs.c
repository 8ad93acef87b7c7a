/* What runs of rigid jobs need: options, failure counts, estimates, descriptions of policies. */
#include "bindings/run/jobs.h"
#include "bindings/support/options.h"

#include "workload/reader.h"

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

/* core.log_remarks(jobs): how many jobs have the id of one before them, the first such id, and the
 * columns that were not read, "a, b". */
static int log_remarks(lua_State *L)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    lua_pushinteger(L, jobs->repeated);
    lua_pushstring(L, jobs->repeated_id);
    lua_pushstring(L, jobs->ignored);
    return 3;
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

/* core.window(): columns and rows of the terminal that standard output is, nothing otherwise. */
static int window(lua_State *L)
{
    struct winsize size = {0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return 0;
    lua_pushinteger(L, size.ws_col);
    lua_pushinteger(L, size.ws_row);
    return 2;
}

void orr_lua_open_rigid(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"describe", describe},
        {"read_failures", read_failures},
        {"failures", make_failures},
        {"estimates", make_estimates},
        {"cores", cores},
        {"known_walltimes", known_walltimes},
        {"log_remarks", log_remarks},
        {"is_terminal", is_terminal},
        {"window", window},
        {NULL, NULL},
    };
    luaL_newmetatable(L, ORR_LUA_FAILURES);
    lua_pushcfunction(L, failures_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, failures_len);
    lua_setfield(L, -2, "__len");
    luaL_newmetatable(L, "orrery.estimates");
    lua_pop(L, 2);
    luaL_setfuncs(L, functions, 0);
}
