/* Lower bounds of the cost of every co-schedule of a problem. The bound of a makespan of rigid jobs
 * is orr_lower_bound in schedule/metrics.h. */
#pragma once

#include "packs/problem.h"

typedef struct orr_pack_bounds {
    double longest; /* s: no pack is shorter than its longest task on p processors (lemma 3) */
    double work;    /* s: the sum of the smallest work of each task, over p (lemma 3) */
    double layers; /* s: of the tasks by time on p processors, longest first, every k-th: no k tasks
                      that are as long fit into one pack */
    double mixed;  /* s: work and longest at once; see bounds.c */
    double fractional; /* s: with parts of packs and of tasks, costs told apart to about 1%; see
                          relaxation.c. 0 with more than 512 tasks */
    double best;       /* s: the largest of the bounds */
} orr_pack_bounds;

/* quick: without `fractional`, which takes about a second for 260 tasks; it is 0 then. */
ORR_API orr_status orr_pack_bound(const orr_pack_problem *problem, bool quick,
                                  orr_pack_bounds *bounds, orr_error *err);
