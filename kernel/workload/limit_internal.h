/* Limits of an instance: see limit.c. */
#pragma once

#include "workload/instance.h"

/* `status`, with a message, where a job alone exceeds a limit of the instance. */
orr_status ori_limits_allow(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                            orr_status status, orr_error *err);

/* ORR_ERR_ARGUMENT where a limit is on what the machine does not have. */
orr_status ori_limits_check(const orr_instance *in, orr_error *err);

/* Whether a limit of an instance is on jobs that wait, so that jobs may be refused. */
bool ori_limits_refuse(const orr_instance *in);

/* "procs/user", "jobs/partition:debug", "waiting": what a limit is on. */
const char *ori_limit_text(const orr_limit *limit, char text[128]);
