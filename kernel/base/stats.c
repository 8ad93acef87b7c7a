/* Sums, summaries, quantiles, and two distributions for other files. */
#include "base/stats_internal.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* M_PI is not in C11 */
#define PI 3.14159265358979323846
#define SQRT_HALF 0.70710678118654752440

/* --- sums ------------------------------------------------------------------------------------ */

static orr_sum add_all(const double *values, int64_t count)
{
    orr_sum s = {0, 0};
    for (int64_t i = 0; i < count; i++)
        ori_add(&s, values[i]);
    return s;
}

double ori_sum(const double *values, int64_t count)
{
    orr_sum s = add_all(values, count);
    return ori_sum_value(&s);
}

/* --- summaries ------------------------------------------------------------------------------- */

static void find_range(const double *values, int64_t count, orr_summary *out)
{
    out->min = out->max = values[0];
    for (int64_t i = 1; i < count; i++) {
        double x = values[i];
        if (x < out->min || isnan(x))
            out->min = x;
        if (x > out->max || isnan(x))
            out->max = x;
    }
}

double ori_mean(const orr_sum *s, int64_t count)
{
    double n = (double)count, mean = ori_sum_value(s) / n;
    if (!isfinite(mean))
        return mean;
    return mean + (fma(-mean, n, s->total) + s->lost) / n;
}

/* The second pass: the sums of the squared and cubed deviations from a rounded mean; the sum of the
 * deviations themselves corrects the rounding. */
static double squared_deviations(const double *values, int64_t count, double mean, double *cubed)
{
    orr_sum deviations = {0, 0}, squares = {0, 0}, cubes = {0, 0};
    for (int64_t i = 0; i < count; i++) {
        double d = values[i] - mean;
        ori_add(&deviations, d);
        ori_add(&squares, d * d);
        ori_add(&cubes, d * d * d);
    }
    double rest = ori_sum_value(&deviations);
    double corrected = ori_sum_value(&squares) - rest * rest / (double)count;
    *cubed = ori_sum_value(&cubes);
    return corrected < 0 ? 0 : corrected;
}

/* The cube root. C libraries differ in its last bit; a step of Newton's with the rest of the cube
 * does not. */
static double cube_root(double x)
{
    double c = cbrt(x), square = c * c;
    if (square == 0)
        return c;
    double rest = fma(square, c, -x) + fma(c, c, -square) * c;
    return c - rest / (3 * square);
}

/* The farther end of Hall's interval of -x .. x, or x; a: the absolute skewness over root n. */
static double farther_end(double x, double a)
{
    double shifted = x + a / 6, c = cube_root(1 - a * shifted);
    return fmax(x, 3 * shifted / (1 + c + c * c)); /* 3/a (1 - c), also for a = 0 */
}

double orr_half_width(const orr_summary *s, double level)
{
    double n = (double)s->count;
    if (s->count < 2)
        return NAN;
    double t = orr_student_quantile((1 + level) / 2, n - 1), error = s->sd / sqrt(n);
    if (s->count > ORR_FEW_SAMPLES || error == 0)
        return t * error;
    double skewness = s->count > 2 ? fabs(s->skewness) : 0, m = fmax(n, 5);
    return farther_end(t * (1 + (2.5 + 15 / m) / m), skewness / sqrt(n)) * error;
}

orr_summary orr_summarise(const double *values, int64_t count)
{
    orr_summary out = {count, NAN, NAN, NAN, NAN, NAN, NAN};
    if (count <= 0)
        return out;
    double n = (double)count;
    find_range(values, count, &out);
    orr_sum sum = add_all(values, count);
    out.mean = ori_mean(&sum, count);
    if (count >= 2) {
        double cubed;
        out.sd = sqrt(squared_deviations(values, count, out.mean, &cubed) / (n - 1));
        if (count > 2)
            out.skewness =
                out.sd > 0 ? n / ((n - 1) * (n - 2)) * (cubed / (out.sd * out.sd * out.sd)) : 0;
        out.half_width = orr_half_width(&out, 0.95);
    }
    return out;
}

double orr_difference(double a, double b)
{
    double difference = b - a, size = fmax(fabs(a), fabs(b));
    return size < INFINITY && fabs(difference) <= 1e-12 * size ? 0 : difference;
}

orr_status orr_summarise_paired(const double *a, const double *b, int64_t count,
                                const orr_allocator *alloc, orr_summary *out, orr_error *err)
{
    orr_allocator memory = orr_allocator_or_default(alloc);
    double *difference;
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(difference, count));
    for (int64_t i = 0; i < count; i++)
        difference[i] = b[i] - a[i];
    *out = orr_summarise(difference, count);
    return ORR_OK;
}

/* --- quantiles ------------------------------------------------------------------------------- */

enum {
    FEW = 64,    /* values that are sorted rather than parted */
    PASSES = 12, /* then the rest of a range is sorted, so that no input is slow */
    SELECTED = 8 /* probabilities; for more, all values are sorted */
};

/* Values of unknown order, for one part of the order. */
typedef struct range {
    int64_t low, high;
    int passes; /* that are left */
} range;

static double middle(double a, double b, double c)
{
    return fmax(fmin(a, b), fmin(fmax(a, b), c));
}

/* The median of three medians of three. */
static double pivot_of(const double *values, const range *r)
{
    const double *v = values + r->low;
    int64_t step = (r->high - r->low) / 9;
    return middle(middle(v[0], v[step], v[2 * step]), middle(v[3 * step], v[4 * step], v[5 * step]),
                  middle(v[6 * step], v[7 * step], v[8 * step]));
}

static bool has_place(const range *r, const int64_t *places, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (places[i] >= r->low && places[i] < r->high)
            return true;
    return false;
}

/* Moves the value at `at` down a heap whose largest value is in front. */
static void sink_value(double *values, int64_t count, int64_t at)
{
    double x = values[at];
    for (int64_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && values[child] < values[child + 1];
        if (!(x < values[child]))
            break;
        values[at] = values[child];
    }
    values[at] = x;
}

/* Few values by insertion, more as a heap: in place, in n log n steps. */
static void sort_values(double *values, int64_t count)
{
    double spare;
    if (count <= FEW) {
        ori_sort_run((char *)values, 0, count, sizeof *values, ori_is_less, (char *)&spare);
        return;
    }
    for (int64_t i = count / 2; i-- > 0;)
        sink_value(values, count, i);
    for (int64_t last = count - 1; last > 0; last--) {
        double largest = values[0];
        values[0] = values[last];
        values[last] = largest;
        sink_value(values, last, 0);
    }
}

/* Moves the values of some places of the order to these places: a pass divides a range into values
 * below a pivot, equal to it and above it, and continues only with parts that have a wanted place.
 * It works in place, because a million values leave little memory for a copy. */
static void select_places(double *values, int64_t count, const int64_t *places, int32_t n_places)
{
    range stack[PASSES + 2] = {{0, count, PASSES}};
    for (int open = 1; open > 0;) {
        range r = stack[--open];
        if (!has_place(&r, places, n_places))
            continue;
        if (r.high - r.low <= FEW || r.passes == 0) {
            sort_values(values + r.low, r.high - r.low);
            continue;
        }
        double pivot = pivot_of(values, &r);
        int64_t below = r.low;
        for (int64_t i = r.low; i < r.high; i++) { /* without a branch on values */
            double x = values[i];
            values[i] = values[below];
            values[below] = x;
            below += x < pivot;
        }
        int64_t above = below;
        for (int64_t i = below; i < r.high; i++) {
            double x = values[i];
            values[i] = values[above];
            values[above] = x;
            above += x <= pivot;
        }
        stack[open++] = (range){r.low, below, r.passes - 1};
        stack[open++] = (range){above, r.high, r.passes - 1};
    }
}

int64_t ori_quantile_place(int64_t count, double probability, double *fraction)
{
    double position = (double)(count - 1) * probability;
    *fraction = position - (double)(int64_t)position;
    return (int64_t)position;
}

double ori_sorted_quantile(const double *sorted, int64_t count, double probability)
{
    double fraction;
    int64_t below = ori_quantile_place(count, probability, &fraction);
    return ori_quantile_between(sorted[below], sorted[below + (fraction > 0)], fraction);
}

orr_status ori_check_probabilities(const double *probabilities, int32_t count, orr_error *err)
{
    for (int32_t i = 0; i < count; i++)
        ORI_REFUSE(!(probabilities[i] >= 0 && probabilities[i] <= 1), err,
                   "a quantile's probability is in [0, 1], not %g", probabilities[i]);
    return ORR_OK;
}

orr_status ori_quantiles_in_place(double *values, int64_t count, const double *probabilities,
                                  int32_t n_probabilities, double *out, orr_error *err)
{
    ORI_REFUSE(count < 0, err, "a number of values is at least 0, not %lld", (long long)count);
    bool undefined = count == 0;
    for (int64_t i = 0; i < count; i++)
        undefined |= isnan(values[i]);
    ORI_TRY(ori_check_probabilities(probabilities, n_probabilities, err));
    for (int32_t i = 0; undefined && i < n_probabilities; i++)
        out[i] = NAN;
    if (undefined)
        return ORR_OK;
    int64_t places[2 * SELECTED] = {0};
    for (int32_t i = 0; i < n_probabilities && n_probabilities <= SELECTED; i++) {
        places[2 * i] = ori_quantile_place(count, probabilities[i], &(double){0});
        places[2 * i + 1] = places[2 * i] + 1;
    }
    if (n_probabilities <= SELECTED)
        select_places(values, count, places, 2 * n_probabilities);
    else
        sort_values(values, count);
    for (int32_t i = 0; i < n_probabilities; i++)
        out[i] = ori_sorted_quantile(values, count, probabilities[i]);
    return ORR_OK;
}

orr_status orr_quantiles(const double *values, int64_t count, const double *probabilities,
                         int32_t n_probabilities, double *out, const orr_allocator *alloc,
                         orr_error *err)
{
    double *copy;
    if (count <= 0)
        return ori_quantiles_in_place(NULL, count, probabilities, n_probabilities, out, err);
    orr_allocator memory = orr_allocator_or_default(alloc);
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(copy, count));
    memcpy(copy, values, (size_t)count * sizeof *copy);
    return ori_quantiles_in_place(copy, count, probabilities, n_probabilities, out, err);
}

/* --- Student's t ----------------------------------------------------------------------------- */

/* ln(Gamma(a + 1/2) / Gamma(a)), a >= 1/2: asymptotic series in 1/a (its coefficients are
 * (B_n(1/2) - B_n)/(n (n - 1)), B the Bernoulli polynomials) behind the recurrence that makes a
 * large. A difference of two lgamma would lose all digits for large a. */
static double log_gamma_ratio(double a)
{
    double factor = 1;
    for (; a < 20; a += 1)
        factor *= a / (a + 0.5);
    double x = 1 / (a * a);
    double series =
        -1.0 / 8 + x * (1.0 / 192 + x * (-1.0 / 640 + x * (17.0 / 14336 + x * (-31.0 / 18432))));
    return log(factor * sqrt(a)) + series / a;
}

/* The continued fraction of the incomplete beta function I_x(a, b), by Lentz's method:
 * I_x(a, b) = x^a (1-x)^b / (a B(a, b)) times this. Converges fast for x < (a+1)/(a+b+2). */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), h = d;
    for (int m = 1; m < 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / (1 + even * d);
        c = 1 + even / c;
        h *= d * c;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + odd * d);
        c = 1 + odd / c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-16)
            break;
    }
    return h;
}

/* Logarithms of the terms of a quantile's equation at t > 0. */
typedef struct tails {
    double centre;  /* P(|T| < t) */
    double tail;    /* P(T > t) */
    double density; /* t times the density at t */
} tails;

/* With T = t^2/dof, both I_x(dof/2, 1/2) at x = 1/(1 + T), which is the tail, and I_y(1/2, dof/2)
 * at y = T/(1 + T), which is the centre, have the factor t times the density before the continued
 * fraction. The fraction that converges fast is computed; the other value is 1 minus the result. */
static tails student_tails(double t, double dof)
{
    double ratio = t / dof * t;
    double log_ratio = t < 1e100 ? log1p(ratio) : 2 * log(t) - log(dof);
    double log_density =
        log_gamma_ratio(dof / 2) + log(t / sqrt(PI * dof)) - (dof + 1) / 2 * log_ratio;
    if (t * t * (dof + 2) > 3 * dof) {
        double tail = log_density + log(beta_fraction(dof / 2, 0.5, 1 / (1 + ratio)) / dof);
        return (tails){log1p(-2 * exp(tail)), tail, log_density};
    }
    double centre = 2 * exp(log_density) * beta_fraction(0.5, dof / 2, ratio / (1 + ratio));
    return (tails){log(centre), log((1 - centre) / 2), log_density};
}

static tails normal_tails(double t)
{
    double log_density = log(t / sqrt(2 * PI)) - t * t / 2;
    return (tails){log(erf(t * SQRT_HALF)), log(erfc(t * SQRT_HALF) / 2), log_density};
}

/* The start of Newton's iteration: a bound of the quantile on the side from which it converges
 * without overshooting. */
static double tail_start(double tail, double dof)
{
    if (isinf(dof)) /* P(Z > z) <= exp(-z^2/2)/2 */
        return sqrt(-2 * log(2 * tail));
    /* the density is below the density with 1 + t^2/dof replaced by t^2/dof */
    double constant = log_gamma_ratio(dof / 2) - log(PI) / 2 - log(dof) - log(tail);
    return exp(constant / dof + log(dof) / 2);
}

static double centre_start(double centre, double dof)
{
    double density = isinf(dof) ? 1 / sqrt(2 * PI) : exp(log_gamma_ratio(dof / 2)) / sqrt(PI * dof);
    return centre / (2 * density); /* the density is largest at 0 */
}

/* t > 0 with P(T > t) = tail < 1/2; dof may be INFINITY. Newton's iteration for ln P over ln t:
 * ln P(T > t) and ln P(|T| < t) are concave functions of ln t and nearly lines where t is large or
 * small, so that it converges from everywhere, and quadratically. */
static double upper_quantile(double tail, double dof)
{
    bool central = tail > 0.25;
    double target = central ? log1p(-2 * tail) : log(tail);
    double t = central ? centre_start(1 - 2 * tail, dof) : tail_start(tail, dof);
    double step = 1;
    for (int i = 0; i < 100 && fabs(step) > 1e-8; i++) {
        tails at = isinf(dof) ? normal_tails(t) : student_tails(t, dof);
        double value = central ? at.centre : at.tail;
        double slope = (central ? 2 : -1) * exp(at.density - value);
        step = (target - value) / slope;
        t *= exp(step);
    }
    return t;
}

/* The quantile from the normal one by the Cornish-Fisher expansion in 1/dof (Abramowitz and Stegun
 * 26.7.5). With dof >= 1000 (1 + z^2) the relative error is below 1e-14. */
static double expand_normal(double z, double dof)
{
    double x = z * z;
    double g1 = (x + 1) / 4;
    double g2 = ((5 * x + 16) * x + 3) / 96;
    double g3 = (((3 * x + 19) * x + 17) * x - 15) / 384;
    return z * (1 + (g1 + (g2 + g3 / dof) / dof) / dof);
}

double orr_student_quantile(double p, double dof)
{
    if (p == 0.5)
        return 0;
    double tail = p < 0.5 ? p : 1 - p;
    double t = NAN;
    if (dof > 1000) {
        double z = upper_quantile(tail, INFINITY);
        if (dof >= 1000 * (1 + z * z))
            t = expand_normal(z, dof);
    }
    if (isnan(t))
        t = upper_quantile(tail, dof);
    return p < 0.5 ? -t : t;
}

/* --- the gamma distribution --------------------------------------------------------------------
 * Both come without their common factor x^a exp(-x) / Gamma(a). */

/* P(a, x) by its series in x: all terms are positive, and fall from the first where x < a + 1. */
static double gamma_series(double a, double x)
{
    double term = 1 / a, total = term;
    for (double n = a + 1; term > total * 1e-17; n += 1) {
        term *= x / n;
        total += term;
    }
    return total;
}

/* 1 - P(a, x), x >= a + 1, by Legendre's continued fraction with Lentz's method. */
static double gamma_fraction(double a, double x)
{
    double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
    for (int i = 1; i < 100000; i++) {
        double numerator = i * (a - i);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        h *= d * c;
        if (fabs(d * c - 1) < 1e-16)
            break;
    }
    return h;
}

double ori_gamma_distribution(double shape, double x)
{
    if (!(x > 0))
        return x <= 0 ? 0 : x;
    int sign; /* lgamma would leave it in a global variable */
    double factor = exp(shape * log(x) - x - lgamma_r(shape, &sign));
    if (factor == 0) /* so far out that both sides are 0 */
        return x < shape ? 0 : 1;
    return x < shape + 1 ? factor * gamma_series(shape, x) : 1 - factor * gamma_fraction(shape, x);
}
