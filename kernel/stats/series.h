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

/* Residuals e of the ratio have autocorrelations r1, r2, r3. Those above -1/n, the expectation for
 * independent blocks, raise the variance of the mean to f times that of n independent blocks,
 * f = 1 + 2 (1 + 4/n) (sum of r + 1/n). With d = (n - 1)/f the interval is Student's of d degrees
 * of freedom, times 1 + 2.5/(d + 3). On the side of the longer tail it ends where Hall's
 * transformation (JRSS B 54, 1992) ends it, at most twice as far. All blocks equal: low and high
 * are the mean. There is no interval for fewer than ORR_FEWEST_BLOCKS, and where they are worth
 * fewer than three independent ones (n/f). ORR_ERR_ARGUMENT: a level outside of 0 < level < 1, a
 * weight below 0, a sum or weight that is not finite, all weights 0. */
ORR_API orr_status orr_series_mean(const double *sums, const double *weights, int64_t blocks,
                                   double level, orr_series *out, orr_error *err);
