/* Policies for malleable tasks: their hooks as the functions that the kernel's struct wants. */
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"
#include "bindings/host/views.h"

#include <lauxlib.h>

/* One call of a hook: everything that may allocate, and so raise, happens inside the
 * protected call. */
typedef struct hook_call {
    orr_host *host;
    int function; /* registry reference */
} hook_call;

/* Who returns an allocation hopes for something to happen. */
static int refuse_result(lua_State *L, const char *hook)
{
    return luaL_error(L,
                      "%s returned %s; it must return nothing: what it proposes it says with "
                      "sim:assign, sim:give and sim:start_over",
                      hook, luaL_tolstring(L, -1, NULL));
}

/* Hooks are called with (sim, task). */
static int run_hook(lua_State *L)
{
    const hook_call *c = lua_touserdata(L, 1);
    const orr_call *call = &c->host->call;
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    orr_host_push_sim(L, c->host);
    orr_host_push_item(L, c->host, call->item);
    lua_call(L, 2, 1);
    return lua_isnil(L, -1) ? 0 : refuse_result(L, call->hook);
}

static orr_call call_for(const char *hook, orr_malleable *sim, int32_t task)
{
    return (orr_call){.hook = hook, .item = task, .tasks = sim, .rng = orr_malleable_look(sim).rng};
}

static orr_status on_end(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    orr_host *host = user;
    hook_call c = {.host = host, .function = host->tasks.on_end};
    return orr_host_run(host, call_for("on_end", sim, task), run_hook, &c, err);
}

static orr_status on_fault(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    orr_host *host = user;
    hook_call c = {.host = host, .function = host->tasks.on_fault};
    return orr_host_run(host, call_for("on_fault", sim, task), run_hook, &c, err);
}

static orr_status make_state(void *user, orr_malleable *sim, void **state, orr_error *err)
{
    return orr_host_init_state(user, call_for("init", sim, -1), state, err);
}

static orr_status copy_state(void *user, void *state, void **copy, orr_error *err)
{
    return orr_host_copy_state(user, state, copy, err);
}

static void free_state(void *user, void *state)
{
    orr_host_free_state(user, state);
}

void orr_host_fill_tasks(orr_host *host)
{
    orr_malleable_policy *policy = &host->tasks.policy;
    policy->size = sizeof *policy;
    policy->name = host->name;
    policy->user = host;
    if (host->tasks.on_end != LUA_NOREF)
        policy->on_end = on_end;
    if (host->tasks.on_fault != LUA_NOREF)
        policy->on_fault = on_fault;
    host->asks_lua = host->tasks.on_end != LUA_NOREF || host->tasks.on_fault != LUA_NOREF ||
                     host->init != LUA_NOREF;
    if (!host->asks_lua)
        return;
    policy->make_state = make_state;
    policy->copy_state = copy_state;
    policy->free_state = free_state;
}
