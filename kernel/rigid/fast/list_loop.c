/* Lists with one reservation, or with one for every job, in a special loop: ends, then a decision.
 * Nothing else happens in a simulation that takes short ways (shortcuts.c) once all jobs are
 * submitted. The ends are kept in a sorted list. It is also the list of planned ends, because the
 * loop is used only if all attempts end as planned. So neither the calendar nor the group's planned
 * ends are updated during the loop. */

#include "rigid/disciplines/list_all_internal.h"
#include "rigid/effects/agenda_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/fast/list_loop_internal.h"
#include "rigid/fast/retries_internal.h"

/* Running jobs: the loop begins with at most FEW, and ends with more than MANY. */
enum { FEW = 32, MANY = 64 };

/* --- one reservation -------------------------------------------------------------------------- */

/* The reservation of a job: the time at which enough processors are free, and the processors then
 * left. */
static ori_backfill reserve_first(const orr_rigid *sim, const ori_agenda *a, int32_t job)
{
    int32_t needed = sim->jobs->procs[job], free = sim->groups[0].at.free, i = a->count;
    while (free < needed)
        free += sim->jobs->procs[a->at[--i].job];
    double shadow = a->at[i].end;
    while (i > 0 && a->at[i - 1].end == shadow)
        free += sim->jobs->procs[a->at[--i].job];
    return (ori_backfill){.now = sim->shell.now,
                          .verification = sim->in->verification,
                          .shadow = shadow,
                          .extra = free - needed};
}

/* Backfills behind a reservation for the job at a rank. */
static orr_status backfill_list(orr_rigid *sim, ori_agenda *a, int32_t rank, orr_error *err)
{
    ori_group *g = &sim->groups[0];
    const ori_queue *q = &g->order.queue;
    ori_backfill b = reserve_first(sim, a, q->job_at[rank]);
    for (;;) {
        b.free = g->at.free;
        rank = ori_queue_next_backfill(q, rank + 1, &b);
        if (rank < 0)
            return ORR_OK;
        int32_t job = q->job_at[rank];
        if (!(ori_rigid_planned_end(sim, job, b.now) <= b.shadow))
            b.extra -= sim->jobs->procs[job];
        ORI_TRY(ori_agenda_start(a, sim, job, err));
    }
}

/* The decision of list_in_short (disciplines.c). If only the head may have a reservation, and it
 * starts, all fitting jobs behind it start, too. started: the head has started already. */
static orr_status decide_with_one(orr_rigid *sim, ori_agenda *a, bool started, orr_error *err)
{
    ori_group *g = &sim->groups[0];
    const ori_queue *q = &g->order.queue;
    bool head = g->policy.reading == ORR_READING_HEAD, reserves = !(head && started);
    for (int32_t rank = 0; (rank = ori_queue_next_fit(q, rank, g->at.free)) >= 0; rank++) {
        if (reserves) {
            int32_t first = ori_queue_next_fit(q, 0, ORI_ANY_WIDTH);
            if (first < rank)
                return backfill_list(sim, a, first, err);
        }
        ORI_TRY(ori_agenda_start(a, sim, q->job_at[rank], err));
        reserves = !head;
    }
    return ORR_OK;
}

static orr_status decide_list(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err)
{
    return g->may_keep_plan ? ori_rigid_decide_list_all(sim, g, a, err)
                            : decide_with_one(sim, a, false, err);
}

/* --- the loop --------------------------------------------------------------------------------- */

/* Applies all ends of this instant: jobs that have failed wait again. */
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

/* Those who wait, as long as none comes or goes. */
typedef struct waiting {
    bool known;
    int32_t first; /* the rank of the first */
    bool fits;     /* one fits on the free processors */
} waiting;

static void look(const ori_group *g, waiting *w)
{
    w->first = ori_queue_next_fit(&g->order.queue, 0, ORI_ANY_WIDTH);
    w->fits = ori_queue_next_fit(&g->order.queue, 0, g->at.free) >= 0;
    w->known = true;
}

/* Whether the job that ends first fails, no other job ends at the same time, and it stands in front
 * of all waiting jobs. */
ORR_INLINE bool is_front_retry(const orr_rigid *sim, const ori_agenda *a, const waiting *w)
{
    ori_running r = ori_agenda_first(a);
    return ori_failures_left(sim, r.job) > 0 && ori_agenda_second(a) > r.end &&
           sim->groups[0].order.queue.rank_of[r.job] < w->first;
}

ORR_INLINE orr_status retry(orr_rigid *sim, ori_group *g, ori_agenda *a, orr_error *err)
{
    ori_running r = ori_agenda_first(a);
    a->count--;
    g->kept = false;
    orr_status status = ori_rigid_retry(sim, r.job, r.end, &r.end, err);
    ori_agenda_add(a, r.end, r.job);
    return status;
}

/* The decision after a failure in front of all waiting jobs, which starts the job again. */
static orr_status step_in_front(orr_rigid *sim, ori_group *g, ori_agenda *a, waiting *w,
                                orr_error *err)
{
    int32_t count = g->order.queue.count;
    sim->at.last_end = ori_agenda_first(a).end;
    ORI_TRY(retry(sim, g, a, err));
    ORI_TRY(decide_with_one(sim, a, true, err));
    w->known = g->order.queue.count == count;
    return ORR_OK;
}

/* Applies the ends of this instant, and decides. */
static orr_status step_instant(orr_rigid *sim, ori_group *g, ori_agenda *a, waiting *w,
                               orr_error *err)
{
    sim->shell.now = sim->at.last_end = ori_agenda_first(a).end;
    end_due(sim, g, a);
    w->known = false;
    return g->order.queue.count > 0 ? decide_list(sim, g, a, err) : ORR_OK;
}

/* Runs until no job waits, too many run, or the last retries could have been taken at once:
 * *tired. */
static orr_status run_loop(orr_rigid *sim, ori_group *g, ori_agenda *a, bool *tired, orr_error *err)
{
    int patience = ORI_PATIENCE;
    waiting w = {.known = false};
    while (g->order.queue.count > 0 && a->count > 0 && a->count <= MANY &&
           !orr_is_cancelled(sim->shell.cancel)) {
        if (!w.known)
            look(g, &w);
        bool front = is_front_retry(sim, a, &w);
        if (front && !w.fits) {
            *tired = patience-- == 0;
            if (*tired)
                return ORR_OK;
            ORI_TRY(retry(sim, g, a, err));
            continue;
        }
        patience = ORI_PATIENCE;
        front &= !g->may_keep_plan;
        ORI_TRY(front ? step_in_front(sim, g, a, &w, err) : step_instant(sim, g, a, &w, err));
    }
    return ORR_OK;
}

/* Restores the state that the event loop expects. */
static void put_back(orr_rigid *sim, ori_group *g, ori_agenda *a)
{
    ori_ends_clear(&g->planned);
    for (int32_t i = a->count - 1; i >= 0; i--)
        ori_ends_add(&g->planned, a->at[i].end, sim->jobs->procs[a->at[i].job]);
    sim->at.running = g->at.running = a->count;
    ori_agenda_put_back(a, &sim->ends);
    g->plan_valid = false;
}

orr_status ori_rigid_run_list(orr_rigid *sim, orr_error *err)
{
    _Static_assert(sizeof(ori_running) <= sizeof(ori_rank_entry), "in place of entries");
    ori_group *g = &sim->groups[0];
    ori_agenda a = ori_agenda_in((ori_running *)(void *)sim->sorter.entries, sim->in->count);
    orr_status status = ORR_OK;
    for (bool tired = true; status == ORR_OK && tired && sim->ends.count <= FEW;) {
        tired = false;
        ori_agenda_take(&a, &sim->ends);
        status = run_loop(sim, g, &a, &tired, err);
        put_back(sim, g, &a);
        if (status == ORR_OK && tired)
            status = ori_rigid_run_retries(sim, err);
    }
    return status;
}
