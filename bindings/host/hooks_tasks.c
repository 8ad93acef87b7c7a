/* Policies for malleable tasks: their hooks as the functions that the kernel's struct wants. */
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"
#include "bindings/support/fields.h"

#include <lauxlib.h>

static orr_call call_for(orr_malleable *sim, int32_t task)
{
    return (orr_call){.item = task, .tasks = sim, .rng = orr_malleable_look(sim).rng};
}

static orr_status call_event(orr_host *host, orr_host_ref hook, orr_malleable *sim, int32_t task,
                             orr_error *err)
{
    orr_call call = call_for(sim, task);
    orr_hook_call c = {.host = host};
    return orr_host_call_event(hook, &call, &c, err);
}

static orr_status on_end(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    return call_event(user, ORR_HOOK_on_end, sim, task, err);
}

static orr_status on_fault(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    return call_event(user, ORR_HOOK_on_fault, sim, task, err);
}

static orr_status on_start(void *user, orr_malleable *sim, orr_error *err)
{
    return call_event(user, ORR_HOOK_on_start, sim, -1, err);
}

typedef struct asked_period {
    orr_host *host;
    const orr_period_question *question;
    double period;
} asked_period;

/* It gets plain numbers and neither sim nor random numbers: the same question has to have the same
 * answer whenever it is asked. */
static int run_period(lua_State *L)
{
#define NUMBER(name) ORR_LUA_FIELD(orr_period_question, name)
    static const orr_lua_field fields[] = {NUMBER(procs), NUMBER(size),     NUMBER(time),
                                           NUMBER(alone), NUMBER(period),   NUMBER(checkpoint),
                                           NUMBER(mtbf),  NUMBER(downtime), ORR_LUA_LAST_FIELD};
    asked_period *asked = lua_touserdata(L, 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, asked->host->refs[ORR_HOOK_period]);
    orr_lua_push_record(L, asked->question, fields);
    lua_pushinteger(L, asked->question->task + 1);
    lua_setfield(L, -2, "position");
    lua_call(L, 1, 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
        return luaL_error(L, "a period must be a number, this is %s", luaL_typename(L, -1));
    asked->period = lua_tonumber(L, -1);
    return 0;
}

static orr_status ask_period(void *user, const orr_period_question *question, double *period,
                             orr_error *err)
{
    asked_period asked = {.host = user, .question = question};
    orr_call call = {.hook = orr_hook_names[ORR_HOOK_period], .item = -1};
    orr_status status = orr_host_run(user, &call, run_period, &asked, err);
    *period = asked.period;
    return status;
}

static orr_status make_state(void *user, orr_malleable *sim, void **state, orr_error *err)
{
    orr_call call = call_for(sim, -1);
    return orr_host_init_state(user, &call, state, err);
}

static bool take_flag(lua_State *L, const char *name)
{
    lua_getfield(L, -1, name);
    bool flag = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return flag;
}

void orr_host_take_tasks(orr_host *host)
{
    orr_malleable_policy *policy = &host->tasks;
    *policy = (orr_malleable_policy){.size = sizeof *policy, .name = host->name, .user = host};
    policy->on_end = orr_host_has(host, ORR_HOOK_on_end) ? on_end : NULL;
    policy->on_fault = orr_host_has(host, ORR_HOOK_on_fault) ? on_fault : NULL;
    policy->on_start = orr_host_has(host, ORR_HOOK_on_start) ? on_start : NULL;
    policy->period = orr_host_has(host, ORR_HOOK_period) ? ask_period : NULL;
    policy->every_fault = take_flag(host->L, "every_fault");
    host->asks_lua = policy->on_end || policy->on_fault || policy->on_start || policy->period ||
                     orr_host_has(host, ORR_HOOK_init);
    if (!host->asks_lua)
        return;
    policy->make_state = make_state;
    policy->copy_state = orr_host_copy_state;
    policy->free_state = orr_host_free_state;
}
