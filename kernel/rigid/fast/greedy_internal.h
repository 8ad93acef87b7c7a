/* Greedy lists in a loop of their own: see greedy.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* Runs to the next submission, or until no job waits. */
orr_status ori_rigid_run_greedy(orr_rigid *sim, orr_error *err);
