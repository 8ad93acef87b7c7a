/* Processor sets: which processors are free, as sorted disjoint intervals.
 *
 * Processors are numbered from 0 and always handed out lowest-numbered first, so that a schedule's
 * processor numbers follow from its starts and ends alone. Used when a schedule is recorded; Monte
 * Carlo runs count processors and never come here. */
#ifndef ORR_SCHEDULE_PROCSET_H
#define ORR_SCHEDULE_PROCSET_H

#include "base/error.h"
#include "base/memory.h"

typedef struct orr_interval {
    int32_t low, high; /* both included */
} orr_interval;

typedef struct orr_procset {
    orr_interval *intervals; /* ascending, not touching */
    int32_t count;
    int64_t capacity;
    orr_allocator alloc;
} orr_procset;

/* The set 0 .. procs - 1. On failure it is empty and safe to destroy. */
ORR_API orr_status orr_procset_create(orr_procset *set, int32_t procs, const orr_allocator *a,
                                      orr_error *err);
ORR_API void orr_procset_destroy(orr_procset *set);

/* Makes room for so many intervals, so that what follows cannot run out of memory. */
ORR_API orr_status orr_procset_reserve(orr_procset *set, int32_t intervals, orr_error *err);

/* Makes it 0 .. procs - 1 again. */
ORR_API void orr_procset_reset(orr_procset *set, int32_t procs);

/* Makes `to`, created, equal to `from`. */
ORR_API orr_status orr_procset_copy(orr_procset *to, const orr_procset *from, orr_error *err);

/* The number of intervals that the lowest `procs` processors of the set form; -1 when the set has
 * fewer processors. */
ORR_API int32_t orr_procset_span(const orr_procset *set, int32_t procs);

/* Takes the lowest `procs` processors out of the set and writes them to `taken`, which has room for
 * orr_procset_span(set, procs) intervals; returns that number. The set must hold them. */
ORR_API int32_t orr_procset_take(orr_procset *set, int32_t procs, orr_interval *taken);

/* Takes out the processors of `run`, all of which must be in the set, which must have room for one
 * more interval. */
ORR_API void orr_procset_remove(orr_procset *set, orr_interval run);

/* Puts `count` intervals back, none of which may be in the set. */
ORR_API orr_status orr_procset_give(orr_procset *set, const orr_interval *intervals, int32_t count,
                                    orr_error *err);

#endif
