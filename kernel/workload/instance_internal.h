/* Revisions of instances, for what-if. Not a public header. */
#pragma once

#include "workload/instance.h"

/* The changes of an instance in a what-if. */
typedef struct ori_revision {
    const orr_jobs *jobs;    /* borrowed as long as the new instance; begins with the old one's, of
                                which only runtimes may differ. New jobs behind the old ones are
                                submitted at their submission times, also in a batch */
    const double *estimates; /* of the new jobs, s, copied; NaN and NULL: as for old jobs, the log's
                                walltime or the runtime */
    int32_t procs;           /* at least as many as before */
    orr_checkpoints checkpoints; /* of the new jobs; all zero: they write none */
    const orr_turn *turns;       /* added to those so far, copied; limits turn at once */
    int32_t turn_count;
    const orr_nodes *nodes; /* copied; NULL: as before */
} ori_revision;

/* The instance `from` with other runtimes, more jobs, more processors. A job that was planned with
 * its runtime is planned with the new one; other estimates stay, except extended ones. The window
 * of observation and all other fields stay. Errors as above. */
orr_status ori_instance_revise(orr_instance *in, const orr_instance *from,
                               const ori_revision *revision, orr_error *err);

/* ORR_ERR_INPUT (a job of a log, which may be left out) or ORR_ERR_ARGUMENT where a job of `jobs`
 * asks for more processors, or more of a pool, than there is. */
orr_status ori_instance_check_job(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                                  bool log, orr_error *err);

/* How much there is of a pool from `time` (s) on: at first, or the most that there ever is. */
int64_t ori_instance_pool_at(const orr_instance *in, int32_t pool, double time);
int64_t ori_instance_pool_most(const orr_instance *in, int32_t pool, double time);

/* Room for all jobs of its workload. On failure it is as it was. */
orr_status ori_instance_reserve(orr_instance *in, orr_error *err);

/* Adds the new jobs of the workload to the instance, which has room for them. In by_submission only
 * elements from `from` on may change. */
void ori_instance_extend(orr_instance *in, int32_t from);
/* Removes them again. */
void ori_instance_shorten(orr_instance *in, int32_t count);
