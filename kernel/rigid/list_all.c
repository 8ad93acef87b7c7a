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
 * the kept plan then ends at that rank, and the next decision goes on from there.
 *
 * Where nobody watches (shortcuts.c), nobody is still to come and all attempts end as planned there
 * is a loop for this discipline alone: ends, then a decision. The ends stand in a sorted list, from
 * which a plan is made at once. */
#include "rigid/shortcuts_internal.h"

#include "rigid/agenda_internal.h"

/* Functions take the list of ends, or NULL where these are in the calendar. */

/* Starts a job that fits; where there is a valid plan, also there. */
ORR_INLINE orr_status start(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t job,
                            orr_error *err)
{
    double end;
    if (!a)
        return ori_rigid_start_fitting(sim, g, job, err);
    ORI_TRY(ori_rigid_retry(sim, job, sim->shell.now, &end, err));
    ori_queue_remove(&g->order.queue, job);
    ori_agenda_add(a, end, job);
    if (g->plan_valid)
        ori_plan_reserve(&g->plan, 0, end, sim->jobs->procs[job]);
    sim->state[job] = ORR_JOB_RUNNING;
    g->at.free -= sim->jobs->procs[job];
    return ORR_OK;
}

/* Starts the jobs in front of rank `to` whose reservation is due; the plan holds them already. */
ORR_INLINE orr_status start_due(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t to,
                                orr_error *err)
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

/* The ends of those who run, as a plan. */
ORR_INLINE void make_plan(orr_rigid *sim, ori_group *g, const ori_agenda *a)
{
    ori_plan *p = &g->plan;
    if (!a) {
        ori_rigid_make_plan(sim, g);
        return;
    }
    p->time[0] = sim->shell.now;
    p->available[0] = g->at.free;
    int32_t last = 0, free = g->at.free;
    for (int32_t i = a->count - 1; i >= 0; i--) {
        last += last == 0 || a->at[i].end != p->time[last];
        p->time[last] = a->at[i].end;
        p->available[last] = free += sim->jobs->procs[a->at[i].job];
    }
    p->count = last + 1;
}

/* A plan with the reservations in front of rank `to` where they were; no search is needed. */
ORR_INLINE void plan_again_to(orr_rigid *sim, ori_group *g, const ori_agenda *a, int32_t to)
{
    make_plan(sim, g, a);
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
ORR_INLINE orr_status plan_job(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t job,
                               orr_error *err)
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

/* Where the plan kept somebody from starting: whoever is no narrower and no shorter cannot either,
 * and need not be looked for in the plan. */
typedef struct bottleneck {
    double time; /* s */
    int32_t available;
} bottleneck;

/* Whether the plan, as far as it goes, lets the job at a rank start now. */
ORR_INLINE bool may_start(const orr_rigid *sim, const ori_group *g, int32_t rank, bottleneck *b)
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

/* Plans in queue order from `rank` on, as long as somebody behind may start: `candidate`, the first
 * for whom that is not excluded yet. Once it is, it stays so for the rest of the decision, because
 * what is available only shrinks. */
ORR_INLINE orr_status plan_from(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t rank,
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
        if (g->at.free < free) { /* fewer are narrow enough */
            fitting = ori_queue_scan_from(q, candidate < rank ? rank : candidate, g->at.free);
            candidate = ori_queue_scan_next(&fitting);
        } else if (next == candidate) {
            candidate = ori_queue_scan_next(&fitting);
        }
        next = ori_queue_scan_next(&all);
    }
    g->planned_to = rank;
    return ORR_OK;
}

ORR_INLINE orr_status decide(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err)
{
    int32_t to = 0; /* the rank up to which the reservations of the kept plan hold */
    if (g->kept)
        to = g->entered < g->planned_to ? g->entered : g->planned_to;
    if (to > 0)
        ORI_TRY(start_due(sim, g, a, to, err));
    if (to > 0 && to == g->planned_to) {
        ori_plan_advance(&g->plan, sim->shell.now);
        ORI_CHECK(&sim->shell, g->plan.available[0] == g->at.free, err);
    } else {
        plan_again_to(sim, g, a, to);
    }
    g->kept = true;
    g->entered = INT32_MAX;
    return plan_from(sim, g, a, to, err);
}

orr_status ori_rigid_decide_list_all(orr_rigid *sim, ori_group *g, orr_error *err)
{
    return decide(sim, g, NULL, err);
}

/* --- the loop --------------------------------------------------------------------------------- */

/* Jobs that run at a time: with so few it begins, with more than so many it ends. */
enum { FEW = 32, MANY = 64 };

/* All ends of this instant: whoever has failed waits again. */
static void end_due(orr_rigid *sim, ori_group *g, ori_agenda *a)
{
    do {
        int32_t job = ori_agenda_first(a).job;
        a->count--;
        g->at.free += sim->jobs->procs[job];
        if (ori_failures_left(sim, job) <= 0) {
            ori_rigid_over(sim, job, sim->shell.now);
            continue;
        }
        int32_t rank = g->order.queue.rank_of[job];
        sim->state[job] = ORR_JOB_WAITING;
        ori_queue_insert(&g->order.queue, job, sim->jobs->procs[job], sim->estimate[job]);
        g->entered = rank < g->entered ? rank : g->entered;
    } while (a->count > 0 && ori_agenda_first(a).end == sim->shell.now);
}

/* Whether the job that ends first fails, alone, in front of all who wait, and none of these fits
 * beside it. */
static bool is_free_retry(const orr_rigid *sim, const ori_group *g, const ori_agenda *a)
{
    const ori_queue *q = &g->order.queue;
    ori_running r = ori_agenda_first(a);
    return ori_failures_left(sim, r.job) > 0 && ori_agenda_second(a) > r.end &&
           q->rank_of[r.job] < ori_queue_next_fit(q, 0, ORI_ANY_WIDTH) &&
           ori_queue_next_fit(q, 0, g->at.free) < 0;
}

static orr_status retry(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err)
{
    ori_running r = ori_agenda_first(a);
    a->count--;
    g->kept = false;
    orr_status status = ori_rigid_retry(sim, r.job, r.end, &r.end, err);
    ori_agenda_add(a, r.end, r.job);
    return status;
}

/* Until nobody waits, or many run, or the last retries could have been taken at once: *tired. */
static orr_status run(orr_rigid *sim, ori_group *g, ori_agenda *a, bool *tired, orr_error *err)
{
    int patience = ORI_PATIENCE;
    while (g->order.queue.count > 0 && a->count > 0 && a->count <= MANY &&
           !orr_is_cancelled(sim->shell.cancel)) {
        if (is_free_retry(sim, g, a)) {
            *tired = patience-- == 0;
            if (*tired)
                return ORR_OK;
            ORI_TRY(retry(sim, g, a, err));
            continue;
        }
        patience = ORI_PATIENCE;
        sim->shell.now = sim->at.last_end = ori_agenda_first(a).end;
        end_due(sim, g, a);
        if (g->order.queue.count > 0)
            ORI_TRY(decide(sim, g, a, err));
    }
    return ORR_OK;
}

/* Everything is where the event loop expects it. */
static void put_back(orr_rigid *sim, ori_group *g, ori_agenda *a)
{
    ori_ends_clear(&g->planned);
    for (int32_t i = a->count - 1; i >= 0; i--)
        ori_ends_add(&g->planned, a->at[i].end, sim->jobs->procs[a->at[i].job]);
    sim->at.running = g->at.running = a->count;
    ori_agenda_put_back(a, &sim->ends);
    g->plan_valid = false;
}

orr_status ori_rigid_run_list_all(orr_rigid *sim, orr_error *err)
{
    _Static_assert(sizeof(ori_running) <= sizeof(ori_rank_entry), "in place of entries");
    ori_group *g = &sim->groups[0];
    ori_agenda a = {.at = (ori_running *)(void *)sim->sorter.entries};
    orr_status status = ORR_OK;
    for (bool tired = true; status == ORR_OK && tired && sim->ends.count <= FEW;) {
        tired = false;
        ori_agenda_take(&a, &sim->ends);
        status = run(sim, g, &a, &tired, err);
        put_back(sim, g, &a);
        if (status == ORR_OK && tired)
            status = ori_rigid_run_retries(sim, err);
    }
    return status;
}
