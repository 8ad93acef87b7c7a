/* core.live: additional functions of sessions of rigid jobs whose ends are reported from outside
 * (rigid/whatif/live.h), on core's sessions. */
#include "bindings/session/session.h"
#include "bindings/support/raise.h"

#include "rigid/whatif/live.h"

static orr_session *check_session(lua_State *L)
{
    orr_session *s = luaL_checkudata(L, 1, orr_engine_of_jobs.class.name);
    luaL_argcheck(L, s->sim, 1, "the session is closed");
    return s;
}

static int live_pass(lua_State *L)
{
    orr_session *s = check_session(L);
    orr_error err;
    orr_lua_try(L, orr_session_own(s, &err), &err);
    orr_lua_try(L, orr_rigid_pass(s->sim, luaL_checknumber(L, 2), &err), &err);
    return 0;
}

/* report_end(session, position, completed): or else it was killed. */
static int live_report_end(lua_State *L)
{
    orr_session *s = check_session(L);
    orr_outcome outcome = lua_toboolean(L, 3) ? ORR_COMPLETED : ORR_KILLED;
    orr_error err;
    lua_Integer job = luaL_checkinteger(L, 2) - 1;
    luaL_argcheck(L, job >= 0 && job <= INT32_MAX, 2, "a position");
    orr_lua_try(L, orr_session_own(s, &err), &err);
    orr_lua_try(L, orr_rigid_report_end(s->sim, (int32_t)job, outcome, &err), &err);
    return 0;
}

/* started(session, before): the list of { position =, processors = "0-3 8" } of the attempts behind
 * the first `before`; the number of attempts; and the number of attempts that the policy has ended
 * so far. */
static int live_started(lua_State *L)
{
    const orr_session *s = check_session(L);
    const orr_schedule *schedule = orr_rigid_schedule(s->sim);
    int64_t before = luaL_checkinteger(L, 2);
    luaL_argcheck(L, before >= 0 && before <= schedule->count, 2, "a number of attempts");
    lua_newtable(L);
    for (int64_t i = before; i < schedule->count; i++) {
        const orr_attempt *a = &schedule->attempts[i];
        lua_createtable(L, 0, 2);
        orr_lua_set_integer(L, "position", a->job + 1);
        orr_lua_push_processors(L, schedule->intervals + a->first_interval, a->interval_count);
        lua_setfield(L, -2, "processors");
        lua_rawseti(L, -2, i - before + 1);
    }
    const orr_run run = orr_rigid_result(s->sim);
    lua_pushinteger(L, schedule->count);
    lua_pushinteger(L, run.totals.preempted + run.totals.cancelled);
    return 3;
}

void orr_lua_open_live(lua_State *L)
{
    static const luaL_Reg functions[] = {{"pass", live_pass},
                                         {"report_end", live_report_end},
                                         {"started", live_started},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_setfield(L, -2, "live");
}
