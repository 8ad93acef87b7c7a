/* Named availability: which processors are free when?
 *
 * ori_plan (profile_internal.h) and ori_timetable count processors. Where a job may not run on just
 * any of them (READINGS 46), counting is not enough: here every step of time has a set of
 * processors, the free ones. Attempts, outages, windows and reservations take their sets of
 * processors out of it for a time.
 *
 * Processors are numbered from 0, the first of their group. Those that lie side by side and that
 * no run has told apart yet are a cell; a set is a row of bits, one for each cell. Every 128th
 * beginning makes all processors one cell again, and so does every one of a profile that is kept.
 * Steps stand in order of time, the last one lasts for ever. Several steps have the same time if
 * something takes no time. A search passes over steps that have too few processors, 16 at once, and
 * costs O(cells / 64) for every other one that it spans. The room grows with the steps.
 *
 * Every step knows when processors last came back there, as a number that grows: a wish that has
 * looked for an earlier start in vain needs to look only where some came back since
 * (ori_named_gain). */
#pragma once

#include "base/block_internal.h"
#include "rigid/availability/wish_internal.h"
#include "schedule/procset.h"

/* Runs of processors, ascending, not touching. */
typedef struct ori_runs {
    orr_interval *list;
    int32_t count;
    int64_t capacity;
} ori_runs;

/* Removes from `common` the free processors that a wish may not have from `start` until `end`.
 * Returns whether it removed any. */
typedef struct ori_named ori_named;
typedef bool (*ori_named_withhold)(const void *user, const ori_wish *wish, double start, double end,
                                   ori_named *n);

/* Takes out of the profile everything known that begins at `start` or before, or before `end`. */
typedef orr_status (*ori_named_extend)(void *user, double start, double end, orr_error *err);

struct ori_named {
    int32_t procs, cells;
    int32_t words, stride; /* of a set: words in use, and from one set to the next */
    int32_t *cell;         /* per cell, and behind the last one: its first processor */
    uint64_t *begins;      /* per processor, and behind the last one, a bit: a cell begins there */
    int32_t *rank;         /* per word of these: how many begin in front of it */
    /* per step of time */
    double *time;    /* s */
    int64_t *set;    /* its place in `free`; that of the step before, only if the sets are equal */
    int32_t *size;   /* how many processors are free */
    int32_t *given;  /* the number of the last gain that gave some back */
    uint64_t *free;  /* sets, of steps and unused ones; the bits behind the last cell are 0 */
    int64_t *unused; /* those in front of `sets` that no step has */
    int64_t count, capacity, sets, unused_count;
    int32_t gains; /* how often processors came back, > 0 */
    bool kept;     /* from decision to decision, with as few steps and cells as can be: a wish that
                      finds something in a set finds it in every set that contains it */
    ori_block block;
    uint64_t *common; /* a set: processors free during the whole interval of a search */
    uint64_t *held;   /* a set: what a wish has from `held_from` on, s, which looks for an
                                    earlier start; INFINITY: it has none */
    double held_from, held_until; /* until: where processors came back then, its end */
    const ori_runs *unmarked;     /* the same as runs; NULL: `held` has them */
    uint64_t *changed;            /* a set: the processors of a change; empty in between */
    ori_runs runs;                /* the same as runs */
    int64_t begun;                /* how often */
    ori_named_withhold withhold;  /* NULL: nothing is withheld */
    const void *withhold_user;
    double horizon; /* s: whatever begins from then on is not taken out yet; a search that reaches
                       it calls `extend`. INFINITY: everything is taken out. Later than the first
                       step */
    ori_named_extend extend;
    void *extend_user;
    ori_block own;
    orr_allocator alloc;
};

/* Safe to destroy after a failure. */
orr_status ori_named_create(ori_named *n, int32_t procs, const orr_allocator *a, orr_error *err);
void ori_named_destroy(ori_named *n);

/* --- sets ------------------------------------------------------------------------------------- */

/* Tells the processors of a run apart from all others. */
void ori_named_tell_apart(ori_named *n, orr_interval run);

/* Removes the processors of a run from `common`; returns whether it removed any. */
bool ori_named_remove(ori_named *n, orr_interval run);

/* --- steps ------------------------------------------------------------------------------------ */

/* Before a beginning, which forgets all steps: makes all processors one cell now and then. Returns
 * whether it did; then the runs that searches will meet may be told apart at once. */
bool ori_named_joins(ori_named *n);

/* Begins again with one step at which these runs are free. The horizon is INFINITY. */
orr_status ori_named_begin(ori_named *n, double now, const ori_runs *free, orr_error *err);

/* Moves the start of the profile to `now`. */
void ori_named_advance(ori_named *n, double now);

/* Makes processors free from `time` on, which is not before the last step. If `time` is that of the
 * first step, they make a second step, unless `merged`. */
orr_status ori_named_append(ori_named *n, double time, orr_interval run, bool merged,
                            orr_error *err);

/* Makes a step at `time`, later than the first step: a job may start at this time. */
orr_status ori_named_mark(ori_named *n, double time, orr_error *err);

/* Makes the processors busy, or free, from `start` until `end` > start, which may be inf. */
orr_status ori_named_change(ori_named *n, double start, double end, const ori_runs *runs,
                            bool gives, orr_error *err);

/* Makes the processors busy from step `index` on. A job that takes no time takes only this step;
 * the next step has the same time. */
orr_status ori_named_take_at(ori_named *n, int64_t index, double end, const ori_runs *runs,
                             orr_error *err);

/* Whether all these processors are free from `start`, not before the first step, until `end`, not
 * behind the horizon. */
bool ori_named_has(ori_named *n, double start, double end, const ori_runs *runs);

#ifdef ORI_CHECKS
/* Whether the same processors are free in both, from the later first step until the earlier
 * horizon. */
bool ori_named_is_like(const ori_named *a, const ori_named *b);
#endif

/* Notes that processors came back from `from` until `to`: a gain. */
void ori_named_note_gain(ori_named *n, double from, double to);
/* Before a beginning: all that it has is a gain, which has the number 1 if gains are forgotten. */
static inline void ori_named_renew_gains(ori_named *n, bool forget)
{
    n->gains = forget ? 1 : n->gains + 1;
}

/* --- searches --------------------------------------------------------------------------------- */

/* Looks for a set for a wish among the free processors; *found: whether there is one. */
typedef orr_status (*ori_named_find)(void *user, const ori_wish *wish, const ori_runs *free,
                                     bool *found, orr_error *err);

/* Whether `find` finds a set that is free from the first step until the wish's end. */
orr_status ori_named_starts_now(ori_named *n, const ori_wish *wish, ori_named_find find, void *user,
                                bool *found, orr_error *err);

/* For a wish that has its own processors from `start` on (inf: it has none), and had found nothing
 * better when there were `since` gains: *earlier becomes the earliest start, if there is an earlier
 * one; `start`, if `find` finds a set then, which may be its own one; else INFINITY. */
orr_status ori_named_gain(ori_named *n, const ori_wish *wish, double start, const ori_runs *own,
                          int32_t since, ori_named_find find, void *user, double *earlier,
                          orr_error *err);

/* As ori_named_earliest for one start, not before the first step: *index is its step. */
orr_status ori_named_at(ori_named *n, const ori_wish *wish, double start, ori_named_find find,
                        void *user, int64_t *index, orr_error *err);

/* *index: the first step, not before `from`, from which `find` finds a set that is free until the
 * wish's end; -1: there is none. */
orr_status ori_named_earliest(ori_named *n, const ori_wish *wish, double from, ori_named_find find,
                              void *user, int64_t *index, orr_error *err);
