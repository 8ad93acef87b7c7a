/* Operations on processor sets. Not a public header. */
#pragma once

#include "schedule/procset.h"

/* The set 0 .. procs - 1. On failure it is empty and safe to destroy. */
orr_status ori_procset_create(orr_procset *set, int32_t procs, const orr_allocator *a,
                              orr_error *err);

void ori_procset_destroy(orr_procset *set);

/* Makes room for this number of intervals, so that later operations cannot run out of memory. */
orr_status ori_procset_reserve(orr_procset *set, int32_t intervals, orr_error *err);

/* Sets it to 0 .. procs - 1 again. */
void ori_procset_reset(orr_procset *set, int32_t procs);

/* Makes `to`, created, equal to `from`. */
orr_status ori_procset_copy(orr_procset *to, const orr_procset *from, orr_error *err);

/* The number of intervals that the lowest `procs` processors of the set form; -1 when the set has
 * fewer processors. */
int32_t ori_procset_span(const orr_procset *set, int32_t procs);

/* Takes the lowest `procs` processors out of the set and writes them to `taken`, which has room for
 * ori_procset_span(set, procs) intervals; returns that number. The set must hold them. */
int32_t ori_procset_take(orr_procset *set, int32_t procs, orr_interval *taken);

/* Takes out the processors of `run` that are in the set, which must have room for one more
 * interval. */
void ori_procset_remove(orr_procset *set, orr_interval run);

/* Puts `count` intervals back, none of which may be in the set. */
orr_status ori_procset_give(orr_procset *set, const orr_interval *intervals, int32_t count,
                            orr_error *err);
