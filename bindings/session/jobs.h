/* What the files of sessions of rigid jobs share. */
#pragma once

#include "bindings/run/jobs.h"

#include <lauxlib.h>

/* What sessions share with their forks, until they are changed. */
typedef struct orr_session_instance {
    int users;
    orr_instance value; /* its jobs are user value 1 of every session that has it */
} orr_session_instance;

typedef struct orr_session_policy {
    int users;
    orr_host *host;
    char *text; /* its description; NULL where it cannot be copied */
    size_t size;
} orr_session_policy;

/* User values: 1 jobs, 2 node failures. All zero: gone. */
typedef struct orr_session {
    orr_session_instance *instance;
    orr_session_policy *policy;
    orr_rigid *sim;
    orr_limits limits;
    double lambda; /* errors per processor-second */
    int32_t max_attempts;
    int32_t machine;    /* processors that a policy finds, before it adds its own */
    uint64_t seed, set; /* of the failures still to come */
    uint64_t scenario;
    bool given;    /* failure counts, not drawn */
    double repair; /* s: of nodes */
} orr_session;

/* The session at arg; raises where there is none. */
orr_session *orr_lua_check_session(lua_State *L, int arg);

/* An empty session on the stack that keeps the jobs and node failures at `jobs` and `nodes` alive.
 */
orr_session *orr_lua_push_session(lua_State *L, int jobs, int nodes);

/* Shares everything but the simulation; the session is empty. */
void orr_session_share(orr_session *to, const orr_session *from);
/* Takes another one, which must not be shared, in place of what it has. */
void orr_session_set_instance(orr_session *s, orr_session_instance *in);
void orr_session_set_policy(orr_session *s, orr_session_policy *policy);
/* Lets go of everything. */
void orr_session_close(orr_session *s);

/* A policy from the description { text = } or { value = } at index; an instance, empty. NULL on
 * failure. */
orr_session_policy *orr_session_load_policy(lua_State *L, int index, const orr_limits *limits,
                                            orr_error *err);
orr_session_instance *orr_session_new_instance(orr_error *err);

/* session:change(changes), see jobs_change.c. */
int orr_lua_session_change(lua_State *L);
/* session:fork(changes), the same, with the session as changed. */
int orr_lua_session_fork_changed(lua_State *L);

/* The methods that look at what was recorded, see jobs_record.c. */
extern const luaL_Reg orr_session_record_methods[];
