/* The starts of the log: see recorded.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* ORR_ERR_INPUT if the log has no start for a job, or if a job is not submitted at its time in the
 * log.  */
orr_status ori_rigid_check_recorded(const orr_rigid *sim, const orr_rigid_policy *policy,
                                    orr_error *err);

/* Starts the jobs whose recorded start has come. */
orr_status ori_rigid_decide_recorded(orr_rigid *sim, ori_group *g, orr_error *err);
