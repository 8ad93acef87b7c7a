/* Scenarios: how often each job fails, drawn before a simulation begins.
 *
 * An attempt of a job with area a fails with probability q = 1 - exp(-lambda a), so the number of
 * its failed attempts is geometric (RR-9296, section 3.4). The count of job j in scenario s is
 * drawn from the stream (seed, set, s, ORR_PURPOSE_FAILURES, j) and depends on nothing else. */
#pragma once

#include "base/draw.h"
#include "workload/instance.h"

typedef struct orr_silent_errors {
    orr_geometric *draws; /* per job */
    bool any;             /* lambda > 0 */
    int32_t max_attempts; /* per job */
    const orr_instance *instance;
    double lambda; /* errors per processor-second */
    orr_allocator alloc;
} orr_silent_errors;

/* lambda = -ln(1 - mean_probability) / mean area (RR-9296, section 5.1), in errors per
 * processor-second; mean_probability in [0, 1). NaN outside. 0 for jobs without any area. */
ORR_API double orr_silent_error_rate(const orr_jobs *jobs, double mean_probability);

/* Prepares the draws for an error rate lambda >= 0. ORR_ERR_LIMIT, naming the job and the expected
 * number of attempts exp(lambda a), where that exceeds max_attempts (>= 1). Safe to destroy after a
 * failure. */
ORR_API orr_status orr_silent_errors_create(orr_silent_errors *e, const orr_instance *instance,
                                            double lambda, int32_t max_attempts,
                                            const orr_allocator *a, orr_error *err);
ORR_API void orr_silent_errors_destroy(orr_silent_errors *e);

/* Draws a scenario: failures[j] for each job. ORR_ERR_LIMIT when a job would need more than
 * max_attempts. A job that is killed at its walltime has no failures. */
ORR_API orr_status orr_silent_errors_draw(const orr_silent_errors *e, uint64_t seed, uint64_t set,
                                          uint64_t scenario, int32_t *failures, orr_error *err);
