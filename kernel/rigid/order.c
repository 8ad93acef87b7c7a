#include "rigid/order_internal.h"

#include <string.h>

orr_status orr_order_create(orr_order *o, int32_t jobs, orr_per per, const orr_allocator *a,
                            orr_error *err)
{
    memset(o, 0, sizeof *o);
    o->alloc = orr_allocator_or_default(a);
    o->capacity = jobs;
    o->dynamic = per == ORR_PER_ATTEMPT || per == ORR_PER_DECISION;
    size_t n = (size_t)jobs;
    o->key = orr_calloc(&o->alloc, n, sizeof *o->key);
    o->entries = orr_calloc(&o->alloc, n, sizeof *o->entries);
    o->scratch = orr_calloc(&o->alloc, n, sizeof *o->scratch);
    o->jobs = orr_calloc(&o->alloc, n, sizeof *o->jobs);
    if (!o->key || !o->entries || !o->scratch || !o->jobs)
        return orr_fail_memory(err, n * (2 * sizeof *o->entries + sizeof(double) + 4));
    return ORR_OK;
}

void orr_order_destroy(orr_order *o)
{
    size_t n = (size_t)o->capacity;
    orr_release(&o->alloc, o->key, n * sizeof *o->key);
    orr_release(&o->alloc, o->entries, n * sizeof *o->entries);
    orr_release(&o->alloc, o->scratch, n * sizeof *o->scratch);
    orr_release(&o->alloc, o->jobs, n * sizeof *o->jobs);
    memset(o, 0, sizeof *o);
}

void orr_order_copy(orr_order *to, const orr_order *from)
{
    memcpy(to->key, from->key, (size_t)from->capacity * sizeof *from->key);
    to->dirty = from->dirty;
}

/* Whether a stands before b in the queue. Total: no two jobs share a position. */
static inline bool before(const orr_rank_entry *a, const orr_rank_entry *b)
{
    if (a->key != b->key)
        return a->key > b->key;
    if (a->submit != b->submit)
        return a->submit < b->submit;
    return a->job < b->job;
}

enum { SMALL_RUN = 8 };

static void insertion_sort(orr_rank_entry *e, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        orr_rank_entry moved = e[i];
        int32_t at = i;
        for (; at > 0 && before(&moved, &e[at - 1]); at--)
            e[at] = e[at - 1];
        e[at] = moved;
    }
}

static void merge(orr_rank_entry *to, const orr_rank_entry *from, int32_t middle, int32_t end)
{
    int32_t left = 0, right = middle;
    for (int32_t i = 0; i < end; i++) {
        bool take_right = left == middle || (right < end && before(&from[right], &from[left]));
        to[i] = take_right ? from[right++] : from[left++];
    }
}

void orr_order_sort(orr_order *o, const orr_instance *in, int32_t count)
{
    orr_rank_entry *from = o->entries, *to = o->scratch;
    for (int32_t i = 0; i < count; i++) {
        int32_t job = o->jobs[i];
        from[i] = (orr_rank_entry){o->key[job], in->submit[job], job};
    }
    for (int32_t i = 0; i < count; i += SMALL_RUN)
        insertion_sort(from + i, count - i < SMALL_RUN ? count - i : SMALL_RUN);
    for (int64_t width = SMALL_RUN; width < count; width *= 2) {
        for (int64_t i = 0; i < count; i += 2 * width) {
            int32_t end = (int32_t)(count - i < 2 * width ? count - i : 2 * width);
            merge(to + i, from + i, (int32_t)(width < end ? width : end), end);
        }
        orr_rank_entry *swap = from;
        from = to;
        to = swap;
    }
    for (int32_t i = 0; i < count; i++)
        o->jobs[i] = from[i].job;
}
