/* Processors and who runs on them: what takes processors out of service and brings them back,
 * starts and ends of attempts. */
#pragma once

#include "rigid/state_internal.h"

/* --- which processors of a group are in service (capacity.c) ---------------------------------- */

static inline bool ori_is_down(const orr_rigid *sim, int32_t processor)
{
    return sim->processors.holder[processor] == ORI_DOWN;
}

/* The processors behind `low` that are in the same state, up to `end`. */
int32_t ori_rigid_run_end(const orr_rigid *sim, int32_t low, int32_t end);

/* Processors low .. end - 1 of a group, all in the same state, and free or down, are down as long
 * as failures and drains say now. */
void ori_rigid_update_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end);

/* Drained processors that are free, all in the same state, go down; or with ORR_OUTAGE_BACK those
 * that were drained are in service again. */
orr_status ori_rigid_note_drained(orr_rigid *sim, ori_group *g, const orr_outage *outage,
                                  orr_outage_kind kind, orr_error *err);
/* Those that an attempt has just left go down. */
orr_status ori_rigid_let_go(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Notes when the processors of a running job will be free, or forgets it. */
void ori_rigid_plan_end(orr_rigid *sim, ori_group *g, int32_t job);
void ori_rigid_unplan_end(orr_rigid *sim, ori_group *g, int32_t job);

/* A live attempt that should be over by now, and is not, may end at any time: it is planned to end
 * right behind now. What was planned to follow one that should have ended before now is late. */
void ori_rigid_plan_overdue(orr_rigid *sim);

/* --- drained processors (drain.c) ------------------------------------------------------------ */

/* So many processors of a group, the highest-numbered that are not drained, are drained until
 * `until`; or the lowest-numbered drained ones are in service again. */
orr_status ori_rigid_drain(orr_rigid *sim, ori_group *g, int32_t count, double until,
                           orr_error *err);
orr_status ori_rigid_bring_back(orr_rigid *sim, ori_group *g, int32_t count, orr_error *err);
/* Those of the group that are drained come back no earlier than at `until`. */
orr_status ori_rigid_keep_drained(orr_rigid *sim, ori_group *g, double until, orr_error *err);

/* What leaves at `until` of so many that were to come back as above, as windows, no more than there
 * are processors: until the times at which it would have come back. Returns their number. */
int64_t ori_rigid_list_leaving(const orr_rigid *sim, const ori_group *g, int32_t count,
                               double until, orr_window *list);

/* A drain that was given, or a window that lets attempts end: of what is drained already, the later
 * end counts. */
orr_status ori_rigid_drain_outage(orr_rigid *sim, const orr_outage *outage, orr_error *err);

/* The highest-numbered `count` processors are drained for ever, those that were so before come
 * back. */
orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err);

/* What is down and drained in the simulation that is taken over from, and what is new. */
orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err);

/* --- outages (outages.c) --------------------------------------------------------------------- */

/* Repairs and failures of nodes that are due now. */
orr_status ori_rigid_apply_outages(orr_rigid *sim, orr_error *err);
/* Those before now, each at its time: of a run that was over when they came, and goes on. */
orr_status ori_rigid_catch_up_outages(orr_rigid *sim, orr_error *err);

/* Processors fail now; *count, when not NULL: the attempts that this has ended. */
orr_status ori_rigid_fail_processors(orr_rigid *sim, const orr_outage *outage, int32_t *count,
                                     orr_error *err);

/* --- promises (promises.c) ------------------------------------------------------------------- */

/* Makes the timetable of a group, with the reservations of ranks before `to`: where `checked`, only
 * of those before the first that does not fit. Returns the rank up to which they hold. */
int32_t ori_rigid_make_timetable(orr_rigid *sim, ori_group *g, int32_t to, bool checked);

/* An attempt ends, before its planned end or then. */
void ori_rigid_promises_end(const orr_rigid *sim, ori_group *g, int32_t job);

/* --- attempts --------------------------------------------------------------------------------- */

/* ORR_ERR_LIMIT: times too large to add up, the clock would stop at infinity. */
orr_status ori_rigid_never_ends(const orr_rigid *sim, int32_t job, orr_error *err);

/* Starts a waiting job that is known to fit: where its group has a placement, on the processors
 * that it was found (ori_place_find). */
orr_status ori_rigid_start_fitting(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err);

/* Ends a running attempt before its time; the job then neither waits nor runs. */
orr_status ori_rigid_interrupt(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err);

/* Ends an attempt that leaves when its checkpoint is complete, which is now; the job then neither
 * waits nor runs. */
orr_status ori_rigid_leave_at_wish(orr_rigid *sim, int32_t job, orr_error *err);

/* An attempt that writes a checkpoint on demand, or outlives what the policy estimated, ends at
 * another time, of which nobody knew. */
orr_status ori_rigid_plan_again(orr_rigid *sim, int32_t job, orr_error *err);

/* A job is over that does not run, since `end`. */
void ori_rigid_over(orr_rigid *sim, int32_t job, double end);

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
