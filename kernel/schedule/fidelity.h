/* How well a simulation explains the waits that a log records (spec/METRICS.md, fidelity, has the
 * reasons for these measures and thresholds). */
#pragma once

#include "base/error.h"
#include "base/memory.h"

#define ORR_SHORT_WAIT 60.0 /* s: a shorter wait counts as none; so long a scheduler may sleep */

enum { ORR_FEWEST_WAITED = 10 }; /* jobs: of fewer nothing can be said, */
#define ORR_LEAST_WAITED 0.01    /* nor where they are a smaller share of the jobs */
#define ORR_EXPLAINED 0.6        /* the share of the waiting, and */
#define ORR_EXPLAINED_RANKS 0.7  /* the rank correlation, from which on the log is explained */
#define ORR_IN_PART 0.3          /* the same, from which on it is in part */
#define ORR_IN_PART_RANKS 0.4

typedef enum orr_fidelity_verdict {
    ORR_PROVES_NOTHING, /* too few jobs waited */
    ORR_EXPLAINS,
    ORR_EXPLAINS_IN_PART,
    ORR_DOES_NOT_EXPLAIN
} orr_fidelity_verdict;

typedef struct orr_fidelity {
    int64_t jobs;          /* whose wait the log records; the others count nowhere */
    int64_t waited;        /* ORR_SHORT_WAIT or longer, as recorded */
    double recorded_mean;  /* s; NaN without jobs */
    double simulated_mean; /* s; NaN without jobs */
    double correlation;    /* Spearman's, of the waits; 0 where one side has only one wait */
    double explained;      /* sum of min(recorded, simulated) / the larger sum; 0 without waits */
    orr_fidelity_verdict verdict;
} orr_fidelity;

/* Compares waits job by job, s. recorded: NaN where the log does not tell. Fails on memory only. */
ORR_API orr_status orr_measure_fidelity(const double *recorded, const double *simulated,
                                        int64_t count, const orr_allocator *a, orr_fidelity *out,
                                        orr_error *err);
