/* Statistics of order: they depend on the ranks of samples, not on their distances. A heavy tail
 * that decides a mean has little influence here. So these statistics are given beside means and
 * never replace them: the total work of a machine follows from means.
 *
 * All intervals hold for any continuous distribution, with at least the coverage of their level.
 * Where there are too few samples to bound an end, the end is -inf or inf. NaN among the samples
 * gives NaN throughout. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

/* A quantile, by linear interpolation as orr_quantiles has it, and the order statistics that
 * contain the true quantile (H. A. David, Order Statistics, 1981, section 2.5). */
typedef struct orr_quantile {
    int64_t count;
    double value; /* NaN for no samples */
    double low, high;
} orr_quantile;

/* ORR_ERR_ARGUMENT: the probability or the level is not between 0 and 1. */
ORR_API orr_status orr_quantile_interval(const double *values, int64_t count, double probability,
                                         double level, const orr_allocator *a, orr_quantile *out,
                                         orr_error *err);

enum { ORR_EXACT_RANKS = 50 };

/* Wilcoxon's signed-rank test of whether differences lie symmetrically about 0 (F. Wilcoxon,
 * Individual Comparisons by Ranking Methods, Biometrics Bulletin 1, 1945). Differences of 0 are
 * left out; differences of equal size share their mean rank. For up to ORR_EXACT_RANKS differences
 * the distribution over all signs is exact, also with equal sizes; for more it is normal, with the
 * variance of the actual ranks and a continuity correction of half a step.
 *
 * The struct also has J. L. Hodges and E. L. Lehmann's estimate (Estimates of Location Based on
 * Rank Tests, Annals of Mathematical Statistics 34, 1963): the median of the means of all pairs of
 * values, each also paired with itself. Its interval holds the values that the test would not
 * reject if no sizes were equal. */
typedef struct orr_signed_rank {
    int64_t count;    /* differences, also differences of 0 */
    int64_t ranked;   /* differences other than 0 */
    double statistic; /* the sum of the ranks of the positive differences */
    double p;         /* two-sided; 1 where ranked is 0 */
    double estimate;  /* of Hodges and Lehmann; NaN for no differences */
    double low, high; /* its interval; with a level of 95% it has ends from 6 differences on */
} orr_signed_rank;

/* An infinite difference is as NaN. ORR_ERR_ARGUMENT: the level is not between 0 and 1. */
ORR_API orr_status orr_signed_rank_test(const double *differences, int64_t count, double level,
                                        const orr_allocator *a, orr_signed_rank *out,
                                        orr_error *err);
