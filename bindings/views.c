/* What a policy sees of a simulation: the values `sim` (also called view) and `job`.
 *
 * Both are handles. A job value is a position; what it shows is looked up in the call under way, so
 * that a value kept from an earlier run cannot show anything stale: outside a hook it is an error.
 */
#include "host.h"

#include <math.h>
#include <string.h>

#define SIM "orrery.sim"
#define JOB "orrery.job"

typedef struct job_value {
    orr_host **host;              /* inside the sim value, which the job value keeps alive */
    const orr_instance *instance; /* the one it was made for */
    int32_t job;
} job_value;

static _Noreturn void refuse(lua_State *L, const char *why)
{
    luaL_error(L, "%s", why);
    __builtin_unreachable();
}

static orr_host *check_sim(lua_State *L, int arg)
{
    orr_host *host = *(orr_host **)luaL_checkudata(L, arg, SIM);
    if (!host || !host->call.instance)
        refuse(L, "sim can be used only inside a hook of the policy");
    return host;
}

static orr_rigid *check_running(lua_State *L, orr_host *host, const char *what)
{
    if (!host->call.sim)
        luaL_error(L,
                   "%s is not known when a priority is asked once per workload; say per = "
                   "\"scenario\", \"attempt\" or \"decision\"",
                   what);
    return host->call.sim;
}

static const job_value *check_job(lua_State *L, int arg)
{
    const job_value *v = luaL_checkudata(L, arg, JOB);
    if (!*v->host || !(*v->host)->call.instance || (*v->host)->call.instance != v->instance)
        refuse(L, "this job belongs to a run that is over; jobs can be used only inside a hook");
    return v;
}

int orr_lua_unknown_field(lua_State *L, const char *what, const char *const *names)
{
    luaL_Buffer known;
    luaL_buffinit(L, &known);
    for (int i = 0; names[i]; i++) {
        if (i > 0)
            luaL_addstring(&known, ", ");
        luaL_addstring(&known, names[i]);
    }
    luaL_pushresult(&known);
    const char *names_known = lua_tostring(L, -1), *name = luaL_tolstring(L, 2, NULL);
    return luaL_error(L, "%s has no field '%s' (known: %s)", what, name, names_known);
}

/* The number of the field named at index 2, from the table of names in upvalue 1; 0: unknown. */
static int field_number(lua_State *L)
{
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    int number = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return number;
}

/* --- job ------------------------------------------------------------------------------------ */

enum { ID = 1, POSITION, SUBMIT, PROCS, TIME, AREA, ATTEMPTS, START, PLANNED_END };
static const char *const job_fields[] = {"id",   "position", "submit", "procs",       "time",
                                         "area", "attempts", "start",  "planned_end", NULL};

/* attempts, start, planned_end: nil before the first attempt has started. */
static int push_attempt_field(lua_State *L, const job_value *v, int field)
{
    orr_rigid *sim = check_running(L, *v->host, job_fields[field - 1]);
    orr_job_view view = orr_rigid_job(sim, v->job);
    if (field == ATTEMPTS)
        lua_pushinteger(L, view.attempts);
    else if (view.attempts == 0)
        lua_pushnil(L);
    else
        lua_pushnumber(L, field == START ? view.start : view.planned_end);
    return 1;
}

static int job_index(lua_State *L)
{
    const job_value *v = check_job(L, 1);
    const orr_instance *in = v->instance;
    int field = field_number(L);
    switch (field) {
    case ID:
        lua_pushstring(L, orr_jobs_id(in->jobs, v->job));
        return 1;
    case POSITION:
        lua_pushinteger(L, v->job + 1);
        return 1;
    case SUBMIT:
        lua_pushnumber(L, in->submit[v->job]);
        return 1;
    case PROCS:
        lua_pushinteger(L, in->jobs->procs[v->job]);
        return 1;
    case TIME:
        lua_pushnumber(L, in->estimate[v->job]);
        return 1;
    case AREA:
        lua_pushnumber(L, in->estimate[v->job] * in->jobs->procs[v->job]);
        return 1;
    case ATTEMPTS:
    case START:
    case PLANNED_END:
        return push_attempt_field(L, v, field);
    default:
        return orr_lua_unknown_field(L, "job", job_fields);
    }
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
    const job_value *v = luaL_checkudata(L, 1, JOB);
    if (!*v->host || (*v->host)->call.instance != v->instance)
        lua_pushliteral(L, "job of a run that is over");
    else
        lua_pushfstring(L, "job %s", orr_jobs_id(v->instance->jobs, v->job));
    return 1;
}

/* Values are made once per job and instance: the same job is the same value, also as a key. */
void orr_host_push_job(lua_State *L, orr_host *host, int32_t job)
{
    if (host->jobs_of != host->call.instance) {
        lua_newtable(L);
        lua_rawseti(L, LUA_REGISTRYINDEX, host->values);
        host->jobs_of = host->call.instance;
    }
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->values);
    if (lua_rawgeti(L, -1, job + 1) == LUA_TNIL) {
        lua_pop(L, 1);
        job_value *v = lua_newuserdatauv(L, sizeof *v, 1);
        *v = (job_value){host->self, host->call.instance, job};
        orr_host_push_sim(L, host);
        lua_setiuservalue(L, -2, 1);
        luaL_setmetatable(L, JOB);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, job + 1);
    }
    lua_remove(L, -2);
}

/* --- sim ------------------------------------------------------------------------------------ */

enum {
    NOW = 1,
    FREE,
    MACHINE,
    WAITING_COUNT,
    RUNNING_COUNT,
    STATE,
    GROUP,
    FIRST_SUBMIT,
    FIRST_METHOD
};
static const char *const sim_fields[] = {"now",           "free",    "procs",   "waiting_count",
                                         "running_count", "state",   "group",   "first_submit",
                                         "waiting",       "fitting", "running", "earliest_start",
                                         "can_start",     "start",   "reserve", NULL};

/* The registry reference of the state table; 0 where there is none. */
static int state_ref(orr_rigid *sim)
{
    return (int)(intptr_t)orr_rigid_look(sim).state;
}

static int sim_index(lua_State *L)
{
    orr_host *host = check_sim(L, 1);
    int field = field_number(L);
    if (field >= FIRST_METHOD) {
        lua_pushvalue(L, 2);
        lua_rawget(L, lua_upvalueindex(2));
        return 1;
    }
    if (field == 0)
        return orr_lua_unknown_field(L, "sim", sim_fields);
    if (field == MACHINE) {
        lua_pushinteger(L, host->call.instance->procs);
        return 1;
    }
    if (field == GROUP) {
        lua_pushliteral(L, "main");
        return 1;
    }
    if (field == FIRST_SUBMIT) {
        lua_pushnumber(L, host->call.instance->first_submission);
        return 1;
    }
    orr_rigid_view view = orr_rigid_look(check_running(L, host, sim_fields[field - 1]));
    if (field == NOW)
        lua_pushnumber(L, view.now);
    else if (field == STATE)
        lua_rawgeti(L, LUA_REGISTRYINDEX, state_ref(host->call.sim));
    else
        lua_pushinteger(L, field == FREE            ? view.free
                           : field == WAITING_COUNT ? view.waiting
                                                    : view.running);
    return 1;
}

static int sim_newindex(lua_State *L)
{
    orr_host *host = check_sim(L, 1);
    if (field_number(L) != STATE)
        return luaL_error(L, "sim.%s cannot be set; only sim.state can",
                          luaL_tolstring(L, 2, NULL));
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_pushvalue(L, 3);
    lua_rawseti(L, LUA_REGISTRYINDEX, state_ref(check_running(L, host, "state")));
    return 0;
}

static int32_t max_procs_argument(lua_State *L, int arg)
{
    lua_Integer procs = luaL_optinteger(L, arg, INT32_MAX - 1);
    luaL_argcheck(L, procs >= 0, arg, "a number of processors is at least 0");
    return procs < INT32_MAX ? (int32_t)procs : INT32_MAX - 1;
}

enum { WHAT_FITS = -1 }; /* most processors: as many as are free at each step */

/* Upvalues: sim, most processors, the job given last. Walks the queue by rank, so that the jobs it
 * has given may be started meanwhile. */
static int next_waiting(lua_State *L)
{
    orr_host *host = check_sim(L, lua_upvalueindex(1));
    int32_t last = (int32_t)lua_tointeger(L, lua_upvalueindex(3));
    int32_t max = (int32_t)lua_tointeger(L, lua_upvalueindex(2));
    orr_rigid *sim = check_running(L, host, "waiting");
    if (max == WHAT_FITS)
        max = orr_rigid_look(sim).free;
    int32_t job = orr_rigid_next_waiting(sim, 0, last, max);
    if (job < 0)
        return 0;
    lua_pushinteger(L, job);
    lua_replace(L, lua_upvalueindex(3));
    orr_host_push_job(L, host, job);
    return 1;
}

static int push_iterator(lua_State *L, int32_t max_procs)
{
    check_running(L, check_sim(L, 1), "waiting");
    lua_pushvalue(L, 1);
    lua_pushinteger(L, max_procs);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_waiting, 3);
    return 1;
}

/* sim:waiting([most_procs]): iterates over the waiting jobs in queue order. */
static int sim_waiting(lua_State *L)
{
    return push_iterator(L, max_procs_argument(L, 2));
}

/* sim:fitting(): the same, but only the jobs that fit on what is free when their turn comes. */
static int sim_fitting(lua_State *L)
{
    return push_iterator(L, WHAT_FITS);
}

/* sim:running(): the list of running jobs in order of their starts. */
static int sim_running(lua_State *L)
{
    orr_host *host = check_sim(L, 1);
    orr_rigid *sim = check_running(L, host, "running");
    int32_t n = orr_rigid_look(sim).running;
    int32_t *jobs = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *jobs, 0);
    orr_rigid_running(sim, -1, jobs);
    lua_createtable(L, n, 0);
    for (int32_t i = 0; i < n; i++) {
        orr_host_push_job(L, host, jobs[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* sim:earliest_start(procs, seconds): s. */
static int sim_earliest_start(lua_State *L)
{
    orr_host *host = check_sim(L, 1);
    orr_rigid *sim = check_running(L, host, "earliest_start");
    lua_Integer procs = luaL_checkinteger(L, 2);
    lua_Number seconds = luaL_checknumber(L, 3);
    if (procs < 1 || procs > host->call.instance->procs)
        return luaL_error(L, "earliest_start: the machine has 1 to %d processors, not %I",
                          (int)host->call.instance->procs, (LUAI_UACINT)procs);
    luaL_argcheck(L, seconds >= 0, 3, "seconds must be at least 0");
    lua_pushnumber(L, orr_rigid_earliest_start(sim, 0, (int32_t)procs, seconds));
    return 1;
}

static orr_rigid *job_arguments(lua_State *L, const char *what, int32_t *job)
{
    orr_host *host = check_sim(L, 1);
    *job = check_job(L, 2)->job;
    return check_running(L, host, what);
}

/* sim:can_start(job): whether it fits now and delays no reservation. */
static int sim_can_start(lua_State *L)
{
    int32_t job;
    orr_rigid *sim = job_arguments(L, "can_start", &job);
    lua_pushboolean(L, orr_rigid_job(sim, job).state == ORR_JOB_WAITING &&
                           orr_rigid_can_start(sim, job));
    return 1;
}

int orr_lua_raise_decision(lua_State *L, const orr_error *err)
{
    luaL_where(L, 1);
    lua_pushstring(L, err->message);
    lua_concat(L, 2);
    return lua_error(L);
}

static int sim_start(lua_State *L)
{
    int32_t job;
    orr_error err;
    orr_rigid *sim = job_arguments(L, "start", &job);
    if (orr_rigid_start(sim, job, &err) != ORR_OK)
        return orr_lua_raise_decision(L, &err);
    return 0;
}

/* sim:reserve(job): the time, in s, that is reserved for it until the end of this decision. */
static int sim_reserve(lua_State *L)
{
    int32_t job;
    double start;
    orr_error err;
    orr_rigid *sim = job_arguments(L, "reserve", &job);
    if (orr_rigid_reserve(sim, job, &start, &err) != ORR_OK)
        return orr_lua_raise_decision(L, &err);
    lua_pushnumber(L, start);
    return 1;
}

static int sim_tostring(lua_State *L)
{
    const orr_host *host = *(orr_host **)luaL_checkudata(L, 1, SIM);
    if (!host || !host->call.sim)
        lua_pushliteral(L, "sim");
    else
        lua_pushfstring(L, "sim at %f s", (LUAI_UACNUMBER)orr_rigid_look(host->call.sim).now);
    return 1;
}

void orr_host_push_sim(lua_State *L, const orr_host *host)
{
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->sim_value);
}

/* --- opening -------------------------------------------------------------------------------- */

void orr_lua_push_numbering(lua_State *L, const char *const *names)
{
    lua_newtable(L);
    for (int i = 0; names[i]; i++) {
        lua_pushinteger(L, i + 1);
        lua_setfield(L, -2, names[i]);
    }
}

static void open_views(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"waiting", sim_waiting},     {"fitting", sim_fitting},
        {"running", sim_running},     {"earliest_start", sim_earliest_start},
        {"can_start", sim_can_start}, {"start", sim_start},
        {"reserve", sim_reserve},     {NULL, NULL}};
    if (luaL_newmetatable(L, JOB)) {
        orr_lua_push_numbering(L, job_fields);
        lua_pushcclosure(L, job_index, 1);
        lua_setfield(L, -2, "__index");
        lua_pushcfunction(L, job_newindex);
        lua_setfield(L, -2, "__newindex");
        lua_pushcfunction(L, job_tostring);
        lua_setfield(L, -2, "__tostring");
        lua_pushliteral(L, "job");
        lua_setfield(L, -2, "__metatable");
    }
    if (luaL_newmetatable(L, SIM)) {
        orr_lua_push_numbering(L, sim_fields);
        lua_pushvalue(L, -1);
        luaL_newlib(L, methods);
        lua_pushcclosure(L, sim_index, 2);
        lua_setfield(L, -3, "__index");
        lua_pushcclosure(L, sim_newindex, 1);
        lua_setfield(L, -2, "__newindex");
        lua_pushcfunction(L, sim_tostring);
        lua_setfield(L, -2, "__tostring");
        lua_pushliteral(L, "sim");
        lua_setfield(L, -2, "__metatable");
    }
    lua_pop(L, 2);
}

void orr_host_make_sim(orr_host *host)
{
    lua_State *L = host->L;
    open_views(L);
    luaL_setmetatable(L, SIM);
    host->sim_value = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_newtable(L);
    host->values = luaL_ref(L, LUA_REGISTRYINDEX);
}
