/* The interval of a mean over blocks in order of time. */
#include "stats/series.h"

#include "base/stats_internal.h"
#include "base/try_internal.h"

#include <math.h>

enum { LAGS = 3, FEWEST_INDEPENDENT = 3 };

typedef struct moments {
    double products[LAGS + 1]; /* sums of products of residuals `lag` blocks apart */
    double cubes;
} moments;

static moments moments_of(const double *sums, const double *weights, int64_t count, double mean)
{
    orr_sum products[LAGS + 1] = {{0, 0}}, cubes = {0, 0};
    double last[LAGS + 1] = {0}; /* [lag]: the residual `lag` blocks ago */
    for (int64_t i = 0; i < count; i++) {
        last[0] = sums[i] - mean * weights[i];
        ori_add(&cubes, last[0] * last[0] * last[0]);
        for (int lag = LAGS; lag >= 0; lag--) {
            ori_add(&products[lag], last[0] * last[lag]);
            last[lag] = last[lag > 0 ? lag - 1 : 0];
        }
    }
    moments m = {.cubes = ori_sum_value(&cubes)};
    for (int lag = 0; lag <= LAGS; lag++)
        m.products[lag] = ori_sum_value(&products[lag]);
    return m;
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
    moments m = moments_of(sums, weights, count, out->mean);
    double spread = sqrt(m.products[0] / (n - 1)), excess = 0;
    out->sd = spread * sqrt(n) / weight;
    if (!(out->sd > 1e-15 * fabs(out->mean))) {
        out->low = out->high = out->mean;
        return ORR_OK;
    }
    for (int lag = 1; lag <= LAGS; lag++)
        excess += fmax(0, m.products[lag] / m.products[0] + 1 / n);
    double factor = 1 + 2 * (1 + 4 / n) * excess, freedom = (n - 1) / factor;
    out->sd *= sqrt(factor);
    if (n < FEWEST_INDEPENDENT * factor)
        return ORR_OK;
    double skewness = n / ((n - 1) * (n - 2)) * (m.cubes / (spread * spread * spread));
    double near = orr_student_quantile((1 + level) / 2, freedom) * (1 + 2.5 / (freedom + 3));
    double far = fmin(ori_farther_end(near, fabs(skewness) / sqrt(n)), 2 * near);
    out->low = out->mean - (skewness < 0 ? far : near) * out->sd;
    out->high = out->mean + (skewness < 0 ? near : far) * out->sd;
    return ORR_OK;
}
