/* A timetable: the number of free processors over time, kept from decision to decision while
 * reservations are added, removed and moved.
 *
 * It is a step function of time, from now on. The steps lie in blocks of at most 64, in order.
 * Every block has bounds of its numbers of processors, so that a search skips blocks in which it
 * can neither begin nor be stopped. A change keeps these bounds true, and a search that finds
 * nothing makes them tight. A change costs O(steps / 64 + the steps that it spans), a search mostly
 * O(steps / 64). A block with fewer than 64 steps repeats its last step at time inf, so that all 64
 * can be compared at once.
 *
 * Every step remembers when processors were last given back there, as a number that grows
 * with every change: a job that has looked for an earlier start in vain needs to look only where
 * processors were given back since (ori_timetable_move).
 *
 * Memory is allocated only at creation. Numbers of processors may be negative. */
#pragma once

#include "base/block_internal.h"
#include "rigid/availability/no_earlier_internal.h"
#include "rigid/availability/wish_internal.h"

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
    int32_t *place;        /* place in `blocks`; unused blocks stand behind the used ones */
    ori_timetable_block *blocks;
    int32_t used, capacity;
    int32_t changes;        /* number of changes so far that gave processors back */
    ori_no_earlier *bounds; /* bounds for the next reservations; NULL: too few steps for them */
    int64_t age;            /* the age of the bounds: a new one whenever processors come back */
    int32_t passed;         /* `changes` when everybody looked last for an earlier start */
    int32_t lowest; /* the fewest processors that were free where some were given back since: who
                        needs no more has not waited for these */
    ori_block block;
} ori_timetable;

/* Room for `steps` steps; the block is the owner's to destroy, also after a failure. */
orr_status ori_timetable_create(ori_timetable *t, int64_t steps, const orr_allocator *a,
                                orr_error *err);

/* Begins again with one step of `free` processors, given back by the first change. */
void ori_timetable_begin(ori_timetable *t, double now, int32_t free);

/* Adds a step behind all others; a step at the time of the last one replaces it. */
void ori_timetable_append(ori_timetable *t, double time, int32_t free);

/* Takes processors from `from` until `to` > from, which may be inf, or gives them back. */
void ori_timetable_take(ori_timetable *t, double from, double to, int32_t procs);
void ori_timetable_give(ori_timetable *t, double from, double to, int32_t procs);

/* Moves the start of the timetable to `now`. */
void ori_timetable_advance(ori_timetable *t, double now);

/* The end in the timetable of a job that is planned to end at `end`: a job that takes no time holds
 * its processors until the next double (READINGS 34). */
static inline double ori_timetable_end(double start, double end)
{
    return end > start ? end : nextafter(start, INFINITY);
}

/* Whether `procs` processors are free during the whole time from `from` until `to`. */
bool ori_timetable_has(const ori_timetable *t, double from, double to, int32_t procs);

/* The earliest start of a wish that lasts, not before `from`, and before `before`, from where on it
 * has its processors (inf: it has none); inf if there is none. */
double ori_timetable_earlier(const ori_timetable *t, const ori_wish *w, double from, double before);

/* Moves what it has from `start` on to such an earlier start `first`. */
void ori_timetable_pull(ori_timetable *t, const ori_wish *w, double start, double first);

/* Takes the processors of a wish that lasts at its earliest start, and returns the start; inf if
 * there is none. */
double ori_timetable_reserve(ori_timetable *t, const ori_wish *w);

/* The steps at which processors were given back. A job may find an earlier start than its own only
 * if, for some i, it needs no more than most[i] processors and starts after time[i]. Both arrays
 * ascend. */
enum { ORI_NEWS = 16 };
typedef struct ori_news {
    double time[ORI_NEWS];                   /* s */
    int32_t block[ORI_NEWS], step[ORI_NEWS]; /* in the timetable, valid if it has not changed
                                                since */
    int32_t most[ORI_NEWS];
    int32_t count;
} ori_news;

/* Lists the processors given back after the change `since`. */
void ori_timetable_news(ori_timetable *t, int32_t since, ori_news *news);

/* The first entry with at least as many processors as a job needs. The job must not need more than
 * the last entry has. */
static inline int32_t ori_news_first(const ori_news *news, int32_t procs)
{
    int32_t i = 0;
    while (news->most[i] < procs)
        i++;
    return i;
}

/* The first start from which a wish that lasts, and has its processors from `before` on, would have
 * them by what was given back after the change `since`, which the news list from number `from` on;
 * inf: none. */
double ori_timetable_gain(ori_timetable *t, const ori_wish *w, double before, int32_t since,
                          const ori_news *news, int32_t from);

/* Moves a wish that lasts, which has its processors from `start` on (inf: it has none), to its
 * earliest start, and returns this start. It had no earlier start when there were `since` changes.
 * The news, from number `from` on, lists the processors given back since then. */
double ori_timetable_move(ori_timetable *t, const ori_wish *w, double start, int32_t since,
                          const ori_news *news, int32_t from);
