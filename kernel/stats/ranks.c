/* Order statistics and signed ranks. */
#include "stats/ranks.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/stats_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

#define SQRT_HALF 0.70710678118654752440

static bool any_nan(const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (isnan(values[i]))
            return true;
    return false;
}

static bool all_finite(const double *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

static orr_status check_level(double level, orr_error *err)
{
    ORI_REFUSE(!(level > 0 && level < 1), err, "level: expected a number between 0 and 1, found %g",
               level);
    return ORR_OK;
}

/* --- quantiles ------------------------------------------------------------------------------- */

static double log_factorial(int64_t n)
{
    int sign; /* lgamma would leave it in a global variable */
    return lgamma_r((double)n + 1, &sign);
}

/* The number of lowest order statistics that lie below the p-quantile with a probability of more
 * than 1 - tail: the largest l with P(fewer than l of `count` samples are below it) <= tail. */
static int64_t surely_below(int64_t count, double p, double tail)
{
    double sum = 0;
    int64_t l = 0;
    for (; l < count; l++) {
        sum += exp(log_factorial(count) - log_factorial(l) - log_factorial(count - l) +
                   (double)l * log(p) + (double)(count - l) * log1p(-p));
        if (sum > tail)
            break;
    }
    return l;
}

orr_status orr_quantile_interval(const double *values, int64_t count, double probability,
                                 double level, const orr_allocator *a, orr_quantile *out,
                                 orr_error *err)
{
    ORI_TRY(check_level(level, err));
    ORI_REFUSE(!(probability > 0 && probability < 1), err,
               "probability: expected a number between 0 and 1, found %g", probability);
    *out = (orr_quantile){count, NAN, NAN, NAN};
    if (any_nan(values, count))
        return ORR_OK;
    orr_allocator memory = orr_allocator_or_default(a);
    double *sorted, *scratch;
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(sorted, count), ORI_PART(scratch, count));
    memcpy(sorted, values, (size_t)count * sizeof *sorted);
    ori_sort(sorted, count, sizeof *sorted, ori_is_less, scratch);
    if (count > 0)
        out->value = ori_sorted_quantile(sorted, count, probability);
    int64_t below = surely_below(count, probability, (1 - level) / 2);
    int64_t above = surely_below(count, 1 - probability, (1 - level) / 2);
    out->low = below > 0 ? sorted[below - 1] : -INFINITY;
    out->high = above > 0 ? sorted[count - above] : INFINITY;
    return ORR_OK;
}

/* --- the distribution of a sum of ranks ------------------------------------------------------ */

enum { MOST_TWICE = ORR_EXACT_RANKS * (ORR_EXACT_RANKS + 1) }; /* twice the largest sum of ranks */

/* The distribution of twice the sum of the ranks with a positive difference, each with probability
 * 1/2: out[s] = P(sum = s). `twice` has the ranks times two, so that shared ranks are whole. */
static void distribution(const double *twice, int64_t count, double out[MOST_TWICE + 1])
{
    int64_t most = 0;
    memset(out, 0, (MOST_TWICE + 1) * sizeof *out);
    out[0] = 1;
    for (int64_t i = 0; i < count; i++) {
        int64_t rank = (int64_t)twice[i];
        most += rank;
        for (int64_t s = most; s >= 0; s--)
            out[s] = (out[s] + (s >= rank ? out[s - rank] : 0)) / 2;
    }
}

/* P(the sum of ranks <= that one), of a normal distribution with this mean and variance. */
static double normal_below(double sum, double mean, double variance)
{
    return 0.5 * erfc((mean - sum - 0.5) / sqrt(variance) * SQRT_HALF);
}

/* --- the test -------------------------------------------------------------------------------- */

typedef struct ranked {
    double size;  /* of the difference */
    double twice; /* its rank, times two */
    bool above;   /* 0 */
} ranked;

/* Gives the ranks of sorted differences, and returns the sum of t^3 - t over runs of t equal
 * sizes. */
static double rank_sizes(ranked *list, int64_t count)
{
    double ties = 0;
    for (int64_t first = 0, last; first < count; first = last) {
        for (last = first + 1; last < count && list[last].size == list[first].size;)
            last++;
        for (int64_t i = first; i < last; i++)
            list[i].twice = (double)(first + 1 + last);
        double equal = (double)(last - first);
        ties += equal * (equal * equal - 1);
    }
    return ties;
}

/* Fills in statistic and p from the ranks. */
static void test(ranked *list, double ties, orr_signed_rank *out)
{
    double n = (double)out->ranked, twice = 0, ranks[ORR_EXACT_RANKS] = {0};
    for (int64_t i = 0; i < out->ranked; i++)
        twice += list[i].above ? list[i].twice : 0;
    out->statistic = twice / 2;
    double lower = fmin(twice, n * (n + 1) - twice); /* the distribution is symmetric */
    double below = 0;
    if (out->ranked <= ORR_EXACT_RANKS) {
        double share[MOST_TWICE + 1];
        for (int64_t i = 0; i < out->ranked; i++)
            ranks[i] = list[i].twice;
        distribution(ranks, out->ranked, share);
        for (int64_t s = 0; s <= (int64_t)lower; s++)
            below += share[s];
    } else {
        double variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48;
        below = normal_below(lower / 2, n * (n + 1) / 4, variance);
    }
    out->p = fmin(1, 2 * below);
}

/* --- Hodges and Lehmann ----------------------------------------------------------------------- */

static double mean_of(double x, double y)
{
    return x / 2 + y / 2;
}

/* Numbers in the order of doubles, and back. */
static uint64_t key_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double of_key(uint64_t key)
{
    uint64_t bits = key >> 63 ? key ^ UINT64_C(1) << 63 : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The number of pairs i <= j of sorted values with a mean of at most x. */
static int64_t pairs_up_to(const double *sorted, int64_t count, double x)
{
    int64_t pairs = 0, j = count - 1;
    for (int64_t i = 0; i < count; i++) {
        while (j >= i && mean_of(sorted[i], sorted[j]) > x)
            j--;
        if (j < i)
            break;
        pairs += j - i + 1;
    }
    return pairs;
}

/* The k-th smallest mean of a pair, from 1: n (n + 1) / 2 pairs are too many to be listed. */
static double pair_mean(const double *sorted, int64_t count, int64_t k)
{
    uint64_t low = key_of(sorted[0]);
    ORI_BISECT(low, key_of(sorted[count - 1]), middle,
               pairs_up_to(sorted, count, of_key(middle)) < k)
    return of_key(low) + 0.0; /* no -0 */
}

/* The largest c with P(a sum of the ranks 1 .. n is less than c) <= tail. */
static int64_t critical_sum(int64_t n, double tail)
{
    double count = (double)n;
    if (n > ORR_EXACT_RANKS) {
        double z = orr_student_quantile(1 - tail, INFINITY);
        double variance = count * (count + 1) * (2 * count + 1) / 24;
        return (int64_t)fmax(0, floor(count * (count + 1) / 4 - z * sqrt(variance) + 0.5));
    }
    double twice[ORR_EXACT_RANKS] = {0}, share[MOST_TWICE + 1], sum = 0;
    for (int64_t i = 0; i < n; i++)
        twice[i] = 2 * (double)(i + 1);
    distribution(twice, n, share);
    int64_t c = 0;
    for (; c < n * (n + 1) / 2; c++) {
        sum += share[2 * c];
        if (sum > tail)
            break;
    }
    return c;
}

static void estimate_shift(const double *sorted, double level, orr_signed_rank *out)
{
    int64_t n = out->count, pairs = n * (n + 1) / 2;
    out->estimate =
        mean_of(pair_mean(sorted, n, (pairs + 1) / 2), pair_mean(sorted, n, pairs / 2 + 1));
    int64_t c = critical_sum(n, (1 - level) / 2);
    out->low = c > 0 ? pair_mean(sorted, n, c) : -INFINITY;
    out->high = c > 0 ? pair_mean(sorted, n, pairs + 1 - c) : INFINITY;
}

orr_status orr_signed_rank_test(const double *differences, int64_t count, double level,
                                const orr_allocator *a, orr_signed_rank *out, orr_error *err)
{
    ORI_TRY(check_level(level, err));
    *out = (orr_signed_rank){count, 0, NAN, NAN, NAN, NAN, NAN};
    if (!all_finite(differences, count))
        return ORR_OK;
    orr_allocator memory = orr_allocator_or_default(a);
    ranked *list, *list_scratch;
    double *sorted, *scratch;
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(list, count), ORI_PART(list_scratch, count),
                ORI_PART(sorted, count), ORI_PART(scratch, count));
    for (int64_t i = 0; i < count; i++)
        if (differences[i] != 0)
            list[out->ranked++] =
                (ranked){.size = fabs(differences[i]), .above = differences[i] > 0};
    ori_sort(list, out->ranked, sizeof *list, ori_is_less, list_scratch);
    test(list, rank_sizes(list, out->ranked), out);
    out->low = -INFINITY;
    out->high = INFINITY;
    if (count == 0)
        return ORR_OK;
    memcpy(sorted, differences, (size_t)count * sizeof *sorted);
    ori_sort(sorted, count, sizeof *sorted, ori_is_less, scratch);
    estimate_shift(sorted, level, out);
    return ORR_OK;
}
