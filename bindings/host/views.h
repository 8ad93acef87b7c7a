/* What hooks see: the values `sim`, `job` and `task`. */
#pragma once

#include "bindings/host/host.h"

/* Make host->sim_value of the userdata host->self, which is on top of the host's stack and popped,
 * and host->values. */
void orr_host_make_sim(orr_host *host);
void orr_host_make_tasks_sim(orr_host *host);

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

/* A refused decision is raised with the policy's line in front. */
int orr_lua_raise_decision(lua_State *L, const orr_error *err);

/* Pushes a table: name -> number, counted from 1. */
void orr_lua_push_numbering(lua_State *L, const char *const *names);
