/* Decisions: their plans, the starts, and the short ways that skip decisions. */
#pragma once

#include "rigid/agenda_internal.h"
#include "rigid/attempts_internal.h"

/* --- the plan of a group for one decision (planning.c) --------------------------------------- */

/* Makes the plan of a group from running jobs, down processors and processors that leave. */
void ori_rigid_make_plan(orr_rigid *sim, ori_group *g);

/* Whether a job could start now by this decision's plan, in a group without windows and
 * placements. */
bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* What a search of a plan has found: a start, s, inf if there is none, and the step of the plan
 * that begins then; 0: now. Valid until the plan changes. */
typedef struct ori_slot {
    double start;
    int64_t step;
} ori_slot;

/* Finds the earliest start for a wish in this decision's plan, which is made if it is not there
 * yet. Where processors have numbers, ori_place_find has found its processors. */
orr_status ori_rigid_find_slot(orr_rigid *sim, ori_group *g, const ori_wish *wish, ori_slot *slot,
                               orr_error *err);

/* As ori_rigid_find_slot, but only a start now is looked for; else step -1. */
orr_status ori_rigid_find_slot_now(orr_rigid *sim, ori_group *g, const ori_wish *wish,
                                   ori_slot *slot, orr_error *err);

/* Takes the slot that was found last out of the plan. */
orr_status ori_rigid_take_slot(ori_group *g, const ori_wish *wish, const ori_slot *slot,
                               orr_error *err);

/* Reserves the earliest time for a job in this decision's plan: *start, s; inf: there is none. */
orr_status ori_rigid_reserve_in_plan(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                                     orr_error *err);

/* The time from which on windows matter to a group, s; inf: they never do. */
double ori_rigid_horizon(const orr_rigid *sim, const ori_group *g);

/* Whether a wish that gets this slot is there when a window opens. A search that finds nothing has
 * nothing to do with windows: with fewer processors it would find nothing, too. */
static inline bool ori_slot_reaches(const ori_slot *slot, const ori_wish *wish, double horizon)
{
    return horizon < INFINITY && slot->start < INFINITY &&
           (slot->start >= horizon || ori_wish_end(wish, slot->start) > horizon);
}

/* Whether the plan of this decision counts processors, as far as it goes. */
bool ori_rigid_counts(const orr_rigid *sim, const ori_group *g);

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

/* Takes the processors found for a job that starts now out of the plan, if there is a plan that has
 * particular processors. */
orr_status ori_rigid_take_named(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Starts a job that fits on the free processors, and is over before the next window opens. */
static inline orr_status ori_rigid_start_counted(orr_rigid *sim, ori_group *g, int32_t job,
                                                 orr_error *err)
{
    bool found = true;
    if (ORR_UNLIKELY(g->placed != NULL))
        ORI_TRY(ori_rigid_find_free(sim, g, job, &found, err));
    ORI_CHECK(&sim->shell, found, err);
    return ori_rigid_start_fitting(sim, g, job, err);
}

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
