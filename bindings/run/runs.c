/* Hosts of many runs in many threads, and the report of a failed run: for jobs, tasks and packs. */
#include "bindings/run/runs.h"
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"
#include "bindings/host/kept.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#define RUNS "orrery.runs"

/* --- policies ------------------------------------------------------------------------------- */

static orr_status load(orr_runs *runs, orr_error *err)
{
    lua_State *L = runs->L;
    lua_Integer count = (lua_Integer)lua_rawlen(L, 3);
    if (count < 1 || count > ORR_MAX_POLICIES)
        return orr_fail(err, ORR_ERR_ARGUMENT, "expected 1 to %d policies, found %d",
                        ORR_MAX_POLICIES, (int)count);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, 3, i + 1);
        lua_getfield(L, -1, "text");
        runs->text[i] = lua_tolstring(L, -1, &runs->text_size[i]);
        lua_pop(L, 1);
        runs->hosts[i] = orr_lua_take_ready(L, lua_gettop(L));
        runs->is_ready[i] = runs->hosts[i] != NULL;
        if (!runs->hosts[i])
            runs->hosts[i] = orr_lua_make_host(L, lua_gettop(L), &runs->limits, err);
        lua_pop(L, 1);
        if (!runs->hosts[i])
            return err->status;
        runs->policies = i + 1;
    }
    return ORR_OK;
}

static void close(orr_runs *runs)
{
    for (int32_t i = 0; i < runs->policies; i++) {
        if (runs->is_ready[i])
            orr_lua_release_ready(runs->hosts[i]);
        else
            orr_host_destroy(runs->hosts[i]);
    }
    runs->policies = 0;
}

static int runs_gc(lua_State *L)
{
    close(luaL_checkudata(L, 1, RUNS));
    return 0;
}

/* Whether all policies that run while a simulation does can run in several threads. */
static bool are_portable(const orr_runs *runs)
{
    for (int32_t i = 0; i < runs->policies; i++)
        if (runs->hosts[i]->asks_lua && !runs->text[i])
            return false;
    return true;
}

/* A policy's host for a thread, entered; NULL on errors. One that asks no Lua is thread 0's. */
static orr_host *get_host(const orr_runs *runs, int thread, int32_t policy, orr_error *err)
{
    orr_host *host = runs->hosts[policy];
    if (!host->asks_lua)
        return host;
    if (thread > 0)
        host = orr_host_create(runs->text[policy], runs->text_size[policy], &runs->limits, err);
    if (host) {
        orr_host_enter(host);
        host->in_runs = true;
    }
    return host;
}

static orr_status get_policy(void *user, int thread, int32_t i, void *out, orr_error *err)
{
    const orr_host *host = get_host(user, thread, i, err);
    if (!host)
        return err->status;
    if (host->for_tasks) {
        *(orr_malleable_policy *)out = host->tasks;
        return ORR_OK;
    }
    orr_rigid_policy *policy = out;
    *policy = host->jobs.policy;
    if (!host->asks_lua && policy->per == ORR_PER_WORKLOAD)
        policy->priority = NULL; /* its priorities are known, and the kernel does the rest */
    return ORR_OK;
}

/* Reports the error of the first thread and policy, whichever failed first in time. */
static void check_kept(orr_runs *runs, int thread, int32_t policy, const orr_host *host)
{
    orr_error err;
    if (orr_host_check_kept(host, &err) == ORR_OK)
        return;
    pthread_mutex_lock(&runs->lock);
    if (runs->kept_by == 0 || thread + 1 < runs->kept_by) {
        err.place = (orr_place){.known = true, .policy = policy, .now = NAN};
        runs->kept = err;
        runs->kept_by = thread + 1;
    }
    pthread_mutex_unlock(&runs->lock);
}

static void put_policy(void *user, int thread, int32_t i, void *given)
{
    const orr_host *first = ((orr_runs *)user)->hosts[i];
    orr_host *host = first->for_tasks ? ((orr_malleable_policy *)given)->user
                                      : ((orr_rigid_policy *)given)->user;
    if (!first->asks_lua)
        return;
    check_kept(user, thread, i, host);
    host->in_runs = false;
    host->unplain[0] = '\0';
    orr_host_leave(host);
    if (thread > 0)
        orr_host_destroy(host);
}

/* --- progress ------------------------------------------------------------------------------- */

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void report(void *user, int64_t done, int64_t total)
{
    orr_runs *runs = user;
    lua_State *L = runs->L;
    double now = seconds_now();
    if (!runs->progress || (now - runs->last_report < 0.1 && done < total))
        return;
    runs->last_report = now;
    lua_pushvalue(L, runs->progress);
    lua_pushinteger(L, done);
    lua_pushinteger(L, total);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK) {
        const char *problem = lua_tostring(L, -1);
        snprintf(runs->problem, sizeof runs->problem, "%s", problem ? problem : "an error");
        lua_pop(L, 1);
        runs->progress = 0; /* a failing progress display must not end the run */
    }
}

/* --- what a failed run tells ----------------------------------------------------------------- */

static void on_broken_invariant(void *user, const orr_trap_report *report)
{
    (void)user, (void)report; /* the error that follows says it all */
}

orr_trap orr_runs_trap(void)
{
    return (orr_trap){on_broken_invariant, NULL};
}

int orr_runs_fail(lua_State *L, const orr_error *err)
{
    const orr_place *place = &err->place;
    if (!place->known || err->status == ORR_ERR_CANCELLED)
        return orr_lua_raise(L, err);
    orr_lua_note_error(L, err);
    lua_pushnil(L);
    lua_pushstring(L, err->message);
    lua_createtable(L, 0, 6);
    if (place->policy >= 0)
        orr_lua_set_integer(L, "policy", place->policy + 1);
    orr_lua_set_integer(L, "seed", (lua_Integer)place->seed);
    orr_lua_set_integer(L, "set", (lua_Integer)place->set);
    if (place->scenario > 0)
        orr_lua_set_integer(L, "scenario", place->scenario);
    orr_lua_set_known(L, "time", place->now);
    lua_pushboolean(L, err->status == ORR_ERR_INTERNAL);
    lua_setfield(L, -2, "bug");
    return 3;
}

/* --- runs ----------------------------------------------------------------------------------- */

orr_runs *orr_lua_new_runs(lua_State *L)
{
    orr_runs *runs = orr_lua_new_value(L, RUNS, sizeof *runs, 0);
    runs->L = L;
    pthread_mutex_init(&runs->lock, NULL);
    runs->limits = orr_lua_limits_option(L, 2);
    runs->progress = lua_isnil(L, 4) ? 0 : 4;
    orr_error err;
    orr_lua_try(L, load(runs, &err), &err);
    int threads = (int)orr_lua_integer_option(L, 2, "threads", 1, 1, 4096);
    runs->common = (orr_montecarlo){
        .policies = runs->policies,
        .source = {get_policy, put_policy, runs},
        .seed = (uint64_t)orr_lua_integer_option(L, 2, "seed", 1, INT64_MIN, INT64_MAX),
        .first = orr_lua_integer_option(L, 2, "first", 0, 0, INT64_MAX / 2),
        .threads = are_portable(runs) ? threads : 1,
        .check = orr_lua_flag_option(L, 2, "check"),
        .cancel = &orr_interrupted,
        .progress = report,
        .progress_user = runs,
        .trap = orr_runs_trap()};
    return runs;
}

void orr_runs_show_prints(orr_runs *runs, int32_t sets)
{
    if (runs->policies == 1)
        runs->hosts[0]->prints = sets == 1 && runs->common.scenarios == 1;
}

void orr_lua_check_results(lua_State *L, int64_t scenarios, const char *what, double bytes)
{
    if (bytes > 1e12)
        luaL_error(L, "runs: the results of %I %s need %f GB", (LUAI_UACINT)scenarios, what,
                   (LUAI_UACNUMBER)(bytes / 1e9));
}

int orr_lua_finish_runs(lua_State *L, orr_runs *runs, orr_status status, const orr_error *err)
{
    close(runs);
    if (status != ORR_OK)
        return orr_runs_fail(L, err);
    if (runs->kept_by > 0)
        return orr_runs_fail(L, &runs->kept);
    if (!runs->problem[0])
        return 1;
    lua_pushstring(L, runs->problem);
    return 2;
}

void orr_lua_open_runs(lua_State *L)
{
    static const orr_lua_class class = {.name = RUNS, .gc = runs_gc};
    orr_lua_new_class(L, &class);
}
