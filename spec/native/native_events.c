/* native_events: simulations whose policy is Lua functions of a spec, with groups, actions, and
 * outages; what the kernel's interface offers, one to one.
 *
 * Jobs and groups are numbered from 1 here. Actions raise an error when they are refused. */
#include "lua_policy.h"

#include "base/draw.h"
#include "rigid/whatif/change.h"
#include "schedule/check.h"
#include "schedule/stream_internal.h"

ORR_API int luaopen_native_events(lua_State *L);

#define SIM "native_events.simulation"

/* --- creation ----------------------------------------------------------------------------------
 */

static void fill_given(lua_State *L, runner *r)
{
    int64_t count = (int64_t)lua_rawlen(L, -1);
    r->outages = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *r->outages, 0);
    lua_setfield(L, 1, "_outages"); /* keeps it alive */
    for (int64_t i = 0; i < count; i++) {
        lua_rawgeti(L, -1, i + 1);
        int at = lua_gettop(L);
        r->outages[i] = (orr_outage){spec_number(L, at, "time"), spec_number(L, at, "repaired"),
                                     spec_int(L, at, "first"), spec_int(L, at, "count")};
        lua_pop(L, 1);
    }
    r->failures = (orr_rigid_node_failures){.size = sizeof(orr_rigid_node_failures),
                                            .law = ORR_FAULTS_LOG,
                                            .outages = r->outages,
                                            .outage_count = count};
}

/* outages: a list; or nodes: { mtbf =, repair =, procs =, law = }. lead =, recall =, precision =:
 * they are announced. */
static bool fill_failures(lua_State *L, runner *r)
{
    static const char *const laws[] = {"none", "exponential", "weibull", "lognormal"};
    bool given = lua_getfield(L, 1, "outages") == LUA_TTABLE;
    if (given)
        fill_given(L, r);
    lua_pop(L, 1);
    bool drawn = lua_getfield(L, 1, "nodes") == LUA_TTABLE;
    int at = lua_gettop(L);
    if (drawn)
        r->failures = (orr_rigid_node_failures){.size = sizeof(orr_rigid_node_failures),
                                                .law = (orr_fault_law)choice(L, at, "law", laws, 4),
                                                .mtbf = spec_number(L, at, "mtbf"),
                                                .shape = optional(L, at, "shape", 1),
                                                .repair = spec_number(L, at, "repair"),
                                                .node_procs = spec_int(L, at, "procs")};
    lua_pop(L, 1);
    r->failures.lead = optional(L, 1, "lead", 0);
    r->failures.recall = optional(L, 1, "recall", r->failures.lead > 0);
    r->failures.precision = optional(L, 1, "precision", 1);
    return given || drawn;
}

/* windows: a list; their texts live as long as the spec. */
static void fill_windows(lua_State *L, runner *r)
{
    if (lua_getfield(L, 1, "windows") == LUA_TTABLE) {
        r->window_count = (int64_t)lua_rawlen(L, -1);
        r->windows = lua_newuserdatauv(L, ((size_t)r->window_count + 1) * sizeof *r->windows, 0);
        lua_setfield(L, 1, "_windows"); /* keeps it alive */
    }
    for (int64_t i = 0; i < r->window_count; i++) {
        lua_rawgeti(L, -1, i + 1);
        r->windows[i] = spec_window(L, lua_gettop(L));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static handle *push_simulation(lua_State *L, runner *r, int runner_index)
{
    handle *h = lua_newuserdatauv(L, sizeof *h, 1);
    *h = (handle){NULL, r};
    luaL_setmetatable(L, SIM);
    lua_pushvalue(L, runner_index);
    lua_setiuservalue(L, -2, 1);
    return h;
}

static void enter(lua_State *L, const orr_rigid *sim)
{
    lua_getfield(L, LUA_REGISTRYINDEX, LIVE);
    lua_pushvalue(L, -2);
    lua_rawsetp(L, -2, sim);
    lua_pop(L, 1);
}

static void *counted(void *user, void *block, size_t old_size, size_t new_size)
{
    runner *r = user;
    void *moved = spec_resize(&r->memory, block, old_size, new_size);
    r->peak = r->memory.bytes > r->peak ? r->memory.bytes : r->peak;
    return moved;
}

static int runner_destroy(lua_State *L)
{
    runner *r = lua_touserdata(L, 1);
    luaL_unref(L, LUA_REGISTRYINDEX, r->spec);
    return 0;
}

static runner *push_runner(lua_State *L)
{
    runner *r = lua_newuserdatauv(L, sizeof *r, 1);
    memset(r, 0, sizeof *r);
    r->L = L;
    r->spec = LUA_NOREF;
    if (luaL_newmetatable(L, "native_events.runner")) {
        lua_pushcfunction(L, runner_destroy);
        lua_setfield(L, -2, "__gc");
    }
    lua_setmetatable(L, -2);
    return r;
}

/* simulation{ procs =, ... jobs as for push_world, failures = counts, groups = { { procs =,
 * discipline =, reservations =, reading =, fill =, place =, node_procs =, choose =, priority =, per =, backfill =, backfill_per =,
 * dispatch = }, ... }, on_submit = ..., outages = or nodes =, windows =, record =, plain =, seed =,
 * scenario = } */
static int simulation(lua_State *L)
{
    int32_t count;
    lua_settop(L, 1);
    runner *r = push_runner(L);
    r->world = push_world(L);
    lua_setiuservalue(L, 2, 1);
    lua_pushvalue(L, 1);
    r->spec = luaL_ref(L, LUA_REGISTRYINDEX);
    fill_policy(L, r);
    bool fails = fill_failures(L, r);
    fill_windows(L, r);
    lua_getfield(L, 1, "plain");
    bool plain = lua_toboolean(L, -1);
    lua_getfield(L, 1, "record");
    bool record = lua_isnil(L, -1) || lua_toboolean(L, -1);
    const int32_t *failures = NULL;
    if (lua_getfield(L, 1, "failures") == LUA_TTABLE)
        failures = spec_ints(L, lua_gettop(L), &count);
    if (has(L, 1, "allowed"))
        spec_allow(&r->memory, (int64_t)spec_number(L, 1, "allowed"));
    orr_allocator a = {counted, r};
    handle *h = push_simulation(L, r, 2);
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &r->world->in,
                             .policy = &r->policy,
                             .node_failures = fails ? &r->failures : NULL,
                             .windows = r->windows,
                             .window_count = r->window_count,
                             .seed = (uint64_t)optional(L, 1, "seed", 1),
                             .record = record,
                             .plain = plain,
                             .alloc = &a};
    orr_error err;
    h->sim = orr_rigid_create(&setup, &err);
    if (!h->sim)
        return spec_raise(L, &err);
    enter(L, h->sim);
    if (orr_rigid_reset(h->sim, failures, (uint64_t)optional(L, 1, "scenario", 1), &err) != ORR_OK)
        return spec_raise(L, &err);
    return 1;
}

static handle *check_handle(lua_State *L)
{
    handle *h = luaL_checkudata(L, 1, SIM);
    luaL_argcheck(L, h->sim, 1, "a simulation that was destroyed");
    return h;
}

static orr_rigid *check_sim(lua_State *L)
{
    return check_handle(L)->sim;
}

static int destroy(lua_State *L)
{
    handle *h = luaL_checkudata(L, 1, SIM);
    if (!h->sim)
        return 0;
    orr_rigid_destroy(h->sim);
    h->sim = NULL;
    return 0;
}

/* --- running -----------------------------------------------------------------------------------
 */

static int copy(lua_State *L)
{
    handle *h = check_handle(L);
    orr_error err;
    lua_getiuservalue(L, 1, 1);
    handle *to = push_simulation(L, h->r, lua_gettop(L));
    to->sim = orr_rigid_copy(h->sim, &err);
    if (!to->sim)
        return spec_raise(L, &err);
    enter(L, to->sim);
    return 1;
}

/* transplant(sim[, windows[, begins]]): a simulation that goes on where this one stands, and may be
 * changed; with so many windows more, whose texts live as long as the list; begins: under its
 * policy as under another one. */
static int transplant(lua_State *L)
{
    handle *h = check_handle(L);
    orr_error err;
    orr_rigid_change nothing = {.size = sizeof nothing};
    if (lua_toboolean(L, 3))
        nothing.policy = &h->r->policy;
    if (lua_istable(L, 2)) {
        nothing.window_count = (int64_t)lua_rawlen(L, 2);
        orr_window *list =
            lua_newuserdatauv(L, ((size_t)nothing.window_count + 1) * sizeof *list, 0);
        for (int64_t i = 0; i < nothing.window_count; i++) {
            lua_rawgeti(L, 2, i + 1);
            list[i] = spec_window(L, lua_gettop(L));
            lua_pop(L, 1);
        }
        nothing.windows = list;
    }
    orr_instance none;
    lua_getiuservalue(L, 1, 1);
    handle *to = push_simulation(L, h->r, lua_gettop(L));
    to->sim = orr_rigid_changed(h->sim, &nothing, &none, &err);
    if (!to->sim)
        return spec_raise(L, &err);
    enter(L, to->sim);
    return 1;
}

static int step(lua_State *L)
{
    orr_error err;
    orr_rigid *sim = check_sim(L);
    if (orr_rigid_step(sim, &err) != ORR_OK)
        return spec_raise(L, &err);
    lua_pushboolean(L, !orr_rigid_is_over(sim));
    return 1;
}

static int run_until(lua_State *L)
{
    orr_error err;
    if (orr_rigid_run_until(check_sim(L), luaL_checknumber(L, 2), &err) != ORR_OK)
        return spec_raise(L, &err);
    return 0;
}

static int reset(lua_State *L)
{
    orr_error err;
    orr_rigid *sim = check_sim(L);
    uint64_t scenario = (uint64_t)luaL_optinteger(L, 2, 1);
    if (orr_rigid_reset(sim, orr_rigid_failures(sim), scenario, &err) != ORR_OK)
        return spec_raise(L, &err);
    return 0;
}

static int push_metrics(lua_State *L, const orr_metrics *m)
{
    lua_createtable(L, 0, 16);
    const struct {
        const char *name;
        double value;
    } fields[] = {{"makespan", m->makespan},
                  {"wait_mean", m->wait_mean},
                  {"wait_max", m->wait_max},
                  {"flow_mean", m->flow_mean},
                  {"bsld_mean", m->bsld_mean},
                  {"utilisation", m->utilisation},
                  {"work_lost", m->work_lost},
                  {"starts", (double)m->starts},
                  {"failures", (double)m->failures},
                  {"killed", (double)m->killed},
                  {"redirected", (double)m->redirected},
                  {"preempted", (double)m->preempted},
                  {"node_failures", (double)m->node_failures}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        lua_pushnumber(L, fields[i].value);
        lua_setfield(L, -2, fields[i].name);
    }
    return 1;
}

static int finish(lua_State *L)
{
    orr_error err;
    orr_metrics m;
    if (orr_rigid_finish(check_sim(L), &m, &err) != ORR_OK)
        return spec_raise(L, &err);
    return push_metrics(L, &m);
}

static bool add_text(void *user, const char *text, size_t size)
{
    luaL_addlstring(user, text, size);
    return true;
}

/* The schedule of a run to the end, as CSV; by steps: it is checked and written while it is made,
 * before each event as far as it may be, and the record has at most `longest` attempts then. */
static orr_status follow(handle *h, const orr_rows *rows, bool by_steps, int64_t *longest,
                         orr_error *err)
{
    orr_schedule *s = (orr_schedule *)(uintptr_t)orr_rigid_schedule(h->sim);
    if (!by_steps) {
        orr_status status = orr_rigid_finish(h->sim, NULL, err);
        return status == ORR_OK ? orr_export_csv(&h->r->world->in, s, rows->policy, rows->sink, err)
                                : status;
    }
    ori_stream *stream = calloc(1, sizeof *stream);
    orr_status status =
        ori_stream_open(stream, &h->r->world->in, s, orr_rigid_failures(h->sim), rows, err);
    while (status == ORR_OK && !orr_rigid_is_over(h->sim)) {
        stream->outlet.due = 0;
        status = orr_rigid_step(h->sim, err);
        *longest = s->count > *longest ? s->count : *longest;
    }
    if (status == ORR_OK)
        status = ori_stream_finish(stream, err);
    ori_stream_close(stream);
    free(stream);
    return status;
}

/* sim:rows(by_steps): as above; and `longest`. */
static int rows(lua_State *L)
{
    handle *h = check_handle(L);
    bool by_steps = lua_toboolean(L, 2);
    int64_t longest = 0;
    orr_error err;
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    orr_sink sink = {add_text, &text};
    orr_rows to = {&sink, "p"};
    if (follow(h, &to, by_steps, &longest, &err) != ORR_OK)
        return spec_raise(L, &err);
    luaL_pushresult(&text);
    lua_pushinteger(L, longest);
    return 2;
}

/* The same from what was recorded. `redirected` is not known there. */
static int measure(lua_State *L)
{
    orr_error err;
    orr_metrics m;
    handle *h = check_handle(L);
    if (orr_measure_schedule(&h->r->world->in, orr_rigid_schedule(h->sim),
                             orr_rigid_failures(h->sim), &m, &err) != ORR_OK)
        return spec_raise(L, &err);
    return push_metrics(L, &m);
}

static int check(lua_State *L)
{
    orr_error err;
    handle *h = check_handle(L);
    if (orr_check_schedule(&h->r->world->in, orr_rigid_schedule(h->sim), orr_rigid_failures(h->sim),
                           orr_rigid_is_over(h->sim) ? NULL : orr_rigid_states(h->sim),
                           &err) != ORR_OK)
        return spec_fail(L, &err);
    lua_pushboolean(L, 1);
    return 1;
}

static void set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, lua_Integer value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

static int attempts(lua_State *L)
{
    const orr_schedule *s = orr_rigid_schedule(check_sim(L));
    lua_createtable(L, (int)s->count, 0);
    for (int64_t i = 0; i < s->count; i++) {
        const orr_attempt *a = &s->attempts[i];
        lua_createtable(L, 0, 7);
        set_integer(L, "position", a->job + 1);
        set_integer(L, "attempt", a->number);
        set_integer(L, "group", a->group + 1);
        set_number(L, "start", a->start);
        set_number(L, "finish", a->end);
        if (!isnan(a->promised))
            set_number(L, "promised", a->promised);
        lua_pushstring(L, outcomes[a->outcome]);
        lua_setfield(L, -2, "outcome");
        if (s->checkpoints) {
            set_number(L, "saved", s->checkpoints[i].kept);
            set_integer(L, "checkpoints", s->checkpoints[i].spent.written);
        }
        lua_createtable(L, 2 * a->interval_count, 0);
        for (int32_t k = 0; k < a->interval_count; k++) {
            const orr_interval *range = &s->intervals[a->first_interval + k];
            lua_pushinteger(L, range->low);
            lua_rawseti(L, -2, 2 * k + 1);
            lua_pushinteger(L, range->high);
            lua_rawseti(L, -2, 2 * k + 2);
        }
        lua_setfield(L, -2, "processors");
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

/* What was recorded of outages: a list of { time =, repaired =, first =, count = }. */
static int outages(lua_State *L)
{
    const orr_schedule *s = orr_rigid_schedule(check_sim(L));
    lua_createtable(L, (int)s->outage_count, 0);
    for (int64_t i = 0; i < s->outage_count; i++) {
        const orr_outage *o = &s->outages[i].outage;
        lua_createtable(L, 0, 4);
        set_number(L, "time", o->time);
        set_number(L, "repaired", o->repaired);
        set_integer(L, "first", o->first);
        set_integer(L, "count", o->count);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int next_event(lua_State *L)
{
    lua_pushnumber(L, orr_rigid_next_event(check_sim(L)));
    return 1;
}

/* memory(): bytes alive, most bytes alive at once, allocations so far; of all copies. */
static int memory(lua_State *L)
{
    const runner *r = check_handle(L)->r;
    lua_pushinteger(L, r->memory.bytes);
    lua_pushinteger(L, r->peak);
    lua_pushinteger(L, r->memory.calls);
    return 3;
}

/* --- questions ---------------------------------------------------------------------------------
 */

static int look(lua_State *L)
{
    orr_rigid_view v = orr_rigid_look(check_sim(L));
    lua_createtable(L, 0, 12);
    set_number(L, "now", v.now);
    set_integer(L, "free", v.free);
    set_integer(L, "down", v.down);
    set_integer(L, "waiting", v.waiting);
    set_integer(L, "held", v.held);
    set_integer(L, "running", v.running);
    set_integer(L, "drained", v.drained);
    set_integer(L, "left", v.drained_down);
    set_integer(L, "over", v.over);
    set_integer(L, "groups", v.groups);
    set_integer(L, "group", v.group + 1);
    lua_pushstring(L, v.hook);
    lua_setfield(L, -2, "hook");
    lua_pushboolean(L, v.deciding);
    lua_setfield(L, -2, "deciding");
    return 1;
}

static int32_t check_group(lua_State *L, int arg)
{
    return (int32_t)luaL_optinteger(L, arg, 1) - 1;
}

static int look_group(lua_State *L)
{
    orr_rigid_group_view v = orr_rigid_look_group(check_sim(L), check_group(L, 2));
    lua_createtable(L, 0, 7);
    lua_pushstring(L, v.name);
    lua_setfield(L, -2, "name");
    set_integer(L, "first", v.first);
    set_integer(L, "procs", v.procs);
    set_integer(L, "free", v.free);
    set_integer(L, "down", v.down);
    set_integer(L, "waiting", v.waiting);
    set_integer(L, "running", v.running);
    return 1;
}

static int find_group(lua_State *L)
{
    lua_pushinteger(L, orr_rigid_find_group(check_sim(L), luaL_checkstring(L, 2)) + 1);
    return 1;
}

static int now(lua_State *L)
{
    lua_pushnumber(L, orr_rigid_look(check_sim(L)).now);
    return 1;
}

static int free_processors(lua_State *L)
{
    lua_pushinteger(L, orr_rigid_look_group(check_sim(L), check_group(L, 2)).free);
    return 1;
}

static int waiting(lua_State *L)
{
    orr_rigid *sim = check_sim(L);
    int32_t group = check_group(L, 2), job = -1;
    lua_newtable(L);
    for (int i = 1; (job = orr_rigid_next_waiting(sim, group, job, INT32_MAX - 1)) >= 0; i++) {
        lua_pushinteger(L, job + 1);
        lua_rawseti(L, -2, i);
    }
    return 1;
}

static int push_jobs(lua_State *L, const int32_t *jobs, int32_t count)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushinteger(L, jobs[i] + 1);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static int running(lua_State *L)
{
    orr_rigid *sim = check_sim(L);
    int32_t group = check_group(L, 2);
    int32_t *jobs = lua_newuserdatauv(L, (size_t)orr_rigid_look(sim).running * sizeof *jobs + 1, 0);
    return push_jobs(L, jobs, orr_rigid_running(sim, group, jobs));
}

/* running_on(first, count): of processors from 0. */
static int running_on(lua_State *L)
{
    orr_rigid *sim = check_sim(L);
    int32_t *jobs = lua_newuserdatauv(L, (size_t)orr_rigid_look(sim).running * sizeof *jobs + 1, 0);
    int32_t first = (int32_t)luaL_checkinteger(L, 2), count = (int32_t)luaL_checkinteger(L, 3);
    return push_jobs(L, jobs, orr_rigid_running_on(sim, first, count, jobs));
}

static int32_t check_job(lua_State *L)
{
    return (int32_t)luaL_checkinteger(L, 2) - 1;
}

static int job_view(lua_State *L)
{
    static const char *const states[] = {"pending", "waiting", "running", "over", "held"};
    orr_rigid_job_view v = orr_rigid_job(check_sim(L), check_job(L));
    lua_createtable(L, 0, 6);
    lua_pushstring(L, states[v.state]);
    lua_setfield(L, -2, "state");
    set_integer(L, "group", v.group + 1);
    set_integer(L, "attempts", v.attempts);
    set_number(L, "arrival", v.arrival);
    set_number(L, "start", v.start);
    set_number(L, "planned_end", v.planned_end);
    if (!isnan(v.promised))
        set_number(L, "promised", v.promised);
    if (!isnan(v.reserved))
        set_number(L, "reserved", v.reserved);
    return 1;
}

/* earliest_start(group, procs, seconds) */
static int earliest_start(lua_State *L)
{
    lua_pushnumber(L, orr_rigid_earliest_start(check_sim(L), check_group(L, 2),
                                               (int32_t)luaL_checkinteger(L, 3),
                                               luaL_checknumber(L, 4)));
    return 1;
}

static int can_start(lua_State *L)
{
    lua_pushboolean(L, orr_rigid_can_start(check_sim(L), check_job(L)));
    return 1;
}

/* random(low, high): an integer from the policy's generator. */
static int random_integer(lua_State *L)
{
    orr_pcg *rng = orr_rigid_look(check_sim(L)).rng;
    lua_pushinteger(L, orr_draw_integer(rng, luaL_checkinteger(L, 2), luaL_checkinteger(L, 3)));
    return 1;
}

/* --- actions -----------------------------------------------------------------------------------
 */

static int done(lua_State *L, orr_status status, const orr_error *err)
{
    return status == ORR_OK ? 0 : spec_raise(L, err);
}

static int start(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_start(check_sim(L), check_job(L), &err), &err);
}

static int reserve(lua_State *L)
{
    orr_error err;
    double from = 0;
    orr_status status = orr_rigid_reserve(check_sim(L), check_job(L), &from, &err);
    lua_pushnumber(L, from);
    return status == ORR_OK ? 1 : spec_raise(L, &err);
}

static int list(lua_State *L)
{
    orr_error err;
    double most = luaL_checknumber(L, 2);
    int32_t reservations = most < ORR_RESERVE_ALL ? (int32_t)most : ORR_RESERVE_ALL;
    return done(L, orr_rigid_list(check_sim(L), reservations, &err), &err);
}

static int kill(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_kill(check_sim(L), check_job(L), &err), &err);
}

static int requeue(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_requeue(check_sim(L), check_job(L), &err), &err);
}

static int checkpoint(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_checkpoint(check_sim(L), check_job(L), &err), &err);
}

static int preempt(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_preempt(check_sim(L), check_job(L), &err), &err);
}

static int move(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_move(check_sim(L), check_job(L), check_group(L, 3), &err), &err);
}

static int hold(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_hold(check_sim(L), check_job(L), &err), &err);
}

/* --- changes from outside ----------------------------------------------------------------------
 */

/* The simulation as changed takes the place of the simulation. */
static int change(lua_State *L, const orr_rigid_change *what)
{
    handle *h = check_handle(L);
    orr_rigid_change sized = *what;
    orr_error err;
    orr_instance none;
    sized.size = sizeof sized;
    lua_getiuservalue(L, 1, 1);
    handle *next = push_simulation(L, h->r, lua_gettop(L));
    lua_setfield(L, LUA_REGISTRYINDEX, CHANGING);
    orr_rigid *changed = orr_rigid_changed(h->sim, &sized, &none, &err);
    next->sim = NULL;
    lua_pushnil(L);
    lua_setfield(L, LUA_REGISTRYINDEX, CHANGING);
    if (!changed)
        return spec_raise(L, &err);
    orr_rigid_destroy(h->sim);
    h->sim = changed;
    lua_pushvalue(L, 1);
    enter(L, changed);
    return 0;
}

static int cancel(lua_State *L)
{
    int32_t job = check_job(L);
    return change(L, &(orr_rigid_change){.cancel = &job, .cancel_count = 1});
}

static int fail_attempt(lua_State *L)
{
    int32_t job = check_job(L);
    return change(L, &(orr_rigid_change){.fail = &job, .fail_count = 1});
}

static int strike_job(lua_State *L)
{
    orr_rigid_fault fault = {.job = check_job(L)};
    return change(L, &(orr_rigid_change){.faults = &fault, .fault_count = 1});
}

/* strike_node(processor, repair) */
static int strike_node(lua_State *L)
{
    orr_rigid_fault fault = {-1, (int32_t)luaL_checkinteger(L, 2), luaL_checknumber(L, 3)};
    return change(L, &(orr_rigid_change){.faults = &fault, .fault_count = 1});
}

/* set_service(group, procs[, until]) */
static int set_service(lua_State *L)
{
    orr_rigid_service service = {orr_rigid_look_group(check_sim(L), check_group(L, 2)).name,
                                 (int32_t)luaL_checkinteger(L, 3), luaL_optnumber(L, 4, INFINITY)};
    return change(L, &(orr_rigid_change){.service = &service});
}

static int release(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_release(check_sim(L), check_job(L), &err), &err);
}

static int wake_at(lua_State *L)
{
    orr_error err;
    return done(L, orr_rigid_wake_at(check_sim(L), luaL_checknumber(L, 2), &err), &err);
}

/* -----------------------------------------------------------------------------------------------
 */

static const luaL_Reg methods[] = {{"copy", copy},
                                   {"transplant", transplant},
                                   {"cancel", cancel},
                                   {"fail_attempt", fail_attempt},
                                   {"strike_job", strike_job},
                                   {"strike_node", strike_node},
                                   {"set_service", set_service},
                                   {"destroy", destroy},
                                   {"step", step},
                                   {"run_until", run_until},
                                   {"reset", reset},
                                   {"finish", finish},
                                   {"measure", measure},
                                   {"rows", rows},
                                   {"check", check},
                                   {"attempts", attempts},
                                   {"outages", outages},
                                   {"next_event", next_event},
                                   {"memory", memory},
                                   {"look", look},
                                   {"look_group", look_group},
                                   {"find_group", find_group},
                                   {"now", now},
                                   {"free", free_processors},
                                   {"waiting", waiting},
                                   {"running", running},
                                   {"running_on", running_on},
                                   {"job", job_view},
                                   {"earliest_start", earliest_start},
                                   {"can_start", can_start},
                                   {"random", random_integer},
                                   {"start", start},
                                   {"reserve", reserve},
                                   {"list", list},
                                   {"kill", kill},
                                   {"requeue", requeue},
                                   {"checkpoint", checkpoint},
                                   {"preempt", preempt},
                                   {"move", move},
                                   {"hold", hold},
                                   {"release", release},
                                   {"wake_at", wake_at},
                                   {NULL, NULL}};

int luaopen_native_events(lua_State *L)
{
    static const luaL_Reg functions[] = {{"simulation", simulation}, {NULL, NULL}};
    luaL_newmetatable(L, SIM);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, destroy);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_setfield(L, LUA_REGISTRYINDEX, LIVE);
    luaL_newlib(L, functions);
    return 1;
}
