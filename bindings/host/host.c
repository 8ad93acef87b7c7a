/* Making hosts: the Lua state of a policy, its libraries, and loading. */
#include "bindings/host/host.h"
#include "bindings/host/hooks.h"
#include "bindings/host/notes.h"
#include "bindings/host/plain.h"
#include "bindings/host/views.h"
#include "bindings/host/watchdog.h"
#include "bindings/support/classes.h"
#include "bindings/support/embedding.h"
#include "bindings/support/fields.h"

#include "base/draw.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- math.random ---------------------------------------------------------------------------- */

static int policy_random(lua_State *L)
{
    orr_host *host = orr_host_of_tool(L);
    if (!host || !host->call->rng)
        return luaL_error(L, "math.random can be used only inside a hook of the policy");
    int args = lua_gettop(L);
    if (args == 0) {
        lua_pushnumber(L, orr_draw_unit(host->call->rng));
        return 1;
    }
    lua_Integer low = args == 1 ? 1 : luaL_checkinteger(L, 1);
    lua_Integer high = luaL_checkinteger(L, args == 1 ? 1 : 2);
    if (args == 1 && high == 0) {
        lua_pushinteger(L, (lua_Integer)orr_pcg_next(host->call->rng));
        return 1;
    }
    luaL_argcheck(L, low <= high, args, "interval is empty");
    lua_pushinteger(L, orr_draw_integer(host->call->rng, low, high));
    return 1;
}

/* --- creation ------------------------------------------------------------------------------- */

static void *limited_alloc(void *user, void *block, size_t old_size, size_t new_size)
{
    orr_host *host = user;
    if (!block)
        old_size = 0; /* then it is a type tag */
    if (new_size == 0) {
        free(block);
        host->memory -= old_size;
        return NULL;
    }
    bool is_more = host->memory - old_size + new_size > host->limits.memory;
    if (new_size > old_size && orr_host_refuses(host, new_size, is_more))
        return NULL;
    void *moved = realloc(block, new_size);
    if (moved)
        host->memory += new_size - old_size;
    return moved;
}

static void open_libraries(lua_State *L)
{
    static const luaL_Reg libraries[] = {
        {LUA_GNAME, luaopen_base},       {LUA_STRLIBNAME, luaopen_string},
        {LUA_TABLIBNAME, luaopen_table}, {LUA_MATHLIBNAME, luaopen_math},
        {LUA_UTF8LIBNAME, luaopen_utf8}, {LUA_DBLIBNAME, luaopen_debug},
    };
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
        lua_pop(L, 1);
    }
}

static void take_name(lua_State *L, orr_host *host)
{
    const char *name = orr_lua_take_text(L, "name");
    size_t size = orr_host_cut(name, strlen(name), sizeof host->name - 1);
    memcpy(host->name, name, size);
    host->name[size] = '\0';
}

/* Takes what the table on top says, which sandbox.lua has checked. */
static void take_policy(orr_host *host)
{
    lua_State *L = host->L;
    take_name(L, host);
    const char *engine = orr_lua_take_text(L, "engine"); /* see schema/policy_kinds.lua */
    host->for_tasks = strcmp(engine, "tasks") == 0;
    host->alone = strcmp(engine, "jobs") != 0 && !host->for_tasks;
    for (int hook = 0; hook < ORR_HOOKS_END; hook++)
        host->refs[hook] = orr_lua_take_function(L, orr_hook_names[hook]);
    if (host->alone)
        host->asks_lua = true;
    else if (host->for_tasks)
        orr_host_take_tasks(host);
    else
        orr_host_take_jobs(host);
    lua_getfield(L, -1, "description");
    host->refs[ORR_REF_DESCRIPTION] = luaL_ref(L, LUA_REGISTRYINDEX);
    host->refs[ORR_REF_CHECK] = orr_lua_take_function(L, "check");
    if (lua_getfield(L, -1, "image") == LUA_TUSERDATA) {
        host->image = lua_touserdata(L, -1);
        host->borders = orr_layout_find_borders(host->image);
    }
    host->refs[ORR_REF_IMAGE] = luaL_ref(L, LUA_REGISTRYINDEX);
    host->refs[ORR_REF_FIND_FORMULA] = orr_lua_take_function(L, "find_formula");
}

/* The argument of set_up: the description as text (own state), else it is the second argument. */
typedef struct set_up_argument {
    orr_host *host;
    const char *text;
    size_t size;
} set_up_argument;

/* Called with the policy's name and what it is loading, or nothing. */
static int note_stage(lua_State *L)
{
    orr_host *host = orr_host_of_tool(L);
    if (!host)
        return 0;
    host->stage[0] = '\0';
    if (!lua_isnoneornil(L, 1))
        snprintf(host->name, sizeof host->name, "%s", luaL_checkstring(L, 1));
    if (!lua_isnoneornil(L, 2))
        snprintf(host->stage, sizeof host->stage, "policy %.100s: %.60s: ", luaL_checkstring(L, 1),
                 luaL_checkstring(L, 2));
    return 0;
}

/* Called when the policy sets a metatable: any operation may call a function of it from then on. */
static int note_metatables(lua_State *L)
{
    orr_host *host = orr_host_of_tool(L);
    if (host)
        host->has_metatables = true;
    return 0;
}

/* Pushes the upvalue of the tools, a box with the host's address: a policy in the caller's state
 * may keep a tool, such as math.random, for longer than the host exists. */
static void push_box(lua_State *L, orr_host *host)
{
    orr_host **box = lua_newuserdatauv(L, sizeof(orr_host *), 0);
    *box = host;
    lua_pushvalue(L, -1);
    host->refs[ORR_REF_BOX] = luaL_ref(L, LUA_REGISTRYINDEX);
    host->box = box; /* now it cannot go before the host */
}

/* Pushes the argument of sandbox.lua, without the description: replacements of Lua's own functions,
 * functions that sandbox.lua calls, and the names of the hooks that events of jobs call. */
static void push_tools(lua_State *L, orr_host *host)
{
    static const luaL_Reg tools[] = {{"random", policy_random},
                                     {"tostring", orr_host_tostring},
                                     {"watch", orr_host_watch_coroutine},
                                     {"stage", note_stage},
                                     {"has_metatables", note_metatables},
                                     {"take_strings", orr_host_take_strings},
                                     {"print", orr_host_print},
                                     {"must_end", orr_host_must_end},
                                     {"image", orr_layout_make_image},
                                     {"altered", orr_layout_altered},
                                     {NULL, NULL}};
    static const char *const events[] = {ORR_EVENTS_OF_JOBS(ORR_HOOK_NAME)};
    lua_newtable(L);
    push_box(L, host);
    luaL_setfuncs(L, tools, 1);
    lua_pushboolean(L, host->own);
    lua_setfield(L, -2, "own");
    orr_lua_set_integer(L, "source", host->limits.source);
    orr_host_push_bounded(L);
    lua_setfield(L, -2, "bounded");
    lua_newtable(L);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
        lua_pushstring(L, events[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_setfield(L, -2, "events");
}

/* Everything that may allocate while a host is made. */
static int set_up(lua_State *L)
{
    const set_up_argument *argument = lua_touserdata(L, 1);
    orr_host *host = argument->host;
    if (host->own) {
        open_libraries(L);
        lua_pushcfunction(L, orr_lua_require_embedded); /* which no policy sees */
        lua_setglobal(L, "require");
        lua_pushlstring(L, argument->text, argument->size);
        lua_replace(L, 2);
    }
    orr_lua_load_embedded(L, "orrery.host.sandbox");
    push_tools(L, host);
    lua_pushvalue(L, 2);
    lua_setfield(L, -2, "description");
    lua_call(L, 1, 1);
    take_policy(host);
    if (!host->alone)
        orr_host_make_views(host, host->for_tasks ? &orr_views_of_tasks : &orr_views_of_jobs);
    return 0;
}

static _Atomic uint32_t hosts; /* made so far */

static orr_host *new_host(const orr_limits *limits, orr_error *err)
{
    orr_host *host = calloc(1, sizeof *host);
    if (!host) {
        orr_fail_memory(err, sizeof *host);
        return NULL;
    }
    orr_timer_hold();
    host->limits = *limits;
    host->calls = (uint64_t)atomic_fetch_add(&hosts, 1) << 32;
    host->changes = host->all_changed = host->calls + 1;
    for (int ref = 0; ref < ORR_REFS; ref++)
        host->refs[ref] = LUA_NOREF;
    host->jobs.order = (orr_order){host, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF};
    host->call = &orr_no_call;
    host->shown_group = host->last_group = -1;
    return host;
}

/* Runs set_up with the description on top of the stack, or nil and the text. Loading has a budget
 * of time, too: a policy file is code that may loop. */
static bool run_set_up(orr_host *host, const char *text, size_t size, orr_error *err)
{
    lua_State *L = host->L;
    orr_host_enter(host);
    if (orr_host_watch(host, err) != ORR_OK) {
        orr_host_leave(host);
        return false;
    }
    host->loading = true;
    orr_interrupted_call before;
    orr_host_begin_call(host, &orr_no_call, &before);
    set_up_argument argument = {host, text, size};
    lua_pushcfunction(L, set_up);
    lua_pushlightuserdata(L, &argument);
    lua_pushvalue(L, -3);
    int status = lua_pcall(L, 2, 0, 0);
    if (status != LUA_OK) {
        char late[ORR_LATE_TEXT];
        const char *message = orr_host_error_text(host, status, late);
        orr_status failed = host->stopped ? ORR_ERR_LIMIT : ORR_ERR_INPUT;
        if (!host->stage[0] && host->name[0] && (host->stopped || status == LUA_ERRMEM))
            snprintf(host->stage, sizeof host->stage, "policy %.100s: loading: ", host->name);
        orr_fail(err, failed, "%s%s", host->stage, message);
        lua_pop(L, 1);
    }
    orr_host_end_call(host, &before);
    host->loading = false;
    orr_host_leave(host);
    lua_pop(L, 1);
    if (status == LUA_OK)
        orr_host_fill_stack(host);
    return status == LUA_OK;
}

orr_host *orr_host_create(const char *text, size_t size, const orr_limits *limits, orr_error *err)
{
    orr_host *host = new_host(limits, err);
    if (!host)
        return NULL;
    host->own = true;
    host->L = lua_newstate(limited_alloc, host);
    if (!host->L) {
        orr_fail(err, ORR_ERR_MEMORY, "no memory for a policy's Lua state (limit: %zu bytes)",
                 host->limits.memory);
        orr_timer_release();
        free(host);
        return NULL;
    }
    orr_layout_reseed(host->L);
    *(orr_host **)lua_getextraspace(host->L) = host;
    lua_pushnil(host->L);
    if (run_set_up(host, text, size, err))
        return host;
    orr_host_destroy(host);
    return NULL;
}

static orr_host *create_in(lua_State *L, int index, const orr_limits *limits, orr_error *err)
{
    index = lua_absindex(L, index);
    lua_State *thread = lua_newthread(L); /* L may be a coroutine that ends before the host */
    int anchor = luaL_ref(L, LUA_REGISTRYINDEX);
    orr_host *host = new_host(limits, err);
    if (!host) {
        luaL_unref(L, LUA_REGISTRYINDEX, anchor);
        return NULL;
    }
    host->L = thread;
    host->refs[ORR_REF_ANCHOR] = anchor;
    lua_pushvalue(L, index);
    lua_xmove(L, thread, 1);
    if (run_set_up(host, NULL, 0, err))
        return host;
    orr_host_destroy(host);
    return NULL;
}

orr_host *orr_lua_make_host(lua_State *L, int index, const orr_limits *limits, orr_error *err)
{
    bool is_text = lua_getfield(L, index, "text") == LUA_TSTRING;
    if (!is_text)
        lua_getfield(L, index, "value");
    size_t size = 0;
    const char *text = is_text ? lua_tolstring(L, -1, &size) : NULL;
    orr_host *host =
        is_text ? orr_host_create(text, size, limits, err) : create_in(L, -1, limits, err);
    lua_pop(L, is_text ? 1 : 2);
    return host;
}

static void release_order(lua_State *L, const orr_order *order)
{
    luaL_unref(L, LUA_REGISTRYINDEX, order->priority);
    luaL_unref(L, LUA_REGISTRYINDEX, order->backfill);
    luaL_unref(L, LUA_REGISTRYINDEX, order->dispatch);
}

/* Frees everything that the host has in the caller's state. */
static void release(orr_host *host)
{
    if (host->self)
        host->self->host = NULL; /* values that somebody kept know that it is gone */
    if (host->box)
        *host->box = NULL;
    release_order(host->L, &host->jobs.order);
    for (int32_t i = 0; i < host->jobs.group_count; i++)
        release_order(host->L, &host->jobs.groups[i].order);
    for (int ref = 0; ref < ORR_REFS; ref++)
        luaL_unref(host->L, LUA_REGISTRYINDEX, host->refs[ref]);
}

void orr_host_destroy(orr_host *host)
{
    if (!host)
        return;
    if (host->entered > 0) {
        host->entered = 1;
        orr_host_leave(host);
    }
    if (host->own)
        lua_close(host->L);
    else
        release(host);
    free(host->changed);
    free(host);
    orr_timer_release();
}

/* --- hosts that are kept -------------------------------------------------------------------- */

#define READY "orrery.ready"

ORR_LUA_GC(ready_gc, READY, orr_host_destroy)

/* Pushes a value that owns the host that is put there. */
static orr_host **push_ready(lua_State *L)
{
    static const orr_lua_class class = {.name = READY, .gc = ready_gc};
    orr_lua_new_class(L, &class);
    orr_host **ready = orr_lua_new_value(L, READY, sizeof *ready, 0);
    *ready = NULL;
    return ready;
}

orr_host *orr_lua_take_ready(lua_State *L, int index)
{
    lua_getfield(L, index, "ready");
    orr_host **ready = luaL_testudata(L, -1, READY);
    orr_host *host = ready ? *ready : NULL;
    lua_pop(L, 1);
    if (!host || host->taken)
        return NULL;
    host->taken = true;
    host->jobs_of = NULL; /* another instance may be where the last one was */
    host->begun = 0;
    host->prints = false;
    return host;
}

orr_host *orr_lua_own_host(lua_State *L, int index, const orr_limits *limits, orr_error *err)
{
    orr_host *host = orr_lua_take_ready(L, index);
    if (!host)
        return orr_lua_make_host(L, index, limits, err);
    lua_getfield(L, index, "ready");
    *(orr_host **)lua_touserdata(L, -1) = NULL;
    lua_pop(L, 1);
    host->limits = *limits;
    return host;
}

void orr_lua_release_ready(orr_host *host)
{
    while (host->entered > 0) /* a run that failed may have left it in the middle */
        orr_host_leave(host);
    host->taken = false;
}

int orr_lua_describe_policy(lua_State *L)
{
    static const orr_plain_rules leave_out = {"", NULL, false, false};
    luaL_checktype(L, 1, LUA_TTABLE);
    orr_error err;
    orr_limits limits = orr_lua_check_limits(L, 2);
    bool keep = lua_toboolean(L, 3);
    orr_host **ready = push_ready(L); /* whatever is raised below, the host has an owner */
    int owner = lua_gettop(L);
    orr_host *host = *ready = orr_lua_make_host(L, 1, &limits, &err);
    if (!host)
        return orr_lua_raise(L, &err);
    lua_rawgeti(host->L, LUA_REGISTRYINDEX, host->refs[ORR_REF_DESCRIPTION]);
    orr_lua_copy_plain(L, host->L, -1, &leave_out);
    lua_pop(host->L, 1);
    if (keep && host->own) {
        lua_pushvalue(L, owner);
        return 2;
    }
    *ready = NULL;
    orr_host_destroy(host);
    return 1;
}
