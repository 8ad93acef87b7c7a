/* native_processes: what the runner of the specs needs of processes: a Lua function in a process of
 * its own that starts as a copy of this one, and to wait for those that have been started. */
#include "base/api.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

ORR_API int luaopen_native_processes(lua_State *L);

/* Held back here, so that waiting ends by them: a process that ended, and who asks for an end. */
static sigset_t awaited(void)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

static void run_in_child(lua_State *L, const char *log)
{
    sigset_t signals = awaited();
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY);
    int output = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (nothing < 0 || output < 0 || dup2(nothing, STDIN_FILENO) < 0 ||
        dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(126);
    close(nothing);
    close(output);
    lua_settop(L, 2);
    if (lua_pcall(L, 0, 0, 0) != LUA_OK) {
        fprintf(stderr, "%s\n", luaL_tolstring(L, -1, NULL));
        exit(1);
    }
    exit(0);
}

/* start(log, body): body runs in a process, and a group of processes, of its own; the process ends
 * with it. It reads nothing, and what it writes goes to the file of the name `log`. The process. */
static int native_start(lua_State *L)
{
    const char *log = luaL_checkstring(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    sigset_t signals = awaited();
    sigprocmask(SIG_BLOCK, &signals, NULL);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_in_child(L, log);
    if (child < 0)
        return luaL_error(L, "no process for %s", log);
    setpgid(child, child);
    lua_pushinteger(L, child);
    return 1;
}

/* wait(seconds): the next process that ends: itself, its exit status (128 and its signal), and the
 * seconds of processor time that it and what it waited for have used. Nothing when the seconds are
 * over; "interrupted" when this process is asked to end. */
static int native_wait(lua_State *L)
{
    double seconds = luaL_checknumber(L, 1);
    sigset_t signals = awaited();
    struct timespec most = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    for (;;) {
        int status;
        struct rusage used;
        pid_t child = wait4(-1, &status, WNOHANG, &used);
        if (child > 0) {
            lua_pushinteger(L, child);
            lua_pushinteger(L, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
            lua_pushnumber(L, (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                                  1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
            return 3;
        }
        int number = sigtimedwait(&signals, NULL, &most);
        if (number < 0 && errno == EAGAIN)
            return 0;
        if (number == SIGINT || number == SIGTERM) {
            lua_pushliteral(L, "interrupted");
            return 1;
        }
    }
}

/* kill(process): and its group. */
static int native_kill(lua_State *L)
{
    kill(-(pid_t)luaL_checkinteger(L, 1), SIGKILL);
    return 0;
}

/* cores(): on which this process may run. */
static int native_cores(lua_State *L)
{
    cpu_set_t set;
    lua_pushinteger(L, sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1);
    return 1;
}

/* self(): this process. */
static int native_self(lua_State *L)
{
    lua_pushinteger(L, getpid());
    return 1;
}

/* now(): s, since some time in the past; no clock that is set changes it. */
static int native_now(lua_State *L)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    lua_pushnumber(L, (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
    return 1;
}

int luaopen_native_processes(lua_State *L)
{
    static const luaL_Reg functions[] = {{"start", native_start},
                                         {"wait", native_wait},
                                         {"kill", native_kill},
                                         {"cores", native_cores},
                                         {"self", native_self},
                                         {"now", native_now},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
