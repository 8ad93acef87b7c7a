/* MAKE-PACK on a list that is in order already. Not a public header. */
#ifndef ORR_PACKS_MAKE_PACK_INTERNAL_H
#define ORR_PACKS_MAKE_PACK_INTERNAL_H

#include "packs/coschedule.h"
#include "packs/first_fit_internal.h"

typedef struct orr_listed {
    double time; /* s, on the processors that it has */
    int32_t task;
} orr_listed;

/* Longest first, then by position. */
void orr_sort_listed(orr_listed *list, int32_t count);

/* All tasks in order, and their processors by task. */
orr_coschedule *orr_make_pack_listed(const orr_pack_problem *problem, const orr_listed *list,
                                     const int32_t *procs, orr_first_fit *fit, orr_error *err);

/* The cost alone, s; infinity where it is not below limit. */
double orr_make_pack_cost(const orr_pack_problem *problem, const orr_listed *list,
                          const int32_t *procs, orr_first_fit *fit, double limit);

#endif
