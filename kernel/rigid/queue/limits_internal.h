/* What the running jobs of each key use of the limits of an instance (READINGS 57), and which jobs
 * that wait are over a limit. These are aside: they are in no queue, so that no discipline sees
 * them, until jobs of their key leave enough. */
#pragma once

#include "base/block_internal.h"
#include "workload/instance.h"

/* A job does not wait, or it waits: held by its policy, in its queue, or over a limit. */
typedef enum ori_waits { ORI_AWAY, ORI_KEPT, ORI_QUEUED, ORI_ASIDE } ori_waits;

typedef struct ori_limits {
    const orr_instance *in;
    int32_t room, aside_count; /* jobs */
    bool refuses;              /* a limit is on jobs that wait */
    int64_t keys;              /* numbers of keys */
    /* per key and limit */
    int64_t *used; /* by running jobs; of a limit on jobs that wait: by these */
    int64_t *most; /* that one job that has waited uses */
    int32_t *first;
    /* per job and limit: the next job in the list of its key, of those that wait and of some that
       do no more. As in `first`, job + 2; 1: there is none; 0: it is in no list */
    int32_t *next;
    int32_t *key; /* its number + 1, once it is known; 0: it is not yet */
    /* per job */
    int32_t *moved; /* the list that ori_limits_use writes */
    ori_waits *where;
    ori_block block;
    orr_allocator alloc;
} ori_limits;

/* NULL: no memory. `room`: for so many jobs. */
ori_limits *ori_limits_create(const orr_instance *in, int32_t room, const orr_allocator *a,
                              orr_error *err);
void ori_limits_destroy(ori_limits *l); /* NULL is fine */

/* Of so many jobs that may come, for how many there are keys: each may have new labels. */
int32_t ori_limits_room(const ori_limits *l, int32_t jobs);

/* Nothing runs or waits. */
void ori_limits_clear(ori_limits *l);
/* Takes over the jobs that wait, and who is aside; of a copy also what is used. */
void ori_limits_copy(ori_limits *to, const ori_limits *from, bool used);

/* The first limit that a job would exceed if it started now; *used: of it. NULL: none. */
const orr_limit *ori_limits_exceeded(const ori_limits *l, int32_t job, int64_t *used);

/* A job begins to wait; returns whether it is aside. It waits no more. */
bool ori_limits_wait(ori_limits *l, int32_t job);
void ori_limits_unwait(ori_limits *l, int32_t job);
/* A job that does not wait is held by its policy: it counts as one that waits. */
void ori_limits_hold(ori_limits *l, int32_t job);
/* The number of the limit that has so many waiting jobs, *waiting, that this one is refused; -1:
 * none. */
int32_t ori_limits_refusing(const ori_limits *l, int32_t job, int64_t *waiting);

/* Counts a start (by 1) that is only on paper, or takes it back (by -1): nobody moves. */
void ori_limits_count(ori_limits *l, int32_t job, int by);

/* A job, which does not wait, starts (by 1), or its attempt ends (by -1). Writes to `moved` the
 * jobs that are aside from now on, or not any more, and returns their number. */
int32_t ori_limits_use(ori_limits *l, int32_t job, int by);
/* The same where the limits have changed, of all jobs. */
int32_t ori_limits_review(ori_limits *l);
