/* Availability: the number of free processors over time.
 *
 * There are two structures. ori_ends holds the planned ends of the running jobs and changes with
 * every start and end; it answers "when are p processors free" for the first reservation without
 * visiting every running job (sums per block of 64). ori_plan is a step function of time, made from
 * ori_ends for one decision, from which reservations are then taken; it answers "when are p
 * processors available for t seconds" (READINGS 25).
 *
 * Both allocate only at creation: at most `running` jobs run at once. */
#pragma once

#include "base/block_internal.h"
#include "base/lanes_internal.h"
#include "rigid/availability/wish_internal.h"

#include <string.h>

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

/* Add notes that `procs` processors will be free at `time`; remove reverts it, with exactly the
 * numbers that were added. */
void ori_ends_add(ori_ends *e, double time, int32_t procs);
void ori_ends_remove(ori_ends *e, double time, int32_t procs);

/* The earliest time at which `free` plus the processors freed until then (inclusive) reach `procs`;
 * *available is the number of free processors then. `free` < `procs` <= free + all processors in
 * `e`. */
double ori_ends_when(const ori_ends *e, int32_t free, int32_t procs, int32_t *available);

/* The processors freed until a time, inclusive. */
int32_t ori_ends_until(const ori_ends *e, double time);

/* --- a plan --------------------------------------------------------------------------------- */

typedef struct ori_plan {
    double *time;       /* s; time[0] is now; ascending, equal where something takes no time; inf
                           behind the last, which may be inf, too */
    int32_t *available; /* from time[i] until time[i+1], the last for ever; may dip below 0 only
                           before time[0] ends, see ori_plan_make */
    int32_t count, capacity;
    ori_block block;
} ori_plan;

/* Room for `running` jobs that run or start, and for `reservations` reservations. The block is the
 * owner's to destroy, also after a failure. */
orr_status ori_plan_create(ori_plan *p, int32_t running, int32_t reservations,
                           const orr_allocator *a, orr_error *err);

/* The step function: `free` processors at `now`, more with every planned end. An end that is due at
 * `now` itself (a job that takes no time) makes a second step at the same time. */
void ori_plan_make(ori_plan *p, const ori_ends *e, double now, int32_t free);

/* The earliest time s >= now at which `procs` processors are available from s until (s + estimate)
 * + verification, or at s itself if that end is not later. procs must not exceed the machine.
 * *index, when not NULL, is the step that begins at s. */
double ori_plan_earliest(const ori_plan *p, int32_t procs, double estimate, double verification,
                         int32_t *index);

/* As ori_plan_earliest, but not before `from`. *index: ORI_BETWEEN if the start is between two
 * steps. */
enum { ORI_BETWEEN = INT32_MAX };
double ori_plan_earliest_from(const ori_plan *p, const ori_wish *w, double from, int32_t *index);

enum { ORI_STEPS = 64 }; /* compared together */
enum { ORI_MOVED = 8 };  /* moved together */

/* Bit i: the step first + i, of a multiple of 64, has fewer than `procs`, or is behind the last. */
ORR_INLINE uint64_t ori_plan_short(const ori_plan *p, int32_t procs, int32_t first)
{
    const int32_t *available = p->available + first;
    int32_t count = p->count - first, less = procs - 1;
    uint64_t found = ori_at_most(available, less);
    if (count > 16)
        found |= ori_at_most(available + 16, less) << 16;
    if (count > 32)
        found |= (uint64_t)ori_at_most(available + 32, less) << 32 |
                 (uint64_t)ori_at_most(available + 48, less) << 48;
    return count < ORI_STEPS ? found | ~UINT64_C(0) << count : found;
}

/* The first step before `end` at which there are fewer than `procs` processors; -1: none. */
static inline int32_t ori_plan_short_before(const ori_plan *p, int32_t procs, double end)
{
    for (int32_t first = 0; first < p->count && p->time[first] < end; first += ORI_STEPS) {
        uint64_t found = ori_plan_short(p, procs, first);
        if (found == 0)
            continue;
        int32_t step = first + __builtin_ctzll(found);
        return p->time[step] < end ? step : -1;
    }
    return -1;
}

/* Makes room for a step at `at`. A few steps are moved together, with what is behind them: it would
 * take longer to find out how many there are. */
ORR_INLINE void ori_plan_open(ori_plan *p, int32_t at)
{
    int32_t behind = ++p->count - at;
    if (behind > ORI_MOVED) {
        memmove(p->time + at + 1, p->time + at, (size_t)behind * sizeof *p->time);
        memmove(p->available + at + 1, p->available + at, (size_t)behind * sizeof *p->available);
        return;
    }
    double time[ORI_MOVED];
    int32_t available[ORI_MOVED];
    memcpy(time, p->time + at, sizeof time);
    memcpy(available, p->available + at, sizeof available);
    memcpy(p->time + at + 1, time, sizeof time);
    memcpy(p->available + at + 1, available, sizeof available);
}

/* ori_plan_reserve, to be compiled into a loop. */
ORR_INLINE void ori_plan_take(ori_plan *p, int32_t index, double end, int32_t procs)
{
    int32_t last = index;
    do /* also if the reservation takes no time */
        p->available[last++] -= procs;
    while (p->time[last] < end);
    if (p->time[last] == end && last < p->count)
        return;
    ori_plan_open(p, last);
    p->time[last] = end;
    p->available[last] = p->available[last - 1] + procs;
}

/* Takes `procs` processors from step `index` (its time is the start) until `end`. A reservation
 * that takes no time holds the instant of its start: the next step has the same time. */
void ori_plan_reserve(ori_plan *p, int32_t index, double end, int32_t procs);

/* Moves the plan to `now`, and drops steps that do not differ from the one before. */
void ori_plan_advance(ori_plan *p, double now);

/* Takes `procs` processors from `start` >= time[0] until `end` > start; they must be free then. */
void ori_plan_place(ori_plan *p, double start, double end, int32_t procs);
