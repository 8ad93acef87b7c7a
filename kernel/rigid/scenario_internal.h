/* What is drawn of the silent errors of one job. Internal to this folder. */
#pragma once

#include "rigid/scenario.h"

/* The count of one job, from the stream that `key` and its position name; as above. */
orr_status ori_silent_errors_draw_job(const orr_silent_errors *e, orr_stream_key key, int32_t job,
                                      int32_t *failures, orr_error *err);
