/* Policies for rigid jobs: what a host takes from their tables, and their hooks as the functions
 * that the kernel's struct wants. */
#include "bindings/host/calls.h"
#include "bindings/host/formulas.h"
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"
#include "bindings/host/views.h"
#include "bindings/support/fields.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <string.h>

/* --- hooks ---------------------------------------------------------------------------------- */

/* A call in the group that is being decided, or of the hook's job. */
static orr_call call_here(orr_rigid *sim, int32_t job)
{
    orr_rigid_hook_view view = orr_rigid_look_hook(sim);
    return (orr_call){.item = job,
                      .sim = sim,
                      .group = view.groups == 1 ? 0 : view.group,
                      .procs = view.groups == 1 ? view.instance->procs : view.procs,
                      .instance = view.instance,
                      .rng = view.rng};
}

/* A call about no job, in a group (-1: in none). Where there is only one group it is that. */
static orr_call call_in(orr_rigid *sim, int32_t group)
{
    orr_call call = call_here(sim, -1);
    if (orr_rigid_look_hook(sim).groups == 1)
        return call;
    call.group = group;
    call.procs = group >= 0 ? orr_rigid_look_group(sim, group).procs : call.instance->procs;
    return call;
}

static orr_status ask(orr_order *order, int function, const char *hook,
                      const orr_rigid_priority_view *view, int32_t job, double *value,
                      orr_error *err)
{
    orr_hook_call c = {.host = order->host,
                       .function = function,
                       .returns = ORR_RETURNS_NUMBER,
                       .until = view->until};
    orr_call call = {.hook = hook,
                     .item = job,
                     .sim = view->sim,
                     .group = view->group,
                     .procs = view->procs,
                     .instance = view->instance,
                     .rng = view->rng};
    orr_status status = orr_host_call_hook(&call, &c, err);
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

/* --- processors or nodes by the policy's own function ----------------------------------------- */

typedef struct chosen {
    const orr_order *order;
    const orr_rigid_choice *choice;
    const orr_rigid_node_choice *nodes; /* in its place, on a machine of nodes */
    int32_t job, *count;
    orr_interval *runs;
    orr_node_share *shares;
} chosen;

static void push_runs(lua_State *L, const orr_interval *runs, int32_t count)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_createtable(L, 2, 0);
        lua_pushinteger(L, runs[i].low);
        lua_rawseti(L, -2, 1);
        lua_pushinteger(L, runs[i].high);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i + 1);
    }
}

/* The whole number that is on top, and off it. */
static int32_t check_whole(lua_State *L, int least, const char *expected)
{
    int is_whole;
    lua_Integer number = lua_tointegerx(L, -1, &is_whole);
    if (!is_whole || number < least || number > INT32_MAX)
        luaL_error(L, "%s; found %s", expected, orr_lua_push_key(L, -1));
    lua_pop(L, 1);
    return (int32_t)number;
}

/* Element i of the table on top, which is a processor. */
static int32_t check_processor(lua_State *L, int i)
{
    lua_geti(L, -1, i);
    return check_whole(L, 0, "a range of processors is { first, last }, two whole numbers");
}

/* Reads the function's result, on top of the stack: nil, or a list of ranges. */
static void take_runs(lua_State *L, const chosen *c)
{
    if (lua_isnil(L, -1))
        return;
    if (!lua_istable(L, -1))
        luaL_error(L, "place must return a list of ranges of processors, or nil; it returned %s",
                   orr_lua_push_key(L, -1));
    lua_Integer count = luaL_len(L, -1);
    if (count < 1 || count > c->choice->most)
        luaL_error(L, "place must return 1 to %d ranges, or nil; it returned %d",
                   (int)c->choice->most, (int)count);
    for (int32_t i = 0; i < (int32_t)count; i++) {
        if (lua_geti(L, -1, i + 1) != LUA_TTABLE)
            luaL_error(L, "place must return a list of ranges { first, last }; one of them is %s",
                       orr_lua_push_key(L, -1));
        int32_t low = check_processor(L, 1);
        c->runs[i] = (orr_interval){low, check_processor(L, 2)};
        lua_pop(L, 1);
    }
    *c->count = (int32_t)count;
}

/* Pushes the nodes that can take something of the job. */
static void push_nodes(lua_State *L, const orr_rigid_node_choice *choice)
{
    const orr_nodes *nodes = choice->instance->nodes;
    lua_Integer count = 0;
    lua_newtable(L);
    for (int32_t k = 0; k < nodes->count; k++) {
        if (choice->takes[k] == 0)
            continue;
        orr_view_push_node_free(L, nodes, k, choice->free + k, (size_t)nodes->count);
        orr_lua_set_integer(L, "takes", choice->takes[k]);
        lua_rawseti(L, -2, ++count);
    }
}

/* Reads the function's result, on top of the stack: nil, or a list. */
static void take_nodes(lua_State *L, const chosen *c)
{
    static const char form[] = "place_nodes must return nil or a list of nodes as it got them, of "
                               "their numbers, or of { number, processors }";
    int list = lua_gettop(L);
    if (lua_isnil(L, list))
        return;
    bool is_list = lua_istable(L, -1);
    lua_Integer count = is_list ? luaL_len(L, -1) : 0;
    if (count < 1 || count > c->nodes->most)
        luaL_error(L, "place_nodes must return a list of 1 to %d nodes, or nil; it returned %s",
                   (int)c->nodes->most,
                   is_list ? lua_pushfstring(L, "a list of %I", (LUAI_UACINT)count)
                           : orr_lua_push_key(L, -1));
    for (int32_t i = 0; i < (int32_t)count; i++) {
        orr_node_share *share = &c->shares[i];
        share->procs = 0;
        if (lua_geti(L, -1, i + 1) == LUA_TTABLE && lua_getfield(L, -1, "number") == LUA_TNIL) {
            lua_geti(L, -2, 2);
            share->procs = check_whole(L, 1, form);
            lua_geti(L, -2, 1);
        }
        share->node = check_whole(L, 1, form) - 1;
        lua_settop(L, list);
    }
    *c->count = (int32_t)count;
}

static int run_choice(lua_State *L)
{
    const chosen *c = lua_touserdata(L, 1);
    if (!orr_view_is_shown(c->order->host))
        orr_view_show(L, c->order->host);
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->nodes ? c->order->choose_nodes : c->order->choose);
    orr_host_push_item(L, c->order->host, c->job);
    if (c->nodes)
        push_nodes(L, c->nodes);
    else
        push_runs(L, c->choice->free, c->choice->free_count);
    lua_call(L, 2, 1);
    if (c->nodes)
        take_nodes(L, c);
    else
        take_runs(L, c);
    return 0;
}

/* They get neither the simulation nor random numbers: `place` is also asked about future times. */
static orr_status choose_by(chosen *c, const orr_instance *in, orr_error *err)
{
    orr_call call = {.hook = c->nodes ? "place_nodes" : "place",
                     .item = c->job,
                     .group = -1,
                     .procs = in->procs,
                     .instance = in};
    *c->count = 0;
    return orr_host_run(c->order->host, &call, run_choice, c, err);
}

/* NOLINTBEGIN(readability-non-const-parameter): the types are the kernel's */
static orr_status choose(void *user, const orr_rigid_choice *choice, int32_t job,
                         orr_interval *runs, int32_t *count, orr_error *err)
{
    chosen c = {.order = user, .choice = choice, .job = job, .count = count, .runs = runs};
    return choose_by(&c, choice->instance, err);
}

static orr_status choose_nodes(void *user, const orr_rigid_node_choice *choice, int32_t job,
                               orr_node_share *shares, int32_t *count, orr_error *err)
{
    chosen c = {.order = user, .nodes = choice, .job = job, .count = count, .shares = shares};
    return choose_by(&c, choice->instance, err);
}
/* NOLINTEND(readability-non-const-parameter) */

/* --- hooks of decisions and events ------------------------------------------------------------ */

static orr_status decide(void *user, orr_rigid *sim, orr_error *err)
{
    orr_host *host = user;
    orr_call call = call_here(sim, -1);
    const orr_order *order =
        call.group > 0 ? &host->jobs.groups[call.group].order : &host->jobs.order;
    orr_hook_call c = {.host = host, .function = order->dispatch};
    call.hook = "dispatch";
    return orr_host_call_hook(&call, &c, err);
}

static orr_status on_submit(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_call call = call_here(sim, job);
    orr_hook_call c = {.host = user};
    return orr_host_call_event(ORR_HOOK_on_submit, &call, &c, err);
}

static orr_status on_start(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_call call = call_here(sim, job);
    orr_hook_call c = {.host = user};
    return orr_host_call_event(ORR_HOOK_on_start, &call, &c, err);
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
    orr_host *host = user;
    orr_call call = call_here(sim, job);
    orr_hook_call c = {.host = host, .known_text = host->jobs.outcomes[outcome]};
    return orr_host_call_event(ORR_HOOK_on_end, &call, &c, err);
}

static orr_status on_idle(void *user, orr_rigid *sim, int32_t group, orr_error *err)
{
    orr_call call = call_in(sim, group);
    orr_hook_call c = {.host = user, .text = orr_rigid_look_group(sim, group).name};
    return orr_host_call_event(ORR_HOOK_on_idle, &call, &c, err);
}

static orr_status on_timer(void *user, orr_rigid *sim, orr_error *err)
{
    orr_call call = call_in(sim, -1);
    orr_hook_call c = {.host = user};
    return orr_host_call_event(ORR_HOOK_on_timer, &call, &c, err);
}

static orr_status on_warning(void *user, orr_rigid *sim, const orr_warning *warning, orr_error *err)
{
    orr_call call = call_in(sim, -1);
    orr_hook_call c = {.host = user, .warning = warning};
    return orr_host_call_event(ORR_HOOK_on_warning, &call, &c, err);
}

static orr_status ask_number(orr_host *host, orr_host_ref hook, orr_rigid *sim, int32_t job,
                             double *number, orr_error *err)
{
    orr_hook_call c = {.host = host, .function = host->refs[hook], .returns = ORR_RETURNS_NUMBER};
    orr_call call = call_here(sim, job);
    call.hook = orr_hook_names[hook];
    orr_status status = orr_host_call_hook(&call, &c, err);
    *number = c.value;
    return status;
}

static orr_status ask_period(void *user, orr_rigid *sim, int32_t job, double *period,
                             orr_error *err)
{
    return ask_number(user, ORR_HOOK_period, sim, job, period, err);
}

static orr_status ask_estimate(void *user, orr_rigid *sim, int32_t job, double *seconds,
                               orr_error *err)
{
    return ask_number(user, ORR_HOOK_estimate, sim, job, seconds, err);
}

static orr_status ask_planned_end(void *user, orr_rigid *sim, int32_t job, double *time,
                                  orr_error *err)
{
    return ask_number(user, ORR_HOOK_planned_end, sim, job, time, err);
}

static orr_status make_state(void *user, orr_rigid *sim, void **state, orr_error *err)
{
    orr_call call = call_in(sim, -1);
    return orr_host_init_state(user, &call, state, err);
}

/* --- taking what a policy says -------------------------------------------------------------- */

/* The number of the word in field `name` of the table on top; default: that of `otherwise`.
 */
static int take_choice(lua_State *L, const char *name, const char *const *words,
                       const char *otherwise)
{
    lua_getfield(L, -1, name);
    int choice = luaL_checkoption(L, -1, otherwise, words);
    lua_pop(L, 1);
    return choice;
}

/* The words of orr_rigid_per, orr_rigid_discipline, orr_rigid_reading and orr_placing, in their
 * order. */
static const char *const PER[] = {"workload", "scenario", "attempt", "decision", "change", NULL};
static const char *const DISCIPLINES[] = {"list",         "fcfs",     "shelf", "custom",
                                          "conservative", "recorded", NULL};
static const char *const READINGS[] = {"blocked", "head", NULL};
static const char *const PLACES[] = {"any",      "named",  "contiguous", "nodes", "chosen",
                                     "reliable", "spread", "low",        NULL};

static void take_discipline(lua_State *L, orr_rigid_policy *policy)
{
    policy->discipline = take_choice(L, "discipline", DISCIPLINES, "custom");
    policy->reading = take_choice(L, "reading", READINGS, "blocked");
    lua_getfield(L, -1, "reservations");
    lua_Number reservations = lua_tonumber(L, -1);
    policy->reservations =
        reservations >= ORR_RESERVE_ALL ? ORR_RESERVE_ALL : (int32_t)reservations;
    lua_getfield(L, -2, "fill");
    policy->fill = lua_toboolean(L, -1);
    lua_getfield(L, -3, "node_procs");
    policy->node_procs = (int32_t)lua_tointeger(L, -1);
    lua_pop(L, 3);
    policy->place = (orr_placing)take_choice(L, "place", PLACES, "any");
}

/* A priority that only draws becomes the kernel's rule, unless calls are counted or recorded. */
static bool take_draw(const orr_host *host, orr_rigid_policy *policy)
{
    lua_getfield(host->L, -1, "draws");
    bool draws = lua_toboolean(host->L, -1) && policy->priority && host->limits.instructions == 0 &&
                 !orr_calls_are_recorded;
    lua_pop(host->L, 1);
    if (draws)
        orr_rigid_set_rule(policy, ORR_RULE_RANDOM);
    return draws;
}

/* The order and the dispatch that the table on top says. Whether they ask Lua while a simulation
 * runs. */
static bool take_order(orr_host *host, orr_order *order, orr_rigid_policy *policy)
{
    lua_State *L = host->L;
    order->priority = orr_lua_take_function(L, "priority");
    order->backfill = orr_lua_take_function(L, "backfill");
    order->dispatch = orr_lua_take_function(L, "dispatch");
    order->choose = orr_lua_take_function(L, "choose");
    order->choose_nodes = orr_lua_take_function(L, "choose_nodes");
    *policy =
        (orr_rigid_policy){.size = sizeof *policy,
                           .name = host->name,
                           .user = host,
                           .per = take_choice(L, "per", PER, "workload"),
                           .priority = order->priority != LUA_NOREF ? ask_priority : NULL,
                           .priority_user = order,
                           .backfill_per = take_choice(L, "backfill_per", PER, "workload"),
                           .backfill = order->backfill != LUA_NOREF ? ask_backfill : NULL,
                           .backfill_user = order,
                           .priority_formula = orr_host_take_formula(host, "formula"),
                           .backfill_formula = orr_host_take_formula(host, "backfill_formula"),
                           .dispatch = order->dispatch != LUA_NOREF ? decide : NULL,
                           .choose = order->choose != LUA_NOREF ? choose : NULL,
                           .choose_nodes = order->choose_nodes != LUA_NOREF ? choose_nodes : NULL,
                           .choose_user = order};
    take_discipline(L, policy);
    bool draws = take_draw(host, policy);
    return policy->dispatch || policy->backfill || policy->choose || policy->choose_nodes ||
           (policy->priority && policy->per != ORR_PER_WORKLOAD && !draws);
}

static void find_formulas(orr_host *host, int32_t group, orr_rigid_policy *policy)
{
    if (policy->priority && !policy->priority_formula)
        policy->priority_formula = orr_host_find_formula(host, group, "priority");
    if (policy->backfill && !policy->backfill_formula)
        policy->backfill_formula = orr_host_find_formula(host, group, "backfill");
}

enum { MANY = 10000 }; /* to ask for so many jobs takes longer than to look for a formula */

void orr_host_find_formulas(orr_host *host, int32_t jobs)
{
    orr_job_hooks *hooks = &host->jobs;
    if (jobs < MANY)
        return;
    find_formulas(host, 0, &hooks->policy);
    for (int32_t i = 1; i < hooks->group_count; i++)
        find_formulas(host, i + 1, &hooks->groups[i].policy);
}

/* The group that the table on top says. The first one's order is the policy's own. */
static void take_group(orr_host *host, int32_t i)
{
    orr_host_group *group = &host->jobs.groups[i];
    orr_rigid_group *kernel = &host->jobs.kernel_groups[i];
    kernel->name = orr_lua_take_text(host->L, "name");
    lua_getfield(host->L, -1, "procs");
    kernel->procs = (int32_t)lua_tointeger(host->L, -1);
    lua_pop(host->L, 1);
    if (i == 0)
        return;
    kernel->policy = &group->policy;
    if (take_order(host, &group->order, &group->policy) || group->policy.priority)
        host->asks_lua = true; /* priorities of groups are not computed before the runs */
}

/* `groups` of the table on top. Their memory is of Lua, with the table that holds their names. */
static void take_groups(orr_host *host)
{
    lua_State *L = host->L;
    orr_job_hooks *jobs = &host->jobs;
    if (lua_getfield(L, -1, "groups") != LUA_TTABLE) {
        lua_pop(L, 1);
        return;
    }
    int32_t count = (int32_t)lua_rawlen(L, -1);
    size_t size = (size_t)count * (sizeof *jobs->groups + sizeof *jobs->kernel_groups);
    jobs->groups = memset(lua_newuserdatauv(L, size, 1), 0, size);
    jobs->kernel_groups = (orr_rigid_group *)(jobs->groups + count);
    lua_pushvalue(L, -2);
    lua_setiuservalue(L, -2, 1);
    host->refs[ORR_REF_GROUPS] = luaL_ref(L, LUA_REGISTRYINDEX);
    for (int32_t i = 0; i < count; i++)
        jobs->groups[i].order =
            (orr_order){host, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF};
    jobs->group_count = count;
    for (int32_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, i + 1);
        take_group(host, i);
        lua_pop(L, 1);
    }
    jobs->policy.groups = jobs->kernel_groups;
    jobs->policy.group_count = count;
    lua_pop(L, 1);
}

/* Whether there is any. */
static bool take_events(orr_host *host)
{
    orr_rigid_policy *policy = &host->jobs.policy;
    policy->on_submit = orr_host_has(host, ORR_HOOK_on_submit) ? on_submit : NULL;
    policy->on_start = orr_host_has(host, ORR_HOOK_on_start) ? on_start : NULL;
    policy->on_end = orr_host_has(host, ORR_HOOK_on_end) ? on_end : NULL;
    for (int i = 0; policy->on_end && i <= ORR_NODE_FAILED; i++) {
        lua_pushstring(host->L, outcome_name((orr_outcome)i));
        host->jobs.outcomes[i] = luaL_ref(host->L, LUA_REGISTRYINDEX);
    }
    policy->on_idle = orr_host_has(host, ORR_HOOK_on_idle) ? on_idle : NULL;
    policy->on_timer = orr_host_has(host, ORR_HOOK_on_timer) ? on_timer : NULL;
    policy->period = orr_host_has(host, ORR_HOOK_period) ? ask_period : NULL;
    policy->estimate = orr_host_has(host, ORR_HOOK_estimate) ? ask_estimate : NULL;
    policy->planned_end = orr_host_has(host, ORR_HOOK_planned_end) ? ask_planned_end : NULL;
    policy->on_warning = orr_host_has(host, ORR_HOOK_on_warning) ? on_warning : NULL;
    return policy->period || policy->estimate || policy->on_submit || policy->on_start ||
           policy->on_end || policy->on_idle || policy->on_timer || policy->on_warning ||
           policy->planned_end;
}

void orr_host_take_jobs(orr_host *host)
{
    orr_rigid_policy *policy = &host->jobs.policy;
    host->asks_lua = take_order(host, &host->jobs.order, policy);
    take_groups(host);
    if (take_events(host) || orr_host_has(host, ORR_HOOK_init))
        host->asks_lua = true;
    if (!host->asks_lua)
        return;
    policy->make_state = make_state;
    policy->copy_state = orr_host_copy_state;
    policy->free_state = orr_host_free_state;
}
