/* R-LIST with a reservation for every job, without planning everything anew at every decision.
 *
 * By definition (READINGS 25) all reservations are made anew whenever a decision is taken. But when
 * everything that has ended since the last one ended as planned, the availability that a job sees
 * is what its reservation assumed: jobs behind it that have started meanwhile were planned around
 * it. So planning anew gives every job the reservation it had, as long as no job has entered the
 * queue in front of it. The plan is therefore kept: jobs that are due start, a job that enters
 * (after a failure, or submitted) has those behind it planned anew, and only an end that came early
 * voids the whole plan. Jobs that take no time void it, too: they hold an instant that has no
 * length.
 *
 * Planning stops once nobody behind could start now even if everybody in between were passed over;
 * the kept plan then ends at that rank, and the next decision goes on from there. */
#include "rigid/disciplines_internal.h"

#include "rigid/attempts_internal.h"

/* Starts the jobs in front of rank `to` whose reservation is due; the plan holds them already. */
static orr_status start_due(orr_rigid *sim, ori_group *g, int32_t to, orr_error *err)
{
    g->plan_valid = false; /* so that starting does not reserve once more */
    for (int32_t rank = 0;; rank++) {
        rank = ori_queue_next_fit(&g->order.queue, rank, g->at.free);
        if (rank < 0 || rank >= to)
            return ORR_OK;
        int32_t job = g->order.queue.job_at[rank];
        if (g->reserved[job] != sim->shell.now)
            continue;
        ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
    }
}

/* A plan with the reservations in front of rank `to` where they were; no search is needed. */
static void plan_again_to(orr_rigid *sim, ori_group *g, int32_t to)
{
    ori_rigid_make_plan(sim, g);
    for (int32_t rank = 0;; rank++) {
        rank = ori_queue_next_fit(&g->order.queue, rank, ORI_ANY_WIDTH);
        if (rank < 0 || rank >= to)
            return;
        int32_t job = g->order.queue.job_at[rank];
        ori_plan_place(&g->plan, g->reserved[job],
                       ori_rigid_planned_end(sim, job, g->reserved[job]), sim->jobs->procs[job]);
    }
}

/* Plans one job: starts it now, or reserves its earliest time. */
static orr_status plan_job(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    int32_t procs = sim->jobs->procs[job], step;
    double start =
        ori_plan_earliest(&g->plan, procs, sim->estimate[job], sim->in->verification, &step);
    double end = ori_rigid_planned_end(sim, job, start);
    if (!(end > start))
        g->kept = false;
    if (step == 0 && procs <= g->at.free)
        return ori_rigid_start_fitting(sim, g, job, err);
    ori_plan_reserve(&g->plan, step, end, procs);
    g->reserved[job] = start;
    return ORR_OK;
}

/* Whether the plan, as far as it goes, lets the job at a rank start now. */
static bool may_start(const orr_rigid *sim, const ori_group *g, int32_t rank)
{
    int32_t job = g->order.queue.job_at[rank], procs = sim->jobs->procs[job];
    return procs <= g->at.free &&
           ori_plan_has_now(&g->plan, procs, ori_rigid_planned_end(sim, job, sim->shell.now));
}

/* Plans in queue order from `rank` on, as long as somebody behind may start: `candidate`, the first
 * for whom that is not excluded yet. Once it is, it stays so for the rest of the decision, because
 * what is available only shrinks. */
static orr_status plan_from(orr_rigid *sim, ori_group *g, int32_t rank, orr_error *err)
{
    g->plan_valid = true;
    int32_t candidate = ori_queue_next_fit(&g->order.queue, rank, g->at.free);
    while (candidate >= 0) {
        rank = ori_queue_next_fit(&g->order.queue, rank, ORI_ANY_WIDTH);
        if (rank < candidate && !may_start(sim, g, candidate)) {
            candidate = ori_queue_next_fit(&g->order.queue, candidate + 1, g->at.free);
            continue;
        }
        ORI_TRY(plan_job(sim, g, g->order.queue.job_at[rank], err));
        if (rank++ == candidate)
            candidate = ori_queue_next_fit(&g->order.queue, rank, g->at.free);
    }
    g->planned_to = rank;
    return ORR_OK;
}

orr_status ori_rigid_decide_list_all(orr_rigid *sim, ori_group *g, orr_error *err)
{
    int32_t to = 0; /* the rank up to which the reservations of the kept plan hold */
    if (g->kept)
        to = g->entered < g->planned_to ? g->entered : g->planned_to;
    if (to > 0)
        ORI_TRY(start_due(sim, g, to, err));
    if (to > 0 && to == g->planned_to) {
        ori_plan_advance(&g->plan, sim->shell.now);
        ORI_CHECK(&sim->shell, g->plan.available[0] == g->at.free, err);
    } else {
        plan_again_to(sim, g, to);
    }
    g->kept = true;
    g->entered = INT32_MAX;
    return plan_from(sim, g, to, err);
}
