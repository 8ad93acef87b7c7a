/* First fit: the first of the packs made so far that has room, in O(log packs). Not a public
 * header.
 *
 * A tree over packs holds the room, in processors, of the packs below each node that has most; a
 * pack that has k tasks has no room. The pack made last is kept out of it: it takes most tasks. */
#ifndef ORR_PACKS_FIRST_FIT_INTERNAL_H
#define ORR_PACKS_FIRST_FIT_INTERNAL_H

#include "base/block_internal.h"
#include "packs/problem.h"

typedef struct ori_first_fit {
    int32_t procs, most; /* of every pack */
    int32_t packs;       /* made so far */
    int32_t room;        /* of the last one */
    int32_t in_last;     /* its tasks */
    int32_t leaves;      /* a power of two */
    int32_t *tree;       /* 2 * leaves; children of i are 2i and 2i + 1, the root is 1 */
    int32_t *tasks;      /* in each pack but the last */
    ori_block block;
} ori_first_fit;

/* For as many packs as there are tasks. */
orr_status ori_first_fit_create(ori_first_fit *fit, const orr_pack_problem *problem,
                                orr_error *err);
void ori_first_fit_destroy(ori_first_fit *fit, const orr_allocator *alloc);

/* Forgets all packs. O(packs). */
void ori_first_fit_reset(ori_first_fit *fit);

/* The pack of a task on `procs` processors, 1 .. p; a new one, fit->packs - 1, where none
 * has room. */
int32_t ori_first_fit_place(ori_first_fit *fit, int32_t procs);

#endif
