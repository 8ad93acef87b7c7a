/* Windows: times, known beforehand, in which processors are closed (for maintenance, or because the
 * machine becomes smaller) or open to some jobs only (advance reservations; READINGS 48). */
#pragma once

#include "workload/nodes.h"

/* Values of orr_window.first that are not a processor. */
enum {
    ORR_WINDOW_HIGHEST = -1, /* the `count` highest-numbered processors of the machine */
    ORR_WINDOW_ABOVE = -2    /* all but the `count` lowest-numbered ones: the machine has `count`
                                processors */
};

/* In a window, from `from` to `to`, only attempts that the window is for run on its processors.
 * Windows may overlap: an attempt may use a processor only if all windows there admit it. */
typedef struct orr_window {
    double from, to;      /* s, on the instance's clock; to > from, inf: for ever */
    int32_t first, count; /* processors first .. first + count - 1, or see above */
    const char *user;     /* borrowed: the jobs of this user may use it; or NULL */
    const char *job;      /* borrowed: the job with this id may use it; or NULL */
    bool drains;          /* a drain at a time, and no maintenance: for ORR_BEFORE_DRAIN */
    bool lets_end;        /* attempts running when it opens go on to their end; not for
                             reservations */
} orr_window;

/* An amount of a pool that is closed from `from` to `to` (READINGS 48). */
typedef struct orr_closing {
    double from, to; /* s, as of a window */
    orr_pool pool;   /* its name, and the amount that is closed, >= 1 */
} orr_closing;

/* Whether a window is a reservation: its processors stay in service. */
static inline bool orr_window_is_reserved(const orr_window *w)
{
    return w->user || w->job;
}

/* Whether a window overlaps the time from `start` to `end`; an interval of length 0 is at
 * `start`. */
static inline bool orr_window_meets(const orr_window *w, double start, double end)
{
    return w->to > start && (w->from < end || w->from <= start);
}

/* --- lists ------------------------------------------------------------------------------------ */

typedef struct orr_windows orr_windows;

/* An empty list, for a machine of `procs` processors in nodes of `node_procs`, both >= 1, the last
 * of which may have fewer. NULL on failure (memory, ORR_ERR_ARGUMENT). a may be NULL. */
ORR_API orr_windows *orr_windows_create(int32_t procs, int32_t node_procs, const orr_allocator *a,
                                        orr_error *err);
ORR_API void orr_windows_destroy(orr_windows *windows); /* NULL is fine */

/* The machine is one of nodes, which outlive the list: from now on nodes are its nodes, counted
 * from 1, or the nodes of one of its partitions by its name, or all of them as "all". */
ORR_API void orr_windows_set_nodes(orr_windows *windows, const orr_nodes *nodes);

/* The machine has these pools, which outlive the list, and no others: from now on what is closed of
 * a pool is checked as it is added, and not by the instance alone. */
ORR_API void orr_windows_set_pools(orr_windows *windows, const orr_pool *pools, int32_t count);

/* Adds a window. Its texts are copied; an empty text counts as NULL. nodes: NULL, or numbers and
 * ranges of nodes from 0, "0-15,32" (see also above): their processors replace first and count.
 * ORR_ERR_INPUT, with nothing added: times that orr_window forbids, processors that are not on
 * the machine, nodes that do not exist. */
ORR_API orr_status orr_windows_add(orr_windows *windows, const orr_window *window,
                                   const char *nodes, orr_error *err);

/* The machine has `procs` >= 0 processors from `from` (s) on, until the next such time, which is
 * later. ORR_ERR_INPUT as above. */
ORR_API orr_status orr_windows_add_size(orr_windows *windows, double from, int32_t procs,
                                        orr_error *err);

/* Adds an amount of the pool `name` that is closed for a time; ORR_ERR_INPUT as above. */
ORR_API orr_status orr_windows_add_closing(orr_windows *windows, double from, double to,
                                           const char *name, int64_t amount, orr_error *err);

/* The windows on processors, or the closings of pools, and their number; the list's, valid until it
 * is changed. */
ORR_API const orr_window *orr_windows_list(orr_windows *windows, int64_t *count);
ORR_API const orr_closing *orr_windows_closings(const orr_windows *windows, int64_t *count);

/* The kinds of files of windows, with their columns. */
typedef enum orr_windows_kind {
    ORR_WINDOWS_MAINTENANCE, /* from,to, and procs or nodes, or pool and amount */
    ORR_WINDOWS_SIZE,        /* from,procs: in order of time, see orr_windows_add_size */
    ORR_WINDOWS_RESERVATIONS /* from,to, procs or nodes, and user or job */
} orr_windows_kind;

/* Adds the windows of a CSV file with such a header; `amount` is of `pool`. Times are seconds on
 * the clock of `jobs`, or dates where these have a calendar; `procs` is a number of processors, the
 * highest-numbered ones; `nodes` is as above, in quotes where it has a comma. Errors name path,
 * line, column, what was expected and what was found. After an error the list can only be
 * destroyed. */
ORR_API orr_status orr_read_windows(const char *path, orr_windows_kind kind, const orr_jobs *jobs,
                                    orr_windows *windows, orr_error *err);
