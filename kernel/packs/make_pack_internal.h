/* MAKE-PACK on a list that is in order already: see make_pack.c. */
#pragma once

#include "base/block_internal.h"
#include "packs/coschedule.h"
#include "packs/one_pack_internal.h"

/* First fit: the first of the packs made so far that has room, in O(log packs).
 *
 * A tree over packs holds, for each node, the largest room, in processors, of the packs below it; a
 * pack that has k tasks has no room. The pack made last is kept out of it: it takes most tasks. */
typedef struct ori_first_fit {
    int32_t procs, most; /* of every pack */
    int32_t packs;       /* made so far */
    int32_t room;        /* of the last pack */
    int32_t in_last;     /* its tasks */
    int32_t leaves;      /* a power of two */
    int32_t *tree;       /* 2 * leaves; children of i are 2i and 2i + 1, the root is 1 */
    int32_t *tasks;      /* in each pack but the last */
    ori_block block;
} ori_first_fit;

/* Makes room for as many packs as there are tasks. */
orr_status ori_first_fit_create(ori_first_fit *fit, const orr_pack_problem *problem,
                                orr_error *err);
void ori_first_fit_destroy(ori_first_fit *fit, const orr_allocator *alloc);

/* A list in the order of positions: longest first, then by position. `scratch` has room for it. */
void ori_sort_listed(ori_listed *list, int32_t count, ori_listed *scratch);

/* All tasks in order, and their processors by task. */
orr_coschedule *ori_make_pack_listed(const orr_pack_problem *problem, const ori_listed *list,
                                     const int32_t *procs, ori_first_fit *fit, orr_error *err);

/* Only the cost, s; infinity where it is not below limit. */
double ori_make_pack_cost(const orr_pack_problem *problem, const ori_listed *list,
                          const int32_t *procs, ori_first_fit *fit, double limit);
