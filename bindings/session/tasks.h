/* What the files of sessions of tasks share. */
#pragma once

#include "bindings/run/tasks.h"

/* What a session shares with its copies. */
typedef struct orr_tasks_world {
    int sessions;
    orr_host *host;
} orr_tasks_world;

typedef struct orr_tasks_session {
    orr_tasks_world *world;
    orr_malleable *sim;
    const orr_tasks *tasks; /* kept alive by user value ORR_KEEPS_TASKS */
} orr_tasks_session;

/* User values: what a session keeps alive. */
enum {
    ORR_KEEPS_TASKS = 1,
    ORR_KEEPS_FAULTS,
    ORR_KEEPS_POLICY,
    ORR_KEPT_VALUES = ORR_KEEPS_POLICY
};

orr_tasks_session *orr_lua_check_tasks_session(lua_State *L, int arg);

/* An empty session on the stack that keeps nothing alive yet. */
orr_tasks_session *orr_lua_push_tasks_session(lua_State *L);

/* A session on the stack without a simulation that keeps alive what the one at 1 does, and shares
 * its world. */
orr_tasks_session *orr_lua_push_successor(lua_State *L, const orr_tasks_session *s);

/* A world of its own, with the policy that is described at this index, instead of the one it has.
 */
orr_status orr_lua_new_world(lua_State *L, orr_tasks_session *s, int policy,
                             const orr_limits *limits, orr_error *err);

/* Lets go of the simulation and the world. */
void orr_tasks_session_empty(orr_tasks_session *s);

/* The host, watched until orr_host_leave; raises where the system has no timer left. */
orr_host *orr_tasks_session_enter(lua_State *L, orr_tasks_session *s);

/* s:change{ policy = prepared, seed =, procs = number or { procs = , ["until"] = s }, submit =
 * tasks, cancel = { positions }, work = { [position] = factor }, fault = { { task = } or {
 * processor = },
 * ... } }: all of it or none; returns a list of remarks. See malleable/change.h. */
int orr_lua_tasks_change(lua_State *L);
/* session:fork(changes), the same: the session as changed, and remarks. */
int orr_lua_tasks_fork_changed(lua_State *L);
