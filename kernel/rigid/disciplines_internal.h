/* Decisions, and the short ways that skip decisions. */
#pragma once

#include "rigid/agenda_internal.h"
#include "rigid/attempts_internal.h"

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

/* ORR_ERR_INPUT if the log has no start for a job, or if a job is not submitted at its time in the
 * log.  */
orr_status ori_rigid_check_recorded(const orr_rigid *sim, const orr_rigid_policy *policy,
                                    orr_error *err);

/* Starts the jobs whose recorded start has come. */
orr_status ori_rigid_decide_recorded(orr_rigid *sim, ori_group *g, orr_error *err);

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
