/* native_signals: a handler of signals that counts, as a program has one that loads Orrery. */
#include "base/api.h"

#include <lauxlib.h>
#include <signal.h>

ORR_API int luaopen_native_signals(lua_State *L);

static volatile sig_atomic_t plain_signals, signals_with_info;

static void count(int number)
{
    (void)number;
    plain_signals = plain_signals + 1;
}

static void count_with_info(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_signo == number)
        signals_with_info = signals_with_info + 1;
}

/* handle(number, with_info): counts from now on. */
static int native_handle(lua_State *L)
{
    struct sigaction action = {.sa_handler = count};
    if (lua_toboolean(L, 2)) {
        action.sa_sigaction = count_with_info;
        action.sa_flags = SA_SIGINFO;
    }
    plain_signals = signals_with_info = 0;
    lua_pushboolean(L, sigaction((int)luaL_checkinteger(L, 1), &action, NULL) == 0);
    return 1;
}

static int native_ignore(lua_State *L)
{
    signal((int)luaL_checkinteger(L, 1), SIG_DFL);
    return 0;
}

/* send(number): to this thread; returns how many were counted, plain ones and those with infos. */
static int native_send(lua_State *L)
{
    raise((int)luaL_checkinteger(L, 1));
    lua_pushinteger(L, plain_signals);
    lua_pushinteger(L, signals_with_info);
    return 2;
}

int luaopen_native_signals(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"handle", native_handle}, {"leave", native_ignore}, {"send", native_send}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
