/* The watchdog of policy hosts: a timer on the thread's own processor time, which only counts
 * ticks, and a debug hook that is set when a call has used up its budget, as lua.c does for Ctrl-C.
 */
#include "host.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
#include <dlfcn.h>
#endif

orr_cancel_flag orr_interrupted;

enum { WATCHDOG_SIGNAL_OFFSET = 3 }; /* SIGRTMIN + 3: unlikely to be anybody else's */
static const double TICK = 0.05;     /* s */

/* The host whose call is under way in this thread; the handler runs in the thread whose timer
 * ticked. */
static _Thread_local orr_host *volatile watched;

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
    } else if (host->limits.instructions > 0 && host->ticks < host->ticks_allowed) {
        stop_at_once(L);
        lua_pushfstring(L, "this call took more than %d instructions (limits.instructions)",
                        host->limits.instructions);
    } else {
        lua_pushfstring(L, "this call took more than %f s (limits.seconds); does a loop never end?",
                        (LUAI_UACNUMBER)host->limits.seconds);
    }
    lua_concat(L, 2);
    lua_error(L);
}

/* Every entered host has a timer; the ticks of those that are not calling count for nobody. */
static void on_tick(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)context;
    orr_host *host = watched;
    if (!host || info->si_value.sival_ptr != host || !host->calling)
        return;
    host->ticks++;
    if (host->ticks >= host->ticks_allowed || orr_is_cancelled(host->cancel))
        stop_at_once(host->L);
}

/* The runtime of the thread sanitizer keeps a signal back until the thread calls something that it
 * knows, which an endless loop in Lua never does: there the C library's own function installs the
 * handler. */
static void install_handler(const struct sigaction *action)
{
#ifdef __SANITIZE_THREAD__
    void *libc = dlopen("libc.so.6", RTLD_LAZY);
    int (*install)(int, const struct sigaction *, struct sigaction *) = NULL;
    *(void **)&install = dlsym(libc, "sigaction");
    install(SIGRTMIN + WATCHDOG_SIGNAL_OFFSET, action, NULL);
#else
    sigaction(SIGRTMIN + WATCHDOG_SIGNAL_OFFSET, action, NULL);
#endif
}

static orr_status start_timer(orr_host *host, orr_error *err)
{
    struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_RESTART | SA_SIGINFO};
    install_handler(&action);
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = SIGRTMIN + WATCHDOG_SIGNAL_OFFSET,
                             .sigev_value.sival_ptr = host};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &host->timer) != 0) {
        char why[128];
        return orr_fail(err, ORR_ERR_LIMIT, "no timer to keep limits.seconds with: %s",
                        strerror_r(errno, why, sizeof why));
    }
    host->has_timer = true;
    double tick = host->limits.seconds / 2 < TICK ? host->limits.seconds / 2 : TICK;
    struct timespec period = {.tv_sec = 0, .tv_nsec = (long)(tick * 1e9)};
    host->ticks_allowed = (int)fmin(ceil(host->limits.seconds / tick), INT_MAX);
    struct itimerspec spec = {period, period};
    timer_settime(host->timer, 0, &spec, NULL);
    return ORR_OK;
}

orr_status orr_host_enter(orr_host *host, orr_error *err)
{
    if (host->entered++ > 0)
        return ORR_OK;
    host->cancel = &orr_interrupted;
    orr_status status = start_timer(host, err);
    if (status != ORR_OK)
        host->entered = 0;
    return status;
}

void orr_host_leave(orr_host *host)
{
    if (--host->entered > 0)
        return;
    if (host->has_timer)
        timer_delete(host->timer);
    host->has_timer = false;
}

static void count_instructions(orr_host *host)
{
    if (host->limits.instructions > 0 && !host->loading)
        lua_sethook(host->L, stop_call, LUA_MASKCOUNT, host->limits.instructions);
}

orr_call orr_host_begin_call(orr_host *host, orr_call call)
{
    orr_call before = host->call;
    before.calling = host->calling;
    before.ticks = host->ticks;
    before.watched = watched;
    host->call = call;
    host->ticks = 0;
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
    host->call = before;
    watched = before.watched;
    if (!before.calling)
        return;
    host->ticks += before.ticks;
    count_instructions(host);
    host->calling = 1;
}
