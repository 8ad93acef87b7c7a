/* Decisions: their plans, the starts, and the short ways that skip decisions. */
#pragma once

#include "rigid/agenda_internal.h"

/* --- the plan of a group for one decision (planning.c) --------------------------------------- */

/* Makes the plan of a group from running jobs, down processors and processors that leave. */
void ori_rigid_make_plan(orr_rigid *sim, ori_group *g);

/* Makes this decision's plan if it is not there yet. */
void ori_rigid_need_plan(orr_rigid *sim, ori_group *g);

/* Whether a job could start now by this decision's plan. */
bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* Reserves the earliest time for a job in this decision's plan, and returns it, s. */
double ori_rigid_reserve_in_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* --- the same with particular processors (placing.c) ----------------------------------------- */

/* Makes the plan of a group with a placement. lasts: an attempt that takes no time holds its
 * processors until the next double (see ori_wish), and processors planned to be free by now are
 * free. */
orr_status ori_rigid_make_named(orr_rigid *sim, ori_group *g, bool lasts, orr_error *err);

/* Makes this decision's plan if it is not there yet. */
orr_status ori_rigid_need_named(orr_rigid *sim, ori_group *g, orr_error *err);

/* The wish for a job: its processors and times. */
ori_wish ori_rigid_wish(const orr_rigid *sim, int32_t job, bool lasts);

/* Finds processors for a job among those that are free now, without regard to plans, on which no
 * window opens before its planned end. */
orr_status ori_rigid_find_free(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                               orr_error *err);

/* As ori_rigid_find_free; if it finds none, windows that open later are ignored. */
orr_status ori_rigid_find_now(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                              orr_error *err);

/* The first reserves the earliest time for a job in this decision's plan; inf: there is none. The
 * second takes the processors found for a job that starts now out of the plan, if there is a
 * plan. */
orr_status ori_rigid_reserve_named(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                                   orr_error *err);
orr_status ori_rigid_take_named(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Finds processors by this decision's plan: *index is the first step at which they are available;
 * -1: none. */
orr_status ori_rigid_look_named(orr_rigid *sim, ori_group *g, const ori_wish *wish, int64_t *index,
                                orr_error *err);

/* --- decisions ------------------------------------------------------------------------------- */

/* The rows of all disciplines. */
ori_disciplines ori_rigid_disciplines(void);

/* ORR_ERR_ARGUMENT for a policy that no discipline can decide for. */
orr_status ori_rigid_check_disciplines(const orr_rigid *sim, orr_error *err);

/* One decision of the group's discipline. */
orr_status ori_rigid_decide(orr_rigid *sim, ori_group *g, orr_error *err);

/* One decision of R-LIST with a reservation for every job, if ranks hold for the scenario. a: the
 * ends of running jobs; NULL: they are in the calendar. */
orr_status ori_rigid_decide_list_all(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err);

/* The same after the failure of a single job in front of all waiting jobs, which runs again. */
orr_status ori_rigid_decide_behind(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err);

/* One decision of conservative backfilling. */
orr_status ori_rigid_decide_conservative(orr_rigid *sim, ori_group *g, orr_error *err);

/* One decision of a group whose plans have particular processors. */
orr_status ori_rigid_decide_list_placed(orr_rigid *sim, ori_group *g, orr_error *err);
orr_status ori_rigid_decide_fcfs_placed(orr_rigid *sim, ori_group *g, orr_error *err);
orr_status ori_rigid_decide_shelf_placed(orr_rigid *sim, ori_group *g, orr_error *err);
orr_status ori_rigid_decide_conservative_placed(orr_rigid *sim, ori_group *g, orr_error *err);

/* ORR_ERR_INPUT if the log has no start for a job, or if a job is not submitted at its time in the
 * log.  */
orr_status ori_rigid_check_recorded(const orr_rigid *sim, const orr_rigid_policy *policy,
                                    orr_error *err);

/* Starts the jobs whose recorded start has come. */
orr_status ori_rigid_decide_recorded(orr_rigid *sim, ori_group *g, orr_error *err);

/* --- what both conservative ones share (conservative.c) -------------------------------------- */

/* Removes the jobs that no longer wait here from the list of entered jobs. Returns the smallest
 * rank of an entered job that was in the queue before. */
int32_t ori_rigid_first_returned(const orr_rigid *sim, ori_group *g);

/* Sorts jobs of the queue by rank, into sorter.jobs. */
void ori_rigid_sort_by_rank(orr_rigid *sim, const ori_group *g, const int32_t *jobs, int32_t count);

/* Takes the jobs whose reservations are due, in queue order, into sorter.jobs; returns their
 * number. */
int32_t ori_rigid_collect_due(orr_rigid *sim, ori_group *g);

/* --- short ways (shortcuts.c, retry_clock.c) -------------------------------------------------- */

/* Takes short ways, if there are any, to the next event that needs a step. */
orr_status ori_rigid_shortcut(orr_rigid *sim, orr_error *err);

/* The clock after `count` attempts of a job that takes `time`, one right after the other from
 * `start` on, to the last bit: count times start = (start + time) + verification. */
double ori_retry_clock(double start, double time, double verification, int32_t count);

/* Attempts of a job, one right after the other, until the first end that is not before `limit`, a
 * finite number. *end is the end of the first running attempt, and on return that of the last.
 * *attempts counts the attempts that start. Returns the start of the last attempt. There must be
 * such an end. */
double ori_retry_until(double *end, double time, double verification, double limit,
                       int32_t *attempts);
