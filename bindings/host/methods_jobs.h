/* The methods of `sim` for policies for jobs, and what they share with its fields and those of jobs
 * and groups. */
#pragma once

#include "bindings/host/views.h"

#include <lauxlib.h>

#define ORR_SIM_OF_JOBS "orrery.sim"
#define ORR_JOB "orrery.job"

#define ORR_METHODS_OF_JOBS(M)                                                                     \
    M(waiting), M(fitting), M(startable), M(waiting_by_procs), M(waiting_by_time), M(recent_wait), \
        M(running), M(running_on), M(job), M(look), M(earliest_start), M(can_start), M(free_of),   \
        M(start), M(reserve), M(list), M(kill), M(requeue), M(checkpoint), M(preempt), M(move),    \
        M(hold), M(release), M(wake_at), M(node), M(nodes), M(hour), M(weekday), M(date), M(at),   \
        M(note)

extern const luaL_Reg orr_methods_of_jobs[];

/* The metatable of what sim:waiting, sim:fitting and sim:startable give. */
extern const luaL_Reg orr_queue_of_jobs[];

/* Raises: a job of another run. */
int orr_view_fail_over(lua_State *L);

static inline int32_t orr_view_check_live(lua_State *L, const orr_host *host, orr_view_item job)
{
    if (!host || !orr_view_is_live(host, job))
        orr_view_fail_over(L);
    return job.item;
}

/* NaN: not known yet. */
static inline void orr_view_push_time(lua_State *L, double time)
{
    if (time == time)
        lua_pushnumber(L, time);
    else
        lua_pushnil(L);
}

static inline int32_t orr_host_group_count(const orr_host *host)
{
    return host->jobs.groups ? host->jobs.group_count : 1;
}
