/* Who holds which processors: a set of free pairs, and a list per task. Of its own, since nothing
 * else has to know how they are found. */
#include "malleable/holdings_internal.h"

#include <string.h>

static size_t words(const ori_holdings *h)
{
    return ((size_t)h->pairs + 63) / 64;
}

orr_status ori_holdings_create(ori_holdings *h, int32_t tasks, int32_t procs,
                               const orr_allocator *a, orr_error *err)
{
    *h = (ori_holdings){.tasks = tasks, .pairs = procs / 2, .alloc = orr_allocator_or_default(a)};
    const ori_part parts[] = {ORI_PART(h->free, words(h)),  ORI_PART(h->holder, h->pairs),
                              ORI_PART(h->above, h->pairs), ORI_PART(h->below, h->pairs),
                              ORI_PART(h->taken, h->pairs), ORI_PART(h->lowest, tasks),
                              ORI_PART(h->highest, tasks)};
    orr_status status = ORI_BLOCK_CREATE(&h->block, parts, ORI_RAW, &h->alloc, err);
    if (status == ORR_OK)
        ori_holdings_reset(h, h->pairs);
    return status;
}

void ori_holdings_destroy(ori_holdings *h)
{
    ori_block_destroy(&h->block, &h->alloc);
}

void ori_holdings_reset(ori_holdings *h, int32_t pairs)
{
    memset(h->holder, 0xff, (size_t)h->pairs * sizeof *h->holder); /* -1 */
    memset(h->lowest, 0xff, (size_t)h->tasks * sizeof *h->lowest);
    memset(h->highest, 0xff, (size_t)h->tasks * sizeof *h->highest);
    memset(h->free, 0, words(h) * sizeof *h->free);
    memset(h->free, 0xff, (size_t)(pairs / 64) * sizeof *h->free);
    if (pairs % 64 != 0)
        h->free[pairs / 64] = ((uint64_t)1 << pairs % 64) - 1;
    h->first_free = 0;
}

void ori_holdings_copy(ori_holdings *to, const ori_holdings *from)
{
    size_t pairs = (size_t)from->pairs, tasks = (size_t)from->tasks;
    memset(to->free, 0, words(to) * sizeof *to->free);
    memset(to->holder, 0xff, (size_t)to->pairs * sizeof *to->holder); /* -1 */
    memset(to->lowest, 0xff, 2 * (size_t)to->tasks * sizeof *to->lowest);
    memcpy(to->free, from->free, words(from) * sizeof *to->free);
    memcpy(to->holder, from->holder, pairs * sizeof *to->holder);
    memcpy(to->above, from->above, pairs * sizeof *to->above);
    memcpy(to->below, from->below, pairs * sizeof *to->below);
    memcpy(to->lowest, from->lowest, tasks * sizeof *to->lowest);
    memcpy(to->highest, from->highest, tasks * sizeof *to->highest);
    to->first_free = from->first_free;
}

/* The lowest free pair, no longer free. */
static int32_t take_lowest(ori_holdings *h)
{
    while (h->free[h->first_free] == 0)
        h->first_free++;
    uint64_t *word = &h->free[h->first_free];
    int32_t pair = h->first_free * 64 + __builtin_ctzll(*word);
    *word &= *word - 1;
    return pair;
}

int32_t ori_holdings_highest_free(const ori_holdings *h)
{
    for (int32_t w = (int32_t)words(h) - 1; w >= h->first_free; w--)
        if (h->free[w])
            return w * 64 + 63 - __builtin_clzll(h->free[w]);
    return -1;
}

void ori_holdings_remove(ori_holdings *h, int32_t pair)
{
    h->free[pair / 64] &= ~((uint64_t)1 << pair % 64);
}

void ori_holdings_restore(ori_holdings *h, int32_t pair)
{
    h->free[pair / 64] |= (uint64_t)1 << pair % 64;
    h->first_free = pair / 64 < h->first_free ? pair / 64 : h->first_free;
}

int32_t ori_holdings_next_down(const ori_holdings *h, int32_t pair)
{
    for (; pair < h->pairs; pair++)
        if (h->holder[pair] < 0 && !(h->free[pair / 64] >> pair % 64 & 1))
            return pair;
    return -1;
}

/* Links a pair in above `below` (-1: as the lowest). */
static void link_above(ori_holdings *h, int32_t task, int32_t pair, int32_t below)
{
    int32_t above = below < 0 ? h->lowest[task] : h->above[below];
    h->holder[pair] = task;
    h->below[pair] = below;
    h->above[pair] = above;
    *(below < 0 ? &h->lowest[task] : &h->above[below]) = pair;
    *(above < 0 ? &h->highest[task] : &h->below[above]) = pair;
}

void ori_holdings_take(ori_holdings *h, int32_t task, int32_t pairs)
{
    for (int32_t i = 0; i < pairs; i++)
        h->taken[i] = take_lowest(h);
    int32_t below = h->highest[task];
    for (int32_t i = pairs - 1; i >= 0; i--) {
        while (below > h->taken[i])
            below = h->below[below];
        link_above(h, task, h->taken[i], below);
    }
}

void ori_holdings_give(ori_holdings *h, int32_t task, int32_t pairs)
{
    for (; pairs > 0; pairs--) {
        int32_t pair = h->highest[task];
        h->highest[task] = h->below[pair];
        if (h->highest[task] < 0)
            h->lowest[task] = -1;
        else
            h->above[h->highest[task]] = -1;
        h->holder[pair] = -1;
        ori_holdings_restore(h, pair);
    }
}

int32_t ori_holdings_intervals(const ori_holdings *h, int32_t task, orr_interval *intervals)
{
    int32_t count = 0;
    for (int32_t pair = h->lowest[task]; pair >= 0; pair = h->above[pair]) {
        int32_t low = 2 * pair;
        if (count > 0 && intervals[count - 1].high == low - 1)
            intervals[count - 1].high = low + 1;
        else
            intervals[count++] = (orr_interval){low, low + 1};
    }
    return count;
}
