/* How well a simulation explains recorded waits. */
#include "schedule/fidelity.h"

#include "base/block_internal.h"
#include "base/ranks.h"
#include "base/stats.h"
#include "base/try_internal.h"

#include <math.h>

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
        if (isnan(recorded[i]))
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
    ORI_TRY(orr_rank_correlation(x, y, out->jobs, a, &out->correlation, err));
    if (isnan(out->correlation))
        out->correlation = 0;
    out->verdict = verdict_of(out);
    return ORR_OK;
}
