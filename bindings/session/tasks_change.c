/* Changes of a session of tasks: s:change. */
#include "bindings/host/host.h"
#include "bindings/host/limits.h"
#include "bindings/session/tasks.h"
#include "bindings/support/raise.h"
#include "bindings/values/values.h"

#include "malleable/change.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- what is asked for ------------------------------------------------------------------------ */

enum { REMARK_SIZE = 256 };

/* What the kernel's change points to. */
typedef struct request {
    orr_malleable_change change;
    char (*remarks)[REMARK_SIZE]; /* room for one per fault */
    int64_t remark_count;
} request;

static void note_remark(void *user, const char *text)
{
    request *r = user;
    if (r->remark_count < r->change.fault_count)
        snprintf(r->remarks[r->remark_count++], REMARK_SIZE, "%s", text);
}

static int32_t check_number(lua_State *L, const char *what)
{
    int is_integer;
    lua_Integer number = lua_tointegerx(L, -1, &is_integer);
    if (!is_integer || number < INT32_MIN || number > INT32_MAX)
        luaL_error(L, "%s: expected a whole number, found %s", what, luaL_tolstring(L, -1, NULL));
    return (int32_t)number;
}

static double check_real(lua_State *L, const char *what)
{
    if (lua_type(L, -1) != LUA_TNUMBER)
        luaL_error(L, "%s: expected a number, found %s", what, luaL_tolstring(L, -1, NULL));
    return lua_tonumber(L, -1);
}

/* Memory for the list in field `name` of the table at 2, which is left on the stack above it; NULL
 * where there is none. */
static void *push_list(lua_State *L, const char *name, size_t size, lua_Unsigned *count)
{
    *count = 0;
    if (lua_getfield(L, 2, name) == LUA_TNIL)
        return NULL;
    if (!lua_istable(L, -1))
        luaL_error(L, "%s: expected a list, found %s", name, luaL_typename(L, -1));
    *count = lua_rawlen(L, -1);
    void *items = lua_newuserdatauv(L, (size_t)(*count + 1) * size, 0);
    lua_insert(L, -2);
    return items;
}

static void read_cancel(lua_State *L, request *r)
{
    lua_Unsigned count;
    int32_t *list = push_list(L, "cancel", sizeof *list, &count);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        list[i] = check_number(L, "cancel") - 1;
        lua_pop(L, 1);
    }
    r->change.cancel = list;
    r->change.cancel_count = (int32_t)count;
}

/* { procs = [, until = ] }, or the number alone. */
static void read_procs(lua_State *L, request *r)
{
    orr_malleable_change *c = &r->change;
    int kind = lua_getfield(L, 2, "procs");
    c->until = INFINITY;
    c->resizes = kind != LUA_TNIL;
    if (kind == LUA_TTABLE) {
        if (lua_getfield(L, -1, "group") != LUA_TNIL)
            luaL_error(L, "procs: a machine for tasks has no groups");
        if (lua_getfield(L, -2, "until") != LUA_TNIL)
            c->until = check_real(L, "procs: until");
        lua_getfield(L, -3, "procs");
    }
    if (c->resizes)
        c->procs = check_number(L, "procs");
}

/* The session's tasks, and those in field `submit` behind them, as a new set that the session on
 * top of the stack keeps alive. */
static void read_submit(lua_State *L, orr_tasks_session *next, request *r)
{
    int top = lua_gettop(L);
    if (lua_getfield(L, 2, "submit") != LUA_TNIL) {
        const orr_tasks *more = orr_lua_test_tasks(L, -1);
        if (!more)
            luaL_error(L, "submit: expected tasks, found %s", luaL_typename(L, -1));
        orr_error err;
        orr_tasks **all = orr_lua_new_tasks(L);
        *all = orr_tasks_create(NULL, &err);
        if (!*all)
            orr_lua_raise(L, &err);
        if (orr_tasks_append(*all, next->tasks, &err) != ORR_OK ||
            orr_tasks_append(*all, more, &err) != ORR_OK) {
            orr_error_prefix(&err, "submit");
            orr_lua_raise(L, &err);
        }
        next->tasks = r->change.tasks = *all;
        lua_setiuservalue(L, top, ORR_KEEPS_TASKS);
    }
    lua_settop(L, top);
}

/* { [position] = factor }, in any order: the order does not matter. */
static void read_work(lua_State *L, request *r)
{
    int32_t count = 0;
    if (lua_getfield(L, 2, "work") == LUA_TNIL)
        return;
    if (!lua_istable(L, -1))
        luaL_error(L, "work: expected { [task] = factor }, found %s", luaL_typename(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
        count++;
    orr_work_change *list = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *list, 0);
    lua_insert(L, -2);
    r->change.work = list;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        double factor = check_real(L, "work: the factor");
        lua_pushvalue(L, -2);
        list[r->change.work_count++] = (orr_work_change){check_number(L, "work") - 1, factor};
        lua_pop(L, 1);
    }
}

/* The fault on top of the stack: { task = position } or { processor = number }. */
static orr_fault read_fault(lua_State *L)
{
    orr_fault fault = {0, -1, -1};
    if (!lua_istable(L, -1))
        luaL_error(L, "fault: expected { task = } or { processor = }, found %s",
                   luaL_typename(L, -1));
    if (lua_getfield(L, -1, "task") != LUA_TNIL)
        fault.task = check_number(L, "fault: task") - 1;
    if (lua_getfield(L, -2, "processor") != LUA_TNIL)
        fault.processor = check_number(L, "fault: processor");
    lua_pop(L, 2);
    return fault;
}

static void read_faults(lua_State *L, request *r)
{
    lua_Unsigned count;
    orr_fault *list = push_list(L, "fault", sizeof *list, &count);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        list[i] = read_fault(L);
        lua_pop(L, 1);
    }
    r->change.faults = list;
    r->change.fault_count = (int64_t)count;
    r->remarks = lua_newuserdatauv(L, (size_t)(count + 1) * REMARK_SIZE, 0);
    r->change.remark = note_remark;
    r->change.remark_user = r;
}

static void refuse_unknown(lua_State *L)
{
    static const char *const known[] = {"policy", "seed", "procs", "submit",
                                        "cancel", "work", "fault"};
    for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
        size_t i = 0;
        while (i < sizeof known / sizeof *known && strcmp(known[i], name) != 0)
            i++;
        if (i == sizeof known / sizeof *known)
            luaL_error(L, "a session of tasks knows no change '%s'", name);
    }
}

/* The request in the table at 2; lists stay on the stack. */
static void read_request(lua_State *L, request *r)
{
    luaL_checktype(L, 2, LUA_TTABLE);
    refuse_unknown(L);
    if (lua_getfield(L, 2, "seed") != LUA_TNIL) {
        r->change.draws = true;
        r->change.seed = (uint64_t)luaL_checkinteger(L, -1);
    }
    read_procs(L, r);
    read_cancel(L, r);
    read_work(L, r);
    read_faults(L, r);
}

/* Whether two prepared policies are one: the same table, or of the same text. */
static bool is_same_policy(lua_State *L, int a, int b)
{
    lua_getfield(L, a, "text");
    lua_getfield(L, b, "text");
    bool text = lua_isstring(L, -1) && lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return text || lua_rawequal(L, a, b);
}

/* Puts the policy of the table at 2, where it has another one, into the session on top. */
static void change_policy(lua_State *L, orr_tasks_session *next, request *r)
{
    int top = lua_gettop(L);
    lua_getfield(L, 2, "policy");
    lua_getiuservalue(L, top, ORR_KEEPS_POLICY);
    if (!lua_isnil(L, -2) && !is_same_policy(L, top + 1, top + 2)) {
        orr_limits limits = next->world->host->limits;
        orr_error err;
        if (orr_lua_new_world(L, next, top + 1, &limits, &err) != ORR_OK)
            orr_lua_raise(L, &err);
        r->change.policy = &next->world->host->tasks.policy;
        lua_pushvalue(L, top + 1);
        lua_setiuservalue(L, top, ORR_KEEPS_POLICY);
    }
    lua_settop(L, top);
}

static void push_remarks(lua_State *L, const request *r)
{
    lua_createtable(L, (int)r->remark_count, 0);
    for (int64_t i = 0; i < r->remark_count; i++) {
        lua_pushstring(L, r->remarks[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

/* The sessions at 1 and `other` change places. */
static void swap(lua_State *L, orr_tasks_session *s, orr_tasks_session *next, int other)
{
    orr_tasks_session before = *s;
    *s = *next;
    *next = before;
    for (int i = 1; i <= ORR_KEPT_VALUES; i++) {
        lua_getiuservalue(L, 1, i);
        lua_getiuservalue(L, other, i);
        lua_setiuservalue(L, 1, i);
        lua_setiuservalue(L, other, i);
    }
}

/* The session as changed, at index *other; remarks are on top. */
static orr_tasks_session *changed(lua_State *L, int *other)
{
    orr_tasks_session *s = orr_lua_check_tasks_session(L, 1);
    request r = {.change = {.size = sizeof(orr_malleable_change)}};
    orr_error err;
    lua_settop(L, 2);
    read_request(L, &r);
    orr_tasks_session *next = orr_lua_push_successor(L, s);
    *other = lua_gettop(L);
    read_submit(L, next, &r);
    change_policy(L, next, &r);
    orr_host *host = orr_tasks_session_enter(L, next);
    next->sim = orr_malleable_changed(s->sim, &r.change, &err);
    orr_host_leave(host);
    if (!next->sim)
        orr_lua_raise(L, &err);
    push_remarks(L, &r);
    return next;
}

int orr_lua_tasks_fork_changed(lua_State *L)
{
    int other;
    changed(L, &other);
    lua_pushvalue(L, other);
    lua_insert(L, -2);
    return 2;
}

int orr_lua_tasks_change(lua_State *L)
{
    int other;
    orr_tasks_session *next = changed(L, &other);
    swap(L, lua_touserdata(L, 1), next, other);
    orr_tasks_session_empty(next);
    return 1;
}
