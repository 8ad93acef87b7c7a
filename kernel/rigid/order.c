#include "rigid/order_internal.h"

#include <math.h>
#include <string.h>

/* --- sorting -------------------------------------------------------------------------------- */

orr_status orr_sorter_create(orr_sorter *s, int32_t jobs, const orr_allocator *a, orr_error *err)
{
    memset(s, 0, sizeof *s);
    s->alloc = orr_allocator_or_default(a);
    s->capacity = jobs;
    size_t n = (size_t)jobs;
    s->entries = orr_alloc(&s->alloc, n * sizeof *s->entries); /* nobody reads what nobody wrote */
    s->scratch = orr_alloc(&s->alloc, n * sizeof *s->scratch);
    s->jobs = orr_alloc(&s->alloc, n * sizeof *s->jobs);
    if (!s->entries || !s->scratch || !s->jobs)
        return orr_fail_memory(err, n * (2 * sizeof *s->entries + sizeof *s->jobs));
    return ORR_OK;
}

void orr_sorter_destroy(orr_sorter *s)
{
    size_t n = (size_t)s->capacity;
    orr_release(&s->alloc, s->entries, n * sizeof *s->entries);
    orr_release(&s->alloc, s->scratch, n * sizeof *s->scratch);
    orr_release(&s->alloc, s->jobs, n * sizeof *s->jobs);
    memset(s, 0, sizeof *s);
}

enum { SMALL_RUN = 8 };

static void insertion_sort(orr_rank_entry *e, int32_t count)
{
    for (int32_t i = 1; i < count; i++) {
        orr_rank_entry moved = e[i];
        int32_t at = i;
        for (; at > 0 && orr_rank_before(&moved, &e[at - 1]); at--)
            e[at] = e[at - 1];
        e[at] = moved;
    }
}

static void merge(orr_rank_entry *to, const orr_rank_entry *from, int32_t middle, int32_t end)
{
    int32_t left = 0, right = middle;
    for (int32_t i = 0; i < end; i++) {
        bool take_right =
            left == middle || (right < end && orr_rank_before(&from[right], &from[left]));
        to[i] = take_right ? from[right++] : from[left++];
    }
}

void orr_sort(orr_sorter *s, int32_t count)
{
    orr_rank_entry *from = s->entries, *to = s->scratch;
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
        s->jobs[i] = from[i].job;
    s->entries = from;
    s->scratch = to;
}

/* --- an order ------------------------------------------------------------------------------- */

orr_status orr_order_create(orr_order *o, int32_t jobs, bool timed, bool raw,
                            const orr_allocator *a, orr_error *err)
{
    o->alloc = orr_allocator_or_default(a);
    o->key = raw ? orr_alloc(&o->alloc, (size_t)jobs * sizeof *o->key)
                 : orr_calloc(&o->alloc, (size_t)jobs, sizeof *o->key);
    if (!o->key)
        return orr_fail_memory(err, (size_t)jobs * sizeof *o->key);
    orr_status status = raw ? orr_queue_allocate(&o->queue, jobs, timed, a, err)
                            : orr_queue_create(&o->queue, jobs, timed, a, err);
    if (status != ORR_OK)
        o->queue.capacity = jobs; /* by which the keys are released */
    else if (!raw)
        orr_order_clear(o);
    return status;
}

void orr_order_destroy(orr_order *o)
{
    if (o->key)
        orr_release(&o->alloc, o->key, (size_t)o->queue.capacity * sizeof *o->key);
    o->key = NULL;
    orr_queue_destroy(&o->queue);
}

void orr_order_copy(orr_order *to, const orr_order *from)
{
    memcpy(to->key, from->key, (size_t)from->queue.capacity * sizeof *from->key);
    orr_queue_copy(&to->queue, &from->queue);
    to->dynamic = from->dynamic;
    to->dirty = from->dirty;
    to->displaced = from->displaced;
    to->last = from->last;
}

static const orr_rank_entry nobody = {INFINITY, -INFINITY, 0, -1};

void orr_order_clear(orr_order *o)
{
    orr_queue_clear(&o->queue);
    o->dynamic = orr_order_changes(o->per);
    o->dirty = false;
    o->last = nobody;
}

void orr_order_rank_all(orr_order *o, const orr_sorter *s)
{
    orr_queue_order(&o->queue, s->jobs);
    o->displaced = false;
}

void orr_order_loosen(orr_order *o)
{
    orr_queue_loosen(&o->queue);
    o->dynamic = o->displaced = true;
    o->dirty = o->queue.count > 0; /* whoever waits is in order, but `last` is not known */
    o->last = nobody;
}

void orr_order_append(orr_order *o, const orr_rank_entry *entry, int32_t procs, double estimate)
{
    orr_queue_append(&o->queue, entry->job, procs, estimate);
    if (o->per == ORR_PER_DECISION || orr_rank_before(entry, &o->last))
        o->dirty = true;
    else
        o->last = *entry;
}

void orr_order_refill(orr_order *o, const orr_sorter *s, int32_t count, const int32_t *procs,
                      const double *estimate)
{
    orr_queue_refill(&o->queue, s->jobs, count, procs, estimate);
    o->last = count > 0 ? s->entries[count - 1] : nobody;
    o->dirty = false;
}
