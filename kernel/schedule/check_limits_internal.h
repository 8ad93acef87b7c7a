/* The check of limits: see check_limits.c. */
#pragma once

#include "schedule/check_violation_internal.h"

/* Checks all limits of the instance. */
orr_status ori_check_limits(const ori_checker *c);
