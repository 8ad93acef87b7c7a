/* The effects of outages on a simulation: nodes fail and are repaired, drains end. The sources of
 * outages are in outage_source.c. */
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/capacity_internal.h"
#include "rigid/effects/drain_internal.h"
#include "rigid/effects/hooks_internal.h"
#include "rigid/effects/outages_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "schedule/metrics_internal.h"
#include "schedule/schedule_internal.h"
#include "workload/window_internal.h"

#include <stdio.h>

/* --- failures --------------------------------------------------------------------------------- */

/* The error for a job that failures of nodes have ended max_attempts times, or that they end after
 * too many attempts of all jobs. */
static orr_status give_up(const orr_rigid *sim, int32_t job, int32_t attempts, orr_error *err)
{
    char all[96] = "";
    if (attempts < sim->outages.setup.max_attempts)
        snprintf(all, sizeof all, " (and failures have ended %lld attempts of all jobs)",
                 (long long)sim->outages.at.struck);
    return orr_fail(err, ORR_ERR_LIMIT,
                    "job %s (%d processors for %.10g s) has begun %d times by time %.17g%s, the "
                    "limit, and failures of nodes end it again and again: it may never run "
                    "through. Let nodes fail less often, leave it out, or raise max_attempts",
                    orr_jobs_id(sim->jobs, job), (int)sim->jobs->procs[job], sim->in->time[job],
                    (int)attempts, sim->shell.now, all);
}

/* Ends the attempts that hold any of these processors, except those that a window admits. All are
 * ended before an error is returned, so that the record is complete. Returns the number of ended
 * attempts. */
static orr_status strike_attempts(orr_rigid *sim, const orr_outage *outage,
                                  const orr_window *window, int32_t *count, orr_error *err)
{
    int32_t most = window ? 0 : sim->outages.setup.max_attempts;
    double limit = ori_outages_most_struck(&sim->outages, sim->in->count);
    int32_t *victims = sim->outages.victims, struck = 0;
    for (int32_t p = outage->first, last; p < outage->first + outage->count; p = last + 1) {
        int32_t job = ori_processors_holder(&sim->processors, p, &last);
        if (job < 0 || (window && ori_window_admits(window, sim->jobs, job)))
            continue;
        ORI_TRY(ori_rigid_interrupt(sim, job, ORR_NODE_FAILED, err));
        victims[struck++] = job;
    }
    for (int32_t i = 0; i < struck; i++) {
        int32_t attempts = sim->attempts[victims[i]] + sim->interrupted[victims[i]];
        sim->outages.at.struck += !window;
        bool many = (double)sim->outages.at.struck > limit;
        if (most > 0 && (many || attempts >= most))
            return give_up(sim, victims[i], attempts, err);
    }
    *count = struck;
    return ORR_OK;
}

/* A change of processors low .. end - 1 of a group, all in the same state. */
typedef void (*happening)(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double repaired);

/* Applies a change to `count` processors, which may belong to several groups and may be down
 * already. */
static void happens(orr_rigid *sim, int32_t first, int32_t count, happening what, double repaired)
{
    for (int32_t i = 0; i < sim->group_count; i++) {
        ori_group *g = &sim->groups[i];
        int32_t low = first > g->first ? first : g->first;
        int32_t last = first + count, behind = g->first + g->procs;
        int32_t end = last < behind ? last : behind;
        for (int32_t next; low < end; low = next) {
            next = ori_rigid_run_end(sim, low, end);
            what(sim, g, low, next, repaired);
        }
    }
}

static void put_out(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double repaired)
{
    double *failed_until = sim->outages.failed_until;
    for (int32_t p = low; p < end; p++)
        failed_until[p] = ori_later(failed_until[p], repaired);
    ori_rigid_update_run(sim, g, low, end);
}

/* Puts the struck jobs back into their queues, and tells the policy. */
static orr_status put_back(orr_rigid *sim, int32_t count, orr_error *err)
{
    const int32_t *victims = sim->outages.victims;
    for (int32_t i = 0; i < count; i++)
        ORI_TRY(ori_rigid_enqueue(sim, victims[i], err));
    for (int32_t i = 0; sim->policy.on_end && i < count; i++)
        if (sim->instant.changing)
            ori_rigid_note_end(sim, victims[i], ORR_NODE_FAILED);
        else
            ORI_TRY(ori_rigid_on_end(sim, victims[i], ORR_NODE_FAILED, err));
    return ORR_OK;
}

orr_status ori_rigid_fail_processors(orr_rigid *sim, const orr_outage *outage, int32_t *count,
                                     orr_error *err)
{
    int32_t struck = 0;
    if (sim->shell.record) /* first, so that the record is complete if the limit ends the run */
        ORI_TRY(ori_schedule_outage(&sim->schedule, outage, ORR_OUTAGE_FAILURE, err));
    ori_outages_see(&sim->outages, outage);
    ORI_TRY(strike_attempts(sim, outage, NULL, &struck, err));
    if (count)
        *count = struck;
    if (outage->repaired > sim->shell.now) {
        happens(sim, outage->first, outage->count, put_out, outage->repaired);
        ORI_TRY(ori_outages_plan_repair(&sim->outages, outage, err));
    }
    return put_back(sim, struck, err);
}

/* --- windows ---------------------------------------------------------------------------------- */

static void close_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double to)
{
    double *closed_until = sim->outages.windows.closed_until;
    for (int32_t p = low; p < end; p++)
        closed_until[p] = ori_later(closed_until[p], to);
    ori_rigid_update_run(sim, g, low, end);
}

/* Opens a window: attempts on its processors that it does not admit are interrupted, and processors
 * reserved for no job are closed. The policy is told as after the failure of a node. */
static orr_status open_window(orr_rigid *sim, const orr_window *w, orr_error *err)
{
    orr_outage outage = {sim->shell.now, w->to, w->first, w->count};
    bool reserved = orr_window_is_reserved(w);
    int32_t struck = 0;
    if (w->lets_end)
        return ori_rigid_drain_outage(sim, &outage, err);
    if (sim->shell.record)
        ORI_TRY(ori_schedule_outage(&sim->schedule, &outage,
                                    reserved ? ORR_OUTAGE_RESERVED : ORR_OUTAGE_WINDOW, err));
    ORI_TRY(strike_attempts(sim, &outage, w, &struck, err));
    if (!reserved)
        happens(sim, w->first, w->count, close_run, w->to);
    outage.count = reserved ? 0 : w->count; /* nothing is down, but jobs may start at its end */
    if (w->to < INFINITY)
        ORI_TRY(ori_outages_plan_repair(&sim->outages, &outage, err));
    return put_back(sim, struck, err);
}

static orr_status open_windows(orr_rigid *sim, orr_error *err)
{
    while (ori_outages_next_window(&sim->outages) <= sim->shell.now) {
        const orr_window *w = ori_windows_open(&sim->outages.windows, sim->shell.now);
        if (w)
            ORI_TRY(open_window(sim, w, err));
    }
    return ORR_OK;
}

/* --- repairs ---------------------------------------------------------------------------------- */

/* Returns processors that were drained until now to service. */
static void end_drain(orr_rigid *sim, ori_group *g, int32_t low, int32_t end)
{
    int32_t count = end - low;
    if (sim->outages.drained_until[low] != sim->shell.now)
        return;
    g->at.drained -= count;
    if (ori_is_down(sim, low)) {
        g->at.drained_down -= count;
        ori_totals_absent_now(&sim->at.totals, sim->in, -count, sim->shell.now, sim->at.last_end);
    }
    for (int32_t p = low; p < end; p++)
        sim->outages.drained_until[p] = 0;
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL)) /* also where jobs run */
        ori_nodes_look_out(sim, low, end);
}

/* Ends repairs that are due now, unless another outage has delayed them. */
static void repair_nodes(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double now)
{
    end_drain(sim, g, low, end);
    if (ori_is_down(sim, low) && sim->outages.down_until[low] == now)
        ori_rigid_update_run(sim, g, low, end);
}

/* A drawn node that is down does not fail. */
static orr_status apply_failure(orr_rigid *sim, orr_error *err)
{
    ori_coming next;
    ORI_TRY(ori_outages_take(&sim->outages, &next, err));
    if (next.ignored || (next.node >= 0 && ori_is_down(sim, next.outage.first)))
        return ORR_OK;
    if (next.kind == ORR_OUTAGE_DRAINED)
        return ori_rigid_drain_outage(sim, &next.outage, err);
    if (next.node >= 0)
        ORI_TRY(ori_outages_retire(&sim->outages, &next, err));
    return ori_rigid_fail_processors(sim, &next.outage, NULL, err);
}

orr_status ori_rigid_apply_outages(orr_rigid *sim, orr_error *err)
{
    ori_calendar *repairs = &sim->outages.repairs;
    while (repairs->count > 0 && ori_calendar_peek(repairs)->time == sim->shell.now) {
        int64_t what = ori_calendar_pop(repairs).payload;
        happens(sim, (int32_t)(what >> 32), (int32_t)(what & INT32_MAX), repair_nodes,
                sim->shell.now);
    }
    ORI_TRY(open_windows(sim, err));
    while (ori_outages_next_failure(&sim->outages) == sim->shell.now)
        ORI_TRY(apply_failure(sim, err));
    return sim->outages.warnings.any
               ? ori_warnings_pass(&sim->outages.warnings, sim->shell.now, err)
               : ORR_OK;
}

orr_status ori_rigid_catch_up_outages(orr_rigid *sim, orr_error *err)
{
    double now = sim->shell.now;
    while (sim->outages.any && ori_outages_next(&sim->outages) < now) {
        sim->shell.now = ori_outages_next(&sim->outages);
        ORI_TRY(ori_rigid_apply_outages(sim, err));
    }
    sim->shell.now = now;
    return ORR_OK;
}
