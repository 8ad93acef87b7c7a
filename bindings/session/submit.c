/* Jobs that are submitted to a session while it goes on, without a copy of it. */
#include "bindings/host/host.h"
#include "bindings/session/session.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

/* session:submit(jobs, first, last): those of jobs are submitted in place; false where that cannot
 * be, and nothing has happened. */
void orr_session_push_submitted(lua_State *L, const orr_session *session)
{
    orr_session *s = orr_lua_check_session(L);
    const orr_jobs *more = orr_lua_check_jobs(L, 2);
    int32_t first = (int32_t)luaL_checkinteger(L, 3) - 1;
    int32_t count = (int32_t)luaL_checkinteger(L, 4) - first;
    (void)session;
    bool fails = !s->given && s->lambda > 0;
    if (!s->grows || fails || s->instance->users > 1 || orr_rigid_room(s->sim) < count) {
        lua_pushboolean(L, false);
        return;
    }
    orr_error err;
    orr_instance *in = &s->instance->instance;
    orr_jobs *jobs = (orr_jobs *)(uintptr_t)in->jobs; /* its own, see read_change */
    orr_host *host = s->policy->host;
    orr_status status = orr_host_enter(host, &err);
    if (status == ORR_OK) {
        status = orr_rigid_submit(s->sim, in, jobs, more, first, count, &err);
        orr_host_leave(host);
    }
    orr_lua_try(L, status, &err);
    lua_pushboolean(L, true);
}

/* session:share(): somebody has its workload in hand, and nothing may be added to that any more. */
void orr_session_push_shared(lua_State *L, const orr_session *session)
{
    (void)session;
    orr_lua_check_session(L)->grows = false;
    lua_pushnil(L);
}
