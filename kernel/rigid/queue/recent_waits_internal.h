/* The waits of the jobs that started last in a group, for their quantiles.
 *
 * Before the first question, a start costs one number in a ring. Then the waits are sorted, and
 * every start replaces one of them, in O(log ORR_RECENT_WAITS) comparisons; a question costs O(1).
 * The sorted waits are derived from the ring, so questions do not change the future of a
 * simulation. */
#pragma once

#include "rigid/queue/view.h"

typedef struct ori_recent_waits {
    int32_t count;                 /* of waits, at most ORR_RECENT_WAITS */
    int32_t oldest;                /* the place of the next wait */
    bool sorted;                   /* in_order is valid */
    double wait[ORR_RECENT_WAITS]; /* s, a ring */
    double in_order[ORR_RECENT_WAITS];
} ori_recent_waits;

/* Notes a job that starts for the first time, after this wait, s, not NaN. */
void ori_recent_waits_note(ori_recent_waits *r, double wait);

/* See orr_rigid_recent_wait; probability in [0, 1]. NaN: no job has started. */
double ori_recent_waits_quantile(ori_recent_waits *r, double probability);
