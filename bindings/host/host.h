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
#pragma once

#include "bindings/host/layouts.h"
#include "bindings/host/timer.h"
#include "bindings/support/raise.h"
#include "malleable/decide.h"
#include "rigid/interface/actions.h"
#include "rigid/interface/engine.h"

/* The limits of a policy. */
typedef struct orr_limits {
    double seconds;   /* of processor time per call into the policy */
    size_t memory;    /* bytes per host */
    int instructions; /* Lua instructions per call; 0: not counted */
    int64_t source;   /* bytes of a policy's file */
} orr_limits;

/* The parts of sim.state that a hook can change, see hook_writes.lua. */
typedef struct orr_hook_writes {
    bool known;
    uint32_t kinds;  /* bits: what is found under the label of its job, by kinds of labels; and what
                       is found under constants */
    uint32_t shares; /* bits: what is the same for all jobs, if the job has no label of this kind;
                        31: always */
} orr_hook_writes;

enum { ORR_HOST_KEYS = 64 };

/* One call into the policy: its subject. */
typedef struct orr_call {
    const char *hook;              /* which hook, for messages */
    int32_t item;                  /* which job or task it is about, -1: none */
    orr_rigid *sim;                /* NULL while a priority per workload is asked */
    int32_t group;                 /* of jobs: where it takes place, -1: nowhere in particular */
    int32_t procs;                 /* of that group, or of the machine */
    const orr_instance *instance;  /* NULL outside calls */
    orr_malleable *tasks;          /* in a hook for malleable tasks, else NULL */
    orr_pcg *rng;                  /* what math.random draws from */
    const orr_hook_writes *writes; /* what it can change of sim.state; NULL: anything */
} orr_call;

/* In place of a call where none is under way. */
extern const orr_call orr_no_call;

/* The hooks of policies; the hooks that events of jobs call come first. The hooks of a group's
 * order and dispatch are in orr_order. */
#define ORR_EVENTS_OF_JOBS(H)                                                                      \
    H(on_submit), H(on_start), H(on_end), H(on_idle), H(on_timer), H(period), H(estimate),         \
        H(planned_end), H(on_warning)
#define ORR_HOOKS(H) ORR_EVENTS_OF_JOBS(H), H(on_fault), H(init), H(pack)
#define ORR_HOOK(name) ORR_HOOK_##name
#define ORR_HOOK_NAME(name) #name

/* The values that a host keeps in its registry. */
typedef enum orr_host_ref {
    ORR_HOOKS(ORR_HOOK),
    ORR_HOOKS_END,
    ORR_REF_DESCRIPTION = ORR_HOOKS_END, /* what the policy says about itself, a plain table */
    ORR_REF_CHECK,                       /* finds what it keeps outside of sim.state: kept.lua */
    ORR_REF_IMAGE,                       /* what `image` is kept by */
    ORR_REF_SIM,                         /* the `sim` handed to hooks */
    ORR_REF_METHODS,                     /* the table of its methods, also with `state`: views.h */
    ORR_REF_VALUES,                      /* table: position -> job or task value, a userdata */
    ORR_REF_ITEM_METATABLE,              /* of job or task values */
    ORR_REF_GROUP_METATABLE,             /* of what sim:look gives */
    ORR_REF_QUEUE_METATABLE,             /* of what sim:waiting gives */
    ORR_REF_FIND_FORMULA,                /* formulas of priorities per workload */
    ORR_REF_GROUPS,                      /* the memory of jobs.groups */
    ORR_REF_ANCHOR,                      /* of the thread L in the caller's state */
    ORR_REF_STRINGS,                     /* of the caller's state, outside calls: see watchdog.c */
    ORR_REF_BOX,                         /* what `box` is kept by */
    ORR_REFS
} orr_host_ref;

/* The hooks that order and start the jobs of one group of processors (or of the machine, without
 * groups): the user of a priority. Registry references, LUA_NOREF where absent. */
typedef struct orr_order {
    struct orr_host *host;
    int priority, backfill, dispatch, choose, choose_nodes;
} orr_order;

/* A group of processors with its policy, as a host keeps it. */
typedef struct orr_host_group {
    orr_order order;
    orr_rigid_policy policy;
} orr_host_group;

/* The hooks and groups of a policy for jobs. */
typedef struct orr_job_hooks {
    orr_order order;         /* of the first group; the others are in `groups` */
    orr_rigid_policy policy; /* with user = the host */
    int32_t group_count;     /* 0 where the policy has no groups */
    orr_host_group *groups;
    orr_rigid_group *kernel_groups;
    int outcomes[ORR_NODE_FAILED +
                 1]; /* registry references of their names, where there is on_end */
} orr_job_hooks;

typedef struct orr_host {
    lua_State *L;
    bool own; /* the state is the host's; otherwise L is a thread of its own in the caller's */
    bool light_items;          /* job or task values are light userdata: see views.h */
    lua_State *volatile inner; /* a coroutine that a call in the caller's state resumed, or NULL */

    /* what the policy provides */
    bool for_tasks;     /* malleable ones */
    bool alone;         /* its hook runs outside of simulations and gets no sim: for packs */
    bool asks_lua;      /* some function runs while a simulation does */
    bool loading;       /* not a policy's call yet: instructions are not counted */
    char stage[192];    /* then: "policy name: which of its functions runs: ", or "" */
    int refs[ORR_REFS]; /* LUA_NOREF where absent */
    orr_job_hooks jobs;
    orr_malleable_policy tasks; /* with user = the host */
    char name[128];             /* of the policy, for messages */

    /* values in its state */
    struct orr_host **box;       /* what the tools of sandbox.lua hold; NULL in it: it is gone */
    struct orr_host_self *self;  /* what sim is, and job values hold: see views.h */
    const void *item_metatable;  /* of job or task values */
    bool in_runs;                /* of many: a sim.state that cannot be copied is an error */
    char unplain[160];           /* why one cannot; empty: all can */
    const void *shown_state;     /* of the simulation whose sim.state stands there, or NULL */
    int32_t shown_group;         /* whose name stands there, or -1 */
    int32_t last_group;          /* whose name was read last, or -1 */
    const orr_instance *jobs_of; /* the instance that job values belong to */
    uint32_t epoch;              /* how many there have been */

    int entered;    /* how deep */
    uint64_t calls; /* begun so far; in the upper half, which host it is */
    int64_t begun;  /* simulations */
    bool switched;  /* and what is kept was looked at, but sim.state is not shown yet */

    /* of what the policy keeps outside of sim.state, as it was first: layouts.h */
    const orr_layout_image *image;     /* NULL: it keeps nothing, or this cannot be told */
    const orr_layout_borders *borders; /* NULL: none can move */

    /* what has changed in sim.state: numbers that rise with every call, in the upper half as above;
       of the labels below `changed_room` the last call that could change what is found by them
       alone, and the last that could change what is the same for all jobs, or anything */
    uint64_t changes, shared_changed, all_changed, *changed;
    int32_t changed_room;
    int keys; /* texts under which the formula looks something up; kept with the formula */
    const char *key[ORR_HOST_KEYS];
    bool has_metatables; /* then every call may */
    orr_hook_writes writes[ORR_HOOKS_END];

    const orr_call *call; /* the one under way, which its caller keeps, or orr_no_call */
    orr_limits limits;
    size_t memory; /* bytes in use; in the caller's state, by how many the call made it grow */
    struct orr_notes *notes; /* where sim:note goes, see notes.h; NULL: nowhere */
    size_t refused;          /* bytes that were refused; Lua may collect and ask again; 0: none */
    size_t memory_refused;   /* in use then */
    int in_vain;             /* collections in a row that freed next to nothing */
    bool no_memory;          /* this call gets no more memory: it was refused some, and ends */
    bool prints;             /* somebody looks on: print works */
    bool silent;             /* printed lines are not shown */
    bool taken;              /* by orr_lua_take_ready, and not given back yet */
    bool listens;            /* somebody asks which hooks are called: */
    uint32_t called;         /* these were, see hooks.c */
    size_t printed;          /* bytes so far */
    const char *no_print; /* why this call may not go on: it has printed and should not; or NULL */

    /* of the caller's state, outside calls */
    lua_Alloc alloc;
    void *alloc_user;
    bool refused_output;

    /* the watchdog */
    orr_timer timer;
    const orr_cancel_flag *cancel;
    volatile int calling, ticks; /* ticks since the call began */
    int ticks_allowed;
    double first_tick; /* when it ticked for the first time in this call, s */
    bool is_by_clock;  /* ticks_allowed is reached because the clock has gone on too far */
    bool resumed;      /* a coroutine from outside of the hooks, which goes on from there */
    bool stopped;      /* this call, or the last one, for it took longer than a limit allows */
} orr_host;

/* The limits in the table at `index`, or in its field `limits`; the default limits for nil. */
orr_limits orr_lua_check_limits(lua_State *L, int index);
orr_limits orr_lua_limits_option(lua_State *L, int index);

/* A host in a state of its own, with the policy that `text` (made by closures.encode) describes. */
orr_host *orr_host_create(const char *text, size_t size, const orr_limits *limits, orr_error *err);

/* The host of a policy description { text = ... } or { value = ... } at index, the second inside L;
 * NULL on errors. */
orr_host *orr_lua_make_host(lua_State *L, int index, const orr_limits *limits, orr_error *err);

void orr_host_destroy(orr_host *host); /* NULL is fine */

/* Around every run: the watchdog watches the calling thread from enter to leave. Runs nest. */
void orr_host_enter(orr_host *host);
void orr_host_leave(orr_host *host);

/* Finds formulas for a policy's priorities that are computed once per job of a workload, if there
 * are so many jobs that it is worth its time. The host must be entered. */
void orr_host_find_formulas(orr_host *host, int32_t jobs);

/* core.describe(description[, limits[, keep]]): the policy's description of itself. If `keep` is
 * set and the description is text, also the host, for the field `ready` of the description. */
int orr_lua_describe_policy(lua_State *L);

/* The host in the field `ready` of the description at index, as if it were new; NULL: it has none,
 * or the host is in use. orr_lua_release_ready gives it back; the value must live until then. */
orr_host *orr_lua_take_ready(lua_State *L, int index);

/* The same, but the description gives it away; a new one if there is none. */
orr_host *orr_lua_own_host(lua_State *L, int index, const orr_limits *limits, orr_error *err);
void orr_lua_release_ready(orr_host *host);

/* Pushes on L, of whatever Lua state, a copy of such a sim.state; nil where it is NULL. Raises
 * where it is not plain data. */
void orr_host_push_state(lua_State *L, orr_host *host, void *state);
