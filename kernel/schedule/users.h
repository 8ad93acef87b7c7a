/* Metrics per user, or per queue or partition: of the jobs that carry the same label. */
#ifndef ORR_SCHEDULE_USERS_H
#define ORR_SCHEDULE_USERS_H

#include "schedule/metrics.h"

typedef struct orr_user_metrics {
    int32_t label; /* number of the label's text in jobs->names; 0: jobs without one */
    int32_t jobs;
    double work; /* processor-seconds that the jobs' last attempts computed */
    double wait_mean, wait_max, flow_mean; /* s */
    double bsld_mean, bsld_max;
} orr_user_metrics;

typedef struct orr_users {
    orr_user_metrics *list; /* most work first, ties by label */
    int32_t count, capacity;
    orr_allocator alloc;
} orr_users;

/* Of the observed jobs but for those whose end is NaN, from when the last attempt of each ended and
 * what it computed (s; see orr_job_times). *users is safe to destroy after a failure (memory). */
ORR_API orr_status orr_users_measure(orr_users *users, const orr_instance *in, orr_label kind,
                                     const double *ends, const double *runtimes,
                                     const orr_allocator *a, orr_error *err);
ORR_API void orr_users_destroy(orr_users *users);

#endif
