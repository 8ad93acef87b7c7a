/* Decisions, by the discipline of a group: see disciplines.c. */
#pragma once

#include "rigid/state/state_internal.h"

/* The rows of all disciplines. */
ori_disciplines ori_rigid_disciplines(void);

/* ORR_ERR_ARGUMENT for a policy that no discipline can decide for. */
orr_status ori_rigid_check_disciplines(const orr_rigid *sim, orr_error *err);

/* What the discipline list decides for a group that another one decides for. */
orr_status ori_rigid_decide_list(orr_rigid *sim, ori_group *g, int32_t reservations,
                                 orr_error *err);

/* One decision of the group's discipline. */
orr_status ori_rigid_decide(orr_rigid *sim, ori_group *g, orr_error *err);
