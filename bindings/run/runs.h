/* Many runs under several policies: their hosts in every thread, and progress on the Lua side. */
#pragma once

#include "bindings/host/host.h"

#include "sim/montecarlo.h"

#include <pthread.h>

enum { ORR_MAX_POLICIES = 256 };

typedef struct orr_runs {
    orr_montecarlo common; /* complete but for the number of scenarios */
    orr_limits limits;
    int32_t policies;
    orr_host *hosts[ORR_MAX_POLICIES];  /* thread 0's */
    bool is_ready[ORR_MAX_POLICIES];    /* somebody else's, see orr_lua_take_ready */
    const char *text[ORR_MAX_POLICIES]; /* alive on the Lua side */
    size_t text_size[ORR_MAX_POLICIES];

    lua_State *L;       /* for progress */
    int progress;       /* index of the function in L; 0: nobody wants to hear */
    char problem[256];  /* why progress stopped reporting */
    double last_report; /* s */

    orr_error
        kept;    /* of the policy that kept something outside of sim.state, in the first thread */
    int kept_by; /* that thread plus 1; 0: none did */
    pthread_mutex_t lock; /* of both */
} orr_runs;

/* Pushes runs under the policies of the list at 3, with the options at 2 (seed, first, threads,
 * check, limits) and, where there is one, the function at 4 for progress. */
orr_runs *orr_lua_new_runs(lua_State *L);

/* Shows the lines that the policy prints, if these runs are one run of one policy on one set. */
void orr_runs_show_prints(orr_runs *runs, int32_t sets);

/* Raises an error if results of so many bytes must be a mistake; scenarios are called `what`. */
void orr_lua_check_results(lua_State *L, int64_t scenarios, const char *what, double bytes);

/* To be called after the runs, with their result on top of the stack: returns it, and why progress
 * failed, if it did; or what orr_runs_fail pushes. */
int orr_lua_finish_runs(lua_State *L, orr_runs *runs, orr_status status, const orr_error *err);

/* A broken invariant inside the kernel comes back as an error, like any other. */
orr_trap orr_runs_trap(void);

/* Raises an error; or, where it is known which simulation it was, pushes nil, the message, and the
 * table { policy = position or nil, seed =, set =, scenario = or nil (all of them), time = or nil,
 * bug = boolean }: what crash_report.lua tells of it. */
int orr_runs_fail(lua_State *L, const orr_error *err);

void orr_lua_open_runs(lua_State *L);
