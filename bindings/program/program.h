/* What the files of the program share, none of which is part of the module: main.c (arguments and
 * scripts), interrupt.c (Ctrl-C), prompt.c (what is typed) and channel.c (what another program
 * sends). */
#pragma once

#include "bindings/host/host.h"

enum { EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* lua_pcall that Ctrl-C can stop: runs of the kernel look at a flag, Lua code is stopped by a hook.
 * Below the function lies the message handler, which is removed.
 *
 * A second Ctrl-C ends the program: at once, or, where somebody types and would lose what is there
 * (`patient`), only after it was said that a run does not stop. */
int orr_program_call(lua_State *L, int args, int results, bool patient);

/* Opens the libraries, orrery and the other globals, and pushes the functions of commands.lua. */
int orr_program_open(lua_State *L);

/* Whether Ctrl-C came during the latest call. */
bool orr_program_interrupted(void);

/* Makes Ctrl-C reach Lua code in coroutines: behind luaL_openlibs. */
void orr_program_watch_coroutines(lua_State *L);

/* Prints the message on top, and pops it. */
void orr_program_complain(lua_State *L);

/* The module orrery.program.terminal: what prompt.lua needs of the terminal. */
int orr_program_open_terminal(lua_State *L);

/* The module orrery.program.channel: what serve.lua needs of standard input and output. */
int orr_program_open_channel(lua_State *L);
