/* The fullest pack: the first task of a list, and those of the next tasks that leave the least idle
 * time while the first runs. The first task is the longest, so this is a knapsack: the most work on
 * the remaining processors.
 *
 * best[c][q] is the most work of at most c of the tasks looked at so far, on at most q processors.
 * Tasks are added from the last to the first, and a bit for every task, c and q says whether the
 * task is chosen: so the pack is read from the first task to the last. */
#include "base/block_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/fullest_internal.h"
#include "packs/one_pack_internal.h"

#include "base/try_internal.h"

/* The number of bits in 128 MiB; filling them takes some seconds. */
#define MOST_BITS ((int64_t)1 << 30)

typedef struct knapsack {
    int32_t places, free; /* c is at most places, q at most free */
    double *best;         /* (places + 1) rows of free + 1 */
    uint8_t *bits;
} knapsack;

static double *best_of(const knapsack *k, int32_t c)
{
    return k->best + (size_t)c * ((size_t)k->free + 1);
}

/* The index of the bit of the x-th task. */
static size_t bit_of(const knapsack *k, int32_t x, int32_t c, int32_t q)
{
    size_t row = (size_t)x * (size_t)k->places + (size_t)(c - 1);
    return row * ((size_t)k->free + 1) + (size_t)q;
}

/* Adds the x-th task to the choice. Among equal packs the one with this task wins, as it is
 * longer. */
static void look_at(knapsack *k, int32_t x, int32_t procs, double work)
{
    for (int32_t c = k->places; c >= 1; c--) {
        double *with = best_of(k, c), *without = best_of(k, c - 1);
        for (int32_t q = k->free; q >= procs; q--) {
            double sum = without[q - procs] + work;
            if (sum < with[q])
                continue;
            size_t bit = bit_of(k, x, c, q);
            with[q] = sum;
            k->bits[bit / 8] |= (uint8_t)(1 << bit % 8);
        }
    }
}

/* The numbers of states are small enough for their product not to overflow: the second one is at
 * most the third, and each of the three less than 2^31. */
static bool is_too_large(int64_t tasks, int64_t places, int64_t width)
{
    return places * width > MOST_BITS || tasks * (places * width) > MOST_BITS;
}

orr_status ori_fullest(const orr_pack_problem *problem, const ori_listed *list, int32_t count,
                       const int32_t *procs, bool *chosen, orr_error *err)
{
    int32_t others = count - 1;
    knapsack k = {.free = problem->procs - procs[list[0].task], .places = problem->most - 1};
    if (k.places > k.free)
        k.places = k.free; /* every task has a processor */
    if (k.places > others)
        k.places = others;
    ORI_REFUSE(is_too_large(others, k.places, (int64_t)k.free + 1), err,
               "the fullest pack of %d tasks, at most %d on %d processors, takes too much memory",
               (int)count, (int)k.places + 1, (int)problem->procs);
    size_t width = (size_t)k.free + 1, states = (size_t)k.places * width;
    ORI_SCRATCH(&problem->alloc, ORI_ZEROED, err, ORI_PART(k.best, states + width),
                ORI_PART(k.bits, (size_t)others * states / 8 + 1));
    for (int32_t x = others - 1; x >= 0; x--) {
        const ori_listed *at = &list[x + 1];
        look_at(&k, x, procs[at->task], procs[at->task] * at->time);
    }
    chosen[0] = true;
    for (int32_t x = 0, c = k.places, q = k.free; x < others; x++) {
        size_t bit = c > 0 ? bit_of(&k, x, c, q) : 0;
        chosen[x + 1] = c > 0 && k.bits[bit / 8] >> bit % 8 & 1;
        c -= chosen[x + 1];
        q -= chosen[x + 1] ? procs[list[x + 1].task] : 0;
    }
    return ORR_OK;
}
