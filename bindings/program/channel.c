/* The channel of a program that drives this one: lines of standard input, and a standard output
 * without any other output. */
#include "bindings/program/program.h"

#include <errno.h>
#include <lauxlib.h>
#include <lualib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The bytes of standard input that are not read yet. (Not the C library's own: a wait for input
 * does not see what these hold.) */
typedef struct input {
    size_t at, end;
    unsigned char data[1 << 16];
} input;

/* Waits for input; false: Ctrl-C came. It is only let in here, where it cannot come between a look
 * at it and the wait. */
static bool wait_for_input(void)
{
    struct pollfd source = {.fd = STDIN_FILENO, .events = POLLIN};
    sigset_t interrupt, let_in;
    int ready = 0;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &let_in);
    while (!orr_program_interrupted()) {
        ready = ppoll(&source, 1, NULL, &let_in);
        if (ready > 0 || errno != EINTR)
            break;
    }
    sigprocmask(SIG_SETMASK, &let_in, NULL);
    return ready > 0;
}

/* The next byte; EOF: the input ends, or Ctrl-C came. */
static int next_byte(input *in)
{
    if (in->at == in->end) {
        ssize_t got = wait_for_input() ? read(STDIN_FILENO, in->data, sizeof in->data) : 0;
        if (got <= 0)
            return EOF;
        in->at = 0;
        in->end = (size_t)got;
    }
    return in->data[in->at++];
}

/* channel.read_line(most): the next line of standard input, without its end. nil and its size: it
 * has more than `most` bytes and is skipped. No value: the input ends, or Ctrl-C came. Upvalue: the
 * input. */
static int read_line(lua_State *L)
{
    input *in = lua_touserdata(L, lua_upvalueindex(1));
    size_t most = (size_t)luaL_checkinteger(L, 1), size = 0;
    luaL_Buffer line;
    luaL_buffinit(L, &line);
    int c = next_byte(in);
    if (c == EOF)
        return 0;
    for (; c != EOF && c != '\n'; c = next_byte(in)) {
        if (size++ < most)
            luaL_addchar(&line, (char)c);
    }
    if (c == EOF && orr_program_interrupted())
        return 0;
    luaL_pushresult(&line);
    if (size <= most)
        return 1;
    lua_pushnil(L);
    lua_pushinteger(L, (lua_Integer)size);
    return 2;
}

static int close_stream(lua_State *L)
{
    luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    return luaL_fileresult(L, fclose(stream->f) == 0, NULL);
}

/* channel.take_output(): standard output as a file of its own. Later prints, also of started
 * programs, go to standard error. */
static int take_output(lua_State *L)
{
    luaL_Stream *stream = lua_newuserdatauv(L, sizeof(luaL_Stream), 0);
    stream->closef = NULL; /* closed, until all steps succeed */
    luaL_setmetatable(L, LUA_FILEHANDLE);
    fflush(stdout);
    int own = dup(STDOUT_FILENO);
    stream->f = own >= 0 ? fdopen(own, "w") : NULL;
    if (!stream->f || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return luaL_error(L, "standard output cannot be used: %s", strerror(errno));
    stream->closef = close_stream;
    return 1;
}

int orr_program_open_channel(lua_State *L)
{
    lua_newtable(L);
    input *in = lua_newuserdatauv(L, sizeof *in, 0);
    in->at = in->end = 0;
    lua_pushcclosure(L, read_line, 1);
    lua_setfield(L, -2, "read_line");
    lua_pushcfunction(L, take_output);
    lua_setfield(L, -2, "take_output");
    return 1;
}
