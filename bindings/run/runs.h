/* Many runs under several policies: their hosts in every thread, and progress on the Lua side. */
#pragma once

#include "bindings/host/host.h"

enum { ORR_MAX_POLICIES = 256 };

typedef struct orr_runs {
    orr_limits limits;
    int32_t policies;
    orr_host *hosts[ORR_MAX_POLICIES];  /* thread 0's */
    const char *text[ORR_MAX_POLICIES]; /* alive on the Lua side */
    size_t text_size[ORR_MAX_POLICIES];

    lua_State *L;       /* for progress */
    int progress;       /* index of the function in L; 0: nobody wants to hear */
    char problem[256];  /* why progress stopped reporting */
    double last_report; /* s */
} orr_runs;

/* Loads the policies of the list at index; `runs` is all zero but for its limits. What was loaded
 * is destroyed with orr_runs_free, also after a failure. */
orr_status orr_runs_load(orr_runs *runs, lua_State *L, int index, orr_error *err);
void orr_runs_free(orr_runs *runs);

/* Whether all policies that run while a simulation does can run in several threads. */
bool orr_runs_are_portable(const orr_runs *runs);

/* A policy's host for a thread, entered; NULL on errors. One that asks no Lua is thread 0's. */
orr_host *orr_runs_get(orr_runs *runs, int thread, int32_t policy, orr_error *err);
void orr_runs_put(orr_runs *runs, int thread, int32_t policy, orr_host *host);

/* A broken invariant inside the kernel comes back as an error, like any other. */
orr_trap orr_runs_trap(void);

/* Raises an error; or, where it is known which simulation it was, pushes nil, the message, and the
 * table { policy = position or nil, seed =, set =, scenario =, time = or nil, bug = boolean }: what
 * crash_report.lua tells of it. */
int orr_runs_fail(lua_State *L, const orr_error *err);

/* For the kernel's progress; user is the orr_runs. */
void orr_runs_report(void *user, int64_t done, int64_t total);
