/* An online workload of any length for a machine of any size: the model of U. Lublin and D.
 * Feitelson, The workload on parallel supercomputers: modeling the characteristics of rigid jobs,
 * Journal of Parallel and Distributed Computing 63(11), 2003, with the constants of their program
 * m_lublin99.
 *
 * Two streams of jobs, batch and interactive, are merged; a third set of constants describes both
 * together without a distinction. For each of them:
 *
 * Processors. With a given probability a job is serial. Otherwise log2 of its size is uniform on
 * [low, med] or, less often, on [med, high]; with a second probability it is rounded, so that the
 * size is a power of two. high is log2 of the machine for batch jobs and 1.5 less for interactive
 * ones; it and med were fitted on 128 processors and move with log2(procs / 128).
 *
 * Runtime. ln of it is a mixture of two gammas, redrawn above 12 (45 hours). The first, of short
 * jobs, has the probability pa * size + pb (within 0 .. 1), pa < 0: larger jobs run longer. As
 * printed, pa holds for sizes on any machine, and on large ones every job of more than some 250
 * processors is long; `scaled` takes 128 * size / procs instead, the share of the machine that pa
 * was fitted on.
 *
 * Arrivals. ln of the gap to the next job is gamma, redrawn above 13, on a clock that runs as fast
 * as jobs arrive: the day has 48 half hours, the weight of each is a gamma's, and they have the
 * mean 1.
 *
 * Two additions are not in the model: weights of the days of the week, on the same clock, and a
 * target load, for which all gaps are multiplied by one number. This number follows from
 * expectations, not from the drawn jobs, so that a longer log begins with the shorter log. So the
 * load of one log differs from the target by the chance of its runtimes.
 *
 * The queue of a job is named after its type, "batch" or "interactive"; jobs of the third set have
 * no queue. Times are whole seconds. Second 0 is the midnight at which first_day begins. */
#pragma once

#include "workload/jobs.h"

typedef enum orr_lublin_types {
    ORR_LUBLIN_BOTH,        /* batch and interactive jobs, as the published program does */
    ORR_LUBLIN_BATCH,       /* batch jobs alone */
    ORR_LUBLIN_INTERACTIVE, /* interactive jobs alone */
    ORR_LUBLIN_WHOLE        /* the constants that do not distinguish them */
} orr_lublin_types;

typedef struct orr_lublin {
    int32_t procs;     /* of the machine, >= 1; 128 */
    int32_t count;     /* at most this number of jobs, >= 0; INT32_MAX */
    double days;       /* only jobs submitted in this number of days, >= 0, may be infinite; 30 */
    double load;       /* sum of procs * runtime to aim at, as a share of procs * span: above 0, at
                          most 100; 0: the load of the model's own arrivals */
    double week[7];    /* weight of Monday .. Sunday, finite, >= 0, not all 0; only ratios count */
    int64_t first_day; /* days since 1970: 2024-01-01, a Monday */
    double walltime;   /* the walltime is the runtime times this, >= 1; 0: no walltimes */
    orr_lublin_types types;
    bool scaled;          /* see above */
    bool round_walltimes; /* the walltime is the runtime times a factor, uniform on [1, walltime],
                            and rounded up to a time that people ask for, of 5 minutes to 10 days */
    bool user_estimates;  /* walltimes come from workload/user_estimates.h, with a longest estimate
                             of 48 h; they depend on all jobs together, so a longer log has other
                             walltimes */
} orr_lublin;

/* The defaults noted above. The weights of the week are 1 from Monday to Friday, 0.9 on Saturday
 * and 0.65 on Sunday. They are near two public logs (submissions on a Saturday and on a Sunday,
 * divided by submissions on a working day): HPC2N, July to September 2002, in the Parallel
 * Workloads Archive 0.93 and 0.68, Mira, January 2019, 1.14 and 0.61. */
ORR_API orr_lublin orr_lublin_default(void);

/* Means of the model over infinite time. */
typedef struct orr_lublin_means {
    double area; /* of a job, processor-seconds */
    double gap;  /* from one job to the next, s, at the load aimed at */
    double load; /* area / (procs * gap) */
} orr_lublin_means;

/* ORR_ERR_ARGUMENT when an option is out of its range. Exact but for the sizes above 4096, over
 * which an integral is taken, and half a second of runtime (rounded down). */
ORR_API orr_status orr_lublin_expect(const orr_lublin *options, orr_lublin_means *means,
                                     orr_error *err);

/* The generated jobs. For one (seed, set), other counts and days change only the number of jobs.
 * Streams as in workload/generate.h, entities 2^32 and 2^32 + 1 for the gaps. NULL:
 * ORR_ERR_ARGUMENT as above or where more than ORR_GENERATED_MAX jobs are to be expected, or
 * memory. */
ORR_API orr_jobs *orr_generate_lublin(const orr_lublin *options, uint64_t seed, uint64_t set,
                                      const orr_allocator *a, orr_error *err);
