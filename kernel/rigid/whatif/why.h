/* Why a job waits, and which other jobs would be delayed if it started now.
 *
 * The answer comes from the policy itself: a copy of the simulation takes a decision now, and a
 * second copy takes one after it has started the job. The differences between the two plans are the
 * delays of the other jobs, by estimates. The copies go through the whole queue, without short ways
 * (`plain` in rigid/interface/engine.h). They call the policy's own functions; the simulation
 * itself is not changed. */
#pragma once

#include "rigid/queue/view.h"

typedef enum orr_rigid_reason {
    ORR_WHY_NOTHING,   /* nothing prevents its start: a decision starts it now */
    ORR_WHY_PENDING,   /* it is not submitted yet */
    ORR_WHY_RUNNING,   /* it does not wait */
    ORR_WHY_OVER,      /* it does not wait any more */
    ORR_WHY_HELD,      /* it is held until the policy releases or moves it */
    ORR_WHY_CAPACITY,  /* it needs more processors than its group has in service */
    ORR_WHY_FULL,      /* it needs more processors than are free */
    ORR_WHY_PLACEMENT, /* enough processors are free, but its placement permits none of these
                          sets */
    ORR_WHY_LOG,       /* it starts later in the log */
    ORR_WHY_ORDER,   /* it fits, but no job may pass `blocker`, or start before the shelf is over */
    ORR_WHY_DELAY,   /* it fits, but would delay planned starts of others */
    ORR_WHY_LEAVING, /* it fits now, but not until its end: processors leave before, or
                        windows close or keep them */
    ORR_WHY_POLICY,  /* it fits and delays no planned start: the policy lets it wait */
    ORR_WHY_POOL,    /* enough processors are free, but less of a pool than it needs */
    ORR_WHY_NODES,   /* enough processors are free, but not on nodes that have the rest */
    ORR_WHY_LIMIT,   /* running jobs, and those that start now before it, use `used` of a limit,
                        so that it would exceed it */
    ORR_WHY_REFUSED  /* it was refused at submission, for `used` jobs of a limit waited */
} orr_rigid_reason;

typedef struct orr_rigid_why {
    orr_rigid_reason reason;
    int32_t group;      /* the group of the job; 0 before its submission */
    int32_t procs;      /* processors that it needs */
    int32_t free;       /* processors of its group that are free */
    int32_t in_service; /* processors of its group that are busy or free, except those that leave
                           when their attempt ends */
    int32_t failed;     /* processors of its group whose node is down */
    int32_t drained;    /* processors of its group that were taken out of service */
    double reserved;    /* s: its reservation by a decision now; NaN: none */
    double earliest;    /* s: its earliest start by the plan of this decision, if no more jobs come;
                           NaN if nothing is planned, as behind the first job of a queue in strict
                           order; inf: never, by present knowledge */
    double when;        /* s: pending: its submission, NaN if it is not known; log: its start there;
                           otherwise NaN */
    int32_t blocker;    /* the first job of a queue that no job may pass, if it is another job; else
                           the first job that would be delayed; -1: none */
    int32_t delayed;    /* order, delay: number of jobs that would be delayed */
    int32_t pool;       /* pool: the first one of the instance that lacks something; else -1 */
    const orr_limit *limit; /* of the instance; NULL: not a limit */
    int64_t used;           /* of it */
    /* nodes: how many fit now, or, where the job asks for no number of nodes, how many of its
       processors they can take; of how many nodes. Otherwise 0 */
    int64_t fitting;
    int32_t nodes;
    int32_t lacking; /* nodes: the resource, counted from 1, without which more would fit, or else
                        which the fewest have; 0: free processors of a node; -1: none */
} orr_rigid_why;

/* A job that would be delayed, in queue order. */
typedef struct orr_rigid_delay {
    int32_t job;
    double planned; /* s: its start as planned now */
    double delayed; /* s: its planned start if the other job started now; inf: none */
} orr_rigid_delay;

/* Fills *why, and the first `room` of the delays. The planned start of a job is now, if it would
 * start now; otherwise its reservation; for the first job of a queue in strict order the time at
 * which it fits, or, before a shelf is over, the planned end of the shelf. Errors: ORR_ERR_MEMORY;
 * an error of the policy, also if one has stopped the simulation before; ORR_ERR_ARGUMENT if there
 * is no such job, no scenario, or earliest starts may not be asked for (rigid/queue/view.h); a
 * recording permits them. */
ORR_API orr_status orr_rigid_ask_why(const orr_rigid *sim, int32_t job, orr_rigid_why *why,
                                     orr_rigid_delay *delays, int32_t room, orr_error *err);

/* Writes the planned start of every waiting job, as above, s; NaN for other jobs and for jobs
 * without a planned start. `planned` has room for all jobs. Errors as above. */
ORR_API orr_status orr_rigid_ask_plans(const orr_rigid *sim, double *planned, orr_error *err);

/* From now on every decision writes its reservations, s, to `reserved`, which belongs to the caller
 * and has room for all jobs. NULL ends this; so does a submission in place (orr_rigid_submit).
 * Numbers written by earlier decisions stay in the array. Reservations of conservative backfilling
 * are in orr_rigid_job instead. Decisions then take no short ways, as with `plain`.
 * ORR_ERR_ARGUMENT if earliest starts may not be asked for. */
ORR_API orr_status orr_rigid_note_reservations(orr_rigid *sim, double *reserved, orr_error *err);
