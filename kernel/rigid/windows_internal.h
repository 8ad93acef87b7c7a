/* Windows as a simulation has them: which ones are to come, and which processors they close now
 * (READINGS 48). What happens when one opens is in outages.c. Internal to this folder. */
#pragma once

#include "base/block_internal.h"
#include "rigid/named_internal.h"
#include "workload/window.h"

/* Windows that somebody gives. */
typedef struct ori_given_windows {
    const orr_window *list;
    int64_t count;
    bool were; /* there were some before, which are not in the list */
} ori_given_windows;

typedef struct ori_windows {
    orr_window *list; /* in order of `from`; all with processors that have numbers */
    int32_t count;
    int32_t procs;        /* of the machine */
    bool known;           /* there are some, or were: plans name processors */
    bool reserves;        /* some are for somebody */
    double *closed_until; /* per processor, s: when it is open again to everybody; 0: it is open */
    double *reserved_until; /* the same of those that are for somebody */

    /* plain: a copy has the same */
    struct ori_windows_at {
        int32_t opened; /* windows in front of that have opened */
        int32_t past;   /* and have closed */
    } at;

    ori_block block;
    orr_allocator alloc;
} ori_windows;

/* ORR_ERR_ARGUMENT with a message for windows that cannot be. Safe to destroy after a failure. */
orr_status ori_windows_create(ori_windows *w, ori_given_windows given, int32_t procs,
                              const orr_allocator *a, orr_error *err);
void ori_windows_destroy(ori_windows *w);
/* Before the first of them. */
void ori_windows_reset(ori_windows *w);
/* Makes `to`, created for as many processors or more with the windows of `from`, or with others
 * behind those that have opened, equal to it. */
void ori_windows_copy(ori_windows *to, const ori_windows *from);

/* Whether two simulations know the same ones. */
bool ori_windows_are_equal(const ori_windows *a, const ori_windows *b);

/* Into `list`, which has room for three times as many: the windows, of which none that lets
 * attempts end is to open on these processors before `until`: it opens then, or is left out.
 * Returns their number; *cut: whether any is another. */
int64_t ori_windows_cut(const ori_windows *w, orr_interval run, double until, orr_window *list,
                        bool *cut);

/* When the next one opens, s; inf: none does. */
static inline double ori_windows_next(const ori_windows *w)
{
    return w->at.opened < w->count ? w->list[w->at.opened].from : INFINITY;
}

/* Takes the one that opens next; NULL: it has closed by `now` already. */
const orr_window *ori_windows_open(ori_windows *w, double now);

/* Whether a processor may be free at this time and in a window: it is reserved, or the window is
 * about to open at this instant. */
static inline bool ori_windows_keep_free(const ori_windows *w, double now)
{
    return w->reserves || ori_windows_next(w) <= now;
}
/* Whether a window has this processor now. */
bool ori_windows_cover(const ori_windows *w, int32_t processor, double now);

/* What of the windows a profile of a group has, whose first processor is `first`: those in front of
 * `taken`. */
typedef struct ori_windows_seen {
    const ori_windows *windows;
    ori_named *profile;
    int32_t first, taken;
} ori_windows_seen;

/* Takes out of a profile that begins anew what windows close to everybody, and makes steps where
 * others end: for now of those that have opened, and of the others where a search comes to them. */
orr_status ori_windows_take(ori_windows_seen *seen, orr_error *err);

/* Takes out of a set of a group's processors those on which windows do not admit a job from `start`
 * until `end`; reserved: only windows that are for somebody. Whether it took any. */
typedef struct ori_stay {
    const orr_jobs *jobs;
    int32_t job; /* -1: none */
    double start, end;
} ori_stay;
bool ori_windows_withhold(const ori_windows *w, const ori_stay *stay, int32_t first, int32_t procs,
                          bool reserved, uint64_t *set);
