/* Attempts start and end: see attempts.c. */
#pragma once

#include "rigid/effects/availability_internal.h"
#include "rigid/effects/capacity_internal.h"
#include "rigid/effects/waiting_internal.h"

/* Live attempts that should be over by now are planned to end right after now, because they may end
 * at any time. If one should have ended before now, the starts planned after it are late. */
void ori_rigid_plan_overdue(orr_rigid *sim);

/* Returns ORR_ERR_LIMIT: times are too large to add, the clock would reach infinity. */
orr_status ori_rigid_never_ends(const orr_rigid *sim, int32_t job, orr_error *err);

/* Starts a waiting job that is known to fit; in a group with a placement, on the processors that
 * ori_place_find has found. */
orr_status ori_rigid_start_fitting(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Starts a job that fits on the free processors, and is over before the next window opens. */
orr_status ori_rigid_start_counted(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Ends a running attempt before its time; the job then neither waits nor runs. */
orr_status ori_rigid_interrupt(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err);

/* Ends an attempt that leaves after its checkpoint, which is complete now; the job then neither
 * waits nor runs. */
orr_status ori_rigid_leave_at_wish(orr_rigid *sim, int32_t job, orr_error *err);

/* Plans again an attempt whose end has changed unexpectedly: it writes a checkpoint on demand, or
 * outlives the policy's estimate. */
orr_status ori_rigid_plan_again(orr_rigid *sim, int32_t job, orr_error *err);

/* Marks a job that does not run as over since `end`. */
void ori_rigid_over(orr_rigid *sim, int32_t job, double end);

/* Frees the processors of an attempt that ends, if counting them is not enough. */
orr_status ori_rigid_give_processors(orr_rigid *sim, const ori_group *g, int32_t job,
                                     orr_outcome outcome, orr_error *err);

/* The common part of every end of an attempt. Inline, for the loop. */
ORR_INLINE orr_status ori_rigid_leave(orr_rigid *sim, ori_group *g, int32_t job,
                                      orr_outcome outcome, orr_error *err)
{
    int32_t procs = sim->jobs->procs[job];
    if (g->has_planned)
        ori_rigid_unplan_end(sim, g, job);
    if (sim->shell.now != sim->planned_end[job])
        g->kept = false;
    if (g->promises.kept)
        ORI_TRY(ori_rigid_promises_end(sim, g, job, err));
    if (ORR_UNLIKELY(sim->needs.holds))
        ori_rigid_give_shares(sim, job);
    if (sim->needs.placed)
        ORI_TRY(ori_rigid_give_processors(sim, g, job, outcome, err));
    if (sim->in->has_window)
        sim->at.totals.window_held +=
            orr_part_in_window(sim->in, sim->start[job], sim->shell.now) * procs;
    g->at.free += procs;
    g->at.running--;
    sim->at.running--;
    sim->at.last_end = sim->shell.now;
    if (ORR_UNLIKELY(sim->limits != NULL))
        ori_rigid_use_limits(sim, job, -1);
    return ORR_UNLIKELY(sim->outages.at.draining) ? ori_rigid_let_go(sim, g, job, err) : ORR_OK;
}
