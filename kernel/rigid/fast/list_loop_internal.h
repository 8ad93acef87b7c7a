/* Lists with one reservation, or one for every job, in a loop of their own: see list_loop.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* Runs until no job waits, in a group that has_loop. No job may be still to come. */
orr_status ori_rigid_run_list(orr_rigid *sim, orr_error *err);
