/* The shared parts of the stints' checker. check_stints.c checks each stint against the stint of
 * its task before it; check_stints_machine.c checks the processors of the machine;
 * check_stints_faults.c checks the causes of the ends of stints. */
#pragma once

#include "schedule/stints.h"

#include <math.h>

typedef struct ori_task_seen {
    int64_t last;  /* its latest stint, -1 before the first */
    int64_t count; /* of its stints */
    double share;  /* share of the task's work that is done */
    double added;  /* added to the task's work, in shares of it */
    double slack;  /* the possible rounding error of the share */
} ori_task_seen;

typedef struct ori_pair_seen {
    int64_t last;     /* the latest stint that held it, -1 before the first */
    double free_from; /* s */
    int32_t there;    /* how many of the two are on the machine */
} ori_pair_seen;

typedef struct ori_stints_checker {
    const orr_tasks *tasks;
    const orr_resilience *platform;
    const orr_stints *s;
    const orr_fault *faults; /* NULL: not known */
    int64_t fault_count;
    bool partial;
    ori_task_seen *task;
    ori_pair_seen *pair; /* pair k: processors 2k and 2k + 1 */
    int32_t procs;       /* processors that exist or will exist, from 0 */
    int32_t pairs;       /* pairs of these; the last may lack its second processor */
    int64_t change;      /* the next change to check */
    int64_t there;       /* processors */
    double whole;        /* processor-seconds up to the latest change of their number */
    double whole_until;
    double *instants; /* of completions and cancellations, ascending, then of strikes, ascending */
    double *scratch;  /* as many */
    int64_t completions, strikes;
    bool *explained; /* per stint: a given fault struck it */
    double idle;     /* processor-seconds */
    orr_spent spent;
    orr_error *err;
} ori_stints_checker;

const char *ori_stop_name(orr_stop why);

/* ORR_ERR_INTERNAL with a message that names task, stint and times, or the change and its time,
 * before the given text. */
#define ori_violation(c, i, ...)                                                                   \
    (orr_fail((c)->err, ORR_ERR_INTERNAL, __VA_ARGS__), ori_about_stint(c, i))
#define ori_objection(c, k, ...)                                                                   \
    (orr_fail((c)->err, ORR_ERR_INTERNAL, __VA_ARGS__), ori_about_change(c, k))
orr_status ori_about_stint(ori_stints_checker *c, int64_t i);
orr_status ori_about_change(ori_stints_checker *c, int64_t k);

/* Checks that the changes are possible; sets c->procs and c->pairs. */
orr_status ori_check_changes(ori_stints_checker *c);

/* Goes through the changes up to and with those at `time`, of which stint `next` is the first that
 * does not start before. */
orr_status ori_check_processors_until(ori_stints_checker *c, double time, int64_t next);

/* After all stints and changes: whether there were as many processors as there had to be. */
orr_status ori_check_size(ori_stints_checker *c);

/* Called after all stints: checks that each change of the work belongs to a stint. */
orr_status ori_check_work_changes(ori_stints_checker *c);

/* The change that submitted a task, NULL for none. */
const orr_stints_change *ori_submission_of(const ori_stints_checker *c, int32_t task);

static inline double ori_stop_of(const orr_stint *s)
{
    return s->why == ORR_STOP_RUNNING ? INFINITY : s->stop;
}
