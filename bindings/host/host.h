/* Policy hosts: where a policy's Lua code lives and runs.
 *
 * A host is one Lua state of its own with a fenced environment and one policy loaded into it; every
 * thread of a Monte Carlo run has its own hosts. A policy that reads something which cannot be
 * copied into another state gets a host inside the calling state instead, and runs on one thread.
 *
 * A host fills the kernel's struct of function pointers (orr_rigid_policy); the policy's state,
 * sim.state, belongs to the simulation and is copied with it. Every call into Lua is protected, has
 * a budget of time, and runs with math.random drawing from the simulation's own stream.
 *
 * The budget is kept by a timer on the thread's own processor time, which only counts; when a call
 * exceeds its budget the signal handler sets a debug hook, as lua.c does for Ctrl-C, and the hook
 * raises the error. No hook is set in normal running. */
#ifndef ORR_HOST_H
#define ORR_HOST_H

#include "bindings/support/bindings.h"
#include "malleable/decide.h"
#include "rigid/actions.h"
#include "rigid/engine.h"

#include <time.h>

typedef struct orr_limits {
    double seconds;   /* of processor time per call into the policy */
    size_t memory;    /* bytes per host */
    int instructions; /* Lua instructions per call; 0: not counted */
} orr_limits;

/* One call into the policy: what it is about, and what was interrupted by it. */
typedef struct orr_call {
    const char *hook;             /* which hook, for messages */
    int32_t item;                 /* which job or task it is about, -1: none */
    orr_rigid *sim;               /* NULL while a priority per workload is asked */
    int32_t group;                /* of jobs: where it takes place, -1: nowhere in particular */
    int32_t procs;                /* of that group, or of the machine */
    const orr_instance *instance; /* NULL outside calls */
    orr_malleable *pack;          /* in a hook for malleable tasks, else NULL */
    orr_pcg *rng;                 /* what math.random draws from */
    /* filled by orr_host_begin_call */
    struct orr_host *watched;
    int calling, ticks;
} orr_call;

/* What orders and starts the jobs of one group of processors, or of all where there is one: the
 * user of the kernel's struct. Registry references, LUA_NOREF where absent. */
typedef struct orr_order {
    struct orr_host *host;
    int priority, backfill, dispatch;
} orr_order;

/* The hooks of a policy for jobs that events call. */
enum { ORR_ON_SUBMIT, ORR_ON_START, ORR_ON_END, ORR_ON_IDLE, ORR_ON_TIMER, ORR_EVENT_HOOKS };

/* A group of processors with its policy, as a host keeps it. */
typedef struct orr_host_group {
    char *name;
    orr_order order;
    orr_rigid_policy policy; /* with user = &order */
} orr_host_group;

typedef struct orr_host {
    lua_State *L;
    bool own; /* the state is the host's; otherwise L is a thread of its own in the caller's */
    lua_State *volatile inner; /* a coroutine that a call in the caller's state resumed, or NULL */

    /* what the policy provides */
    bool is_pack;    /* for malleable tasks, else for rigid jobs */
    bool asks_lua;   /* some function runs while a simulation does */
    bool loading;    /* not a policy's call yet: instructions are not counted */
    char stage[192]; /* then: "policy name: which of its functions runs: ", or "" */
    int init;        /* this and the next: registry references, LUA_NOREF where absent */
    int events[ORR_EVENT_HOOKS];
    int on_end, on_fault;             /* for malleable tasks */
    int pack;                         /* of a pack policy, which has no sim; see pack_host.c */
    int32_t group_count;              /* 0 where the policy has no groups */
    orr_order order;                  /* of the first group; the others are in `groups` */
    orr_rigid_policy policy;          /* with user = &order */
    orr_malleable_policy pack_policy; /* the same for malleable tasks, with user = this host */
    orr_host_group *groups;
    orr_rigid_group *kernel_groups;
    char name[128]; /* of the policy, for messages */

    /* values in its state: registry references */
    int description;             /* what the policy says about itself, a plain table */
    int sim_value;               /* the `sim` handed to hooks */
    int values;                  /* table: position -> job or task value */
    int item_metatable_ref;      /* of job values */
    int group_metatable_ref;     /* of what sim:look gives */
    int anchor;                  /* of the thread L in the caller's state */
    struct orr_host **self;      /* what sim and job values hold; NULL inside once destroyed */
    const void *item_metatable;  /* of job or task values */
    const orr_instance *jobs_of; /* the instance that job values belong to */
    uint32_t epoch;              /* how many there have been */

    int entered;   /* how deep */
    orr_call call; /* the one under way */
    orr_limits limits;
    size_t memory; /* bytes in use; in the caller's state, by how many the call made it grow */

    /* of the caller's state, outside calls */
    lua_Alloc alloc;
    void *alloc_user;
    int strings; /* registry reference: see watchdog.c */

    /* the watchdog */
    timer_t timer;
    const orr_cancel_flag *cancel;
    volatile int calling, ticks; /* ticks since the call began */
    int ticks_allowed;
    bool has_timer;
} orr_host;

/* A host in a state of its own, with the policy that `text` (made by closures.encode) describes. */
orr_host *orr_host_create(const char *text, size_t size, const orr_limits *limits, orr_error *err);

/* A host inside L; the description is the Lua value at `index`. */
orr_host *orr_host_create_in(lua_State *L, int index, const orr_limits *limits, orr_error *err);

void orr_host_destroy(orr_host *host); /* NULL is fine */

/* Around every run: the watchdog watches the calling thread from enter to leave. Runs nest. It
 * fails where the system has no timer left. */
orr_status orr_host_enter(orr_host *host, orr_error *err);
void orr_host_leave(orr_host *host);

/* Around every call into Lua, between enter and leave: begin returns what end restores. Calls nest.
 */
orr_call orr_host_begin_call(orr_host *host, orr_call call);
void orr_host_end_call(orr_host *host, orr_call before);

/* Runs a C function with one argument in the host's state, as a call into the policy. What it
 * raises comes back as an error that names the policy, the hook, when and what it was about. */
orr_status orr_host_run(orr_host *host, orr_call call, lua_CFunction run, void *argument,
                        orr_error *err);

/* Pushes what sandbox.lua puts in place of functions that may stay in C for too long:
 * { string = { name = function }, table = { ... } }; see bounded.c. */
void orr_host_push_bounded(lua_State *L);

/* Called with a coroutine and the function that resumes it; returns one that lets the watchdog see
 * into it during calls. */
int orr_host_watch_coroutine(lua_State *L);

/* In the caller's state: during calls, from the one under way on, methods of strings are those of
 * the table at the top of the stack, which is popped. */
void orr_host_take_strings(orr_host *host, lua_State *L);

/* Raised by Ctrl-C in the program; every run looks at it. */
extern orr_cancel_flag orr_interrupted;

/* Pushes, in the host's state, what the policy says about itself: a plain table. */
void orr_host_push_description(orr_host *host);

/* Take what a policy for jobs says from the table on top, which sandbox.lua has checked, and fill
 * the kernel's struct with it; release what was taken. */
void orr_host_take_rigid(orr_host *host);
void orr_host_release_rigid(orr_host *host);

/* Fill the kernel's struct with the hooks that a policy for malleable tasks has. */
void orr_host_fill_pack(orr_host *host);

/* sim.state as the kernel's policies keep it; `call` describes the call of init. */
orr_status orr_host_init_state(orr_host *host, orr_call call, void **state, orr_error *err);
orr_status orr_host_copy_state(orr_host *host, void *state, void **copy, orr_error *err);
void orr_host_free_state(orr_host *host, void *state);

/* Pushes on L, of whatever Lua state, a copy of such a sim.state; nil where it is NULL. Raises
 * where it is not plain data. */
void orr_host_push_state(lua_State *L, orr_host *host, void *state);

/* Field `name` of the table on top: a function as a registry reference (LUA_NOREF where there is
 * none), a text ("" where there is none; it lives as long as the table). */
int orr_host_take_function(lua_State *L, const char *name);
const char *orr_host_take_string(lua_State *L, const char *name);

/* Make host->sim_value of the userdata host->self, which is on top of the host's stack and popped,
 * and host->values. */
void orr_host_make_sim(orr_host *host);
void orr_host_make_pack_sim(orr_host *host);

/* Push the host's sim value, or the value of a job or task, on L: the host's state, or a coroutine
 * that a policy in the caller's state runs. */
void orr_host_push_sim(lua_State *L, const orr_host *host);
void orr_host_push_job(lua_State *L, orr_host *host, int32_t job);
void orr_host_push_task(lua_State *L, const orr_host *host, int32_t task);

/* The job at arg, inside a hook; raises for anything else. */
int32_t orr_host_check_job(lua_State *L, const orr_host *host, int arg);

/* Make the metatable of job values over the userdata self at `self`. */
void orr_host_make_job_values(orr_host *host, int self);

/* The name of a group; for names and arguments that stand for one: see views.c. */
const char *orr_host_group_name(const orr_host *host, int32_t group);

/* "pending", "waiting", "running", "over", "held". */
const char *orr_job_state_name(orr_rigid_job_state state);

/* The simulation of the call under way; raises where a priority is asked once per workload. */
orr_rigid *orr_host_check_running(lua_State *L, const orr_host *host, const char *what);

/* Sets field `name` of the table on top to a closure over the userdata at `self` and, where there
 * are names, over their numbering. */
void orr_lua_set_closure(lua_State *L, int self, const char *name, lua_CFunction function,
                         const char *const *names);

/* For values that hooks see: an unknown field is a mistake to hear about, not a nil (`names` ends
 * with NULL; the field's name is at index 2); a refused decision is raised with the policy's line
 * in front. */
int orr_lua_unknown_field(lua_State *L, const char *what, const char *const *names);
int orr_lua_raise_decision(lua_State *L, const orr_error *err);

/* Pushes a table: name -> number, counted from 1. */
void orr_lua_push_numbering(lua_State *L, const char *const *names);

/* Seconds and bytes that a policy gets where nothing else is said. */
orr_limits orr_limits_default(void);

#endif
