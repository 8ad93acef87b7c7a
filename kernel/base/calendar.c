/* The binary heap behind the calendar; push, pop and peek, which are hot, are in the header. */
#include "base/calendar.h"

#include <string.h>

static size_t heap_size(int32_t capacity)
{
    return (size_t)capacity * sizeof(orr_event);
}

orr_status orr_calendar_create(orr_calendar *c, int32_t capacity, const orr_allocator *a,
                               orr_error *err)
{
    *c = (orr_calendar){.alloc = orr_allocator_or_default(a)};
    if (capacity < 0)
        return orr_fail(err, ORR_ERR_ARGUMENT, "a calendar's capacity is at least 0, not %d",
                        (int)capacity);
    c->heap = orr_alloc(&c->alloc, heap_size(capacity));
    if (!c->heap)
        return orr_fail_memory(err, heap_size(capacity));
    c->capacity = capacity;
    return ORR_OK;
}

void orr_calendar_destroy(orr_calendar *c)
{
    orr_release(&c->alloc, c->heap, heap_size(c->capacity));
    c->heap = NULL;
    c->count = c->capacity = 0;
}

void orr_calendar_clear(orr_calendar *c)
{
    c->count = 0;
    c->inserted = 0;
}

void orr_calendar_copy(orr_calendar *to, const orr_calendar *from)
{
    memcpy(to->heap, from->heap, heap_size(from->count));
    to->count = from->count;
    to->inserted = from->inserted;
}

orr_status orr_calendar_reserve(orr_calendar *c, int32_t capacity, orr_error *err)
{
    if (capacity <= c->capacity)
        return ORR_OK;
    orr_event *heap = orr_resize(&c->alloc, c->heap, heap_size(c->capacity), heap_size(capacity));
    if (!heap)
        return orr_fail_memory(err, heap_size(capacity));
    c->heap = heap;
    c->capacity = capacity;
    return ORR_OK;
}

void orr_calendar_remove(orr_calendar *c, int64_t payload)
{
    int32_t at = 0;
    while (c->heap[at].payload != payload)
        at++;
    orr_event last = c->heap[--c->count];
    if (at == c->count)
        return;
    orr_calendar_sink(c->heap, c->count, orr_calendar_rise(c->heap, at, last), last);
}
