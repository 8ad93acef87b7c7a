/* Windows: processors that are known beforehand to be closed for a time, as for maintenance, or
 * because the machine is to be smaller; or open to some jobs alone, as in an advance reservation
 * (READINGS 48). */
#pragma once

#include "workload/jobs.h"

/* What orr_window.first says where it is no processor. */
enum {
    ORR_WINDOW_HIGHEST = -1, /* the `count` highest-numbered processors of the machine */
    ORR_WINDOW_ABOVE = -2    /* all but the `count` lowest-numbered ones: the machine has so many */
};

/* From `from` to `to` no attempt runs there but those of whom the window is for. Windows may
 * overlap: a processor is open to an attempt that all of them admit. */
typedef struct orr_window {
    double from, to;      /* s, on the instance's clock; to > from, inf: for ever */
    int32_t first, count; /* processors first .. first + count - 1, or see above */
    const char *user;     /* borrowed: the jobs of this user may use it; or NULL */
    const char *job;      /* borrowed: the job with this id may use it; or NULL */
    bool drains;          /* a drain at a time, and no maintenance: for ORR_BEFORE_DRAIN */
    bool lets_end;        /* who runs there when it opens runs to its end; not for anybody */
} orr_window;

/* Whether a window is for somebody: then its processors stay in service. */
static inline bool orr_window_is_reserved(const orr_window *w)
{
    return w->user || w->job;
}

/* Whether a window reaches into the time from `start` to `end`; what takes no time is there at
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

/* Adds a window; its texts are copied, an empty one is none. nodes: NULL, or numbers of nodes from
 * 0 and runs of them, "0-15,32", whose processors it has in place of its own. ORR_ERR_INPUT, with
 * nothing added: times as orr_window does not have them, processors that are not on the machine,
 * nodes that are none. */
ORR_API orr_status orr_windows_add(orr_windows *windows, const orr_window *window,
                                   const char *nodes, orr_error *err);

/* The machine has `procs` >= 0 processors from `from` (s) on, until the next such time, which is
 * later. ORR_ERR_INPUT as above. */
ORR_API orr_status orr_windows_add_size(orr_windows *windows, double from, int32_t procs,
                                        orr_error *err);

/* The windows and their number; the list's, valid until it is changed. */
ORR_API const orr_window *orr_windows_list(orr_windows *windows, int64_t *count);

/* What a file of windows says. */
typedef enum orr_windows_kind {
    ORR_WINDOWS_MAINTENANCE, /* from,to, and procs or nodes */
    ORR_WINDOWS_SIZE,        /* from,procs: in order of time, see orr_windows_add_size */
    ORR_WINDOWS_RESERVATIONS /* from,to, procs or nodes, and user or job */
} orr_windows_kind;

/* Adds the windows of a CSV file with such a header. Times are seconds on the clock of `jobs`, or
 * dates (UTC) where these have a calendar; `procs` is a number of processors, the highest-numbered
 * ones; `nodes` is as above, in quotes where it has a comma. Errors name path, line, column, what
 * was expected and what was found. After one the list is good only to be destroyed. */
ORR_API orr_status orr_read_windows(const char *path, orr_windows_kind kind, const orr_jobs *jobs,
                                    orr_windows *windows, orr_error *err);
