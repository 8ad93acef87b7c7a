/* Calls of a policy's hooks, and sim.state. */
#pragma once

#include "bindings/host/host.h"

/* The kind of result that a hook returns. */
typedef enum orr_hook_result {
    ORR_RETURNS_ANYTHING,
    ORR_RETURNS_NOTHING,
    ORR_RETURNS_NUMBER
} orr_hook_result;

/* A call of a hook with sim, and with a job or task and a text if there are any. A hook that gives
 * a number is a priority or a period, and gets the job as its first argument. */
typedef struct orr_hook_call {
    orr_host *host;
    int function; /* registry reference */
    orr_hook_result returns;
    int known_text;             /* registry reference of a text; 0: none */
    const char *text;           /* or NULL */
    double value;               /* the number that it returned */
    double *until;              /* where a second number goes that it may return, or NULL */
    const orr_warning *warning; /* or NULL: pushed as nodes and a time */
} orr_hook_call;

/* How many bytes of a text are kept: at most so many, and whole characters. */
size_t orr_host_cut(const char *text, size_t size, size_t most);

/* To be called once, with an empty stack, when a host has its values. */
void orr_host_fill_stack(orr_host *host);

/* Runs a C function with one argument in the host's state, as a call into the policy. What it
 * raises comes back as an error that names the policy, the hook, when and what it was about. */
orr_status orr_host_run(orr_host *host, const orr_call *call, lua_CFunction run, void *argument,
                        orr_error *err);

/* Calls a hook, or one of those in host->refs, which returns nothing: `call` gets its name, `c` its
 * function. */
orr_status orr_host_call_hook(const orr_call *call, orr_hook_call *c, orr_error *err);
orr_status orr_host_call_event(orr_host_ref hook, orr_call *call, orr_hook_call *c, orr_error *err);

/* Pushes a table of all hooks' names: whether each was called since the last call of this function;
 * the first call says that none was. */
void orr_host_push_called(lua_State *L, orr_host *host);

/* The names of the hooks in host->refs, and whether a policy has one. */
extern const char *const orr_hook_names[];
bool orr_host_has(const orr_host *host, orr_host_ref hook);

/* Fill the kernel's struct with what the policy for jobs says in the table on top, which
 * sandbox.lua has checked, or with the hooks that one for malleable tasks has. */
void orr_host_take_jobs(orr_host *host);
void orr_host_take_tasks(orr_host *host);

/* sim.state as the kernel's policies keep it: `call` describes the call of init, the user is the
 * host. */
orr_status orr_host_init_state(orr_host *host, orr_call *call, void **state, orr_error *err);
orr_status orr_host_copy_state(void *user, void *source, void **copy, orr_error *err);
void orr_host_free_state(void *user, void *state);
