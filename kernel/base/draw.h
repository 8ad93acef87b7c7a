/* Draws from distributions. All times in seconds; every function consumes the given generator
 * only, and gives the same number on every machine that has IEEE arithmetic and the same libm. */
#pragma once

#include "base/random.h"

#include <string.h>

/* Uniform on [0, 1): a multiple of 2^-53. */
static inline double orr_draw_unit(orr_pcg *rng)
{
    return (double)(orr_pcg_next(rng) >> 11) * 0x1p-53;
}

/* orr_draw_unit_positive for a first word with more than 11 leading zeros: takes further words. */
ORR_API double orr_draw_unit_small(orr_pcg *rng, uint64_t first);

/* Uniform on (0, 1] with full relative precision near 0 (the result has 53 significant bits
 * however small it is), so that tails far below 2^-53 come out right. It is a real number rounded
 * up: P(U <= x) = x exactly for every double x in (0, 1]. */
static inline double orr_draw_unit_positive(orr_pcg *rng)
{
    uint64_t word = orr_pcg_next(rng);
    if (ORR_UNLIKELY(word < UINT64_C(1) << 52))
        return orr_draw_unit_small(rng, word);
    int zeros = __builtin_clzll(word);
    uint64_t scale_bits = (uint64_t)(1023 - 53 - zeros) << 52; /* 2^-(53 + zeros) */
    double scale;
    memcpy(&scale, &scale_bits, sizeof scale);
    return (double)(int64_t)((word >> (11 - zeros)) + 1) * scale;
}

/* Uniform on [low, high). */
ORR_API double orr_draw_uniform(orr_pcg *rng, double low, double high);

/* Uniform integer on low .. high, both included; low <= high. */
ORR_API int64_t orr_draw_integer(orr_pcg *rng, int64_t low, int64_t high);

/* Exponential with the given mean. */
ORR_API double orr_draw_exponential(orr_pcg *rng, double mean);

/* Weibull with shape k > 0 and scale > 0: P(X > x) = exp(-(x/scale)^shape). */
ORR_API double orr_draw_weibull(orr_pcg *rng, double shape, double scale);

/* exp(mu + sigma Z), Z standard normal. */
ORR_API double orr_draw_lognormal(orr_pcg *rng, double mu, double sigma);

/* Gamma with shape k > 0 and scale > 0, mean k * scale; by Marsaglia and Tsang, A simple method for
 * generating gamma variables, ACM TOMS 26(3), 2000. */
ORR_API double orr_draw_gamma(orr_pcg *rng, double shape, double scale);

/* Standard normal. */
ORR_API double orr_draw_normal(orr_pcg *rng);

/* Geometric: the number of failures before the first success when each attempt fails with
 * probability q = 1 - exp(-hazard). It is drawn as floor(ln U / ln q) with ln q computed from the
 * hazard, so that it is exact for q down to 1e-300 and for q that rounds to 1 (hazard up to 700).
 * Prepared once per job, drawn once per scenario. */
typedef struct orr_geometric {
    double q;             /* 1 - exp(-hazard) */
    double inverse_log_q; /* 1 / ln q, <= 0; 0 where q is 0 */
} orr_geometric;

/* hazard >= 0, in [0, inf): lambda * procs * time for a job (RR-9296, section 3.4). */
ORR_API orr_geometric orr_geometric_prepare(double hazard);

/* orr_draw_geometric for a uniform number u <= q: at least one failure. */
ORR_API double orr_geometric_failures(const orr_geometric *g, double u);

/* The number of failures, as a double because it has no upper bound (inf past hazard 710). Most
 * jobs of most scenarios have none, and this is known without a logarithm: P(U > q) = 1 - q. */
static inline double orr_draw_geometric(orr_pcg *rng, const orr_geometric *g)
{
    double u = orr_draw_unit_positive(rng);
    return ORR_LIKELY(u > g->q) ? 0.0 : orr_geometric_failures(g, u);
}
