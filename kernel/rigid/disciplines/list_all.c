/* R-LIST with a reservation for every job, without planning all jobs again at every decision.
 *
 * By definition (READINGS 25) all reservations are made again at every decision. But if all
 * attempts that ended since the last decision ended as planned, the availability for a job is the
 * one that its reservation assumed: jobs behind it that have started meanwhile were planned around
 * it. So planning again gives every job its former reservation, as long as no job has entered the
 * queue in front of it. The plan is therefore kept. Jobs that are due start. When a job enters
 * (after a failure, or submitted), the jobs behind it are planned again. Only an early end
 * invalidates the whole plan. Jobs that take no time invalidate it, too: they hold an instant that
 * has no length.
 *
 * Planning stops once no job behind could start now even if all jobs in between were skipped. The
 * kept plan then ends at this rank, and the next decision continues from there.
 *
 * Functions take the ends of running jobs as a list (list_loop.c), or NULL if the ends are in the
 * calendar. */

#include "rigid/disciplines/list_all_internal.h"
#include "rigid/effects/agenda_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/availability_internal.h"

static inline orr_status start(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t job,
                               orr_error *err)
{
    return a ? ori_agenda_start(a, sim, job, err) : ori_rigid_start_fitting(sim, g, job, err);
}

/* Starts the jobs in front of rank `to` whose reservation is due; the plan holds them already. */
static orr_status start_due(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t to, orr_error *err)
{
    g->plan_valid = false; /* so that starting does not reserve once more */
    ori_queue_scan fitting = ori_queue_scan_from(&g->order.queue, 0, g->at.free);
    for (int32_t rank; (rank = ori_queue_scan_next(&fitting)) >= 0 && rank < to;) {
        int32_t job = g->order.queue.job_at[rank];
        if (g->reserved[job] == sim->shell.now)
            ORI_TRY(start(sim, g, a, job, err));
    }
    return ORR_OK;
}

/* Makes a plan with the reservations in front of rank `to` at their former times; no search is
 * needed. */
static void plan_again_to(orr_rigid *sim, ori_group *g, const ori_agenda *a, int32_t to)
{
    if (a)
        ori_agenda_plan(a, sim, sim->shell.now, &g->plan);
    else
        ori_rigid_make_plan(sim, g);
    if (to == 0)
        return;
    ori_queue_scan all = ori_queue_scan_from(&g->order.queue, 0, ORI_ANY_WIDTH);
    for (int32_t rank; (rank = ori_queue_scan_next(&all)) >= 0 && rank < to;) {
        int32_t job = g->order.queue.job_at[rank];
        ori_plan_place(&g->plan, g->reserved[job],
                       ori_rigid_planned_end(sim, job, g->reserved[job]), sim->jobs->procs[job]);
    }
}

/* Plans one job: starts it now, or reserves its earliest time. */
static orr_status plan_job(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t job, orr_error *err)
{
    int32_t procs = sim->jobs->procs[job], step;
    double from =
        ori_plan_earliest(&g->plan, procs, sim->estimate[job], sim->in->verification, &step);
    double end = ori_rigid_planned_end(sim, job, from);
    if (!(end > from))
        g->kept = false;
    if (step == 0 && procs <= g->at.free)
        return start(sim, g, a, job, err);
    ori_plan_reserve(&g->plan, step, end, procs);
    g->reserved[job] = from;
    return ORR_OK;
}

/* The step of the plan that prevented a start. A job that needs more processors than are available
 * there, and would still run then, cannot start either; no search of the plan is needed for it. */
typedef struct bottleneck {
    double time; /* s */
    int32_t available;
} bottleneck;

/* Whether the plan, as far as it goes, lets the job at a rank start now. */
static bool may_start(const orr_rigid *sim, const ori_group *g, int32_t rank, bottleneck *b)
{
    int32_t job = g->order.queue.job_at[rank], procs = sim->jobs->procs[job];
    double end = ori_rigid_planned_end(sim, job, sim->shell.now);
    if (procs > g->at.free || (procs > b->available && end > b->time))
        return false;
    int32_t step = ori_plan_short_before(&g->plan, procs, end);
    if (step >= 0)
        *b = (bottleneck){g->plan.time[step], g->plan.available[step]};
    return step < 0;
}

/* --- the decision ----------------------------------------------------------------------------- */

/* Plans in queue order from `rank` on, as long as some job behind may start. `candidate` is the
 * first job that is not excluded yet. An excluded job stays excluded for the rest of the decision,
 * because availability only shrinks. */
static orr_status plan_from(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t rank,
                            orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    ori_queue_scan all = ori_queue_scan_from(q, rank, ORI_ANY_WIDTH);
    ori_queue_scan fitting = ori_queue_scan_from(q, rank, g->at.free);
    int32_t next = ori_queue_scan_next(&all), candidate = ori_queue_scan_next(&fitting);
    bottleneck b = {INFINITY, INT32_MAX};
    g->plan_valid = true;
    while (candidate >= 0) {
        if (next < candidate && !may_start(sim, g, candidate, &b)) {
            candidate = ori_queue_scan_next(&fitting);
            continue;
        }
        int32_t free = g->at.free;
        ORI_TRY(plan_job(sim, g, a, q->job_at[next], err));
        rank = next + 1;
        if (g->at.free < free) { /* fewer jobs are narrow enough */
            fitting = ori_queue_scan_from(q, candidate < rank ? rank : candidate, g->at.free);
            candidate = ori_queue_scan_next(&fitting);
        } else if (next == candidate) {
            candidate = ori_queue_scan_next(&fitting);
        }
        next = ori_queue_scan_next(&all);
    }
    g->planned_to = rank;
    g->has_gaps = false;
    return ORR_OK;
}

/* Starts jobs from the front on, as long as they fit: nothing is reserved in front of them. */
static orr_status start_first(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err)
{
    g->plan_valid = false;
    ori_queue_scan all = ori_queue_scan_from(&g->order.queue, 0, ORI_ANY_WIDTH);
    for (int32_t rank; (rank = ori_queue_scan_next(&all)) >= 0;) {
        int32_t job = g->order.queue.job_at[rank];
        if (sim->jobs->procs[job] > g->at.free)
            break;
        ORI_TRY(ori_agenda_start(a, sim, job, err));
        if (!(sim->planned_end[job] > sim->shell.now))
            g->kept = false;
    }
    return ORR_OK;
}

orr_status ori_rigid_decide_list_all(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err)
{
    int32_t to = 0; /* the rank up to which the reservations of the kept plan hold */
    if (g->kept)
        to = g->entered < g->planned_to ? g->entered : g->planned_to;
    g->kept = true;
    g->entered = INT32_MAX;
    if (to > 0)
        ORI_TRY(start_due(sim, g, a, to, err));
    else if (a)
        ORI_TRY(start_first(sim, g, a, err));
    bool whole = to > 0 && to == g->planned_to && !g->has_gaps;
    if (a && ori_queue_next_fit(&g->order.queue, to, g->at.free) < 0) {
        g->has_gaps = !whole;
        g->planned_to = to;
        return ORR_OK;
    }
    if (whole) {
        ori_plan_advance(&g->plan, sim->shell.now);
        ORI_CHECK(&sim->shell, g->plan.available[0] == g->at.free, err);
    } else {
        plan_again_to(sim, g, a, to);
    }
    return plan_from(sim, g, a, to, err);
}
