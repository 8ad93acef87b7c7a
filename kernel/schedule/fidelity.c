/* How well a simulation explains recorded waits. */
#include "schedule/fidelity.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/stats.h"
#include "base/try_internal.h"

#include <math.h>

/* --- rank correlation ------------------------------------------------------------------------ */

typedef struct sample {
    double value;
    int64_t at;
} sample;

/* Gives each sample twice its mean rank, less count + 1: so their sum is 0, and all are whole. */
static void centred_ranks(const double *values, int64_t count, sample *list, sample *scratch,
                          double *out)
{
    for (int64_t i = 0; i < count; i++)
        list[i] = (sample){values[i], i};
    ori_sort(list, count, sizeof *list, ori_is_less, scratch);
    for (int64_t first = 0, last; first < count; first = last) {
        for (last = first + 1; last < count && list[last].value == list[first].value;)
            last++;
        for (int64_t i = first; i < last; i++)
            out[list[i].at] = (double)(first + 1 + last - (count + 1));
    }
}

/* Spearman's rank correlation: Pearson's of the ranks (The Proof and Measurement of Association
 * between Two Things, American Journal of Psychology 15, 1904). 0 where all x or all y are
 * equal. */
static orr_status correlate(const double *x, const double *y, int64_t count, const orr_allocator *a,
                            double *out, orr_error *err)
{
    *out = 0;
    orr_allocator memory = orr_allocator_or_default(a);
    sample *list, *scratch;
    double *of_x, *of_y;
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(list, count), ORI_PART(scratch, count),
                ORI_PART(of_x, count), ORI_PART(of_y, count));
    centred_ranks(x, count, list, scratch, of_x);
    centred_ranks(y, count, list, scratch, of_y);
    double xx = 0, yy = 0, xy = 0;
    for (int64_t i = 0; i < count; i++) {
        xx += of_x[i] * of_x[i];
        yy += of_y[i] * of_y[i];
        xy += of_x[i] * of_y[i];
    }
    if (xx > 0 && yy > 0)
        *out = fmax(-1, fmin(1, xy / sqrt(xx) / sqrt(yy)));
    return ORR_OK;
}

static double counted(double wait)
{
    return wait >= ORR_SHORT_WAIT ? wait : 0;
}

static orr_fidelity_verdict verdict_of(const orr_fidelity *f)
{
    if (f->waited < ORR_FEWEST_WAITED || (double)f->waited < ORR_LEAST_WAITED * (double)f->jobs)
        return ORR_PROVES_NOTHING;
    if (f->explained >= ORR_EXPLAINED && f->correlation >= ORR_EXPLAINED_RANKS)
        return ORR_EXPLAINS;
    return f->explained >= ORR_IN_PART && f->correlation >= ORR_IN_PART_RANKS
               ? ORR_EXPLAINS_IN_PART
               : ORR_DOES_NOT_EXPLAIN;
}

orr_status orr_measure_fidelity(const double *recorded, const double *simulated, int64_t count,
                                const orr_allocator *a, orr_fidelity *out, orr_error *err)
{
    orr_allocator memory = orr_allocator_or_default(a);
    double *x, *y;
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(x, count), ORI_PART(y, count));
    *out = (orr_fidelity){.jobs = 0};
    double both = 0, of_log = 0, of_run = 0;
    for (int64_t i = 0; i < count; i++) {
        if (isnan(recorded[i]) || isnan(simulated[i]))
            continue;
        x[out->jobs] = recorded[i];
        y[out->jobs++] = simulated[i];
    }
    out->recorded_mean = orr_summarise(x, out->jobs).mean;
    out->simulated_mean = orr_summarise(y, out->jobs).mean;
    for (int64_t i = 0; i < out->jobs; i++) {
        x[i] = counted(x[i]);
        y[i] = counted(y[i]);
        out->waited += x[i] > 0;
        both += fmin(x[i], y[i]);
        of_log += x[i];
        of_run += y[i];
    }
    out->explained = both > 0 ? both / fmax(of_log, of_run) : 0;
    ORI_TRY(correlate(x, y, out->jobs, a, &out->correlation, err));
    out->verdict = verdict_of(out);
    return ORR_OK;
}
