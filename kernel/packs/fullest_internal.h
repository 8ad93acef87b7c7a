/* The fullest pack: see fullest.c. */
#pragma once

#include "packs/one_pack_internal.h"

/* Chooses among the first `count` tasks (at least one) of a sorted list: the pack with the first
 * task and the least idle time, on the given processors by task. chosen[x]: whether the x-th task
 * is in it. Among equal packs the one with earlier tasks wins. ORR_ERR_ARGUMENT: too many
 * combinations. O(count k p). */
orr_status ori_fullest(const orr_pack_problem *problem, const ori_listed *list, int32_t count,
                       const int32_t *procs, bool *chosen, orr_error *err);
