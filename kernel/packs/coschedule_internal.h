/* How co-schedules are made. Not a public header. */
#pragma once

#include "packs/coschedule.h"

/* One whose `pack` and `procs` are to be filled; NULL on failure (memory). */
orr_coschedule *ori_coschedule_begin(const orr_pack_problem *problem, int32_t packs,
                                     orr_error *err);

/* Fills all else from `packs`, `pack` and `procs`, which are what they should be. */
void ori_coschedule_settle(const orr_pack_problem *problem, orr_coschedule *coschedule);

/* From `packs` and `pack` alone: Algorithm 1 in every pack. Destroys it on failure: NULL then. */
orr_coschedule *ori_coschedule_finish(const orr_pack_problem *problem, orr_coschedule *coschedule,
                                      orr_error *err);

/* Whether a task may be in that one of `packs` packs, and whether it can run on so many processors:
 * ORR_ERR_ARGUMENT names it. */
orr_status ori_pack_check_place(const orr_pack_problem *problem, int32_t task, int32_t pack,
                                int32_t packs, orr_error *err);
orr_status ori_pack_check_procs(const orr_pack_problem *problem, int32_t task, int32_t procs,
                                orr_error *err);
