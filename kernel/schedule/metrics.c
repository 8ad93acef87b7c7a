#include "schedule/metrics.h"

#include "base/stats.h"

#include <math.h>
#include <string.h>

static double ratio_of(double makespan, double bound)
{
    if (makespan == 0 && bound == 0)
        return 1.0;
    return makespan / bound;
}

orr_job_times orr_times_of_job(const orr_instance *in, int32_t job, double end, double runtime)
{
    orr_job_times t = {.runtime = runtime, .flow = end - in->submit[job]};
    t.wait = t.flow - runtime;
    double slowdown = t.flow / (runtime > in->tau ? runtime : in->tau);
    t.bsld = slowdown > 1 ? slowdown : 1;
    return t;
}

orr_job_times orr_measure_job(const orr_instance *in, const orr_run *run, int32_t job)
{
    bool cancelled = run->cancelled && !isnan(run->cancelled[job]);
    double runtime = cancelled ? run->cancelled[job] : orr_job_length(in, job);
    return orr_times_of_job(in, job, run->ends[job], runtime);
}

/* Means and maxima over the jobs that are observed. */
static void measure_jobs(const orr_instance *in, const orr_run *run, orr_metrics *m)
{
    double wait = 0, flow = 0, bsld = 0;
    int32_t observed = 0;
    for (int32_t j = 0; j < in->count; j++) {
        if (!orr_job_is_observed(in, j))
            continue;
        orr_job_times t = orr_measure_job(in, run, j);
        flow += t.flow;
        wait += t.wait;
        bsld += t.bsld;
        m->wait_max = t.wait > m->wait_max ? t.wait : m->wait_max;
        m->bsld_max = t.bsld > m->bsld_max ? t.bsld : m->bsld_max;
        observed++;
    }
    if (observed == 0)
        return;
    m->wait_mean = wait / observed;
    m->flow_mean = flow / observed;
    m->bsld_mean = bsld / observed;
}

/* Attempts and what they held, in processor-seconds. */
static double measure_attempts(const orr_instance *in, const orr_run *run, orr_metrics *m)
{
    double held = 0, lost = 0;
    for (int32_t j = 0; j < in->count; j++) {
        bool killed = orr_job_is_killed(in, j);
        bool cancelled = run->cancelled && !isnan(run->cancelled[j]);
        bool completed = !killed && !cancelled;
        double length = orr_job_length(in, j);
        double each = (killed ? length : length + in->verification) * in->jobs->procs[j];
        held += run->attempts[j] * each;
        lost += (run->attempts[j] - completed) * each;
        m->starts += run->attempts[j];
        m->failures += run->attempts[j] - !cancelled;
        m->killed += !completed;
    }
    const orr_run_totals *t = &run->totals;
    m->starts += t->preempted + t->cancelled + t->node_failures;
    m->work_lost = lost + t->interrupted_held;
    m->preempted = t->preempted;
    m->redirected = t->redirected;
    m->node_failures = t->node_failures;
    return held + t->interrupted_held;
}

/* Of the window, where there is one, else of the whole run. */
static double utilisation(const orr_instance *in, const orr_run *run, double held, double makespan)
{
    if (in->has_window) {
        held = run->totals.window_held;
        makespan = in->window_to - in->window_from;
    }
    return makespan > 0 ? held / (in->procs * makespan) : 0;
}

orr_metrics orr_measure(const orr_instance *in, const orr_run *run)
{
    orr_metrics m;
    memset(&m, 0, sizeof m);
    double last = in->first_submission;
    for (int32_t j = 0; j < in->count; j++)
        last = run->ends[j] > last ? run->ends[j] : last;
    m.makespan = last - in->first_submission;
    m.lower_bound = orr_lower_bound(in, run->failures);
    m.ratio = ratio_of(m.makespan, m.lower_bound);
    measure_jobs(in, run, &m);
    m.utilisation = utilisation(in, run, measure_attempts(in, run, &m), m.makespan);
    return m;
}

/* Per job, while a schedule is gone through. */
typedef struct collected {
    double *ends, *cancelled;
    int32_t *attempts;
    orr_run_totals totals;
} collected;

static void collect_attempt(const orr_instance *in, const orr_attempt *a, collected *c)
{
    int32_t j = a->job, procs = in->jobs->procs[j];
    c->ends[j] = a->end;
    c->totals.window_held += orr_part_in_window(in, a->start, a->end) * procs;
    c->totals.preempted += a->outcome == ORR_PREEMPTED;
    c->totals.redirected += a->redirected;
    c->totals.node_failures += a->outcome == ORR_NODE_FAILED;
    c->totals.cancelled += a->outcome == ORR_CANCELLED;
    if (a->outcome == ORR_CANCELLED)
        c->cancelled[j] = a->end - a->start;
    if (a->outcome == ORR_COMPLETED || a->outcome == ORR_FAILED || a->outcome == ORR_KILLED)
        c->attempts[j]++;
    else
        c->totals.interrupted_held += (a->end - a->start) * procs;
}

static orr_status collect(const orr_instance *in, const orr_schedule *s, collected *c,
                          orr_error *err)
{
    for (int32_t j = 0; j < in->count; j++)
        c->cancelled[j] = NAN;
    for (int64_t i = 0; i < s->count; i++)
        collect_attempt(in, &s->attempts[i], c);
    for (int32_t j = 0; j < in->count; j++) {
        orr_outcome last = s->current[j] < 0 ? ORR_RUNNING : s->attempts[s->current[j]].outcome;
        if (last != ORR_COMPLETED && last != ORR_KILLED && last != ORR_CANCELLED)
            return orr_fail(err, ORR_ERR_ARGUMENT,
                            "metrics need a finished schedule; job %s is not over",
                            orr_jobs_id(in->jobs, j));
    }
    return ORR_OK;
}

orr_status orr_measure_schedule(const orr_instance *in, const orr_schedule *schedule,
                                const int32_t *failures, orr_metrics *out, orr_error *err)
{
    const orr_allocator *a = &schedule->alloc;
    size_t n = (size_t)in->count;
    collected c = {.ends = orr_calloc(a, n, sizeof *c.ends),
                   .cancelled = orr_calloc(a, n, sizeof *c.cancelled),
                   .attempts = orr_calloc(a, n, sizeof *c.attempts)};
    orr_status status = ORR_ERR_MEMORY;
    if (c.ends && c.cancelled && c.attempts) {
        status = collect(in, schedule, &c, err);
        orr_run run = {failures, c.ends, c.attempts, c.cancelled, c.totals};
        if (status == ORR_OK)
            *out = orr_measure(in, &run);
    } else {
        orr_fail_memory(err, n * (2 * sizeof *c.ends + sizeof *c.attempts));
    }
    orr_release(a, c.ends, n * sizeof *c.ends);
    orr_release(a, c.cancelled, n * sizeof *c.cancelled);
    orr_release(a, c.attempts, n * sizeof *c.attempts);
    return status;
}

/* --- quantiles ------------------------------------------------------------------------------ */

static orr_status take_quantiles(const double *values, int32_t count, double *out,
                                 const orr_allocator *a, orr_error *err)
{
    static const double probabilities[ORR_QUANTILES] = {0.5, 0.9, 0.95, 0.99};
    return orr_quantiles(values, count, probabilities, ORR_QUANTILES, out, a, err);
}

orr_status orr_measure_quantiles(const orr_instance *in, const orr_run *run, const orr_allocator *a,
                                 orr_job_quantiles *out, orr_error *err)
{
    orr_allocator memory = orr_allocator_or_default(a);
    size_t n = (size_t)in->count, bytes = 3 * n * sizeof(double);
    double *wait = orr_alloc(&memory, bytes);
    if (!wait)
        return orr_fail_memory(err, bytes);
    double *flow = wait + n, *bsld = flow + n;
    int32_t count = 0;
    for (int32_t j = 0; j < in->count; j++) {
        if (!orr_job_is_observed(in, j))
            continue;
        orr_job_times t = orr_measure_job(in, run, j);
        wait[count] = t.wait;
        flow[count] = t.flow;
        bsld[count++] = t.bsld;
    }
    orr_status status = take_quantiles(wait, count, out->wait, a, err);
    if (status == ORR_OK)
        status = take_quantiles(flow, count, out->flow, a, err);
    if (status == ORR_OK)
        status = take_quantiles(bsld, count, out->bsld, a, err);
    orr_release(&memory, wait, bytes);
    return status;
}
