/* An instance: a workload as one simulation sees it.
 *
 * It fixes the parameters that the papers leave to the experiment: the size of the machine, whether
 * submission times count or all jobs are submitted at time 0 (batch), the estimates that the
 * scheduler plans with (a user would call them the walltimes in use), and the verification time of
 * the error detector.
 *
 * An attempt of job j that starts at s from nothing, without checkpoints, is planned to end at
 * orr_planned_end(in, j, s) and really ends at orr_real_end(in, j, s). Both come from the same
 * expressions, in the same order of additions, so that an end that comes as planned is equal to the
 * plan to the last bit. */
#pragma once

#include "workload/checkpoint.h"
#include "workload/jobs.h"
#include "workload/limit.h"
#include "workload/nodes.h"
#include "workload/window.h"
#include "workload/zone.h"

typedef struct orr_instance_options {
    size_t size;         /* sizeof this, see base/api.h */
    int32_t procs;       /* size of the machine, 1 to INT32_MAX - 1 */
    bool batch;          /* all jobs are submitted at time 0 */
    bool log_walltimes;  /* the estimate is the log's walltime where there is one; otherwise, and by
                            default, the runtime */
    double verification; /* s that the error detector adds to every attempt, >= 0 */

    /* The scheduler's estimates of the runtimes: one per job, s, >= 0, copied; NaN for a job that
       has none, which is planned with its runtime. NULL: the log's walltimes, or the runtimes. */
    const double *estimates;
    bool extend; /* an estimate below the runtime is raised to it; otherwise the job is killed at it
                    (READINGS 31), unless `cap` is set */

    /* The parameters of metrics, READINGS 33. */
    double tau;      /* s: shorter runtimes count as this in bounded slowdowns; 0: 60 */
    double warmup;   /* s, >= 0: jobs submitted in the first `warmup` seconds after the first
                        submission are simulated, but not observed, */
    double cooldown; /* nor those submitted in the last `cooldown` before the last */

    /* Treatment of jobs that overrun the log's walltimes; only with log_walltimes. */
    bool cap; /* the runtime is cut off at the walltime, and the job then completes like any other;
                 not with `extend` */
    double grace;      /* s, >= 0: a job that overruns by at most this time is not killed or capped,
                         but planned with its runtime; other jobs are killed this much later */
    bool clairvoyant;  /* as the last step, estimates above the runtime are lowered to it: the
                          scheduler knows what every job takes, and the same jobs are killed */
    bool dependencies; /* jobs that come after others (orr_jobs_after) are submitted when these are
                         over (READINGS 41); not with `batch`. Each simulation then has an instance
                         of its own, with the submissions of its run: orr_rigid_instance */

    /* The calendar of policies: where second 0 of the clock lies, and the clocks of which place
     * they read. */
    bool has_origin;      /* origin_us is given; otherwise the origin is that of the jobs */
    int64_t origin_us;    /* microseconds since 1970 (UTC) */
    const orr_zone *zone; /* copied; NULL: that of the jobs */

    orr_checkpoints checkpoints; /* of the jobs (READINGS 36); copied. All zero: none */

    bool shares; /* `submit` and `estimate` may be arrays of the workload where they are equal to
                    these: as long as the instance exists no jobs may be added to the workload */
    double silent_error_rate; /* silent errors per processor-second, >= 0, as policies know it; the
                                 actual rate is given with the scenario */
    const orr_pool *pools;    /* copied; needs of other pools are ignored */
    int32_t pool_count;       /* at most ORR_MOST_NEEDS */
    const orr_limit *limits;  /* copied */
    int32_t limit_count;      /* at most ORR_MOST_LIMITS */
    const orr_nodes *nodes;   /* copied; `procs` are those of all nodes. NULL: processors stand in
                                 no nodes */
    const orr_closing *closings; /* of pools, copied; known beforehand */
    int64_t closing_count;
} orr_instance_options;

/* A turn: from a time on there is more or less of a pool, or a limit is another one. A closing
 * (window.h) is two turns, and its end gives back what its beginning takes away. Pools have the
 * amounts from before all turns. Limits are the present ones, and their turns tell what was. */
typedef struct orr_turn {
    double time;      /* s */
    int32_t of;       /* a pool; pool_count + i: limit i */
    int64_t by;       /* is added; < 0: taken away */
    int64_t attempts; /* recorded before the turn, which is not about them; -1: the turn is of a
                         closing, and known beforehand */
} orr_turn;

typedef struct orr_instance {
    const orr_jobs *jobs; /* borrowed: must live as long as the instance */
    int32_t count;        /* jobs->count */
    int32_t procs;
    double verification;                   /* s */
    double silent_error_rate;              /* per processor-second, for policies; 0: none */
    double first_submission;               /* s; 0 for an empty workload */
    bool log_walltimes, extend, predicted; /* as it was created; the last: with estimates */
    int32_t overruns; /* jobs whose runtime exceeds their estimate plus the grace: killed at it,
                         capped, or their estimates were extended */
    double tau;       /* s */
    bool has_window;  /* a warmup or a cooldown was asked for, or the jobs have a warm-up and do
                         not all come at once: jobs are observed that are submitted from
                         window_from to window_to (s, both included) */
    double window_from, window_to;
    double *submit;         /* s */
    double *estimate;       /* s: the scheduler plans with it */
    const double *time;     /* s: the runtimes of the jobs, perhaps capped */
    int32_t *by_submission; /* positions in order of (submit, position) */
    bool cap;               /* as it was created */
    double grace;           /* s, as it was created */
    bool clairvoyant;       /* as it was created */
    int32_t linked;         /* jobs that come after others, where they are to; their `submit` is
                               the log's, or in the instance of a simulation their submission, inf
                               while that is not known */
    int32_t strangers;      /* names of jobs to come after that no job has, or the job itself: they
                               count as over */
    int32_t never;          /* jobs that never start, see orr_instance_starting */
    bool has_origin;        /* origin_us is known */
    int64_t origin_us;      /* second 0 of the clock, in microseconds since 1970 (UTC) */
    orr_zone *zone;         /* by whose clocks dates are; NULL: UTC */
    orr_checkpoints checkpoints;    /* all three arrays; where no job writes checkpoints, none */
    orr_pool pools[ORR_MOST_NEEDS]; /* with their numbers */
    int32_t pool_count;
    orr_limit limits[ORR_MOST_LIMITS]; /* of what running jobs use */
    int32_t limit_count;
    orr_nodes *nodes; /* NULL: processors are only counted */
    orr_turn *turns;  /* in order of time */
    int32_t turn_count;
    /* internal */
    struct ori_links *links; /* NULL: no job has dependencies */
    void *memory;            /* of the arrays that are not the workload's */
    size_t size;             /* bytes, of memory */
    int32_t room;            /* jobs that the arrays have room for */
    orr_allocator alloc;
} orr_instance;

/* Checks the options, that every job fits on the machine, its nodes and into the limits, and has
 * possible checkpoints (ORR_ERR_INPUT names the first job that does not), and that a window leaves
 * a job to observe. On failure *in is safe to destroy. */
ORR_API orr_status orr_instance_create(orr_instance *in, const orr_jobs *jobs,
                                       const orr_instance_options *options, const orr_allocator *a,
                                       orr_error *err);
ORR_API void orr_instance_destroy(orr_instance *in);

/* What a job needs of a pool of the instance. */
static inline int64_t orr_need_of(const orr_instance *in, int32_t job, int32_t pool)
{
    return orr_jobs_need(in->jobs, job, in->pools[pool].number);
}

/* Whether the machine of an instance has what jobs need under this name: a pool, or of its nodes a
 * resource, ORR_NEED_NODES or ORR_NEED_EXCLUSIVE. What jobs need of anything else is ignored. */
ORR_API bool orr_instance_has(const orr_instance *in, const char *name);

/* The jobs of an instance with dependencies without those that never start, as Slurm has it: those
 * that come after a job that must end well and is killed at its walltime here, and those that come
 * after them. Of jobs of which one is enough, the others are left in orr_jobs_after. Simulations of
 * the instance itself submit such jobs as if the other had ended well. NULL on failure (memory). */
ORR_API orr_jobs *orr_instance_starting(const orr_instance *in, const orr_allocator *a,
                                        orr_error *err);

/* The work that walltimes cut off, over all jobs, processor-seconds. */
ORR_API double orr_instance_cut(const orr_instance *in);

/* Whether metrics of jobs count a job. */
static inline bool orr_job_is_observed(const orr_instance *in, int32_t job)
{
    const double *submit = in->links ? in->jobs->submit : in->submit; /* equal in every run */
    return job >= in->jobs->warmup && orr_jobs_is_counted(in->jobs, job) &&
           (!in->has_window || (submit[job] >= in->window_from && submit[job] <= in->window_to));
}

/* The part of the time from `start` to `end` that lies inside the window, s. */
static inline double orr_part_in_window(const orr_instance *in, double start, double end)
{
    double from = start > in->window_from ? start : in->window_from;
    double to = end < in->window_to ? end : in->window_to;
    return to > from ? to - from : 0;
}

/* Whether a job reaches its walltime and is killed (READINGS 31): runtime > estimate. */
static inline bool orr_job_is_killed(const orr_instance *in, int32_t job)
{
    return in->time[job] > in->estimate[job];
}

/* The time that one attempt computes: the runtime, cut off at the estimate. Seconds. */
static inline double orr_job_length(const orr_instance *in, int32_t job)
{
    return orr_job_is_killed(in, job) ? in->estimate[job] : in->time[job];
}

/* The runtime beyond orr_job_length, cut off by a kill at the walltime or by a cap, s. */
static inline double orr_job_cut(const orr_instance *in, int32_t job)
{
    return in->jobs->time[job] - orr_job_length(in, job);
}

/* The planned end of an attempt started at `start` (READINGS 30). */
static inline double orr_planned_end(const orr_instance *in, int32_t job, double start)
{
    return (start + in->estimate[job]) + in->verification;
}

/* The real end of an attempt with the given runtime and estimate; a killed attempt never reaches
 * the error detector (READINGS 30, 31). */
static inline double orr_end_by(double start, double time, double estimate, double verification)
{
    return time > estimate ? start + estimate : (start + time) + verification;
}

/* The real end of an attempt of a job. */
static inline double orr_real_end(const orr_instance *in, int32_t job, double start)
{
    return orr_end_by(start, in->time[job], in->estimate[job], in->verification);
}
