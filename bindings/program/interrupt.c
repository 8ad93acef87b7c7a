/* Ctrl-C. */
#include "bindings/program/program.h"
#include "bindings/support/interrupted.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum {
    PATIENCE = 1, /* s from a Ctrl-C that stops nothing to the word about it */
    GRACE = 16384 /* instructions for who catches the error */
};

static lua_State *interruptible;
static bool patient_now;
static int grace;
static _Thread_local bool runs_lua; /* the thread of the interpreter, not one of a run's */
static volatile sig_atomic_t overdue;

/* Raises the error, and again after some instructions: time to tidy up for who catches it, but no
 * pcall goes on for ever. Every time there are half as many. Calls of C functions do not count:
 * what is being closed on the way out is closed. */
static void raise_interrupt(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    lua_sethook(L, raise_interrupt, LUA_MASKCOUNT, grace);
    grace = grace > 1 ? grace / 2 : 1;
    lua_pushliteral(L, "interrupted");
    lua_error(L);
}

static void say(const char *text)
{
    int before = errno;
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        errno = before; /* there is nobody to tell */
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
        lua_sethook(interruptible, raise_interrupt,
                    LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

int orr_program_call(lua_State *L, int args, int results, bool patient)
{
    int handler = lua_gettop(L) - args - 1;
    struct sigaction before, before_alarm;
    struct sigaction stop = {.sa_handler = on_interrupt}; /* a read that waits is given up */
    struct sigaction late = {.sa_handler = on_overdue, .sa_flags = SA_RESTART};
    interruptible = L;
    runs_lua = true;
    patient_now = patient;
    overdue = 0;
    grace = GRACE;
    orr_cancel_clear(&orr_interrupted);
    orr_set_handler(SIGALRM, &late, &before_alarm);
    orr_set_handler(SIGINT, &stop, &before);
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
