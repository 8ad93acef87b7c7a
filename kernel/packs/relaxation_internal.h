/* The strongest of the lower bounds, by fractions of packs: see relaxation.c. */
#pragma once

#include "packs/bounds.h"

#include <float.h>
#include <math.h>

/* A share, s, rounded down safely. Relative rounding keeps shares valid, except for times below
 * DBL_MIN, where it may add up to DBL_MIN to each. */
static inline double ori_pack_share(double share)
{
    return fmax(share - DBL_MIN, 0);
}

enum { ORI_RELAXATION_MOST = 512 }; /* tasks: a round takes O(tasks^2) */

/* shares[i]: s, so that the shares of the tasks of any pack add up to its cost or less; *bound is
 * their sum. Both have such shares on entry (ori_pack_shares) and improved ones on return; with
 * more than ORI_RELAXATION_MOST tasks they stay as they are. `about` > 0, s: some lower bound,
 * which sets how finely costs are told apart. */
orr_status ori_pack_relax(const orr_pack_problem *problem, double about, double *shares,
                          double *bound, orr_error *err);
