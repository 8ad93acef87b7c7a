/* The costs of calls into policies, per hook: for `orrery check`.
 *
 * A thread that records counts the calls that it makes itself, in any host. The other threads are
 * not disturbed. If a thread does not record, a call costs it only one check. */
#pragma once

#include "bindings/host/host.h"

/* The state of a recorded call: orr_calls_begin fills it and orr_calls_end reads it. */
typedef struct orr_calls_mark {
    bool recording;
    lua_Hook hook; /* of the state, and what it was set for */
    int mask, count;
    int64_t instructions; /* the thread's counter */
    double time;          /* of the thread's processor, s */
} orr_calls_mark;

/* Whether this thread records: a value computed without a call could not be counted. */
extern _Thread_local bool orr_calls_are_recorded;

void orr_calls_begin_recording(const orr_host *host, orr_calls_mark *mark);
void orr_calls_end_recording(const orr_host *host, const orr_calls_mark *mark);

/* To be called around every call into Lua, inside orr_host_begin_call and orr_host_end_call. Calls
 * nest; the costs of an inner call count for the outer call, too. */
static inline void orr_calls_begin(const orr_host *host, orr_calls_mark *mark)
{
    mark->recording = orr_calls_are_recorded;
    if (ORR_UNLIKELY(mark->recording))
        orr_calls_begin_recording(host, mark);
}

static inline void orr_calls_end(const orr_host *host, const orr_calls_mark *mark)
{
    if (ORR_UNLIKELY(mark->recording && orr_calls_are_recorded))
        orr_calls_end_recording(host, mark);
}

/* core.calls_start(what): this thread records; "instructions" counts them, which disturbs
 * the time, "seconds" measures. core.calls_stop(): it no longer does; a list of { hook =,
 * calls =, seconds =, longest = (s), instructions =, most =, memory = (bytes, the most) }. */
void orr_lua_open_calls(lua_State *L);
