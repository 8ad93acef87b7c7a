/* The binary heap behind the calendar; push, pop and peek, which are hot, are in the header. */
#include "base/calendar_internal.h"

#include "base/try_internal.h"

#include <string.h>

static size_t heap_size(int32_t capacity)
{
    return (size_t)capacity * sizeof(ori_event);
}

orr_status ori_calendar_create(ori_calendar *c, int32_t capacity, const orr_allocator *a,
                               orr_error *err)
{
    *c = (ori_calendar){.alloc = orr_allocator_or_default(a)};
    ORI_REFUSE(capacity < 0, err, "a calendar's capacity is at least 0, not %d", (int)capacity);
    c->heap = orr_alloc(&c->alloc, heap_size(capacity));
    if (!c->heap)
        return orr_fail_memory(err, heap_size(capacity));
    c->capacity = capacity;
    return ORR_OK;
}

void ori_calendar_destroy(ori_calendar *c)
{
    orr_release(&c->alloc, c->heap, heap_size(c->capacity));
    c->heap = NULL;
    c->count = c->capacity = 0;
}

void ori_calendar_clear(ori_calendar *c)
{
    c->count = 0;
    c->inserted = 0;
}

void ori_calendar_copy(ori_calendar *to, const ori_calendar *from)
{
    memcpy(to->heap, from->heap, heap_size(from->count));
    to->count = from->count;
    to->inserted = from->inserted;
}

orr_status ori_calendar_reserve(ori_calendar *c, int32_t capacity, orr_error *err)
{
    if (capacity <= c->capacity)
        return ORR_OK;
    ori_event *heap = orr_resize(&c->alloc, c->heap, heap_size(c->capacity), heap_size(capacity));
    if (!heap)
        return orr_fail_memory(err, heap_size(capacity));
    c->heap = heap;
    c->capacity = capacity;
    return ORR_OK;
}

static int32_t find_event(const ori_calendar *c, int64_t payload)
{
    int32_t at = 0;
    while (c->heap[at].payload != payload)
        at++;
    return at;
}

void ori_calendar_move(ori_calendar *c, double time, int64_t payload)
{
    int32_t at = find_event(c, payload);
    ori_event moved = c->heap[at];
    moved.time = time;
    ori_calendar_sink(c->heap, c->count, ori_calendar_rise(c->heap, at, moved), moved);
}

void ori_calendar_remove(ori_calendar *c, int64_t payload)
{
    int32_t at = find_event(c, payload);
    ori_event last = c->heap[--c->count];
    if (at == c->count)
        return;
    ori_calendar_sink(c->heap, c->count, ori_calendar_rise(c->heap, at, last), last);
}
