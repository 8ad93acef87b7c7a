/* native_stints: records of malleable tasks, for the specs.
 *
 * A stint is a table with the fields of orr_stint; tasks are counted from 1, why is the number of
 * orr_stop, processors are a flat list: low, high, low, high ... */
#include "../../bindings/values/values.h"
#include "native.h"

#include "schedule/export.h"
#include "schedule/stints_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

ORR_API int luaopen_native_stints(lua_State *L);

#define RECORD "native_stints.record"

/* --- stints ---------------------------------------------------------------------------------- */

static double optional_number(lua_State *L, int at, const char *name, double otherwise)
{
    lua_getfield(L, at, name);
    double value = luaL_optnumber(L, -1, otherwise);
    lua_pop(L, 1);
    return value;
}

static orr_stint read_stint(lua_State *L, int at)
{
    return (orr_stint){.task = spec_int(L, at, "task") - 1,
                       .procs = spec_int(L, at, "procs"),
                       .start = spec_number(L, at, "start"),
                       .down_until = spec_number(L, at, "down_until"),
                       .recovered = spec_number(L, at, "recovered"),
                       .moved = spec_number(L, at, "moved"),
                       .ready = spec_number(L, at, "ready"),
                       .stop = spec_number(L, at, "stop"),
                       .alpha = spec_number(L, at, "alpha"),
                       .added = optional_number(L, at, "added", 0),
                       .alpha_stop = spec_number(L, at, "alpha_stop"),
                       .time = spec_number(L, at, "time"),
                       .checkpoint = spec_number(L, at, "checkpoint"),
                       .period = spec_number(L, at, "period"),
                       .work = spec_number(L, at, "period") - spec_number(L, at, "checkpoint"),
                       .why = (orr_stop)spec_int(L, at, "why"),
                       .from = spec_int(L, at, "from")};
}

static void set_number(lua_State *L, const char *name, double value)
{
    lua_pushnumber(L, value);
    lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, int64_t value)
{
    lua_pushinteger(L, value);
    lua_setfield(L, -2, name);
}

static void push_intervals(lua_State *L, const orr_interval *list, int32_t count)
{
    lua_createtable(L, 2 * count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushinteger(L, list[i].low);
        lua_rawseti(L, -2, 2 * i + 1);
        lua_pushinteger(L, list[i].high);
        lua_rawseti(L, -2, 2 * i + 2);
    }
}

static void push_stint(lua_State *L, const orr_stints *s, const orr_stint *one)
{
    lua_newtable(L);
    set_integer(L, "task", one->task + 1);
    set_integer(L, "procs", one->procs);
    set_number(L, "start", one->start);
    set_number(L, "down_until", one->down_until);
    set_number(L, "recovered", one->recovered);
    set_number(L, "moved", one->moved);
    set_number(L, "ready", one->ready);
    set_number(L, "stop", one->stop);
    set_number(L, "alpha", one->alpha);
    set_number(L, "alpha_stop", one->alpha_stop);
    set_number(L, "time", one->time);
    set_number(L, "checkpoint", one->checkpoint);
    set_number(L, "period", one->period);
    set_integer(L, "why", one->why);
    set_integer(L, "from", one->from);
    push_intervals(L, s->intervals + one->first_interval, one->interval_count);
    lua_setfield(L, -2, "processors");
}

/* The processors of the stint at `at`, as a block that Lua owns; left on the stack. */
static const orr_interval *read_intervals(lua_State *L, int at, int32_t *count)
{
    lua_getfield(L, at, "processors");
    luaL_checktype(L, -1, LUA_TTABLE);
    *count = (int32_t)lua_rawlen(L, -1) / 2;
    orr_interval *list = lua_newuserdatauv(L, ((size_t)*count + 1) * sizeof *list, 0);
    for (int32_t i = 0; i < 2 * *count; i++) {
        lua_rawgeti(L, -2, i + 1);
        int32_t processor = (int32_t)luaL_checkinteger(L, -1);
        *(i % 2 ? &list[i / 2].high : &list[i / 2].low) = processor;
        lua_pop(L, 1);
    }
    return list;
}

/* --- records --------------------------------------------------------------------------------- */

static orr_stints *check_record(lua_State *L, int arg)
{
    return luaL_checkudata(L, arg, RECORD);
}

static int record_new(lua_State *L)
{
    int32_t tasks = (int32_t)luaL_checkinteger(L, 1), procs = (int32_t)luaL_checkinteger(L, 2);
    orr_stints *s = lua_newuserdatauv(L, sizeof *s, 0);
    memset(s, 0, sizeof *s);
    s->alloc = orr_allocator_or_default(NULL);
    luaL_setmetatable(L, RECORD);
    orr_error err;
    if (ori_stints_create(s, tasks, procs, NULL, &err) != ORR_OK)
        return spec_raise(L, &err);
    return 1;
}

static int record_destroy(lua_State *L)
{
    ori_stints_destroy(check_record(L, 1));
    return 0;
}

static int record_clear(lua_State *L)
{
    ori_stints_clear(check_record(L, 1));
    return 0;
}

static int record_copy(lua_State *L)
{
    orr_error err;
    if (ori_stints_copy(check_record(L, 1), check_record(L, 2), &err) != ORR_OK)
        return spec_raise(L, &err);
    return 0;
}

/* begin(stint) */
static int record_begin(lua_State *L)
{
    orr_stints *s = check_record(L, 1);
    int32_t count;
    orr_stint stint = read_stint(L, 2);
    const orr_interval *list = read_intervals(L, 2, &count);
    orr_error err;
    if (ori_stints_begin(s, &stint, list, count, &err) != ORR_OK)
        return spec_raise(L, &err);
    return 0;
}

/* stop(task, stop, alpha_stop, why) */
static int record_stop(lua_State *L)
{
    orr_stints *s = check_record(L, 1);
    int32_t task = (int32_t)luaL_checkinteger(L, 2) - 1;
    luaL_argcheck(L, task >= 0 && task < s->tasks && s->current[task] >= 0, 2, "no stint");
    ori_stints_end(s, task, luaL_checknumber(L, 3), luaL_checknumber(L, 4),
                   (orr_stop)luaL_checkinteger(L, 5));
    return 0;
}

/* The stints in order; current is a list of the tasks' latest (counted from 1, 0: none). */
static int record_list(lua_State *L)
{
    const orr_stints *s = check_record(L, 1);
    lua_newtable(L);
    for (int64_t i = 0; i < s->count; i++) {
        push_stint(L, s, &s->stints[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_newtable(L);
    for (int32_t task = 0; task < s->tasks; task++) {
        lua_pushinteger(L, s->current[task] + 1);
        lua_rawseti(L, -2, task + 1);
    }
    lua_setfield(L, -2, "current");
    return 1;
}

/* spent(first, last): of the stints first .. last (default: all) that are over. */
static int record_spent(lua_State *L)
{
    const orr_stints *s = check_record(L, 1);
    lua_Integer first = luaL_optinteger(L, 2, 1), last = luaL_optinteger(L, 3, s->count);
    luaL_argcheck(L, first >= 1 && last <= s->count, 2, "no such stint");
    orr_spent spent = {0};
    for (lua_Integer i = first; i <= last; i++)
        if (s->stints[i - 1].why != ORR_STOP_RUNNING)
            ori_spent_add(&spent, &s->stints[i - 1]);
    lua_newtable(L);
    set_number(L, "useful", spent.useful);
    set_number(L, "checkpoint", spent.checkpoint);
    set_number(L, "lost", spent.lost);
    set_number(L, "recovery", spent.recovery);
    set_number(L, "redistribution", spent.redistribution);
    set_number(L, "idle", spent.idle);
    return 1;
}

typedef struct collector {
    lua_State *L;
    lua_Integer count, limit;
} collector;

static bool collect(void *user, const orr_span *span)
{
    collector *c = user;
    lua_State *L = c->L;
    lua_newtable(L);
    lua_pushstring(L, orr_span_name(span->kind));
    lua_setfield(L, -2, "kind");
    set_integer(L, "task", span->task + 1);
    set_integer(L, "procs", span->procs);
    set_integer(L, "stint", span->stint + 1);
    set_number(L, "start", span->start);
    set_number(L, "finish", span->finish);
    lua_rawseti(L, -2, ++c->count);
    return c->count < c->limit;
}

/* spans(stint, now, limit): at most `limit` of them. */
static int record_spans(lua_State *L)
{
    const orr_stints *s = check_record(L, 1);
    lua_Integer stint = luaL_checkinteger(L, 2);
    luaL_argcheck(L, stint >= 1 && stint <= s->count, 2, "no such stint");
    collector c = {L, 0, luaL_optinteger(L, 4, 1000000)};
    double now = luaL_optnumber(L, 3, HUGE_VAL);
    lua_newtable(L);
    orr_stint_spans(s, stint - 1, now, collect, &c);
    return 1;
}

static const luaL_Reg record_methods[] = {{"clear", record_clear}, {"copy", record_copy},
                                          {"begin", record_begin}, {"stop", record_stop},
                                          {"list", record_list},   {"spent", record_spent},
                                          {"spans", record_spans}, {NULL, NULL}};

/* --- whole runs ------------------------------------------------------------------------------ */

/* A run { procs =, tasks = { { id =, size =, times = { ... } }, ... }, platform = { ... }, stints =
 * { ... }, faults = { { time =, processor = or task = }, ... } or nil, changes =, partial = }, as
 * it stands: the checker is to judge it. Lua owns all of it. */
typedef struct world {
    orr_tasks *tasks;
    orr_resilience platform;
    orr_stints stints;
    orr_fault *faults;
    int64_t fault_count;
    spec_memory memory;
} world;

#define WORLD "native_stints.world"

static int world_destroy(lua_State *L)
{
    world *w = lua_touserdata(L, 1);
    orr_tasks_destroy(w->tasks);
    free(w->stints.stints);
    free(w->stints.intervals);
    free(w->stints.changes);
    free(w->faults);
    memset(w, 0, sizeof *w);
    return 0;
}

static void *blank(lua_State *L, lua_Unsigned count, size_t size)
{
    void *block = calloc((size_t)count + 1, size);
    if (!block)
        luaL_error(L, "not enough memory");
    return block;
}

/* Every element of the list in field `name` of the table at 1, at the top of the stack. */
static void each(lua_State *L, world *w, const char *name, void (*read)(lua_State *L, world *w))
{
    lua_getfield(L, 1, name);
    lua_Integer count = lua_isnil(L, -1) ? 0 : (lua_Integer)lua_rawlen(L, -1);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, -1, i);
        int top = lua_gettop(L);
        read(L, w);
        lua_settop(L, top - 1);
    }
    lua_pop(L, 1);
}

static void read_task(lua_State *L, world *w)
{
    int at = lua_gettop(L);
    lua_getfield(L, at, "times");
    int32_t columns = (int32_t)lua_rawlen(L, -1);
    double *times = lua_newuserdatauv(L, ((size_t)columns + 1) * sizeof *times, 0);
    for (int32_t j = 0; j < columns; j++) {
        lua_rawgeti(L, at + 1, j + 1);
        times[j] = luaL_checknumber(L, -1);
        lua_pop(L, 1);
    }
    lua_getfield(L, at, "id");
    orr_error err;
    if (orr_tasks_add_table(w->tasks, lua_tostring(L, -1), spec_number(L, at, "size"), times,
                            columns, &err) != ORR_OK)
        spec_raise(L, &err);
}

static void read_raw_stint(lua_State *L, world *w)
{
    orr_stints *s = &w->stints;
    int32_t count;
    int at = lua_gettop(L);
    orr_stint *one = &s->stints[s->count++];
    *one = read_stint(L, at);
    const orr_interval *list = read_intervals(L, at, &count);
    one->interval_count = count;
    one->first_interval = s->interval_count;
    size_t bytes = (size_t)(s->interval_count + count + 1) * sizeof *s->intervals;
    orr_interval *moved = realloc(s->intervals, bytes);
    if (!moved) {
        luaL_error(L, "not enough memory");
        return;
    }
    s->intervals = moved;
    memcpy(s->intervals + s->interval_count, list, (size_t)count * sizeof *list);
    s->interval_count += count;
}

static int32_t optional_int(lua_State *L, int at, const char *name, int32_t otherwise)
{
    return (int32_t)optional_number(L, at, name, otherwise);
}

/* { what =, time =, task =, stint =, factor =, procs =, low =, high = } */
static void read_change(lua_State *L, world *w)
{
    static const char *const names[] = {"submit", "work", "size", "leaves", "comes", NULL};
    int at = lua_gettop(L);
    lua_getfield(L, at, "what");
    w->stints.changes[w->stints.change_count++] = (orr_stints_change){
        .what = (orr_stints_what)luaL_checkoption(L, -1, NULL, names),
        .time = spec_number(L, at, "time"),
        .task = optional_int(L, at, "task", 0) - 1,
        .stint = optional_int(L, at, "stint", 0),
        .factor = optional_number(L, at, "factor", 0),
        .procs = optional_int(L, at, "procs", 0),
        .processors = {optional_int(L, at, "low", 0), optional_int(L, at, "high", -1)}};
}

static void read_fault(lua_State *L, world *w)
{
    int at = lua_gettop(L);
    w->faults[w->fault_count++] = (orr_fault){.time = spec_number(L, at, "time"),
                                              .processor = optional_int(L, at, "processor", -1),
                                              .task = optional_int(L, at, "task", 0) - 1};
}

static void read_platform(lua_State *L, world *w)
{
    lua_getfield(L, 1, "platform");
    int at = lua_gettop(L);
    lua_getfield(L, at, "rule");
    bool daly = strcmp(luaL_checkstring(L, -1), "daly") == 0;
    w->platform = (orr_resilience){.mtbf = spec_number(L, at, "mtbf"),
                                   .downtime = spec_number(L, at, "downtime"),
                                   .checkpoint_unit = spec_number(L, at, "checkpoint_unit"),
                                   .checkpoint_fixed = spec_number(L, at, "checkpoint_fixed"),
                                   .startup = spec_number(L, at, "startup"),
                                   .latency = spec_number(L, at, "latency"),
                                   .bandwidth = spec_number(L, at, "bandwidth"),
                                   .rule = daly ? ORR_PERIOD_DALY : ORR_PERIOD_YOUNG};
    lua_settop(L, at - 1);
}

static lua_Unsigned length_of(lua_State *L, const char *name)
{
    lua_getfield(L, 1, name);
    lua_Unsigned length = lua_isnil(L, -1) ? 0 : lua_rawlen(L, -1);
    lua_pop(L, 1);
    return length;
}

static world *push_world(lua_State *L)
{
    world *w = lua_newuserdatauv(L, sizeof *w, 0);
    memset(w, 0, sizeof *w);
    luaL_setmetatable(L, WORLD);
    orr_error err;
    w->tasks = orr_tasks_create(NULL, &err);
    if (!w->tasks)
        spec_raise(L, &err);
    w->stints.alloc = (orr_allocator){spec_resize, &w->memory};
    w->stints.procs = spec_int(L, 1, "procs");
    w->stints.stints = blank(L, length_of(L, "stints"), sizeof *w->stints.stints);
    w->stints.changes = blank(L, length_of(L, "changes"), sizeof *w->stints.changes);
    w->faults = blank(L, length_of(L, "faults"), sizeof *w->faults);
    read_platform(L, w);
    each(L, w, "tasks", read_task);
    each(L, w, "stints", read_raw_stint);
    each(L, w, "faults", read_fault);
    each(L, w, "changes", read_change);
    w->stints.tasks = w->tasks->count;
    return w;
}

/* check(run, allowed): true, or nil, the objection and the status. */
static int check(lua_State *L)
{
    lua_settop(L, 2);
    world *w = push_world(L);
    spec_allow(&w->memory, luaL_optinteger(L, 2, INT32_MAX));
    lua_getfield(L, 1, "faults");
    bool known = !lua_isnil(L, -1);
    lua_getfield(L, 1, "partial");
    orr_error err;
    orr_status status =
        orr_check_stints(w->tasks, &w->platform, &w->stints, known ? w->faults : NULL,
                         w->fault_count, lua_toboolean(L, -1), &err);
    if (w->memory.bytes != 0)
        return luaL_error(L, "%d bytes left behind", (int)w->memory.bytes);
    if (status == ORR_OK) {
        lua_pushboolean(L, 1);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, err.message);
    lua_pushinteger(L, status);
    return 3;
}

typedef struct paper {
    luaL_Buffer text;
    lua_Integer bytes; /* that are taken before one is refused */
} paper;

static bool take_text(void *user, const char *text, size_t size)
{
    paper *p = user;
    luaL_addlstring(&p->text, text, size);
    p->bytes -= (lua_Integer)size;
    return p->bytes >= 0;
}

/* export(run, now, bytes): the CSV of its spans; nil and the status where the sink refuses some. */
static int export_spans(lua_State *L)
{
    lua_settop(L, 3);
    double now = luaL_optnumber(L, 2, HUGE_VAL);
    paper p = {.bytes = luaL_optinteger(L, 3, 1000000)};
    const world *w = push_world(L);
    luaL_buffinit(L, &p.text);
    orr_sink sink = {take_text, &p};
    orr_error err;
    orr_status status = orr_export_spans(w->tasks, &w->stints, now, &sink, &err);
    luaL_pushresult(&p.text);
    if (status == ORR_OK)
        return 1;
    lua_pushnil(L);
    lua_pushinteger(L, status);
    return 2;
}

/* --- memory ---------------------------------------------------------------------------------- */

static orr_status live(spec_memory *m, orr_error *err)
{
    enum { TASKS = 3, STINTS = 200 };
    orr_allocator a = {spec_resize, m};
    orr_stints s, copy;
    memset(&copy, 0, sizeof copy);
    copy.alloc = a;
    const orr_interval pairs[] = {{0, 1}, {4, 5}};
    orr_status status = ori_stints_create(&s, TASKS, 8, &a, err);
    for (int i = 0; status == ORR_OK && i < STINTS; i++) {
        orr_stint one = {.task = i % TASKS, .procs = 4, .from = 4, .start = i};
        status = ori_stints_begin(&s, &one, pairs, 2, err);
    }
    if (status == ORR_OK)
        status = ori_stints_create(&copy, TASKS, 8, &a, err);
    if (status == ORR_OK)
        status = ori_stints_copy(&copy, &s, err);
    ori_stints_destroy(&copy);
    ori_stints_destroy(&s);
    return status;
}

/* starve(allowed): whether a record got along with so many allocations, the status otherwise, and
 * the bytes left behind. */
static int starve(lua_State *L)
{
    spec_memory m = {0};
    spec_allow(&m, luaL_checkinteger(L, 1));
    orr_error err;
    orr_status status = live(&m, &err);
    lua_pushboolean(L, status == ORR_OK);
    lua_pushinteger(L, status);
    lua_pushinteger(L, m.bytes);
    return 3;
}

int luaopen_native_stints(lua_State *L)
{
    static const luaL_Reg functions[] = {{"record", record_new},
                                         {"starve", starve},
                                         {"check", check},
                                         {"export", export_spans},
                                         {NULL, NULL}};
    luaL_newmetatable(L, WORLD);
    lua_pushcfunction(L, world_destroy);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    luaL_newmetatable(L, RECORD);
    lua_newtable(L);
    luaL_setfuncs(L, record_methods, 0);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, record_destroy);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    return 1;
}
