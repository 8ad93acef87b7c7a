/* The program: a prompt, scripts, and the commands in scripts/. */
#include "bindings/host/layouts.h"
#include "bindings/program/program.h"
#include "bindings/support/messages.h"
#include "bindings/support/search_paths.h"

#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int luaopen_orrery(lua_State *L);

/* --- scripts -------------------------------------------------------------------------------- */

static void push_arguments(lua_State *L, int argc, char **argv, int script)
{
    lua_createtable(L, argc - script, script + 1);
    for (int i = 0; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i - script);
    }
    lua_setglobal(L, "arg");
}

/* A script fails by an error; one that is a table { exit = status, message = text } sets the exit
 * status and is shown without traceback. Messages from orrery itself have no traceback either: they
 * say what to mend. */
static int keep_error(lua_State *L)
{
    if (lua_type(L, 1) != LUA_TTABLE && getenv("ORRERY_TRACEBACK"))
        luaL_traceback(L, L, luaL_tolstring(L, 1, NULL), 1);
    return 1;
}

/* Prints the message on top, and pops it. */
static void complain(lua_State *L)
{
    size_t size;
    const char *message = lua_tolstring(L, -1, &size);
    fputs("orrery: ", stderr);
    if (message)
        orr_write_message(stderr, message, size);
    else
        fputs("an error that is not text", stderr);
    fputc('\n', stderr);
    lua_pop(L, 1);
}

/* Calls the function on top with `args` arguments; a second Ctrl-C ends the program at once. */
static int call(lua_State *L, int args, int results)
{
    lua_pushcfunction(L, keep_error);
    lua_insert(L, -args - 2);
    return orr_program_call(L, args, results, false);
}

/* The process that started the workers of a sweep says once that Ctrl-C came: it reaches them in
 * any line, also before and behind those that could catch it. */
static bool is_worker(void)
{
    return getenv("ORRERY_WORKER") != NULL;
}

static int report_script_error(lua_State *L)
{
    int status = EXIT_ERROR;
    if (orr_program_interrupted() && is_worker())
        return EXIT_INTERRUPTED;
    if (lua_type(L, -1) == LUA_TTABLE) {
        if (lua_getfield(L, -1, "exit") == LUA_TNUMBER)
            status = (int)lua_tointeger(L, -1);
        lua_getfield(L, -2, "message");
        lua_replace(L, -3);
        lua_pop(L, 1);
    }
    if (orr_program_interrupted())
        status = EXIT_INTERRUPTED;
    complain(L);
    return status;
}

/* Printed text must arrive somewhere: returns the status, or the error that it did not. */
static int flush_output(int status)
{
    int why = orr_flush_output();
    if (why == 0)
        return status;
    char text[128];
    fprintf(stderr, "orrery: cannot write everything to standard output: %s\n",
            strerror_r(why, text, sizeof text));
    return status == EXIT_SUCCESS ? EXIT_ERROR : status;
}

static int run_chunk(lua_State *L, int load_status, int args)
{
    if (load_status == LUA_OK)
        load_status = call(L, args, 0);
    return load_status == LUA_OK ? flush_output(EXIT_SUCCESS) : report_script_error(L);
}

/* commands.run(commands.find(name), argument...), where the functions of commands.lua are at
 * index 1. */
static int run_script(lua_State *L, int argc, char **argv, int script)
{
    lua_getfield(L, 1, "find");
    lua_pushstring(L, argv[script]);
    if (call(L, 1, 1) != LUA_OK) {
        int why = report_script_error(L);
        return why == EXIT_INTERRUPTED ? why : EXIT_USAGE;
    }
    push_arguments(L, argc, argv, script);
    int args = argc - script - 1;
    lua_getfield(L, 1, "run");
    lua_insert(L, -2);
    luaL_checkstack(L, args, "too many arguments");
    for (int i = script + 1; i < argc; i++)
        lua_pushstring(L, argv[i]);
    return run_chunk(L, LUA_OK, args + 1);
}

/* --- arguments ------------------------------------------------------------------------------ */

/* Calls a function of program/prompt.lua, whose table is at index `prompt`; it takes a text or no
 * argument and returns an exit status. */
static int run_prompt(lua_State *L, int prompt, const char *name, const char *text)
{
    lua_getfield(L, prompt, name);
    lua_pushstring(L, text);
    if (lua_pcall(L, 1, 1, 0) != LUA_OK) {
        complain(L);
        return EXIT_ERROR;
    }
    int status = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return flush_output(status);
}

/* orrery [-e CODE]... [-i] [SCRIPT [ARGUMENT]...]; the functions of commands.lua are at index 1. */
static int run_options(lua_State *L, int argc, char **argv)
{
    bool asked = false;
    int at = 1, status = EXIT_SUCCESS;
    lua_getglobal(L, "require");
    lua_pushliteral(L, "orrery.program.prompt");
    lua_call(L, 1, 1);
    int prompt = lua_gettop(L);
    for (; status == EXIT_SUCCESS && at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "-i") == 0) {
            asked = true;
        } else if (strcmp(argv[at], "-e") == 0 && at + 1 < argc) {
            status = run_prompt(L, prompt, "evaluate", argv[++at]);
        } else if (strcmp(argv[at], "-e") == 0) {
            fprintf(stderr, "orrery: -e wants an argument, the code to run\n");
            return EXIT_USAGE;
        } else {
            lua_pushfstring(L, "unknown option '%s' (known: --version, --help, -e CODE, -i)",
                            argv[at]);
            complain(L);
            return EXIT_USAGE;
        }
    }
    if (status == EXIT_SUCCESS && at < argc)
        status = run_script(L, argc, argv, at);
    return asked && status == EXIT_SUCCESS ? run_prompt(L, prompt, "run", NULL) : status;
}

static int dispatch(lua_State *L, int argc, char **argv)
{
    static char help[] = "help", interactive[] = "-i";
    const char *first = argc > 1 ? argv[1] : NULL;
    if (first == NULL && isatty(STDIN_FILENO)) {
        char *arguments[] = {argv[0], interactive, NULL};
        return run_options(L, 2, arguments);
    }
    if (first == NULL)
        return run_chunk(L, luaL_loadfile(L, NULL), 0);
    if (strcmp(first, "--version") == 0) {
        printf("orrery " ORR_VERSION "\n");
        return EXIT_SUCCESS;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        char *arguments[] = {argv[0], help, NULL};
        return run_script(L, 2, arguments, 1);
    }
    return first[0] == '-' ? run_options(L, argc, argv) : run_script(L, argc, argv, 1);
}

int orr_program_open(lua_State *L)
{
    lua_gc(L, LUA_GCSTOP); /* nothing of what is loaded here is garbage */
    luaL_openlibs(L);
    orr_lua_set_search_paths(L);
    orr_program_watch_coroutines(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_orrery);
    lua_setfield(L, -2, "orrery");
    lua_pushcfunction(L, orr_program_open_terminal);
    lua_setfield(L, -2, "orrery.program.terminal");
    lua_pushcfunction(L, orr_program_open_channel);
    lua_setfield(L, -2, "orrery.program.channel");
    lua_getglobal(L, "require");
    lua_pushvalue(L, -1);
    lua_pushliteral(L, "orrery");
    lua_call(L, 1, 1);
    lua_setglobal(L, "orrery");
    lua_pushvalue(L, -1);
    lua_pushliteral(L, "orrery.program.globals");
    lua_call(L, 1, 1);
    lua_call(L, 0, 0);
    lua_pushliteral(L, "orrery.program.commands");
    lua_call(L, 1, 1);
    lua_gc(L, LUA_GCRESTART);
    return 1;
}

int main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
    lua_State *L = luaL_newstate();
    if (!L) {
        fprintf(stderr, "orrery: not enough memory\n");
        return EXIT_ERROR;
    }
    orr_layout_reseed(L); /* functions that are typed may be policies in this state */
    lua_pushcfunction(L, orr_program_open);
    int status = lua_pcall(L, 0, 1, 0);
    if (status != LUA_OK)
        complain(L);
    status = status == LUA_OK ? dispatch(L, argc, argv) : EXIT_ERROR;
    if (status == EXIT_SUCCESS) /* else the error was already printed */
        status = flush_output(status);
    lua_close(L);
    return status;
}
