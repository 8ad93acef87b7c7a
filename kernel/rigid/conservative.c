/* Conservative backfilling that keeps its promises (READINGS 34).
 *
 * If an attempt has ended since the last decision, a decision goes once through the queue: every
 * reservation moves to the earliest start that it finds. Most reservations find no earlier start,
 * and most of these are skipped without a search. The timetable knows where processors were given
 * back since the last search of a job. A search is made only if the job needs no more processors
 * than are free at one of these times, and its reservation is later than the first of these times.
 * The cost of a decision grows with the number of reservations that move.
 *
 * After an unplanned event (a node fails, a job returns, the policy acts) reservations are made
 * again from the first affected one on. */
#include "rigid/disciplines_internal.h"

#include "rigid/attempts_internal.h"

static ori_request request_of(const orr_rigid *sim, int32_t job)
{
    return (ori_request){sim->jobs->procs[job], sim->estimate[job], sim->in->verification};
}

/* --- reservations ----------------------------------------------------------------------------- */

/* Whether a reservation is there when a window opens. */
static bool reaches(const orr_rigid *sim, int32_t job, double start, double horizon)
{
    ori_wish wish = ori_rigid_wish(sim, job, true);
    const ori_slot slot = {start, 0};
    return ori_slot_reaches(&slot, &wish, horizon);
}

/* Whether the reservations of a group where windows are known count processors: none reaches a
 * window. */
static bool counts(const orr_rigid *sim, ori_group *g)
{
    ori_placed *p = g->placed;
    const ori_queue *q = &g->order.queue;
    double horizon = ori_rigid_horizon(sim, g);
    if (g->policy.place != ORR_PLACE_ANY || horizon <= sim->shell.now)
        return false;
    bool look = p->bound || horizon < p->clear_until;
    for (int32_t rank = 0; look && (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0;
         rank++) {
        int32_t job = q->job_at[rank];
        double start = g->promises.start[job];
        if (start > -INFINITY && reaches(sim, job, start, horizon))
            return false;
    }
    g->promises.valid &= !p->bound;
    p->bound = false;
    p->clear_until = horizon;
    return true;
}

/* Makes the reservation of a job that has none. Returns false, and makes none, if it reaches a
 * window: then the timetable is not valid any more. */
static bool reserve(const orr_rigid *sim, ori_group *g, int32_t job)
{
    ori_promises *p = &g->promises;
    ori_request r = request_of(sim, job);
    double start = ori_timetable_reserve(&p->table, &r);
    if (ORR_UNLIKELY(g->placed != NULL) && reaches(sim, job, start, ori_rigid_horizon(sim, g))) {
        p->valid = false;
        return false;
    }
    bool first = ori_has_no_reservation(p, job);
    if (first)
        p->promised[job] = start;
    else
        p->excused[job] |= p->at.acted && start > p->promised[job];
    p->start[job] = start;
    p->looked[job] = p->table.changes;
    ori_promises_note(p, job);
    return true;
}

/* Moves the reservation of a job to an earlier start, if there is one. The move of a job that had no
 * start at all may reach a window: then it is not made, and the timetable is not valid any more. */
static bool move(const orr_rigid *sim, ori_group *g, int32_t job, int32_t since,
                 const ori_news *news)
{
    ori_promises *p = &g->promises;
    double before = p->start[job];
    int32_t first = ori_news_first(news, sim->jobs->procs[job]);
    if (!(news->time[first] < before))
        return false;
    ori_request r = request_of(sim, job);
    int32_t looked = p->looked[job] > since ? p->looked[job] : since;
    double start = ori_timetable_move(&p->table, &r, before, looked, news, first);
    p->looked[job] = p->table.changes;
    if (!(start < before))
        return false;
    if (ORR_UNLIKELY(g->placed != NULL) && reaches(sim, job, start, ori_rigid_horizon(sim, g))) {
        p->valid = false;
        return true;
    }
    p->start[job] = start;
    ori_promises_note(p, job);
    return true;
}

/* Goes once through the queue up to rank `to` and moves reservations to earlier starts. Returns the
 * rank of the first move that reaches a window; INT32_MAX: none does. */
static int32_t compress(const orr_rigid *sim, ori_group *g, int32_t to)
{
    ori_promises *p = &g->promises;
    const ori_queue *q = &g->order.queue;
    int32_t since = p->passed, rank = -1;
    ori_queue_scan scan;
    ori_news news;
    p->passed = p->table.changes;
    do {
        ori_timetable_news(&p->table, since, &news);
        if (news.count == 0)
            return INT32_MAX;
        scan = ori_queue_scan_from(q, rank + 1, news.most[news.count - 1]);
        do
            rank = ori_queue_scan_next(&scan);
        while (rank >= 0 && rank < to && !move(sim, g, q->job_at[rank], since, &news));
    } while (rank >= 0 && rank < to && p->valid);
    return p->valid ? INT32_MAX : rank;
}

/* Gives up the reservations from rank `from` on. */
static void give_up(const orr_rigid *sim, ori_group *g, int32_t from)
{
    ori_promises *p = &g->promises;
    const ori_queue *q = &g->order.queue;
    for (int32_t rank = from; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++) {
        int32_t job = q->job_at[rank];
        double start = p->start[job];
        ori_request r = request_of(sim, job);
        if (start > -INFINITY && start < INFINITY)
            ori_timetable_give(&p->table, start, ori_request_end(&r, start), r.procs);
    }
}

/* Makes the reservations from rank `from` on again; new jobs get theirs later. Returns the rank of
 * the first that reaches a window; INT32_MAX: none does. */
static int32_t reserve_from(const orr_rigid *sim, ori_group *g, int32_t from)
{
    const ori_queue *q = &g->order.queue;
    for (int32_t rank = from; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++)
        if (g->promises.start[q->job_at[rank]] != ORI_NEW && !reserve(sim, g, q->job_at[rank]))
            return rank;
    return INT32_MAX;
}

/* --- jobs that have entered ------------------------------------------------------------------- */

int32_t ori_rigid_first_returned(const orr_rigid *sim, ori_group *g)
{
    ori_promises *p = &g->promises;
    int32_t count = 0, first = INT32_MAX;
    for (int32_t i = 0; i < p->at.entered; i++) {
        int32_t job = p->entered[i], rank = g->order.queue.rank_of[job];
        if (sim->state[job] != ORR_JOB_WAITING || ori_group_of(sim, job) != g) {
            p->start[job] = 0;
            continue;
        }
        p->entered[count++] = job;
        if (p->start[job] != ORI_NEW)
            first = rank < first ? rank : first;
    }
    p->at.entered = count;
    return first;
}

void ori_rigid_sort_by_rank(orr_rigid *sim, const ori_group *g, const int32_t *jobs, int32_t count)
{
    if (count == 1) {
        sim->sorter.jobs[0] = jobs[0];
        return;
    }
    for (int32_t i = 0; i < count; i++)
        sim->sorter.entries[i] =
            (ori_rank_entry){0, g->order.queue.rank_of[jobs[i]], (uint32_t)jobs[i], jobs[i]};
    ori_sorter_sort(&sim->sorter, count, sim->sorter.jobs);
}

/* Makes the reservations of new jobs, up to the first that reaches a window. Returns whether none
 * does. */
static bool reserve_new(orr_rigid *sim, ori_group *g)
{
    ori_promises *p = &g->promises;
    ori_rigid_sort_by_rank(sim, g, p->entered, p->at.entered);
    for (int32_t i = 0; i < p->at.entered; i++)
        if (p->start[sim->sorter.jobs[i]] == ORI_NEW && !reserve(sim, g, sim->sorter.jobs[i]))
            return false;
    p->at.entered = 0;
    return true;
}

/* --- decisions -------------------------------------------------------------------------------- */

int32_t ori_rigid_collect_due(orr_rigid *sim, ori_group *g)
{
    ori_promises *p = &g->promises;
    int32_t count = 0, job, *due = p->entered; /* the list of entered jobs is empty here */
    while ((job = ori_promises_take_due(p, sim->shell.now)) >= 0)
        due[count++] = job;
    if (count > 0)
        ori_rigid_sort_by_rank(sim, g, due, count);
    return count;
}

/* Starts the jobs whose reservations are due, in queue order. If every event has its own decision,
 * the processors of some jobs may become free only at a later event of this instant: these jobs
 * start then. */
static orr_status start_due(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    int32_t count = ori_rigid_collect_due(sim, g);
    for (int32_t i = 0; i < count; i++) {
        int32_t job = sim->sorter.jobs[i];
        bool fits = sim->jobs->procs[job] <= g->at.free;
        ORI_CHECK(&sim->shell, p->start[job] == sim->shell.now, err);
        ORI_CHECK(&sim->shell, fits || sim->needs.singly, err);
        if (fits)
            ORI_TRY(ori_rigid_start_counted(sim, g, job, err));
        else
            ori_promises_note(p, job);
    }
    return ORR_OK;
}

enum { MOST_CHANGES = INT32_MAX / 2 }; /* of a timetable, before it is made again from 1 */

orr_status ori_rigid_decide_conservative(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    if (ORR_UNLIKELY(g->placed != NULL) && !counts(sim, g))
        return ori_rigid_decide_conservative_placed(sim, g, err);
    int32_t from = ori_rigid_first_returned(sim, g), reached = INT32_MAX;
    bool plain = sim->asked.plain || p->table.changes > MOST_CHANGES;
    if (p->valid && !p->at.doubted && !plain) {
        ori_timetable_advance(&p->table, sim->shell.now);
        if (from < INT32_MAX)
            give_up(sim, g, from);
    } else {
        from = ori_rigid_make_timetable(sim, g, from, p->at.doubted);
    }
    if (p->at.freed || from < INT32_MAX)
        reached = compress(sim, g, from);
    if (reached < INT32_MAX)
        return ori_rigid_bind_conservative(sim, g, reached, from, err);
    if (from < INT32_MAX)
        reached = reserve_from(sim, g, from);
    if (reached < INT32_MAX || (p->at.entered > 0 && !reserve_new(sim, g)))
        return ori_rigid_bind_conservative(sim, g, reached, reached, err);
    p->at = (struct ori_promises_at){0};
    return start_due(sim, g, err);
}
