/* What the files of sessions of tasks share. */
#ifndef ORR_BINDINGS_PACK_SESSION_H
#define ORR_BINDINGS_PACK_SESSION_H

#include "bindings/run/tasks.h"

/* What a session shares with its copies. */
typedef struct orr_pack_world {
    int sessions;
    orr_host *host;
} orr_pack_world;

typedef struct orr_pack_session {
    orr_pack_world *world;
    orr_malleable *sim;
    const orr_tasks *tasks; /* kept alive by user value ORR_PACK_TASKS */
} orr_pack_session;

/* User values: what a session keeps alive. */
enum { ORR_PACK_TASKS = 1, ORR_PACK_FAULTS, ORR_PACK_POLICY, ORR_PACK_KEPT = ORR_PACK_POLICY };

orr_pack_session *orr_lua_check_pack_session(lua_State *L, int arg);

/* A session on the stack without a simulation that keeps alive what the one at 1 does, and shares
 * its world. */
orr_pack_session *orr_lua_push_successor(lua_State *L, const orr_pack_session *s);

/* A world of its own, with the policy that is described at this index, instead of the one it has.
 */
orr_status orr_lua_new_world(lua_State *L, orr_pack_session *s, int policy,
                             const orr_limits *limits, orr_error *err);

/* Lets go of the simulation and the world. */
void orr_pack_session_empty(orr_pack_session *s);

/* The host, watched until orr_host_leave; raises where the system has no timer left. */
orr_host *orr_pack_session_enter(lua_State *L, orr_pack_session *s);

/* s:change{ policy = prepared, seed =, procs = number or { procs = , ["until"] = s }, submit =
 * tasks, cancel = { positions }, work = { [position] = factor }, fault = { { task = } or {
 * processor = },
 * ... } }: all of it or none; returns a list of remarks. See malleable/change.h. */
int orr_lua_pack_change(lua_State *L);

#endif
