/* The waits of the jobs that started last in a group, for quantiles of them.
 *
 * Until somebody asks, a start costs one number in a ring. Then the waits are sorted, and every
 * start replaces one of them, in O(log ORR_RECENT_WAITS) comparisons; a question costs O(1).
 * What is in order follows from the ring: a simulation goes on alike whether somebody has asked. */
#pragma once

#include "rigid/view.h"

typedef struct ori_recent_waits {
    int32_t count;                 /* of waits, at most ORR_RECENT_WAITS */
    int32_t oldest;                /* where the next one goes */
    bool sorted;                   /* in_order is valid */
    double wait[ORR_RECENT_WAITS]; /* s, a ring */
    double in_order[ORR_RECENT_WAITS];
} ori_recent_waits;

/* A job starts for the first time, after that wait, s, which is no NaN. */
void ori_recent_waits_note(ori_recent_waits *r, double wait);

/* See orr_rigid_recent_wait; probability in [0, 1]. NaN: no job has started. */
double ori_recent_waits_quantile(ori_recent_waits *r, double probability);
