/* The interval of a mean over blocks in order of time. */
#include "stats/series.h"

#include "base/stats_internal.h"
#include "base/try_internal.h"

#include <math.h>

enum { LAGS = 2 };

/* A residual as it counts for the correlation: within -1 and 1, so that no single block decides. */
static double bounded(double residual, double spread)
{
    return residual / (2 * spread + fabs(residual));
}

/* The sum over lags of the autocorrelations of bounded residuals, as far as they are above those of
 * independent blocks. */
static double correlation_of(const double *sums, const double *weights, int64_t count, double mean,
                             double spread)
{
    orr_sum all = {0, 0}, products[LAGS + 1] = {{0, 0}};
    for (int64_t i = 0; i < count; i++)
        ori_add(&all, bounded(sums[i] - mean * weights[i], spread));
    double middle = ori_mean(&all, count), last[LAGS + 1] = {0}; /* [lag]: `lag` blocks ago */
    for (int64_t i = 0; i < count; i++) {
        last[0] = bounded(sums[i] - mean * weights[i], spread) - middle;
        for (int lag = LAGS; lag >= 0; lag--) {
            ori_add(&products[lag], last[0] * last[lag]);
            last[lag] = last[lag > 0 ? lag - 1 : 0];
        }
    }
    double found = 0, square = ori_sum_value(&products[0]);
    for (int lag = 1; lag <= LAGS; lag++)
        found += fmax(0, ori_sum_value(&products[lag]) / square + 1.5 / (double)count);
    return found;
}

static orr_status check_blocks(const double *sums, const double *weights, int64_t count,
                               double level, orr_error *err)
{
    ORI_REFUSE(!(level > 0 && level < 1), err, "level: expected a number between 0 and 1, found %g",
               level);
    for (int64_t i = 0; i < count; i++)
        ORI_REFUSE(!isfinite(sums[i]) || !isfinite(weights[i]) || weights[i] < 0, err,
                   "block %lld: expected a finite sum and a weight of at least 0, found %g and %g",
                   (long long)i + 1, sums[i], weights[i]);
    return ORR_OK;
}

orr_status orr_series_mean(const double *sums, const double *weights, int64_t count, double level,
                           orr_series *out, orr_error *err)
{
    ORI_TRY(check_blocks(sums, weights, count, level, err));
    double n = (double)count, weight = ori_sum(weights, count);
    ORI_REFUSE(!(weight > 0), err, "the weights of all blocks together are 0");
    *out = (orr_series){count, ori_sum(sums, count) / weight, NAN, NAN, NAN};
    if (count < ORR_FEWEST_BLOCKS)
        return ORR_OK;
    orr_sum squares = {0, 0}, cubes = {0, 0};
    double least = 0, most = 0;
    for (int64_t i = 0; i < count; i++) {
        double e = sums[i] - out->mean * weights[i];
        ori_add(&squares, e * e);
        ori_add(&cubes, e * e * e);
        least = fmin(least, e);
        most = fmax(most, e);
    }
    double spread = sqrt(ori_sum_value(&squares) / (n - 1));
    out->sd = spread * sqrt(n) / weight;
    if (!(out->sd > 1e-15 * fabs(out->mean))) {
        out->low = out->high = out->mean;
        return ORR_OK;
    }
    double x = correlation_of(sums, weights, count, out->mean, spread);
    double factor = 1 + 2 * (1 + 8 / n) * x;
    out->sd *= sqrt(factor);
    if (n < 1.5 * factor)
        return ORR_OK;
    double skewness =
        n / ((n - 1) * (n - 2)) * (ori_sum_value(&cubes) / (spread * spread * spread));
    double root = sqrt(n), g = fabs(skewness), b = g / (1 + g);
    double shorter = fmin(-least, most) / spread;
    double wider = 0.12 + 2.8 / n + (1.5 * log(1 + 2 * x) - 0.57 * shorter) / root;
    double skew = fmax(0, fmin(2, (6.7 * b - 0.75 * g) / root - 1.1 * b * x));
    double half =
        out->sd * exp(wider) * orr_student_quantile((1 + level) / 2, 1.5 * (n - 1) / factor);
    double near = half * exp(-skew * 2 * (1 - level) / (1.05 - level)), far = half * exp(skew);
    out->low = out->mean - (skewness > 0 ? near : far);
    out->high = out->mean + (skewness > 0 ? far : near);
    return ORR_OK;
}
