/* Metrics of a finished run. spec/METRICS.md is their dictionary.
 *
 * They are computed from an orr_run, the result of a run: numbers per job, and totals that do not
 * follow from these and that the engine adds up during the run. Sums over jobs run in order of
 * position, so that every way of running a scenario gives the same bits. */
#pragma once

#include "schedule/schedule.h"

/* METRIC(type, name, unit, what it is) of each metric: orr_metrics, the tables of the bindings, and
 * the manuals are made of this list (READINGS 27, 33, 36). METRICS.md has the formulas, also of
 * what is 0 or 1 where nothing was held or no job completed. */
#define ORR_METRICS(METRIC)                                                                        \
    METRIC(double, makespan, "s", "last end less first submission")                                \
    METRIC(double, lower_bound, "s", "lower bound on the makespan")                                \
    METRIC(double, ratio, "", "makespan / lower_bound")                                            \
    METRIC(double, wait_mean, "s",                                                                 \
           "flow less runtime, mean over jobs: failed attempts count as waiting")                  \
    METRIC(double, wait_max, "s", "flow less runtime, maximum over jobs")                          \
    METRIC(double, flow_mean, "s", "end of the last attempt less submission, mean over jobs")      \
    METRIC(double, utilisation, "", "share of the processors' time that attempts used")            \
    METRIC(int64_t, starts, "", "number of attempts")                                              \
    METRIC(int64_t, failures, "", "attempts that ended with an error")                             \
    METRIC(int64_t, killed, "jobs", "jobs that ended without completing")                          \
    METRIC(double, bsld_mean, "", "mean bounded slowdown")                                         \
    METRIC(double, bsld_max, "", "largest bounded slowdown")                                       \
    METRIC(double, work_lost, "processor-seconds",                                                 \
           "area of attempts that did not complete, but for what they saved")                      \
    METRIC(int64_t, redirected, "", "preempted attempts whose job was moved to another group")     \
    METRIC(int64_t, preempted, "", "attempts that the policy ended and whose job waited again")    \
    METRIC(int64_t, node_failures, "",                                                             \
           "attempts that the failure of a node ended, or a window that opened")                   \
    METRIC(double, work_cut, "processor-seconds", "what walltimes cut off the jobs' runtimes")     \
    METRIC(int64_t, interruptions, "", "attempts that did not reach their end")                    \
    METRIC(int64_t, checkpoints, "", "checkpoints of jobs that were completed")                    \
    METRIC(double, checkpoint_time, "processor-seconds", "processor time in checkpoints")          \
    METRIC(double, recovery_time, "processor-seconds", "processor time in recoveries")             \
    METRIC(double, waste, "", "share of the processor time in use that was not useful")            \
    METRIC(double, goodput, "", "share of the processors' time that was useful")                   \
    METRIC(double, interruptions_mean, "", "interruptions / jobs")                                 \
    METRIC(double, ettr, "", "share of its time in the system in which a job got on")              \
    METRIC(int64_t, refused, "jobs", "jobs that a limit on waiting jobs refused at submission")

#define ORR_METRIC_FIELD(type, name, unit, about) type name;
typedef struct orr_metrics {
    ORR_METRICS(ORR_METRIC_FIELD)
} orr_metrics;

/* Totals of a run. An attempt is interrupted when it does not reach its end: preempted, cancelled
 * or struck by a node's failure, or killed at its walltime, if its job then waits again. */
typedef struct orr_run_totals {
    double interrupted_held; /* processor-seconds that interrupted attempts held */
    int64_t preempted;       /* attempts that ended ORR_PREEMPTED */
    int64_t redirected;      /* preempted attempts whose job was moved to another group */
    int64_t cancelled;       /* attempts that ended ORR_CANCELLED: their jobs are over */
    int64_t node_failures;   /* attempts that ended ORR_NODE_FAILED */
    int64_t requeued;        /* attempts that ended ORR_KILLED and whose jobs waited again;
                         interrupted_held does not count them */
    double window_held;      /* processor-seconds that attempts of any kind held inside the
                                instance's window; used only where in->has_window */
    double last_end;     /* s: the latest end of an attempt of a job that is left out; 0: none */
    double absent;       /* processors that are absent, drained or not there yet */
    double absent_since; /* the sum of the times since which they are absent, s: until T they have
                            been absent for absent * T - absent_since processor-seconds */
    double late, late_since; /* the changes of these two after the end of an attempt at
                                late_after */
    double late_after;       /* s: if that attempt was the last, the changes come after the
                                makespan */
    double window_absent;    /* processor-seconds of absence in the window if nothing changes any
                                more */
} orr_run_totals;

/* What jobs share beside the processors of the whole machine: pools, resources of nodes, and the
 * processors of partitions that do not have all nodes; in this order. */
enum {
    ORR_MOST_SHARES = (int)ORR_MOST_NEEDS + (int)ORR_MOST_NODE_RESOURCES + (int)ORR_MOST_PARTITIONS
};
typedef enum orr_share_kind {
    ORR_SHARE_POOL,
    ORR_SHARE_RESOURCE,
    ORR_SHARE_PARTITION
} orr_share_kind;
typedef struct orr_share {
    const char *name; /* of the instance */
    orr_share_kind kind;
    int32_t number; /* of its kind */
    double amount;  /* in all, as the instance has it */
} orr_share;

/* Writes the shares of an instance, at most ORR_MOST_SHARES; returns how many there are. */
ORR_API int32_t orr_shares(const orr_instance *in, orr_share *shares);

/* Whether and how a job was cancelled from outside, or refused. */
typedef enum orr_left_out {
    ORR_NOT_LEFT_OUT,
    ORR_LEFT_WAITING, /* it did not run at that time: metrics of jobs leave it out */
    ORR_LEFT_RUNNING,
    ORR_LEFT_REFUSED /* it was refused at submission: metrics leave it out, and count it */
} orr_left_out;

/* The time of a job's earlier attempts, before its runtime was changed. */
typedef struct orr_past {
    double time;      /* s, without verification */
    int32_t attempts; /* attempts that had reached their end */
} orr_past;

/* The result of a run. Its lower bound leaves out jobs cancelled from outside, and counts the time
 * that attempts took before their job's runtime was changed. Arrays have one number per job and are
 * borrowed. */
typedef struct orr_run {
    const int32_t *failures; /* counts of failures for the lower bound; NULL: none */
    const double *ends;      /* s: of the job's last attempt; NULL: not every job is over */
    const int32_t *attempts; /* attempts that reached their end: completed, failed or killed at the
                                walltime, but not interrupted */
    const double *cancelled; /* s: the length of the last attempt of a job that the policy killed,
                                NaN for all other jobs; NULL: no such job */
    const uint8_t *left_out; /* orr_left_out per job; NULL: no job is left out */
    const orr_past *past;    /* NULL: no runtime was changed */
    const orr_job_checkpoints *checkpoints; /* NULL: no job writes any */
    orr_run_totals totals;
} orr_run;

/* The lower bound L(f) on any schedule's makespan under the failure counts `failures` (one per job;
 * NULL: no failures), RR-9296 equations 5 and 6, with submission times READINGS 33:
 *   max(max_j submit_j + (f_j+1) t_j, first + sum_j (f_j+1) p_j t_j / P) - first.
 * A job that is killed at its walltime counts that one attempt. */
ORR_API double orr_lower_bound(const orr_instance *in, const int32_t *failures);

/* The metrics of a recorded schedule in which every job is over. The totals are summed in order of
 * start, not as the run went: work lost to interruptions and the utilisation of a window may differ
 * in the last digits. */
ORR_API orr_status orr_measure_schedule(const orr_instance *in, const orr_schedule *schedule,
                                        const int32_t *failures, orr_metrics *out, orr_error *err);

/* Whether a job was cancelled or refused while it did not run. */
static inline bool orr_run_lacks(const orr_run *run, int32_t job)
{
    return run->left_out &&
           (run->left_out[job] == ORR_LEFT_WAITING || run->left_out[job] == ORR_LEFT_REFUSED);
}

/* Whether the metrics of jobs count a job. */
static inline bool orr_run_observes(const orr_instance *in, const orr_run *run, int32_t job)
{
    return orr_job_is_observed(in, job) && !orr_run_lacks(run, job);
}

/* The times of a job that is over (READINGS 33). */
typedef struct orr_job_times {
    double runtime; /* s: computed by its last attempt */
    double flow;    /* s */
    double wait;    /* s, >= 0: flow - runtime, or 0 where roundings make that negative */
    double bsld;
} orr_job_times;
ORR_API orr_job_times orr_measure_job(const orr_instance *in, const orr_run *run, int32_t job);

/* Computes them from the end of the job's last attempt (s) and the runtime of that attempt (s). */
ORR_API orr_job_times orr_times_of_job(const orr_instance *in, int32_t job, double end,
                                       double runtime);

/* Quantiles over the observed jobs: at 0.5, 0.9, 0.95 and 0.99, see orr_quantiles. NaN where no job
 * is observed. */
enum { ORR_QUANTILES = 4 };
typedef struct orr_job_quantiles {
    double wait[ORR_QUANTILES]; /* s */
    double flow[ORR_QUANTILES]; /* s */
    double bsld[ORR_QUANTILES];
} orr_job_quantiles;
ORR_API orr_status orr_measure_quantiles(const orr_instance *in, const orr_run *run,
                                         const orr_allocator *a, orr_job_quantiles *out,
                                         orr_error *err);

/* Metrics per user, or per queue or partition: of the jobs with an equal label. */
typedef struct orr_user_metrics {
    int32_t label; /* number of the label's text in jobs->names; 0: jobs without a label */
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

/* Measures users by the observed jobs whose end is not NaN. ends, runtimes: of the last attempt of
 * each job (s; see orr_job_times; runtimes NULL: orr_job_length). *users is safe to destroy after a
 * failure (memory, or ORR_ERR_ARGUMENT for an unknown kind of label). */
ORR_API orr_status orr_users_measure(orr_users *users, const orr_instance *in, orr_label kind,
                                     const double *ends, const double *runtimes,
                                     const orr_allocator *a, orr_error *err);
ORR_API void orr_users_destroy(orr_users *users);
