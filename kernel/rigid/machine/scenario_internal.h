/* Drawing the failure count of one job. Internal to this folder. */
#pragma once

#include "rigid/machine/scenario.h"

/* Draws the failure count of one job, from the stream named by `key` and its position. Errors as
 * for orr_silent_errors_draw. */
orr_status ori_silent_errors_draw_job(const orr_silent_errors *e, orr_stream_key key, int32_t job,
                                      int32_t *failures, orr_error *err);
