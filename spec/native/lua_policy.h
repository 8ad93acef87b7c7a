/* A policy whose functions are Lua functions of a spec, for native_events. */
#pragma once

#include "world.h"

#include "rigid/interface/actions.h"
#include "rigid/interface/engine.h"

#include <stdio.h>

enum { MOST_GROUPS = 8 };

struct runner;

typedef struct group_user {
    struct runner *runner;
    int32_t group;
} group_user;

/* What simulations and their copies share; the first uservalue is the table of the spec. */
typedef struct runner {
    lua_State *L;
    int spec; /* registry */
    world *world;
    orr_rigid_policy policy, own[MOST_GROUPS];
    orr_rigid_group groups[MOST_GROUPS];
    char names[MOST_GROUPS][24];
    group_user users[MOST_GROUPS];
    orr_outage *outages;
    orr_rigid_node_failures failures;
    orr_window *windows;
    int64_t window_count;
    spec_memory memory;
    int64_t peak;
} runner;

typedef struct handle {
    orr_rigid *sim;
    runner *r;
} handle;

/* --- calls of the policy -----------------------------------------------------------------------
 */

/* Handles are found under the address of their simulation, in a table that does not keep them;
 * while a simulation is changed, that of the successor, whose address nobody knows yet, under
 * CHANGING. */
#define LIVE "native_events.live"
#define CHANGING "native_events.changing"

static void push_handle(lua_State *L, const orr_rigid *sim)
{
    lua_getfield(L, LUA_REGISTRYINDEX, LIVE);
    lua_rawgetp(L, -1, sim);
    lua_remove(L, -2);
    handle *h = lua_touserdata(L, -1);
    if (h && h->sim == sim)
        return;
    lua_pop(L, 1);
    lua_getfield(L, LUA_REGISTRYINDEX, CHANGING);
    h = lua_touserdata(L, -1);
    h->sim = (orr_rigid *)(uintptr_t)sim;
}

static orr_status call(lua_State *L, int arguments, int results, orr_error *err)
{
    if (lua_pcall(L, arguments, results, 0) == LUA_OK)
        return ORR_OK;
    orr_status status = orr_fail(err, ORR_ERR_POLICY, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
    return status;
}

/* The function `name` of the spec, or of its group. */
static void push_function(const runner *r, int32_t group, const char *name)
{
    lua_State *L = r->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, r->spec);
    if (group >= 0) {
        lua_getfield(L, -1, "groups");
        lua_rawgeti(L, -1, group + 1);
        lua_replace(L, -3);
        lua_pop(L, 1);
    }
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

static orr_status hook(const runner *r, orr_rigid *sim, const char *name, int32_t number,
                       orr_error *err)
{
    push_function(r, -1, name);
    push_handle(r->L, sim);
    if (number >= 0)
        lua_pushinteger(r->L, number + 1);
    return call(r->L, number >= 0 ? 2 : 1, 0, err);
}

static orr_status on_submit(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    return hook(user, sim, "on_submit", job, err);
}

static orr_status on_start(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    return hook(user, sim, "on_start", job, err);
}

static const char *const outcomes[] = {"running",   "completed", "failed",      "killed",
                                       "preempted", "cancelled", "node_failure"};

static orr_status on_end(void *user, orr_rigid *sim, int32_t job, orr_outcome outcome,
                         orr_error *err)
{
    const runner *r = user;
    push_function(r, -1, "on_end");
    push_handle(r->L, sim);
    lua_pushinteger(r->L, job + 1);
    lua_pushstring(r->L, outcomes[outcome]);
    return call(r->L, 3, 0, err);
}

static orr_status on_idle(void *user, orr_rigid *sim, int32_t group, orr_error *err)
{
    return hook(user, sim, "on_idle", group, err);
}

static orr_status on_timer(void *user, orr_rigid *sim, orr_error *err)
{
    return hook(user, sim, "on_timer", -1, err);
}

/* on_warning(sim, first, count, at): processors from 0. */
static orr_status on_warning(void *user, orr_rigid *sim, const orr_warning *warning, orr_error *err)
{
    const runner *r = user;
    push_function(r, -1, "on_warning");
    push_handle(r->L, sim);
    lua_pushinteger(r->L, warning->first);
    lua_pushinteger(r->L, warning->count);
    lua_pushnumber(r->L, warning->at);
    return call(r->L, 4, 0, err);
}

static orr_status estimate(void *user, orr_rigid *sim, int32_t job, double *seconds, orr_error *err)
{
    const runner *r = user;
    push_function(r, -1, "estimate");
    push_handle(r->L, sim);
    lua_pushinteger(r->L, job + 1);
    orr_status status = call(r->L, 2, 1, err);
    if (status != ORR_OK)
        return status;
    *seconds = lua_tonumber(r->L, -1);
    lua_pop(r->L, 1);
    return ORR_OK;
}

static orr_status dispatch(void *user, orr_rigid *sim, orr_error *err)
{
    const group_user *u = user;
    push_function(u->runner, u->group, "dispatch");
    push_handle(u->runner->L, sim);
    return call(u->runner->L, 1, 0, err);
}

static orr_status ask(const group_user *u, const orr_rigid_priority_view *view, const char *name,
                      int32_t job, double *value, orr_error *err)
{
    lua_State *L = u->runner->L;
    push_function(u->runner, u->group, name);
    lua_pushinteger(L, job + 1);
    if (view->sim)
        push_handle(L, view->sim);
    orr_status status = call(L, view->sim ? 2 : 1, 2, err);
    if (status != ORR_OK)
        return status;
    *value = lua_tonumber(L, -2);
    if (view->until && !lua_isnil(L, -1))
        *view->until = lua_tonumber(L, -1);
    lua_pop(L, 2);
    return ORR_OK;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the interface's
static orr_status priority(void *user, const orr_rigid_priority_view *view, int32_t job,
                           double *value, orr_error *err)
{
    return ask(user, view, "priority", job, value, err);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the interface's
static orr_status backfill(void *user, const orr_rigid_priority_view *view, int32_t job,
                           double *value, orr_error *err)
{
    return ask(user, view, "backfill", job, value, err);
}

/* choose(position, { low, high, low, high, ... }): the same, or nothing. */
// NOLINTNEXTLINE(readability-non-const-parameter): the interface's
static orr_status choose(void *user, const orr_rigid_choice *choice, int32_t job,
                         orr_interval *runs, int32_t *count, orr_error *err)
{
    const group_user *u = user;
    lua_State *L = u->runner->L;
    push_function(u->runner, u->group, "choose");
    lua_pushinteger(L, job + 1);
    lua_createtable(L, 2 * choice->free_count, 0);
    for (int32_t i = 0; i < choice->free_count; i++) {
        lua_pushinteger(L, choice->free[i].low);
        lua_rawseti(L, -2, 2 * i + 1);
        lua_pushinteger(L, choice->free[i].high);
        lua_rawseti(L, -2, 2 * i + 2);
    }
    orr_status status = call(L, 2, 1, err);
    if (status != ORR_OK)
        return status;
    *count = lua_istable(L, -1) ? (int32_t)lua_rawlen(L, -1) / 2 : 0;
    for (int32_t i = 0; i < *count && i < choice->most; i++) {
        lua_rawgeti(L, -1, 2 * i + 1);
        lua_rawgeti(L, -2, 2 * i + 2);
        runs[i] = (orr_interval){(int32_t)lua_tointeger(L, -2), (int32_t)lua_tointeger(L, -1)};
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return ORR_OK;
}

static bool has(lua_State *L, int table, const char *name)
{
    bool is = lua_getfield(L, table, name) != LUA_TNIL;
    lua_pop(L, 1);
    return is;
}

static double optional(lua_State *L, int table, const char *name, double otherwise)
{
    lua_getfield(L, table, name);
    double value = luaL_optnumber(L, -1, otherwise);
    lua_pop(L, 1);
    return value;
}

static int choice(lua_State *L, int table, const char *name, const char *const *names, int most)
{
    lua_getfield(L, table, name);
    const char *text = luaL_optstring(L, -1, names[0]);
    int i = 0;
    while (i < most - 1 && strcmp(names[i], text) != 0)
        i++;
    lua_pop(L, 1);
    return i;
}

static void fill_group(lua_State *L, runner *r, int32_t i, int at)
{
    static const char *const pers[] = {"workload", "scenario", "attempt", "decision", "change"};
    static const char *const disciplines[] = {"list", "fcfs", "shelf", "custom", "conservative"};
    orr_rigid_policy *p = &r->own[i];
    r->users[i] = (group_user){r, i};
    void *user = &r->users[i];
    *p = (orr_rigid_policy){.size = sizeof(orr_rigid_policy),
                            .name = "spec",
                            .user = user,
                            .priority_user = user,
                            .backfill_user = user};
    p->per = (orr_rigid_per)choice(L, at, "per", pers, 5);
    p->backfill_per = (orr_rigid_per)choice(L, at, "backfill_per", pers, 5);
    p->discipline = (orr_rigid_discipline)choice(L, at, "discipline", disciplines, 5);
    double m = optional(L, at, "reservations", 0);
    p->reservations = m < 1e9 ? (int32_t)m : ORR_RESERVE_ALL;
    lua_getfield(L, at, "reading");
    p->reading = lua_isnil(L, -1) ? ORR_READING_BLOCKED : ORR_READING_HEAD;
    lua_getfield(L, at, "fill");
    p->fill = lua_toboolean(L, -1);
    lua_pop(L, 2);
    static const char *const places[] = {"any",   "named",  "contiguous",
                                         "nodes", "chosen", "reliable"};
    p->place = (orr_placing)choice(L, at, "place", places, 6);
    p->node_procs = (int32_t)optional(L, at, "node_procs", 0);
    p->choose = choose;
    p->choose_user = user;
    p->priority = has(L, at, "priority") ? priority : NULL;
    p->backfill = has(L, at, "backfill") ? backfill : NULL;
    p->dispatch = dispatch;
    snprintf(r->names[i], sizeof r->names[i], "group%d", (int)i + 1);
    r->groups[i] = (orr_rigid_group){r->names[i], spec_int(L, at, "procs"), p};
}

/* One group without `several` = true is the policy itself. */
static void fill_policy(lua_State *L, runner *r)
{
    lua_getfield(L, 1, "groups");
    int32_t count = (int32_t)lua_rawlen(L, -1);
    luaL_argcheck(L, count >= 1 && count <= MOST_GROUPS, 1, "one to eight groups");
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, i + 1);
        fill_group(L, r, i, lua_gettop(L));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    r->policy = r->own[0];
    if (count > 1 || has(L, 1, "several")) {
        r->policy.groups = r->groups;
        r->policy.group_count = count;
        r->policy.user = r;
    } else if (has(L, 1, "on_submit") || has(L, 1, "on_start") || has(L, 1, "on_end") ||
               has(L, 1, "on_idle") || has(L, 1, "on_timer") || has(L, 1, "on_warning") ||
               has(L, 1, "estimate")) {
        r->groups[0].policy = &r->own[0];
        r->policy.groups = r->groups;
        r->policy.group_count = 1;
        r->policy.user = r;
    }
    r->policy.on_submit = has(L, 1, "on_submit") ? on_submit : NULL;
    r->policy.on_start = has(L, 1, "on_start") ? on_start : NULL;
    r->policy.on_end = has(L, 1, "on_end") ? on_end : NULL;
    r->policy.on_idle = has(L, 1, "on_idle") ? on_idle : NULL;
    r->policy.on_timer = has(L, 1, "on_timer") ? on_timer : NULL;
    r->policy.on_warning = has(L, 1, "on_warning") ? on_warning : NULL;
    r->policy.estimate = has(L, 1, "estimate") ? estimate : NULL;
}
