/* Ctrl-C. */
#include "bindings/program/program.h"
#include "bindings/support/interrupted.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
    PATIENCE = 1, /* s from a Ctrl-C that stops nothing to the message about it */
    GRACE = 16384 /* instructions for the code that catches the error */
};

static lua_State *volatile interruptible; /* the main thread, or the coroutine that it runs */
static bool patient_now;
static int grace;
static _Thread_local bool runs_lua; /* the thread of the interpreter, not one of a run's */
static volatile sig_atomic_t overdue;

/* Raises the error, and again after some instructions. The code that catches it has time to clean
 * up, but cannot go on for ever: the number of instructions is halved every time. Calls of C
 * functions do not count, so that open values can be closed. */
static void raise_interrupt(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    if (!orr_program_interrupted()) { /* a coroutine left alone since an earlier call */
        lua_sethook(L, NULL, 0, 0);
        return;
    }
    lua_sethook(L, raise_interrupt, LUA_MASKCOUNT, grace);
    grace = grace > 1 ? grace / 2 : 1;
    lua_pushliteral(L, "interrupted");
    lua_error(L);
}

/* Sets the hook on a Lua thread that runs, or is about to continue. */
static void stop(lua_State *L)
{
    lua_sethook(L, raise_interrupt, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

static void say(const char *text)
{
    int before = errno;
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        errno = before; /* no channel for the message exists */
    errno = before;
}

static void on_overdue(int number)
{
    (void)number;
    overdue = 1;
    say("\norrery: this does not stop yet; Ctrl-C again ends the program\n");
}

static void on_interrupt(int number)
{
    if (patient_now && overdue)
        say("orrery: ended by a second Ctrl-C\n");
    if (!patient_now || overdue)
        signal(number, SIG_DFL);
    if (overdue)
        raise(number);
    orr_cancel_raise(&orr_interrupted);
    if (patient_now)
        alarm(PATIENCE);
    if (runs_lua) /* NOLINTNEXTLINE(bugprone-signal-handler): lua_sethook is made for this */
        stop(interruptible);
}

/* --- coroutines ----------------------------------------------------------------------------- */

/* Calls a function that resumes its first argument (upvalue 1 is the function), or a coroutine of
 * its own (upvalues: the coroutine and the function). Every coroutine has a hook of its own: so
 * this function notes which one runs and, after an interrupt, also stops the coroutine that resumed
 * it. */
static int call_in_coroutine(lua_State *L)
{
    lua_State *before = interruptible;
    lua_State *wrapped = lua_tothread(L, lua_upvalueindex(1));
    lua_State *coroutine = wrapped ? wrapped : lua_tothread(L, 1);
    luaL_argexpected(L, coroutine, 1, "thread");
    lua_pushvalue(L, lua_upvalueindex(wrapped ? 2 : 1));
    lua_insert(L, 1);
    interruptible = coroutine;
    int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
    interruptible = before;
    if (orr_program_interrupted())
        stop(before);
    if (status == LUA_OK)
        return lua_gettop(L);
    if (wrapped && lua_type(L, -1) == LUA_TSTRING) { /* as Lua does, which sees this function */
        luaL_where(L, 1);
        lua_insert(L, -2);
        lua_concat(L, 2);
    }
    return lua_error(L);
}

/* coroutine.wrap: upvalue 1 is Lua's own, whose functions have their coroutine as upvalue 1; the
 * functions made here, too. */
static int wrap(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 1);
    lua_getupvalue(L, 1, 1);
    lua_insert(L, 1);
    lua_pushcclosure(L, call_in_coroutine, 2);
    return 1;
}

/* Replaces a function of the library on top by one that has it as its upvalue. */
static void replace(lua_State *L, const char *name, lua_CFunction by)
{
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, by, 1);
    lua_setfield(L, -2, name);
}

void orr_program_watch_coroutines(lua_State *L)
{
    lua_getglobal(L, LUA_COLIBNAME);
    replace(L, "resume", call_in_coroutine);
    replace(L, "close", call_in_coroutine);
    replace(L, "wrap", wrap);
    lua_pop(L, 1);
}

/* --- calls ---------------------------------------------------------------------------------- */

int orr_program_call(lua_State *L, int args, int results, bool patient)
{
    int handler = lua_gettop(L) - args - 1;
    struct sigaction before, before_alarm;
    struct sigaction interrupt = {.sa_handler = on_interrupt}; /* a read that waits is given up */
    struct sigaction late = {.sa_handler = on_overdue, .sa_flags = SA_RESTART};
    interruptible = L;
    runs_lua = true;
    patient_now = patient;
    overdue = 0;
    grace = GRACE;
    orr_cancel_clear(&orr_interrupted);
    orr_set_handler(SIGALRM, &late, &before_alarm);
    orr_set_handler(SIGINT, &interrupt, &before);
    int status = lua_pcall(L, args, results, handler);
    orr_set_handler(SIGINT, &before, NULL);
    alarm(0);
    orr_set_handler(SIGALRM, &before_alarm, NULL);
    lua_sethook(L, NULL, 0, 0);
    lua_remove(L, handler);
    return status;
}

bool orr_program_interrupted(void)
{
    return orr_is_cancelled(&orr_interrupted);
}
