/* The laws of the gaps between the failures of one processor, by inversion: a gap is a function of
 * one uniform number, so that "does it fail before t?" is a comparison of that number with the
 * law's share at t. Not a public header. */
#ifndef ORR_WORKLOAD_FAULT_LAW_INTERNAL_H
#define ORR_WORKLOAD_FAULT_LAW_INTERNAL_H

#include "workload/faults.h"

typedef struct ori_fault_gap {
    orr_fault_law law;   /* ORR_FAULTS_WEIBULL or ORR_FAULTS_LOGNORMAL */
    double shape, level; /* weibull: k, scale (s); lognormal: sigma, mu (ln s) */
} ori_fault_gap;

/* The law with mean mtbf, which is finite; ORR_ERR_ARGUMENT where its numbers are no doubles. */
orr_status ori_fault_gap_prepare(ori_fault_gap *gap, orr_fault_law law, double mtbf, double shape,
                                 orr_error *err);

/* The gap, in s >= 0, that a share u in (0, 1] of all gaps does not exceed; infinity for u = 1. */
double ori_fault_gap_at(const ori_fault_gap *gap, double u);

/* An upper bound, by a hair, of the share of gaps that are below time, a normal number > 0:
 * whatever u is above it, ori_fault_gap_at(u) > time, rounding included. */
double ori_fault_gap_share(const ori_fault_gap *gap, double time);

#endif
