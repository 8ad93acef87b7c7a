/* Processor sets: the free processors, as sorted disjoint intervals.
 *
 * Processors are numbered from 0 and always handed out lowest-numbered first, so that a schedule's
 * processor numbers follow from its starts and ends alone. Used only when a schedule is recorded;
 * Monte Carlo runs just count processors. */
#pragma once

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
