/* Checkpoints of rigid jobs (spec/READINGS.md, 36): the length of an attempt that continues from
 * saved work, and the optimal work between two checkpoints.
 *
 * An attempt with s seconds of saved work first recovers for R if s > 0. Then it runs segments of
 * tau seconds of work, each followed by a checkpoint of C seconds, but for the last one. The period
 * of malleable tasks (workload/resilience.h) is tau + C. */
#pragma once

#include "base/api.h"

#include <math.h>

/* Events before which jobs write a checkpoint that is complete when the event happens. */
enum {
    ORR_BEFORE_KILL = 1,  /* a kill at the walltime */
    ORR_BEFORE_DRAIN = 2, /* a drain that interrupts (orr_window.drains) */
    ORR_BEFORE_WINDOW = 4 /* any other window that opens */
};

/* The arrays have one number per job and are borrowed. */
typedef struct orr_checkpoints {
    const double *cost;     /* C, s, >= 0; INFINITY: the job cannot write one. NULL: no job can */
    const double *recovery; /* R, s, >= 0, finite; NULL: as long as a checkpoint */
    const double *period;   /* tau, s, > 0; INFINITY: the job writes none by itself. NULL: no job
                               does */
    unsigned before;        /* sum of ORR_BEFORE_...: the events before which every job writes a
                               checkpoint; 0: none */
    bool requeue_killed;    /* a job killed at its walltime waits again and continues from its saved
                               work, with a new walltime of the same length; without this flag the
                               job is over */
} orr_checkpoints;

/* The time at which a checkpoint of `cost` seconds must begin to be complete at `time`: their
 * difference, or just below where rounding would make the checkpoint late. */
static inline double orr_checkpoint_before(double time, double cost)
{
    double begin = time - cost;
    while (begin + cost > time)
        begin = nextafter(begin, -INFINITY);
    return begin;
}

/* The processor time of a job beyond the work that counts once; only attempts that are over. */
typedef struct orr_job_checkpoints {
    double held;            /* s: held by attempts that reached their end */
    double lost;            /* s of wasted work: it had to be done again, or its job did not
                               complete; with the verification of failed attempts */
    double checkpoint_time; /* s: spent in checkpoints, complete or not */
    double recovery_time;   /* s: spent in recoveries, complete or not */
    int64_t written;        /* checkpoints that were complete */
    double asked;           /* s: by how much kills have made its estimate longer */
} orr_job_checkpoints;

/* Young's tau, sqrt(2 mu C), in s, from the mean time mu between interruptions of the job and the
 * cost C of a checkpoint, s. 0 where C is 0, INFINITY where mu is; NaN where mu is not > 0 or C not
 * >= 0. J. W. Young, A first order approximation to the optimum checkpoint interval, 1974. */
ORR_API double orr_young_period(double mtbf, double cost);

/* Daly's: sqrt(2 mu C) (1 + sqrt(C / (2 mu)) / 3 + C / (2 mu) / 9) - C; mu from C = 2 mu on. In
 * all else as orr_young_period. J. T. Daly, A higher order estimate of the optimum checkpoint
 * interval for restart dumps, 2006, equation 37. */
ORR_API double orr_daly_period(double mtbf, double cost);

/* The mean time between failures of the nodes of a job, s: node_mtbf divided by the number of nodes
 * that `procs` processors fill. NaN for less than one processor, or where node_mtbf is not > 0. */
ORR_API double orr_job_mtbf(double node_mtbf, int32_t node_procs, int32_t procs);

/* The number of checkpoints of an attempt that computes `work` seconds, one after every `period`
 * seconds of work. */
static inline double orr_checkpoints_within(double work, double period)
{
    double segments = ceil(work / period);
    return segments > 1 ? segments - 1 : 0;
}

/* The length of an attempt, s; READINGS 36 has this order of additions. */
static inline double orr_attempt_length(double work, double recovery, double cost, double period)
{
    double length = recovery + work;
    return cost > 0 && work > period ? length + cost * orr_checkpoints_within(work, period)
                                     : length;
}

/* The expected time of a segment under failures at `rate` > 0, 1/s, each followed by a downtime and
 * a recovery before the segment begins again. It is the scale, in s, times expm1(rate * length).
 * For consecutive segments with one scale the second factors may be added up. Both engines use
 * it. */
static inline double orr_segment_scale(double rate, double recovery, double downtime)
{
    return exp(rate * recovery) * (1 / rate + downtime);
}

static inline double orr_segment_time(double rate, double recovery, double downtime, double length)
{
    return length > 0 ? orr_segment_scale(rate, recovery, downtime) * expm1(rate * length) : 0;
}

/* Whether the attempt is finite and its checkpoints can be counted exactly. */
static inline bool orr_attempt_ends(double work, double recovery, double cost, double period)
{
    return orr_attempt_length(work, recovery, cost, period) < INFINITY &&
           orr_checkpoints_within(work, period) < 0x1p53;
}
