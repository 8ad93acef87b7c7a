/* Statistics of order: they ask how samples lie, not how far out. A heavy tail that decides a mean
 * is one sample among others here, so these stand beside means, never in their place: the sums that
 * a machine works through are means.
 *
 * All intervals hold for any continuous distribution, with at least the coverage of their level. An
 * end that no sample bounds, because there are too few of them, is -inf or inf. NaN among the
 * samples gives NaN throughout. */
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
 * left out, equal sizes share their mean rank. Of up to ORR_EXACT_RANKS differences the
 * distribution over all signs is exact, also where sizes are equal; of more it is normal, with
 * the variance of the ranks at hand and half a step of continuity.
 *
 * With it J. L. Hodges and E. L. Lehmann's estimate (Estimates of Location Based on Rank Tests,
 * Annals of Mathematical Statistics 34, 1963): the median of the means of all pairs of values, each
 * also paired with itself. Its interval has what the test would not refute if there were no equal
 * sizes. */
typedef struct orr_signed_rank {
    int64_t count;    /* differences, those of 0 among them */
    int64_t ranked;   /* those that are not 0 */
    double statistic; /* the sum of the ranks of those above 0 */
    double p;         /* two-sided; 1 where none is ranked */
    double estimate;  /* of Hodges and Lehmann; NaN for no differences */
    double low, high; /* its interval; with a level of 95% it has ends from 6 differences on */
} orr_signed_rank;

/* An infinite difference is as NaN. ORR_ERR_ARGUMENT: the level is not between 0 and 1. */
ORR_API orr_status orr_signed_rank_test(const double *differences, int64_t count, double level,
                                        const orr_allocator *a, orr_signed_rank *out,
                                        orr_error *err);
