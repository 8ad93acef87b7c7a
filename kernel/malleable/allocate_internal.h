/* The initial allocation: see allocate.c. */
#pragma once

#include "malleable/costs_internal.h"

/* RR-8795, Algorithm 1, for the tasks from `first` on, into `allocation`, with the largest t^R(1)
 * on top of `finish`; procs >= 2 per task. */
void ori_allocate(ori_costs *costs, int32_t first, int32_t procs, ori_tree *finish,
                  int32_t *allocation);

/* ORR_ERR_ARGUMENT where there are fewer than 2 processors per task, or no task. */
orr_status ori_check_procs(int32_t procs, int32_t count, orr_error *err);
