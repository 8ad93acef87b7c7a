/* The watchdog of policy hosts: a timer on the thread's own processor time, which only counts
 * ticks, and a debug hook that is set when a call has used up its budget, as lua.c does for Ctrl-C.
 */
#include "bindings/host/watchdog.h"
#include "bindings/host/host.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/options.h"
#include "bindings/support/output.h"

#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
#include <dlfcn.h>
#endif

enum {
    WATCHDOG_SIGNAL_OFFSET = 3, /* SIGRTMIN + 3: unlikely to be anybody else's */
    CANCEL_TICKS = 2 /* what stops in the middle of a call cannot go on: short calls end first */
};
static const double TICK = 0.05; /* s */

/* --- limits ---------------------------------------------------------------------------------- */

orr_limits orr_lua_check_limits(lua_State *L, int index)
{
    orr_limits limits = {.seconds = 5, .memory = (size_t)256 << 20, .source = 256 << 10};
    if (lua_isnoneornil(L, index))
        return limits;
    if (!lua_istable(L, index))
        luaL_error(L, "limits must be a table { seconds =, memory =, instructions = }, it is %s",
                   luaL_tolstring(L, index, NULL));
    limits.seconds = orr_lua_number_option(L, index, "seconds", limits.seconds);
    limits.memory = (size_t)orr_lua_integer_option(L, index, "memory", (lua_Integer)limits.memory,
                                                   1 << 20, INT64_MAX);
    limits.instructions = (int)orr_lua_integer_option(L, index, "instructions", 0, 0, INT32_MAX);
    limits.source = orr_lua_integer_option(L, index, "source", limits.source, 1, INT64_MAX);
    if (!(limits.seconds > 0.001))
        luaL_error(L, "limits.seconds must be more than 0.001");
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

static const char TOO_LONG[] =
    "this call took more than %.14g s (limits.seconds); does a loop never end?";

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
        snprintf(text, sizeof text, TOO_LONG, host->limits.seconds);
        lua_pushstring(L, text);
    }
    lua_concat(L, 2);
    lua_error(L);
}

const char *orr_host_error_text(orr_host *host, int status, char late[ORR_LATE_TEXT])
{
    if (status == LUA_ERRMEM && orr_host_is_late_for(host, SIZE_MAX)) {
        snprintf(late, ORR_LATE_TEXT, TOO_LONG, host->limits.seconds);
        host->stopped = true;
        return late;
    }
    const char *message = lua_tostring(host->L, -1);
    return message ? message : "an error that is not text";
}

/* Every entered host has a timer; the ticks of those that are not calling count for nobody. */
static void on_tick(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)context;
    orr_host *host = watched;
    if (!host || info->si_value.sival_ptr != host || !host->calling)
        return;
    host->ticks++;
    bool cancelled = orr_is_cancelled(host->cancel) && host->ticks >= CANCEL_TICKS;
    if (host->ticks < host->ticks_allowed && !cancelled)
        return;
    stop_at_once(host->L);
    lua_State *inner = host->inner;
    if (inner)
        stop_at_once(inner);
}

/* No timer, no limit: every error of the system here is one of the run. */
static orr_status fail_to_arm(const char *what, int code, orr_error *err)
{
    char why[128];
    return orr_fail(err, ORR_ERR_LIMIT, "no %s to keep limits.seconds with: %s", what,
                    strerror_r(code, why, sizeof why));
}

/* The runtime of the thread sanitizer keeps a signal back until the thread calls something that it
 * knows, which an endless loop in Lua never does: there the C library's own function installs the
 * handler. */
static int install_handler(const struct sigaction *action)
{
#ifdef __SANITIZE_THREAD__
    void *libc = dlopen("libc.so.6", RTLD_LAZY);
    int (*install)(int, const struct sigaction *, struct sigaction *) = NULL;
    *(void **)&install = dlsym(libc, "sigaction");
    return install(SIGRTMIN + WATCHDOG_SIGNAL_OFFSET, action, NULL);
#else
    return sigaction(SIGRTMIN + WATCHDOG_SIGNAL_OFFSET, action, NULL);
#endif
}

/* A thread that keeps the signal back would never hear the timer; who started the program may have
 * left it so, for masks survive exec. */
static int let_signal_in(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + WATCHDOG_SIGNAL_OFFSET);
    return pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static orr_status start_timer(orr_host *host, orr_error *err)
{
    struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_RESTART | SA_SIGINFO};
    int blocked = let_signal_in();
    if (blocked != 0)
        return fail_to_arm("signal", blocked, err);
    if (install_handler(&action) != 0)
        return fail_to_arm("signal", errno, err);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = SIGRTMIN + WATCHDOG_SIGNAL_OFFSET,
                             .sigev_value.sival_ptr = host};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &host->timer) != 0)
        return fail_to_arm("timer", errno, err);
    host->has_timer = true;
    double tick = host->limits.seconds / 2 < TICK ? host->limits.seconds / 2 : TICK;
    struct timespec period = {.tv_sec = 0, .tv_nsec = (long)(tick * 1e9)};
    host->ticks_allowed = (int)fmin(ceil(host->limits.seconds / tick), INT_MAX);
    struct itimerspec spec = {period, period};
    return timer_settime(host->timer, 0, &spec, NULL) == 0 ? ORR_OK
                                                           : fail_to_arm("timer", errno, err);
}

void orr_host_enter(orr_host *host)
{
    if (host->entered++ == 0)
        host->cancel = &orr_interrupted;
}

orr_status orr_host_watch(orr_host *host, orr_error *err)
{
    return host->entered == 0 || host->has_timer ? ORR_OK : start_timer(host, err);
}

void orr_host_leave(orr_host *host)
{
    if (--host->entered > 0)
        return;
    if (host->has_timer)
        timer_delete(host->timer);
    host->has_timer = false;
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
    bool refused = new_size > old && (is_more || orr_host_is_late_for(host, new_size));
    if (new_size > old)
        orr_host_note_memory(host, new_size, refused);
    if (refused)
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
    if (host->own || host->calling)
        return;
    host->memory = 0;
    host->alloc = lua_getallocf(host->L, &host->alloc_user);
    lua_setallocf(host->L, call_alloc, host);
    host->refused_output = orr_output_refuse(true);
    set_strings(host, DURING);
}

static void end_in_callers_state(orr_host *host, const orr_call *before)
{
    if (host->own || before->calling)
        return;
    lua_setallocf(host->L, host->alloc, host->alloc_user);
    orr_output_refuse(host->refused_output);
    set_strings(host, OUTSIDE);
}

int orr_host_is_out_of_memory(lua_State *L)
{
    const orr_host *host = orr_host_of_tool(L);
    lua_pushboolean(L, host && (host->no_memory || host->refused != 0));
    return 1;
}

/* --- calls ----------------------------------------------------------------------------------- */

static void count_instructions(orr_host *host)
{
    if (host->limits.instructions > 0 && !host->loading)
        lua_sethook(host->L, stop_call, LUA_MASKCOUNT, host->limits.instructions);
}

orr_call orr_host_begin_call(orr_host *host, orr_call call)
{
    orr_call before = host->call;
    host->calls++;
    before.calling = host->calling;
    before.ticks = host->ticks;
    before.watched = watched;
    begin_in_callers_state(host);
    host->call = call;
    host->ticks = 0;
    host->stopped = host->no_memory = false;
    host->refused = 0;
    watched = host;
    count_instructions(host);
    host->calling = 1;
    return before;
}

/* A call inside a call of the same host (its hook ran a fork of its own session) has spent the
 * outer one's time, too. */
void orr_host_end_call(orr_host *host, orr_call before)
{
    host->calling = 0;
    if (host->limits.instructions > 0 || host->ticks > 0)
        lua_sethook(host->L, NULL, 0, 0);
    end_in_callers_state(host, &before);
    host->call = before;
    watched = before.watched;
    if (!before.calling)
        return;
    host->ticks += before.ticks;
    count_instructions(host);
    host->calling = 1;
}
