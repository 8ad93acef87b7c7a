/* Functions that make co-schedules. Not a public header. */
#pragma once

#include "packs/coschedule.h"

/* A co-schedule whose `pack` and `procs` the caller fills; NULL on failure (memory). */
orr_coschedule *ori_coschedule_begin(const orr_pack_problem *problem, int32_t packs,
                                     orr_error *err);

/* Fills all other fields from `packs`, `pack` and `procs`, which must be valid. */
void ori_coschedule_settle(const orr_pack_problem *problem, orr_coschedule *coschedule);

/* Fills all other fields from `packs` and `pack`, with Algorithm 1 in every pack. On failure it
 * destroys the co-schedule and returns NULL. */
orr_coschedule *ori_coschedule_finish(const orr_pack_problem *problem, orr_coschedule *coschedule,
                                      orr_error *err);
