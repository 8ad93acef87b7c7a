/* The watchdog of policy hosts: a timer (timer.h), which only counts ticks, and a debug hook that
 * is set when a call has used up its budget, as lua.c does for Ctrl-C. */
#include "bindings/host/watchdog.h"
#include "bindings/host/host.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/options.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    CANCEL_TICKS = 2
}; /* what stops in the middle of a call cannot go on: short calls end first */
static const double TICK = 0.05; /* s */

/* --- limits ---------------------------------------------------------------------------------- */

orr_limits orr_lua_check_limits(lua_State *L, int index)
{
    orr_limits limits = {.seconds = 5, .memory = (size_t)256 << 20, .source = 256 << 10};
    if (lua_isnoneornil(L, index))
        return limits;
    if (!lua_istable(L, index))
        luaL_error(L, "limits must be a table { seconds =, memory =, instructions = }, it is %s",
                   orr_lua_push_key(L, index));
    limits.seconds = orr_lua_number_option(L, index, "seconds", limits.seconds);
    limits.memory = (size_t)orr_lua_integer_option(L, index, "memory", (lua_Integer)limits.memory,
                                                   1 << 20, INT64_MAX);
    limits.instructions = (int)orr_lua_integer_option(L, index, "instructions", 0, 0, INT32_MAX);
    limits.source = orr_lua_integer_option(L, index, "source", limits.source, 1, INT64_MAX);
    if (!(limits.seconds > 0.001))
        orr_lua_refuse(L, "limits.seconds must be more than 0.001");
    return limits;
}

orr_limits orr_lua_limits_option(lua_State *L, int index)
{
    lua_getfield(L, index, "limits");
    orr_limits limits = orr_lua_check_limits(L, lua_gettop(L));
    lua_pop(L, 1);
    return limits;
}

/* --- the timer ------------------------------------------------------------------------------- */

/* The host whose call is under way in this thread; the handler runs in the thread whose timer
 * ticked. */
static _Thread_local orr_host *volatile watched;

uint64_t orr_host_number_of_call(void)
{
    return watched ? watched->calls : 0;
}

enum { WALL = 10 }; /* times limits.seconds: what a call may take by the clock */

static const char TOO_LONG[] =
    "this call took more than %.14g s of processor time (limits.seconds); does a loop never end?";
static const char TOO_LATE[] =
    "this call took more than %.14g s by the clock (10 times limits.seconds), of which it had the "
    "processor for less than %.14g s; is the machine too busy?";

static void write_late(const orr_host *host, char text[ORR_LATE_TEXT])
{
    double seconds = host->limits.seconds;
    if (host->is_by_clock)
        snprintf(text, ORR_LATE_TEXT, TOO_LATE, WALL * seconds, seconds);
    else
        snprintf(text, ORR_LATE_TEXT, TOO_LONG, seconds);
}

static void stop_call(lua_State *L, lua_Debug *ar);

/* From now on every instruction of this call raises the error, also outside a pcall. */
static void stop_at_once(lua_State *L)
{
    lua_sethook(L, stop_call, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

static void stop_call(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    orr_host *host = watched;
    if (!host || !host->calling)
        return;
    luaL_where(L, 0); /* inside a hook, level 0 is the function that is stopped */
    if (orr_is_cancelled(host->cancel)) {
        lua_pushliteral(L, "interrupted");
        lua_concat(L, 2);
        lua_error(L);
    }
    host->stopped = true;
    if (host->limits.instructions > 0 && host->ticks < host->ticks_allowed) {
        stop_at_once(L);
        lua_pushfstring(L, "this call took more than %d instructions (limits.instructions)",
                        host->limits.instructions);
    } else {
        char text[ORR_LATE_TEXT];
        write_late(host, text);
        lua_pushstring(L, text);
    }
    lua_concat(L, 2);
    lua_error(L);
}

const char *orr_host_error_text(orr_host *host, int status, char late[ORR_LATE_TEXT])
{
    if (status == LUA_ERRMEM && orr_host_is_late_for(host, SIZE_MAX)) {
        write_late(host, late);
        host->stopped = true;
        return late;
    }
    const char *message = lua_tostring(host->L, -1);
    return message ? message : "an error that is not text";
}

/* A timer of the clock would wake up what sleeps in the same thread, so the clock is read when
 * processor time ticks: from the first tick of a call on. */
static void look_at_clock(orr_host *host)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (host->ticks == 1) {
        host->first_tick = seconds;
        host->is_by_clock = false;
    }
    if (host->ticks < host->ticks_allowed &&
        seconds - host->first_tick > WALL * host->limits.seconds) {
        host->is_by_clock = true;
        host->ticks = host->ticks_allowed;
    }
}

/* Every entered host has a timer; ticks of a host without a call under way do not count. */
static void on_tick(void *user)
{
    orr_host *host = watched;
    if (!host || user != host || !host->calling)
        return;
    host->ticks++;
    look_at_clock(host);
    bool cancelled = orr_is_cancelled(host->cancel) && host->ticks >= CANCEL_TICKS;
    if (host->ticks < host->ticks_allowed && !cancelled)
        return;
    stop_at_once(host->L);
    lua_State *inner = host->inner;
    if (inner)
        stop_at_once(inner);
}

orr_status orr_host_start_watch(orr_host *host, orr_error *err)
{
    double tick = host->limits.seconds / 2 < TICK ? host->limits.seconds / 2 : TICK;
    host->ticks_allowed = (int)fmin(ceil(host->limits.seconds / tick), INT_MAX);
    return orr_timer_start(&host->timer, tick, on_tick, host, err);
}

void orr_host_enter(orr_host *host)
{
    if (host->entered++ == 0)
        host->cancel = &orr_interrupted;
}

void orr_host_leave(orr_host *host)
{
    if (--host->entered == 0)
        orr_timer_stop(&host->timer);
}

/* --- memory ---------------------------------------------------------------------------------- */

/* Every collection looks through all that is alive, so a call that lives on what little each one
 * frees takes practically for ever. */
enum { LITTLE = 16 /* of the limit: one in so many bytes */, MOST_IN_VAIN = 3 };

/* Lua has collected and asks again. */
static void note_collection(orr_host *host)
{
    size_t freed = host->memory_refused - host->memory;
    host->in_vain = freed < host->limits.memory / LITTLE ? host->in_vain + 1 : 0;
    host->no_memory = host->no_memory || host->in_vain >= MOST_IN_VAIN;
}

bool orr_host_refuses(orr_host *host, size_t size, bool is_more)
{
    bool asks_again = host->refused == size;
    if (asks_again)
        note_collection(host);
    bool refused = is_more || orr_host_is_late_for(host, size) || host->no_memory;
    host->no_memory =
        host->no_memory || (host->refused != 0 && !asks_again) || (refused && asks_again);
    host->refused = refused ? size : 0;
    host->memory_refused = host->memory;
    return refused;
}

/* --- calls in the caller's state ------------------------------------------------------------- */

/* A function that resumes a coroutine made outside the policy. Upvalues: both. A hook is of one
 * thread, so the timer must know which one runs. */
static int resume_watched(lua_State *L)
{
    orr_host *host = watched;
    lua_State *thread = lua_tothread(L, lua_upvalueindex(1));
    lua_pushvalue(L, lua_upvalueindex(2));
    lua_insert(L, 1);
    if (!host || !host->calling) {
        lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
        return lua_gettop(L);
    }
    lua_State *outer = host->inner;
    host->inner = thread;
    host->resumed = true;
    if (host->limits.instructions > 0)
        lua_sethook(thread, stop_call, LUA_MASKCOUNT, host->limits.instructions);
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    host->inner = outer;
    if (lua_gethook(thread) == stop_call)
        lua_sethook(thread, NULL, 0, 0);
    return status == LUA_OK ? lua_gettop(L) : lua_error(L);
}

int orr_host_watch_coroutine(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTHREAD);
    lua_settop(L, 2);
    lua_pushcclosure(L, resume_watched, 2);
    return 1;
}

/* The caller's allocator, while a call may not take more than its limit. */
static void *call_alloc(void *user, void *block, size_t old_size, size_t new_size)
{
    orr_host *host = user;
    size_t old = block ? old_size : 0;            /* else it is a type tag */
    size_t grown = host->memory - old + new_size; /* a call may free what is older: modulo */
    bool is_more = grown > host->limits.memory && grown <= SIZE_MAX / 2;
    if (new_size > old && orr_host_refuses(host, new_size, is_more))
        return NULL;
    void *moved = host->alloc(host->alloc_user, block, old_size, new_size);
    if (moved || new_size == 0)
        host->memory = grown;
    return moved;
}

enum { METATABLE = 1, KEY, DURING, OUTSIDE }; /* in the table that orr_host_take_strings gets */

/* Nothing here allocates: all keys are there already. */
static void set_strings(orr_host *host, int which)
{
    lua_State *L = host->L;
    int table = lua_gettop(L) + 1;
    if (host->refs[ORR_REF_STRINGS] == LUA_NOREF)
        return;
    lua_rawgeti(L, LUA_REGISTRYINDEX, host->refs[ORR_REF_STRINGS]);
    lua_rawgeti(L, table, METATABLE);
    if (which == DURING) {
        lua_rawgeti(L, table, KEY);
        lua_rawget(L, -2);
        lua_rawseti(L, table, OUTSIDE);
    }
    lua_rawgeti(L, table, KEY);
    lua_rawgeti(L, table, which);
    lua_rawset(L, -3);
    lua_settop(L, table - 1);
}

int orr_host_take_strings(lua_State *L)
{
    orr_host *host = orr_host_of_tool(L);
    lua_settop(L, 1);
    host->refs[ORR_REF_STRINGS] = luaL_ref(L, LUA_REGISTRYINDEX);
    set_strings(host, DURING);
    return 0;
}

/* A call inside a call of the same host is under its limits already. */
static void begin_in_callers_state(orr_host *host)
{
    if (host->calling)
        return;
    host->memory = 0;
    host->alloc = lua_getallocf(host->L, &host->alloc_user);
    lua_setallocf(host->L, call_alloc, host);
    host->refused_output = orr_output_refuse(true);
    set_strings(host, DURING);
}

static void end_in_callers_state(orr_host *host, const orr_interrupted_call *before)
{
    if (before->calling)
        return;
    lua_setallocf(host->L, host->alloc, host->alloc_user);
    orr_output_refuse(host->refused_output);
    set_strings(host, OUTSIDE);
}

/* --- calls ----------------------------------------------------------------------------------- */

static void count_instructions(orr_host *host)
{
    if (host->limits.instructions > 0 && !host->loading)
        lua_sethook(host->L, stop_call, LUA_MASKCOUNT, host->limits.instructions);
}

const orr_call orr_no_call = {.hook = "loading", .item = -1};

void orr_host_begin_call(orr_host *host, const orr_call *call, orr_interrupted_call *before)
{
    *before =
        (orr_interrupted_call){host->call, watched, host->calling, host->ticks, host->first_tick};
    host->calls++;
    if (ORR_UNLIKELY(!host->own))
        begin_in_callers_state(host);
    host->call = call;
    host->ticks = 0;
    host->stopped = host->no_memory = false;
    host->no_print = NULL;
    host->refused = 0;
    host->in_vain = 0;
    watched = host;
    count_instructions(host);
    host->calling = 1;
}

/* Whether there is room to note a change of a label. */
static bool has_room(orr_host *host, int32_t label)
{
    if (label < host->changed_room)
        return true;
    int32_t room = label < 1000 ? 1024 : label > INT32_MAX / 2 ? INT32_MAX : 2 * label;
    uint64_t *changed = realloc(host->changed, (size_t)room * sizeof *changed);
    if (!changed)
        return false;
    for (int32_t i = host->changed_room; i < room; i++)
        changed[i] = 0;
    host->changed = changed;
    host->changed_room = room;
    return true;
}

/* Whether the label is a text under which a formula looks up more than what is of this label. */
static bool is_key(const orr_host *host, const orr_jobs *jobs, int32_t label)
{
    bool is = false;
    for (int i = 0; label > 0 && !is && i < host->keys; i++)
        is = strcmp(host->key[i], orr_labels_text(&jobs->names, label)) == 0;
    return is;
}

/* Notes that the call that has ended has changed only what is found under the labels of its job;
 * false: it may have changed more. */
static bool note_writes(orr_host *host, uint64_t now)
{
    const orr_call *call = host->call;
    bool known = call->item >= 0 && call->instance && !host->has_metatables;
    if (known && call->writes->shares >> 31)
        host->shared_changed = now;
    for (int kind = 0; known && kind < ORR_LABEL_KINDS; kind++) {
        if (!((call->writes->kinds | call->writes->shares) & 1u << kind))
            continue;
        int32_t label = orr_jobs_label(call->instance->jobs, call->item, (orr_label)kind);
        known = has_room(host, label) &&
                (host->changed[label] > 0 || !is_key(host, call->instance->jobs, label));
        if (known)
            host->changed[label] = now;
        if (label == 0 && call->writes->shares & 1u << kind)
            host->shared_changed = now;
    }
    return known;
}

/* A call inside a call of the same host (its hook ran a fork of its own session) has spent the
 * outer one's time, too. */
void orr_host_end_call(orr_host *host, const orr_interrupted_call *before)
{
    host->calling = 0;
    if (host->limits.instructions > 0 || host->ticks > 0)
        lua_sethook(host->L, NULL, 0, 0);
    if (ORR_UNLIKELY(!host->own))
        end_in_callers_state(host, before);
    uint64_t now = ++host->changes;
    if (!host->call->writes || !note_writes(host, now))
        host->all_changed = now;
    host->call = before->call;
    watched = before->watched;
    if (!before->calling)
        return;
    host->ticks += before->ticks;
    if (before->ticks > 0)
        host->first_tick = before->first_tick;
    count_instructions(host);
    host->calling = 1;
}
