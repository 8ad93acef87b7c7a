/* Causes of the ends of stints, for the checker: see check_stints_faults.c. */
#pragma once

#include "schedule/check_stints_machine_internal.h"

/* Moves happen when some task completes or is struck. */
orr_status ori_check_moves(ori_stints_checker *c);

/* Exactly the given faults that hit a ready task struck. */
orr_status ori_check_faults(ori_stints_checker *c);
