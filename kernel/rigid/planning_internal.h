/* The plan of a group for one decision. Internal to this folder. */
#ifndef ORR_RIGID_PLANNING_INTERNAL_H
#define ORR_RIGID_PLANNING_INTERNAL_H

#include "rigid/state_internal.h"

/* The plan of a group: who runs, what is down, what leaves. */
void ori_rigid_make_plan(orr_rigid *sim, ori_group *g);

/* Makes this decision's plan if it is not there yet. */
void ori_rigid_need_plan(orr_rigid *sim, ori_group *g);

/* Whether a job could start now by this decision's plan. */
bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* Reserves the earliest time for a job in this decision's plan; which is returned, s. */
double ori_rigid_reserve_in_plan(orr_rigid *sim, ori_group *g, int32_t job);

#endif
