/* The prompt's terminal: lines with readline, completion, calls that Ctrl-C stops.
 * program/prompt.lua handles the lines and calls the functions of `terminal` below. */
#include "bindings/program/program.h"

#include <errno.h>
#include <lauxlib.h>
#include <poll.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* readline has one terminal and knows of no user pointer. */
static lua_State *prompt_state;
static int completer = LUA_NOREF;  /* a registry reference: see set_completer */
static int candidates = LUA_NOREF; /* the list that is being handed out */
static volatile sig_atomic_t line_dropped;

/* --- keys and lines ------------------------------------------------------------------------- */

static void on_drop(int number)
{
    (void)number;
    line_dropped = 1;
}

/* A key for readline; Ctrl-C drops the line and reads as Enter. It is only let in here, where it
 * cannot come between a look at the flag and the wait for a key. */
static int read_key(FILE *input)
{
    struct pollfd keyboard = {.fd = fileno(input), .events = POLLIN};
    sigset_t held, let_in;
    sigprocmask(SIG_SETMASK, NULL, &held);
    let_in = held;
    sigdelset(&let_in, SIGINT);
    while (ppoll(&keyboard, 1, NULL, &let_in) < 0 && errno == EINTR && !line_dropped)
        rl_check_signals();                  /* the window may have another size */
    sigprocmask(SIG_SETMASK, &let_in, NULL); /* signals from before the key */
    sigprocmask(SIG_SETMASK, &held, NULL);
    if (line_dropped) {
        rl_replace_line("", 0);
        return '\n';
    }
    unsigned char key;
    ssize_t size;
    do
        size = read(keyboard.fd, &key, 1);
    while (size < 0 && errno == EINTR);
    return size == 1 ? key : EOF;
}

/* terminal.read(prompt): a line without its end; nil at the end of the input, false where Ctrl-C
 * dropped the line. */
static int terminal_read(lua_State *L)
{
    const char *text = luaL_checkstring(L, 1);
    struct sigaction before, drop = {.sa_handler = on_drop};
    sigset_t mask, held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigprocmask(SIG_BLOCK, &held, &mask);
    sigaction(SIGINT, &drop, &before);
    line_dropped = 0;
    char *line = readline(text);
    sigaction(SIGINT, &before, NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (line_dropped)
        lua_pushboolean(L, false);
    else
        lua_pushstring(L, line); /* nil for NULL */
    free(line);
    return 1;
}

/* terminal.remember(entry): for the Up key, in this run of the program. */
static int terminal_remember(lua_State *L)
{
    add_history(luaL_checkstring(L, 1));
    return 0;
}

/* --- completion ----------------------------------------------------------------------------- */

/* Asks the completer about the line up to the cursor; pushes its answers, or none. */
static bool ask_completer(lua_State *L, const char *what, int end, int results)
{
    if (completer == LUA_NOREF || !lua_checkstack(L, 8))
        return false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, completer);
    lua_getfield(L, -1, what);
    lua_remove(L, -2);
    lua_pushlstring(L, rl_line_buffer, (size_t)end);
    if (lua_pcall(L, 1, results, 0) == LUA_OK)
        return true;
    lua_pop(L, 1);
    return false;
}

/* The begin of a word: behind an open quote, else behind a character that is not part of a name. */
static char *find_breaks(void)
{
    static char in_code[] = " \t\n\"\\'`@$><=;|&{}()[]+-*/%^~#,.:!?";
    static char in_single[] = "'", in_double[] = "\"";
    lua_State *L = prompt_state;
    char *breaks = in_code;
    if (!ask_completer(L, "quote", rl_point, 1))
        return breaks;
    const char *quote = lua_tostring(L, -1);
    if (quote)
        breaks = *quote == '"' ? in_double : in_single;
    lua_pop(L, 1);
    return breaks;
}

static char *next_candidate(const char *text, int state)
{
    static lua_Integer at;
    lua_State *L = prompt_state;
    (void)text;
    at = state == 0 ? 1 : at + 1;
    lua_rawgeti(L, LUA_REGISTRYINDEX, candidates);
    lua_rawgeti(L, -1, at);
    const char *found = lua_tostring(L, -1);
    char *copy = found ? strdup(found) : NULL;
    lua_pop(L, 2);
    return copy;
}

static char **complete(const char *text, int start, int end)
{
    (void)start;
    lua_State *L = prompt_state;
    rl_attempted_completion_over = 1;
    rl_completion_append_character = '\0';
    if (!ask_completer(L, "complete", end, 2))
        return NULL;
    const char *append = lua_tostring(L, -1);
    if (append && rl_line_buffer[end] != *append)
        rl_completion_append_character = (unsigned char)*append;
    lua_pop(L, 1);
    candidates = luaL_ref(L, LUA_REGISTRYINDEX);
    char **matches = rl_completion_matches(text, next_candidate);
    luaL_unref(L, LUA_REGISTRYINDEX, candidates);
    return matches;
}

/* terminal.set_completer(table): quote(line) gives the open quote at the end of the line, or nil;
 * complete(line) gives a list of possible last words, and the text to put behind a single possible
 * word, or nil. */
static int terminal_set_completer(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    luaL_unref(L, LUA_REGISTRYINDEX, completer);
    completer = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

/* --- other functions for program/prompt.lua --------------------------------------------------- */

/* terminal.open(colours): before the first line is read. */
static int terminal_open(lua_State *L)
{
    struct sigaction drop = {.sa_handler = on_drop}; /* between lines and runs, Ctrl-C has no
                                                        effect */
    sigaction(SIGINT, &drop, NULL);
    rl_readline_name = "orrery";
    rl_catch_signals = 0;
    rl_getc_function = read_key;
    rl_basic_quote_characters = ""; /* else it closes every text, also behind a folder */
    rl_completion_word_break_hook = find_breaks;
    rl_attempted_completion_function = complete;
    rl_variable_bind("show-all-if-ambiguous", "on"); /* ~/.inputrc, read later, may say otherwise */
    if (lua_toboolean(L, 1)) {
        rl_variable_bind("colored-completion-prefix", "on");
        rl_variable_bind("colored-stats", "on");
    }
    using_history();
    return 0;
}

/* terminal.call(function, handler, patient): true and its results, or false, the handler's result,
 * and whether Ctrl-C was the cause. */
static int terminal_call(lua_State *L)
{
    bool patient = lua_toboolean(L, 3);
    lua_settop(L, 2);
    lua_insert(L, 1);
    int status = orr_program_call(L, 0, LUA_MULTRET, patient);
    lua_pushboolean(L, status == LUA_OK);
    lua_insert(L, 1);
    if (status != LUA_OK)
        lua_pushboolean(L, orr_program_interrupted());
    return lua_gettop(L);
}

int orr_program_open_terminal(lua_State *L)
{
    static const luaL_Reg functions[] = {{"read", terminal_read},
                                         {"remember", terminal_remember},
                                         {"set_completer", terminal_set_completer},
                                         {"open", terminal_open},
                                         {"call", terminal_call},
                                         {NULL, NULL}};
    prompt_state = L;
    luaL_newlib(L, functions);
    return 1;
}
