/* Statistics over arrays of results. Input arrays are borrowed and left as they are; NaN in the
 * input gives NaN in the output. Sums are compensated, in index order, so that a result depends
 * on the values and their order alone, never on how they were computed in parallel. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

/* Neumaier's compensated sum; zero before the first number. */
typedef struct orr_sum {
    double total, lost; /* lost: the rounding errors of the additions so far */
} orr_sum;

typedef struct orr_summary {
    int64_t count;
    double mean;
    double sd;         /* sample standard deviation, n - 1 in the denominator; NaN for n < 2 */
    double half_width; /* orr_half_width of the 95% confidence interval of the mean */
    double min, max;
    double skewness; /* sample skewness G1; 0 where all values are equal, NaN for n < 3 */
} orr_summary;

/* All of the above; count 0 gives NaN everywhere but in count. */
ORR_API orr_summary orr_summarise(const double *values, int64_t count);

enum { ORR_FEW_SAMPLES = 24 };

/* Half the width of the confidence interval of the mean at this level, from count, sd and skewness;
 * NaN for n < 2. Student's t; for n <= ORR_FEW_SAMPLES its quantile times 1 + 2.5/m + 15/m^2, m the
 * larger of n and 5, or, if that is more, the farther end of the interval that Hall's
 * transformation makes of it (P. Hall, On the Removal of Skewness by Transformation, JRSS B 54,
 * 1992), so that the mean of few samples of a long tail is covered (READINGS 56). */
ORR_API double orr_half_width(const orr_summary *summary, double level);

/* Summary of b[i] - a[i]: the paired difference of two policies over the same scenarios. The
 * difference is significant at 5% when |mean| > half_width. Fails on memory only. */
ORR_API orr_status orr_summarise_paired(const double *a, const double *b, int64_t count,
                                        const orr_allocator *alloc, orr_summary *out,
                                        orr_error *err);

/* b - a; 0 where only rounding tells them apart. */
ORR_API double orr_difference(double a, double b);

/* Quantiles, linear interpolation between order statistics (type 7 of Hyndman and Fan, the default
 * of R and NumPy). Each probability in [0, 1]; out has one number per probability. */
ORR_API orr_status orr_quantiles(const double *values, int64_t count, const double *probabilities,
                                 int32_t n_probabilities, double *out, const orr_allocator *alloc,
                                 orr_error *err);

/* The p-quantile of Student's t distribution with `dof` >= 1 degrees of freedom, 0 < p < 1, to 12
 * digits or better. */
ORR_API double orr_student_quantile(double p, double dof);
