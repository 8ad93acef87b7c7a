/* Distributions, from a generator that the caller owns. Draws in the inner loop of a Monte Carlo
 * run are in the header. */
#include "base/draw.h"

#include <math.h>

/* Leading zeros are counted through as many words as it takes, up to where the result could no
 * longer be a normal double (which has probability 2^-1022); then the 53 bits from the first one
 * on are taken, from the next word where this one has too few. */
double orr_draw_unit_small(orr_pcg *rng, uint64_t first)
{
    int skipped = 0;
    uint64_t word = first;
    for (; word == 0 && skipped < 960; skipped += 64)
        word = orr_pcg_next(rng);
    int zeros = word == 0 ? 63 : __builtin_clzll(word);
    uint64_t bits = word << zeros;
    if (zeros > 11)
        bits |= orr_pcg_next(rng) >> (64 - zeros);
    return ldexp((double)(int64_t)((bits >> 11) + 1), -53 - skipped - zeros);
}

double orr_draw_uniform(orr_pcg *rng, double low, double high)
{
    double x = low + (high - low) * orr_draw_unit(rng);
    /* the sum can round up to high, which is not in the interval */
    return x < high || low == high ? x : nextafter(high, low);
}

int64_t orr_draw_integer(orr_pcg *rng, int64_t low, int64_t high)
{
    uint64_t count = (uint64_t)high - (uint64_t)low + 1; /* 0 stands for all 2^64 */
    return (int64_t)((uint64_t)low + orr_pcg_below(rng, count));
}

/* -ln U, with every digit also where U is near 0; 0.0 - and not - alone, to have no -0. */
static double standard_exponential(orr_pcg *rng)
{
    return 0.0 - log(orr_draw_unit_positive(rng));
}

double orr_draw_exponential(orr_pcg *rng, double mean)
{
    return mean * standard_exponential(rng);
}

double orr_draw_weibull(orr_pcg *rng, double shape, double scale)
{
    return scale * pow(standard_exponential(rng), 1 / shape);
}

double orr_draw_lognormal(orr_pcg *rng, double mu, double sigma)
{
    return exp(mu + sigma * orr_draw_normal(rng));
}

/* Marsaglia's polar method. The second normal number of the method is dropped: a generator has no
 * state but its position. */
double orr_draw_normal(orr_pcg *rng)
{
    double x, square;
    do {
        x = 2 * orr_draw_unit(rng) - 1;
        double y = 2 * orr_draw_unit(rng) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return x * sqrt(-2 * log(square) / square);
}

/* shape >= 1. With d = shape - 1/3 and c = 1/sqrt(9 d), d (1 + c Z)^3 is nearly gamma; the
 * difference is corrected by rejection, some percent at most. The paper's quick test only saves
 * logarithms. */
static double standard_gamma(orr_pcg *rng, double shape)
{
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double z = orr_draw_normal(rng);
        double v = 1 + c * z;
        if (v <= 0)
            continue;
        v = v * v * v;
        double u = orr_draw_unit_positive(rng), square = z * z;
        if (u < 1 - 0.0331 * square * square || log(u) < square / 2 + d * (1 - v + log(v)))
            return d * v;
    }
}

/* Below shape 1 by gamma(k) = gamma(k + 1) U^(1/k). */
double orr_draw_gamma(orr_pcg *rng, double shape, double scale)
{
    if (shape >= 1)
        return scale * standard_gamma(rng, shape);
    double above = standard_gamma(rng, shape + 1);
    return scale * above * pow(orr_draw_unit_positive(rng), 1 / shape);
}

orr_geometric orr_geometric_prepare(double hazard)
{
    orr_geometric g = {-expm1(-hazard), 0};
    if (hazard > 0) /* below ln 2 q is exact to all digits, above it 1 - q is */
        g.inverse_log_q = 1 / (hazard < 0.6931471805599453 ? log(g.q) : log1p(-exp(-hazard)));
    else
        g.q = 0; /* no negative zero */
    return g;
}

/* u <= q means at least one failure; the quotient of the rounded logarithms may say a little less
 * than 1 there. (Where q rounds to 1 and u is 1, which has probability 2^-54, it says 0.) */
double orr_geometric_failures(const orr_geometric *g, double u)
{
    double failures = floor(log(u) * g->inverse_log_q);
    return failures > 1 ? failures : 1;
}
