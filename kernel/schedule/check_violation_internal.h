/* The shared parts of the checker of schedules of jobs. Internal to this folder. */
#pragma once

#include "schedule/schedule_internal.h"

/* The last attempt of a job that is over is no longer in the record. */
enum { ORI_FORGOTTEN = -2 };

typedef struct ori_checker {
    const orr_instance *in;
    const orr_schedule *s;
    const int32_t *failures;
    const uint8_t *submitted; /* per job of a partial run */
    bool partial;
    int64_t *last;      /* per job: its previous attempt; -1 for none, or ORI_FORGOTTEN */
    int64_t *gone;      /* per job cancelled from outside: no attempt from this one on; or NULL */
    int32_t *failed;    /* per job, where there are `failures`: attempts */
    double *asked;      /* per job, s: by how much kills have made its estimate longer */
    double *held_until; /* per processor, s: by an attempt */
    double *failed_until, *away_until; /* per processor, s: by a failure; drained or absent */
    int64_t outages;                   /* that have been seen */
    double *setbacks;                  /* s, in order: times of events that may break promises */
    int64_t setback_count, setback_capacity;
    int64_t noted; /* outages that are among the setbacks */
    ori_block block, gone_block;
    orr_error *err;
} ori_checker;

typedef struct ori_ended {
    double end; /* s, inf: it runs; first, for ori_is_less */
    int64_t attempt;
} ori_ended;

/* The error of an attempt that breaks a rule, with its text and numbers. */
orr_status ori_check_violation(const ori_checker *c, int64_t i, const char *what, double found,
                               double expected);

/* Checks that a number is exactly the expected one. */
static inline orr_status ori_check_exactly(const ori_checker *c, int64_t i, const char *what,
                                           double found, double expected)
{
    return found == expected ? ORR_OK : ori_check_violation(c, i, what, found, expected);
}
