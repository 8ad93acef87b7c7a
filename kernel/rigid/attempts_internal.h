/* Processors and attempts: processors leave service and come back, attempts start and end. */
#pragma once

#include "rigid/availability_internal.h"
#include "rigid/capacity_internal.h"

/* Live attempts that should be over by now are planned to end right after now, because they may end
 * at any time. If one should have ended before now, the starts planned after it are late. */
void ori_rigid_plan_overdue(orr_rigid *sim);

/* --- drained processors (drain.c) ------------------------------------------------------------ */

/* Drains `count` processors of a group, the highest-numbered that are not drained, until `until`.
 * Bringing back returns `count` drained ones, the lowest-numbered, to service. */
orr_status ori_rigid_drain(orr_rigid *sim, ori_group *g, int32_t count, double until,
                           orr_error *err);
orr_status ori_rigid_bring_back(orr_rigid *sim, ori_group *g, int32_t count, orr_error *err);
/* The drained processors of the group come back at `until` at the earliest. */
orr_status ori_rigid_keep_drained(orr_rigid *sim, ori_group *g, double until, orr_error *err);

/* Lists as windows the processors that leave again at `until`, of `count` that are brought back as
 * above; each window ends when its processors would have come back. Returns the number of windows,
 * at most the number of processors. */
int64_t ori_rigid_list_leaving(const orr_rigid *sim, const ori_group *g, int32_t count,
                               double until, orr_window *list);

/* Begins a given drain, or a window that lets attempts end. For processors that are drained already
 * the later end counts. */
orr_status ori_rigid_drain_outage(orr_rigid *sim, const orr_outage *outage, orr_error *err);

/* Drains the highest-numbered `count` processors for ever; other processors that were retired
 * before come back. */
orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err);

/* Takes over the down and drained processors of `from`, with their times. */
orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err);

/* --- outages (outages.c) --------------------------------------------------------------------- */

/* Applies the repairs and failures of nodes that are due now. */
orr_status ori_rigid_apply_outages(orr_rigid *sim, orr_error *err);
/* Applies those before now, each at its time, for a run that was over at these times and goes
 * on. */
orr_status ori_rigid_catch_up_outages(orr_rigid *sim, orr_error *err);

/* Makes processors fail now; *count, when not NULL, is the number of attempts that this has
 * ended. */
orr_status ori_rigid_fail_processors(orr_rigid *sim, const orr_outage *outage, int32_t *count,
                                     orr_error *err);

/* --- attempts --------------------------------------------------------------------------------- */

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
    g->settled = false;
    if (g->has_planned)
        ori_rigid_unplan_end(sim, g, job);
    if (sim->shell.now != sim->planned_end[job])
        g->kept = false;
    if (g->promises.kept)
        ori_rigid_promises_end(sim, g, job);
    if (sim->needs.placed)
        ORI_TRY(ori_rigid_give_processors(sim, g, job, outcome, err));
    if (sim->in->has_window)
        sim->at.totals.window_held +=
            orr_part_in_window(sim->in, sim->start[job], sim->shell.now) * procs;
    g->at.free += procs;
    g->at.running--;
    sim->at.running--;
    sim->at.last_end = sim->shell.now;
    return ORR_UNLIKELY(sim->outages.at.draining) ? ori_rigid_let_go(sim, g, job, err) : ORR_OK;
}
