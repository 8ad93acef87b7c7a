/* The event calendar: a priority queue of (time, kind, payload).
 *
 * The order is total and written down: earlier time first, then smaller kind, then the event that
 * was inserted first. It is an implicit binary heap in one block of memory with room for `capacity`
 * events; it never allocates after creation. Times are compared exactly. */
#ifndef ORR_BASE_CALENDAR_H
#define ORR_BASE_CALENDAR_H

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

typedef struct orr_event {
    double time;     /* s */
    uint64_t order;  /* kind in the top 8 bits, insertion number below */
    int64_t payload; /* whatever the owner wants back: a job, a processor */
} orr_event;

typedef struct orr_calendar {
    orr_event *heap;
    int32_t count, capacity;
    uint64_t inserted; /* events inserted since the last clear */
    orr_allocator alloc;
} orr_calendar;

/* Room for `capacity` >= 0 events. On failure the calendar is empty and safe to destroy. */
ORR_API orr_status orr_calendar_create(orr_calendar *c, int32_t capacity, const orr_allocator *a,
                                       orr_error *err);
ORR_API void orr_calendar_destroy(orr_calendar *c);

/* Removes all events and starts the insertion numbers anew. */
ORR_API void orr_calendar_clear(orr_calendar *c);

/* Makes `to` (created, with at least the capacity of `from`) equal to `from`. */
ORR_API void orr_calendar_copy(orr_calendar *to, const orr_calendar *from);

/* Removes the event with this payload, of which there must be one. Takes a look at every event. */
ORR_API void orr_calendar_remove(orr_calendar *c, int64_t payload);

/* Makes room for `capacity` events where there is less. */
ORR_API orr_status orr_calendar_reserve(orr_calendar *c, int32_t capacity, orr_error *err);

/* The rest is defined here because it is the inner loop of a simulation. */

/* The kind of an event. */
static inline unsigned orr_event_kind(const orr_event *e)
{
    return (unsigned)(e->order >> 56);
}

/* The total order of events. Without branches: which of two events is first is a coin toss. */
static inline bool orr_event_before(const orr_event *a, const orr_event *b)
{
    return (a->time < b->time) | ((a->time == b->time) & (a->order < b->order));
}

/* The first event, not removed; NULL when there is none. Valid until the next push or pop. */
static inline const orr_event *orr_calendar_peek(const orr_calendar *c)
{
    return c->count > 0 ? c->heap : NULL;
}

/* The time of the event behind the first; inf when there is none. */
static inline double orr_calendar_second(const orr_calendar *c)
{
    double second = c->count > 1 ? c->heap[1].time : INFINITY;
    return c->count > 2 && c->heap[2].time < second ? c->heap[2].time : second;
}

/* Puts an event at `hole`, or above where it is before others; returns where it stands. */
static inline int32_t orr_calendar_rise(orr_event *heap, int32_t hole, orr_event e)
{
    for (int32_t parent; hole > 0; hole = parent) {
        parent = (hole - 1) / 2;
        if (!orr_event_before(&e, &heap[parent]))
            break;
        heap[hole] = heap[parent];
    }
    heap[hole] = e;
    return hole;
}

/* The same below, where others of the `count` events are before it. */
static inline void orr_calendar_sink(orr_event *heap, int32_t count, int32_t hole, orr_event e)
{
    for (int32_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count)
            child += orr_event_before(&heap[child + 1], &heap[child]);
        if (!orr_event_before(&heap[child], &e))
            break;
        heap[hole] = heap[child];
    }
    heap[hole] = e;
}

/* Inserts an event; time is not NaN, 0 <= kind <= 255. The calendar must not be full: the caller
 * knows its bound. */
static inline void orr_calendar_push(orr_calendar *c, double time, unsigned kind, int64_t payload)
{
    orr_event e = {time, (uint64_t)kind << 56 | c->inserted++, payload};
    orr_calendar_rise(c->heap, c->count++, e);
}

/* Removes and returns the first event; the calendar must not be empty. */
static inline orr_event orr_calendar_pop(orr_calendar *c)
{
    orr_event *heap = c->heap;
    orr_event first = heap[0], last = heap[--c->count];
    int32_t count = c->count, hole = 0, child = 1;
    while (child < count) {
        /* the slot behind the end still holds `last`: as a right child it ends the loop, rightly */
        child += orr_event_before(&heap[child + 1], &heap[child]);
        if (!orr_event_before(&heap[child], &last))
            break;
        heap[hole] = heap[child];
        hole = child;
        child = 2 * hole + 1;
    }
    heap[hole] = last;
    return first;
}

/* Removes the first event and inserts another; the calendar must not be empty. */
static inline void orr_calendar_replace(orr_calendar *c, double time, unsigned kind,
                                        int64_t payload)
{
    orr_event e = {time, (uint64_t)kind << 56 | c->inserted++, payload};
    orr_calendar_sink(c->heap, c->count, 0, e);
}

#endif
