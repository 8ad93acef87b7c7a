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
 * calendar. They are compiled once for each case. */
#include "rigid/disciplines_internal.h"

#include "rigid/attempts_internal.h"

ORR_INLINE orr_status start(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t job,
                            orr_error *err)
{
    return a ? ori_agenda_start(a, sim, job, err) : ori_rigid_start_fitting(sim, g, job, err);
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

/* Makes a plan from the ends of the running jobs. */
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

/* Makes a plan with the reservations in front of rank `to` at their former times; no search is
 * needed. */
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

/* The step of the plan that prevented a start. A job that needs more processors than are available
 * there, and would still run then, cannot start either; no search of the plan is needed for it. */
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

/* --- only what is near ------------------------------------------------------------------------ */

/* If candidates for a start are not excluded soon, nearly all waiting jobs would be planned, and
 * after the next failure again. But candidates need no processors beyond the horizon, the time at
 * which the last candidate would end. So a job whose earliest start is not before the horizon is
 * skipped: its reservation does not change the plan before the horizon. The horizon only becomes
 * earlier. So a reservation that ends before the horizon is the right one, too. A job that begins
 * before the horizon and ends after it needs the skipped reservations: the skipped jobs are then
 * planned first. */

enum { CANDIDATES = 64 }; /* at most */

typedef struct near_plan {
    ori_queue_scan waiting;
    int32_t next;    /* the rank that is planned next; behind the last: none */
    int32_t passed;  /* the first rank that was skipped; -1: none, the plan is complete */
    double known_to; /* s: the horizon when the last job was skipped */
    bottleneck bottleneck;
    int32_t *among, among_count; /* ranks planned behind `passed`; in the sorter's jobs */
    int32_t at, count, rank[CANDIDATES];
    double horizon[CANDIDATES]; /* s: once the candidates in front of this one are excluded */
} near_plan;

ORR_INLINE void go_on(near_plan *n)
{
    int32_t rank = ori_queue_scan_next(&n->waiting);
    n->next = rank < 0 ? n->waiting.queue->capacity : rank;
}

/* Collects the jobs from `candidate` on that may start by the present plan. False: there are too
 * many. */
ORR_INLINE bool collect_candidates(const orr_rigid *sim, const ori_group *g, near_plan *n,
                                   int32_t candidate)
{
    const ori_queue *q = &g->order.queue;
    ori_queue_scan fitting = ori_queue_scan_from(q, candidate, g->at.free);
    for (int32_t rank; (rank = ori_queue_scan_next(&fitting)) >= 0;) {
        if (!may_start(sim, g, rank, &n->bottleneck))
            continue;
        if (n->count == CANDIDATES)
            return false;
        double end = ori_rigid_planned_end(sim, q->job_at[rank], sim->shell.now);
        n->horizon[n->count] = end > sim->shell.now ? end : INFINITY; /* it takes no time */
        n->rank[n->count++] = rank;
    }
    double last = -INFINITY;
    for (int32_t i = n->count - 1; i >= 0; i--)
        n->horizon[i] = last = n->horizon[i] > last ? n->horizon[i] : last;
    return true;
}

/* Plans the skipped jobs. The jobs planned since then end before these could begin. */
static orr_status catch_up(orr_rigid *sim, ori_group *g, near_plan *n, orr_error *err)
{
    ori_queue_scan all = ori_queue_scan_from(&g->order.queue, n->passed, ORI_ANY_WIDTH);
    int32_t rank, among = 0;
    while ((rank = ori_queue_scan_next(&all)) >= 0 && rank < n->next) {
        if (among < n->among_count && n->among[among] == rank)
            among++;
        else
            ORI_TRY(plan_job(sim, g, NULL, g->order.queue.job_at[rank], err));
    }
    n->passed = -1;
    n->among_count = 0;
    return ORR_OK;
}

/* Plans the next job that begins before the horizon, up to the candidate. */
ORR_INLINE orr_status plan_next(orr_rigid *sim, ori_group *g, ori_agenda *a, near_plan *n,
                                orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    double horizon = n->horizon[n->at], verification = sim->in->verification;
    int32_t step;
    while (!ori_plan_begins_before(&g->plan, sim->jobs->procs[q->job_at[n->next]],
                                   sim->estimate[q->job_at[n->next]], verification, horizon,
                                   &step)) {
        n->passed = n->passed < 0 ? n->next : n->passed;
        n->known_to = horizon;
        go_on(n);
        if (n->next > n->rank[n->at])
            return ORR_OK;
    }
    int32_t job = q->job_at[n->next], procs = sim->jobs->procs[job];
    double from = g->plan.time[step], end = ori_rigid_planned_end(sim, job, from);
    if (n->passed >= 0 && end > n->known_to)
        return catch_up(sim, g, n, err);
    if (!(end > from))
        g->kept = false;
    if (step == 0) {
        ORI_TRY(start(sim, g, a, job, err));
    } else {
        ori_plan_reserve(&g->plan, step, end, procs);
        g->reserved[job] = from;
        if (n->passed >= 0)
            n->among[n->among_count++] = n->next;
    }
    go_on(n);
    return ORR_OK;
}

/* Plans only before the horizon, from `rank` on; *done: false if there are too many candidates. */
static orr_status plan_near(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t rank,
                            int32_t candidate, bool *done, orr_error *err)
{
    near_plan n;
    n.waiting = ori_queue_scan_from(&g->order.queue, rank, ORI_ANY_WIDTH);
    n.passed = -1;
    n.bottleneck = (bottleneck){INFINITY, INT32_MAX};
    n.among = sim->sorter.jobs;
    n.at = n.count = n.among_count = 0;
    *done = collect_candidates(sim, g, &n, candidate);
    if (!*done)
        return ORR_OK;
    for (go_on(&n); n.at < n.count;) {
        int32_t first = n.rank[n.at];
        if (first < n.next || !may_start(sim, g, first, &n.bottleneck))
            n.at++;
        else
            ORI_TRY(plan_next(sim, g, a, &n, err));
    }
    g->has_gaps = n.passed >= 0;
    g->planned_to = g->has_gaps ? n.passed : n.next;
    return ORR_OK;
}

/* --- the decision ----------------------------------------------------------------------------- */

/* Plans in queue order from `rank` on, as long as some job behind may start. `candidate` is the
 * first job that is not excluded yet. An excluded job stays excluded for the rest of the decision,
 * because availability only shrinks. After a number of fully planned jobs, planning may be limited
 * to the time before the horizon. */
ORR_INLINE orr_status plan_from(orr_rigid *sim, ori_group *g, ori_agenda *a, int32_t rank,
                                int32_t in_full, orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    ori_queue_scan all = ori_queue_scan_from(q, rank, ORI_ANY_WIDTH);
    ori_queue_scan fitting = ori_queue_scan_from(q, rank, g->at.free);
    int32_t next = ori_queue_scan_next(&all), candidate = ori_queue_scan_next(&fitting);
    bottleneck b = {INFINITY, INT32_MAX};
    int32_t planned = 0;
    g->plan_valid = true;
    while (candidate >= 0) {
        if (a && a->plans_near && planned == in_full) {
            bool done;
            planned++;
            ORI_TRY(plan_near(sim, g, a, next, candidate, &done, err));
            if (done)
                return ORR_OK;
        }
        if (next < candidate && !may_start(sim, g, candidate, &b)) {
            candidate = ori_queue_scan_next(&fitting);
            continue;
        }
        int32_t free = g->at.free;
        ORI_TRY(plan_job(sim, g, a, q->job_at[next], err));
        planned++;
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

ORR_INLINE orr_status decide(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err)
{
    int32_t to = 0; /* the rank up to which the reservations of the kept plan hold */
    if (g->kept)
        to = g->entered < g->planned_to ? g->entered : g->planned_to;
    if (to > 0)
        ORI_TRY(start_due(sim, g, a, to, err));
    if (to > 0 && to == g->planned_to && !g->has_gaps) {
        ori_plan_advance(&g->plan, sim->shell.now);
        ORI_CHECK(&sim->shell, g->plan.available[0] == g->at.free, err);
    } else {
        plan_again_to(sim, g, a, to);
    }
    bool failed = g->entered < INT32_MAX;
    enum { FEW = 2, MANY = 8 }; /* jobs planned fully in any case, MANY after a failure */
    g->kept = true;
    g->entered = INT32_MAX;
    return plan_from(sim, g, a, to, failed ? MANY : FEW, err);
}

orr_status ori_rigid_decide_list_all(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err)
{
    return a ? decide(sim, g, a, err) : decide(sim, g, NULL, err);
}
