/* The windows of a simulation: those to come, and the processors that open ones close now (READINGS
 * 48). The opening of a window is in outages.c. Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/availability/named_internal.h"
#include "workload/window.h"

/* Windows given by a setup, a change or another simulation. */
typedef struct ori_given_windows {
    const orr_window *list;
    int64_t count;
    bool were; /* there were windows before that are not in the list */
} ori_given_windows;

typedef struct ori_windows {
    orr_window *list; /* in order of `from`; all with processors that have numbers */
    double *latest;   /* per window, s: the latest end of it and of those in front of it */
    int32_t count;
    int32_t procs;        /* of the machine */
    bool known;           /* there are or were windows: plans may name processors */
    bool reserves;        /* some windows are reservations for certain jobs */
    double *closed_until; /* per processor, s: end of its closing; 0: it is open */

    /* plain fields: copied by assignment */
    struct ori_windows_at {
        int32_t opened; /* number of windows, from the front, that have opened */
        int32_t past;   /* number of windows, from the front, that have closed */
    } at;

    ori_block block;
    orr_allocator alloc;
} ori_windows;

/* ORR_ERR_ARGUMENT with a message for windows that cannot be. Safe to destroy after a failure. */
orr_status ori_windows_create(ori_windows *w, ori_given_windows given, int32_t procs,
                              const orr_allocator *a, orr_error *err);
void ori_windows_destroy(ori_windows *w);
/* Resets the state to before the first window. */
void ori_windows_reset(ori_windows *w);
/* Makes `to` equal to `from`. `to` was created for as many processors or more, with the windows of
 * `from`, or with other windows behind those that have opened. */
void ori_windows_copy(ori_windows *to, const ori_windows *from);

/* Whether two simulations have the same windows. */
bool ori_windows_are_equal(const ori_windows *a, const ori_windows *b);

/* Writes the windows to `list`, which has room for three times as many, changed so that no window
 * that lets attempts end opens on these processors before `until`: it opens then, or is left out.
 * Returns their number; *cut: whether any window has changed. */
int64_t ori_windows_cut(const ori_windows *w, orr_interval run, double until, orr_window *list,
                        bool *cut);

/* The time at which the next window opens, s; inf: none does. */
static inline double ori_windows_next(const ori_windows *w)
{
    return w->at.opened < w->count ? w->list[w->at.opened].from : INFINITY;
}

/* Takes the window that opens next; NULL: it has closed by `now` already. */
const orr_window *ori_windows_open(ori_windows *w, double now);

/* Whether a free processor may be in a window at this time: it is reserved, or the window is about
 * to open at this instant. */
static inline bool ori_windows_keep_free(const ori_windows *w, double now)
{
    return w->reserves || ori_windows_next(w) <= now;
}
/* The number of free processors of a run that are in a window now. */
int32_t ori_windows_cover(const ori_windows *w, orr_interval run, double now);

/* The time from which on windows matter to a group whose first processor is `first`, s: the opening
 * of the next one on its processors; <= now where one is open, or opens at this instant; inf: none
 * is to come. A plan that ends by then is the same as without windows. */
double ori_windows_horizon(const ori_windows *w, int32_t first, int32_t procs, double now);

/* The windows taken into the profile of a group whose first processor is `first`: those in front of
 * `taken`. Processors of those in front of `most` are told apart, many more each time: that is
 * cheap as long as the profile has few steps. */
typedef struct ori_windows_seen {
    const ori_windows *windows;
    ori_named *profile;
    int32_t first, taken, most;
} ori_windows_seen;

/* Tells the processors of these windows apart, from window `from` on. */
void ori_windows_tell_apart(ori_windows_seen *seen, int32_t from);

/* Takes the windows that open at `start` or before, or before `end`, into the profile: those that
 * are closed to all jobs take their processors out, others make steps at their ends. */
orr_status ori_windows_take(ori_windows_seen *seen, double start, double end, orr_error *err);

/* A job's stay on processors of a group from `start` until `end`. Every call of ori_windows_meet
 * finds the processors of the next window that does not admit it, and that has others than the one
 * before (*run, at first none); false: there are no more.
 * reserved: only windows that are reservations for certain jobs count. */
typedef struct ori_stay {
    const orr_jobs *jobs;
    int32_t job, first, procs; /* -1: none; the group's first processor, and how many it has */
    double start, end;
    bool reserved;
    int32_t next; /* 0 at first */
} ori_stay;
bool ori_windows_meet(const ori_windows *w, ori_stay *stay, orr_interval *run);
