/* What the files of the program share, none of which is part of the module: main.c (arguments and
 * scripts), interrupt.c (Ctrl-C) and prompt.c (what is typed). */
#pragma once

#include "bindings/host/host.h"

enum { EXIT_ERROR = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

/* lua_pcall that Ctrl-C can stop: runs of the kernel look at a flag, Lua code is stopped by a hook.
 * Below the function lies the message handler, which is removed.
 *
 * A second Ctrl-C ends the program: at once, or, where somebody types and would lose what is there
 * (`patient`), only after it was said that a run does not stop. */
int orr_program_call(lua_State *L, int args, int results, bool patient);

/* Whether Ctrl-C came during the latest call. */
bool orr_program_interrupted(void);

/* Prints the message on top, and pops it. */
void orr_program_complain(lua_State *L);

/* The module orrery.program.terminal: what prompt.lua needs of the terminal. */
int orr_program_open_terminal(lua_State *L);
