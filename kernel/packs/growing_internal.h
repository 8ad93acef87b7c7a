/* A pack that grows, step by step. Not a public header; see growing.h. */
#ifndef ORR_PACKS_GROWING_INTERNAL_H
#define ORR_PACKS_GROWING_INTERNAL_H

#include "packs/growing.h"

#include "base/calendar.h"

typedef struct ori_growing {
    const orr_pack_problem *problem;
    int32_t count, capacity;
    int32_t *tasks;
    int32_t *procs;     /* of the tasks so far, what the makespan needs, or more */
    int64_t sum;        /* of procs */
    double makespan;    /* s; infinite from where they do not fit */
    orr_calendar gives; /* per task the makespan with which it needs fewer; payload: its index */
} ori_growing;

/* An empty pack with room for so many tasks. On failure it is safe to destroy. */
orr_status ori_growing_create(ori_growing *g, const orr_pack_problem *problem, int32_t capacity,
                              orr_error *err);
void ori_growing_destroy(ori_growing *g);

/* Empty again. */
void ori_growing_clear(ori_growing *g);

/* The cost with one task more, s; infinite when they cannot fit. */
double ori_growing_add(ori_growing *g, int32_t task);

#endif
