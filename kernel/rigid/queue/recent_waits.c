/* The waits of the jobs that started last: a ring, and the same waits sorted. */
#include "rigid/queue/recent_waits_internal.h"

#include "base/sort_internal.h"
#include "base/stats_internal.h"

#include <math.h>

/* The place of the first of `count` numbers in order that is not below x. */
static int32_t place_of(const double *in_order, int32_t count, double x)
{
    int32_t low = 0;
    ORI_BISECT(low, count, middle, in_order[middle] < x);
    return low;
}

/* Replaces one of the sorted numbers by another. */
static void replace_wait(double *in_order, int32_t count, double gone, double x)
{
    int32_t from = place_of(in_order, count, gone), to = place_of(in_order, count, x);
    if (to > from) {
        to--; /* the place without the removed number */
        memmove(in_order + from, in_order + from + 1, (size_t)(to - from) * sizeof *in_order);
    } else {
        memmove(in_order + to + 1, in_order + to, (size_t)(from - to) * sizeof *in_order);
    }
    in_order[to] = x;
}

void ori_recent_waits_note(ori_recent_waits *r, double wait)
{
    double *slot = &r->wait[r->oldest];
    if (r->count < ORR_RECENT_WAITS) {
        r->count++;
        r->sorted = false;
    } else if (r->sorted) {
        replace_wait(r->in_order, r->count, *slot, wait);
    }
    *slot = wait;
    r->oldest = (r->oldest + 1) % ORR_RECENT_WAITS;
}

double ori_recent_waits_quantile(ori_recent_waits *r, double probability)
{
    if (r->count == 0)
        return NAN;
    if (!r->sorted) {
        double scratch[ORR_RECENT_WAITS];
        memcpy(r->in_order, r->wait, (size_t)r->count * sizeof *r->wait);
        ori_sort(r->in_order, r->count, sizeof *r->in_order, ori_is_less, scratch);
        r->sorted = true;
    }
    return ori_sorted_quantile(r->in_order, r->count, probability);
}
