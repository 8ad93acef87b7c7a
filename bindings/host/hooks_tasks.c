/* Policies for malleable tasks: their hooks as the functions that the kernel's struct wants. */
#include "bindings/host/hooks.h"
#include "bindings/host/host.h"

static orr_call call_for(orr_malleable *sim, int32_t task)
{
    return (orr_call){.item = task, .tasks = sim, .rng = orr_malleable_look(sim).rng};
}

static orr_status on_end(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    return orr_host_call_event(user, ORR_HOOK_on_end, call_for(sim, task), NULL, err);
}

static orr_status on_fault(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    return orr_host_call_event(user, ORR_HOOK_on_fault, call_for(sim, task), NULL, err);
}

static orr_status make_state(void *user, orr_malleable *sim, void **state, orr_error *err)
{
    return orr_host_init_state(user, call_for(sim, -1), state, err);
}

void orr_host_take_tasks(orr_host *host)
{
    bool ends = orr_host_has(host, ORR_HOOK_on_end), faults = orr_host_has(host, ORR_HOOK_on_fault);
    host->asks_lua = ends || faults || orr_host_has(host, ORR_HOOK_init);
    host->tasks = (orr_malleable_policy){.size = sizeof host->tasks,
                                         .name = host->name,
                                         .user = host,
                                         .on_end = ends ? on_end : NULL,
                                         .on_fault = faults ? on_fault : NULL,
                                         .make_state = host->asks_lua ? make_state : NULL,
                                         .copy_state = host->asks_lua ? orr_host_copy_state : NULL,
                                         .free_state = host->asks_lua ? orr_host_free_state : NULL};
}
