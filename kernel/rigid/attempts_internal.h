/* Starts and ends of attempts. Internal to this folder. */
#ifndef ORR_RIGID_ATTEMPTS_INTERNAL_H
#define ORR_RIGID_ATTEMPTS_INTERNAL_H

#include "rigid/capacity_internal.h"

/* ORR_ERR_LIMIT: times too large to add up, the clock would stop at infinity. */
orr_status ori_rigid_never_ends(const orr_rigid *sim, int32_t job, orr_error *err);

/* Starts a waiting job that is known to fit. */
orr_status ori_rigid_start_fitting(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Ends a running attempt before its time; the job then neither waits nor runs. */
orr_status ori_rigid_interrupt(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err);

/* A job is over that does not run. */
void ori_rigid_over(orr_rigid *sim, int32_t job);

/* The processors of an attempt that ends are free again, where counting them is not enough. */
orr_status ori_rigid_give_processors(orr_rigid *sim, const ori_group *g, int32_t job,
                                     orr_outcome outcome, orr_error *err);

/* What every end of an attempt brings. Inline, for the loop. */
ORR_INLINE orr_status ori_rigid_leave(orr_rigid *sim, ori_group *g, int32_t job,
                                      orr_outcome outcome, orr_error *err)
{
    int32_t procs = sim->jobs->procs[job];
    if (g->has_planned)
        ori_rigid_unplan_end(sim, g, job);
    if (sim->shell.now != sim->planned_end[job])
        g->kept = false;
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

#endif
