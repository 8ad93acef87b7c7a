/* Questions to the operating system; checksums of texts. */
#include "bindings/support/system.h"

#include "bindings/support/interrupted.h"

#include <lauxlib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int cores(lua_State *L)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    lua_pushinteger(L, n > 0 ? n : 1);
    return 1;
}

/* Of a process that prints by another one: what standard output and error are there. */
static struct {
    bool is_kept, are[STDERR_FILENO + 1];
    struct winsize window;
} terminals;

void orr_system_keep_terminals(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        terminals.are[fd] = isatty(fd);
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminals.window);
    terminals.is_kept = true;
}

static int is_terminal(lua_State *L)
{
    int fd = (int)luaL_checkinteger(L, 1);
    bool kept = terminals.is_kept && fd >= 0 && fd <= STDERR_FILENO;
    lua_pushboolean(L, kept ? terminals.are[fd] : isatty(fd));
    return 1;
}

/* core.window(): columns and rows of the terminal on standard output; no values where it is not a
 * terminal. */
static int window(lua_State *L)
{
    struct winsize size = terminals.window;
    if ((!terminals.is_kept && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) || size.ws_col == 0)
        return 0;
    lua_pushinteger(L, size.ws_col);
    lua_pushinteger(L, size.ws_row);
    return 2;
}

/* core.interrupted(): whether Ctrl-C has stopped code since the last line of the prompt. */
static int interrupted(lua_State *L)
{
    lua_pushboolean(L, orr_is_cancelled(&orr_interrupted));
    return 1;
}

/* core.term_is_interrupt(): the next SIGTERM acts like Ctrl-C, and a second one ends the
 * program. */
static int term_is_interrupt(lua_State *L)
{
    (void)L;
    struct sigaction interrupt;
    if (sigaction(SIGINT, NULL, &interrupt) == 0) {
        interrupt.sa_flags |= (int)SA_RESETHAND;
        orr_set_handler(SIGTERM, &interrupt, NULL);
    }
    return 0;
}

/* core.checksum(text): FNV-1a, 64 bits, in hexadecimal digits. */
static int checksum(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    char digits[17];
    snprintf(digits, sizeof digits, "%016llx", (unsigned long long)hash);
    lua_pushstring(L, digits);
    return 1;
}

void orr_lua_open_system(lua_State *L)
{
    static const luaL_Reg functions[] = {{"cores", cores},
                                         {"is_terminal", is_terminal},
                                         {"window", window},
                                         {"interrupted", interrupted},
                                         {"term_is_interrupt", term_is_interrupt},
                                         {"checksum", checksum},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
