/* Checks of one task in a co-schedule: see check_coschedule.c. */
#pragma once

#include "packs/coschedule.h"

/* Checks that a task may be in this one of `packs` packs, and that it can run on this number of
 * processors. ORR_ERR_ARGUMENT names the task. */
orr_status ori_pack_check_place(const orr_pack_problem *problem, int32_t task, int32_t pack,
                                int32_t packs, orr_error *err);
orr_status ori_pack_check_procs(const orr_pack_problem *problem, int32_t task, int32_t procs,
                                orr_error *err);
