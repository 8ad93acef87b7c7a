/* Statistics of a log. */
#include "workload/description.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/stats_internal.h"
#include "base/try_internal.h"
#include "workload/jobs_internal.h"
#include "workload/select_internal.h"
#include "workload/utc_internal.h"
#include "workload/zone_internal.h"

#include <math.h>

#define HOUR_US INT64_C(3600000000)
#define DAY_US (24 * HOUR_US)

static double later(double a, double b)
{
    return b > a ? b : a;
}

static double earlier_of(double a, double b)
{
    return b < a ? b : a;
}

/* --- spreads ---------------------------------------------------------------------------------- */

ORR_INLINE double quantity_of(const orr_jobs *jobs, int32_t job, orr_quantity of, double tau)
{
    double time = jobs->time[job], walltime = jobs->walltime[job], wait = orr_jobs_wait(jobs, job);
    switch (of) {
    case ORR_SUBMISSION:
        return jobs->submit[job];
    case ORR_WIDTH:
        return jobs->procs[job];
    case ORR_RUNTIME:
        return time;
    case ORR_WALLTIME:
        return walltime;
    case ORR_AREA:
        return jobs->procs[job] * time;
    case ORR_ACCURACY:
        return walltime > 0 ? time / walltime : NAN;
    case ORR_WAIT:
        return wait;
    case ORR_SLOWDOWN:
        return isnan(wait) ? NAN : later((wait + time) / later(time, tau), 1);
    }
    return NAN;
}

double orr_jobs_quantity(const orr_jobs *jobs, int32_t job, orr_quantity of, double tau)
{
    return ORI_IS_IN(job, jobs->count) ? quantity_of(jobs, job, of, tau) : NAN;
}

/* The spread of n known values, which it reorders. */
static orr_status spread_of(double *values, int64_t n, orr_spread *out, orr_error *err)
{
    static const double shares[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    double q[5], low = n > 0 ? values[0] : NAN, high = low;
    orr_sum sum = {0, 0};
    for (int64_t i = 0; i < n; i++) {
        ori_add(&sum, values[i]);
        low = earlier_of(low, values[i]);
        high = later(high, values[i]);
    }
    ORI_TRY(ori_quantiles_in_place(values, n, shares, 5, q, err));
    *out = (orr_spread){n, ori_mean(&sum, n), low, high, q[0], q[4], q[1], q[2], q[3]};
    return ORR_OK;
}

/* `values` has room for all jobs. Inlined: the quantity is chosen once, and not for every job. */
ORR_INLINE orr_status describe_spread(const orr_jobs *jobs, orr_quantity of, double tau,
                                      double *values, orr_spread *out, orr_error *err)
{
    int64_t n = 0;
    int32_t count = of == ORR_WAIT || of == ORR_SLOWDOWN ? jobs->waited : jobs->count;
    for (int32_t job = 0; job < count; job++) {
        values[n] = quantity_of(jobs, job, of, tau);
        n += !isnan(values[n]);
    }
    return spread_of(values, n, out, err);
}

static orr_status describe_spreads(const orr_jobs *jobs, double tau, double *values,
                                   orr_log_description *out, orr_error *err)
{
    ORI_TRY(describe_spread(jobs, ORR_WIDTH, tau, values, &out->width, err));
    ORI_TRY(describe_spread(jobs, ORR_RUNTIME, tau, values, &out->runtime, err));
    ORI_TRY(describe_spread(jobs, ORR_WALLTIME, tau, values, &out->walltime, err));
    ORI_TRY(describe_spread(jobs, ORR_ACCURACY, tau, values, &out->accuracy, err));
    ORI_TRY(describe_spread(jobs, ORR_WAIT, tau, values, &out->wait, err));
    return describe_spread(jobs, ORR_SLOWDOWN, tau, values, &out->slowdown, err);
}

/* --- submissions ------------------------------------------------------------------------------ */

/* `values` and `scratch` have room for all jobs. */
static orr_status describe_arrivals(const orr_jobs *jobs, double *values, double *scratch,
                                    orr_log_description *out, orr_error *err)
{
    int32_t n = jobs->count, sorted = 1; /* as they are in most logs */
    if (n > 0)
        memcpy(values, jobs->submit, (size_t)n * sizeof *values);
    while (sorted < n && values[sorted] >= values[sorted - 1])
        sorted++;
    if (sorted < n)
        ori_sort(values, n, sizeof *values, ori_is_less, scratch);
    out->first = n > 0 ? values[0] : NAN;
    out->last = n > 0 ? values[n - 1] : NAN;
    for (int32_t i = 1; i < n; i++) {
        scratch[i - 1] = values[i] - values[i - 1];
        if (scratch[i - 1] > out->gap) {
            out->gap = scratch[i - 1];
            out->gap_from = values[i - 1];
        }
    }
    return spread_of(scratch, n > 0 ? n - 1 : 0, &out->interarrival, err);
}

/* An hour on the clocks; most jobs come in that of the job before. */
typedef struct hour {
    int64_t begin_us;
    int32_t of_day, weekday;
} hour;

static hour hour_of(int64_t us)
{
    int64_t day = ori_utc_day(us), of_day = (us - day * DAY_US) / HOUR_US;
    return (hour){.begin_us = day * DAY_US + of_day * HOUR_US,
                  .of_day = (int32_t)of_day,
                  .weekday = (int32_t)(((day + 3) % 7 + 7) % 7)}; /* 1970-01-01 was a Thursday */
}

static void count_job(const orr_jobs *jobs, int32_t job, hour *last, orr_log_description *out)
{
    int32_t procs = jobs->procs[job];
    int64_t us = ori_jobs_submit_us(jobs, job);
    if (jobs->zone)
        us = ori_zone_local(jobs->zone, us);
    if (us < last->begin_us || us - last->begin_us >= HOUR_US)
        *last = hour_of(us);
    out->by_hour[last->of_day]++;
    if (jobs->has_origin)
        out->by_weekday[last->weekday]++;
    out->area += procs * jobs->time[job];
    out->serial += procs == 1;
    out->powers_of_two += (procs & (procs - 1)) == 0;
    out->instant += jobs->time[job] == 0;
    out->overran += jobs->time[job] > jobs->walltime[job]; /* not if that is NaN */
    if (out->procs > 0 && procs > out->procs && out->wide++ == 0)
        out->first_wide = job;
    double back = job > 0 ? jobs->submit[job - 1] - jobs->submit[job] : 0;
    out->backward += back > 0;
    if (back > out->back) {
        out->back = back;
        out->most_backward = job;
    }
}

/* --- the work of the machine ------------------------------------------------------------------ */

typedef struct change {
    double time;
    int32_t procs; /* taken, or given back where they are negative */
} change;

/* Releases of processors come before takes at the same time. */
static bool is_earlier(const void *x, const void *y)
{
    const change *a = x, *b = y;
    return a->time < b->time || (a->time == b->time && a->procs < 0 && b->procs > 0);
}

/* If the log tells every start; `changes` and `scratch` have room for two a job. */
static void describe_schedule(const orr_jobs *jobs, change *changes, change *scratch,
                              orr_log_description *out)
{
    change *ends = changes + jobs->count;
    double ran = 0;
    int64_t held = 0;
    if (jobs->count == 0 || out->wait.known < jobs->count)
        return;
    for (int32_t job = 0; job < jobs->count; job++) {
        double start = jobs->submit[job] + orr_jobs_wait(jobs, job);
        double end = start + jobs->time[job];
        changes[job] = (change){start, jobs->procs[job]}; /* mostly in order */
        ends[job] = (change){end, -jobs->procs[job]};
        ran += jobs->procs[job] * later(0, earlier_of(end, out->last) - start);
        out->end = job == 0 ? end : later(out->end, end);
    }
    ori_sort(changes, 2 * (int64_t)jobs->count, sizeof *changes, is_earlier, scratch);
    for (int64_t i = 0; i < 2 * (int64_t)jobs->count; i++) {
        held += changes[i].procs;
        if (held > out->peak) {
            out->peak = held;
            out->peak_at = changes[i].time;
        }
    }
    if (out->procs > 0 && out->last > out->first)
        out->reached = ran / out->procs / (out->last - out->first);
}

orr_status orr_jobs_describe(const orr_jobs *jobs, int32_t procs, double tau,
                             const orr_allocator *a, orr_log_description *out, orr_error *err)
{
    ORI_REFUSE(!(tau > 0 && isfinite(tau)), err,
               "slowdowns are bounded by more than 0 s, not by %g s", tau);
    ORI_REFUSE(procs < 0, err, "a machine has at least 1 processor, not %d", (int)procs);
    orr_allocator memory = orr_allocator_or_default(a);
    double *values, *scratch;
    change *changes, *change_scratch;
    ORI_SCRATCH(&memory, ORI_RAW, err, ORI_PART(changes, 2 * (size_t)jobs->count),
                ORI_PART(change_scratch, 2 * (size_t)jobs->count), ORI_PART(values, jobs->count),
                ORI_PART(scratch, jobs->count));
    *out = (orr_log_description){.jobs = jobs->count,
                                 .procs = procs > 0 ? procs : jobs->machine_procs,
                                 .end = NAN,
                                 .offered = NAN,
                                 .reached = NAN,
                                 .first_wide = -1,
                                 .most_backward = -1,
                                 .gap_from = NAN,
                                 .peak_at = NAN};
    ORI_TRY(describe_arrivals(jobs, values, scratch, out, err));
    ORI_TRY(describe_spreads(jobs, tau, values, out, err));
    hour last = hour_of(0);
    for (int32_t job = 0; job < jobs->count; job++)
        count_job(jobs, job, &last, out);
    if (out->procs > 0 && out->last > out->first)
        out->offered = out->area / out->procs / (out->last - out->first);
    describe_schedule(jobs, changes, change_scratch, out);
    return ORR_OK;
}

/* --- shares ----------------------------------------------------------------------------------- */

static bool has_larger_area(const void *x, const void *y)
{
    return ((const orr_label_share *)x)->area > ((const orr_label_share *)y)->area;
}

/* Waits by label, of the jobs of which they are told; all[].jobs are counted. */
static orr_status add_waits(const orr_jobs *jobs, orr_label kind, orr_label_share *all,
                            int64_t labels, const orr_allocator *a, orr_error *err)
{
    const double high = 0.95;
    double *values;
    int64_t *end, from = 0; /* end: of the waits of each label */
    ORI_SCRATCH(a, ORI_RAW, err, ORI_PART(values, jobs->count), ORI_PART(end, labels));
    for (int64_t label = 0; label < labels; from += all[label++].jobs)
        end[label] = from;
    for (int32_t job = 0; job < jobs->count; job++) {
        double wait = orr_jobs_wait(jobs, job);
        if (!isnan(wait))
            values[end[orr_jobs_label(jobs, job, kind)]++] = wait;
    }
    from = 0;
    for (int64_t label = 0; label < labels; from += all[label++].jobs) {
        orr_label_share *share = &all[label];
        if (end[label] == from)
            continue;
        for (int64_t i = from; i < end[label]; i++)
            share->waited += values[i] > 0;
        share->mean_wait = orr_summarise(values + from, end[label] - from).mean;
        ORI_TRY(
            orr_quantiles(values + from, end[label] - from, &high, 1, &share->high_wait, a, err));
    }
    return ORR_OK;
}

orr_status orr_jobs_shares(const orr_jobs *jobs, orr_label kind, orr_label_share **shares,
                           int32_t *count, const orr_allocator *a, orr_error *err)
{
    ORI_REFUSE((unsigned)kind >= ORR_LABEL_KINDS, err, "there is no label %d", (int)kind);
    *shares = NULL;
    *count = 0;
    if (jobs->labels[kind].count == 0)
        return ORR_OK;
    orr_allocator memory = orr_allocator_or_default(a);
    int64_t labels = (int64_t)jobs->names.count + 1;
    orr_label_share *all, *scratch;
    ORI_SCRATCH(&memory, ORI_ZEROED, err, ORI_PART(all, labels), ORI_PART(scratch, labels));
    for (int64_t label = 0; label < labels; label++)
        all[label] = (orr_label_share){.label = (int32_t)label, .mean_wait = NAN, .high_wait = NAN};
    for (int32_t job = 0; job < jobs->count; job++) {
        orr_label_share *share = &all[orr_jobs_label(jobs, job, kind)];
        share->jobs++;
        share->area += jobs->procs[job] * jobs->time[job];
    }
    if (all[0].jobs == jobs->count)
        return ORR_OK;
    ORI_TRY(add_waits(jobs, kind, all, labels, &memory, err));
    int32_t n = 0;
    for (int64_t label = 0; label < labels; label++)
        if (all[label].jobs > 0)
            all[n++] = all[label];
    ori_sort(all, n, sizeof *all, has_larger_area, scratch);
    *shares = ori_new(&memory, (size_t)n * sizeof **shares, err);
    if (!*shares)
        return ORR_ERR_MEMORY;
    memcpy(*shares, all, (size_t)n * sizeof **shares);
    *count = n;
    return ORR_OK;
}
