/* A log in numbers: statistics of its jobs, before anything is simulated. */
#pragma once

#include "workload/jobs.h"

/* The quantities of a job that can be described. */
typedef enum orr_quantity {
    ORR_SUBMISSION, /* s on the log's clock */
    ORR_WIDTH,      /* processors */
    ORR_RUNTIME,    /* s */
    ORR_WALLTIME,   /* s */
    ORR_AREA,       /* processor-seconds */
    ORR_ACCURACY,   /* runtime / walltime, of jobs whose walltime is above 0 */
    ORR_WAIT,       /* as the log tells it, s */
    ORR_SLOWDOWN    /* of this wait, in max((wait + runtime) / max(runtime, tau), 1), READINGS 33 */
} orr_quantity;

/* The value of a quantity for a job; NaN where the log does not give it. tau: s; only slowdowns use
 * it. */
ORR_API double orr_jobs_quantity(const orr_jobs *jobs, int32_t job, orr_quantity of, double tau);

/* The distribution of a quantity over the jobs for which the log gives it; NaN where it gives it
 * for none. */
typedef struct orr_spread {
    int64_t known; /* jobs */
    double mean, least, most;
    double low, high; /* the 5% and the 95% quantile */
    double lower_quartile, median, upper_quartile;
} orr_spread;

/* Jobs are positions; -1: none. */
typedef struct orr_log_description {
    int32_t jobs;
    int32_t procs;      /* of the machine: as given, or as the log says; 0: unknown */
    double first, last; /* submission, s; NaN without jobs */
    double end;         /* the last end, s; NaN unless the log tells every start */
    double area;        /* processor-seconds of all jobs */

    /* Work per processor and second between the first and the last submission: the submitted work,
     * and the work that ran. NaN where the size of the machine (for `reached` also a start) is not
     * known, or where all jobs are submitted at once. */
    double offered, reached;

    orr_spread width, runtime, walltime, accuracy, wait, slowdown; /* see orr_quantity */
    orr_spread interarrival; /* s from a submission to the next */

    int32_t by_hour[24];   /* submissions; by the zone, or without origin of the log's clock */
    int32_t by_weekday[7]; /* from Monday on; all 0 without origin */
    int32_t serial;        /* jobs of one processor */
    int32_t powers_of_two; /* jobs of 1, 2, 4, ... processors */
    int32_t instant;       /* jobs that take no time */
    int32_t overran;       /* jobs that took longer than their walltime */

    int32_t wide, first_wide;        /* jobs wider than the machine */
    int32_t backward, most_backward; /* jobs submitted before their predecessor in the log */
    double back;                     /* how long before it the most backward one was, s */
    double gap, gap_from;            /* the longest time without a submission, its beginning, s */
    int64_t peak;   /* the most processors held at once; 0 unless every start is told */
    double peak_at; /* its first time, s */
} orr_log_description;

/* procs: the machine's processors, 0: those that the log says. Fails on memory; ORR_ERR_ARGUMENT
 * for negative processors, or unless tau (s) is above 0. */
ORR_API orr_status orr_jobs_describe(const orr_jobs *jobs, int32_t procs, double tau,
                                     const orr_allocator *a, orr_log_description *out,
                                     orr_error *err);

/* The jobs that share one label (a user, a queue). */
typedef struct orr_label_share {
    int32_t label; /* its number; 0: the jobs without one */
    int32_t jobs;
    int32_t waited;   /* jobs that did not start at once, as recorded */
    double area;      /* processor-seconds */
    double mean_wait; /* as recorded, s; NaN where it is unknown */
    double high_wait; /* its 95% quantile, s; NaN where it is unknown */
} orr_label_share;

/* The shares of all labels of one kind that jobs have, largest area first, equal areas in order of
 * number: *shares has
 * *count of them and is the caller's, to be freed with orr_release(a, *shares, *count * sizeof
 * **shares). *count is 0 where no job has a label of this kind. Errors: memory; ORR_ERR_ARGUMENT
 * for an unknown kind. */
ORR_API orr_status orr_jobs_shares(const orr_jobs *jobs, orr_label kind, orr_label_share **shares,
                                   int32_t *count, const orr_allocator *a, orr_error *err);
