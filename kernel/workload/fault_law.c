/* The laws of the time between two faults of a processor, and of repairs, and their inverses. */
#include "workload/fault_law_internal.h"
#include "workload/faults_internal.h"

#include "base/draw.h"

#include <float.h>
#include <math.h>

/* Draw n of a stream begins at this multiple of n: more words than a draw takes. */
enum { WORDS_OF_A_GAP = 32 };

static const double SQRT_HALF = 0.70710678118654752440;
static const double SQRT_2_PI = 2.50662827463100050242;

/* The standard normal number that a share p of all does not exceed: for p <= 1/2 formula 26.2.23 of
 * Abramowitz and Stegun, which is right to 4.5e-4, and two steps of Halley's method, each of which
 * triples the number of digits. */
static double normal_quantile(double p)
{
    double tail = p > 0.5 ? 1 - p : p;
    double t = sqrt(-2 * log(tail));
    double z = (2.515517 + t * (0.802853 + t * 0.010328)) /
                   (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
               t;
    for (int step = 0; step < 2; step++) {
        double excess = (erfc(-z * SQRT_HALF) / 2 - tail) * SQRT_2_PI * exp(z * z / 2);
        z -= excess / (1 + z * excess / 2);
    }
    return p > 0.5 ? -z : z;
}

/* The means: scale gamma(1 + 1/k), and exp(mu + sigma^2 / 2). */
orr_status ori_fault_gap_prepare(ori_fault_gap *gap, orr_fault_law law, double mtbf, double shape,
                                 orr_error *err)
{
    double level = law == ORR_FAULTS_WEIBULL     ? mtbf / tgamma(1 + 1 / shape)
                   : law == ORR_FAULTS_LOGNORMAL ? log(mtbf) - shape * shape / 2
                                                 : mtbf;
    *gap = (ori_fault_gap){.law = law, .shape = shape, .level = level};
    if (law == ORR_FAULTS_WEIBULL ? isnormal(level) && level > 0 : isfinite(level))
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT, "shape %.17g makes no law with a mean of %.17g s", shape,
                    mtbf);
}

double ori_fault_gap_unit(orr_stream_key key, uint64_t entity, uint32_t n)
{
    orr_pcg rng = orr_stream_open(key, entity);
    orr_pcg_advance(&rng, (orr_u128)n * WORDS_OF_A_GAP);
    return orr_draw_unit_positive(&rng);
}

double ori_fault_gap_at(const ori_fault_gap *gap, double u)
{
    if (gap->law == ORR_FAULTS_NONE)
        return gap->level;
    if (u >= 1)
        return INFINITY;
    if (gap->law == ORR_FAULTS_EXPONENTIAL)
        return -gap->level * log1p(-u);
    if (gap->law == ORR_FAULTS_WEIBULL)
        return gap->level * pow(-log1p(-u), 1 / gap->shape);
    return exp(gap->level + gap->shape * normal_quantile(u));
}

/* The small margin is applied to the time, so that it suffices for steep laws, and to the share. */
double ori_fault_gap_share(const ori_fault_gap *gap, double time)
{
    const double later = 1 + 1e-9, more = 1 + 1e-12;
    double t = time * later, share;
    if (gap->law == ORR_FAULTS_WEIBULL)
        share = -expm1(-pow(t / gap->level, gap->shape));
    else
        share = erfc((gap->level - log(t)) / gap->shape * SQRT_HALF) / 2;
    return fmin(share * more + DBL_MIN, 1);
}
