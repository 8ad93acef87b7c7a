/* The jobs that wait in groups, and their priorities. */
#pragma once

#include "rigid/state/state_internal.h"

/* Gives static ranks to all jobs, by their keys and submissions. */
void ori_groups_rank_all(orr_rigid *sim, ori_order *o);

/* Asks for the priorities per workload or per scenario; given: the priorities of the first queue,
 * or NULL. */
orr_status ori_groups_rank(orr_rigid *sim, orr_rigid_per per, const double *given, orr_error *err);

/* Asks for these priorities of one job again. */
orr_status ori_groups_ask(orr_rigid *sim, int32_t job, orr_error *err);

/* Gives the jobs from `first` on, submitted from outside, places in the orders. */
orr_status ori_groups_add(orr_rigid *sim, int32_t first, orr_error *err);

/* Makes a job wait in its group. */
orr_status ori_rigid_enqueue(orr_rigid *sim, int32_t job, orr_error *err);
/* Takes a job out of the orders; the caller updates the group's composition. */
static inline void ori_rigid_dequeue(ori_group *g, int32_t job)
{
    ori_queue_remove(&g->order.queue, job);
    if (g->has_backfill)
        ori_queue_remove(&g->backfill.queue, job);
}
/* Takes a waiting job out of its queue although it does not start. */
static inline void ori_rigid_withdraw(orr_rigid *sim, int32_t job)
{
    ori_group *g = ori_group_of(sim, job);
    bool aside = ori_is_aside(sim, job);
    if (sim->limits)
        ori_limits_unwait(sim->limits, job);
    if (aside)
        return;
    ori_rigid_dequeue(g, job);
    if (g->composition.kept)
        ori_composition_count(&g->composition, sim->in, job, -1);
    g->kept = g->plan_valid = false; /* the job may hold a reservation */
    ori_promises_withdraw(&g->promises, job);
}

/* A job starts (by 1), or its attempt ends (by -1): jobs that are over a limit by that leave their
 * queues, or come back. Only if there are limits. */
void ori_rigid_use_limits(orr_rigid *sim, int32_t job, int by);
/* The limits have changed. */
void ori_rigid_review_limits(orr_rigid *sim);

/* Puts a job that does not wait into another group; its arrival there is now. */
orr_status ori_rigid_arrive(orr_rigid *sim, int32_t job, int32_t group, orr_error *err);

/* Whether a job waits whose priority changes at that time. */
bool ori_rigid_changes(const orr_rigid *sim, int32_t job, double time);
/* Asks for its priority again, and moves it to its place. */
orr_status ori_rigid_ask_again(orr_rigid *sim, int32_t job, orr_error *err);

/* Takes over the order of a group of another simulation with the same policy. */
orr_status ori_group_take_over(orr_rigid *to, ori_group *g, const orr_rigid *from,
                               const ori_group *before, orr_error *err);
/* Makes the ranks of a group dynamic, for jobs that were moved. */
void ori_group_loosen(ori_group *g);

/* For a decision: asks for the priorities that are due, and sorts jobs that are not in order. */
orr_status ori_rigid_rank_changing(orr_rigid *sim, ori_group *g, orr_error *err);
static inline orr_status ori_rigid_rank_waiting(orr_rigid *sim, ori_group *g, orr_error *err)
{
    return g->order.dynamic || g->has_backfill ? ori_rigid_rank_changing(sim, g, err) : ORR_OK;
}
/* For a question: sorts the jobs without asking for priorities. */
void ori_rigid_sort_waiting(orr_rigid *sim, ori_group *g);

/* Sorts all queues as at the last decision, where a formula may have sorted only a part: copies of
 * a plain simulation have no formulas. */
void ori_rigid_leave_formulas(orr_rigid *sim);
