/* What a policy may ask of a simulation, and do to it.
 *
 * The questions may be asked at any time; jobs are started and reservations made only inside the
 * policy's dispatch function. Jobs are named by position. A decision that cannot be carried out is
 * ORR_ERR_POLICY with a message naming the job and the numbers, and changes nothing; the dispatch
 * function should pass it on, and the engine adds the policy and the time. */
#ifndef ORR_RIGID_DECIDE_H
#define ORR_RIGID_DECIDE_H

#include "rigid/policy.h"

typedef enum orr_job_state {
    ORR_JOB_PENDING, /* not submitted yet */
    ORR_JOB_WAITING,
    ORR_JOB_RUNNING,
    ORR_JOB_OVER
} orr_job_state;

/* Where the simulation stands. */
typedef struct orr_rigid_view {
    const orr_instance *instance;
    double now;      /* s */
    int32_t free;    /* processors */
    int32_t waiting; /* jobs */
    int32_t running; /* jobs */
    int32_t over;    /* jobs */
    uint64_t seed, set, scenario;
    orr_pcg *rng;  /* the policy's generator: part of the simulation, copied with it */
    void *state;   /* what make_state made */
    bool deciding; /* inside the dispatch function */
} orr_rigid_view;
ORR_API orr_rigid_view orr_rigid_look(orr_rigid *sim);

/* A job's state; the number of its attempts that have started; the start of the latest (s) and when
 * that is planned to end (s), both NaN before the first. */
typedef struct orr_job_view {
    orr_job_state state;
    int32_t attempts;
    double start, planned_end;
} orr_job_view;
ORR_API orr_job_view orr_rigid_job(const orr_rigid *sim, int32_t job);

/* The next waiting job in queue order behind `job` (-1: from the front), with at most max_procs
 * processors (INT32_MAX - 1: any); -1 when there is none. `job` itself may have been started. */
ORR_API int32_t orr_rigid_next_waiting(const orr_rigid *sim, int32_t job, int32_t max_procs);

/* Writes the running jobs in order of (start, position) to `jobs`, which has room for all of
 * them. */
ORR_API void orr_rigid_running(const orr_rigid *sim, int32_t *jobs);

/* The next two need the planned ends of the running jobs, which a simulation keeps where somebody
 * may ask: with a recording, hooks (a dispatch function, a state), or a priority per attempt or per
 * decision. Elsewhere the first answers NaN and the second false.
 *
 * The earliest time, s, at which `procs` processors can be had for `seconds` (plus verification),
 * given the planned ends of running jobs and the reservations of this decision. procs in
 * 1 .. machine. */
ORR_API double orr_rigid_earliest_start(orr_rigid *sim, int32_t procs, double seconds);

/* Whether a waiting job could start now without delaying a reservation of this decision. */
ORR_API bool orr_rigid_can_start(orr_rigid *sim, int32_t job);

/* Starts a waiting job now. It must fit on the free processors. */
ORR_API orr_status orr_rigid_start(orr_rigid *sim, int32_t job, orr_error *err);

/* Reserves the earliest possible time for a waiting job until the end of this decision; *start,
 * when not NULL, is that time (s). */
ORR_API orr_status orr_rigid_reserve(orr_rigid *sim, int32_t job, double *start, orr_error *err);

#endif
