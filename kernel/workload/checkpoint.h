/* Checkpoints of rigid jobs (spec/READINGS.md, 36): what an attempt takes that begins from what is
 * saved, and how much work there should be between two checkpoints.
 *
 * An attempt with s seconds of work saved recovers for R if s > 0. Then come segments of tau
 * seconds of work, each followed by a checkpoint of C seconds, but for the last one. The period of
 * malleable tasks (workload/resilience.h) is tau + C. */
#pragma once

#include "base/api.h"

#include <math.h>

/* What jobs write a checkpoint before, so that it is complete at that instant. */
enum {
    ORR_BEFORE_KILL = 1,  /* a kill at the walltime */
    ORR_BEFORE_DRAIN = 2, /* a drain that interrupts (orr_window.drains) */
    ORR_BEFORE_WINDOW = 4 /* any other window that opens */
};

/* One number per job in each array, which are borrowed. */
typedef struct orr_checkpoints {
    const double *cost;     /* C, s, >= 0; INFINITY: the job cannot write one. NULL: no job can */
    const double *recovery; /* R, s, >= 0, finite; NULL: as long as a checkpoint */
    const double *period;   /* tau, s, > 0; INFINITY: it writes none of itself. NULL: no job does */
    unsigned before;        /* the sum of what all jobs write one before; 0: nothing */
    bool requeue_killed;    /* a job killed at its walltime waits again, with a walltime as long
                               behind what it saved; without that it is over */
} orr_checkpoints;

/* When a checkpoint that takes `cost` seconds is begun so that it is complete at `time`: their
 * difference, or just below where rounding would make it late. */
static inline double orr_checkpoint_before(double time, double cost)
{
    double begin = time - cost;
    while (begin + cost > time)
        begin = nextafter(begin, -INFINITY);
    return begin;
}

/* What became of a job's processor time, but for what it computed once: attempts that are over. */
typedef struct orr_job_checkpoints {
    double held;            /* s: of attempts that reached their end */
    double lost;            /* s of work that was for nothing: it had to be done again, or its job
                               did not complete; with the verification of attempts that failed */
    double checkpoint_time; /* s: of checkpoints, complete or not */
    double recovery_time;   /* s: of recoveries, complete or not */
    int64_t written;        /* checkpoints that were complete */
    double asked;           /* s: by how much kills have made its estimate longer */
} orr_job_checkpoints;

/* Young's tau, sqrt(2 mu C), in s, from the mean time mu between what interrupts the job and the
 * cost C of a checkpoint, s. 0 where C is 0, INFINITY where mu is; NaN where mu is not > 0 or C not
 * >= 0. J. W. Young, A first order approximation to the optimum checkpoint interval, 1974. */
ORR_API double orr_young_period(double mtbf, double cost);

/* Daly's: sqrt(2 mu C) (1 + sqrt(C / (2 mu)) / 3 + C / (2 mu) / 9) - C; mu from C = 2 mu on. In
 * all else as orr_young_period. J. T. Daly, A higher order estimate of the optimum checkpoint
 * interval for restart dumps, 2006, equation 37. */
ORR_API double orr_daly_period(double mtbf, double cost);

/* The mean time between failures of the nodes of a job, s: that of a node divided by the number of
 * nodes that so many processors fill. NaN for less than one processor, or where the mean is not
 * > 0. */
ORR_API double orr_job_mtbf(double node_mtbf, int32_t node_procs, int32_t procs);

/* The checkpoints of an attempt that has `work` seconds to compute, one every `period` of them. */
static inline double orr_checkpoints_within(double work, double period)
{
    double segments = ceil(work / period);
    return segments > 1 ? segments - 1 : 0;
}

/* What an attempt takes, s; READINGS 36 has this order of additions. */
static inline double orr_attempt_length(double work, double recovery, double cost, double period)
{
    double length = recovery + work;
    return cost > 0 && work > period ? length + cost * orr_checkpoints_within(work, period)
                                     : length;
}

/* The expected time of a segment under failures at `rate` > 0, 1/s, each of which is followed by a
 * downtime and by a recovery before the segment is begun anew: the scale, in s, times
 * expm1(rate * length). Of segments that follow each other with one scale the second factors may be
 * added up. Both engines compute with it. */
static inline double orr_segment_scale(double rate, double recovery, double downtime)
{
    return exp(rate * recovery) * (1 / rate + downtime);
}

static inline double orr_segment_time(double rate, double recovery, double downtime, double length)
{
    return length > 0 ? orr_segment_scale(rate, recovery, downtime) * expm1(rate * length) : 0;
}

/* Whether it ends, and writes no more checkpoints than can be counted. */
static inline bool orr_attempt_ends(double work, double recovery, double cost, double period)
{
    return orr_attempt_length(work, recovery, cost, period) < INFINITY &&
           orr_checkpoints_within(work, period) < 0x1p53;
}
