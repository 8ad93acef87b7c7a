/* Moments and quantiles of values that are not kept. */
#include "stats/running.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/stats_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* --- moments --------------------------------------------------------------------------------- */

/* Adds the deviation from the first value, and its square, each with its rounding error: where the
 * first value is far out, the variance is a small difference of the two sums. */
static void add_deviation(orr_running *r, double x)
{
    double d = x - r->first, back = x - d;
    double rest = (x - (d + back)) + (back - r->first);
    double square = d * d;
    ori_add(&r->deviations, d);
    ori_add(&r->squares, square);
    r->deviations.lost += rest;
    r->squares.lost += fma(d, d, -square) + 2 * d * rest;
}

void orr_running_add(orr_running *r, double x)
{
    if (r->count < ORR_FEW_SAMPLES)
        r->few[r->count] = x;
    if (r->count++ == 0)
        r->first = r->min = r->max = x;
    if (x < r->min || isnan(x))
        r->min = x;
    if (x > r->max || isnan(x))
        r->max = x;
    r->negative += x < 0;
    r->positive += x > 0;
    ori_add(&r->sum, x);
    add_deviation(r, x);
}

/* The sum of the squared deviations from the mean: that from the first value, less the square of
 * the sum of deviations over their number, in twice the precision. */
static double squared_deviations(const orr_running *r)
{
    double n = (double)r->count;
    double sum = ori_sum_value(&r->deviations);
    double sum_rest = (r->deviations.total - sum) + r->deviations.lost;
    double square = sum * sum, off = square / n;
    double off_rest = (fma(-off, n, square) + fma(sum, sum, -square) + 2 * sum * sum_rest) / n;
    double corrected = (r->squares.total - off) + (r->squares.lost - off_rest);
    if (!isfinite(r->squares.total))
        return INFINITY;
    return corrected < 0 ? 0 : corrected;
}

orr_summary orr_running_summary(const orr_running *r)
{
    if (r->count <= ORR_FEW_SAMPLES)
        return orr_summarise(r->few, r->count);
    orr_summary out = {r->count, NAN, NAN, NAN, NAN, NAN, NAN};
    double n = (double)r->count;
    out.min = r->min;
    out.max = r->max;
    out.mean = ori_mean(&r->sum, r->count);
    if (isfinite(out.mean)) {
        out.sd = sqrt(squared_deviations(r) / (n - 1));
        out.half_width = orr_half_width(&out, 0.95);
    }
    return out;
}

/* --- quantiles ------------------------------------------------------------------------------- */

enum { BUCKETS = 1 << ORR_HISTOGRAM_BITS };

typedef struct bucket {
    int64_t count;
    double least, greatest;
} bucket;

struct orr_octave {
    uint32_t key; /* sign and exponent, in the order of the values */
    bucket buckets[BUCKETS];
};

/* The leading bits of a number other than NaN, as a number that grows with it. */
static uint32_t leading_bits(double x)
{
    uint64_t bits;
    x += 0.0; /* -0 is 0 */
    memcpy(&bits, &x, sizeof bits);
    bits = bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
    return (uint32_t)(bits >> (52 - ORR_HISTOGRAM_BITS));
}

/* The place of the first octave whose key is not less. */
static int64_t place_of(const orr_histogram *h, uint32_t key)
{
    int64_t low = 0, high = h->octave_count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (h->octaves[middle]->key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static orr_status insert_octave(orr_histogram *h, int64_t place, uint32_t key, orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&h->alloc, &h->octaves, &h->capacity, h->octave_count + 1, err));
    orr_octave *o = ori_new(&h->alloc, sizeof *o, err);
    if (!o)
        return ORR_ERR_MEMORY;
    o->key = key;
    memmove(h->octaves + place + 1, h->octaves + place,
            (size_t)(h->octave_count - place) * sizeof *h->octaves);
    h->octaves[place] = o;
    h->octave_count++;
    return ORR_OK;
}

static orr_status need_octave(orr_histogram *h, uint32_t key, orr_error *err)
{
    if (ORR_LIKELY(h->last < h->octave_count && h->octaves[h->last]->key == key))
        return ORR_OK;
    int64_t place = place_of(h, key);
    if (place == h->octave_count || h->octaves[place]->key != key)
        ORI_TRY(insert_octave(h, place, key, err));
    h->last = place;
    return ORR_OK;
}

orr_histogram orr_histogram_create(const orr_allocator *alloc)
{
    return (orr_histogram){.alloc = orr_allocator_or_default(alloc)};
}

orr_status orr_histogram_add(orr_histogram *h, double x, orr_error *err)
{
    if (isnan(x)) {
        h->count++;
        h->has_nan = true;
        return ORR_OK;
    }
    uint32_t bits = leading_bits(x);
    ORI_TRY(need_octave(h, bits >> ORR_HISTOGRAM_BITS, err));
    bucket *b = &h->octaves[h->last]->buckets[bits & (BUCKETS - 1)];
    if (b->count == 0 || x < b->least)
        b->least = x;
    if (b->count == 0 || x > b->greatest)
        b->greatest = x;
    b->count++;
    h->count++;
    return ORR_OK;
}

/* The value at a place of a bucket's values: they are taken to lie at equal distances. */
static double value_in(const bucket *b, int64_t place)
{
    if (place == 0 || b->least == b->greatest) /* also infinities */
        return b->least;
    if (place == b->count - 1)
        return b->greatest;
    return b->least + (b->greatest - b->least) * ((double)place / (double)(b->count - 1));
}

/* The value at a place of the order of all values. */
static double value_at(const orr_histogram *h, int64_t place)
{
    for (int64_t i = 0; i < h->octave_count; i++) {
        for (const bucket *b = h->octaves[i]->buckets; b < h->octaves[i]->buckets + BUCKETS; b++) {
            if (place < b->count)
                return value_in(b, place);
            place -= b->count;
        }
    }
    return NAN;
}

orr_status orr_histogram_quantiles(const orr_histogram *h, const double *probabilities,
                                   int32_t n_probabilities, double *out, orr_error *err)
{
    ORI_TRY(ori_check_probabilities(probabilities, n_probabilities, err));
    for (int32_t i = 0; i < n_probabilities; i++) {
        double fraction;
        int64_t below = ori_quantile_place(h->count, probabilities[i], &fraction);
        double low = h->count == 0 || h->has_nan ? NAN : value_at(h, below);
        double high = fraction == 0 ? low : value_at(h, below + 1);
        out[i] = ori_quantile_between(low, high, fraction);
    }
    return ORR_OK;
}

void orr_histogram_destroy(orr_histogram *h)
{
    for (int64_t i = 0; i < h->octave_count; i++)
        orr_release(&h->alloc, h->octaves[i], sizeof *h->octaves[i]);
    ORI_FREE(&h->alloc, &h->octaves, &h->capacity);
    h->octave_count = h->count = h->last = 0;
    h->has_nan = false;
}
