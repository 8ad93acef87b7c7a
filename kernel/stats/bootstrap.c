/* Bootstrap intervals of a mean. They need random numbers; stats.c does not. */
#include "stats/bootstrap.h"

#include "base/block_internal.h"
#include "base/random.h"
#include "base/stats_internal.h"
#include "base/try_internal.h"

#include <math.h>

#define SQRT_HALF 0.70710678118654752440

orr_bootstrap_options orr_bootstrap_default(void)
{
    return (orr_bootstrap_options){.level = 0.95, .resamples = 10000, .seed = 1};
}

/* --- the normal distribution ------------------------------------------------------------------ */

static double normal(double x)
{
    return 0.5 * erfc(-x * SQRT_HALF);
}

/* Its inverse, by halving: it is asked a few times only. 0 < p < 1. */
static double normal_quantile(double p)
{
    double low = -40, high = 40;
    for (int i = 0; i < 80; i++) {
        double middle = low + (high - low) / 2;
        *(normal(middle) < p ? &low : &high) = middle;
    }
    return low + (high - low) / 2;
}

/* --- blocks ----------------------------------------------------------------------------------- */

typedef struct blocks {
    const double *sums, *weights;
    int64_t count;
    double sum, weight; /* of all */
} blocks;

static orr_status check_blocks(const blocks *b, const orr_bootstrap_options *o, orr_error *err)
{
    ORI_REFUSE(!(o->level > 0 && o->level < 1), err,
               "level: expected a number between 0 and 1, found %g", o->level);
    ORI_REFUSE(o->resamples < 1, err, "resamples: expected at least 1, found %d",
               (int)o->resamples);
    for (int64_t i = 0; i < b->count; i++)
        ORI_REFUSE(!isfinite(b->sums[i]) || !isfinite(b->weights[i]) || b->weights[i] < 0, err,
                   "block %lld: expected a finite sum and a weight of at least 0, found "
                   "%g and %g",
                   (long long)i + 1, b->sums[i], b->weights[i]);
    ORI_REFUSE(!(b->weight > 0), err, "the weights of all blocks together are 0");
    return ORR_OK;
}

/* The mean of one resample; drawn again in the rare case that only blocks without weight were
 * drawn. */
static double replicate(const blocks *b, orr_pcg *rng)
{
    double sum, weight;
    do {
        sum = weight = 0;
        for (int64_t i = 0; i < b->count; i++) {
            uint64_t at = orr_pcg_below(rng, (uint64_t)b->count);
            sum += b->sums[at];
            weight += b->weights[at];
        }
    } while (!(weight > 0));
    return sum / weight;
}

/* The acceleration: a sixth of the skewness of the means that leave one block out. */
static double acceleration(const blocks *b)
{
    double mean = 0, squares = 0, cubes = 0;
    int64_t n = 0;
    for (int64_t i = 0; i < b->count; i++)
        if (b->weight - b->weights[i] > 0) {
            mean += (b->sum - b->sums[i]) / (b->weight - b->weights[i]);
            n++;
        }
    mean /= (double)n;
    for (int64_t i = 0; i < b->count; i++)
        if (b->weight - b->weights[i] > 0) {
            double d = mean - (b->sum - b->sums[i]) / (b->weight - b->weights[i]);
            squares += d * d;
            cubes += d * d * d;
        }
    return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

/* The share of replicates below the mean, where replicates equal to it up to rounding count half,
 * as a quantile of the normal distribution. */
static double bias(const double *replicates, int32_t count, double mean)
{
    double below = 0, spread = 0;
    for (int32_t i = 0; i < count; i++)
        spread = fmax(spread, fabs(replicates[i] - mean));
    for (int32_t i = 0; i < count; i++) {
        double d = replicates[i] - mean;
        below += fabs(d) <= 1e-9 * spread ? 0.5 : d < 0;
    }
    double share = below / count;
    return share > 0 && share < 1 ? normal_quantile(share) : 0;
}

/* The share of replicates below the end of the interval whose normal quantile is z. */
static double corrected(double z, double bias, double acceleration)
{
    double shifted = bias + z, scale = 1 - acceleration * shifted;
    return scale > 0 ? normal(bias + shifted / scale) : z < 0 ? 0 : 1;
}

orr_status orr_bootstrap_mean(const double *sums, const double *weights, int64_t count,
                              const orr_bootstrap_options *options, const orr_allocator *a,
                              orr_bootstrap *out, orr_error *err)
{
    blocks b = {sums, weights, count, ori_sum(sums, count), ori_sum(weights, count)};
    ORI_TRY(check_blocks(&b, options, err));
    *out = (orr_bootstrap){.blocks = count, .mean = b.sum / b.weight, NAN, NAN, NAN};
    if (count < 2)
        return ORR_OK;
    orr_allocator memory = orr_allocator_or_default(a);
    double *replicates;
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(replicates, options->resamples));
    orr_stream_key key = orr_stream_key_make(options->seed, 0, 0, ORR_PURPOSE_RESAMPLE);
    for (int32_t i = 0; i < options->resamples; i++) {
        orr_pcg rng = orr_stream_open(key, (uint64_t)i);
        replicates[i] = replicate(&b, &rng);
    }
    double z0 = bias(replicates, options->resamples, out->mean), skew = acceleration(&b);
    double tail = normal_quantile((1 - options->level) / 2), ends[2];
    double shares[2] = {corrected(tail, z0, skew), corrected(-tail, z0, skew)};
    ORI_TRY(orr_quantiles(replicates, options->resamples, shares, 2, ends, a, err));
    out->sd = orr_summarise(replicates, options->resamples).sd;
    out->low = ends[0];
    out->high = ends[1];
    return ORR_OK;
}
