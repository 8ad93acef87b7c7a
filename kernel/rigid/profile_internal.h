/* Availability: when will how many processors be free?
 *
 * Two things answer that. ori_ends holds the planned ends of the running jobs and changes with
 * every start and end; it answers "when are p processors free" for the first reservation without
 * walking every running job (sums per block of 64). ori_plan is a step function of time made from
 * it for one decision, from which reservations are then taken; it answers "when can p processors be
 * had for so long" (READINGS 25).
 *
 * Both have their room from creation on: at most `running` jobs run at once. */
#pragma once

#include "base/block_internal.h"

/* --- planned ends of running jobs ----------------------------------------------------------- */

enum { ORI_ENDS_BLOCK = 64 };

typedef struct ori_ends_block {
    int32_t count;
    int32_t procs_sum;
    double time[ORI_ENDS_BLOCK];   /* s, ascending, all different */
    int32_t procs[ORI_ENDS_BLOCK]; /* freed at that time */
} ori_ends_block;

typedef struct ori_ends {
    ori_ends_block *blocks; /* pool */
    int32_t *order;         /* the blocks in use, by time; behind them the unused ones */
    int32_t used, capacity;
    ori_block block;
} ori_ends;

/* Room for `running` jobs at once; the block is the owner's to destroy, also after a failure. */
orr_status ori_ends_create(ori_ends *e, int32_t running, const orr_allocator *a, orr_error *err);
void ori_ends_clear(ori_ends *e);
/* Makes `to`, created for the same number of jobs, equal to `from`. */
void ori_ends_copy(ori_ends *to, const ori_ends *from);

/* `procs` processors will be free at `time`; the reverse, with the very numbers that were added. */
void ori_ends_add(ori_ends *e, double time, int32_t procs);
void ori_ends_remove(ori_ends *e, double time, int32_t procs);

/* The earliest time at which `free` plus what was freed until then (including) reaches `procs`, and
 * how many processors are free then. `free` < `procs` <= free + all that run. */
double ori_ends_when(const ori_ends *e, int32_t free, int32_t procs, int32_t *available);

/* --- a plan --------------------------------------------------------------------------------- */

typedef struct ori_plan {
    double *time;       /* s; time[0] is now; ascending, equal where something takes no time */
    int32_t *available; /* from time[i] until time[i+1], the last for ever; may dip below 0 only
                           before time[0] ends, see ori_plan_make */
    int32_t count, capacity;
    ori_block block;
} ori_plan;

/* Room for `running` jobs that run or start, and `reservations` reservations: its block. */
orr_status ori_plan_create(ori_plan *p, int32_t running, int32_t reservations,
                           const orr_allocator *a, orr_error *err);

/* The step function: `free` processors at `now`, more with every planned end. An end that is due at
 * `now` itself (a job that takes no time) makes a second step at the same time. */
void ori_plan_make(ori_plan *p, const ori_ends *e, double now, int32_t free);

/* The earliest time s >= now at which `procs` processors can be had from s until
 * (s + estimate) + verification, or at s itself where that is no later. procs must not exceed the
 * machine. *index, when not NULL, is the step that begins there. */
double ori_plan_earliest(const ori_plan *p, int32_t procs, double estimate, double verification,
                         int32_t *index);

/* Whether `procs` processors can be had from time[0] until `end`. */
static inline bool ori_plan_has_now(const ori_plan *p, int32_t procs, double end)
{
    if (p->available[0] < procs)
        return false;
    for (int32_t i = 1; i < p->count && p->time[i] < end; i++)
        if (p->available[i] < procs)
            return false;
    return true;
}

/* Takes `procs` processors from step `index` (its time is the start) until `end`; a reservation
 * that takes no time holds the instant of its start: the step behind it has the same time. */
void ori_plan_reserve(ori_plan *p, int32_t index, double end, int32_t procs);

/* Lets time pass until `now`, which no step but those before it has seen, and drops the steps that
 * make no difference. */
void ori_plan_advance(ori_plan *p, double now);

/* Takes `procs` processors from `start` >= time[0] until `end` > start, where they are known to be
 * free. */
void ori_plan_place(ori_plan *p, double start, double end, int32_t procs);
