/* Laws of faults: see fault_law.c. */
#pragma once

#include "workload/faults.h"

/* The laws of the gaps between the failures of one processor, and of repairs, by inversion: a gap
 * is a function of one uniform number, so that "does it fail before t?" is a comparison of that
 * number with the law's share at t. */
typedef struct ori_fault_gap {
    orr_fault_law law; /* ORR_FAULTS_NONE: constant; not ORR_FAULTS_LOG */
    double shape,
        level; /* weibull: k, scale (s); lognormal: sigma, mu (ln s); else level: mean, s */
} ori_fault_gap;

/* The law with mean mtbf, which is finite; ORR_ERR_ARGUMENT where its numbers are no doubles. */
orr_status ori_fault_gap_prepare(ori_fault_gap *gap, orr_fault_law law, double mtbf, double shape,
                                 orr_error *err);

/* The gap, in s >= 0, that a share u in (0, 1] of all gaps does not exceed; infinity for u = 1. */
double ori_fault_gap_at(const ori_fault_gap *gap, double u);

/* Draw n = 0, 1, ... of stream `entity`: a number in (0, 1]. */
double ori_fault_gap_unit(orr_stream_key key, uint64_t entity, uint32_t n);

/* For weibull and lognormal: a tight upper bound of the share of gaps below `time`, a normal number
 * > 0. For every u above the bound ori_fault_gap_at(u) > time, rounding included. */
double ori_fault_gap_share(const ori_fault_gap *gap, double time);
