/* Submission of jobs to a session while it goes on, without a copy of the session. */
#include "bindings/host/host.h"
#include "bindings/session/session.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

/* Whether `count` jobs can be submitted in place, where no fork has the same simulation. */
static bool has_room(const orr_session *s, int32_t count)
{
    bool fails = !s->given && s->lambda > 0;
    return s->grows && !fails && s->instance->users == 1 && orr_rigid_room(s->sim) >= count;
}

static orr_status submit(orr_session *s, const orr_jobs *more, int32_t first, int32_t count,
                         orr_error *err)
{
    orr_instance *in = &s->instance->instance;
    orr_jobs *jobs = (orr_jobs *)(uintptr_t)in->jobs; /* its own, see read_change */
    if (orr_session_own(s, err) != ORR_OK) /* twins that are gone leave a frozen simulation */
        return err->status;
    orr_session_entry entry = orr_session_enter(s);
    orr_status status = orr_rigid_submit(s->sim, in, jobs, more, first, count, err);
    orr_session_leave(entry);
    return status;
}

/* session:submit(jobs, first, last): submits these of `jobs` in place; false: not possible, and
 * nothing has happened. */
void orr_session_push_submitted(lua_State *L, const orr_session *session)
{
    orr_session *s = orr_lua_check_session(L);
    const orr_jobs *more = orr_lua_check_jobs(L, 2);
    int32_t first = (int32_t)luaL_checkinteger(L, 3) - 1;
    int32_t count = (int32_t)luaL_checkinteger(L, 4) - first;
    (void)session;
    bool fits = has_room(s, count);
    orr_error err;
    if (fits)
        orr_lua_try(L, submit(s, more, first, count, &err), &err);
    lua_pushboolean(L, fits);
}

/* Jobs on their way into a session, one at a time: some of their texts stay here. */
enum { KEPT_ON_THE_WAY = 1000 };
static const char on_the_way; /* its address is the key in the registry */

/* (row, id, submission): pushes a workload whose last job is the row. */
static int read_row(lua_State *L)
{
    orr_error err;
    lua_rawgetp(L, LUA_REGISTRYINDEX, &on_the_way);
    orr_jobs *const *way = lua_touserdata(L, -1);
    if (!way || (*way)->count >= KEPT_ON_THE_WAY) {
        orr_jobs **slot = orr_lua_new_jobs(L);
        *slot = orr_jobs_create(NULL, &err);
        orr_lua_return_jobs(L, slot, &err);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &on_the_way);
    }
    orr_jobs **jobs = lua_touserdata(L, -1);
    lua_pushvalue(L, 1);
    orr_lua_add_job(L, *jobs, 1, lua_tostring(L, 2), lua_tonumber(L, 3));
    return 1;
}

/* Whether the machine has all that a job needs; where not, the way around refuses it (jobs.lua). */
static bool is_there(const orr_instance *in, const orr_jobs *jobs, int32_t job)
{
    for (int32_t i = 0; i < jobs->need_count; i++)
        if (orr_jobs_need(jobs, job, i) != 0 && !orr_instance_has(in, jobs->needs[i].name))
            return false;
    return true;
}

static bool submit_row(lua_State *L, orr_session *s, int row, int id, double now)
{
    orr_error err;
    lua_pushcfunction(L, read_row);
    lua_pushvalue(L, row);
    lua_pushvalue(L, id);
    lua_pushnumber(L, now);
    if (lua_pcall(L, 3, 1, 0) != LUA_OK)
        return false;
    const orr_jobs *jobs = *(orr_jobs *const *)lua_touserdata(L, -1);
    return is_there(&s->instance->instance, jobs, jobs->count - 1) &&
           submit(s, jobs, jobs->count - 1, 1, &err) == ORR_OK;
}

bool orr_session_come(lua_State *L, orr_session *s, int coming, int row, int id)
{
    orr_coming *all = orr_lua_check_coming(L, coming);
    orr_came came = {.time = orr_rigid_look(s->sim).now};
    came.at_once = orr_rigid_next_event(s->sim) <= came.time;
    if (lua_isinteger(L, id))
        lua_tostring(L, id); /* in place */
    if (!has_room(s, 1) || lua_type(L, id) != LUA_TSTRING)
        return false;
    lua_getiuservalue(L, coming, ORR_COMING_IDS);
    int ids = lua_gettop(L);
    if (orr_ids_has(L, ids, lua_tostring(L, id)) || !orr_coming_reserve(all) ||
        !submit_row(L, s, row, id, came.time))
        return false;
    came.last = s->instance->instance.count;
    orr_coming_add(all, came);
    orr_error err; /* without memory for it, the id will not be recognised in later jobs */
    (void)orr_ids_add(L, ids, lua_tostring(L, id), &err);
    return true;
}

/* session:share(): a user holds its workload, to which no jobs may be added any more. */
void orr_session_push_shared(lua_State *L, const orr_session *session)
{
    (void)session;
    orr_lua_check_session(L)->grows = false;
    lua_pushnil(L);
}
