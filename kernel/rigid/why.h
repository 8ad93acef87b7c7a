/* Why a job waits, and what would become of the others if it started now.
 *
 * The answer is what the policy itself says: a copy of the simulation takes a decision as if there
 * were one now, and a second copy does so after it has started the job. What is planned for the
 * others in the second and not in the first is what the job would delay, by estimates. The copies
 * go through the whole queue, by no short way (`plain` in rigid/engine.h). A policy's own functions
 * are called in them; the simulation stays as it is. */
#pragma once

#include "rigid/view.h"

typedef enum orr_rigid_reason {
    ORR_WHY_NOTHING,   /* nothing hinders it: a decision starts it now */
    ORR_WHY_PENDING,   /* it is not submitted yet */
    ORR_WHY_RUNNING,   /* it does not wait */
    ORR_WHY_OVER,      /* it does not wait any more */
    ORR_WHY_HELD,      /* until the policy releases or moves it */
    ORR_WHY_CAPACITY,  /* it needs more processors than its group has in service */
    ORR_WHY_FULL,      /* it needs more than are free */
    ORR_WHY_PLACEMENT, /* enough are free, but its placement permits none of these sets */
    ORR_WHY_LOG,       /* the log tells that it starts later */
    ORR_WHY_ORDER,   /* it fits, but nobody passes `blocker`, or starts before the shelf is over */
    ORR_WHY_DELAY,   /* it fits, but would delay what is planned for others */
    ORR_WHY_LEAVING, /* it fits now, but not until its end: processors leave before, or
                        windows close or keep them */
    ORR_WHY_POLICY   /* it fits and delays nothing that is planned: the policy lets it wait */
} orr_rigid_reason;

typedef struct orr_rigid_why {
    orr_rigid_reason reason;
    int32_t group;      /* where it is; 0 before its submission */
    int32_t procs;      /* processors that it needs */
    int32_t free;       /* processors of its group that are free */
    int32_t in_service; /* processors of its group that are busy or free, but for those that leave
                           when their attempt ends */
    int32_t failed;     /* processors of its group whose node is down */
    int32_t drained;    /* processors of its group that were taken out of service */
    double reserved;    /* s: its reservation by a decision now; NaN: it gets none */
    double earliest;    /* s: when it could start by the plan of that decision, if nobody came
                           meanwhile; NaN where nothing is planned, as behind the first in a queue
                           by strict order; inf: never by what is known */
    double when;        /* s: pending: its submission, NaN where that is not known; log: its start
                           there; elsewhere NaN */
    int32_t blocker;    /* the first in a queue that nobody passes, where it is another job; else
                           the first that would be delayed; -1: none */
    int32_t delayed;    /* order, delay: jobs that would be delayed */
} orr_rigid_why;

/* A job that would be delayed, in queue order. */
typedef struct orr_rigid_delay {
    int32_t job;
    double planned; /* s: its start as planned now */
    double delayed; /* s: the same if the other job started now; inf: none would be planned */
} orr_rigid_delay;

/* Fills *why, and the first `room` of the delays. The planned start of a job is its reservation; of
 * the first in a queue by strict order the time at which it fits, and before a shelf is over that
 * time; now, if it would start now. ORR_ERR_MEMORY; an error of the policy's, as after one
 * that has stopped the simulation; ORR_ERR_ARGUMENT where there is no such job, no scenario, or
 * nobody may ask for earliest starts (rigid/view.h), which a recording permits. */
ORR_API orr_status orr_rigid_ask_why(const orr_rigid *sim, int32_t job, orr_rigid_why *why,
                                     orr_rigid_delay *delays, int32_t room, orr_error *err);

/* The planned start of every job that waits, as above, s; NaN for others and where there is none.
 * `planned` has room for all jobs. Errors as above. */
ORR_API orr_status orr_rigid_ask_plans(const orr_rigid *sim, double *planned, orr_error *err);

/* From now on every decision writes the reservations that it makes, s, to `reserved`, which belongs
 * to the caller and has room for all jobs; NULL, or jobs that are submitted: no more. What an
 * earlier one has written stays there. Conservative backfilling tells its reservations with
 * orr_rigid_job. Decisions go by no short way then, as with `plain`. ORR_ERR_ARGUMENT where nobody
 * may ask for earliest starts. */
ORR_API orr_status orr_rigid_note_reservations(orr_rigid *sim, double *reserved, orr_error *err);
