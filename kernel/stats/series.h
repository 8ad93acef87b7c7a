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
 * autocorrelations r1, r2. Those above -1.5/n, for what independent blocks have is below 0, raise
 * the variance of the mean to f times that of n independent blocks, f = 1 + 2 (1 + 8/n) (sum of
 * r + 1.5/n). With d = (n - 1)/f degrees of freedom Student's quantile is t. The interval ends t
 * standard errors away on the side of the shorter tail. On the other side w = t (1 + 2.5/(d + 2.5))
 * goes through Hall's transformation (JRSS B 54, 1992) with a skewness of 0.5 + 0.7 |g|, to 1.5 w
 * at most. Where the residuals' skewness g is less than half of its error sqrt(6/n) from 0, what
 * the longer side has more is shared out, evenly for g = 0. All blocks equal: low and high are the
 * mean. There is no interval for fewer than ORR_FEWEST_BLOCKS, and where n/f < 1.5.
 * ORR_ERR_ARGUMENT: a level outside of 0 < level < 1, a weight below 0, a sum or weight that is not
 * finite, all weights 0. */
ORR_API orr_status orr_series_mean(const double *sums, const double *weights, int64_t blocks,
                                   double level, orr_series *out, orr_error *err);
