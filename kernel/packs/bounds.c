/* Shares. A pack of cost c with tasks on j_i processors has sum j_i <= p, and at most k tasks. A
 * function f with f(x_1) + f(x_2) + ... <= 1 wherever x_1 + x_2 + ... <= 1 (dual feasible, of
 * Fekete and Schepers, "New classes of fast lower bounds for bin packing problems", 2001) therefore
 * gives, for every weight w in [0, 1],
 *
 *     sum over the tasks of t(i, j_i) (w f(j_i / p) + (1 - w) / k)  <=  c (w + (1 - w))  =  c,
 *
 * and the least contribution of a task, over all its possible j, is its share. f is x itself (then
 * w = 1 is the bound by work), or counts more than half of the machine as all of it and less than a
 * part of it as nothing.
 *
 * The relaxation of theorem 4's program, x in [0, 1], is never above the longest task on p: every
 * task may be spread over n packs of equal length, on p processors each. */
#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "packs/bounds_internal.h"
#include "packs/relaxation_internal.h"

#include <math.h>

enum {
    WEIGHTS = 16,            /* w = 0, 1/16, ... 1 */
    MOST_EXACT = 1 << 18,    /* times; with more, j goes in steps of 1% */
    MOST_FOR_PARTS = 1 << 22 /* times; with more, f is x alone */
};

/* f of j / p: less than `twice` / 2 processors count as none, and more than all but these as all.
 * 0 <= twice <= p. */
static double feasible(int32_t j, int32_t procs, int32_t twice)
{
    if ((int64_t)2 * j > (int64_t)2 * procs - twice)
        return 1;
    return (int64_t)2 * j < twice ? 0 : (double)j / procs;
}

/* The end of the run of processors that begins with j; the bound treats a run as one value. */
static int32_t end_of_run(const orr_pack_problem *problem, int32_t j)
{
    int32_t step = (int64_t)problem->count * problem->procs > MOST_EXACT ? j / 100 : 0;
    return j < problem->procs - step ? j + step + 1 : problem->procs + 1;
}

/* The least contribution of one task for every weight. In a run of processors the work is at least
 * the work at its beginning, and the time at least the time at its end; the latter also holds for a
 * whole run of f. */
static void find_least(const orr_pack_problem *problem, int32_t task, int32_t twice,
                       double least[WEIGHTS + 1])
{
    int32_t procs = problem->procs;
    for (int w = 0; w <= WEIGHTS; w++)
        least[w] = INFINITY;
    for (int32_t j = problem->least[task], end; j <= procs; j = end) {
        end = end_of_run(problem, j);
        double time = orr_pack_time(problem, task, end - 1);
        double area = twice > 0 ? time * feasible(j, procs, twice)
                                : orr_pack_time(problem, task, j) * j / procs;
        for (int w = 0; w <= WEIGHTS; w++) {
            double weight = (double)w / WEIGHTS;
            least[w] = fmin(least[w], weight * area + (1 - weight) * (time / problem->most));
        }
    }
}

/* The best weight for an f, and the sum for this weight. */
static double find_weight(const orr_pack_problem *problem, int32_t twice, int *weight)
{
    double sums[WEIGHTS + 1] = {0}, least[WEIGHTS + 1];
    for (int32_t i = 0; i < problem->count; i++) {
        find_least(problem, i, twice, least);
        for (int w = 0; w <= WEIGHTS; w++)
            sums[w] += least[w];
    }
    *weight = 0;
    for (int w = 1; w <= WEIGHTS; w++)
        if (sums[w] > sums[*weight])
            *weight = w;
    return sums[*weight];
}

double ori_pack_shares(const orr_pack_problem *problem, double *shares)
{
    static const double parts[] = {0, 1, 0.8, 2.0 / 3, 0.5, 0.4};
    int weight = 0, tried = sizeof parts / sizeof *parts;
    int32_t twice = 0;
    double best = -1, sum = 0, least[WEIGHTS + 1];
    if ((int64_t)problem->count * problem->procs > MOST_FOR_PARTS)
        tried = 1;
    for (int i = 0; i < tried; i++) {
        int own;
        int32_t part = (int32_t)(parts[i] * problem->procs);
        double found = find_weight(problem, part, &own);
        if (found <= best)
            continue;
        best = found;
        weight = own;
        twice = part;
    }
    for (int32_t i = 0; i < problem->count; i++) {
        find_least(problem, i, twice, least);
        sum += shares[i] = ori_pack_share(least[weight]);
    }
    return sum;
}

/* --- the others --------------------------------------------------------------------------------*/

/* The most expensive pack is as long as the longest task; remove this task with its k tasks or
 * fewer, and repeat. */
static double add_layers(const orr_pack_problem *problem, double *times, double *scratch)
{
    double sum = 0;
    for (int32_t i = 0; i < problem->count; i++)
        times[i] = orr_pack_time(problem, i, problem->procs);
    ori_sort(times, problem->count, sizeof *times, ori_is_less, scratch);
    for (int32_t i = problem->count - 1; i >= 0; i -= problem->most)
        sum += times[i];
    return sum;
}

static void bound_quickly(const orr_pack_problem *problem, orr_pack_bounds *bounds, double *values,
                          double *scratch)
{
    *bounds = (orr_pack_bounds){0};
    for (int32_t i = 0; i < problem->count; i++) {
        int32_t least = problem->least[i];
        bounds->longest = fmax(bounds->longest, orr_pack_time(problem, i, problem->procs));
        bounds->work += orr_pack_time(problem, i, least) * least;
    }
    bounds->work /= problem->procs;
    bounds->layers = add_layers(problem, values, scratch);
    bounds->mixed = ori_pack_shares(problem, values);
    bounds->best = fmax(fmax(bounds->longest, bounds->work), fmax(bounds->layers, bounds->mixed));
}

orr_status orr_pack_bound(const orr_pack_problem *problem, bool quick, orr_pack_bounds *bounds,
                          orr_error *err)
{
    double *values, *scratch;
    ORI_SCRATCH(&problem->alloc, ORI_RAW, err, ORI_PART(values, problem->count),
                ORI_PART(scratch, problem->count));
    bound_quickly(problem, bounds, values, scratch);
    if (quick)
        return ORR_OK;
    bounds->fractional = bounds->mixed;
    orr_status status = ori_pack_relax(problem, bounds->best, values, &bounds->fractional, err);
    bounds->best = fmax(bounds->best, bounds->fractional);
    return status;
}
