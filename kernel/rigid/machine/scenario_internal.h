/* Drawing the failure count of one job, and how many attempts all jobs may have. Internal to this
 * folder. */
#pragma once

#include "rigid/machine/scenario.h"

/* Draws the failure count of one job, from the stream named by `key` and its position. Errors as
 * for orr_silent_errors_draw. */
orr_status ori_silent_errors_draw_job(const orr_silent_errors *e, orr_stream_key key, int32_t job,
                                      int32_t *failures, orr_error *err);

/* The most attempts of all jobs together that may fail, as `max_attempts` is that of one. */
static inline double ori_most_failed(int32_t max_attempts, int32_t jobs)
{
    return 10.0 * (max_attempts > jobs ? max_attempts : jobs);
}
