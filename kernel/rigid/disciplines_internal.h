/* Decisions: what starts now. Internal to this folder. */
#ifndef ORR_RIGID_DISCIPLINES_INTERNAL_H
#define ORR_RIGID_DISCIPLINES_INTERNAL_H

#include "rigid/state_internal.h"

/* ORR_ERR_ARGUMENT for a discipline that there is not. */
orr_status ori_rigid_check_disciplines(const orr_rigid *sim, orr_error *err);

/* One decision of the group's discipline. */
orr_status ori_rigid_decide(orr_rigid *sim, ori_group *g, orr_error *err);

/* One decision of R-LIST with a reservation for every job, where ranks hold for the scenario. */
orr_status ori_rigid_decide_conservative(orr_rigid *sim, ori_group *g, orr_error *err);

#endif
