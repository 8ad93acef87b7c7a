/* Named availability: which processors are free when?
 *
 * ori_plan (profile_internal.h) and ori_timetable count processors. Where a job may not run on just
 * any of them (READINGS 46), counting is not enough: here every step of time has a set of
 * processors, the free ones. Attempts, outages, windows and reservations all take their
 * sets out of it for a time; whatever else has a time and processors can do the same.
 *
 * A set is a row of bits. Processors are numbered from 0, the first of their group. Steps stand in
 * order of time, the last one lasts for ever; several have the same time where something takes no
 * time. A search passes over steps that have too few processors, and costs O(procs / 64) for
 * every other one that it spans. The room grows with the steps. */
#pragma once

#include "base/block_internal.h"
#include "schedule/procset.h"

#include <math.h>

/* Runs of processors, ascending, not touching. */
typedef struct ori_runs {
    orr_interval *list;
    int32_t count;
    int64_t capacity;
} ori_runs;

/* What is looked for: some `procs` processors for so long, seconds. */
typedef struct ori_wish {
    int32_t job; /* -1: none */
    int32_t procs;
    double estimate, verification;
    bool lasts; /* what takes no time takes the time until the next number that a double can hold */
} ori_wish;

/* Takes out of a set what a wish may not have from `start` until `end`, though it is free. Whether
 * it took any. */
typedef bool (*ori_named_withhold)(const void *user, const ori_wish *wish, double start, double end,
                                   uint64_t *set);

/* Takes out of it what is known to be taken and begins at `start` or before, or before `end`. */
typedef orr_status (*ori_named_extend)(void *user, double start, double end, orr_error *err);

typedef struct ori_named {
    int32_t procs, words; /* of a set */
    double *time;         /* s, per step */
    int32_t *size;        /* per step: how many processors are free */
    int64_t *place;       /* per step: of its set in `free` */
    uint64_t *free;       /* sets; the bits behind the last processor are 0 */
    int64_t count, capacity;
    ori_block block;
    uint64_t *common;            /* a set: what is free all the time that is being looked at */
    ori_named_withhold withhold; /* NULL: nothing is */
    const void *withhold_user;
    double horizon; /* s: what begins from then on is not taken out yet; a search that comes so far
                       asks for it. INFINITY: all is. Later than the first step */
    ori_named_extend extend;
    void *extend_user;
    ori_block own;
    orr_allocator alloc;
} ori_named;

/* Safe to destroy after a failure. */
orr_status ori_named_create(ori_named *n, int32_t procs, const orr_allocator *a, orr_error *err);
void ori_named_destroy(ori_named *n);

/* --- sets ------------------------------------------------------------------------------------- */

/* The next run of processors of a set from `from` on; false: there is none. */
bool ori_set_next_run(const uint64_t *set, int32_t procs, int32_t from, orr_interval *run);

/* Takes the processors of a run out of a set; how many were in it. */
int32_t ori_set_remove(uint64_t *set, orr_interval run);

/* --- steps ------------------------------------------------------------------------------------ */

/* Begins anew with one step, at which so much is free. The horizon is INFINITY. */
orr_status ori_named_begin(ori_named *n, double now, const orr_interval *free, int32_t count,
                           orr_error *err);

/* Processors are free from `time` on, which is no earlier than that of the last step. What is free
 * at the time of the first step itself makes a second one, unless `merged`. */
orr_status ori_named_append(ori_named *n, double time, orr_interval run, bool merged,
                            orr_error *err);

/* What is free, and nothing else, as a set; valid until the next search. */
uint64_t *ori_named_set(ori_named *n, const orr_interval *free, int32_t count);

/* A step begins at `time`, later than the first one: somebody may be waiting for then. */
orr_status ori_named_mark(ori_named *n, double time, orr_error *err);

/* The processors are not free from `start` until `end` > start, which may be inf. */
orr_status ori_named_take(ori_named *n, double start, double end, const ori_runs *runs,
                          orr_error *err);
/* They are. */
orr_status ori_named_give(ori_named *n, double start, double end, const ori_runs *runs,
                          orr_error *err);

/* As take, from step `index` on; what takes no time takes that step alone, and the one behind it
 * has the same time. */
orr_status ori_named_take_at(ori_named *n, int64_t index, double end, const ori_runs *runs,
                             orr_error *err);

/* Whether they are all free from `start`, not before the first step, until `end`, which is not
 * behind the horizon. */
bool ori_named_has(const ori_named *n, double start, double end, const ori_runs *runs);

/* --- searches --------------------------------------------------------------------------------- */

/* When something that starts then is over. */
double ori_wish_end(const ori_wish *w, double start);

/* Looks for a set for a wish among the free processors; *found: whether there is one. */
typedef orr_status (*ori_named_find)(void *user, const ori_wish *wish, const uint64_t *free,
                                     bool *found, orr_error *err);

/* Whether `find` finds a set that is free from the first step until the wish's end. */
orr_status ori_named_starts_now(ori_named *n, const ori_wish *wish, ori_named_find find, void *user,
                                bool *found, orr_error *err);

/* The first step at whose time `find` finds a set that is free until the wish's end; -1: there is
 * none. */
orr_status ori_named_earliest(ori_named *n, const ori_wish *wish, ori_named_find find, void *user,
                              int64_t *index, orr_error *err);
