/* A timeline: busy processors and waiting jobs, as a step function over time, from a recorded
 * schedule.
 *
 * The state of a step holds from its time on, until that of the next step; it is the state after
 * all that happened at that instant. */
#pragma once

#include "schedule/schedule.h"

typedef struct orr_timeline_step {
    double time;              /* s, on the instance's clock */
    int32_t busy;             /* processors held */
    int32_t running, waiting; /* jobs; waiting are all that were submitted, do not run and are not
                                 over, held ones too */
    int64_t waiting_procs;    /* processors that the waiting jobs ask for */
} orr_timeline_step;

typedef struct orr_timeline {
    orr_timeline_step *steps; /* in order of time, each different from the one before */
    int64_t count, capacity;
    orr_allocator alloc;
} orr_timeline;

/* Up to the instant `until` (s), included. *timeline is safe to destroy after a
 * failure (memory). */
ORR_API orr_status orr_timeline_make(orr_timeline *timeline, const orr_instance *in,
                                     const orr_schedule *schedule, double until,
                                     const orr_allocator *a, orr_error *err);
ORR_API void orr_timeline_destroy(orr_timeline *timeline);
