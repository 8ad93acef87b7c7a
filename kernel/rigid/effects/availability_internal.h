/* Availability: when can a job start? Decisions, promises, reservations of policies, and all
 * questions (can_start, earliest_start, why) ask here, and nowhere else.
 *
 * What is available is the conjunction of parts. Processors are the first part. They are counted
 * (ori_plan, and ori_timetable for promises) as long as counting is enough; else they are
 * particular ones (ori_named). Anything else of which attempts have a share is a further part: a
 * row of `shares` in availability.c. A job starts when all parts agree. */
#pragma once

#include "rigid/state/nodes_plan_internal.h"
#include "rigid/state/state_internal.h"

/* A part of availability beside processors. Who has which share follows from the running jobs, in
 * the simulation; `begin`, `earliest` and `change` are about the profile of a group's plan. */
typedef struct ori_share {
    /* Whether it limits any job. If it does, no fast loop is used. */
    bool (*limits)(const orr_rigid *sim);

    /* Whether the share of a wish that starts now is free, without regard to plans. */
    bool (*is_free)(const orr_rigid *sim, const ori_wish *wish);

    /* Makes the profile of a group's plan again: running jobs have their shares until their planned
     * ends, and there are no reservations. */
    orr_status (*begin)(orr_rigid *sim, const ori_group *g, orr_error *err);

    /* The earliest start, not before `from`, at which the share is there until the wish's end, s;
     * inf: there is none. */
    double (*earliest)(orr_rigid *sim, const ori_group *g, const ori_wish *wish, double from);

    /* Takes the share of a wish out of the profile from `start` < inf on, or gives it back. */
    orr_status (*change)(orr_rigid *sim, const ori_group *g, const ori_wish *wish, double start,
                         bool takes, orr_error *err);
} ori_share;

/* Whether parts beside processors limit jobs. */
bool ori_rigid_has_shares(const orr_rigid *sim);

/* The wish for a job: its processors and times. */
static inline ori_wish ori_rigid_wish(const orr_rigid *sim, int32_t job, bool lasts)
{
    return (ori_wish){.job = job,
                      .procs = sim->jobs->procs[job],
                      .estimate = sim->estimate[job],
                      .verification = sim->in->verification,
                      .lasts = lasts};
}

/* --- now -------------------------------------------------------------------------------------- */

/* Whether a job of a group with `placed` fits on what is free now, without regard to plans, and on
 * processors on which no window opens before its planned end. */
orr_status ori_rigid_find_free(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                               orr_error *err);

/* As ori_rigid_find_free; if it finds none, windows that open later are ignored. */
orr_status ori_rigid_find_now(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                              orr_error *err);

/* The only reservation of a decision in a group with `placed`: moves its start to the first one,
 * not before *start, s, from which there are processors; inf: there are none. They have been found,
 * and `spare` is what is free now. */
orr_status ori_rigid_reserve_head(const orr_rigid *sim, const ori_group *g, int32_t job,
                                  double *start, orr_error *err);

/* As ori_rigid_find_free, for a job that ends later than that reservation starts: among `spare`. */
orr_status ori_rigid_find_spare(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                                orr_error *err);

/* --- the plan of one decision ----------------------------------------------------------------- */

/* What a search has found: a start, s, inf if there is none, and the step of the plan that begins
 * then; 0: now. Valid until the plan changes. */
typedef struct ori_slot {
    double start;
    int64_t step;
} ori_slot;

/* Begins a decision, or ends one: there is no plan. The first question makes it. */
static inline void ori_rigid_begin_plan(ori_group *g)
{
    g->plan_valid = false;
    if (ORR_UNLIKELY(g->placed != NULL))
        ori_placed_forget_plan(g->placed);
}

/* Makes the counted plan from running jobs, down processors and processors that leave. */
void ori_rigid_make_plan(orr_rigid *sim, ori_group *g);

/* Whether parts beside processors leave a job its share, without regard to plans: until its planned
 * end; now: at this instant, whatever closes later. */
bool ori_rigid_shares_are_free(const orr_rigid *sim, int32_t job, bool now);
static inline bool ori_rigid_has_share(const orr_rigid *sim, int32_t job)
{
    return ORR_LIKELY(!sim->needs.shares) || ori_rigid_shares_are_free(sim, job, false);
}
static inline bool ori_rigid_has_share_now(const orr_rigid *sim, int32_t job)
{
    return ORR_LIKELY(!sim->needs.shares) || ori_rigid_shares_are_free(sim, job, true);
}

/* A job that starts takes its share, in a group without `placed` also out of the plan, if there is
 * one. */
orr_status ori_rigid_take_shares(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* An attempt that ends gives its shares back, and what it held is added up. */
void ori_rigid_give_shares(orr_rigid *sim, int32_t job);

/* The only reservation of a decision: moves its start, at which there are enough processors, to one
 * on which all parts agree. Then whether a job has its share beside it; if so that is taken. */
orr_status ori_rigid_reserve_shares(orr_rigid *sim, ori_group *g, int32_t job, double *from,
                                    orr_error *err);
orr_status ori_rigid_share_beside(orr_rigid *sim, ori_group *g, int32_t job, bool *has,
                                  orr_error *err);

/* On a machine of nodes: whether a job can start now on what is free now without making a
 * reservation of this decision later. settle: these are made again as they are with it, and it
 * starts next. */
orr_status ori_rigid_starts_beside(orr_rigid *sim, ori_group *g, int32_t job, bool settle,
                                   bool *starts, orr_error *err);
/* After a start that may have made reservations later: makes them again. */
orr_status ori_rigid_reserve_again(orr_rigid *sim, ori_group *g, orr_error *err);

/* Whether a job can start now, in a group without `placed`. */
bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job);

/* The earliest start, not before `from`. Where processors are particular, ori_place_find has found
 * them. */
orr_status ori_rigid_earliest(orr_rigid *sim, ori_group *g, const ori_wish *wish, double from,
                              ori_slot *slot, orr_error *err);

/* As ori_rigid_earliest, but only a start now is looked for; else step -1. */
orr_status ori_rigid_starts_now(orr_rigid *sim, ori_group *g, const ori_wish *wish, ori_slot *slot,
                                orr_error *err);

/* Takes the slot that was found last out of the plan. */
orr_status ori_rigid_take(orr_rigid *sim, ori_group *g, const ori_wish *wish, const ori_slot *slot,
                          orr_error *err);

/* Takes a job that starts now out of the plan, if there is one; counted processors are taken by the
 * start. */
orr_status ori_rigid_take_now(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Reserves the earliest time for a job: *start, s; inf: there is none. */
orr_status ori_rigid_reserve(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                             orr_error *err);

/* --- counted or particular -------------------------------------------------------------------- */

/* Whether the plan of this decision counts processors, as far as it goes. */
bool ori_rigid_counts(const orr_rigid *sim, const ori_group *g);

/* As ori_rigid_earliest from now on, by counted processors; *reaches: a window is there. */
orr_status ori_rigid_count_earliest(orr_rigid *sim, ori_group *g, const ori_wish *wish,
                                    ori_slot *slot, bool *reaches, orr_error *err);

/* The time from which on windows matter to a group, s; inf: they never do. */
double ori_rigid_horizon(const orr_rigid *sim, const ori_group *g);

/* Whether a wish that starts then is there when a window opens. A search that finds nothing has
 * nothing to do with windows: with fewer processors it would find nothing, too. */
bool ori_rigid_reaches(const orr_rigid *sim, const ori_group *g, const ori_wish *wish,
                       double start);

/* --- promises: what outlives a decision (READINGS 34) ----------------------------------------- */

/* Begins the profile of promises anew, without any. It counts in the group's timetable, or has
 * particular processors where promises are bound to these. A start that takes no time lasts until
 * the next double. */
orr_status ori_rigid_begin_promises(orr_rigid *sim, ori_group *g, orr_error *err);

/* The earliest start for a new promise to a job, s; inf: there is none. */
orr_status ori_rigid_find_promise(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                                  orr_error *err);

/* The same where timetables are kept, not before `from`, for a job that has its share from `before`
 * on (inf: it has none): inf if there is no start before that. */
double ori_rigid_earlier_promise(const orr_rigid *sim, ori_group *g, int32_t job, double from,
                                 double before);
/* Makes that start the job's promise, and moves its share there. */
orr_status ori_rigid_pull_promise(const orr_rigid *sim, ori_group *g, int32_t job, double start,
                                  orr_error *err);

/* Makes the start that was found last the job's promise, without taking it. */
orr_status ori_rigid_note_promise(ori_group *g, int32_t job, double start, orr_error *err);

/* On nodes: moves a job's promise to an earlier start, if there is one; *moved: whether. */
orr_status ori_rigid_move_promise(orr_rigid *sim, ori_group *g, int32_t job, bool *moved,
                                  orr_error *err);

/* Takes a job's promise out of the profile, or gives it back. */
orr_status ori_rigid_take_promise(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);
orr_status ori_rigid_give_promise(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Whether the shares that belong to a promise which is due are free now. */
bool ori_rigid_has_promised_shares(orr_rigid *sim, int32_t job);

/* Whether a job's promise fits into the profile. */
orr_status ori_rigid_has_promise(orr_rigid *sim, ori_group *g, int32_t job, bool *fits,
                                 orr_error *err);
