/* MAKE-PACK on a list that is in order already. Not a public header. */
#ifndef ORR_PACKS_MAKE_PACK_INTERNAL_H
#define ORR_PACKS_MAKE_PACK_INTERNAL_H

#include "packs/coschedule.h"
#include "packs/first_fit_internal.h"

typedef struct ori_listed {
    double time; /* s, on the processors that it has */
    int32_t task;
} ori_listed;

/* A list in the order of positions: longest first, then by position. `scratch` has room for it. */
void ori_sort_listed(ori_listed *list, int32_t count, ori_listed *scratch);

/* All tasks in order, and their processors by task. */
orr_coschedule *ori_make_pack_listed(const orr_pack_problem *problem, const ori_listed *list,
                                     const int32_t *procs, ori_first_fit *fit, orr_error *err);

/* The cost alone, s; infinity where it is not below limit. */
double ori_make_pack_cost(const orr_pack_problem *problem, const ori_listed *list,
                          const int32_t *procs, ori_first_fit *fit, double limit);

#endif
