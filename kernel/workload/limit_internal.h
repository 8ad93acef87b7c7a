/* Limits of an instance: see limit.c. */
#pragma once

#include "workload/instance.h"

/* Copies limits into an instance that has none, and checks them; frees them. */
orr_status ori_limits_take(orr_instance *in, const orr_limit *limits, int32_t count,
                           orr_error *err);
void ori_limits_drop(orr_instance *in);

/* `status`, with a message, where a job alone exceeds a limit of the instance. */
orr_status ori_limits_allow(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                            orr_status status, orr_error *err);
