/* Fractions of packs: the strongest of our lower bounds. Not a public header. */
#ifndef ORR_PACKS_RELAXATION_INTERNAL_H
#define ORR_PACKS_RELAXATION_INTERNAL_H

#include "packs/problem.h"

enum { ORI_RELAXATION_MOST = 512 }; /* tasks: a round takes O(tasks^2) */

/* shares[i]: s, so that the shares of the tasks of any pack add up to its cost or less; *bound is
 * their sum. Both come in with such shares (ori_pack_shares) and go out improved; with more than
 * ORI_RELAXATION_MOST tasks they stay as they are. `about` > 0, s: some lower bound, which sets how
 * finely costs are told apart. */
orr_status ori_pack_relax(const orr_pack_problem *problem, double about, double *shares,
                          double *bound, orr_error *err);

#endif
