/* What of the sources of faults only the specs look at. Not a public header. */
#ifndef ORR_WORKLOAD_FAULTS_INTERNAL_H
#define ORR_WORKLOAD_FAULTS_INTERNAL_H

#include "workload/faults.h"

/* Renewal: about how many faults a window is to hold, >= 1; counts from the next reset on. The
 * faults do not depend on it. */
void ori_faults_set_window(orr_faults *faults, int32_t count);

/* Renewal, after a reset: gap n = 0, 1, ... of a processor, s. */
double ori_faults_gap(const orr_faults *faults, int32_t processor, uint32_t n);

#endif
