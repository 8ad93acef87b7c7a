/* Hosts of many runs in many threads, and what a failed run tells: for jobs, tasks and packs. */
#include "bindings/run/runs.h"
#include "bindings/host/host.h"
#include "bindings/support/fields.h"
#include "bindings/support/raise.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

orr_status orr_runs_load(orr_runs *runs, lua_State *L, int index, orr_error *err)
{
    runs->L = L;
    lua_Integer count = (lua_Integer)lua_rawlen(L, index);
    if (count < 1 || count > ORR_MAX_POLICIES)
        return orr_fail(err, ORR_ERR_ARGUMENT, "expected 1 to %d policies, found %d",
                        ORR_MAX_POLICIES, (int)count);
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, index, i + 1);
        lua_getfield(L, -1, "text");
        runs->text[i] = lua_tolstring(L, -1, &runs->text_size[i]);
        lua_pop(L, 1);
        runs->hosts[i] = orr_lua_make_host(L, lua_gettop(L), &runs->limits, err);
        lua_pop(L, 1);
        if (!runs->hosts[i])
            return err->status;
        runs->policies = i + 1;
    }
    return ORR_OK;
}

void orr_runs_free(orr_runs *runs)
{
    for (int32_t i = 0; i < runs->policies; i++)
        orr_host_destroy(runs->hosts[i]);
    runs->policies = 0;
}

bool orr_runs_are_portable(const orr_runs *runs)
{
    for (int32_t i = 0; i < runs->policies; i++)
        if (runs->hosts[i]->asks_lua && !runs->text[i])
            return false;
    return true;
}

orr_host *orr_runs_get(orr_runs *runs, int thread, int32_t policy, orr_error *err)
{
    orr_host *host = runs->hosts[policy];
    if (!host->asks_lua)
        return host;
    if (thread > 0)
        host = orr_host_create(runs->text[policy], runs->text_size[policy], &runs->limits, err);
    if (!host || orr_host_enter(host, err) == ORR_OK)
        return host;
    if (thread > 0)
        orr_host_destroy(host);
    return NULL;
}

void orr_runs_put(orr_runs *runs, int thread, int32_t policy, orr_host *host)
{
    if (!runs->hosts[policy]->asks_lua)
        return;
    orr_host_leave(host);
    if (thread > 0)
        orr_host_destroy(host);
}

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
    lua_pushnil(L);
    lua_pushstring(L, err->message);
    lua_createtable(L, 0, 6);
    if (place->policy >= 0)
        orr_lua_set_integer(L, "policy", place->policy + 1);
    orr_lua_set_integer(L, "seed", (lua_Integer)place->seed);
    orr_lua_set_integer(L, "set", (lua_Integer)place->set);
    orr_lua_set_integer(L, "scenario", place->scenario);
    if (!isnan(place->now)) {
        lua_pushnumber(L, place->now);
        lua_setfield(L, -2, "time");
    }
    lua_pushboolean(L, err->status == ORR_ERR_INTERNAL);
    lua_setfield(L, -2, "bug");
    return 3;
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void orr_runs_report(void *user, int64_t done, int64_t total)
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
        runs->progress = 0; /* a display that fails is no reason to lose the run */
    }
}
