/* Decisions: the plan that they are taken by, what starts now, and the short ways past them. */
#pragma once

#include "rigid/state_internal.h"

/* --- the plan of a group for one decision (planning.c) --------------------------------------- */

/* The plan of a group: who runs, what is down, what leaves. */
void ori_rigid_make_plan(orr_rigid *sim, ori_group *g);

/* Makes this decision's plan if it is not there yet. */
void ori_rigid_need_plan(orr_rigid *sim, ori_group *g);

/* Whether a job could start now by this decision's plan. */
bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* Reserves the earliest time for a job in this decision's plan; which is returned, s. */
double ori_rigid_reserve_in_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* --- decisions ------------------------------------------------------------------------------- */

/* ORR_ERR_ARGUMENT for a discipline that there is not. */
orr_status ori_rigid_check_disciplines(const orr_rigid *sim, orr_error *err);

/* One decision of the group's discipline. */
orr_status ori_rigid_decide(orr_rigid *sim, ori_group *g, orr_error *err);

/* One decision of R-LIST with a reservation for every job, where ranks hold for the scenario. */
orr_status ori_rigid_decide_list_all(orr_rigid *sim, ori_group *g, orr_error *err);

/* One decision of conservative backfilling. */
orr_status ori_rigid_decide_conservative(orr_rigid *sim, ori_group *g, orr_error *err);

/* --- simulations that nobody watches (shortcuts.c, retry_clock.c) ---------------------------- */

/* Short ways to the next event that is worth a step, where there are any. */
orr_status ori_rigid_shortcut(orr_rigid *sim, orr_error *err);

/* The clock after `count` attempts of a job that takes `time`, one right after the other from
 * `start` on, to the last bit: count times start = (start + time) + verification. */
double ori_retry_clock(double start, double time, double verification, int32_t count);
