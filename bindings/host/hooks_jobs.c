/* Policies for rigid jobs: what a host takes from their tables, and their hooks as the functions
 * that the kernel's struct wants. */
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"
#include "bindings/host/views.h"
#include "bindings/support/fields.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

/* --- hooks ---------------------------------------------------------------------------------- */

static int32_t procs_of(orr_rigid *sim, const orr_rigid_view *view, int32_t group)
{
    return group < 0 ? view->instance->procs : orr_rigid_look_group(sim, group).procs;
}

/* A call that takes place in a group (-1: in none). Where there is only one it is that. */
static orr_call call_in(const char *hook, orr_rigid *sim, int32_t job, int32_t group)
{
    orr_rigid_view view = orr_rigid_look(sim);
    if (view.groups == 1)
        group = 0;
    return (orr_call){.hook = hook,
                      .item = job,
                      .sim = sim,
                      .group = group,
                      .procs =
                          view.groups == 1 ? view.instance->procs : procs_of(sim, &view, group),
                      .instance = view.instance,
                      .rng = view.rng};
}

/* What a priority is asked for. */
typedef struct priority_call {
    orr_host *host;
    int function;
    double value;
} priority_call;

static int run_priority(lua_State *L)
{
    priority_call *c = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    orr_host_push_item(L, c->host, c->host->call.item);
    orr_host_push_sim(L, c->host);
    lua_call(L, 2, 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
        return luaL_error(L, "a priority must be a number, this is %s", luaL_typename(L, -1));
    c->value = lua_tonumber(L, -1);
    return 0;
}

static orr_status ask(orr_order *order, int function, const char *hook,
                      const orr_rigid_priority_view *view, int32_t job, double *value,
                      orr_error *err)
{
    priority_call c = {.host = order->host, .function = function};
    orr_call call = {.hook = hook,
                     .item = job,
                     .sim = view->sim,
                     .group = view->group,
                     .procs = view->procs,
                     .instance = view->instance,
                     .rng = view->rng};
    orr_status status = orr_host_run(order->host, call, run_priority, &c, err);
    *value = c.value;
    return status;
}

static orr_status ask_priority(void *user, const orr_rigid_priority_view *view, int32_t job,
                               double *value, orr_error *err)
{
    orr_order *order = user;
    return ask(order, order->priority, "priority", view, job, value, err);
}

static orr_status ask_backfill(void *user, const orr_rigid_priority_view *view, int32_t job,
                               double *value, orr_error *err)
{
    orr_order *order = user;
    return ask(order, order->backfill, "backfill", view, job, value, err);
}

/* A hook that is called with sim, and a job and a text where there are. */
typedef struct event_call {
    orr_host *host;
    int function;
    const char *text;
    bool is_event; /* and so returns nothing */
} event_call;

static int run_event(lua_State *L)
{
    const event_call *c = lua_touserdata(L, 1);
    int arguments = 1;
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    orr_host_push_sim(L, c->host);
    if (c->host->call.item >= 0) {
        orr_host_push_item(L, c->host, c->host->call.item);
        arguments++;
    }
    if (c->text) {
        lua_pushstring(L, c->text);
        arguments++;
    }
    lua_call(L, arguments, 1);
    if (c->is_event && !lua_isnil(L, -1))
        return luaL_error(L,
                          "%s returned %s; it must return nothing: what it wants it does with "
                          "the methods of sim",
                          c->host->call.hook, luaL_tolstring(L, -1, NULL));
    return 0;
}

static orr_status decide(void *user, orr_rigid *sim, orr_error *err)
{
    const orr_order *order = user;
    event_call c = {.host = order->host, .function = order->dispatch};
    orr_call call = call_in("dispatch", sim, -1, orr_rigid_look(sim).group);
    return orr_host_run(order->host, call, run_event, &c, err);
}

static orr_status run(orr_host *host, int event, orr_call call, const char *text, orr_error *err)
{
    event_call c = {
        .host = host, .function = host->jobs.events[event], .text = text, .is_event = true};
    return orr_host_run(host, call, run_event, &c, err);
}

static orr_status call_event(void *user, int event, const char *hook, orr_rigid *sim, int32_t job,
                             const char *text, orr_error *err)
{
    orr_host *host = ((const orr_order *)user)->host;
    orr_call call = call_in(hook, sim, job, orr_rigid_look(sim).group);
    return run(host, event, call, text, err);
}

static orr_status on_submit(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    return call_event(user, ORR_ON_SUBMIT, "on_submit", sim, job, NULL, err);
}

static orr_status on_start(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    return call_event(user, ORR_ON_START, "on_start", sim, job, NULL, err);
}

static const char *outcome_name(orr_outcome outcome)
{
    return outcome == ORR_COMPLETED   ? "completed"
           : outcome == ORR_FAILED    ? "failed"
           : outcome == ORR_KILLED    ? "killed"
           : outcome == ORR_CANCELLED ? "cancelled"
                                      : "node_failure";
}

static orr_status on_end(void *user, orr_rigid *sim, int32_t job, orr_outcome outcome,
                         orr_error *err)
{
    return call_event(user, ORR_ON_END, "on_end", sim, job, outcome_name(outcome), err);
}

static orr_status on_idle(void *user, orr_rigid *sim, int32_t group, orr_error *err)
{
    orr_host *host = ((const orr_order *)user)->host;
    return run(host, ORR_ON_IDLE, call_in("on_idle", sim, -1, group),
               orr_host_group_name(host, group), err);
}

static orr_status on_timer(void *user, orr_rigid *sim, orr_error *err)
{
    orr_host *host = ((const orr_order *)user)->host;
    return run(host, ORR_ON_TIMER, call_in("on_timer", sim, -1, -1), NULL, err);
}

static orr_status make_state(void *user, orr_rigid *sim, void **state, orr_error *err)
{
    orr_host *host = ((const orr_order *)user)->host;
    return orr_host_init_state(host, call_in("init", sim, -1, -1), state, err);
}

static orr_status copy_state(void *user, void *state, void **copy, orr_error *err)
{
    return orr_host_copy_state(((const orr_order *)user)->host, state, copy, err);
}

static void free_state(void *user, void *state)
{
    orr_host_free_state(((const orr_order *)user)->host, state);
}

/* --- taking what a policy says -------------------------------------------------------------- */

static orr_rigid_per per_named(const char *name)
{
    return strcmp(name, "scenario") == 0   ? ORR_PER_SCENARIO
           : strcmp(name, "attempt") == 0  ? ORR_PER_ATTEMPT
           : strcmp(name, "decision") == 0 ? ORR_PER_DECISION
                                           : ORR_PER_WORKLOAD;
}

static void take_discipline(lua_State *L, orr_rigid_policy *policy)
{
    const char *name = orr_lua_take_text(L, "discipline");
    policy->discipline = strcmp(name, "shelf") == 0  ? ORR_DISPATCH_SHELF
                         : strcmp(name, "fcfs") == 0 ? ORR_DISPATCH_FCFS
                         : strcmp(name, "list") == 0 ? ORR_DISPATCH_LIST
                                                     : ORR_DISPATCH_CUSTOM;
    lua_getfield(L, -1, "reservations");
    lua_Number reservations = lua_tonumber(L, -1);
    policy->reservations =
        reservations >= ORR_RESERVE_ALL ? ORR_RESERVE_ALL : (int32_t)reservations;
    lua_pop(L, 1);
    policy->reading = strcmp(orr_lua_take_text(L, "reading"), "head") == 0 ? ORR_READING_HEAD
                                                                           : ORR_READING_BLOCKED;
    lua_getfield(L, -1, "fill");
    policy->fill = lua_toboolean(L, -1);
    lua_pop(L, 1);
}

/* The order and the dispatch that the table on top says. */
static void take_order(orr_host *host, orr_order *order, orr_rigid_policy *policy)
{
    lua_State *L = host->L;
    order->host = host;
    order->priority = orr_lua_take_function(L, "priority");
    order->backfill = orr_lua_take_function(L, "backfill");
    order->dispatch = orr_lua_take_function(L, "dispatch");
    policy->size = sizeof *policy;
    policy->name = host->name;
    policy->user = policy->priority_user = policy->backfill_user = order;
    policy->per = per_named(orr_lua_take_text(L, "per"));
    policy->backfill_per = per_named(orr_lua_take_text(L, "backfill_per"));
    take_discipline(L, policy);
    if (order->priority != LUA_NOREF)
        policy->priority = ask_priority;
    if (order->backfill != LUA_NOREF)
        policy->backfill = ask_backfill;
    if (order->dispatch != LUA_NOREF)
        policy->dispatch = decide;
}

static bool order_asks_lua(const orr_order *order, const orr_rigid_policy *policy)
{
    return order->dispatch != LUA_NOREF || order->backfill != LUA_NOREF ||
           (order->priority != LUA_NOREF && policy->per != ORR_PER_WORKLOAD);
}

/* Raises where there is no memory. */
static void *take_memory(lua_State *L, size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        luaL_error(L, "not enough memory");
    return memory;
}

/* The group that the table on top says. The first one's order is the policy's own. */
static void take_group(orr_host *host, int32_t i)
{
    lua_State *L = host->L;
    orr_host_group *group = &host->jobs.groups[i];
    const char *name = orr_lua_take_text(L, "name");
    group->name = take_memory(L, strlen(name) + 1, 1);
    memcpy(group->name, name, strlen(name) + 1);
    lua_getfield(L, -1, "procs");
    host->jobs.kernel_groups[i] =
        (orr_rigid_group){.name = group->name, .procs = (int32_t)lua_tointeger(L, -1)};
    lua_pop(L, 1);
    if (i == 0)
        return;
    take_order(host, &group->order, &group->policy);
    host->jobs.kernel_groups[i].policy = &group->policy;
    host->asks_lua = host->asks_lua || order_asks_lua(&group->order, &group->policy) ||
                     group->order.priority != LUA_NOREF; /* nobody asks those before the runs */
}

/* `groups` of the table on top. */
static void take_groups(orr_host *host)
{
    lua_State *L = host->L;
    if (lua_getfield(L, -1, "groups") == LUA_TTABLE) {
        int32_t count = (int32_t)lua_rawlen(L, -1);
        host->jobs.groups = take_memory(L, (size_t)count, sizeof *host->jobs.groups);
        host->jobs.group_count = count;
        for (int32_t i = 0; i < count; i++)
            host->jobs.groups[i].order = (orr_order){host, LUA_NOREF, LUA_NOREF, LUA_NOREF};
        host->jobs.kernel_groups = take_memory(L, (size_t)count, sizeof *host->jobs.kernel_groups);
        for (int32_t i = 0; i < count; i++) {
            lua_rawgeti(L, -1, i + 1);
            take_group(host, i);
            lua_pop(L, 1);
        }
        host->jobs.policy.groups = host->jobs.kernel_groups;
        host->jobs.policy.group_count = count;
    }
    lua_pop(L, 1);
}

/* Whether there is any. */
static bool take_events(orr_host *host)
{
    static const char *const names[ORR_EVENT_HOOKS] = {"on_submit", "on_start", "on_end", "on_idle",
                                                       "on_timer"};
    orr_rigid_policy *policy = &host->jobs.policy;
    bool any = false;
    for (int i = 0; i < ORR_EVENT_HOOKS; i++) {
        host->jobs.events[i] = orr_lua_take_function(host->L, names[i]);
        any = any || host->jobs.events[i] != LUA_NOREF;
    }
    policy->on_submit = host->jobs.events[ORR_ON_SUBMIT] != LUA_NOREF ? on_submit : NULL;
    policy->on_start = host->jobs.events[ORR_ON_START] != LUA_NOREF ? on_start : NULL;
    policy->on_end = host->jobs.events[ORR_ON_END] != LUA_NOREF ? on_end : NULL;
    policy->on_idle = host->jobs.events[ORR_ON_IDLE] != LUA_NOREF ? on_idle : NULL;
    policy->on_timer = host->jobs.events[ORR_ON_TIMER] != LUA_NOREF ? on_timer : NULL;
    return any;
}

void orr_host_take_jobs(orr_host *host)
{
    orr_rigid_policy *policy = &host->jobs.policy;
    take_order(host, &host->jobs.order, policy);
    host->asks_lua = order_asks_lua(&host->jobs.order, policy) || host->init != LUA_NOREF;
    take_groups(host);
    if (take_events(host))
        host->asks_lua = true;
    if (!host->asks_lua)
        return;
    policy->make_state = make_state;
    policy->copy_state = copy_state;
    policy->free_state = free_state;
}

static void release_order(lua_State *L, const orr_order *order)
{
    luaL_unref(L, LUA_REGISTRYINDEX, order->priority);
    luaL_unref(L, LUA_REGISTRYINDEX, order->backfill);
    luaL_unref(L, LUA_REGISTRYINDEX, order->dispatch);
}

void orr_host_release_jobs(orr_host *host)
{
    if (!host->own) {
        release_order(host->L, &host->jobs.order);
        for (int i = 0; i < ORR_EVENT_HOOKS; i++)
            luaL_unref(host->L, LUA_REGISTRYINDEX, host->jobs.events[i]);
    }
    for (int32_t i = 0; i < host->jobs.group_count; i++) {
        if (!host->own)
            release_order(host->L, &host->jobs.groups[i].order);
        free(host->jobs.groups[i].name);
    }
    free(host->jobs.groups);
    free(host->jobs.kernel_groups);
}
