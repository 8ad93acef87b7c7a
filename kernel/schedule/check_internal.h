/* What the files of the checker of schedules of jobs share. Internal to this folder. */
#pragma once

#include "schedule/schedule_internal.h"

typedef struct ori_checker {
    const orr_instance *in;
    const orr_schedule *s;
    const int32_t *failures;
    bool partial;
    int64_t *last;      /* per job: its attempt before, -1 for none */
    int64_t *gone;      /* per job that was cancelled from outside: no attempt from here on */
    int32_t *failed;    /* per job: attempts */
    double *asked;      /* per job, s: by how much kills have made its estimate longer */
    double *held_until; /* per processor, s: by an attempt */
    double *failed_until, *away_until; /* per processor, s: by a failure, drained or not there */
    int64_t outages;                   /* that have been seen */
    double *setbacks;                  /* s, in order: of what may break promises */
    int64_t setback_count;
    orr_error *err;
} ori_checker;

/* An attempt breaks a rule: what it does, and the numbers. */
orr_status ori_check_violation(const ori_checker *c, int64_t i, const char *what, double found,
                               double expected);

/* Whether a number is what it has to be. */
static inline orr_status ori_check_exactly(const ori_checker *c, int64_t i, const char *what,
                                           double found, double expected)
{
    return found == expected ? ORR_OK : ori_check_violation(c, i, what, found, expected);
}

/* When an attempt ends if nobody interrupts it, and when it is planned to, s. */
typedef struct ori_check_ends {
    double real, planned;
} ori_check_ends;

/* Of an attempt of a job that may write checkpoints: that its checkpoints are those that there must
 * be, and that it leaves what they saved (READINGS 36); and when it ends. */
orr_status ori_check_checkpoints(const ori_checker *c, int64_t i, ori_check_ends *ends);
