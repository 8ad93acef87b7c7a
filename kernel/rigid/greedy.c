/* Greedy lists in a special loop: ends, then starts of all jobs that fit, in order. Nothing else
 * happens before the next submission in a simulation that takes short ways (shortcuts.c).
 *
 * If few jobs run at a time their ends are kept in a sorted list instead of the calendar. */
#include "rigid/shortcuts_internal.h"

#include "rigid/agenda_internal.h"

enum { FEW = 32 }; /* jobs that run at a time, for the list */

/* --- the agenda: a list, or NULL for the calendar --------------------------------------------- */

ORR_INLINE int32_t count(const orr_rigid *sim, const ori_agenda *a)
{
    return a ? a->count : sim->ends.count;
}

ORR_INLINE ori_running first(const orr_rigid *sim, const ori_agenda *a)
{
    if (a)
        return ori_agenda_first(a);
    return (ori_running){sim->ends.heap[0].time, (int32_t)sim->ends.heap[0].payload};
}

/* The second end, s; inf: there is none. */
ORR_INLINE double second(const orr_rigid *sim, const ori_agenda *a)
{
    return a ? ori_agenda_second(a) : ori_calendar_second(&sim->ends);
}

ORR_INLINE void drop_first(orr_rigid *sim, ori_agenda *a)
{
    if (a)
        a->count--;
    else
        ori_calendar_pop(&sim->ends);
}

/* The list must not be full. */
ORR_INLINE void add(orr_rigid *sim, ori_agenda *a, double end, int32_t job)
{
    if (a)
        ori_agenda_add(a, end, job);
    else
        ori_calendar_push(&sim->ends, end, 0, job);
}

/* --- the loop --------------------------------------------------------------------------------- */

/* Applies all ends of this instant: jobs that have failed wait again. */
ORR_INLINE void end_due(orr_rigid *sim, ori_agenda *a, double now)
{
    ori_group *g = sim->groups;
    do {
        int32_t job = first(sim, a).job;
        drop_first(sim, a);
        g->at.free += sim->jobs->procs[job];
        if (ori_failures_left(sim, job) > 0) {
            sim->state[job] = ORR_JOB_WAITING;
            ori_queue_insert(&g->order.queue, job, sim->jobs->procs[job], sim->estimate[job]);
        } else {
            ori_rigid_over(sim, job, now);
        }
    } while (count(sim, a) > 0 && first(sim, a).end == now);
}

/* Starts the jobs that fit, in order, as long as the list has room. */
ORR_INLINE orr_status start_fitting(orr_rigid *sim, ori_agenda *a, orr_error *err)
{
    ori_group *g = sim->groups;
    double now = sim->shell.now, end;
    ori_queue_scan fitting = ori_queue_scan_from(&g->order.queue, 0, g->at.free);
    for (int32_t rank; (rank = ori_queue_scan_next(&fitting)) >= 0;) {
        if (a && a->count == FEW)
            break;
        int32_t job = g->order.queue.job_at[rank];
        ORI_TRY(ori_rigid_retry(sim, job, now, &end, err));
        ori_queue_remove(&g->order.queue, job);
        add(sim, a, end, job);
        sim->state[job] = ORR_JOB_RUNNING;
        g->at.free -= sim->jobs->procs[job];
        ori_queue_scan_narrow(&fitting, g->at.free);
    }
    return ORR_OK;
}

/* Whether the job that ends first fails, no other job ends at the same time, and no waiting job
 * starts in its place. */
ORR_INLINE bool is_retry(const orr_rigid *sim, const ori_agenda *a, ori_running r)
{
    const ori_group *g = sim->groups;
    if (ori_failures_left(sim, r.job) <= 0 || !(second(sim, a) > r.end))
        return false;
    int32_t in_front = ori_queue_next_fit(&g->order.queue, 0, g->at.free + sim->jobs->procs[r.job]);
    return in_front < 0 || in_front > g->order.queue.rank_of[r.job];
}

static void skip_retries(orr_rigid *sim, ori_agenda *a, ori_lull *l)
{
    l->always = ori_queue_next_fit(&sim->groups[0].order.queue, 0, ORI_ANY_WIDTH);
    if (a)
        ori_agenda_put_back(a, &sim->ends);
    ori_rigid_skip_retries(sim, l);
    if (a)
        ori_agenda_take(a, &sim->ends);
}

/* Runs to the next submission, until no job waits, or until the list is full. */
ORR_INLINE orr_status run(orr_rigid *sim, ori_agenda *a, orr_error *err)
{
    const ori_queue *q = &sim->groups[0].order.queue;
    ori_lull l = {.until = ori_next_submission(sim)};
    int32_t patience = ORI_PATIENCE;
    while (q->count > 0 && count(sim, a) > 0 && !(a && a->count == FEW)) {
        ori_running r = first(sim, a);
        if (!(r.end < l.until) || orr_is_cancelled(sim->shell.cancel))
            break;
        if (is_retry(sim, a, r)) {
            drop_first(sim, a);
            ORI_TRY(ori_rigid_retry(sim, r.job, r.end, &r.end, err));
            add(sim, a, r.end, r.job);
            if (patience-- == 0) {
                patience = ORI_LESS_PATIENCE;
                skip_retries(sim, a, &l);
            }
            continue;
        }
        sim->shell.now = sim->at.last_end = r.end;
        end_due(sim, a, r.end);
        ORI_TRY(start_fitting(sim, a, err));
        patience = ORI_PATIENCE;
    }
    return ORR_OK;
}

static orr_status run_listed(orr_rigid *sim, orr_error *err)
{
    ori_running list[FEW];
    ori_agenda a = {.at = list};
    ori_agenda_take(&a, &sim->ends);
    orr_status status = run(sim, &a, err);
    bool full = a.count == FEW;
    ori_agenda_put_back(&a, &sim->ends);
    return status == ORR_OK && full ? start_fitting(sim, NULL, err) : status;
}

orr_status ori_rigid_run_greedy(orr_rigid *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    /* between two submissions there are too few events for a list to pay off */
    if (sim->ends.count < FEW && ori_next_submission(sim) == INFINITY)
        status = run_listed(sim, err);
    if (status == ORR_OK)
        status = run(sim, NULL, err);
    sim->at.running = sim->groups[0].at.running = sim->ends.count;
    return status;
}
