/* The event calendar: a priority queue of (time, kind, payload).
 *
 * The order is total and written down: earlier time first, then smaller kind, then the event that
 * was inserted first. It is an implicit binary heap in one block of memory with room for `capacity`
 * events; it never allocates after creation. Times are compared exactly. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

typedef struct ori_event {
    double time;     /* s */
    uint64_t order;  /* kind in the top 8 bits, insertion number below */
    int64_t payload; /* whatever the owner wants back: a job, a processor */
} ori_event;

typedef struct ori_calendar {
    ori_event *heap;
    int32_t count, capacity;
    uint64_t inserted; /* events inserted since the last clear */
    orr_allocator alloc;
} ori_calendar;

/* Room for `capacity` >= 0 events. On failure the calendar is empty and safe to destroy. */
orr_status ori_calendar_create(ori_calendar *c, int32_t capacity, const orr_allocator *a,
                               orr_error *err);
void ori_calendar_destroy(ori_calendar *c);

/* Removes all events and starts the insertion numbers anew. */
void ori_calendar_clear(ori_calendar *c);

/* Makes `to` (created, with at least the capacity of `from`) equal to `from`. */
void ori_calendar_copy(ori_calendar *to, const ori_calendar *from);

/* Removes the event with this payload, of which there must be one. Takes a look at every event. */
void ori_calendar_remove(ori_calendar *c, int64_t payload);

/* Moves the event with this payload, which must exist, to `time`; among events of one time it keeps
 * its place. O(count). */
void ori_calendar_move(ori_calendar *c, double time, int64_t payload);

/* Makes room for `capacity` events where there is less. */
orr_status ori_calendar_reserve(ori_calendar *c, int32_t capacity, orr_error *err);

/* Inline functions, for they are the inner loop of a simulation. */

/* The kind of an event. */
static inline unsigned ori_event_kind(const ori_event *e)
{
    return (unsigned)(e->order >> 56);
}

/* The total order of events. Without branches: which of two events is first is a coin toss. */
static inline bool ori_event_before(const ori_event *a, const ori_event *b)
{
    return (a->time < b->time) | ((a->time == b->time) & (a->order < b->order));
}

/* The first event, not removed; NULL when there is none. Valid until the next push or pop. */
static inline const ori_event *ori_calendar_peek(const ori_calendar *c)
{
    return c->count > 0 ? c->heap : NULL;
}

/* The time of the event behind the first; inf when there is none. */
static inline double ori_calendar_second(const ori_calendar *c)
{
    double second = c->count > 1 ? c->heap[1].time : INFINITY;
    return c->count > 2 && c->heap[2].time < second ? c->heap[2].time : second;
}

/* Puts an event at `hole`, or above where it is before others; returns where it stands. */
static inline int32_t ori_calendar_rise(ori_event *heap, int32_t hole, ori_event e)
{
    for (int32_t parent; hole > 0; hole = parent) {
        parent = (hole - 1) / 2;
        if (!ori_event_before(&e, &heap[parent]))
            break;
        heap[hole] = heap[parent];
    }
    heap[hole] = e;
    return hole;
}

/* Moves the hole down, as long as other of the `count` events are before e. */
static inline void ori_calendar_sink(ori_event *heap, int32_t count, int32_t hole, ori_event e)
{
    for (int32_t child; (child = 2 * hole + 1) < count; hole = child) {
        if (child + 1 < count)
            child += ori_event_before(&heap[child + 1], &heap[child]);
        if (!ori_event_before(&heap[child], &e))
            break;
        heap[hole] = heap[child];
    }
    heap[hole] = e;
}

/* Inserts an event; time is not NaN, 0 <= kind <= 255. The calendar must not be full: the caller
 * knows its bound. */
static inline void ori_calendar_push(ori_calendar *c, double time, unsigned kind, int64_t payload)
{
    ori_event e = {time, (uint64_t)kind << 56 | c->inserted++, payload};
    ori_calendar_rise(c->heap, c->count++, e);
}

/* Removes and returns the first event; the calendar must not be empty. */
static inline ori_event ori_calendar_pop(ori_calendar *c)
{
    ori_event *heap = c->heap;
    ori_event first = heap[0], last = heap[--c->count];
    int32_t count = c->count, hole = 0, child = 1;
    while (child < count) {
        /* the slot behind the end still holds `last`: as a right child it ends the loop, rightly */
        child += ori_event_before(&heap[child + 1], &heap[child]);
        if (!ori_event_before(&heap[child], &last))
            break;
        heap[hole] = heap[child];
        hole = child;
        child = 2 * hole + 1;
    }
    heap[hole] = last;
    return first;
}

/* Removes the first event and inserts another; the calendar must not be empty. */
static inline void ori_calendar_replace(ori_calendar *c, double time, unsigned kind,
                                        int64_t payload)
{
    ori_event e = {time, (uint64_t)kind << 56 | c->inserted++, payload};
    ori_calendar_sink(c->heap, c->count, 0, e);
}
