#include "schedule/metrics.h"

#include <string.h>

static double ratio_of(double makespan, double bound)
{
    if (makespan == 0 && bound == 0)
        return 1.0;
    return makespan / bound;
}

orr_metrics orr_measure(const orr_instance *in, const int32_t *failures, const double *ends,
                        const int32_t *attempts)
{
    orr_metrics m;
    memset(&m, 0, sizeof m);
    double last = in->first_submission, wait = 0, flow = 0, held = 0;
    for (int32_t j = 0; j < in->count; j++) {
        bool killed = orr_job_is_killed(in, j);
        double length = orr_job_length(in, j);
        double flow_j = ends[j] - in->submit[j], wait_j = flow_j - length;
        last = ends[j] > last ? ends[j] : last;
        flow += flow_j;
        wait += wait_j;
        m.wait_max = wait_j > m.wait_max ? wait_j : m.wait_max;
        held += attempts[j] * ((killed ? length : length + in->verification) * in->jobs->procs[j]);
        m.starts += attempts[j];
        m.failures += attempts[j] - 1;
        m.killed += killed;
    }
    m.makespan = last - in->first_submission;
    m.lower_bound = orr_lower_bound(in, failures);
    m.ratio = ratio_of(m.makespan, m.lower_bound);
    if (in->count > 0) {
        m.wait_mean = wait / in->count;
        m.flow_mean = flow / in->count;
    }
    if (m.makespan > 0)
        m.utilisation = held / (in->procs * m.makespan);
    return m;
}

static orr_status collect(const orr_instance *in, const orr_schedule *s, double *ends,
                          int32_t *attempts, orr_error *err)
{
    for (int64_t i = 0; i < s->count; i++) {
        const orr_attempt *a = &s->attempts[i];
        attempts[a->job]++;
        ends[a->job] = a->end;
    }
    for (int32_t j = 0; j < in->count; j++) {
        orr_outcome last = s->current[j] < 0 ? ORR_RUNNING : s->attempts[s->current[j]].outcome;
        if (last != ORR_COMPLETED && last != ORR_KILLED)
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
    double *ends = orr_calloc(a, n, sizeof *ends);
    int32_t *attempts = orr_calloc(a, n, sizeof *attempts);
    orr_status status = ORR_ERR_MEMORY;
    if (ends && attempts) {
        status = collect(in, schedule, ends, attempts, err);
        if (status == ORR_OK)
            *out = orr_measure(in, failures, ends, attempts);
    } else {
        orr_fail_memory(err, n * (sizeof *ends + sizeof *attempts));
    }
    orr_release(a, ends, n * sizeof *ends);
    orr_release(a, attempts, n * sizeof *attempts);
    return status;
}
