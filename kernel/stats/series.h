/* The mean over blocks in order of time, such as the weeks of a log, and its confidence interval.
 * Neighbours depend on each other, and a few blocks make up most of the sum. READINGS 39 has the
 * coverage and the power of this interval and of others. */
#pragma once

#include "base/error.h"

enum { ORR_FEWEST_BLOCKS = 8 };

typedef struct orr_series {
    int64_t blocks;
    double mean;      /* sum of sums / sum of weights */
    double sd;        /* the standard error of the mean */
    double low, high; /* the interval; NaN where the blocks cannot tell */
} orr_series;

/* Residuals e of the ratio, with standard deviation s, are bounded: e/(2s + |e|). These have
 * autocorrelations r1, r2. Those above -1.5/n, for what independent blocks have is below 0, are
 * added up, x = sum of r + 1.5/n, and raise the variance of the mean to f times that of n
 * independent blocks, f = 1 + 2 (1 + 8/n) x. Student's quantile of 1.5 (n - 1)/f degrees of freedom
 * gets the factor exp(0.12 + 2.8/n + (1.5 ln(1 + 2x) - 0.57 q)/sqrt(n)) and is t; q is the smaller
 * of the largest residuals above and below, in s. With the residuals' skewness g and
 * b = |g|/(1 + |g|) let k = (6.7 b - 0.75 |g|)/sqrt(n) - 1.1 b x, within 0 and 2. The interval ends
 * t exp(k) standard errors away on the side of the longer tail, and t exp(-k w) on the other one,
 * w = 2a/(a + 0.05) for the level 1 - a. All blocks equal: low and high are the mean. There is no
 * interval for fewer than ORR_FEWEST_BLOCKS, and where n/f < 1.5.
 * ORR_ERR_ARGUMENT: a level outside of 0 < level < 1, a weight below 0, a sum or weight that is not
 * finite, all weights 0. */
ORR_API orr_status orr_series_mean(const double *sums, const double *weights, int64_t blocks,
                                   double level, orr_series *out, orr_error *err);
