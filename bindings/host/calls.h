/* What calls into policies cost, hook by hook: for `orrery check`.
 *
 * A thread that records counts the calls that it makes itself, in whatever host; the others are not
 * disturbed. Where nobody records, a call pays for one look at a pointer. */
#pragma once

#include "bindings/host/host.h"

/* What orr_calls_begin fills and orr_calls_end takes. */
typedef struct orr_calls_mark {
    bool recording;
    lua_Hook hook; /* of the state, and what it was set for */
    int mask, count;
    int64_t instructions; /* the thread's counter */
    double time;          /* of the thread's processor, s */
} orr_calls_mark;

/* Around every call into Lua, inside orr_host_begin_call and orr_host_end_call. Calls nest; what an
 * inner one takes counts for the outer one, too. */
void orr_calls_begin(const orr_host *host, orr_calls_mark *mark);
void orr_calls_end(const orr_host *host, const orr_calls_mark *mark);

/* Whether this thread records: what is computed without a call could not be counted. */
bool orr_calls_are_recorded(void);

/* core.calls_start(what): this thread records; "instructions" counts them, which disturbs
 * the time, "seconds" measures. core.calls_stop(): it no longer does; a list of { hook =,
 * calls =, seconds =, longest = (s), instructions =, most =, memory = (bytes, the most) }. */
void orr_lua_open_calls(lua_State *L);
