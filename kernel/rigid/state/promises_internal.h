/* The promises of a group that backfills conservatively (READINGS 34): the reservation of every
 * waiting job, kept from decision to decision, and the changes since the last decision.
 *
 * `start` and `at` belong to the state of the simulation. The timetable and the fields behind
 * `valid` are a cache, made from `start` and `at` if it is not valid. */
#pragma once

#include "base/memory.h"
#include "rigid/availability/timetable_internal.h"
#include "rigid/queue/queue_internal.h"

struct orr_rigid;
struct ori_group;

/* A job and its reservation, s. */
typedef struct ori_due {
    double start;
    int32_t job;
} ori_due;

typedef struct ori_promises {
    bool kept; /* the group has promises; otherwise the other fields are not used */

    struct ori_promises_at {
        int32_t entered; /* jobs that wait and have no reservation yet */
        bool freed;      /* processors are free earlier than planned: reservations may move */
        bool doubted;    /* processors are free later than planned: some reservations may not fit
                            any more */
        bool acted;      /* the policy has acted, or something was changed from outside */
    } at;

    /* per job */
    double *start;    /* start of its reservation, s; without one: ORI_RETURNED, ORI_NEW */
    double *promised; /* its first reservation since it waits, s; NaN: none yet */
    int32_t *entered; /* the list of at.entered jobs; some may have left again */
    uint8_t *excused; /* the policy, or a change, has made its reservation later */
    ori_block block;

    /* the cache */
    bool valid;
    int32_t given_up; /* how often reservations were given up, not at an end */
    bool current; /* by name: the profile, where it is still there, is the one that would be made */
    bool steady;  /* by name: every promise has looked in vain, and no processors were given back
                    since */
    ori_timetable table;                 /* running jobs, outages and reservations */
    ori_timetable pools[ORR_MOST_NEEDS]; /* the same of each pool */
    int32_t pool_count;                  /* 0: pools are planned anew at decisions */
    ori_due *due;                        /* heap of the jobs with reservations, by their starts */
    int32_t due_count;
    int32_t *place;  /* per waiting job: its place in the heap; -1: none */
    int32_t *looked; /* per job: table.changes, or by name the gains, when it last looked for a
                        start */
    ori_block cache;
} ori_promises;

/* The timetable of the processors (0) or of pool i - 1, and what a job needs of it. */
static inline ori_timetable *ori_promises_table(ori_promises *p, int32_t i)
{
    return i == 0 ? &p->table : &p->pools[i - 1];
}

static inline int32_t ori_promised_need(const orr_instance *in, int32_t job, int32_t i)
{
    return i == 0 ? in->jobs->procs[job] : (int32_t)orr_need_of(in, job, i - 1);
}

/* Room for `jobs` jobs, and for `running` running jobs and outages at once, with timetables of
 * `pools` pools. Safe to destroy after a failure. */
orr_status ori_promises_create(ori_promises *p, int32_t jobs, int32_t running, int32_t pools,
                               const orr_allocator *a, orr_error *err);
void ori_promises_destroy(ori_promises *p, const orr_allocator *a);

/* Clears all promises: no job waits. */
void ori_promises_clear(ori_promises *p, int32_t jobs);
/* The jobs from `first` on, of `jobs`, get no promises yet. */
void ori_promises_add(ori_promises *p, int32_t first, int32_t jobs);

/* Makes `to`, created for as many jobs or more, equal to `from`. */
void ori_promises_copy(ori_promises *to, const ori_promises *from, int32_t jobs);

/* `start` of a job without a reservation: it is submitted now, or it was in the queue before. */
#define ORI_NEW (-INFINITY)
#define ORI_RETURNED NAN

/* Whether a job of a queue still waits for its reservation. */
static inline bool ori_has_no_reservation(const ori_promises *p, int32_t job)
{
    return !(p->start[job] > -INFINITY);
}

/* Whether a job of a queue has a reservation with a start. */
static inline bool ori_is_promised(const ori_promises *p, int32_t job)
{
    return p->start[job] > -INFINITY && p->start[job] < INFINITY;
}

/* Notes a new or changed reservation of a job in the heap. */
void ori_promises_note(ori_promises *p, int32_t job);

/* Notes the reservations of all jobs of a queue again. */
void ori_promises_renew(ori_promises *p, const ori_queue *q);

/* Takes the job with the first reservation out of the heap, if it is due at `now` or before;
 * otherwise returns -1. */
int32_t ori_promises_take_due(ori_promises *p, double now);

/* A job enters the queue. */
void ori_promises_enter(ori_promises *p, int32_t job, bool is_new);

/* Moves the start of the timetables to `now`. */
void ori_promises_advance(ori_promises *p, double now);

/* Takes what a job needs out of the timetables from `from` until `to` > from (s, may be inf), or
 * gives it back. */
void ori_promises_change(ori_promises *p, const orr_instance *in, int32_t job, double from,
                         double to, bool takes);

/* An attempt ends, before or at its planned end. */
orr_status ori_rigid_promises_end(const struct orr_rigid *sim, struct ori_group *g, int32_t job,
                                  orr_error *err);

/* An unplanned event has made processors free later (doubt) or earlier (free). */
static inline void ori_promises_doubt(ori_promises *p)
{
    p->valid = p->current = p->steady = false;
    p->at.doubted = true;
}
static inline void ori_promises_free(ori_promises *p)
{
    p->valid = p->current = p->steady = false;
    p->given_up++;
    p->at.freed = true;
}

/* The policy, or a change from outside, takes a job out of the queue: its reservation is given
 * up. */
static inline void ori_promises_withdraw(ori_promises *p, int32_t job)
{
    p->at.acted = true;
    if (p->kept && !ori_has_no_reservation(p, job))
        ori_promises_free(p);
}
