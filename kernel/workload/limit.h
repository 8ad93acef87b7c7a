/* Limits: the most of an amount that the running jobs of one key may use at once, or how many of
 * them may wait (READINGS 57).
 *
 * A key is a label of jobs, such as their user, or nothing: then all jobs share one limit. Jobs
 * without a label of that kind are under no such limit. */
#pragma once

#include "workload/jobs.h"

typedef enum orr_amount {
    ORR_AMOUNT_JOBS,
    ORR_AMOUNT_PROCS,
    ORR_AMOUNT_WAITING, /* jobs that wait: one more is refused at submission */
    ORR_AMOUNT_NEED     /* what jobs need of orr_limit.need */
} orr_amount;

enum { ORR_PER_ALL = ORR_LABEL_KINDS, ORR_MOST_LIMITS = 16 };

typedef struct orr_limit {
    orr_amount of;
    int32_t per;    /* an orr_label; ORR_PER_ALL: all jobs together */
    char only[64];  /* only for jobs with this label; empty: each label has a limit of its own */
    int64_t most;   /* >= 1, of ORR_AMOUNT_NEED >= 0 */
    char need[48];  /* of ORR_AMOUNT_NEED: a pool, a resource of nodes, or ORR_NEED_NODES */
    int32_t number; /* of an instance: of `need` in jobs->needs; -1: no job needs it */
} orr_limit;

/* What a running job, or one that waits, uses of the amount of a limit of its instance. */
static inline int64_t orr_limit_use(const orr_limit *limit, const orr_jobs *jobs, int32_t job)
{
    if (limit->of == ORR_AMOUNT_NEED)
        return orr_jobs_need(jobs, job, limit->number);
    return limit->of == ORR_AMOUNT_PROCS ? jobs->procs[job] : 1;
}

/* The number of a job's key under a limit, equal for equal keys, at most jobs->names.count or 1; 0:
 * the job is not under this limit. */
ORR_API int32_t orr_limit_key(const orr_limit *limit, const orr_jobs *jobs, int32_t job);

/* The first limit that a job alone exceeds, so that it can never start; NULL: there is none. */
ORR_API const orr_limit *orr_limit_exceeded(const orr_limit *limits, int32_t count,
                                            const orr_jobs *jobs, int32_t job);
