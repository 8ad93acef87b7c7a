/* Attempts: how one starts, and how one is ended before its time. An attempt that reaches its end
 * is ended by the loop (run.c), which decides whether it completes, fails or is killed at its
 * walltime. Both use the same function (ori_rigid_leave in attempts_internal.h). */
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/availability_internal.h"
#include "rigid/effects/capacity_internal.h"

#include "rigid/effects/checkpoints_internal.h"
#include "rigid/effects/dependents_internal.h"
#include "rigid/effects/estimates_internal.h"

#include "rigid/effects/hooks_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "schedule/schedule_internal.h"

orr_status ori_rigid_never_ends(const orr_rigid *sim, int32_t job, orr_error *err)
{
    return orr_fail(err, ORR_ERR_LIMIT, "job %s would end at infinity: its times are too large",
                    orr_jobs_id(sim->jobs, job));
}

/* Takes particular processors, if counting them is not enough. */
static orr_status take_processors(orr_rigid *sim, const ori_group *g, int32_t job, double planned,
                                  orr_error *err)
{
    int32_t procs = sim->jobs->procs[job];
    if (!sim->needs.has_processors)
        return ori_schedule_start(&sim->schedule, job, procs, sim->shell.now, planned, err);
    int32_t count;
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL)) {
        ORI_TRY(ori_nodes_start(sim, job, sim->processors.taken, &count, err));
        ori_processors_take_runs(&sim->processors, g->index, job, sim->processors.taken, count);
    } else if (g->placed) {
        const ori_runs *found = &g->placed->place.found;
        count = found->count;
        ori_processors_take_runs(&sim->processors, g->index, job, found->list, count);
    } else {
        count = ori_processors_take(&sim->processors, g->index, job, procs);
    }
    if (!sim->shell.record)
        return ORR_OK;
    orr_placement where = {g->index, sim->processors.taken, count};
    return ori_schedule_start_on(&sim->schedule, job, &where, sim->shell.now, planned, err);
}

orr_status ori_rigid_give_processors(orr_rigid *sim, const ori_group *g, int32_t job,
                                     orr_outcome outcome, orr_error *err)
{
    if (sim->needs.has_processors)
        ori_processors_give(&sim->processors, g->index, job);
    return sim->shell.record ? ori_schedule_end(&sim->schedule, job, sim->shell.now, outcome, err)
                             : ORR_OK;
}

/* Updates the counts of waiting jobs that policies may ask for. */
static void count_start(const orr_rigid *sim, ori_group *g, int32_t job)
{
    bool is_first = sim->attempts[job] == 1 && !(sim->interrupted && sim->interrupted[job] > 0);
    if (g->composition.kept)
        ori_composition_count(&g->composition, sim->in, job, -1);
    if (g->recent_waits && is_first)
        ori_recent_waits_note(g->recent_waits, sim->shell.now - sim->in->submit[job]);
}

orr_status ori_rigid_start_fitting(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    const orr_instance *in = sim->in;
    int32_t procs = sim->jobs->procs[job];
    double planned = ori_rigid_planned_end(sim, job, sim->shell.now);
    if (ORR_UNLIKELY(!(planned < INFINITY)))
        return ori_rigid_never_ends(sim, job, err);
    if (sim->needs.placed)
        ORI_TRY(take_processors(sim, g, job, planned, err));
    if (sim->shell.record && g->promises.kept)
        ori_schedule_promise(&sim->schedule, job, g->promises.promised[job],
                             g->promises.excused[job]);
    ori_rigid_dequeue(g, job);
    double end = sim->asked.live ? INFINITY : orr_real_end(in, job, sim->shell.now);
    if (ORR_UNLIKELY(sim->progress != NULL))
        end = ori_checkpoints_begin(sim, job);
    if (ORR_UNLIKELY(sim->outlived != NULL))
        end = ori_estimates_begin(sim, job, end);
    ori_calendar_push(&sim->ends, end, 0, job);
    if (g->has_planned)
        ori_ends_add(&g->planned, planned, procs);
    if (g->plan_valid && ORR_LIKELY(!ori_machine_nodes(sim)))
        ori_plan_reserve(&g->plan, 0, planned, procs);
    sim->start[job] = sim->shell.now;
    sim->planned_end[job] = planned;
    if (ORR_UNLIKELY(sim->needs.shares))
        ORI_TRY(ori_rigid_take_shares(sim, g, job, err));
    sim->state[job] = ORR_JOB_RUNNING;
    sim->attempts[job]++;
    if (ORR_UNLIKELY(g->counts))
        count_start(sim, g, job);
    g->at.free -= procs;
    g->at.running++;
    sim->at.running++;
    if (ORR_UNLIKELY(sim->limits != NULL))
        ori_rigid_use_limits(sim, job, 1);
    if (sim->started)
        ori_rigid_note_start(sim, job);
    ORI_CHECK(&sim->shell, g->at.free >= 0, err);
    return ORR_OK;
}

orr_status ori_rigid_start_counted(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    bool found = true;
    if (ORR_UNLIKELY(g->placed != NULL))
        ORI_TRY(ori_rigid_find_free(sim, g, job, &found, err));
    ORI_CHECK(&sim->shell, found, err);
    return ori_rigid_start_fitting(sim, g, job, err);
}

void ori_rigid_over(orr_rigid *sim, int32_t job, double end)
{
    sim->planned_end[job] = end;
    sim->state[job] = ORR_JOB_OVER;
    sim->at.over++;
    if (ORR_UNLIKELY(sim->dependents != NULL))
        ori_dependents_end(sim, job, end);
}

static void count_interruption(orr_rigid *sim, int32_t job, orr_outcome outcome)
{
    orr_run_totals *t = &sim->at.totals;
    double length = sim->shell.now - sim->start[job];
    if (sim->progress)
        ori_checkpoints_interrupt(sim, job, outcome);
    t->interrupted_held += length * sim->jobs->procs[job];
    t->preempted += outcome == ORR_PREEMPTED;
    t->cancelled += outcome == ORR_CANCELLED;
    t->node_failures += outcome == ORR_NODE_FAILED;
    sim->attempts[job]--;
    sim->interrupted[job]++;
    if (outcome == ORR_CANCELLED)
        sim->cancelled[job] = length;
}

/* Ends an attempt that is not in the calendar any more. */
static orr_status cut_short(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err)
{
    ori_group *g = ori_group_of(sim, job);
    ORI_TRY(ori_rigid_leave(sim, g, job, outcome, err));
    g->kept = g->plan_valid = false;
    if (g->placed)
        ori_placed_forget_plan(g->placed);
    count_interruption(sim, job, outcome);
    if (sim->started)
        ori_rigid_forget_start(sim, job);
    if (outcome == ORR_CANCELLED)
        ori_rigid_over(sim, job, sim->shell.now);
    return ORR_OK;
}

orr_status ori_rigid_interrupt(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err)
{
    ori_calendar_remove(&sim->ends, job);
    return cut_short(sim, job, outcome, err);
}

orr_status ori_rigid_leave_at_wish(orr_rigid *sim, int32_t job, orr_error *err)
{
    return cut_short(sim, job, ORR_PREEMPTED, err);
}

/* The event of a running attempt: its end, or an event before its end. */
static double event_of(orr_rigid *sim, int32_t job)
{
    return sim->progress ? ori_checkpoints_event(sim, job) : ori_estimates_event(sim, job);
}

/* Changes the planned end of a running attempt. */
static void plan_end_at(orr_rigid *sim, ori_group *g, int32_t job, double planned)
{
    if (g->has_planned)
        ori_rigid_unplan_end(sim, g, job);
    double before = sim->planned_end[job];
    if (sim->needs.shares)
        ori_pools_give(sim, job);
    sim->planned_end[job] = planned;
    if (sim->needs.shares)
        ori_pools_take(sim, job);
    if (ori_machine_nodes(sim))
        ori_nodes_replan(sim, job, before);
    if (g->has_planned)
        ori_rigid_plan_end(sim, g, job);
}

orr_status ori_rigid_plan_again(orr_rigid *sim, int32_t job, orr_error *err)
{
    ori_group *g = ori_group_of(sim, job);
    double planned =
        sim->outlived ? ori_estimates_later(sim, job) : ori_checkpoints_planned_end(sim, job);
    if (!(planned < INFINITY))
        return ori_rigid_never_ends(sim, job, err);
    plan_end_at(sim, g, job, planned);
    ori_calendar_move(&sim->ends, event_of(sim, job), job);
    g->kept = g->plan_valid = false;
    ori_promises_doubt(&g->promises);
    g->promises.at.acted = true;
    if (sim->shell.record)
        ori_schedule_plan(&sim->schedule, job, planned);
    return ORR_OK;
}

void ori_rigid_plan_overdue(orr_rigid *sim)
{
    double now = sim->shell.now;
    for (int32_t i = 0; i < sim->ends.count; i++) {
        const ori_event *end = &sim->ends.heap[i];
        int32_t job = (int32_t)end->payload;
        ori_group *g = ori_group_of(sim, job);
        bool goes_on = end->time > now;
        if (sim->planned_end[job] > now || (sim->planned_end[job] == now && !goes_on))
            continue;
        g->kept = false;
        ori_promises_doubt(&g->promises);
        if (!goes_on)
            continue;
        double planned = sim->outlived ? ori_estimates_later(sim, job) : now;
        plan_end_at(sim, g, job, planned > now ? planned : nextafter(now, INFINITY));
    }
}
