/* A timetable: how many processors are free when, kept from decision to decision, while
 * reservations come, go and move.
 *
 * It is a step function of time, from now on. The steps lie in blocks of at most 64, in order. Of
 * every block bounds of the numbers of processors are known, so that a search passes over blocks in
 * which it can neither begin nor be stopped. A change leaves these bounds true, and a search that
 * finds nothing makes them close. A change costs O(steps / 64 + the steps that it spans), a search
 * mostly O(steps / 64). Behind its last step a block repeats it, at time inf: so all 64 can be
 * compared at once, whatever their number.
 *
 * Every step remembers when processors were last given back there, as a number that grows
 * with every change: a job that has looked for an earlier start in vain needs to look only where
 * processors were given back since (ori_timetable_move).
 *
 * The room is there from creation on. Numbers of processors may be negative. */
#pragma once

#include "base/block_internal.h"
#include "rigid/no_earlier_internal.h"

#include <math.h>

enum { ORI_TIMETABLE_BLOCK = 64 };

typedef struct ori_timetable_block {
    double time[ORI_TIMETABLE_BLOCK];   /* s, ascending, all different; the first step of all:
                                            now, or before */
    int32_t free[ORI_TIMETABLE_BLOCK];  /* processors from time[i] until the next step, the last
                                            one for ever */
    int32_t given[ORI_TIMETABLE_BLOCK]; /* the latest change that gave some back; see `changes` */
} ori_timetable_block;

typedef struct ori_timetable {
    /* per block that is used, in order of time */
    double *first;         /* time of its first step, s */
    int32_t *least, *most; /* processors of its steps: none has fewer, none more */
    int32_t *newest;       /* the largest `given` of its steps */
    int32_t *count;        /* its steps, >= 1 */
    int32_t *place;        /* in `blocks`; behind those that are used the others */
    ori_timetable_block *blocks;
    int32_t used, capacity;
    int32_t changes;        /* by which processors were given back, so far */
    ori_no_earlier *bounds; /* of what is reserved next; NULL: too few steps for that */
    int64_t age;            /* of these: another one whenever processors are given back */
    ori_block block;
} ori_timetable;

/* Room for so many steps; the block is the owner's to destroy, also after a failure. */
orr_status ori_timetable_create(ori_timetable *t, int64_t steps, const orr_allocator *a,
                                orr_error *err);

/* Begins anew with one step: so many processors, given back by the first change. */
void ori_timetable_begin(ori_timetable *t, double now, int32_t free);

/* Adds a step behind all others; one at the time of the last takes its place. */
void ori_timetable_append(ori_timetable *t, double time, int32_t free);

/* Takes processors from `from` until `to` > from, which may be inf; gives them back. */
void ori_timetable_take(ori_timetable *t, double from, double to, int32_t procs);
void ori_timetable_give(ori_timetable *t, double from, double to, int32_t procs);

/* Lets time pass until `now`. */
void ori_timetable_advance(ori_timetable *t, double now);

/* The end of what is planned to end at `end`: what takes no time holds its processors for an
 * instant that is shorter than any other time (READINGS 34). */
static inline double ori_timetable_end(double start, double end)
{
    return end > start ? end : nextafter(start, INFINITY);
}

/* How long a job holds processors: from s until (s + estimate) + verification. */
typedef struct ori_request {
    int32_t procs;
    double estimate, verification; /* s */
} ori_request;

static inline double ori_request_end(const ori_request *r, double start)
{
    return ori_timetable_end(start, (start + r->estimate) + r->verification);
}

/* Whether so many processors are free all the time from `from` until `to`. */
bool ori_timetable_has(const ori_timetable *t, double from, double to, int32_t procs);

/* Takes the processors of a request at its earliest start, and returns this; inf where there is
 * none. */
double ori_timetable_reserve(ori_timetable *t, const ori_request *r);

/* Where processors were given back: a job may find an earlier start than its own only if it needs
 * no more than most[i], and starts after time[i], for some i. Both ascend. */
enum { ORI_NEWS = 16 };
typedef struct ori_news {
    double time[ORI_NEWS];                   /* s */
    int32_t block[ORI_NEWS], step[ORI_NEWS]; /* of the timetable, where it has not changed since */
    int32_t most[ORI_NEWS];
    int32_t count;
} ori_news;

/* What was given back after the change `since`. */
void ori_timetable_news(ori_timetable *t, int32_t since, ori_news *news);

/* The first that gave back so many processors as a job needs, which are no more than the last of
 * them gave back. */
static inline int32_t ori_news_first(const ori_news *news, int32_t procs)
{
    int32_t i = 0;
    while (news->most[i] < procs)
        i++;
    return i;
}

/* Moves a request, which has its processors from `start` on (inf: it has none), to its earliest
 * start, and returns this. It had no earlier one than `start` when there were `since` changes. What
 * was given back since is in the news, from number `from` on. */
double ori_timetable_move(ori_timetable *t, const ori_request *r, double start, int32_t since,
                          const ori_news *news, int32_t from);
