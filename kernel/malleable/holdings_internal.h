/* Who holds which processors: pairs of buddies, pair k being processors 2k and 2k + 1.
 *
 * Pairs are handed out lowest-numbered first; a task gives back its highest-numbered ones. A pair
 * that is down is not in service: neither held nor free. */
#ifndef ORR_MALLEABLE_HOLDINGS_INTERNAL_H
#define ORR_MALLEABLE_HOLDINGS_INTERNAL_H

#include "base/block_internal.h"
#include "schedule/procset.h"

typedef struct ori_holdings {
    int32_t tasks, pairs;
    int32_t *holder;           /* per pair: a task, -1: free */
    int32_t *above, *below;    /* per pair: the neighbours among the holder's, -1: none */
    int32_t *lowest, *highest; /* per task, -1: none */
    int32_t *taken;            /* room for the pairs of one hand-out */
    uint64_t *free;            /* a bit per pair */
    int32_t first_free;        /* no word of `free` before this one has a bit */
    ori_block block;
    orr_allocator alloc;
} ori_holdings;

/* On failure safe to destroy. */
orr_status ori_holdings_create(ori_holdings *h, int32_t tasks, int32_t procs,
                               const orr_allocator *a, orr_error *err);
void ori_holdings_destroy(ori_holdings *h);

/* The first `pairs` pairs are free, the others are down. */
void ori_holdings_reset(ori_holdings *h, int32_t pairs);

/* Makes `to`, created for as many tasks and processors or more, equal to `from`; the pairs that
 * only `to` has room for are down. */
void ori_holdings_copy(ori_holdings *to, const ori_holdings *from);

/* Moves `pairs` pairs from the free ones, which must have them, to a task. */
void ori_holdings_take(ori_holdings *h, int32_t task, int32_t pairs);

/* Moves `pairs` pairs of a task, which must have them, to the free ones. */
void ori_holdings_give(ori_holdings *h, int32_t task, int32_t pairs);

/* The highest-numbered free pair, and the first one at or behind `pair` that is down; -1: none. */
int32_t ori_holdings_highest_free(const ori_holdings *h);
int32_t ori_holdings_next_down(const ori_holdings *h, int32_t pair);

/* A free pair goes down, and comes back. */
void ori_holdings_remove(ori_holdings *h, int32_t pair);
void ori_holdings_restore(ori_holdings *h, int32_t pair);

/* The task that holds a processor, -1 for none. */
static inline int32_t ori_holdings_holder(const ori_holdings *h, int32_t processor)
{
    int32_t pair = processor / 2;
    return pair < h->pairs ? h->holder[pair] : -1;
}

/* Writes a task's processors as intervals; there is room for one per pair. Returns their number. */
int32_t ori_holdings_intervals(const ori_holdings *h, int32_t task, orr_interval *intervals);

#endif
