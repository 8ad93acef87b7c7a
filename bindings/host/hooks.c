/* Calls into a policy, and sim.state: what policies for jobs, tasks and packs have in common. */
#include "bindings/host/hooks.h"
#include "bindings/host/calls.h"
#include "bindings/host/host.h"
#include "bindings/host/kept.h"
#include "bindings/host/plain.h"
#include "bindings/host/views.h"
#include "bindings/host/watchdog.h"

#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

/* --- calls into Lua ------------------------------------------------------------------------- */

enum { LEVELS_SEEN = 100 };

/* Whether one function of a policy is running, or more (2), and where the innermost one is. The
 * search stops early: a level costs time proportional to its depth, and there may be 200,000. */
static int policy_frames(lua_State *L, lua_Debug *innermost)
{
    int count = 0;
    lua_Debug frame;
    for (int level = 1; count < 2 && lua_getstack(L, level, &frame); level++) {
        if (level > LEVELS_SEEN)
            return 2;
        lua_getinfo(L, "Sl", &frame);
        bool fence = strncmp(frame.source, "=orrery/", 8) == 0;
        if (frame.currentline >= 0 && !fence && count++ == 0)
            *innermost = frame;
    }
    return count;
}

enum { MOST_OF_MESSAGE = 1000 }; /* bytes; the rest is for the hook, the time and the traceback */

size_t orr_host_cut(const char *text, size_t size, size_t most)
{
    if (size <= most)
        return size;
    while (most > 0 && (text[most] & 0xc0) == 0x80)
        most--;
    return most;
}

static const char *push_cut(lua_State *L, const char *message, size_t size)
{
    size_t end = orr_host_cut(message, size, MOST_OF_MESSAGE);
    lua_pushlstring(L, message, end);
    if (end == size)
        return lua_tostring(L, -1);
    return lua_pushfstring(L, "%s ... (%d bytes more)", lua_tostring(L, -1), (int)(size - end));
}

/* The message on top with a traceback, without the lines of the fence's own files. */
static void push_traceback(lua_State *L, const char *message)
{
    luaL_Buffer b;
    luaL_traceback(L, L, message, 1);
    const char *line = lua_tostring(L, -1) + strlen(message), *next;
    luaL_buffinit(L, &b);
    luaL_addstring(&b, message);
    for (; *line; line = next) {
        next = strchrnul(line + 1, '\n');
        if (strncmp(line, "\n\torrery/", 9) != 0)
            luaL_addlstring(&b, line, (size_t)(next - line));
    }
    luaL_pushresult(&b);
}

/* If only one function runs, the line replaces a traceback; a message without a line gets it. */
static int with_traceback(lua_State *L)
{
    size_t size;
    const char *message = lua_tolstring(L, 1, &size);
    if (message) {
        message = push_cut(L, message, size);
    } else {
        message = orr_host_push_text(L, 1);
        size = lua_rawlen(L, -1);
        message = lua_pushfstring(L, "(error object: %s)", push_cut(L, message, size));
    }
    lua_Debug at = {0};
    int frames = policy_frames(L, &at);
    if (frames > 1) {
        push_traceback(L, message);
    } else if (frames == 1) {
        const char *line = lua_pushfstring(L, "%s:%d: ", at.short_src, at.currentline);
        lua_pushfstring(L, "%s%s", strstr(message, line) ? "" : line, message);
    } else {
        lua_pushstring(L, message);
    }
    return 1;
}

/* " for job 17 at time 3600": what the call under way is about, as far as that is known. */
static void describe_call(const orr_call *call, char *text, size_t size)
{
    int used = 0;
    text[0] = '\0';
    if (call->item >= 0 && (call->tasks || call->instance))
        used = snprintf(text, size, " for %s %.100s", call->tasks ? "task" : "job",
                        orr_call_item_id(call, call->item));
    if (call->tasks || call->sim)
        snprintf(text + used, size - (size_t)used, " at time %.17g", orr_call_now(call));
}

/* The error on top of the stack becomes a message that says which hook, when, and for which job. */
static orr_status policy_error(orr_host *host, int code, orr_error *err)
{
    char about[256], late[ORR_LATE_TEXT];
    const char *message = orr_host_error_text(host, code, late);
    describe_call(host->call, about, sizeof about);
    orr_status status = orr_is_cancelled(host->cancel) ? ORR_ERR_CANCELLED
                        : host->stopped                ? ORR_ERR_LIMIT
                                                       : ORR_ERR_POLICY;
    return orr_fail(err, status, "policy %s: %s%s: %s", host->name, host->call->hook, about,
                    message);
}

/* --- which hooks are called ----------------------------------------------------------------- */

static const char *const all_hooks[] = {ORR_HOOKS(ORR_HOOK_NAME), "dispatch", "priority",
                                        "backfill", "place"};
enum { ALL_HOOKS = sizeof all_hooks / sizeof *all_hooks };

static void note_hook(orr_host *host, const char *hook)
{
    for (int i = 0; i < ALL_HOOKS; i++)
        if (strcmp(hook, all_hooks[i]) == 0)
            host->called |= (uint32_t)1 << i;
}

void orr_host_push_called(lua_State *L, orr_host *host)
{
    lua_newtable(L);
    for (int i = 0; i < ALL_HOOKS; i++) {
        lua_pushboolean(L, (int)(host->called >> i & 1));
        lua_setfield(L, -2, all_hooks[i]);
    }
    host->called = 0;
    host->listens = true;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* What stands at the bottom of the stack of a host's Lua state: calls that no other call of the
 * host surrounds find it there. */
enum { HANDLER = 1, SIM };

void orr_host_fill_stack(orr_host *host)
{
    lua_pushcfunction(host->L, with_traceback);
    orr_host_push_sim(host->L, host);
}

/* A call under way: what is to be restored behind it. */
typedef struct under_way {
    orr_interrupted_call before;
    orr_calls_mark mark;
    int top, handler; /* of the stack; where it has the handler */
} under_way;

ORR_INLINE orr_status begin(orr_host *host, const orr_call *call, under_way *u, orr_error *err)
{
    orr_status status = orr_host_watch(host, err);
    if (ORR_UNLIKELY(status != ORR_OK))
        return status;
    if (ORR_UNLIKELY(host->listens))
        note_hook(host, call->hook);
    orr_host_begin_call(host, call, &u->before);
    orr_host_restore_borders(host);
    orr_calls_begin(host, &u->mark);
    u->top = lua_gettop(host->L);
    u->handler = HANDLER;
    if (ORR_UNLIKELY(u->before.calling)) {
        lua_pushcfunction(host->L, with_traceback);
        u->handler = u->top + 1;
    }
    return ORR_OK;
}

/* `code` is what lua_pcall returned. */
ORR_INLINE orr_status end(orr_host *host, const under_way *u, int code, orr_error *err)
{
    orr_status status = ORR_LIKELY(code == LUA_OK) ? ORR_OK : policy_error(host, code, err);
    lua_settop(host->L, u->top);
    orr_calls_end(host, &u->mark);
    orr_host_end_call(host, &u->before);
    return status;
}

orr_status orr_host_run(orr_host *host, const orr_call *call, lua_CFunction run, void *argument,
                        orr_error *err)
{
    under_way u;
    orr_status status = begin(host, call, &u, err);
    if (status != ORR_OK)
        return status;
    lua_pushcfunction(host->L, run);
    lua_pushlightuserdata(host->L, argument);
    return end(host, &u, lua_pcall(host->L, 1, 0, u.handler), err);
}

/* --- hooks ---------------------------------------------------------------------------------- */

const char *const orr_hook_names[] = {ORR_HOOKS(ORR_HOOK_NAME)};

bool orr_host_has(const orr_host *host, orr_host_ref hook)
{
    return host->refs[hook] != LUA_NOREF;
}

/* The name, for messages, of the number that the called hook must return. */
static const char *wanted(const orr_host *host)
{
    const char *hook = host->call->hook;
    return hook == orr_hook_names[ORR_HOOK_period]        ? "a period"
           : hook == orr_hook_names[ORR_HOOK_estimate]    ? "an estimate"
           : hook == orr_hook_names[ORR_HOOK_planned_end] ? "a planned end"
                                                          : "a priority";
}

/* Raises an error about the result that the call returned. A policy author who returns an
 * allocation expects it to be used: the message names the methods that do so. */
static int refuse_result(lua_State *L)
{
    enum { VALUE = 2, UNTIL };
    const orr_hook_call *c = lua_touserdata(L, 1);
    if (c->returns == ORR_RETURNS_NUMBER && lua_type(L, VALUE) == LUA_TNUMBER)
        return luaL_error(L, "the time at which %s changes must be a number or nil, this is %s",
                          wanted(c->host), luaL_typename(L, UNTIL));
    if (c->returns == ORR_RETURNS_NUMBER)
        return luaL_error(L, "%s must be a number, this is %s", wanted(c->host),
                          luaL_typename(L, VALUE));
    return luaL_error(
        L, "%s returned %s; it must return nothing: what it %s", c->host->call->hook,
        orr_host_push_text(L, VALUE),
        c->host->for_tasks
            ? "proposes it says with sim:assign, sim:give, sim:share_out and sim:start_over"
            : "wants it does with the methods of sim");
}

/* Pushes the function, sim, and the item if there is one; returns the number of arguments. `sim` is
 * where the stack has it, or 0. */
ORR_INLINE int push_hook(lua_State *L, const orr_hook_call *c, int sim)
{
    int32_t item = c->host->call->item;
    bool is_priority = c->returns == ORR_RETURNS_NUMBER;
    lua_rawgeti(L, LUA_REGISTRYINDEX, c->function);
    if (item >= 0 && is_priority)
        orr_host_push_item(L, c->host, item);
    if (sim > 0)
        lua_pushvalue(L, sim);
    else
        orr_host_push_sim(L, c->host);
    if (item >= 0 && !is_priority)
        orr_host_push_item(L, c->host, item);
    if (c->known_text)
        lua_rawgeti(L, LUA_REGISTRYINDEX, c->known_text);
    return 1 + (item >= 0) + (c->known_text != 0);
}

/* How many. */
ORR_INLINE int results(const orr_hook_call *c)
{
    return c->until ? 2 : 1;
}

static int run_hook(lua_State *L)
{
    const orr_hook_call *c = lua_touserdata(L, 1);
    if (!orr_view_is_shown(c->host))
        orr_view_show(L, c->host);
    int arguments = push_hook(L, c, 0);
    int top = lua_gettop(L) - arguments;
    if (c->text)
        lua_pushstring(L, c->text);
    if (c->warning)
        orr_view_push_warning(L, c->host->call->sim, c->warning);
    lua_call(L, lua_gettop(L) - top, results(c));
    return results(c);
}

/* Everything that may allocate, and so raise, happens inside the protected call: where an argument
 * has to be made, in a function of C there. */
ORR_INLINE int call_function(lua_State *L, orr_hook_call *c, int handler)
{
    bool ready = c->host->light_items && handler == HANDLER && orr_view_is_shown(c->host);
    if (ORR_LIKELY(ready && !c->text && !c->warning))
        return lua_pcall(L, push_hook(L, c, SIM), results(c), HANDLER);
    lua_pushcfunction(L, run_hook);
    lua_pushlightuserdata(L, c);
    return lua_pcall(L, 1, results(c), handler);
}

/* Whether what a hook returned, on top, is what hooks of its kind return. */
ORR_INLINE bool take_result(lua_State *L, orr_hook_call *c)
{
    if (c->returns != ORR_RETURNS_NUMBER)
        return c->returns == ORR_RETURNS_ANYTHING || lua_isnil(L, -1);
    int first = -results(c);
    c->value = lua_tonumber(L, first);
    if (c->until && !lua_isnil(L, -1))
        *c->until = lua_tonumber(L, -1);
    return lua_type(L, first) == LUA_TNUMBER &&
           (!c->until || lua_isnil(L, -1) || lua_type(L, -1) == LUA_TNUMBER);
}

orr_status orr_host_call_hook(const orr_call *call, orr_hook_call *c, orr_error *err)
{
    lua_State *L = c->host->L;
    under_way u;
    orr_status status = begin(c->host, call, &u, err);
    if (status != ORR_OK)
        return status;
    int code = call_function(L, c, u.handler);
    if (code == LUA_OK && ORR_UNLIKELY(!take_result(L, c))) {
        int first = -results(c);
        lua_pushcfunction(L, refuse_result);
        lua_insert(L, first - 1);
        lua_pushlightuserdata(L, c);
        lua_insert(L, first - 1);
        code = lua_pcall(L, 1 + results(c), 0, u.handler);
    }
    return end(c->host, &u, code, err);
}

orr_status orr_host_call_event(orr_host_ref hook, orr_call *call, orr_hook_call *c, orr_error *err)
{
    call->hook = orr_hook_names[hook];
    call->writes = c->host->writes[hook].known ? &c->host->writes[hook] : NULL;
    c->function = c->host->refs[hook];
    c->returns = ORR_RETURNS_NOTHING;
    return orr_host_call_hook(call, c, err);
}

/* --- sim.state ------------------------------------------------------------------------------ */

/* The state is a table in the host's registry; the simulation holds its reference. It must be
 * reachable from the simulation while init runs, so it is made here and filled at the first look.
 * Here: the reference of a new table, or (not 0) of a copy of that with this one. */
static int make_table_ref(lua_State *L)
{
    if (lua_tointeger(L, 1) != 0) {
        lua_rawgeti(L, LUA_REGISTRYINDEX, lua_tointeger(L, 1));
        orr_lua_copy_plain(L, L, 2, &orr_plain_state);
    } else {
        lua_newtable(L);
    }
    lua_pushinteger(L, luaL_ref(L, LUA_REGISTRYINDEX));
    return 1;
}

orr_status orr_host_copy_state(void *user, void *source, void **copy, orr_error *err)
{
    orr_host *host = user;
    lua_State *L = host->L;
    host->all_changed = ++host->changes; /* references are given again */
    lua_pushcfunction(L, make_table_ref);
    lua_pushinteger(L, (lua_Integer)(intptr_t)source);
    orr_status status = ORR_OK;
    if (lua_pcall(L, 1, 1, 0) != LUA_OK)
        status = orr_fail(err, ORR_ERR_POLICY, "policy %s: sim.state: %s", host->name,
                          lua_tostring(L, -1) ? lua_tostring(L, -1) : "error");
    else
        *copy = (void *)(intptr_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return status;
}

void orr_host_free_state(void *user, void *state)
{
    orr_host *host = user;
    if (host->in_runs)
        orr_host_look_at_state(host, state);
    if (host->shown_state == state)
        orr_view_show(host->L, host); /* outside of calls: none */
    luaL_unref(host->L, LUA_REGISTRYINDEX, (int)(intptr_t)state);
}

orr_status orr_host_init_state(orr_host *host, orr_call *call, void **state, orr_error *err)
{
    orr_status status = orr_host_begin_simulation(host, err);
    if (status == ORR_OK)
        status = orr_host_copy_state(host, NULL, state, err);
    if (status != ORR_OK || !orr_host_has(host, ORR_HOOK_init))
        return status;
    call->hook = "init";
    orr_hook_call c = {.host = host, .function = host->refs[ORR_HOOK_init]};
    status = orr_host_call_hook(call, &c, err);
    if (status != ORR_OK)
        orr_host_free_state(host, *state);
    return status;
}
