/* Decisions: the plan that they are taken by, what starts now, and the short ways past them. */
#pragma once

#include "rigid/agenda_internal.h"

/* --- the plan of a group for one decision (planning.c) --------------------------------------- */

/* The plan of a group: who runs, what is down, what leaves. */
void ori_rigid_make_plan(orr_rigid *sim, ori_group *g);

/* Makes this decision's plan if it is not there yet. */
void ori_rigid_need_plan(orr_rigid *sim, ori_group *g);

/* Whether a job could start now by this decision's plan. */
bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* Reserves the earliest time for a job in this decision's plan; which is returned, s. */
double ori_rigid_reserve_in_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* --- the same with particular processors (placing.c) ----------------------------------------- */

/* Makes the plan of a group with a placement; lasts: what takes no time lasts (see ori_wish), and
 * what is planned to be free by now is free. */
orr_status ori_rigid_make_named(orr_rigid *sim, ori_group *g, bool lasts, orr_error *err);

/* Makes this decision's plan if it is not there yet. */
orr_status ori_rigid_need_named(orr_rigid *sim, ori_group *g, orr_error *err);

/* What is looked for where a job is. */
ori_wish ori_rigid_wish(const orr_rigid *sim, int32_t job, bool lasts);

/* Finds processors for a job among those that are free now, whatever is planned for them, on which
 * no window opens before its planned end. */
orr_status ori_rigid_find_free(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                               orr_error *err);

/* The same, and where there are none, whatever opens later. */
orr_status ori_rigid_find_now(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                              orr_error *err);

/* Reserves the earliest time for a job in this decision's plan; inf: there is none. And takes out
 * of it, where there is one, what was found for a job that starts now. */
orr_status ori_rigid_reserve_named(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                                   orr_error *err);
orr_status ori_rigid_take_named(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Finds processors by this decision's plan: *index is the step at which they can be had, -1: at
 * none. */
orr_status ori_rigid_look_named(orr_rigid *sim, ori_group *g, const ori_wish *wish, int64_t *index,
                                orr_error *err);

/* --- decisions ------------------------------------------------------------------------------- */

/* ORR_ERR_ARGUMENT for a discipline that there is not. */
orr_status ori_rigid_check_disciplines(const orr_rigid *sim, orr_error *err);

/* One decision of the group's discipline. */
orr_status ori_rigid_decide(orr_rigid *sim, ori_group *g, orr_error *err);

/* One decision of R-LIST with a reservation for every job, where ranks hold for the scenario.
 * a: the ends of who runs; NULL: they are in the calendar. */
orr_status ori_rigid_decide_list_all(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err);

/* One decision of conservative backfilling. */
orr_status ori_rigid_decide_conservative(orr_rigid *sim, ori_group *g, orr_error *err);

/* One decision of a group with a placement, but for conservative backfilling; and that. */
orr_status ori_rigid_decide_placed(orr_rigid *sim, ori_group *g, orr_error *err);
orr_status ori_rigid_decide_conservative_placed(orr_rigid *sim, ori_group *g, orr_error *err);

/* Whether the log tells when every job started, and they are submitted as it says: ORR_ERR_INPUT.
 * policy: its name. */
orr_status ori_rigid_check_recorded(const orr_rigid *sim, const char *policy, orr_error *err);

/* Starts the jobs whose recorded start has come. */
orr_status ori_rigid_decide_recorded(orr_rigid *sim, ori_group *g, orr_error *err);

/* --- what both conservative ones share (conservative.c) -------------------------------------- */

/* Keeps those in the list of jobs that have entered that still wait here. Returns the first rank of
 * one that was in the queue before. */
int32_t ori_rigid_first_returned(const orr_rigid *sim, ori_group *g);

/* Sorts jobs of the queue by rank, into sorter.jobs. */
void ori_rigid_sort_by_rank(orr_rigid *sim, const ori_group *g, const int32_t *jobs, int32_t count);

/* Takes the jobs whose reservations are due, in queue order, into sorter.jobs; their number. */
int32_t ori_rigid_collect_due(orr_rigid *sim, ori_group *g);

/* --- simulations that nobody watches (shortcuts.c, retry_clock.c) ---------------------------- */

/* Short ways to the next event that is worth a step, where there are any. */
orr_status ori_rigid_shortcut(orr_rigid *sim, orr_error *err);

/* The clock after `count` attempts of a job that takes `time`, one right after the other from
 * `start` on, to the last bit: count times start = (start + time) + verification. */
double ori_retry_clock(double start, double time, double verification, int32_t count);

/* The same until the first end that is not before `limit`, a finite number: *end is that of the
 * attempt that runs at first and at last, and *attempts counts those that start. Returns when the
 * last one does. There must be such an end. */
double ori_retry_until(double *end, double time, double verification, double limit,
                       int32_t *attempts);
