/* The bootstrap of a mean over blocks: how sure is a mean when what it is taken over comes in
 * blocks that belong together, such as the jobs of one week?
 *
 * The mean is sum of sums / sum of weights, over blocks; a replicate takes as many blocks, each
 * drawn with replacement. The interval is BCa (bias-corrected and accelerated; B. Efron, Better
 * Bootstrap Confidence Intervals, JASA 82, 1987), its acceleration from the jackknife over blocks.
 * With less than about ten blocks no bootstrap knows much; the caller is told how many
 * there are.
 *
 * Blocks in the order of time that depend on each other, and among which few count for most of the
 * sum, such as weeks of a log, want another interval: they are put together in a few groups of
 * neighbours, and the interval is the symmetric bootstrap-t (P. Hall, The Bootstrap and Edgeworth
 * Expansion, 1992, section 3.5) over the groups, of all their resamples. READINGS 39 has the
 * coverage of both, and of others. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

enum { ORR_MOST_GROUPS = 6 };

typedef struct orr_bootstrap_options {
    double level;      /* of the interval, 0 < level < 1 */
    int32_t resamples; /* replicates, >= 1 */
    uint64_t seed;     /* replicate b draws from the stream (seed, 0, 0, ORR_PURPOSE_RESAMPLE, b) */
    int32_t groups;    /* 0: BCa over blocks; 3 .. ORR_MOST_GROUPS: bootstrap-t over so many groups
                          of consecutive blocks, for which resamples and seed do not count */
} orr_bootstrap_options;

/* 95%, 10000 replicates, seed 1, no groups. */
ORR_API orr_bootstrap_options orr_bootstrap_default(void);

typedef struct orr_bootstrap {
    int64_t blocks;
    double mean;
    double sd;        /* the standard error of the mean: of the replicates, or of the groups */
    double low, high; /* the interval; both are the mean where all replicates are equal; NaN for
                         less than 2 blocks, or less blocks than groups */
} orr_bootstrap;

/* Blocks with weight 0 count for nothing. ORR_ERR_ARGUMENT: options out of range, a weight that is
 * negative, a sum or weight that is not finite, all weights 0, or those of a group. */
ORR_API orr_status orr_bootstrap_mean(const double *sums, const double *weights, int64_t blocks,
                                      const orr_bootstrap_options *options, const orr_allocator *a,
                                      orr_bootstrap *out, orr_error *err);
