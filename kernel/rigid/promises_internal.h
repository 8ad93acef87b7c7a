/* The promises of a group that backfills conservatively (READINGS 34): the reservation of every
 * waiting job, which outlives decisions, and what has happened to them since the last one.
 *
 * `start` and what is in `at` belong to the state of the simulation. The timetable, with what hangs
 * on it, is a cache: made of them where it is not valid. */
#pragma once

#include "base/memory.h"
#include "rigid/queue_internal.h"
#include "rigid/timetable_internal.h"

/* A job and its reservation, s. */
typedef struct ori_due {
    double start;
    int32_t job;
} ori_due;

typedef struct ori_promises {
    bool kept; /* the group has them; otherwise there is nothing here */

    struct ori_promises_at {
        int32_t entered; /* jobs that wait and have no reservation yet */
        bool freed;      /* processors are free earlier than planned: reservations may move */
        bool doubted;    /* they are free later: some reservations may not fit any more */
        bool acted;      /* the policy has acted, or something was changed from outside */
    } at;

    /* per job */
    double *start;    /* of its reservation, s; where it waits for one: ORI_RETURNED, ORI_NEW */
    double *promised; /* its first reservation since it waits, s; NaN: none yet */
    int32_t *entered; /* which jobs these are; some may have left again */
    uint8_t *excused; /* the policy, or a change, has made its reservation a later one */
    ori_block block;

    /* the cache */
    bool valid;
    ori_timetable table; /* running jobs, outages and reservations */
    ori_due *due;        /* heap of the jobs that have reservations, by these; so many: */
    int32_t due_count;
    int32_t *place;  /* per job that waits: in the heap; -1: not there */
    int32_t *looked; /* per job: the changes of the table when it last looked for a start */
    int32_t passed;  /* the same of all that had reservations */
    ori_block cache;
} ori_promises;

/* Room for so many jobs, of which, with outages, so many run at once. Safe to destroy after a
 * failure. */
orr_status ori_promises_create(ori_promises *p, int32_t jobs, int32_t running,
                               const orr_allocator *a, orr_error *err);
void ori_promises_destroy(ori_promises *p, const orr_allocator *a);

/* Nobody waits. */
void ori_promises_clear(ori_promises *p, int32_t jobs);
/* Nobody has promised anything to the jobs from `first` on, of `jobs`. */
void ori_promises_add(ori_promises *p, int32_t first, int32_t jobs);

/* Makes `to`, created for as many jobs or more, equal to `from`. */
void ori_promises_copy(ori_promises *to, const ori_promises *from, int32_t jobs);

/* Of a job that is submitted now; of one that was in the queue before. */
#define ORI_NEW (-INFINITY)
#define ORI_RETURNED NAN

/* Whether a job of a queue still waits for its reservation. */
static inline bool ori_has_no_reservation(const ori_promises *p, int32_t job)
{
    return !(p->start[job] > -INFINITY);
}

/* A job has a reservation, or another one than before. */
void ori_promises_note(ori_promises *p, int32_t job);

/* Notes them anew, of all jobs of a queue. */
void ori_promises_renew(ori_promises *p, const ori_queue *q);

/* Takes the job whose reservation is first out of the heap, if that is at `now` or before; -1. */
int32_t ori_promises_take_due(ori_promises *p, double now);

/* A job enters the queue. */
void ori_promises_enter(ori_promises *p, int32_t job, bool is_new);

/* What was not planned has made processors free later; or earlier. */
static inline void ori_promises_doubt(ori_promises *p)
{
    p->valid = false;
    p->at.doubted = true;
}
static inline void ori_promises_free(ori_promises *p)
{
    p->valid = false;
    p->at.freed = true;
}

/* The policy, or somebody outside, takes a job out of the queue: its reservation is given up. */
static inline void ori_promises_withdraw(ori_promises *p, int32_t job)
{
    p->at.acted = true;
    if (p->kept && !ori_has_no_reservation(p, job))
        ori_promises_free(p);
}
