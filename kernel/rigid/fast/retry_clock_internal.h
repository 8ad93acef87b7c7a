/* Many attempts of one job, one right after the other: see retry_clock.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* The clock after `count` attempts of a job that takes `time`, one right after the other from
 * `start` on, to the last bit: count times start = (start + time) + verification. */
double ori_retry_clock(double start, double time, double verification, int32_t count);

/* Attempts of a job, one right after the other, until the first end that is not before `limit`, a
 * finite number. *end is the end of the first running attempt, and on return that of the last.
 * *attempts counts the attempts that start. Returns the start of the last attempt. There must be
 * such an end. */
double ori_retry_until(double *end, double time, double verification, double limit,
                       int32_t *attempts);
