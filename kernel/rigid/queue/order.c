/* Orders of waiting jobs: sorting them, and keeping ranks static or dynamic. Which of two jobs
 * stands in front, ties included, is ori_rank_before in the header. */
#include "rigid/queue/order_internal.h"

#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* --- sorting -------------------------------------------------------------------------------- */

orr_status ori_sorter_create(ori_sorter *s, int32_t jobs, const orr_allocator *a, orr_error *err)
{
    const ori_part parts[] = {ORI_PART(s->entries, jobs), ORI_PART(s->scratch, jobs),
                              ORI_PART(s->jobs, jobs)};
    return ORI_BLOCK_CREATE(&s->block, parts, ORI_RAW, a, err);
}

static bool stands_before(const void *x, const void *y)
{
    return ori_rank_before(x, y);
}

/* Mostly a few new jobs stand behind many that are in order already: only the new ones are sorted,
 * and then merged. */
void ori_sorter_sort(const ori_sorter *s, int32_t count, int32_t *jobs)
{
    ori_rank_entry *entries = s->entries, *added = s->scratch;
    int32_t known = count > 0;
    while (known < count && !ori_rank_before(&entries[known], &entries[known - 1]))
        known++;
    int32_t left = count - known;
    ori_sort(entries + known, left, sizeof *entries, stands_before, added);
    memcpy(added, entries + known, (size_t)left * sizeof *entries);
    for (int32_t at = count - 1, front = known - 1; left > 0; at--) {
        bool second = front < 0 || !ori_rank_before(&added[left - 1], &entries[front]);
        entries[at] = second ? added[--left] : entries[front--];
    }
    for (int32_t i = 0; i < count; i++)
        jobs[i] = s->entries[i].job;
}

void ori_sorter_rank(const ori_sorter *s, int32_t count, int32_t *jobs)
{
    ori_sorter_sort(s, count, jobs);
    for (int32_t level = 0, sorted = 0; s->level && sorted < count; level++)
        for (int32_t i = 0; i < count; i++)
            if (s->level[s->entries[i].job] == level)
                s->scratch[sorted++] = s->entries[i];
    for (int32_t i = 0; s->level && i < count; i++) {
        s->entries[i] = s->scratch[i];
        jobs[i] = s->entries[i].job;
    }
}

/* --- an order ------------------------------------------------------------------------------- */

orr_status ori_order_create(ori_order *o, int32_t jobs, bool timed, const orr_instance *in,
                            ori_filling filling, const orr_allocator *a, orr_error *err)
{
    ORI_TRY(ori_queue_create(&o->queue, jobs, timed, in, filling, a, err));
    const ori_part parts[] = {ORI_PART(o->key, jobs),
                              ORI_PART_IF(o->per == ORR_PER_CHANGE, o->until, jobs)};
    ORI_TRY(ORI_BLOCK_CREATE(&o->block, parts, filling, a, err));
    if (filling == ORI_ZEROED)
        ori_order_clear(o);
    return ORR_OK;
}

void ori_order_destroy(ori_order *o, const orr_allocator *a)
{
    ori_formula_destroy(&o->formula, a);
    ori_block_destroy(&o->block, a);
    ori_block_destroy(&o->queue.block, a);
}

orr_status ori_order_copy(ori_order *to, const ori_order *from, orr_error *err)
{
    to->dynamic = from->dynamic;
    to->dirty = from->dirty;
    to->displaced = from->displaced;
    to->last = from->last;
    ori_formula_copy(&to->formula, &from->formula);
    to->sorted = from->sorted;
    to->known = from->known;
    to->decided = from->decided;
    ORI_TRY(ori_block_copy(&to->block, &from->block, err));
    return ori_queue_copy(&to->queue, &from->queue, err);
}

orr_status ori_order_take_over(ori_order *to, const ori_order *from, orr_error *err)
{
    to->displaced = from->displaced;
    ORI_TRY(ori_block_copy(&to->block, &from->block, err));
    return ori_queue_take_over(&to->queue, &from->queue, err);
}

void ori_order_begin(ori_order *o, const ori_order *before, int32_t jobs)
{
    ori_queue_begin(&o->queue);
    memset(o->key, 0, o->block.size);
    if (!before->dynamic && !ori_order_changes(o->per))
        memcpy(o->queue.job_at, before->queue.job_at, (size_t)jobs * sizeof *o->queue.job_at);
}

static const ori_rank_entry nobody = {INFINITY, -INFINITY, 0, -1};

void ori_order_clear(ori_order *o)
{
    ori_queue_clear(&o->queue);
    o->dynamic = ori_order_changes(o->per);
    o->dirty = false;
    o->last = nobody;
    o->sorted = ORI_SORTED;
    ori_formula_begin(&o->formula);
}

void ori_order_loosen(ori_order *o)
{
    ori_queue_loosen(&o->queue);
    o->dynamic = o->displaced = true;
    o->dirty = o->queue.count > 0; /* the waiting jobs are in order, but `last` is not known */
    o->last = nobody;
}

void ori_order_append(ori_order *o, const ori_rank_entry *entry, int32_t procs, double estimate)
{
    ori_queue_append(&o->queue, entry->job, procs, estimate);
    if (o->per == ORR_PER_DECISION || ori_rank_passes(o->level, entry, &o->last))
        o->dirty = true;
    else
        o->last = *entry;
}

void ori_order_refill(ori_order *o, const ori_sorter *s, int32_t count, const int32_t *procs,
                      const double *estimate)
{
    ori_queue_refill(&o->queue, s->jobs, count, procs, estimate);
    o->last = count > 0 ? s->entries[count - 1] : nobody;
    o->dirty = false;
}
