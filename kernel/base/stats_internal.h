/* Sums and distributions for the kernel's own use. Not a public header. */
#pragma once

#include "base/stats.h"

#include <math.h>

static inline void ori_add(orr_sum *s, double x)
{
    double total = s->total + x;
    s->lost += fabs(s->total) >= fabs(x) ? (s->total - total) + x : (x - total) + s->total;
    s->total = total;
}

/* Where the total is infinite, `lost` is NaN and ignored. */
static inline double ori_sum_value(const orr_sum *s)
{
    return isfinite(s->total) ? s->total + s->lost : s->total;
}

/* The mean from both parts of the sum, so that equal values have exactly their value as mean. */
double ori_mean(const orr_sum *sum, int64_t count);

double ori_sum(const double *values, int64_t count);

/* orr_quantiles in place: it reorders the values and allocates nothing. */
orr_status ori_quantiles_in_place(double *values, int64_t count, const double *probabilities,
                                  int32_t n_probabilities, double *out, orr_error *err);

/* ORR_ERR_ARGUMENT, with a message that names it: a probability is not in [0, 1]. */
orr_status ori_check_probabilities(const double *probabilities, int32_t count, orr_error *err);

/* The place of a quantile in the order: the quantile lies *fraction of the way from the value at
 * this place to the next. */
int64_t ori_quantile_place(int64_t count, double probability, double *fraction);

/* A quantile between two values that follow each other; they may be infinite. */
static inline double ori_quantile_between(double low, double high, double fraction)
{
    return fraction == 0 || high == low ? low : low + fraction * (high - low);
}

/* A quantile of sorted numbers, at least one; probability in [0, 1]. */
double ori_sorted_quantile(const double *sorted, int64_t count, double probability);

/* P(X <= x) for a gamma variable of shape > 0 and scale 1, the regularised incomplete gamma
 * function P(shape, x): to about 1e-15 times max(1, shape ln shape) of itself or of the rest
 * to 1. */
double ori_gamma_distribution(double shape, double x);
