/* Processors and their holders, for simulations with processor numbers; other simulations only
 * count. Holders are jobs, or tasks, by position. The units may also be pairs of processors: the
 * numbers here are then numbers of pairs.
 *
 * A holder gets the lowest-numbered free processors of a group, or given numbers, and gives back
 * its highest-numbered ones. A processor that is down is neither held nor free. Taking and giving
 * back cost O(the holder's runs); taking also marks each processor. */
#pragma once

#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "schedule/procset.h"

enum { ORI_HELD_BY_NOBODY = -1, ORI_DOWN = -2 };

typedef struct ori_processors {
    int32_t procs, holders, groups;
    int32_t *holder;      /* per processor: ORI_DOWN, or the holder that had it last */
    int32_t *next, *last; /* per first processor of a run that is held: the first one of the
                             holder's next higher run, -1 behind the last; its last processor */
    int32_t *head;        /* per holder that has any: its lowest processor */
    int32_t *first;       /* per group, and one behind the last: its first processor */
    orr_procset *free;    /* per group; numbered from its first processor */
    orr_interval *taken;  /* the result of the last take or add */
    ori_block block;
    orr_allocator alloc;
} ori_processors;

/* first: groups + 1 numbers, the last of which is the number of all processors. All are free. Safe
 * to destroy after a failure. */
orr_status ori_processors_create(ori_processors *p, const int32_t *first, int32_t groups,
                                 int32_t holders, const orr_allocator *a, orr_error *err);
void ori_processors_destroy(ori_processors *p);

/* Makes all processors free. */
void ori_processors_clear(ori_processors *p);

/* Makes `to` equal to `from`; created for the same groups, or for one group and more processors,
 * which are down, and holders. */
void ori_processors_copy(ori_processors *to, const ori_processors *from);

/* Gives a holder that has none that many free processors of a group; returns how many intervals
 * they form, which are in p->taken. */
int32_t ori_processors_take(ori_processors *p, int32_t group, int32_t holder, int32_t procs);

/* Gives a holder that has none free processors of a group, by runs that do not touch and are
 * numbered from the group's first; they are in p->taken, too, numbered as all others. */
void ori_processors_take_runs(ori_processors *p, int32_t group, int32_t holder,
                              const orr_interval *runs, int32_t count);

/* Gives a holder `procs` more processors. */
int32_t ori_processors_add(ori_processors *p, int32_t group, int32_t holder, int32_t procs);

/* Gives a holder the free processors of `run`, which belong to the group, behind its present ones:
 * *link is NULL for the first run, and is kept for the next. */
void ori_processors_hold(ori_processors *p, int32_t group, int32_t holder, orr_interval run,
                         int32_t **link);

/* The run of a holder's list that begins at *i, joined with following runs without a gap; *i
 * becomes the begin of the next run, -1: none. The first one begins at the holder's head. */
orr_interval ori_processors_next_run(const ori_processors *p, int32_t *i);

/* Whether a holder has one of the processors first .. first + count - 1, or had one when it gave
 * its processors back. */
bool ori_processors_holds_any(const ori_processors *p, int32_t holder, int32_t first,
                              int32_t count);

/* Takes all processors from the holder; they are free again, and its list may be read until it
 * takes new ones. */
void ori_processors_give(ori_processors *p, int32_t group, int32_t holder);

/* Takes from the holder all but its lowest `kept` processors. */
void ori_processors_give_highest(ori_processors *p, int32_t group, int32_t holder, int32_t kept);

/* The first run of free processors of a group from `from` on, without those in front of it; behind
 * all processors: there is none. */
static inline orr_interval ori_processors_free_from(const ori_processors *p, int32_t group,
                                                    int32_t from)
{
    const orr_procset *free = &p->free[group];
    int32_t first = p->first[group], at = 0;
    ORI_BISECT(at, free->count, middle, free->intervals[middle].high < from - first)
    if (at == free->count)
        return (orr_interval){INT32_MAX, INT32_MAX};
    orr_interval run = {free->intervals[at].low + first, free->intervals[at].high + first};
    run.low = run.low > from ? run.low : from;
    return run;
}

/* The holder of a processor, or one of the two above; *last: a processor up to which all have the
 * same one. */
int32_t ori_processors_holder(const ori_processors *p, int32_t at, int32_t *last);

/* Marks free processors low .. high of a group as down, or as up again. */
void ori_processors_take_down(ori_processors *p, int32_t group, int32_t low, int32_t high);
void ori_processors_bring_up(ori_processors *p, int32_t group, int32_t low, int32_t high);

/* The highest-numbered free processor of a group; -1: none. */
static inline int32_t ori_processors_highest_free(const ori_processors *p, int32_t group)
{
    const orr_procset *free = &p->free[group];
    return free->count > 0 ? p->first[group] + free->intervals[free->count - 1].high : -1;
}
