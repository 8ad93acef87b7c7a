/* What a policy for jobs sees of a simulation: the value `sim` (also called view).
 *
 * It is a handle that works only inside a hook. Methods are closures that know their host, so that
 * they are found without a search. What is asked of a group is asked of the one where the hook
 * takes place, if no other is named. */
#include "bindings/host/views.h"
#include "bindings/host/host.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#define SIM "orrery.sim"
#define GROUP_VALUE "orrery.group"

/* --- who asks ------------------------------------------------------------------------------- */

/* The host of a closure, inside a hook; its first upvalue is the userdata host->self. */
static orr_host *host_of(lua_State *L)
{
    orr_host *host = *(orr_host **)lua_touserdata(L, lua_upvalueindex(1));
    if (!host || !host->call.instance)
        luaL_error(L, "sim can be used only inside a hook of the policy");
    return host;
}

/* The host of a method, whose first argument must be sim. */
static orr_host *check_method(lua_State *L)
{
    orr_host *host = host_of(L);
    if (lua_touserdata(L, 1) != (void *)host->self)
        luaL_typeerror(L, 1, SIM);
    return host;
}

static orr_rigid *check_running_method(lua_State *L, const char *what)
{
    return orr_host_check_running(L, check_method(L), what);
}

/* --- groups --------------------------------------------------------------------------------- */

static int32_t group_count(const orr_host *host)
{
    return host->jobs.groups ? host->jobs.group_count : 1;
}

static const char *push_group_names(lua_State *L, const orr_host *host)
{
    luaL_Buffer names;
    luaL_buffinit(L, &names);
    for (int32_t i = 0; i < group_count(host); i++) {
        if (i > 0)
            luaL_addstring(&names, ", ");
        luaL_addstring(&names, orr_host_group_name(host, i));
    }
    luaL_pushresult(&names);
    return lua_tostring(L, -1);
}

static int32_t find_group(lua_State *L, const orr_host *host, int arg)
{
    if (lua_type(L, arg) != LUA_TSTRING)
        luaL_typeerror(L, arg, "the name of a group");
    const char *name = lua_tostring(L, arg);
    for (int32_t i = 0; i < group_count(host); i++)
        if (strcmp(name, orr_host_group_name(host, i)) == 0)
            return i;
    return luaL_error(L, "there is no group '%s' (known: %s)", name, push_group_names(L, host));
}

/* The group that is named, or where the hook takes place. */
static int32_t group_argument(lua_State *L, const orr_host *host, int arg)
{
    if (!lua_isnoneornil(L, arg))
        return find_group(L, host, arg);
    if (host->call.group >= 0)
        return host->call.group;
    return luaL_error(L, "%s takes place in no group; name one (known: %s)", host->call.hook,
                      push_group_names(L, host));
}

enum { G_NAME = 1, G_PROCS, G_FREE, G_DOWN, G_WAITING_COUNT, G_RUNNING_COUNT };
static const char *const group_fields[] = {"name",          "procs",         "free", "down",
                                           "waiting_count", "running_count", NULL};

static void push_group_field(lua_State *L, const orr_rigid_group_view *view, int field)
{
    if (field == G_NAME)
        lua_pushstring(L, view->name);
    else
        lua_pushinteger(L, field == G_PROCS           ? view->procs
                           : field == G_FREE          ? view->free
                           : field == G_DOWN          ? view->down
                           : field == G_WAITING_COUNT ? view->waiting
                                                      : view->running);
}

/* Of what sim:look gives. Upvalues: self, numbers of the fields. */
static int group_index(lua_State *L)
{
    const orr_host *host = host_of(L);
    int32_t group = *(const int32_t *)lua_touserdata(L, 1); /* nobody else has this function */
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    int field = (int)lua_tointeger(L, -1);
    if (field == 0)
        return orr_lua_unknown_field(L, "a group", group_fields);
    orr_rigid_group_view view =
        orr_rigid_look_group(orr_host_check_running(L, host, group_fields[field - 1]), group);
    push_group_field(L, &view, field);
    return 1;
}

/* sim:look(group): a value with the fields of the group as they are when asked. */
static int sim_look(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t group = group_argument(L, host, 2);
    int32_t *v = lua_newuserdatauv(L, sizeof *v, 0);
    *v = group;
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->group_metatable_ref);
    lua_setmetatable(L, -2);
    return 1;
}

/* --- questions ------------------------------------------------------------------------------ */

static int32_t max_procs_argument(lua_State *L, int arg)
{
    lua_Integer procs = luaL_optinteger(L, arg, INT32_MAX - 1);
    luaL_argcheck(L, procs >= 0, arg, "a number of processors is at least 0");
    return procs < INT32_MAX ? (int32_t)procs : INT32_MAX - 1;
}

enum { WHAT_FITS = -1 }; /* most processors: as many as are free at each step */

/* Upvalues: self, group, most processors, the job given last. Walks the queue by rank, so that the
 * jobs it has given may be started meanwhile. */
static int next_waiting(lua_State *L)
{
    orr_host *host = host_of(L);
    int32_t group = (int32_t)lua_tointeger(L, lua_upvalueindex(2));
    int32_t max = (int32_t)lua_tointeger(L, lua_upvalueindex(3));
    int32_t last = (int32_t)lua_tointeger(L, lua_upvalueindex(4));
    orr_rigid *sim = orr_host_check_running(L, host, "waiting");
    if (max == WHAT_FITS)
        max = orr_rigid_look_group(sim, group).free;
    int32_t job = orr_rigid_next_waiting(sim, group, last, max);
    if (job < 0)
        return 0;
    lua_pushinteger(L, job);
    lua_replace(L, lua_upvalueindex(4));
    orr_host_push_job(L, host, job);
    return 1;
}

static int push_iterator(lua_State *L, int32_t group, int32_t max_procs)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushinteger(L, group);
    lua_pushinteger(L, max_procs);
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_waiting, 4);
    return 1;
}

/* sim:waiting([most_procs[, group]]): iterates over the waiting jobs in queue order. */
static int sim_waiting(lua_State *L)
{
    check_running_method(L, "waiting");
    int32_t most = max_procs_argument(L, 2);
    return push_iterator(L, group_argument(L, host_of(L), 3), most);
}

/* sim:fitting([group]): the same, but only the jobs that fit on what is free when their turn comes.
 */
static int sim_fitting(lua_State *L)
{
    check_running_method(L, "fitting");
    return push_iterator(L, group_argument(L, host_of(L), 2), WHAT_FITS);
}

/* sim:running([group]): the list of running jobs in order of their starts. */
static int sim_running(lua_State *L)
{
    orr_rigid *sim = check_running_method(L, "running");
    orr_host *host = host_of(L);
    int32_t group = group_argument(L, host, 2);
    int32_t n = orr_rigid_look_group(sim, group).running;
    int32_t *jobs = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *jobs, 0);
    n = orr_rigid_running(sim, group, jobs);
    lua_createtable(L, n, 0);
    for (int32_t i = 0; i < n; i++) {
        orr_host_push_job(L, host, jobs[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* sim:job(position): for what sim.state remembers of jobs; not of those still to come. */
static int sim_job(lua_State *L)
{
    orr_rigid *sim = check_running_method(L, "job");
    orr_host *host = host_of(L);
    lua_Integer position = luaL_checkinteger(L, 2);
    luaL_argcheck(L, position >= 1 && position <= host->call.instance->count, 2,
                  "there is no job at this position");
    int32_t job = (int32_t)position - 1;
    if (orr_rigid_job(sim, job).state == ORR_JOB_PENDING && job != host->call.item)
        return luaL_argerror(L, 2, "the job at this position is not submitted yet");
    orr_host_push_job(L, host, job);
    return 1;
}

/* sim:earliest_start(procs, seconds[, group]): s. */
static int sim_earliest_start(lua_State *L)
{
    orr_rigid *sim = check_running_method(L, "earliest_start");
    lua_Integer procs = luaL_checkinteger(L, 2);
    lua_Number seconds = luaL_checknumber(L, 3);
    const orr_host *host = host_of(L);
    int32_t group = group_argument(L, host, 4);
    int32_t most = orr_rigid_look_group(sim, group).procs;
    if ((procs < 1 || procs > most) && group_count(host) == 1)
        return luaL_error(L, "earliest_start: the machine has 1 to %d processors, not %I",
                          (int)most, (LUAI_UACINT)procs);
    if (procs < 1 || procs > most)
        return luaL_error(L, "earliest_start: the group %s has 1 to %d processors, not %I",
                          orr_host_group_name(host, group), (int)most, (LUAI_UACINT)procs);
    luaL_argcheck(L, seconds >= 0, 3, "seconds must be at least 0");
    lua_pushnumber(L, orr_rigid_earliest_start(sim, group, (int32_t)procs, seconds));
    return 1;
}

/* sim:can_start(job): whether it fits now and delays no reservation. */
static int sim_can_start(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t job = orr_host_check_job(L, host, 2);
    orr_rigid *sim = orr_host_check_running(L, host, "can_start");
    lua_pushboolean(L, orr_rigid_job(sim, job).state == ORR_JOB_WAITING &&
                           orr_rigid_can_start(sim, job));
    return 1;
}

/* --- actions -------------------------------------------------------------------------------- */

static int act(lua_State *L, const char *what,
               orr_status (*action)(orr_rigid *sim, int32_t job, orr_error *err))
{
    orr_host *host = check_method(L);
    int32_t job = orr_host_check_job(L, host, 2);
    orr_error err;
    if (action(orr_host_check_running(L, host, what), job, &err) != ORR_OK)
        return orr_lua_raise_decision(L, &err);
    return 0;
}

static int sim_start(lua_State *L)
{
    return act(L, "start", orr_rigid_start);
}

static int sim_kill(lua_State *L)
{
    return act(L, "kill", orr_rigid_kill);
}

static int sim_requeue(lua_State *L)
{
    return act(L, "requeue", orr_rigid_requeue);
}

static int sim_hold(lua_State *L)
{
    return act(L, "hold", orr_rigid_hold);
}

static int sim_release(lua_State *L)
{
    return act(L, "release", orr_rigid_release);
}

/* sim:reserve(job): the time, in s, that is reserved for it until the end of this decision. */
static int sim_reserve(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t job = orr_host_check_job(L, host, 2);
    double start;
    orr_error err;
    if (orr_rigid_reserve(orr_host_check_running(L, host, "reserve"), job, &start, &err) != ORR_OK)
        return orr_lua_raise_decision(L, &err);
    lua_pushnumber(L, start);
    return 1;
}

/* sim:move(job, group) */
static int sim_move(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t job = orr_host_check_job(L, host, 2);
    if (lua_type(L, 3) == LUA_TSTRING && host->call.sim) {
        int32_t group = orr_rigid_find_group(host->call.sim, lua_tostring(L, 3));
        if (group < 0)
            return luaL_error(L, "job %s cannot be moved: there is no group '%s' (known: %s)",
                              orr_jobs_id(host->call.instance->jobs, job), lua_tostring(L, 3),
                              push_group_names(L, host));
    }
    orr_error err;
    orr_rigid *sim = orr_host_check_running(L, host, "move");
    if (orr_rigid_move(sim, job, find_group(L, host, 3), &err) != ORR_OK)
        return orr_lua_raise_decision(L, &err);
    return 0;
}

/* sim:wake_at(seconds) */
static int sim_wake_at(lua_State *L)
{
    orr_rigid *sim = check_running_method(L, "wake_at");
    orr_error err;
    if (orr_rigid_wake_at(sim, luaL_checknumber(L, 2), &err) != ORR_OK)
        return orr_lua_raise_decision(L, &err);
    return 0;
}

/* --- fields --------------------------------------------------------------------------------- */

enum {
    NOW = 1,
    FREE,
    PROCS,
    WAITING_COUNT,
    RUNNING_COUNT,
    DOWN,
    STATE,
    GROUP,
    GROUPS,
    FIRST_SUBMIT
};
static const char *const sim_fields[] = {
    "now",     "free",  "procs",   "waiting_count",  "running_count", "down",
    "state",   "group", "groups",  "first_submit",   "waiting",       "fitting",
    "running", "job",   "look",    "earliest_start", "can_start",     "start",
    "reserve", "kill",  "requeue", "move",           "hold",          "release",
    "wake_at", NULL};

/* The registry reference of the state table; 0 where there is none. */
static int state_ref(orr_rigid *sim)
{
    return (int)(intptr_t)orr_rigid_look(sim).state;
}

static int push_groups(lua_State *L, const orr_host *host)
{
    lua_createtable(L, group_count(host), 0);
    for (int32_t i = 0; i < group_count(host); i++) {
        lua_pushstring(L, orr_host_group_name(host, i));
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int push_group_or_nil(lua_State *L, const orr_host *host)
{
    lua_pushstring(L, host->call.group < 0 ? NULL : orr_host_group_name(host, host->call.group));
    return 1;
}

/* Of the group where the hook takes place, or of the machine. */
static int push_count(lua_State *L, const orr_host *host, orr_rigid *sim, int field)
{
    static const int of_groups[] = {[FREE] = G_FREE,
                                    [DOWN] = G_DOWN,
                                    [WAITING_COUNT] = G_WAITING_COUNT,
                                    [RUNNING_COUNT] = G_RUNNING_COUNT};
    orr_rigid_group_view view;
    if (host->call.group >= 0) {
        view = orr_rigid_look_group(sim, host->call.group);
    } else {
        orr_rigid_view all = orr_rigid_look(sim);
        view = (orr_rigid_group_view){
            .free = all.free, .down = all.down, .waiting = all.waiting, .running = all.running};
    }
    push_group_field(L, &view, of_groups[field]);
    return 1;
}

/* What is no method. The first argument is the table of methods. Upvalues: self, numbers. */
static int sim_field(lua_State *L)
{
    orr_host *host = host_of(L);
    lua_pushvalue(L, 2);
    lua_rawget(L, lua_upvalueindex(2));
    int field = (int)lua_tointeger(L, -1);
    switch (field) {
    case PROCS:
        lua_pushinteger(L, host->call.procs);
        return 1;
    case FIRST_SUBMIT:
        lua_pushnumber(L, host->call.instance->first_submission);
        return 1;
    case GROUP:
        return push_group_or_nil(L, host);
    case GROUPS:
        return push_groups(L, host);
    case 0:
        return orr_lua_unknown_field(L, "sim", sim_fields);
    default:
        break;
    }
    orr_rigid *sim = orr_host_check_running(L, host, sim_fields[field - 1]);
    if (field == NOW)
        lua_pushnumber(L, orr_rigid_look(sim).now);
    else if (field == STATE)
        lua_rawgeti(L, LUA_REGISTRYINDEX, state_ref(sim));
    else
        return push_count(L, host, sim, field);
    return 1;
}

static int sim_newindex(lua_State *L)
{
    orr_host *host = host_of(L);
    const char *name = lua_tostring(L, 2);
    if (!name || strcmp(name, "state") != 0)
        return luaL_error(L, "sim.%s cannot be set; only sim.state can",
                          luaL_tolstring(L, 2, NULL));
    luaL_checktype(L, 3, LUA_TTABLE);
    lua_pushvalue(L, 3);
    lua_rawseti(L, LUA_REGISTRYINDEX, state_ref(orr_host_check_running(L, host, "state")));
    return 0;
}

static int sim_tostring(lua_State *L)
{
    const orr_host *host = *(orr_host **)lua_touserdata(L, lua_upvalueindex(1));
    if (!host || !host->call.sim)
        lua_pushliteral(L, "sim");
    else
        lua_pushfstring(L, "sim at %f s", (LUAI_UACNUMBER)orr_rigid_look(host->call.sim).now);
    return 1;
}

/* --- making --------------------------------------------------------------------------------- */

/* The table of methods, with the fields behind it. */
static void push_methods(lua_State *L, int self)
{
    static const luaL_Reg methods[] = {
        {"waiting", sim_waiting},     {"fitting", sim_fitting},
        {"running", sim_running},     {"job", sim_job},
        {"look", sim_look},           {"earliest_start", sim_earliest_start},
        {"can_start", sim_can_start}, {"start", sim_start},
        {"reserve", sim_reserve},     {"kill", sim_kill},
        {"requeue", sim_requeue},     {"move", sim_move},
        {"hold", sim_hold},           {"release", sim_release},
        {"wake_at", sim_wake_at},     {NULL, NULL}};
    lua_newtable(L);
    for (const luaL_Reg *m = methods; m->name; m++)
        orr_lua_set_closure(L, self, m->name, m->func, NULL);
    lua_newtable(L);
    orr_lua_set_closure(L, self, "__index", sim_field, sim_fields);
    lua_setmetatable(L, -2);
}

static void set_name(lua_State *L, const char *shown, const char *name)
{
    lua_pushstring(L, shown);
    lua_setfield(L, -2, "__metatable");
    lua_pushstring(L, name);
    lua_setfield(L, -2, "__name");
}

void orr_host_make_sim(orr_host *host)
{
    lua_State *L = host->L;
    int self = lua_gettop(L);
    orr_host_make_job_values(host, self);
    lua_newtable(L);
    orr_lua_set_closure(L, self, "__index", group_index, group_fields);
    set_name(L, "group", GROUP_VALUE);
    host->group_metatable_ref = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_newtable(L);
    push_methods(L, self);
    lua_setfield(L, -2, "__index");
    orr_lua_set_closure(L, self, "__newindex", sim_newindex, NULL);
    orr_lua_set_closure(L, self, "__tostring", sim_tostring, NULL);
    set_name(L, "sim", SIM);
    lua_setmetatable(L, self);
    host->sim_value = luaL_ref(L, LUA_REGISTRYINDEX);
}
