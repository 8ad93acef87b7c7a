/* What the running jobs of each key use of the limits of an instance (READINGS 57), and which jobs
 * that wait are over a limit. These are aside: they are in no queue, so that no discipline sees
 * them, until jobs of their key leave enough. */
#pragma once

#include "base/block_internal.h"
#include "workload/instance.h"

typedef struct ori_limits {
    const orr_jobs *jobs;
    const orr_limit *list;
    int32_t count, room;

    /* per key and limit, at key * count + limit */
    int64_t *used;  /* by running jobs */
    int64_t *most;  /* that one job that has waited uses */
    int32_t *first; /* of the jobs that wait, linked; job + 1, 0: none */
    ori_block keys;
    int64_t key_count;

    /* per job and limit, at job * count + limit: its neighbours there, likewise */
    int32_t *next, *before;
    /* per job */
    uint8_t *aside; /* it waits, and is over a limit */
    int32_t *moved; /* the list that ori_limits_start and ori_limits_end write */
    ori_block block;
    int32_t aside_count; /* jobs */
    orr_allocator alloc;
} ori_limits;

/* NULL: no memory. `room`: for so many jobs. */
ori_limits *ori_limits_create(const orr_instance *in, int32_t room, const orr_allocator *a,
                              orr_error *err);
void ori_limits_destroy(ori_limits *l); /* NULL is fine */

/* Nothing runs or waits. */
void ori_limits_clear(ori_limits *l);
/* Makes `to`, for as many jobs of the same workload, equal to `from`. */
void ori_limits_copy(ori_limits *to, const ori_limits *from);
/* Takes over the jobs that wait, and who is aside, of a workload that goes on in that of `to`. */
void ori_limits_take_over(ori_limits *to, const ori_limits *from);
/* Takes in keys that new jobs have. On failure nothing changes. */
orr_status ori_limits_extend(ori_limits *l, orr_error *err);

/* The first limit that a job would exceed if it started now; *used: of it, may be NULL. NULL:
 * none. */
const orr_limit *ori_limits_exceeded(const ori_limits *l, int32_t job, int64_t *used);

/* A job begins to wait; returns whether it is aside. It waits no more. */
bool ori_limits_wait(ori_limits *l, int32_t job);
void ori_limits_unwait(ori_limits *l, int32_t job);

/* A job, which does not wait, starts or ends. Write to `moved` the waiting jobs that are aside from
 * now on, or not aside any more, and return their number. */
int32_t ori_limits_start(ori_limits *l, int32_t job);
int32_t ori_limits_end(ori_limits *l, int32_t job);
