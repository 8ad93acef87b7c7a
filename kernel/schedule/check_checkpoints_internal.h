/* Checkpoints of an attempt, for the checker: see check_checkpoints.c. */
#pragma once

#include "schedule/check_violation_internal.h"

/* The end of an attempt without interruption, and its planned end, s. */
typedef struct ori_check_ends {
    double real, planned;
} ori_check_ends;

/* Checks the checkpoints of an attempt and the work that they saved, for jobs that may write
 * checkpoints (READINGS 36); gives the attempt's ends. */
orr_status ori_check_checkpoints(const ori_checker *c, int64_t i, ori_check_ends *ends);
