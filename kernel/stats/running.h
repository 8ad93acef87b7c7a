/* Statistics of values that come one after the other and are not kept: what many scenarios say, in
 * memory that does not grow with their number. The numbers depend on the values and their order
 * alone. Values of NaN give NaN, as in stats.h.
 *
 * An orr_running has the moments: it is a plain value, zero before the first number. Its mean is
 * orr_summarise's to the last bit, and so are count, min and max; up to ORR_FEW_SAMPLES values all
 * is. Of more the sd is the same but for rounding (compensated sums about the first value, with the
 * rounding errors of the squares), and the skewness is NaN.
 *
 * An orr_histogram has the quantiles: it counts the values by their sign, their exponent and the
 * leading ORR_HISTOGRAM_BITS bits of their significand, and knows the least and the greatest value
 * of each such bucket. So a quantile of numbers of one sign is off by less than
 * 2^-ORR_HISTOGRAM_BITS of itself, and it is exact where no bucket near it has more than two
 * different values, as of small whole numbers. Its memory is 24 KB for each power of two between
 * the least and the greatest value at which there are values. The order of the values makes no
 * difference. */
#pragma once

#include "base/stats.h"

enum { ORR_HISTOGRAM_BITS = 10 };

typedef struct orr_running {
    int64_t count;
    int64_t negative, positive; /* how many are below 0, and above */
    double min, max;
    double first; /* the value that deviations are taken from */
    orr_sum sum, deviations, squares;
    double few[ORR_FEW_SAMPLES]; /* the first values */
} orr_running;

ORR_API void orr_running_add(orr_running *running, double value);

/* As orr_summarise of the values so far, in their unit. Before the first value all but the count is
 * NaN. */
ORR_API orr_summary orr_running_summary(const orr_running *running);

typedef struct orr_octave orr_octave; /* the buckets of one sign and exponent */

/* Zero before the first value, but for the allocator. */
typedef struct orr_histogram {
    orr_allocator alloc;
    int64_t count;
    bool has_nan;
    orr_octave **octaves; /* in the order of their values */
    int64_t octave_count, capacity;
    int64_t last; /* the octave of the last value */
} orr_histogram;

/* An empty histogram, the caller's to destroy; alloc: NULL for malloc. Nothing is allocated yet. */
ORR_API orr_histogram orr_histogram_create(const orr_allocator *alloc);

/* Counts a value. ORR_ERR_MEMORY only; then the histogram is as before. */
ORR_API orr_status orr_histogram_add(orr_histogram *histogram, double value, orr_error *err);

/* As orr_quantiles, within the bounds above. `out` has one number per probability, NaN where there
 * is no value or one that is NaN. ORR_ERR_ARGUMENT for a probability outside of [0, 1]. */
ORR_API orr_status orr_histogram_quantiles(const orr_histogram *histogram,
                                           const double *probabilities, int32_t n_probabilities,
                                           double *out, orr_error *err);

/* Releases the memory; the histogram is empty then, and may be destroyed again. */
ORR_API void orr_histogram_destroy(orr_histogram *histogram);
