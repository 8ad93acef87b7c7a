/* What a policy sees of jobs: the value `job`.
 *
 * It is a handle: what it shows is looked up in the call under way, so that a value kept from an
 * earlier run cannot show anything stale; outside a hook it is an error. */
#include "bindings/host/host.h"
#include "bindings/host/views.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>

#define JOB "orrery.job"

typedef struct job_value {
    int32_t job;
    uint32_t epoch; /* of the host: which instance it was made for */
} job_value;

static const job_value *check_value(lua_State *L, const orr_host *host, int arg)
{
    const job_value *v = lua_touserdata(L, arg);
    bool is_job = v && lua_getmetatable(L, arg);
    if (is_job) {
        is_job = lua_topointer(L, -1) == host->item_metatable;
        lua_pop(L, 1);
    }
    if (!is_job)
        luaL_typeerror(L, arg, JOB);
    return v;
}

static bool is_of_this_run(const orr_host *host, const job_value *v)
{
    return host && host->call.instance && host->call.instance == host->jobs_of &&
           v->epoch == host->epoch;
}

int32_t orr_host_check_job(lua_State *L, const orr_host *host, int arg)
{
    const job_value *v = check_value(L, host, arg);
    if (!is_of_this_run(host, v))
        luaL_error(L,
                   "this job belongs to a run that is over; jobs can be used only inside a hook");
    return v->job;
}

enum {
    ID = 1,
    POSITION,
    SUBMIT,
    PROCS,
    TIME,
    AREA,
    USER,
    QUEUE,
    PARTITION,
    ATTEMPTS, /* from here on only while a simulation runs */
    START,
    PLANNED_END,
    GROUP,
    ARRIVAL,
    STATE
};
static const char *const fields[] = {
    "id",        "position", "submit", "procs",       "time",  "area",    "user",  "queue",
    "partition", "attempts", "start",  "planned_end", "group", "arrival", "state", NULL};

const char *orr_job_state_name(orr_rigid_job_state state)
{
    return state == ORR_JOB_PENDING   ? "pending"
           : state == ORR_JOB_WAITING ? "waiting"
           : state == ORR_JOB_RUNNING ? "running"
           : state == ORR_JOB_HELD    ? "held"
                                      : "over";
}

/* NaN: not known yet. */
static void push_time(lua_State *L, double time)
{
    if (time == time)
        lua_pushnumber(L, time);
    else
        lua_pushnil(L);
}

static void push_state_field(lua_State *L, const orr_host *host, int32_t job, int field)
{
    orr_rigid *sim = orr_host_check_running(L, host, fields[field - 1]);
    orr_rigid_job_view view = orr_rigid_job(sim, job);
    if (field == ATTEMPTS)
        lua_pushinteger(L, view.attempts);
    else if (field == STATE)
        lua_pushstring(L, orr_job_state_name(view.state));
    else if (field == START || field == PLANNED_END)
        push_time(L, field == START ? view.start : view.planned_end);
    else if (view.state == ORR_JOB_PENDING)
        lua_pushnil(L);
    else if (field == GROUP)
        lua_pushstring(L, orr_host_group_name(host, view.group));
    else
        lua_pushnumber(L, view.arrival);
}

/* The runtime is no slip: whoever asks for it is told why it is not there. */
static int fail_field(lua_State *L)
{
    if (lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "runtime") == 0)
        return luaL_error(L, "job.runtime: a policy never sees how long a job takes; job.time is "
                             "what the scheduler knows: the walltime in use, by default the "
                             "runtime");
    return orr_lua_unknown_field(L, "job", fields);
}

/* Upvalues: self, numbers of the fields. */
static int job_index(lua_State *L)
{
    const orr_host *host = *(orr_host **)lua_touserdata(L, lua_upvalueindex(1));
    const job_value *v = lua_touserdata(L, 1); /* nobody else has this function */
    if (!is_of_this_run(host, v))
        return luaL_error(L, "this job belongs to a run that is over; jobs can be used only inside "
                             "a hook");
    const orr_instance *in = host->call.instance;
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    int field = (int)lua_tointeger(L, -1);
    switch (field) {
    case 0:
        return fail_field(L);
    case ID:
        lua_pushstring(L, orr_jobs_id(in->jobs, v->job));
        break;
    case POSITION:
        lua_pushinteger(L, v->job + 1);
        break;
    case SUBMIT:
        lua_pushnumber(L, in->submit[v->job]);
        break;
    case PROCS:
        lua_pushinteger(L, in->jobs->procs[v->job]);
        break;
    case TIME:
        lua_pushnumber(L, in->estimate[v->job]);
        break;
    case AREA:
        lua_pushnumber(L, in->estimate[v->job] * in->jobs->procs[v->job]);
        break;
    case USER:
        lua_pushstring(L, orr_jobs_label_text(in->jobs, v->job, ORR_LABEL_USER));
        break;
    case QUEUE:
        lua_pushstring(L, orr_jobs_label_text(in->jobs, v->job, ORR_LABEL_QUEUE));
        break;
    case PARTITION:
        lua_pushstring(L, orr_jobs_label_text(in->jobs, v->job, ORR_LABEL_PARTITION));
        break;
    default:
        push_state_field(L, host, v->job, field);
    }
    return 1;
}

static int job_newindex(lua_State *L)
{
    return luaL_error(L,
                      "jobs cannot be changed by a policy (field '%s'); keep what you remember "
                      "in sim.state",
                      luaL_tolstring(L, 2, NULL));
}

static int job_tostring(lua_State *L)
{
    const orr_host *host = *(orr_host **)lua_touserdata(L, lua_upvalueindex(1));
    const job_value *v = lua_touserdata(L, 1);
    if (!is_of_this_run(host, v))
        lua_pushliteral(L, "job of a run that is over");
    else
        lua_pushfstring(L, "job %s", orr_jobs_id(host->call.instance->jobs, v->job));
    return 1;
}

/* The table holds values only as long as somebody else does: of a million jobs few are in hand. */
static void renew_values(lua_State *L, orr_host *host)
{
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawseti(L, LUA_REGISTRYINDEX, host->values);
    host->jobs_of = host->call.instance;
    host->epoch++;
}

/* The same job is the same value, also as a key. */
void orr_host_push_job(lua_State *L, orr_host *host, int32_t job)
{
    if (host->jobs_of != host->call.instance)
        renew_values(L, host);
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->values);
    if (lua_rawgeti(L, -1, job + 1) == LUA_TNIL) {
        lua_pop(L, 1);
        job_value *v = lua_newuserdatauv(L, sizeof *v, 0);
        *v = (job_value){job, host->epoch};
        lua_rawgeti(L, LUA_REGISTRYINDEX, host->item_metatable_ref);
        lua_setmetatable(L, -2);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, job + 1);
    }
    lua_replace(L, -2);
}

void orr_host_make_job_values(orr_host *host, int self)
{
    lua_State *L = host->L;
    lua_newtable(L);
    host->values = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_newtable(L);
    host->item_metatable = lua_topointer(L, -1);
    orr_lua_set_closure(L, self, "__index", job_index, fields);
    orr_lua_set_closure(L, self, "__newindex", job_newindex, NULL);
    orr_lua_set_closure(L, self, "__tostring", job_tostring, NULL);
    lua_pushliteral(L, "job");
    lua_setfield(L, -2, "__metatable");
    lua_pushliteral(L, JOB);
    lua_setfield(L, -2, "__name");
    host->item_metatable_ref = luaL_ref(L, LUA_REGISTRYINDEX);
}
