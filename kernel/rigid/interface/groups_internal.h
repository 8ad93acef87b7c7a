/* Groups of processors: see groups.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* Makes the groups of sim->policy with the parts that the simulation needs. */
orr_status ori_groups_create(orr_rigid *sim, ori_filling filling, orr_error *err);
void ori_groups_destroy(orr_rigid *sim);
void ori_groups_clear(orr_rigid *sim);
orr_status ori_groups_copy(orr_rigid *to, const orr_rigid *from, orr_error *err);
