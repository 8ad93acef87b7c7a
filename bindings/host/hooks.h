/* Calls of a policy's hooks, and sim.state. */
#pragma once

#include "bindings/host/host.h"

/* Runs a C function with one argument in the host's state, as a call into the policy. What it
 * raises comes back as an error that names the policy, the hook, when and what it was about. */
orr_status orr_host_run(orr_host *host, orr_call call, lua_CFunction run, void *argument,
                        orr_error *err);

/* Take what a policy for jobs says from the table on top, which sandbox.lua has checked, and fill
 * the kernel's struct with it; release what was taken. */
void orr_host_take_jobs(orr_host *host);
void orr_host_release_jobs(orr_host *host);

/* Fill the kernel's struct with the hooks that a policy for malleable tasks has. */
void orr_host_fill_tasks(orr_host *host);

/* sim.state as the kernel's policies keep it; `call` describes the call of init. */
orr_status orr_host_init_state(orr_host *host, orr_call call, void **state, orr_error *err);
orr_status orr_host_copy_state(orr_host *host, void *state, void **copy, orr_error *err);
void orr_host_free_state(orr_host *host, void *state);
