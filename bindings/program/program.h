/* The shared functions of the program's files, which are not part of the module: main.c (arguments
 * and scripts), interrupt.c (Ctrl-C), prompt.c (the terminal) and channel.c (requests of another
 * program). */
#pragma once

#include "bindings/host/host.h"

enum { EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* lua_pcall that Ctrl-C can stop: runs of the kernel look at a flag, Lua code is stopped by a hook.
 * The message handler is below the function on the stack, and is removed.
 *
 * A second Ctrl-C ends the program: at once, or with `patient` (at the prompt, where a user would
 * lose values) only after a message that the run does not stop. */
int orr_program_call(lua_State *L, int args, int results, bool patient);

/* Opens the libraries, orrery and the other globals, and pushes the functions of commands.lua. */
int orr_program_open(lua_State *L);

/* Whether Ctrl-C came during the latest call. */
bool orr_program_interrupted(void);

/* Makes Ctrl-C reach Lua code in coroutines: behind luaL_openlibs. */
void orr_program_watch_coroutines(lua_State *L);

/* The module orrery.program.terminal: the terminal's functions for prompt.lua. */
int orr_program_open_terminal(lua_State *L);

/* The module orrery.program.channel: standard input and output for serve.lua. */
int orr_program_open_channel(lua_State *L);
