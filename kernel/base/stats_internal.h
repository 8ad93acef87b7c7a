/* Sums and distributions for the kernel's own use. Not a public header. */
#pragma once

#include "base/stats.h"

/* Neumaier's compensated sum. */
double ori_sum(const double *values, int64_t count);

/* orr_quantiles in place: it reorders the values and allocates nothing. */
orr_status ori_quantiles_in_place(double *values, int64_t count, const double *probabilities,
                                  int32_t n_probabilities, double *out, orr_error *err);

/* A quantile of sorted numbers, at least one; probability in [0, 1]. */
double ori_sorted_quantile(const double *sorted, int64_t count, double probability);

/* P(X <= x) for a gamma variable of shape > 0 and scale 1, the regularised incomplete gamma
 * function P(shape, x): to about 1e-15 times max(1, shape ln shape) of itself or of the rest
 * to 1. */
double ori_gamma_distribution(double shape, double x);
