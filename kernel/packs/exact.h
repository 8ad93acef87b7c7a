/* Exact optima of k-IN-p-COSCHEDULE (section 4.3 and theorem 1). Packs have at most min(k, p, n)
 * tasks (spec/READINGS.md, 23); inside each Algorithm 1 gives out the processors. */
#pragma once

#include "packs/coschedule.h"

enum {
    ORR_OPTIMAL_MOST = 24,   /* tasks: each one more doubles the memory (384 MB then) */
    ORR_TWO_IN_P_MOST = 4096 /* tasks: about 46 bytes for every pair of tasks (770 MB then) */
};

/* The optimum by dynamic programming over subsets. NULL on failure: ORR_ERR_LIMIT with more than
 * ORR_OPTIMAL_MOST tasks, ORR_ERR_CANCELLED when the flag (may be NULL) is
 * raised, ORR_ERR_MEMORY. */
ORR_API orr_coschedule *orr_optimal(const orr_pack_problem *problem, const orr_cancel_flag *cancel,
                                    orr_error *err);

/* The optimum with packs of at most two tasks (one, where k is 1), by a perfect matching of minimum
 * weight. O(n^3) time. NULL on failure: ORR_ERR_LIMIT with more than ORR_TWO_IN_P_MOST tasks,
 * ORR_ERR_CANCELLED, ORR_ERR_MEMORY. */
ORR_API orr_coschedule *orr_two_in_p(const orr_pack_problem *problem, const orr_cancel_flag *cancel,
                                     orr_error *err);
