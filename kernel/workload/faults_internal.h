/* Functions of fault sources for the engines and the specs. Not a public header. */
#pragma once

#include "workload/faults.h"

/* Renewal: the approximate number of faults in a window, >= 1, from the next reset on. The faults
 * do not depend on it. */
void ori_faults_set_window(orr_faults *faults, int32_t count);

/* Renewal, after a reset: gap n = 0, 1, ... of a processor, s. */
double ori_faults_gap(const orr_faults *faults, int32_t processor, uint32_t n);

/* An equal, independent source; NULL on failure (memory). */
orr_faults *ori_faults_copy(const orr_faults *from, orr_error *err);

/* The same in place of *to, which is destroyed; from = NULL: *to stays. */
orr_status ori_faults_copy_to(orr_faults **to, const orr_faults *from, orr_error *err);

/* Resets, but processors that were added later are still new at the time when they were added. */
orr_status ori_faults_draw_anew(orr_faults *faults, uint64_t seed, uint64_t set, uint64_t run,
                                orr_error *err);

/* `count` >= 1 more processors behind the last, new at `time` s, up to which all faults have been
 * taken. Exponential: their superposition is a stream of its own, entity = the first of their
 * numbers. The faults of the others do not change. After a reset all belong to one machine, new at
 *    0. ORR_ERR_MEMORY only; then the source can only be destroyed. */
orr_status ori_faults_grow(orr_faults *faults, int32_t count, double time, orr_error *err);

/* Replaces this processor, whose failure at `now` has been taken, by another one: new from `from`
 * on, and a lemon or not. It is number `generation` >= 1 in this place. ORR_ERR_MEMORY only. */
orr_status ori_faults_replace(orr_faults *faults, int32_t processor, uint32_t generation,
                              double now, double from, orr_error *err);

/* Called before a reset: for a law that draws, only the first `procs` processors remain. Errors as
 * above. */
orr_status ori_faults_keep(orr_faults *faults, int32_t procs, orr_error *err);
