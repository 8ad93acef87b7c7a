/* The failure counts of the jobs in a scenario. */
#include "rigid/machine/scenario_internal.h"

#include "base/print_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

double orr_silent_error_rate(const orr_jobs *jobs, double mean_probability)
{
    if (!(mean_probability >= 0 && mean_probability < 1))
        return NAN;
    double mean = orr_jobs_mean_area(jobs);
    return mean > 0 ? -log1p(-mean_probability) / mean : 0.0;
}

/* The expected number of errors in one attempt. */
static double silent_hazard(const orr_silent_errors *e, int32_t job)
{
    const orr_jobs *jobs = e->instance->jobs;
    if (orr_job_is_killed(e->instance, job) && !e->instance->checkpoints.requeue_killed)
        return 0;
    return e->lambda * (jobs->procs[job] * e->instance->time[job]);
}

/* The error for too many attempts. drawn: the attempts in one scenario; 0 if the expected number is
 * already too large. */
static orr_status too_many(const orr_silent_errors *e, int32_t job, double drawn, orr_error *err)
{
    const orr_jobs *jobs = e->instance->jobs;
    char scenario[64] = "";
    if (drawn > 0)
        ori_snprintf(scenario, sizeof scenario, "%.6g attempts here and ", drawn);
    return orr_fail(err, ORR_ERR_LIMIT,
                    "job %s (%d processors, %g s) needs %s%.6g attempts on average, more than the "
                    "limit of %d: lower the error rate or raise max_attempts",
                    orr_jobs_id(jobs, job), (int)jobs->procs[job], e->instance->time[job], scenario,
                    exp(silent_hazard(e, job)), (int)e->max_attempts);
}

orr_status orr_silent_errors_create(orr_silent_errors *e, const orr_instance *instance,
                                    double lambda, int32_t max_attempts, const orr_allocator *a,
                                    orr_error *err)
{
    *e = (orr_silent_errors){.any = lambda > 0,
                             .max_attempts = max_attempts,
                             .instance = instance,
                             .lambda = lambda,
                             .alloc = orr_allocator_or_default(a)};
    ORI_REFUSE(!(lambda >= 0) || isinf(lambda), err,
               "error rate: expected a finite number >= 0 per processor-second, found %g", lambda);
    ORI_REFUSE(max_attempts < 1, err, "the limit on attempts must be at least 1, it is %d",
               (int)max_attempts);
    size_t n = (size_t)instance->count;
    e->draws = orr_calloc(&e->alloc, n, sizeof *e->draws);
    if (!e->draws)
        return orr_fail_memory(err, n * sizeof *e->draws);
    double all = 0;
    for (int32_t j = 0; j < instance->count; j++) {
        double hazard = silent_hazard(e, j);
        e->draws[j] = orr_geometric_prepare(hazard);
        if (exp(hazard) > max_attempts)
            return too_many(e, j, 0, err);
        all += expm1(hazard);
    }
    double most = ori_most_failed(max_attempts, instance->count);
    ORI_FAIL_IF(all > most, err, ORR_ERR_LIMIT,
                "%.6g attempts of all jobs together fail on average, more than the limit of %.10g: "
                "lower the error rate or raise max_attempts",
                all, most);
    return ORR_OK;
}

void orr_silent_errors_destroy(orr_silent_errors *e)
{
    if (e->draws)
        orr_release(&e->alloc, e->draws, (size_t)e->instance->count * sizeof *e->draws);
    memset(e, 0, sizeof *e);
}

orr_status ori_silent_errors_draw_job(const orr_silent_errors *e, orr_stream_key key, int32_t job,
                                      int32_t *failures, orr_error *err)
{
    *failures = 0;
    if (!e->any)
        return ORR_OK;
    orr_pcg rng = orr_stream_open(key, (uint64_t)job);
    double count = orr_draw_geometric(&rng, &e->draws[job]);
    if (ORR_UNLIKELY(count >= e->max_attempts))
        return too_many(e, job, count + 1, err);
    *failures = (int32_t)count;
    return ORR_OK;
}

orr_status orr_silent_errors_draw(const orr_silent_errors *e, uint64_t seed, uint64_t set,
                                  uint64_t scenario, int32_t *failures, orr_error *err)
{
    orr_stream_key key = orr_stream_key_make(seed, set, scenario, ORR_PURPOSE_FAILURES);
    for (int32_t j = 0; j < e->instance->count; j++)
        ORI_TRY(ori_silent_errors_draw_job(e, key, j, &failures[j], err));
    return ORR_OK;
}
