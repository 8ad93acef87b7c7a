/* The program: a prompt, scripts, and the commands in scripts/. */
#include "host.h"
#include "rigid.h"

#include <errno.h>
#include <lualib.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int luaopen_orrery(lua_State *L);

enum { EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* --- Ctrl-C --------------------------------------------------------------------------------- */

static lua_State *interruptible;
static _Thread_local bool in_main_thread;

static void raise_interrupt(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    lua_sethook(L, NULL, 0, 0);
    luaL_error(L, "interrupted");
}

/* Runs of the kernel look at the flag; Lua code is stopped by a hook, as in lua.c. A second Ctrl-C
 * ends the program. */
static void on_interrupt(int number)
{
    signal(number, SIG_DFL);
    atomic_store(&orr_interrupted, 1);
    if (in_main_thread) /* NOLINTNEXTLINE(bugprone-signal-handler): lua_sethook is made for this */
        lua_sethook(interruptible, raise_interrupt,
                    LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

static int add_traceback(lua_State *L)
{
    const char *message = lua_tostring(L, 1);
    if (!message)
        message = luaL_tolstring(L, 1, NULL);
    luaL_traceback(L, L, message, 1);
    return 1;
}

/* lua_pcall that Ctrl-C can stop; the handler may be NULL. */
static int call(lua_State *L, int args, int results, lua_CFunction handler)
{
    int base = lua_gettop(L) - args;
    lua_pushcfunction(L, handler ? handler : add_traceback);
    lua_insert(L, base);
    interruptible = L;
    atomic_store(&orr_interrupted, 0);
    signal(SIGINT, on_interrupt);
    int status = lua_pcall(L, args, results, base);
    signal(SIGINT, SIG_DFL);
    lua_sethook(L, NULL, 0, 0);
    lua_remove(L, base);
    return status;
}

static void complain(lua_State *L)
{
    const char *message = lua_tostring(L, -1);
    fprintf(stderr, "orrery: %s\n", message ? message : "an error that is not text");
    lua_pop(L, 1);
}

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
 * status and is shown without traceback. Messages from orrery itself need none either: they name
 * what to mend. */
static int keep_error(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TTABLE)
        return 1;
    if (getenv("ORRERY_TRACEBACK"))
        return add_traceback(L);
    return 1;
}

static int report_script_error(lua_State *L)
{
    int status = EXIT_ERROR;
    if (lua_type(L, -1) == LUA_TTABLE) {
        if (lua_getfield(L, -1, "exit") == LUA_TNUMBER)
            status = (int)lua_tointeger(L, -1);
        lua_getfield(L, -2, "message");
        lua_replace(L, -3);
        lua_pop(L, 1);
    }
    if (atomic_load(&orr_interrupted))
        status = EXIT_INTERRUPTED;
    complain(L);
    return status;
}

static int run_chunk(lua_State *L, int load_status, int args)
{
    if (load_status == LUA_OK)
        load_status = call(L, args, 0, keep_error);
    if (load_status != LUA_OK)
        return report_script_error(L);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "orrery: cannot write everything to standard output\n");
        return EXIT_ERROR;
    }
    return EXIT_SUCCESS;
}

/* start.find(name), where the functions of start.lua are at index 1. */
static int run_script(lua_State *L, int argc, char **argv, int script)
{
    lua_getfield(L, 1, "find");
    lua_pushstring(L, argv[script]);
    if (call(L, 1, 1, keep_error) != LUA_OK) {
        complain(L);
        return EXIT_USAGE;
    }
    push_arguments(L, argc, argv, script);
    int args = argc - script - 1;
    int status = luaL_loadfile(L, lua_tostring(L, -1));
    if (status == LUA_OK) {
        luaL_checkstack(L, args, "too many arguments");
        for (int i = script + 1; i < argc; i++)
            lua_pushstring(L, argv[i]);
    }
    return run_chunk(L, status, args);
}

static int run_code(lua_State *L, const char *code)
{
    return run_chunk(L, luaL_loadbuffer(L, code, strlen(code), "=(command line)"), 0);
}

/* --- the prompt ----------------------------------------------------------------------------- */

static volatile sig_atomic_t line_dropped;

static void on_prompt_interrupt(int number)
{
    (void)number;
    line_dropped = 1;
}

/* A key for readline; Ctrl-C drops the line and reads as Enter. */
static int read_key(FILE *input)
{
    unsigned char key;
    ssize_t size;
    do
        size = read(fileno(input), &key, 1);
    while (size < 0 && errno == EINTR && !line_dropped);
    if (size < 0 && line_dropped) {
        rl_replace_line("", 0);
        return '\n';
    }
    return size == 1 ? key : EOF;
}

/* A line of input without its end; NULL at the end of the input. Interrupted, it is empty. */
static char *read_line(const char *text)
{
    struct sigaction drop = {.sa_handler = on_prompt_interrupt}; /* interrupts read */
    line_dropped = 0;
    sigaction(SIGINT, &drop, NULL);
    char *line = readline(text);
    signal(SIGINT, SIG_DFL);
    if (line && *line)
        add_history(line);
    return line;
}

/* Whether the syntax error on top only says that the input ends too early. */
static bool is_incomplete(lua_State *L, int status)
{
    static const char mark[] = "<eof>";
    size_t size;
    const char *message = lua_tolstring(L, -1, &size);
    return status == LUA_ERRSYNTAX && message && size >= sizeof mark - 1 &&
           strcmp(message + size - (sizeof mark - 1), mark) == 0;
}

/* Compiles the text on top, asking for more lines while it stops in the middle; replaces it by the
 * function or the error. Ctrl-C gives up: then the function does nothing. */
static int read_statements(lua_State *L)
{
    for (;;) {
        size_t size = lua_rawlen(L, -1);
        int status = luaL_loadbuffer(L, lua_tostring(L, -1), size, "=prompt");
        char *more = is_incomplete(L, status) ? read_line(">> ") : NULL;
        if (!more) {
            lua_remove(L, -2);
            return status;
        }
        lua_pop(L, 1);
        if (line_dropped)
            lua_pushliteral(L, "");
        else
            lua_pushfstring(L, "%s\n%s", lua_tostring(L, -1), more);
        lua_remove(L, -2);
        free(more);
    }
}

/* Compiles the line as an expression, else as statements, asking for more lines where it stops in
 * the middle. Leaves the function or the error; false at the end of the input. */
static bool read_chunk(lua_State *L, int *status)
{
    char *line = read_line("> ");
    if (!line)
        return false;
    lua_pushfstring(L, "return %s", line);
    *status = luaL_loadbuffer(L, lua_tostring(L, -1), lua_rawlen(L, -1), "=prompt");
    lua_remove(L, -2);
    if (*status != LUA_OK) {
        lua_pop(L, 1);
        lua_pushstring(L, line);
        *status = read_statements(L);
    }
    free(line);
    return true;
}

static void print_results(lua_State *L, int base)
{
    int n = lua_gettop(L) - base;
    if (n == 0)
        return;
    lua_getglobal(L, "print");
    lua_insert(L, base + 1);
    if (call(L, n, 0, NULL) != LUA_OK)
        complain(L);
}

static int prompt(lua_State *L)
{
    bool interactive = isatty(STDIN_FILENO);
    const char *history = NULL;
    lua_getfield(L, 1, "history_file");
    if (interactive && lua_pcall(L, 0, 1, 0) == LUA_OK)
        history = lua_tostring(L, -1);
    if (interactive) {
        printf("Orrery " ORR_VERSION ": `orrery` is the module; try orrery.read or help in the "
               "README. Ctrl-D leaves.\n");
        rl_readline_name = "orrery";
        rl_catch_signals = 0;
        rl_getc_function = read_key;
        using_history();
        if (history)
            read_history(history);
    }
    int status, base = lua_gettop(L);
    while (read_chunk(L, &status)) {
        if (status == LUA_OK)
            status = call(L, 0, LUA_MULTRET, NULL);
        if (status == LUA_OK)
            print_results(L, base);
        else
            complain(L);
        lua_settop(L, base);
    }
    if (interactive) {
        printf("\n");
        if (history)
            write_history(history);
    }
    return EXIT_SUCCESS;
}

/* --- arguments ------------------------------------------------------------------------------ */

static int dispatch(lua_State *L, int argc, char **argv)
{
    if (argc < 2)
        return isatty(STDIN_FILENO) ? prompt(L) : run_chunk(L, luaL_loadfile(L, NULL), 0);
    const char *first = argv[1];
    if (strcmp(first, "--version") == 0) {
        printf("orrery " ORR_VERSION "\n");
        return EXIT_SUCCESS;
    }
    if (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0) {
        static char help[] = "help";
        char *arguments[] = {argv[0], help, NULL};
        return run_script(L, 2, arguments, 1);
    }
    if (strcmp(first, "-i") == 0)
        return prompt(L);
    if (strcmp(first, "-e") == 0) {
        if (argc == 3)
            return run_code(L, argv[2]);
        fprintf(stderr, "orrery: -e wants one argument, the code to run\n");
        return EXIT_USAGE;
    }
    if (first[0] == '-') {
        fprintf(stderr, "orrery: unknown option '%s' (known: --version, --help, -e CODE, -i)\n",
                first);
        return EXIT_USAGE;
    }
    return run_script(L, argc, argv, 1);
}

/* Opens the libraries, orrery as a global and for require, and the functions of start.lua. */
static int open_all(lua_State *L)
{
    luaL_openlibs(L);
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, luaopen_orrery);
    lua_setfield(L, -2, "orrery");
    lua_getglobal(L, "require");
    lua_pushliteral(L, "orrery");
    lua_call(L, 1, 1);
    lua_pushvalue(L, -1);
    lua_setglobal(L, "orrery");
    orr_lua_load_embedded(L, "start");
    lua_insert(L, -2);
    lua_call(L, 1, 1);
    return 1;
}

int main(int argc, char **argv)
{
    in_main_thread = true;
    lua_State *L = luaL_newstate();
    if (!L) {
        fprintf(stderr, "orrery: not enough memory\n");
        return EXIT_ERROR;
    }
    lua_pushcfunction(L, open_all);
    int status = lua_pcall(L, 0, 1, 0);
    if (status != LUA_OK)
        complain(L);
    status = status == LUA_OK ? dispatch(L, argc, argv) : EXIT_ERROR;
    lua_close(L);
    return status;
}
