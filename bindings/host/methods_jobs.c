/* The methods of `sim` for policies for jobs: questions about waiting and running jobs, groups and
 * nodes, actions, and the calendar. A question about a group is about the group that the hook is
 * called for, unless the policy names another. */
#include "bindings/host/methods_jobs.h"
#include "bindings/host/host.h"
#include "bindings/host/notes.h"
#include "bindings/support/fields.h"
#include "bindings/support/raise.h"
#include "workload/utc.h"

#include <math.h>
#include <string.h>

/* --- arguments ------------------------------------------------------------------------------ */

/* The host of a method, whose first argument must be sim. */
static orr_host *check_method(lua_State *L)
{
    orr_host *host = orr_view_host(L);
    if (lua_touserdata(L, 1) != (void *)host->self)
        luaL_typeerror(L, 1, ORR_SIM_OF_JOBS);
    return host;
}

static orr_host *check_running_method(lua_State *L, const char *what)
{
    orr_host *host = check_method(L);
    orr_host_check_running(L, host, what);
    return host;
}

int orr_view_fail_over(lua_State *L)
{
    return luaL_error(
        L, "this job belongs to a run that is over; jobs can be used only inside a hook");
}

static int32_t check_job(lua_State *L, const orr_host *host, int arg)
{
    return orr_view_check_live(L, host, orr_view_check_item(L, host, arg, ORR_JOB));
}

static const char *push_group_names(lua_State *L, const orr_host *host)
{
    luaL_Buffer names;
    luaL_buffinit(L, &names);
    for (int32_t i = 0; i < orr_host_group_count(host); i++) {
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
    for (int32_t i = 0; i < orr_host_group_count(host); i++)
        if (strcmp(name, orr_host_group_name(host, i)) == 0)
            return i;
    return luaL_error(L, "there is no group '%s' (known: %s)", name, push_group_names(L, host));
}

/* The group that is named, or where the hook takes place. */
static int32_t group_argument(lua_State *L, const orr_host *host, int arg)
{
    if (!lua_isnoneornil(L, arg))
        return find_group(L, host, arg);
    if (host->call->group >= 0)
        return host->call->group;
    return luaL_error(L, "%s takes place in no group; name one (known: %s)", host->call->hook,
                      push_group_names(L, host));
}

/* --- questions ------------------------------------------------------------------------------ */

/* sim:look(group): a value with the fields of the group as they are when asked. */
static int sim_look(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t group = group_argument(L, host, 2);
    int32_t *v = lua_newuserdatauv(L, sizeof *v, 0);
    *v = group;
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_GROUP_METATABLE]);
    lua_setmetatable(L, -2);
    return 1;
}

static int32_t max_procs_argument(lua_State *L, int arg)
{
    lua_Integer procs = luaL_optinteger(L, arg, INT32_MAX - 1);
    luaL_argcheck(L, procs >= 0, arg, "a number of processors is at least 0");
    return procs < INT32_MAX ? (int32_t)procs : INT32_MAX - 1;
}

/* Most processors: as many as are free at each step, for all such jobs or those that can start. */
enum { WHAT_FITS = -1, WHAT_STARTS = -2 };

/* What sim:waiting gives: called, the next job, as a loop needs it; w[i], where ipairs finds it. It
 * walks the queue by rank, so that the jobs it has given may be started meanwhile. */
typedef struct queue {
    int32_t group, max; /* processors */
    int32_t last;       /* the job that a call gave last; -1: none */
    int32_t item;       /* the job that w[i] gave last, with i as `at` */
    lua_Integer at;
} queue;

static int32_t job_behind(lua_State *L, const queue *q, int32_t last)
{
    const orr_host *host = orr_view_host(L);
    orr_rigid *sim = orr_host_check_running(L, host, "waiting");
    int32_t max = q->max < 0 ? orr_rigid_look_group(sim, q->group).free : q->max;
    do
        last = orr_rigid_next_waiting(sim, q->group, last, max);
    while (q->max == WHAT_STARTS && last >= 0 && !orr_rigid_can_start(sim, last));
    return last;
}

static int queue_call(lua_State *L)
{
    queue *q = lua_touserdata(L, 1); /* nobody else has this function, nor those below */
    int32_t job = job_behind(L, q, q->last);
    if (job < 0)
        return 0;
    q->last = job;
    orr_host_push_item(L, orr_view_owner(L), job);
    return 1;
}

static int queue_index(lua_State *L)
{
    queue *q = lua_touserdata(L, 1);
    int is_integer;
    lua_Integer i = lua_tointegerx(L, 2, &is_integer);
    if (!is_integer)
        return luaL_error(L,
                          "waiting jobs have no field '%s', only numbers from 1, as in a loop "
                          "over sim:waiting() or over ipairs(sim:waiting())",
                          orr_lua_push_key(L, 2));
    if (i != q->at + 1)
        q->at = 0, q->item = -1;
    for (int32_t job = 0; q->at < i; q->at++, q->item = job)
        if ((job = job_behind(L, q, q->item)) < 0)
            return 0;
    if (i < 1)
        return 0;
    orr_host_push_item(L, orr_view_owner(L), q->item);
    return 1;
}

static int queue_length(lua_State *L)
{
    const queue *q = lua_touserdata(L, 1);
    int32_t count = 0;
    for (int32_t job = -1; (job = job_behind(L, q, job)) >= 0;)
        count++;
    lua_pushinteger(L, count);
    return 1;
}

const luaL_Reg orr_queue_of_jobs[] = {
    {"__call", queue_call}, {"__index", queue_index}, {"__len", queue_length}, {NULL, NULL}};

static int push_queue(lua_State *L, const orr_host *host, int32_t group, int32_t max_procs)
{
    queue *q = lua_newuserdatauv(L, sizeof *q, 0);
    *q = (queue){.group = group, .max = max_procs, .last = -1, .item = -1};
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_QUEUE_METATABLE]);
    lua_setmetatable(L, -2);
    return 1;
}

/* sim:waiting([most_procs[, group]]): the waiting jobs in queue order. */
static int sim_waiting(lua_State *L)
{
    const orr_host *host = check_running_method(L, "waiting");
    int32_t most = max_procs_argument(L, 2);
    return push_queue(L, host, group_argument(L, host, 3), most);
}

/* sim:fitting([group]): the same, but only the jobs that fit on what is free when their turn comes.
 */
static int sim_fitting(lua_State *L)
{
    const orr_host *host = check_running_method(L, "fitting");
    return push_queue(L, host, group_argument(L, host, 2), WHAT_FITS);
}

/* sim:startable([group]): the same, but only those that can start then. */
static int sim_startable(lua_State *L)
{
    const orr_host *host = check_running_method(L, "startable");
    return push_queue(L, host, group_argument(L, host, 2), WHAT_STARTS);
}

/* sim:running([group]): the list of running jobs in order of their starts. */
static int sim_running(lua_State *L)
{
    orr_host *host = check_running_method(L, "running");
    int32_t group = group_argument(L, host, 2);
    int32_t n = orr_rigid_look_group(host->call->sim, group).running;
    int32_t *jobs = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *jobs, 0);
    n = orr_rigid_running(host->call->sim, group, jobs);
    lua_createtable(L, n, 0);
    for (int32_t i = 0; i < n; i++) {
        orr_host_push_item(L, host, jobs[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* sim:job(position): for what sim.state remembers of jobs; not of those still to come. */
static int sim_job(lua_State *L)
{
    orr_host *host = check_running_method(L, "job");
    lua_Integer position = luaL_checkinteger(L, 2);
    luaL_argcheck(L, position >= 1 && position <= host->call->instance->count, 2,
                  "there is no job at this position");
    int32_t job = (int32_t)position - 1;
    if (orr_rigid_job(host->call->sim, job).state == ORR_JOB_PENDING && job != host->call->item)
        return luaL_argerror(L, 2, "the job at this position is not submitted yet");
    orr_host_push_item(L, host, job);
    return 1;
}

/* sim:earliest_start(procs, seconds[, group]): s. */
static int sim_earliest_start(lua_State *L)
{
    const orr_host *host = check_running_method(L, "earliest_start");
    lua_Integer procs = luaL_checkinteger(L, 2);
    lua_Number seconds = luaL_checknumber(L, 3);
    int32_t group = group_argument(L, host, 4);
    int32_t most = orr_rigid_look_group(host->call->sim, group).procs;
    if (procs < 1 || procs > most) {
        bool is_all = orr_host_group_count(host) == 1;
        return luaL_error(L, "earliest_start: the %s%s has 1 to %d processors, not %I",
                          is_all ? "machine" : "group ",
                          is_all ? "" : orr_host_group_name(host, group), (int)most,
                          (LUAI_UACINT)procs);
    }
    luaL_argcheck(L, seconds >= 0, 3, "seconds must be at least 0");
    lua_pushnumber(L, orr_rigid_earliest_start(host->call->sim, group, (int32_t)procs, seconds));
    return 1;
}

/* sim:recent_wait(probability[, group]): s; nil before the first start. */
static int sim_recent_wait(lua_State *L)
{
    const orr_host *host = check_running_method(L, "recent_wait");
    lua_Number probability = luaL_checknumber(L, 2);
    luaL_argcheck(L, probability >= 0 && probability <= 1, 2,
                  "a quantile's probability is in [0, 1]");
    int32_t group = group_argument(L, host, 3);
    orr_view_push_time(L, orr_rigid_recent_wait(host->call->sim, group, probability));
    return 1;
}

/* What is free of a resource (-1: of the processors) on the nodes from `low` to `high`. */
static int64_t free_of_nodes(const orr_rigid *sim, int32_t low, int32_t high, int32_t resource)
{
    int64_t sum = 0;
    for (int32_t k = low; k <= high; k++)
        sum += orr_rigid_node_free(sim, k, resource);
    return sum;
}

/* sim:free_of(name[, partition]): how much is free of a pool, or of a resource of nodes, of all or
 * of a partition; of a partition's processors, by its name. */
static int sim_free_of(lua_State *L)
{
    const orr_host *host = check_running_method(L, "free_of");
    const orr_instance *in = host->call->instance;
    const orr_rigid *sim = host->call->sim;
    const char *name = luaL_checkstring(L, 2);
    for (int32_t i = 0; i < in->pool_count; i++)
        if (strcmp(in->pools[i].name, name) == 0) {
            lua_pushinteger(L, orr_rigid_pool_free(sim, i));
            return 1;
        }
    const orr_nodes *nodes = in->nodes;
    int32_t resource = nodes ? orr_nodes_resource(nodes, name) : -1;
    const char *partition = resource < 0 ? name : luaL_optstring(L, 3, NULL);
    int64_t sum = 0;
    bool found = resource >= 0 && !partition;
    if (found)
        sum = free_of_nodes(sim, 0, nodes->count - 1, resource);
    for (int32_t i = 0; nodes && !found && i < nodes->partition_count; i++) {
        const orr_partition *p = &nodes->partitions[i];
        found = strcmp(p->name, partition) == 0;
        for (int32_t r = 0; found && r < p->run_count; r++)
            sum += free_of_nodes(sim, p->runs[r].low, p->runs[r].high, resource);
    }
    if (!found)
        return luaL_error(L, "sim:free_of: the machine has no pool%s '%s'",
                          nodes ? ", resource of nodes or partition" : "", partition);
    lua_pushinteger(L, sum);
    return 1;
}

void orr_view_push_node_free(lua_State *L, const orr_nodes *nodes, int32_t node,
                             const int64_t *free, size_t stride)
{
    lua_createtable(L, 0, 5 + nodes->resource_count);
    orr_lua_set_integer(L, "number", node + 1);
    orr_lua_set_integer(L, "first", nodes->first[node]);
    orr_lua_set_integer(L, "procs", nodes->first[node + 1] - nodes->first[node]);
    orr_lua_set_integer(L, "free", *free);
    for (int32_t r = 0; r < nodes->resource_count; r++)
        orr_lua_set_integer(L, nodes->resources[r], *(free += stride));
}

/* sim:nodes(): a list of nodes with what is free on each. */
static int sim_nodes(lua_State *L)
{
    const orr_host *host = check_running_method(L, "nodes");
    const orr_nodes *nodes = host->call->instance->nodes;
    int64_t free[1 + ORR_MOST_NODE_RESOURCES] = {0};
    lua_createtable(L, nodes ? nodes->count : 0, 0);
    for (int32_t k = 0; nodes && k < nodes->count; k++) {
        for (int32_t r = -1; r < nodes->resource_count; r++)
            free[r + 1] = orr_rigid_node_free(host->call->sim, k, r);
        orr_view_push_node_free(L, nodes, k, free, 1);
        lua_rawseti(L, -2, k + 1);
    }
    return 1;
}

static int push_classes(lua_State *L, const int32_t *jobs)
{
    lua_createtable(L, ORR_SIZE_CLASSES, 0);
    for (int i = 0; i < ORR_SIZE_CLASSES; i++) {
        lua_pushinteger(L, jobs[i]);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* sim:waiting_by_procs([group]): a list of numbers of waiting jobs, by classes of their width. */
static int sim_waiting_by_procs(lua_State *L)
{
    const orr_host *host = check_running_method(L, "waiting_by_procs");
    int32_t group = group_argument(L, host, 2);
    return push_classes(L, orr_rigid_look_queue(host->call->sim, group).procs);
}

/* sim:waiting_by_time([group]): the same by classes of their time, s. */
static int sim_waiting_by_time(lua_State *L)
{
    const orr_host *host = check_running_method(L, "waiting_by_time");
    int32_t group = group_argument(L, host, 2);
    return push_classes(L, orr_rigid_look_queue(host->call->sim, group).time);
}

/* sim:can_start(job): whether it fits now and delays no reservation. */
static int sim_can_start(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t job = check_job(L, host, 2);
    orr_rigid *sim = orr_host_check_running(L, host, "can_start");
    lua_pushboolean(L, orr_rigid_job(sim, job).state == ORR_JOB_WAITING &&
                           orr_rigid_can_start(sim, job));
    return 1;
}

static void push_node(lua_State *L, orr_rigid_node_view view)
{
    lua_createtable(L, 0, 5);
    orr_lua_set_integer(L, "first", view.first);
    orr_lua_set_integer(L, "procs", view.count);
    orr_lua_set_integer(L, "failures", view.failures);
    lua_pushboolean(L, view.down);
    lua_setfield(L, -2, "down");
    orr_view_push_time(L, view.back);
    lua_setfield(L, -2, "back");
}

/* sim:node(processor): a table of the node of a processor, from 0. */
static int sim_node(lua_State *L)
{
    const orr_host *host = check_running_method(L, "node");
    lua_Integer processor = luaL_checkinteger(L, 2);
    int32_t procs = host->call->instance->procs;
    luaL_argcheck(L, processor >= 0 && processor < procs, 2, "there is no such processor");
    push_node(L, orr_rigid_look_node(host->call->sim, (int32_t)processor));
    return 1;
}

void orr_view_push_warning(lua_State *L, const orr_rigid *sim, const orr_warning *warning)
{
    int32_t processor = warning->first, end = processor + warning->count;
    lua_newtable(L);
    for (lua_Integer i = 1; processor < end; i++) {
        orr_rigid_node_view view = orr_rigid_look_node(sim, processor);
        push_node(L, view);
        lua_rawseti(L, -2, i);
        processor = view.first + view.count;
    }
    lua_pushnumber(L, warning->at);
}

/* The whole number in a field of the node on top. */
static int32_t check_node_field(lua_State *L, const char *name, int32_t least, int32_t most)
{
    int is_whole;
    lua_getfield(L, -1, name);
    lua_Integer value = lua_tointegerx(L, -1, &is_whole);
    if (!is_whole || value < least || value > most)
        luaL_error(L,
                   "running_on: a node has first and procs, as sim:node and on_warning give it; "
                   "its %s is %s",
                   name, orr_lua_push_key(L, -1));
    lua_pop(L, 1);
    return (int32_t)value;
}

/* Notes the jobs on the node on top in the set at `found`: job -> true. */
static void note_running_on(lua_State *L, const orr_host *host, int found, int32_t *jobs)
{
    int32_t procs = host->call->instance->procs;
    if (!lua_istable(L, -1))
        luaL_error(L,
                   "running_on: expected nodes, as sim:node and on_warning give them; one of them "
                   "is %s",
                   orr_lua_push_key(L, -1));
    int32_t first = check_node_field(L, "first", 0, procs - 1);
    int32_t count = check_node_field(L, "procs", 1, procs - first);
    int32_t n = orr_rigid_running_on(host->call->sim, first, count, jobs);
    if (n < 0)
        luaL_error(L, "running_on: where no node may fail, this simulation counts processors, and "
                      "does not know who runs where");
    for (int32_t i = 0; i < n; i++) {
        lua_pushboolean(L, true);
        lua_rawseti(L, found, jobs[i]);
    }
}

/* Pushes the list of the running jobs that the set at `found` has, in order of their starts. */
static void push_running_on(lua_State *L, orr_host *host, int found, int32_t *jobs)
{
    int32_t all = orr_rigid_running(host->call->sim, -1, jobs);
    lua_Integer count = 0;
    lua_newtable(L);
    int list = lua_gettop(L);
    for (int32_t i = 0; i < all; i++) {
        if (lua_rawgeti(L, found, jobs[i]) != LUA_TNIL) {
            orr_host_push_item(L, host, jobs[i]);
            lua_rawseti(L, list, ++count);
        }
        lua_pop(L, 1);
    }
}

/* sim:running_on(nodes): the list of jobs that run on a node, or on one of a list of nodes, in
 * order of their starts. */
static int sim_running_on(lua_State *L)
{
    enum { NODES = 2, FOUND = 4 };
    orr_host *host = check_running_method(L, "running_on");
    luaL_checktype(L, NODES, LUA_TTABLE);
    lua_settop(L, NODES);
    int32_t all = orr_rigid_look(host->call->sim).running;
    int32_t *jobs = lua_newuserdatauv(L, (size_t)(all + 1) * sizeof *jobs, 0);
    lua_newtable(L);
    bool one = lua_getfield(L, NODES, "first") != LUA_TNIL;
    lua_pop(L, 1);
    lua_Integer count = one ? 1 : luaL_len(L, NODES);
    for (lua_Integer i = 1; i <= count; i++) {
        if (one)
            lua_pushvalue(L, NODES);
        else
            lua_geti(L, NODES, i);
        note_running_on(L, host, FOUND, jobs);
        lua_pop(L, 1);
    }
    push_running_on(L, host, FOUND, jobs);
    return 1;
}

/* --- actions -------------------------------------------------------------------------------- */

static int act(lua_State *L, const char *what,
               orr_status (*action)(orr_rigid *sim, int32_t job, orr_error *err))
{
    orr_host *host = check_method(L);
    int32_t job = check_job(L, host, 2);
    orr_error err;
    return orr_view_decided(L, action(orr_host_check_running(L, host, what), job, &err), &err);
}

#define ACTION(name)                                                                               \
    static int sim_##name(lua_State *L)                                                            \
    {                                                                                              \
        return act(L, #name, orr_rigid_##name);                                                    \
    }
ACTION(start)
ACTION(kill)
ACTION(requeue)
ACTION(checkpoint)
ACTION(preempt)
ACTION(hold)
ACTION(release)

/* sim:reserve(job): the time, in s, that is reserved for it until the end of this decision. */
static int sim_reserve(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t job = check_job(L, host, 2);
    double start;
    orr_error err;
    orr_rigid *sim = orr_host_check_running(L, host, "reserve");
    orr_view_decided(L, orr_rigid_reserve(sim, job, &start, &err), &err);
    lua_pushnumber(L, start);
    return 1;
}

/* sim:list([reservations]): decides as the discipline list. */
static int sim_list(lua_State *L)
{
    const orr_host *host = check_method(L);
    bool all = lua_type(L, 2) == LUA_TSTRING && strcmp(lua_tostring(L, 2), "all") == 0;
    lua_Integer most = all ? ORR_RESERVE_ALL : luaL_optinteger(L, 2, 1);
    int32_t reservations =
        most < 0 ? -1 : (int32_t)(most < ORR_RESERVE_ALL ? most : ORR_RESERVE_ALL);
    orr_error err;
    orr_rigid *sim = orr_host_check_running(L, host, "list");
    return orr_view_decided(L, orr_rigid_list(sim, reservations, &err), &err);
}

static int sim_move(lua_State *L)
{
    orr_host *host = check_method(L);
    int32_t job = check_job(L, host, 2);
    if (lua_type(L, 3) == LUA_TSTRING && host->call->sim) {
        int32_t group = orr_rigid_find_group(host->call->sim, lua_tostring(L, 3));
        if (group < 0)
            return luaL_error(L, "job %s cannot be moved: there is no group '%s' (known: %s)",
                              orr_jobs_id(host->call->instance->jobs, job), lua_tostring(L, 3),
                              push_group_names(L, host));
    }
    orr_error err;
    orr_rigid *sim = orr_host_check_running(L, host, "move");
    return orr_view_decided(L, orr_rigid_move(sim, job, find_group(L, host, 3), &err), &err);
}

static int sim_wake_at(lua_State *L)
{
    orr_rigid *sim = check_running_method(L, "wake_at")->call->sim;
    orr_error err;
    return orr_view_decided(L, orr_rigid_wake_at(sim, luaL_checknumber(L, 2), &err), &err);
}

/* --- the calendar ---------------------------------------------------------------------------- */

#define SECOND_US INT64_C(1000000)
#define YEAR_9999_US 253402300799e6 /* from 1970 on: the last that a date can name */

/* An instant that a method is asked about. */
typedef struct moment {
    const orr_instance *in;
    double time;     /* on the clock, s */
    int64_t us;      /* since 1970, UTC */
    int64_t seconds; /* the same, rounded down */
} moment;

/* The seconds at `arg`, by default now. */
static moment check_moment(lua_State *L, int arg, const char *method)
{
    orr_host *host = check_method(L);
    moment m = {.in = host->call->instance};
    m.time = lua_isnoneornil(L, arg) ? orr_rigid_look(orr_host_check_running(L, host, method)).now
                                     : luaL_checknumber(L, arg);
    if (!m.in) {
        luaL_error(L, "%s: only hooks know the calendar of a workload", method);
        __builtin_unreachable();
    }
    if (!m.in->has_origin)
        luaL_error(L,
                   "%s: the log does not say on which date it begins; say it with the option "
                   "origin (--origin '2019-06-14 07:04')",
                   method);
    double us = m.time * 1e6 + (double)m.in->origin_us;
    if (!(fabs(us) < YEAR_9999_US))
        luaL_error(L, "%s: %f s on the clock are no date until the year 9999", method, m.time);
    m.us = m.in->origin_us + llround(m.time * 1e6);
    m.seconds = m.us / SECOND_US - (m.us % SECOND_US < 0);
    return m;
}

enum { HOUR = 3600, DAY = 86400 };

/* The local time in seconds; the clock of a day begins at 0. */
static int64_t local_time(const moment *m)
{
    return m->seconds + orr_zone_offset(m->in->zone, m->seconds);
}

static int64_t floor_of(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* sim:hour([seconds]): 0 to 23. */
static int sim_hour(lua_State *L)
{
    moment m = check_moment(L, 2, "hour");
    lua_pushinteger(L, floor_of(local_time(&m), HOUR) - 24 * floor_of(local_time(&m), DAY));
    return 1;
}

/* sim:weekday([seconds]): 1, Monday, to 7; 1970-01-01 was a Thursday. */
static int sim_weekday(lua_State *L)
{
    moment m = check_moment(L, 2, "weekday");
    int64_t day = floor_of(local_time(&m), DAY) + 3;
    lua_pushinteger(L, day - 7 * floor_of(day, 7) + 1);
    return 1;
}

/* sim:date([seconds]): "2019-06-14". */
static int sim_date(lua_State *L)
{
    moment m = check_moment(L, 2, "date");
    char text[32];
    orr_utc_format(local_time(&m) * SECOND_US, text);
    lua_pushlstring(L, text, strcspn(text, " "));
    return 1;
}

/* "18:00" or "18:00:30" in seconds from midnight. */
static int32_t check_time_of_day(lua_State *L, int arg)
{
    size_t length;
    const char *text = luaL_checklstring(L, arg, &length);
    char whole[32] = "1970-01-01 ";
    int64_t us = 0;
    bool fits = length == 5 || length == 8;
    if (fits)
        memcpy(whole + 11, text, length);
    if (!fits || !orr_utc_parse(whole, 11 + length, &us))
        luaL_error(L, "at: expected a time of day as '18:00', found '%s'", text);
    return (int32_t)(us / SECOND_US);
}

/* sim:at(time_of_day[, seconds]): the next such time, from then on. */
static int sim_at(lua_State *L)
{
    int32_t time_of_day = check_time_of_day(L, 2);
    moment m = check_moment(L, 3, "at");
    int64_t from = m.seconds + (m.us > m.seconds * SECOND_US);
    int64_t next = orr_zone_next(m.in->zone, from, time_of_day) * SECOND_US;
    lua_pushnumber(L, next == m.us ? m.time : (double)(next - m.in->origin_us) / 1e6);
    return 1;
}

/* --- the table ------------------------------------------------------------------------------- */

#define sim_note orr_view_note

const luaL_Reg orr_methods_of_jobs[] = {ORR_METHODS_OF_JOBS(ORR_METHOD), {NULL, NULL}};
