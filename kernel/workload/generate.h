/* Generators of workloads. Everything is a function of (seed, set): streams of purpose
 * ORR_PURPOSE_WORKLOAD, entity = position of the job. */
#pragma once

#include "workload/jobs.h"

enum { ORR_GENERATED_MAX = 100000000 }; /* jobs of one workload */

/* The synthetic sets of RR-9296, section 5.1: procs uniform on whole numbers, time uniform on the
 * reals, all submitted at 0. */
typedef struct orr_synthetic {
    int32_t count;                /* 100 in the paper */
    int32_t min_procs, max_procs; /* 50, 2000 */
    double min_time, max_time;    /* 100, 20000 s */
} orr_synthetic;

ORR_API orr_synthetic orr_synthetic_default(void);

/* ORR_ERR_ARGUMENT on a count below 0 or above ORR_GENERATED_MAX, min_procs < 1, max < min,
 * negative times. */
ORR_API orr_jobs *orr_generate_synthetic(const orr_synthetic *options, uint64_t seed, uint64_t set,
                                         const orr_allocator *a, orr_error *err);

/* A month in the manner of Mira's June 2019 (RR-9296, section 5.1 and figure 1), rebased, with ids,
 * walltimes and submission times in whole seconds. Needs days >= 1, 0 <= min_day <= max_day, and a
 * count that both extremes leave room for (ORR_ERR_ARGUMENT). From 2 days on, one day has min_day
 * jobs and another max_day. The constants were calibrated with seed 1: see data/mira/README.md. */
typedef struct orr_mira_month {
    int32_t count;            /* 4699 jobs */
    int32_t days;             /* 30 */
    int64_t first_day;        /* days since 1970 of the first day: 2019-06-01 */
    int32_t min_day, max_day; /* jobs on a day: 66 .. 277 */
} orr_mira_month;

ORR_API orr_mira_month orr_mira_month_default(void);

ORR_API orr_jobs *orr_generate_mira(const orr_mira_month *options, uint64_t seed,
                                    const orr_allocator *a, orr_error *err);
