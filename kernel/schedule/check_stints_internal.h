/* What the two halves of the stints' checker share: check_stints.c looks at each stint, after
 * the one of its task before it; check_faults.c at what made them stop. */
#ifndef ORR_SCHEDULE_CHECK_STINTS_INTERNAL_H
#define ORR_SCHEDULE_CHECK_STINTS_INTERNAL_H

#include "schedule/stints.h"

#include <math.h>

typedef struct task_seen {
    int64_t last; /* its latest stint, -1 before the first */
    double share; /* of its work that is done */
    double slack; /* what rounding may have added to the share */
} task_seen;

typedef struct pair_seen {
    int64_t last;     /* the latest stint that held it, -1 before the first */
    double free_from; /* s */
} pair_seen;

typedef struct orr_stints_checker {
    const orr_tasks *tasks;
    const orr_resilience *platform;
    const orr_stints *s;
    const orr_fault *faults; /* NULL: not known */
    int64_t fault_count;
    bool partial;
    task_seen *task;
    pair_seen *pair;  /* pair k: processors 2k and 2k + 1 */
    double *instants; /* of completions and cancellations, ascending, then of strikes, ascending */
    int64_t completions, strikes;
    bool *explained; /* per stint: a fault that was given struck it */
    double idle;     /* processor-seconds */
    orr_spent spent;
    orr_error *err;
} orr_stints_checker;

/* ORR_ERR_INTERNAL with a message that names task, stint and times before what is said. */
orr_status orr_violation(orr_stints_checker *c, int64_t i, const char *format, ...)
    ORR_PRINTF(3, 4);

/* Moves happen when some task completes or is struck. */
orr_status orr_check_moves(orr_stints_checker *c);

/* Exactly the given faults that hit a ready task struck. */
orr_status orr_check_faults(orr_stints_checker *c);

static inline double orr_stop_of(const orr_stint *s)
{
    return s->why == ORR_STOP_RUNNING ? INFINITY : s->stop;
}

#endif
