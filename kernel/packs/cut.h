/* The cheapest way to cut a sequence of all tasks into packs, each of neighbours in the sequence: a
 * dynamic program over where the last pack begins. */
#ifndef ORR_PACKS_CUT_H
#define ORR_PACKS_CUT_H

#include "packs/coschedule.h"

/* tasks: every position once, as many as the problem has. The co-schedule has Algorithm 1 in every
 * pack, and packs in the order of the sequence. *found is NULL when none costs less than `limit`
 * (s; may be infinite). About O(n p) steps, fewer where the limit is low; of equally cheap ones the
 * first that is found. ORR_ERR_ARGUMENT: not every task once. */
ORR_API orr_status orr_cut(const orr_pack_problem *problem, const int32_t *tasks, double limit,
                           orr_coschedule **found, orr_error *err);

#endif
