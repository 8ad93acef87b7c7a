/* An open pack, task by task. Not a public header; see cut.h. */
#pragma once

#include "packs/cut.h"

#include "base/block_internal.h"
#include "base/calendar_internal.h"

typedef struct ori_open_pack {
    const orr_pack_problem *problem;
    int32_t count;
    int32_t *tasks;
    int32_t *procs;     /* of the tasks so far, what the makespan needs, or more */
    int64_t sum;        /* of procs */
    double makespan;    /* s; infinite from where they do not fit */
    ori_calendar gives; /* per task the makespan with which it needs fewer; payload: its index */
    ori_block block;
} ori_open_pack;

/* An empty pack with room for so many tasks. On failure it is safe to destroy. */
orr_status ori_open_pack_create(ori_open_pack *g, const orr_pack_problem *problem, int32_t capacity,
                                orr_error *err);
void ori_open_pack_destroy(ori_open_pack *g);

/* Empty again. */
void ori_open_pack_clear(ori_open_pack *g);

/* The cost with one task more, s; infinite when they cannot fit. */
double ori_open_pack_add(ori_open_pack *g, int32_t task);
