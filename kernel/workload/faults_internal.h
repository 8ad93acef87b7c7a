/* What of the sources of faults only the engines and the specs look at. Not a public header. */
#ifndef ORR_WORKLOAD_FAULTS_INTERNAL_H
#define ORR_WORKLOAD_FAULTS_INTERNAL_H

#include "workload/faults.h"

/* Renewal: about how many faults a window is to hold, >= 1; counts from the next reset on. The
 * faults do not depend on it. */
void ori_faults_set_window(orr_faults *faults, int32_t count);

/* Renewal, after a reset: gap n = 0, 1, ... of a processor, s. */
double ori_faults_gap(const orr_faults *faults, int32_t processor, uint32_t n);

/* An equal, independent source; NULL on failure (memory). */
orr_faults *ori_faults_copy(const orr_faults *faults, orr_error *err);

/* As reset, but processors that were added later are still new when they came. */
orr_status ori_faults_draw_anew(orr_faults *faults, uint64_t seed, uint64_t set, uint64_t run,
                                orr_error *err);

/* `count` >= 1 more processors behind the last, new at `time` s, up to which all faults have been
 * taken. Exponential: their superposition is a stream of its own, entity = the first of their
 * numbers. The faults of the others stay as they are. After a reset all are of one machine, new at
 * 0. ORR_ERR_MEMORY only, and then only destroying the source makes sense. */
orr_status ori_faults_grow(orr_faults *faults, int32_t count, double time, orr_error *err);

/* Whether faults are drawn, so that another seed gives others. */
bool ori_faults_are_drawn(const orr_faults *faults);

#endif
