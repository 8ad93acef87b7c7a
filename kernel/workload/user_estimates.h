/* Estimates of users: walltimes for the jobs of a workload, by the model of D. Tsafrir, Y. Etsion
 * and D. Feitelson, Modeling user runtime estimates, Job Scheduling Strategies for Parallel
 * Processing, 2005, with the constants and the tables of the authors' program est_model. READINGS
 * 40 has the formulas, and the differences from that program.
 *
 * Users ask for few different times. 20 popular ones, the head, are round; one of them is the
 * longest that is allowed, and 89% of the jobs ask for one of the 20. The others, the tail, are few
 * as well. The shares of the popular times are drawn within the ranges of four logs. In the last
 * step every job gets one of the estimates that are at least its runtime. */
#pragma once

#include "workload/jobs.h"

typedef struct orr_user_estimates {
    double longest; /* s: the longest estimate, at least 6000 (there are fewer than 20 round times
                       below), a multiple of 60; 0: the first of 2, 3, 4, 6, 8, 12, 18, 24, 36, 48,
                       ... h that no job runs longer than */
    double share;   /* share of jobs that ask for the longest estimate, above 0 and below 0.89; 0:
                       the model's share, 0.217 */
} orr_user_estimates;

/* All jobs, with walltimes of the model, a function of (seed, set): the stream of purpose
 * ORR_PURPOSE_WORKLOAD and entity 2^32 + 2. ORR_ERR_ARGUMENT: an option is out of range, a job
 * runs longer than the longest estimate, or for some time more jobs are longer than estimates
 * are. */
ORR_API orr_jobs *orr_jobs_estimated(const orr_jobs *jobs, const orr_user_estimates *options,
                                     uint64_t seed, uint64_t set, const orr_allocator *a,
                                     orr_error *err);
