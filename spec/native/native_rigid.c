/* native_rigid: what of kernel/rigid/ and kernel/schedule/ the public Lua API does not reach, for
 * the specs: the waiting queue, the profile, repeated attempts, processor sets, the checker, memory
 * that runs out.
 * Jobs, ranks and steps are numbered from 0, as in the kernel. */
#include "rigid/engine_internal.h"
#include "schedule/check.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ORR_API int luaopen_native_rigid(lua_State *L);

#define QUEUE "native_rigid.queue"
#define ENDS "native_rigid.ends"
#define PLAN "native_rigid.plan"
#define PROCSET "native_rigid.procset"

static int32_t check_int(lua_State *L, int arg)
{
    return (int32_t)luaL_checkinteger(L, arg);
}

static int raise_error(lua_State *L, const orr_error *err)
{
    return luaL_error(L, "%s", err->message);
}

/* Element i (from 1) of the list at `index`. */
static double number_at(lua_State *L, int index, lua_Integer i)
{
    lua_rawgeti(L, index, i);
    double value = luaL_checknumber(L, -1);
    lua_pop(L, 1);
    return value;
}

static double number_field(lua_State *L, int index, const char *name)
{
    lua_getfield(L, index, name);
    double value = luaL_checknumber(L, -1);
    lua_pop(L, 1);
    return value;
}

/* The list at `index` as an array that the stack keeps alive. */
static int32_t *int_list(lua_State *L, int index, int32_t *count)
{
    luaL_checktype(L, index, LUA_TTABLE);
    *count = (int32_t)lua_rawlen(L, index);
    int32_t *list = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *list, 0);
    for (int32_t i = 0; i < *count; i++)
        list[i] = (int32_t)number_at(L, index, i + 1);
    return list;
}

/* --- the waiting queue ----------------------------------------------------------------------- */

static orr_queue *check_queue(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, QUEUE);
}

static int queue_new(lua_State *L)
{
    int32_t capacity = check_int(L, 1);
    orr_queue *q = lua_newuserdatauv(L, sizeof *q, 0);
    memset(q, 0, sizeof *q);
    luaL_setmetatable(L, QUEUE);
    orr_error err;
    if (orr_queue_create(q, capacity, lua_toboolean(L, 2), NULL, &err) != ORR_OK)
        return raise_error(L, &err);
    return 1;
}

static int queue_destroy(lua_State *L)
{
    orr_queue_destroy(check_queue(L, 1));
    return 0;
}

static int queue_copy(lua_State *L)
{
    orr_queue_copy(check_queue(L, 1), check_queue(L, 2));
    return 0;
}

static int queue_insert(lua_State *L)
{
    orr_queue_insert(check_queue(L, 1), check_int(L, 2), check_int(L, 3), luaL_checknumber(L, 4));
    return 0;
}

static int queue_append(lua_State *L)
{
    orr_queue_append(check_queue(L, 1), check_int(L, 2), check_int(L, 3), luaL_checknumber(L, 4));
    return 0;
}

static int queue_remove(lua_State *L)
{
    orr_queue_remove(check_queue(L, 1), check_int(L, 2));
    return 0;
}

static int queue_clear(lua_State *L)
{
    orr_queue_clear(check_queue(L, 1));
    return 0;
}

static int queue_order(lua_State *L)
{
    int32_t count;
    orr_queue *q = check_queue(L, 1);
    const int32_t *order = int_list(L, 2, &count);
    luaL_argcheck(L, count == q->capacity, 2, "a permutation of all jobs");
    orr_queue_order(q, order);
    return 0;
}

/* refill(jobs, procs, estimates): the last two per job. */
static int queue_refill(lua_State *L)
{
    int32_t count, all;
    orr_queue *q = check_queue(L, 1);
    const int32_t *jobs = int_list(L, 2, &count), *procs = int_list(L, 3, &all);
    double *estimates = lua_newuserdatauv(L, ((size_t)all + 1) * sizeof *estimates, 0);
    for (int32_t j = 0; j < all; j++)
        estimates[j] = number_at(L, 4, j + 1);
    orr_queue_refill(q, jobs, count, procs, estimates);
    return 0;
}

static int queue_next_fit(lua_State *L)
{
    lua_pushinteger(L, orr_queue_next_fit(check_queue(L, 1), check_int(L, 2), check_int(L, 3)));
    return 1;
}

static int queue_next_backfill(lua_State *L)
{
    orr_backfill b = {.free = (int32_t)number_field(L, 3, "free"),
                      .extra = (int32_t)number_field(L, 3, "extra"),
                      .now = number_field(L, 3, "now"),
                      .verification = number_field(L, 3, "verification"),
                      .shadow = number_field(L, 3, "shadow")};
    lua_pushinteger(L, orr_queue_next_backfill(check_queue(L, 1), check_int(L, 2), &b));
    return 1;
}

static int queue_job_at(lua_State *L)
{
    lua_pushinteger(L, check_queue(L, 1)->job_at[check_int(L, 2)]);
    return 1;
}

static int queue_count(lua_State *L)
{
    lua_pushinteger(L, check_queue(L, 1)->count);
    return 1;
}

static const luaL_Reg queue_methods[] = {
    {"copy", queue_copy},     {"insert", queue_insert},     {"append", queue_append},
    {"remove", queue_remove}, {"clear", queue_clear},       {"order", queue_order},
    {"refill", queue_refill}, {"next_fit", queue_next_fit}, {"next_backfill", queue_next_backfill},
    {"job_at", queue_job_at}, {"count", queue_count},       {NULL, NULL}};

/* --- planned ends ---------------------------------------------------------------------------- */

static orr_ends *check_ends(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, ENDS);
}

static int ends_new(lua_State *L)
{
    int32_t running = check_int(L, 1);
    orr_ends *e = lua_newuserdatauv(L, sizeof *e, 0);
    memset(e, 0, sizeof *e);
    luaL_setmetatable(L, ENDS);
    orr_error err;
    if (orr_ends_create(e, running, NULL, &err) != ORR_OK)
        return raise_error(L, &err);
    return 1;
}

static int ends_destroy(lua_State *L)
{
    orr_ends_destroy(check_ends(L, 1));
    return 0;
}

static int ends_copy(lua_State *L)
{
    orr_ends_copy(check_ends(L, 1), check_ends(L, 2));
    return 0;
}

static int ends_clear(lua_State *L)
{
    orr_ends_clear(check_ends(L, 1));
    return 0;
}

static int ends_add(lua_State *L)
{
    orr_ends_add(check_ends(L, 1), luaL_checknumber(L, 2), check_int(L, 3));
    return 0;
}

static int ends_remove(lua_State *L)
{
    orr_ends_remove(check_ends(L, 1), luaL_checknumber(L, 2), check_int(L, 3));
    return 0;
}

static int ends_when(lua_State *L)
{
    int32_t available;
    lua_pushnumber(L,
                   orr_ends_when(check_ends(L, 1), check_int(L, 2), check_int(L, 3), &available));
    lua_pushinteger(L, available);
    return 2;
}

/* The number of different times, and of blocks in use; an empty block beside others is an error. */
static int ends_count(lua_State *L)
{
    const orr_ends *e = check_ends(L, 1);
    for (int32_t i = 0; i < e->used && e->used > 1; i++)
        if (e->blocks[e->order[i]].count == 0)
            return luaL_error(L, "block %d of %d is empty", (int)i, (int)e->used);
    lua_pushinteger(L, e->count);
    lua_pushinteger(L, e->used);
    return 2;
}

static const luaL_Reg ends_methods[] = {
    {"copy", ends_copy}, {"clear", ends_clear}, {"add", ends_add}, {"remove", ends_remove},
    {"when", ends_when}, {"count", ends_count}, {NULL, NULL}};

/* --- a plan ---------------------------------------------------------------------------------- */

static orr_plan *check_plan(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, PLAN);
}

static int plan_new(lua_State *L)
{
    int32_t running = check_int(L, 1), reservations = check_int(L, 2);
    orr_plan *p = lua_newuserdatauv(L, sizeof *p, 0);
    memset(p, 0, sizeof *p);
    luaL_setmetatable(L, PLAN);
    orr_error err;
    if (orr_plan_create(p, running, reservations, NULL, &err) != ORR_OK)
        return raise_error(L, &err);
    return 1;
}

static int plan_destroy(lua_State *L)
{
    orr_plan_destroy(check_plan(L, 1));
    return 0;
}

static int plan_make(lua_State *L)
{
    orr_plan_make(check_plan(L, 1), check_ends(L, 2), luaL_checknumber(L, 3), check_int(L, 4));
    return 0;
}

/* earliest(procs, estimate, verification): time, step */
static int plan_earliest(lua_State *L)
{
    int32_t step;
    lua_pushnumber(L, orr_plan_earliest(check_plan(L, 1), check_int(L, 2), luaL_checknumber(L, 3),
                                        luaL_checknumber(L, 4), &step));
    lua_pushinteger(L, step);
    return 2;
}

/* reserve(step, end, procs) */
static int plan_reserve(lua_State *L)
{
    orr_plan *p = check_plan(L, 1);
    luaL_argcheck(L, p->count < p->capacity, 1, "the plan is full");
    orr_plan_reserve(p, check_int(L, 2), luaL_checknumber(L, 3), check_int(L, 4));
    return 0;
}

/* The list of { time, available }. */
static int plan_steps(lua_State *L)
{
    const orr_plan *p = check_plan(L, 1);
    lua_createtable(L, p->count, 0);
    for (int32_t i = 0; i < p->count; i++) {
        lua_createtable(L, 2, 0);
        lua_pushnumber(L, p->time[i]);
        lua_rawseti(L, -2, 1);
        lua_pushinteger(L, p->available[i]);
        lua_rawseti(L, -2, 2);
        lua_rawseti(L, -2, i + 1);
    }
    return 1;
}

static const luaL_Reg plan_methods[] = {{"make", plan_make},
                                        {"earliest", plan_earliest},
                                        {"reserve", plan_reserve},
                                        {"steps", plan_steps},
                                        {NULL, NULL}};

/* --- repeated attempts ----------------------------------------------------------------------- */

/* repeat_attempts(start, time, verification, count): the clock after them. */
static int repeat_attempts(lua_State *L)
{
    lua_pushnumber(L, orr_repeat(luaL_checknumber(L, 1), luaL_checknumber(L, 2),
                                 luaL_checknumber(L, 3), check_int(L, 4)));
    return 1;
}

/* --- processor sets -------------------------------------------------------------------------- */

static orr_procset *check_procset(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, PROCSET);
}

static int procset_new(lua_State *L)
{
    int32_t procs = check_int(L, 1);
    orr_procset *s = lua_newuserdatauv(L, sizeof *s, 0);
    memset(s, 0, sizeof *s);
    luaL_setmetatable(L, PROCSET);
    orr_error err;
    if (orr_procset_create(s, procs, NULL, &err) != ORR_OK)
        return raise_error(L, &err);
    return 1;
}

static int procset_destroy(lua_State *L)
{
    orr_procset_destroy(check_procset(L, 1));
    return 0;
}

/* A flat list: low, high, low, high ... */
static int push_intervals(lua_State *L, const orr_interval *list, int32_t count)
{
    lua_createtable(L, 2 * count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushinteger(L, list[i].low);
        lua_rawseti(L, -2, 2 * i + 1);
        lua_pushinteger(L, list[i].high);
        lua_rawseti(L, -2, 2 * i + 2);
    }
    return 1;
}

/* take(procs): the intervals; nil where the set has fewer processors. */
static int procset_take(lua_State *L)
{
    orr_procset *s = check_procset(L, 1);
    int32_t procs = check_int(L, 2), span = orr_procset_span(s, procs);
    if (span < 0)
        return 0;
    orr_interval *taken = lua_newuserdatauv(L, ((size_t)span + 1) * sizeof *taken, 0);
    int32_t count = orr_procset_take(s, procs, taken);
    luaL_argcheck(L, count == span, 2, "take and span disagree");
    return push_intervals(L, taken, count);
}

static int procset_give(lua_State *L)
{
    orr_procset *s = check_procset(L, 1);
    int32_t numbers;
    const int32_t *list = int_list(L, 2, &numbers);
    orr_interval *given = lua_newuserdatauv(L, ((size_t)numbers + 1) * sizeof *given, 0);
    for (int32_t i = 0; i < numbers / 2; i++)
        given[i] = (orr_interval){list[2 * i], list[2 * i + 1]};
    orr_error err;
    if (orr_procset_give(s, given, numbers / 2, &err) != ORR_OK)
        return raise_error(L, &err);
    return 0;
}

static int procset_copy(lua_State *L)
{
    orr_error err;
    if (orr_procset_copy(check_procset(L, 1), check_procset(L, 2), &err) != ORR_OK)
        return raise_error(L, &err);
    return 0;
}

static int procset_intervals(lua_State *L)
{
    const orr_procset *s = check_procset(L, 1);
    return push_intervals(L, s->intervals, s->count);
}

static int procset_reset(lua_State *L)
{
    orr_procset_reset(check_procset(L, 1), check_int(L, 2));
    return 0;
}

static const luaL_Reg procset_methods[] = {
    {"take", procset_take},   {"give", procset_give},           {"copy", procset_copy},
    {"reset", procset_reset}, {"intervals", procset_intervals}, {NULL, NULL}};

/* --- jobs and instances ---------------------------------------------------------------------- */

/* Everything that must be freed, also when a Lua error passes by. */
typedef struct world {
    orr_jobs *jobs;
    orr_instance in;
    orr_schedule schedule;
} world;

static int world_destroy(lua_State *L)
{
    world *w = lua_touserdata(L, 1);
    if (w->schedule.current)
        orr_schedule_destroy(&w->schedule);
    orr_instance_destroy(&w->in);
    orr_jobs_destroy(w->jobs);
    memset(w, 0, sizeof *w);
    return 0;
}

/* The world of a table { procs =, verification =, walltimes = "log", { procs =, time =, submit =,
 * walltime = }, ... } at index 1. */
static world *push_world(lua_State *L)
{
    world *w = lua_newuserdatauv(L, sizeof *w, 0);
    memset(w, 0, sizeof *w);
    luaL_setmetatable(L, "native_rigid.world");
    orr_error err;
    w->jobs = orr_jobs_create(NULL, &err);
    for (lua_Integer i = 1; w->jobs && i <= (lua_Integer)lua_rawlen(L, 1); i++) {
        lua_rawgeti(L, 1, i);
        int at = lua_gettop(L);
        lua_getfield(L, at, "walltime");
        double walltime = luaL_optnumber(L, -1, NAN);
        if (orr_jobs_add(w->jobs, NULL, number_field(L, at, "submit"),
                         (int32_t)number_field(L, at, "procs"), number_field(L, at, "time"),
                         walltime, &err) != ORR_OK)
            raise_error(L, &err);
        lua_pop(L, 2);
    }
    lua_getfield(L, 1, "walltimes");
    orr_instance_options options = {.procs = (int32_t)number_field(L, 1, "procs"),
                                    .log_walltimes = lua_toboolean(L, -1),
                                    .verification = number_field(L, 1, "verification")};
    lua_pop(L, 1);
    if (!w->jobs || orr_instance_create(&w->in, w->jobs, &options, NULL, &err) != ORR_OK)
        raise_error(L, &err);
    return w;
}

/* --- the checker ----------------------------------------------------------------------------- */

static void *grown(lua_State *L, size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    if (!block)
        luaL_error(L, "not enough memory");
    return block;
}

/* The attempts of the list at index 2, written as they stand: the checker is to judge them. */
static void fill_schedule(lua_State *L, world *w)
{
    orr_schedule *s = &w->schedule;
    orr_error err;
    if (orr_schedule_create(s, w->in.count, w->in.procs, NULL, &err) != ORR_OK)
        raise_error(L, &err);
    int64_t count = (int64_t)lua_rawlen(L, 2), intervals = 0;
    for (int64_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, i + 1);
        lua_getfield(L, -1, "processors");
        intervals += (int64_t)lua_rawlen(L, -1) / 2;
        lua_pop(L, 2);
    }
    s->attempts = grown(L, (size_t)count, sizeof *s->attempts);
    s->capacity = count + 1;
    s->intervals = grown(L, (size_t)intervals, sizeof *s->intervals);
    s->interval_capacity = intervals + 1;
    for (; s->count < count; s->count++) {
        lua_rawgeti(L, 2, s->count + 1);
        int at = lua_gettop(L);
        orr_attempt *a = &s->attempts[s->count];
        *a = (orr_attempt){.start = number_field(L, at, "start"),
                           .end = number_field(L, at, "finish"),
                           .job = (int32_t)number_field(L, at, "position") - 1,
                           .number = (int32_t)number_field(L, at, "attempt"),
                           .outcome = (orr_outcome)number_field(L, at, "outcome"),
                           .first_interval = s->interval_count};
        lua_getfield(L, at, "processors");
        a->interval_count = (int32_t)lua_rawlen(L, -1) / 2;
        for (int32_t k = 0; k < a->interval_count; k++)
            s->intervals[s->interval_count++] = (orr_interval){
                (int32_t)number_at(L, at + 1, 2 * k + 1), (int32_t)number_at(L, at + 1, 2 * k + 2)};
        lua_pop(L, 2);
    }
}

/* check(jobs, attempts, failures, partial): true, or nil and the objection. outcome: 0 running,
 * 1 completed, 2 failed, 3 killed. */
static int check(lua_State *L)
{
    int32_t count;
    lua_settop(L, 4);
    const int32_t *failures = lua_isnil(L, 3) ? NULL : int_list(L, 3, &count);
    world *w = push_world(L);
    fill_schedule(L, w);
    orr_error err;
    if (orr_check_schedule(&w->in, &w->schedule, failures, lua_toboolean(L, 4), &err) == ORR_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, err.message);
    return 2;
}

/* --- runs that begin in steps ------------------------------------------------------------------
 */

/* Takes so many steps, and finishes a copy if one is asked for, otherwise the simulation itself. */
static orr_status step_and_finish(orr_rigid *sim, lua_Integer steps, bool copied, orr_metrics *m,
                                  orr_error *err)
{
    orr_status status = ORR_OK;
    for (; status == ORR_OK && steps > 0; steps--)
        status = orr_rigid_step(sim, err);
    orr_rigid *copy = copied && status == ORR_OK ? orr_rigid_copy(sim, err) : NULL;
    if (status == ORR_OK && copied && !copy)
        status = err->status;
    if (status == ORR_OK)
        status = orr_rigid_finish(copied ? copy : sim, m, err);
    orr_rigid_destroy(copy);
    return status;
}

/* run(jobs, failures, { reservations = or fill = }, steps, copied, plain): makespan, mean wait,
 * attempts, of a run that nobody watches, in LPT order. */
static int run(lua_State *L)
{
    int32_t count;
    lua_settop(L, 6);
    orr_rigid_policy policy = {.name = "run", .discipline = ORR_DISPATCH_LIST};
    orr_policy_set_rule(&policy, ORR_RULE_LPT);
    if (lua_getfield(L, 3, "reservations") == LUA_TNIL) {
        lua_getfield(L, 3, "fill");
        policy.discipline = ORR_DISPATCH_SHELF;
        policy.fill = lua_toboolean(L, -1);
    }
    double reservations = luaL_optnumber(L, 7, 0);
    policy.reservations = reservations < 1e9 ? (int32_t)reservations : ORR_RESERVE_ALL;
    const int32_t *failures = int_list(L, 2, &count);
    const world *w = push_world(L);
    orr_rigid_setup setup = {
        .instance = &w->in, .policy = &policy, .seed = 1, .plain = lua_toboolean(L, 6)};
    orr_error err;
    orr_metrics m = {0};
    orr_rigid *sim = orr_rigid_create(&setup, &err);
    orr_status status = sim ? orr_rigid_reset(sim, failures, 1, &err) : err.status;
    if (status == ORR_OK)
        status = step_and_finish(sim, lua_tointeger(L, 4), lua_toboolean(L, 5), &m, &err);
    orr_rigid_destroy(sim);
    if (status != ORR_OK)
        return raise_error(L, &err);
    lua_pushnumber(L, m.makespan);
    lua_pushnumber(L, m.wait_mean);
    lua_pushinteger(L, m.starts);
    return 3;
}

/* --- memory that runs out -------------------------------------------------------------------- */

typedef struct meter {
    int64_t allowed; /* allocations until they fail */
    int64_t blocks;  /* alive */
    int64_t bytes;   /* alive, by the sizes that callers state */
} meter;

static void *metered(void *user, void *block, size_t old_size, size_t new_size)
{
    meter *m = user;
    if (new_size == 0) {
        m->blocks -= block != NULL;
        m->bytes -= block ? (int64_t)old_size : 0;
        free(block);
        return NULL;
    }
    if (m->allowed-- <= 0)
        return NULL;
    void *moved = realloc(block, new_size);
    if (moved) {
        m->blocks += block == NULL;
        m->bytes += (int64_t)new_size - (block ? (int64_t)old_size : 0);
    }
    return moved;
}

/* Creates, steps, copies and finishes a simulation. */
static orr_status live(const world *w, const orr_rigid_policy *policy, bool record, meter *m,
                       orr_error *err)
{
    orr_allocator a = {metered, m};
    orr_rigid_setup setup = {
        .instance = &w->in, .policy = policy, .seed = 1, .record = record, .alloc = &a};
    orr_rigid *sim = orr_rigid_create(&setup, err), *copy = NULL;
    orr_status status = sim ? orr_rigid_reset(sim, NULL, 1, err) : err->status;
    if (status == ORR_OK)
        status = orr_rigid_step(sim, err);
    if (status == ORR_OK) {
        copy = orr_rigid_copy(sim, err);
        status = copy ? orr_rigid_finish(copy, NULL, err) : err->status;
    }
    if (status == ORR_OK)
        status = orr_rigid_finish(sim, NULL, err);
    orr_rigid_destroy(copy);
    orr_rigid_destroy(sim);
    return status;
}

/* starve(jobs, reservations, allowed, record): whether the run went well with so many allocations,
 * the message otherwise, and the blocks and bytes left behind. */
static int starve(lua_State *L)
{
    orr_rigid_policy policy = {
        .name = "list", .discipline = ORR_DISPATCH_LIST, .reservations = check_int(L, 2)};
    orr_policy_set_rule(&policy, ORR_RULE_LPT);
    bool record = lua_toboolean(L, 4);
    meter m = {.allowed = luaL_checkinteger(L, 3)};
    const world *w = push_world(L);
    orr_error err = {0};
    orr_status status = live(w, &policy, record, &m, &err);
    lua_pushboolean(L, status == ORR_OK);
    lua_pushstring(L, status == ORR_OK ? "" : err.message);
    lua_pushinteger(L, m.blocks);
    lua_pushinteger(L, m.bytes);
    return 4;
}

/* --------------------------------------------------------------------------------------------- */

static void open_type(lua_State *L, const char *name, const luaL_Reg *methods, lua_CFunction gc)
{
    luaL_newmetatable(L, name);
    lua_newtable(L);
    luaL_setfuncs(L, methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}

int luaopen_native_rigid(lua_State *L)
{
    static const luaL_Reg none[] = {{NULL, NULL}};
    static const luaL_Reg functions[] = {{"queue", queue_new},
                                         {"ends", ends_new},
                                         {"plan", plan_new},
                                         {"procset", procset_new},
                                         {"check", check},
                                         {"starve", starve},
                                         {"repeat_attempts", repeat_attempts},
                                         {"run", run},
                                         {NULL, NULL}};
    open_type(L, QUEUE, queue_methods, queue_destroy);
    open_type(L, ENDS, ends_methods, ends_destroy);
    open_type(L, PLAN, plan_methods, plan_destroy);
    open_type(L, PROCSET, procset_methods, procset_destroy);
    open_type(L, "native_rigid.world", none, world_destroy);
    luaL_newlib(L, functions);
    return 1;
}
