/* The watchdog: it keeps a policy within its limits. */
#pragma once

#include "bindings/host/host.h"

/* To be called before a call into Lua, between enter and leave. The timer starts at the first call:
 * a run may have no call. It fails if the system has no timer left. */
orr_status orr_host_start_watch(orr_host *host, orr_error *err);
static inline orr_status orr_host_watch(orr_host *host, orr_error *err)
{
    return host->entered == 0 || host->timer.runs ? ORR_OK : orr_host_start_watch(host, err);
}

/* What a call interrupted. */
typedef struct orr_interrupted_call {
    const orr_call *call;
    orr_host *watched; /* the host of the thread's last call */
    int calling, ticks;
    double first_tick;
} orr_interrupted_call;

/* To be called around every call into Lua, between enter and leave: end restores what begin saved.
 * `call` must live until then. Calls nest. */
void orr_host_begin_call(orr_host *host, const orr_call *call, orr_interrupted_call *before);
void orr_host_end_call(orr_host *host, const orr_interrupted_call *before);

/* The host of the function of C under way, one of those that sandbox.lua is given; NULL once it is
 * gone. */
static inline orr_host *orr_host_of_tool(lua_State *L)
{
    orr_host *const *box = lua_touserdata(L, lua_upvalueindex(1));
    return *box;
}

/* Whether the call under way has used up its time, so that it gets no block of so many bytes more.
 * Lua looks for what a value called is to be (__call) in a loop of C that no hook sees, which only
 * grows its stack; small blocks are for the message. */
static inline bool orr_host_is_late_for(const orr_host *host, size_t size)
{
    return size > (size_t)1 << 20 && host->calling && host->ticks >= host->ticks_allowed;
}

/* Whether a request for more memory is refused; `is_more`: it is more than the limit allows. Lua
 * collects everything then and asks again. The memory that is left depends on earlier calls: so a
 * call that was refused memory twice, or for which collecting frees next to nothing several times
 * in a row, gets no more, even if it catches the error. */
bool orr_host_refuses(orr_host *host, size_t size, bool is_more);

/* The message of the error on top of the stack; `status` is the result of lua_pcall. A call that
 * exceeded its time was refused memory; the message then names the time, not the memory. */
enum { ORR_LATE_TEXT = 192 };
const char *orr_host_error_text(orr_host *host, int status, char late[ORR_LATE_TEXT]);

/* Called with a coroutine and the function that resumes it; returns one that lets the watchdog see
 * into it during calls. */
int orr_host_watch_coroutine(lua_State *L);

/* In the caller's state: called with a list of the metatable of strings, "__index", the functions
 * that are methods of strings during calls, and those outside. Sets them from the call under way
 * on. Upvalue: as of orr_host_of_tool. */
int orr_host_take_strings(lua_State *L);

/* Pushes what sandbox.lua puts in place of functions that may stay in C for too long:
 * { string = { name = function }, table = { ... } }; see interruptible.c. */
void orr_host_push_bounded(lua_State *L);

/* The number of the call that this thread runs; no other call of any host has it. 0: no call.
 */
uint64_t orr_host_number_of_call(void);

/* table.sort, stable; tostring; string.format, with Lua's own as its upvalue. See steady.c. */
int orr_host_sort(lua_State *L);
int orr_host_tostring(lua_State *L);
int orr_host_format(lua_State *L);

/* Pushes the value at `index` as luaL_tolstring does, but for addresses: values that have one are
 * numbered in the order in which a call first asks. */
const char *orr_host_push_text(lua_State *L, int index);
