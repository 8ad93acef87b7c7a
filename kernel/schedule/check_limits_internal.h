/* The check of pools and limits: see check_limits.c. */
#pragma once

#include "schedule/check_violation_internal.h"

/* Checks all pools and limits of the instance, once it is known that attempts are in order of their
 * starts. ends: all attempts in order of their ends. */
orr_status ori_check_limits(const ori_checker *c, const ori_ended *ends);
