/* The bootstrap of a mean over blocks: the confidence interval of a mean whose samples come in
 * blocks that belong together, such as the jobs of one week.
 *
 * The mean is sum of sums / sum of weights, over blocks; a replicate takes as many blocks, each
 * drawn with replacement. The interval is BCa (bias-corrected and accelerated; B. Efron, Better
 * Bootstrap Confidence Intervals, JASA 82, 1987), its acceleration from the jackknife over blocks.
 * With fewer than about ten blocks no bootstrap is reliable; the result has the number of blocks.
 *
 * Blocks that depend on each other, such as weeks of a log, need another one (series.h). */
#pragma once

#include "base/error.h"
#include "base/memory.h"

typedef struct orr_bootstrap_options {
    double level;      /* of the interval, 0 < level < 1 */
    int32_t resamples; /* replicates, >= 1 */
    uint64_t seed;     /* replicate b draws from the stream (seed, 0, 0, ORR_PURPOSE_RESAMPLE, b) */
} orr_bootstrap_options;

/* 95%, 10000 replicates, seed 1. */
ORR_API orr_bootstrap_options orr_bootstrap_default(void);

typedef struct orr_bootstrap {
    int64_t blocks;
    double mean;
    double sd;        /* the standard error of the mean, of the replicates */
    double low, high; /* the interval; both are the mean where all replicates are equal; NaN for
                         less than 2 blocks */
} orr_bootstrap;

/* Blocks with weight 0 are ignored. ORR_ERR_ARGUMENT: options out of range, a negative weight, a
 * sum or weight that is not finite, or all weights 0. */
ORR_API orr_status orr_bootstrap_mean(const double *sums, const double *weights, int64_t blocks,
                                      const orr_bootstrap_options *options, const orr_allocator *a,
                                      orr_bootstrap *out, orr_error *err);
