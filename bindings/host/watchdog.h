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

/* In the caller's state: called with a list of the metatable of strings, "__index", the functions
 * that are methods of strings during calls, and those outside. Sets them from the call under way
 * on. Upvalue: the host. */
int orr_host_take_strings(lua_State *L);

/* Pushes what sandbox.lua puts in place of functions that may stay in C for too long:
 * { string = { name = function }, table = { ... } }; see interruptible.c. */
void orr_host_push_bounded(lua_State *L);

/* The number of the call that this thread is in, which no other call of any host has; 0: in none.
 */
uint64_t orr_host_number_of_call(void);

/* table.sort, stable; tostring; string.format, with Lua's own as its upvalue. See steady.c. */
int orr_host_sort(lua_State *L);
int orr_host_tostring(lua_State *L);
int orr_host_format(lua_State *L);

/* Pushes the value at `index` as luaL_tolstring does, but for addresses: values that have one are
 * numbered in the order in which a call first asks. */
const char *orr_host_push_text(lua_State *L, int index);
