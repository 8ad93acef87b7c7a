/* Metrics of a finished schedule. spec/METRICS.md is their dictionary. */
#ifndef ORR_SCHEDULE_METRICS_H
#define ORR_SCHEDULE_METRICS_H

#include "schedule/schedule.h"

typedef struct orr_metrics {
    double makespan;    /* s: last end - first submission (READINGS 27) */
    double lower_bound; /* s: L(f), see orr_lower_bound */
    double ratio;       /* makespan / lower_bound; 1 where both are 0 */
    double wait_mean; /* s: flow - runtime, mean over jobs; runtime is what one attempt computes */
    double wait_max;  /* s */
    double flow_mean; /* s: end of the last attempt - submission, mean over jobs */
    double utilisation; /* processor-seconds held / (procs * makespan); 0 for a makespan of 0 */
    int64_t starts;     /* attempts */
    int64_t failures;   /* attempts that ended with an error */
    int64_t killed;     /* jobs that reached their walltime */
} orr_metrics;

/* Computes them from what a run leaves behind: per job the end of its last attempt (s), its number
 * of attempts, and the failure counts that the lower bound is to assume (NULL: none). Sums run in
 * order of position, so that every way of running the same scenario gives the same bits. */
ORR_API orr_metrics orr_measure(const orr_instance *in, const int32_t *failures, const double *ends,
                                const int32_t *attempts);

/* The same from a recorded schedule in which every job is over. */
ORR_API orr_status orr_measure_schedule(const orr_instance *in, const orr_schedule *schedule,
                                        const int32_t *failures, orr_metrics *out, orr_error *err);

#endif
