/* What keeps a policy within its limits. */
#pragma once

#include "bindings/host/host.h"

/* Around every call into Lua, between enter and leave: begin returns what end restores. Calls nest.
 */
orr_call orr_host_begin_call(orr_host *host, orr_call call);
void orr_host_end_call(orr_host *host, orr_call before);

/* Called with a coroutine and the function that resumes it; returns one that lets the watchdog see
 * into it during calls. */
int orr_host_watch_coroutine(lua_State *L);

/* In the caller's state: during calls, from the one under way on, methods of strings are those of
 * the table at the top of the stack, which is popped. */
void orr_lua_take_texts(orr_host *host, lua_State *L);

/* Pushes what sandbox.lua puts in place of functions that may stay in C for too long:
 * { string = { name = function }, table = { ... } }; see interruptible.c. */
void orr_host_push_bounded(lua_State *L);
