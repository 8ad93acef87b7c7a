/* Planned ends of running jobs, and the step function that a decision makes of them. */
#include "rigid/availability/profile_internal.h"

#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* --- planned ends of running jobs ----------------------------------------------------------- */

/* Two neighbours that together fill less than half a block are merged, so that n times never take
 * more than n / 16 + 2 blocks. An empty block is merged with any neighbour, because a search reads
 * the last time of every block. */
enum { MERGE_BELOW = ORI_ENDS_BLOCK / 2 };

orr_status ori_ends_create(ori_ends *e, int32_t running, const orr_allocator *a, orr_error *err)
{
    int32_t capacity = running / (MERGE_BELOW / 2) + 2;
    *e = (ori_ends){.capacity = capacity};
    const ori_part parts[] = {ORI_PART(e->blocks, capacity), ORI_PART(e->order, capacity)};
    ORI_TRY(ORI_BLOCK_CREATE(&e->block, parts, ORI_RAW, a, err));
    for (int32_t i = 0; i < capacity; i++)
        e->order[i] = i;
    ori_ends_clear(e);
    return ORR_OK;
}

static ori_ends_block *block_at(const ori_ends *e, int32_t place)
{
    return &e->blocks[e->order[place]];
}

void ori_ends_clear(ori_ends *e)
{
    e->used = 1; /* one block is always in use, so that there is a place to insert */
    block_at(e, 0)->count = block_at(e, 0)->procs_sum = 0;
}

void ori_ends_copy(ori_ends *to, const ori_ends *from)
{
    memcpy(to->order, from->order, (size_t)from->capacity * sizeof *from->order);
    for (int32_t i = 0; i < from->used; i++)
        *block_at(to, i) = *block_at(from, i);
    to->used = from->used;
}

/* The first block whose last time is >= time, or the last block. */
static int32_t find_block(const ori_ends *e, double time)
{
    int32_t place = 0;
    ORI_BISECT(place, e->used - 1, i, block_at(e, i)->time[block_at(e, i)->count - 1] < time)
    return place;
}

/* The first slot of a block whose time is >= time, or its count. */
static int32_t find_slot(const ori_ends_block *b, double time)
{
    int32_t slot = 0;
    ORI_BISECT(slot, b->count, i, b->time[i] < time)
    return slot;
}

/* Moves the slots from `slot` on into the (empty) block behind it in the order. */
static void split_block(ori_ends *e, int32_t place)
{
    int32_t fresh = e->order[e->used];
    memmove(e->order + place + 2, e->order + place + 1,
            (size_t)(e->used - place - 1) * sizeof *e->order);
    e->order[place + 1] = fresh;
    e->used++;
    ori_ends_block *left = block_at(e, place), *right = block_at(e, place + 1);
    int32_t keep = left->count / 2;
    right->count = left->count - keep;
    memcpy(right->time, left->time + keep, (size_t)right->count * sizeof *left->time);
    memcpy(right->procs, left->procs + keep, (size_t)right->count * sizeof *left->procs);
    right->procs_sum = 0;
    for (int32_t i = 0; i < right->count; i++)
        right->procs_sum += right->procs[i];
    left->count = keep;
    left->procs_sum -= right->procs_sum;
}

static void merge_with_next(ori_ends *e, int32_t place)
{
    if (place < 0 || place + 1 >= e->used)
        return;
    ori_ends_block *left = block_at(e, place), *right = block_at(e, place + 1);
    if (left->count + right->count >= MERGE_BELOW && left->count > 0 && right->count > 0)
        return;
    memcpy(left->time + left->count, right->time, (size_t)right->count * sizeof *left->time);
    memcpy(left->procs + left->count, right->procs, (size_t)right->count * sizeof *left->procs);
    left->count += right->count;
    left->procs_sum += right->procs_sum;
    int32_t emptied = e->order[place + 1];
    memmove(e->order + place + 1, e->order + place + 2,
            (size_t)(e->used - place - 2) * sizeof *e->order);
    e->order[--e->used] = emptied;
}

void ori_ends_add(ori_ends *e, double time, int32_t procs)
{
    int32_t place = find_block(e, time);
    ori_ends_block *b = block_at(e, place);
    int32_t slot = find_slot(b, time);
    if (slot < b->count && b->time[slot] == time) {
        b->procs[slot] += procs;
        b->procs_sum += procs;
        return;
    }
    if (b->count == ORI_ENDS_BLOCK) {
        split_block(e, place);
        if (slot > b->count) {
            slot -= b->count;
            b = block_at(e, place + 1);
        }
    }
    size_t behind = (size_t)(b->count - slot);
    memmove(b->time + slot + 1, b->time + slot, behind * sizeof *b->time);
    memmove(b->procs + slot + 1, b->procs + slot, behind * sizeof *b->procs);
    b->time[slot] = time;
    b->procs[slot] = procs;
    b->count++;
    b->procs_sum += procs;
}

void ori_ends_remove(ori_ends *e, double time, int32_t procs)
{
    int32_t place = find_block(e, time);
    ori_ends_block *b = block_at(e, place);
    int32_t slot = find_slot(b, time);
    b->procs[slot] -= procs;
    b->procs_sum -= procs;
    if (b->procs[slot] > 0)
        return;
    size_t behind = (size_t)(b->count - slot - 1);
    memmove(b->time + slot, b->time + slot + 1, behind * sizeof *b->time);
    memmove(b->procs + slot, b->procs + slot + 1, behind * sizeof *b->procs);
    b->count--;
    merge_with_next(e, place);
    merge_with_next(e, place - 1);
}

double ori_ends_when(const ori_ends *e, int32_t free, int32_t procs, int32_t *available)
{
    int32_t place = 0;
    while (free + block_at(e, place)->procs_sum < procs)
        free += block_at(e, place++)->procs_sum;
    const ori_ends_block *b = block_at(e, place);
    int32_t slot = 0;
    while ((free += b->procs[slot]) < procs)
        slot++;
    *available = free;
    return b->time[slot];
}

int32_t ori_ends_until(const ori_ends *e, double time)
{
    int32_t freed = 0, last = find_block(e, time);
    const ori_ends_block *b = block_at(e, last);
    for (int32_t i = 0; i < last; i++)
        freed += block_at(e, i)->procs_sum;
    for (int32_t slot = 0; slot < b->count && b->time[slot] <= time; slot++)
        freed += b->procs[slot];
    return freed;
}

/* --- a plan --------------------------------------------------------------------------------- */

orr_status ori_plan_create(ori_plan *p, int32_t running, int32_t reservations,
                           const orr_allocator *a, orr_error *err)
{
    /* one step per planned end, one per reservation's end, one for now */
    *p = (ori_plan){.capacity = running + reservations + 2};
    /* compared 64 at a time, for which the first array of the block is aligned */
    int64_t padded = ((int64_t)p->capacity + ORI_MOVED + ORI_STEPS - 1) / ORI_STEPS * ORI_STEPS;
    const ori_part parts[] = {ORI_PART(p->available, padded), ORI_PART(p->time, padded)};
    return ORI_BLOCK_CREATE(&p->block, parts, ORI_ZEROED, a, err);
}

void ori_plan_make(ori_plan *p, const ori_ends *e, double now, int32_t free)
{
    p->time[0] = now;
    p->available[0] = free;
    int32_t n = 1;
    for (int32_t place = 0; place < e->used; place++) {
        const ori_ends_block *b = block_at(e, place);
        for (int32_t slot = 0; slot < b->count; slot++, n++) {
            free += b->procs[slot];
            p->time[n] = b->time[slot];
            p->available[n] = free;
        }
    }
    p->count = n;
    p->time[n] = INFINITY;
}

/* The first step from `start` on. */
static int32_t earliest_of_many(const ori_plan *p, int32_t procs, double estimate,
                                double verification, int32_t start)
{
    for (;;) {
        while (p->available[start] < procs)
            start++;
        double end = (p->time[start] + estimate) + verification;
        int32_t i = start + 1;
        while (p->time[i] < end && p->available[i] >= procs)
            i++;
        if (!(p->time[i] < end))
            return start;
        start = i + 1;
    }
}

/* ori_plan_earliest with fewer than ORI_STEPS steps. */
static int32_t earliest_of_few(const ori_plan *p, int32_t procs, double estimate,
                               double verification)
{
    uint64_t all = ~UINT64_C(0), few = ori_plan_short(p, procs, 0);
    int32_t start = __builtin_ctzll(~few);
    for (;;) {
        double end = (p->time[start] + estimate) + verification;
        int32_t i = __builtin_ctzll(few & all << start);
        if (!(p->time[i] < end))
            return start;
        start = __builtin_ctzll(~few & all << i);
    }
}

double ori_plan_earliest(const ori_plan *p, int32_t procs, double estimate, double verification,
                         int32_t *index)
{
    int32_t start = p->count < ORI_STEPS ? earliest_of_few(p, procs, estimate, verification)
                                         : earliest_of_many(p, procs, estimate, verification, 0);
    if (index)
        *index = start;
    return p->time[start];
}

double ori_plan_earliest_from(const ori_plan *p, const ori_wish *w, double from, int32_t *index)
{
    int32_t i = 0;
    ORI_BISECT(i, p->count, middle, p->time[middle] < from)
    if (i > 0 && p->time[i] > from && p->available[i - 1] >= w->procs) {
        double end = ori_wish_end(w, from);
        int32_t last = i;
        while (p->time[last] < end && p->available[last] >= w->procs)
            last++;
        *index = ORI_BETWEEN;
        if (!(p->time[last] < end))
            return from;
    }
    *index = earliest_of_many(p, w->procs, w->estimate, w->verification, i);
    return p->time[*index];
}

void ori_plan_reserve(ori_plan *p, int32_t index, double end, int32_t procs)
{
    ori_plan_take(p, index, end, procs);
}

void ori_plan_advance(ori_plan *p, double now)
{
    int32_t current = 0, last = 0;
    while (current + 1 < p->count && p->time[current + 1] <= now)
        current++;
    p->time[0] = now;
    p->available[0] = p->available[current];
    for (int32_t i = current + 1; i < p->count; i++) {
        if (p->available[i] == p->available[last])
            continue;
        last++;
        p->time[last] = p->time[i];
        p->available[last] = p->available[i];
    }
    p->count = last + 1;
    p->time[p->count] = INFINITY;
}

void ori_plan_place(ori_plan *p, double start, double end, int32_t procs)
{
    int32_t first = 0;
    if (start > p->time[0]) {
        first = 1;
        ORI_BISECT(first, p->count, i, p->time[i] < start)
    }
    if (first > 0 && (first == p->count || p->time[first] != start)) {
        ori_plan_open(p, first);
        p->time[first] = start;
        p->available[first] = p->available[first - 1];
    }
    ori_plan_take(p, first, end, procs);
}
