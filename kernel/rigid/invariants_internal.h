/* Invariants between two instants: see invariants.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* In builds with ORI_CHECKS: ends the program where a count or a cache is not what follows from the
 * attempts that run and the jobs that wait. */
void ori_rigid_check_quiet(const orr_rigid *sim);
