/* Conservative backfilling that keeps its promises (READINGS 34).
 *
 * If an attempt has ended since the last decision, a decision goes once through the queue: every
 * reservation moves to the earliest start that it finds. Most reservations find no earlier start,
 * and most of these are skipped without a search. The timetable knows where processors were given
 * back since the last search of a job. A search is made only if the job needs no more processors
 * than are free at one of these times, and its reservation is later than the first of these times.
 * The cost of a decision grows with the number of reservations that move.
 *
 * Where jobs have a placement, or a promise reaches a window, a promise is a set of particular
 * processors from its start on (READINGS 46 and 48). Then the profile is made again at every
 * decision, from the running jobs and the promises.
 *
 * After an unplanned event (a node fails, a job returns, the policy acts) reservations are made
 * again from the first affected one on. */
#include "rigid/disciplines_internal.h"

#include "base/sort_internal.h"
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

/* Moves the reservation of a job to an earlier start, if there is one. The move of a job that had
 * no start at all may reach a window: then it is not made, and the timetable is not valid any
 * more. */
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

/* Removes the jobs that no longer wait here from the list of entered jobs. Returns the smallest
 * rank of an entered job that was in the queue before. */
static int32_t first_returned(const orr_rigid *sim, ori_group *g)
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

/* Sorts jobs of the queue by rank, into sorter.jobs. */
static void sort_by_rank(orr_rigid *sim, const ori_group *g, const int32_t *jobs, int32_t count)
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
    sort_by_rank(sim, g, p->entered, p->at.entered);
    for (int32_t i = 0; i < p->at.entered; i++)
        if (p->start[sim->sorter.jobs[i]] == ORI_NEW && !reserve(sim, g, sim->sorter.jobs[i]))
            return false;
    p->at.entered = 0;
    return true;
}

/* Takes the jobs whose reservations are due, in queue order, into sorter.jobs; returns their
 * number. */
static int32_t collect_due(orr_rigid *sim, ori_group *g)
{
    ori_promises *p = &g->promises;
    int32_t count = 0, job, *due = p->entered; /* the list of entered jobs is empty here */
    while ((job = ori_promises_take_due(p, sim->shell.now)) >= 0)
        due[count++] = job;
    if (count > 0)
        sort_by_rank(sim, g, due, count);
    return count;
}

/* --- promises of particular processors (READINGS 46 and 48) ----------------------------------- */

static bool is_made(const ori_promises *p, int32_t job)
{
    return p->start[job] > -INFINITY && p->start[job] < INFINITY;
}

/* Takes the processors of a job's reservation out of the profile, or gives them back. */
static orr_status take_named(const orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, true);
    double start = g->promises.start[job];
    return ori_named_take(&g->placed->plan, start, ori_wish_end(&wish, start),
                          &g->placed->reserved[job], err);
}

static orr_status give_named(const orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, true);
    double start = g->promises.start[job];
    return ori_named_give(&g->placed->plan, start, ori_wish_end(&wish, start),
                          &g->placed->reserved[job], err);
}

/* Finds the earliest start of a job without a reservation in the profile; inf: there is none. */
static orr_status find_named(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                             orr_error *err)
{
    ori_placed *p = g->placed;
    ori_wish wish = ori_rigid_wish(sim, job, true);
    int64_t index;
    ORI_TRY(ori_named_earliest(&p->plan, &wish, ori_place_find, &p->place, &index, err));
    *start = index < 0 ? INFINITY : p->plan.time[index];
    return ORR_OK;
}

static orr_status settle_named(const orr_rigid *sim, ori_group *g, int32_t job, double start,
                               orr_error *err)
{
    g->promises.start[job] = start;
    ori_promises_note(&g->promises, job);
    if (start == INFINITY)
        return ORR_OK;
    ORI_TRY(ori_placed_reserve(g->placed, job, err));
    return take_named(sim, g, job, err);
}

/* Makes the reservation of a job that has none. */
static orr_status reserve_named(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_promises *p = &g->promises;
    double start;
    ORI_TRY(find_named(sim, g, job, &start, err));
    if (ori_has_no_reservation(p, job))
        p->promised[job] = start;
    else
        p->excused[job] |= p->at.acted && start > p->promised[job];
    return settle_named(sim, g, job, start, err);
}

/* Goes once through the queue from rank `rank` up to rank `to` and makes every reservation again at
 * its earliest start. If a policy's own function finds no set any more where it found one before,
 * the reservation stays. */
static orr_status compress_named(orr_rigid *sim, ori_group *g, int32_t rank, int32_t to,
                                 orr_error *err)
{
    ori_promises *p = &g->promises;
    const ori_queue *q = &g->order.queue;
    for (; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++) {
        int32_t job = q->job_at[rank];
        double start;
        if (rank >= to)
            return ORR_OK;
        if (ori_has_no_reservation(p, job))
            continue;
        if (is_made(p, job))
            ORI_TRY(give_named(sim, g, job, err));
        ORI_TRY(find_named(sim, g, job, &start, err));
        if (start <= p->start[job])
            ORI_TRY(settle_named(sim, g, job, start, err));
        else
            ORI_TRY(take_named(sim, g, job, err));
    }
    return ORR_OK;
}

/* Makes the reservations from rank `from` on again; new jobs get theirs later. */
static orr_status reserve_from_named(orr_rigid *sim, ori_group *g, int32_t from, orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    for (int32_t rank = from; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++)
        if (g->promises.start[q->job_at[rank]] != ORI_NEW)
            ORI_TRY(reserve_named(sim, g, q->job_at[rank], err));
    return ORR_OK;
}

static orr_status reserve_new_named(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    sort_by_rank(sim, g, p->entered, p->at.entered);
    for (int32_t i = 0; i < p->at.entered; i++) {
        p->entered[i] = sim->sorter.jobs[i];
        if (p->start[p->entered[i]] == ORI_NEW)
            ORI_TRY(reserve_named(sim, g, p->entered[i], err));
    }
    return ORR_OK;
}

/* Whether a job's reservation can be kept. Nodes must be wholly free, including the processors of
 * the last node that the job leaves idle. */
static orr_status still_fits(const orr_rigid *sim, const ori_group *g, int32_t job, bool *fits,
                             orr_error *err)
{
    ori_placed *p = g->placed;
    const ori_runs *runs = &p->reserved[job];
    double start = g->promises.start[job];
    ori_wish wish = ori_rigid_wish(sim, job, true);
    double end = ori_wish_end(&wish, start);
    orr_interval idle = {runs->list[runs->count - 1].high, 0};
    int64_t behind = idle.low + 1, size = p->place.policy->node_procs;
    if (p->place.policy->place == ORR_PLACE_NODES)
        behind = (behind + size - 1) / size * size;
    idle.high = (behind < g->procs ? (int32_t)behind : g->procs) - 1;
    const ori_runs rest = {.list = &idle, .count = 1};
    if (end > p->plan.horizon)
        ORI_TRY(p->plan.extend(p->plan.extend_user, start, end, err));
    *fits = start >= sim->shell.now && ori_named_has(&p->plan, start, end, runs) &&
            ori_named_has(&p->plan, start, end, &rest);
    return ORR_OK;
}

/* --- decisions by particular processors ------------------------------------------------------- */

/* The reservation of a job at a rank, for sorting by start. */
typedef struct ranked {
    double start; /* s; first, for ori_is_less */
    int32_t job, rank;
} ranked;

/* Binds the reservations of ranks before `to` to particular processors, in order of their starts.
 * *held: the first rank whose reservation finds none at its start. */
static orr_status bind_to(orr_rigid *sim, ori_group *g, int32_t to, int32_t *held, orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    ori_placed *p = g->placed;
    ranked *list, *scratch;
    int32_t count = 0;
    *held = to;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(list, q->count + 1),
                ORI_PART(scratch, q->count + 1));
    ORI_TRY(ori_rigid_make_named(sim, g, true, err));
    for (int32_t rank = 0; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0 && rank < to;
         rank++)
        if (is_made(&g->promises, q->job_at[rank]))
            list[count++] = (ranked){g->promises.start[q->job_at[rank]], q->job_at[rank], rank};
    ori_sort(list, count, sizeof *list, ori_is_less, scratch);
    for (int32_t i = 0; i < count; i++) {
        ori_wish wish = ori_rigid_wish(sim, list[i].job, true);
        int64_t step = -1;
        if (list[i].start >= sim->shell.now)
            ORI_TRY(ori_named_at(&p->plan, &wish, list[i].start, ori_place_find, &p->place, &step,
                                 err));
        if (step < 0) {
            *held = list[i].rank < *held ? list[i].rank : *held;
            continue;
        }
        ORI_TRY(ori_placed_reserve(p, list[i].job, err));
        ORI_TRY(take_named(sim, g, list[i].job, err));
    }
    return ORR_OK;
}

/* Makes the profile from reservations of counted processors; those from rank *held on, and before
 * `to`, do not fit beside the windows. */
static orr_status bind(orr_rigid *sim, ori_group *g, int32_t to, int32_t *held, orr_error *err)
{
    int32_t before;
    *held = to;
    do {
        before = *held;
        ORI_TRY(bind_to(sim, g, before, held, err));
    } while (*held < before);
    g->placed->bound = true;
    g->promises.valid = false;
    return ORR_OK;
}

/* Makes the profile with the reservations of ranks before `to`; if `checked`, only up to the first
 * that does not fit. *held: the rank before which reservations are kept. */
static orr_status make_profile(orr_rigid *sim, ori_group *g, int32_t to, bool checked,
                               int32_t *held, orr_error *err)
{
    ori_promises *p = &g->promises;
    const ori_queue *q = &g->order.queue;
    *held = to;
    if (!g->placed->bound) {
        ORI_TRY(bind(sim, g, to, held, err));
        ori_promises_renew(p, q);
        return ORR_OK;
    }
    ORI_TRY(ori_rigid_make_named(sim, g, true, err));
    for (int32_t rank = 0; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++) {
        int32_t job = q->job_at[rank];
        if (rank >= to)
            break;
        bool fits = true;
        if (!is_made(p, job))
            continue;
        if (checked)
            ORI_TRY(still_fits(sim, g, job, &fits, err));
        if (!fits) {
            *held = rank;
            break;
        }
        ORI_TRY(take_named(sim, g, job, err));
    }
    ori_promises_renew(p, q);
    return ORR_OK;
}

static bool is_free(const orr_rigid *sim, const ori_group *g, const ori_runs *runs)
{
    for (int32_t k = 0; k < runs->count; k++)
        for (int32_t i = runs->list[k].low; i <= runs->list[k].high; i++)
            if (sim->processors.holder[g->first + i] != ORI_HELD_BY_NOBODY)
                return false;
    return true;
}

/* Starts a job on the processors of its reservation, once they are free. */
static orr_status start_named(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    const ori_runs *runs = &g->placed->reserved[job];
    bool fits = is_free(sim, g, runs);
    ORI_CHECK(&sim->shell, fits || sim->needs.singly, err);
    if (!fits) {
        ori_promises_note(&g->promises, job);
        return ORR_OK;
    }
    ori_placed_find_reserved(g->placed, job);
    return ori_rigid_start_fitting(sim, g, job, err);
}

static orr_status start_due_named(orr_rigid *sim, ori_group *g, orr_error *err)
{
    int32_t count = collect_due(sim, g);
    for (int32_t i = 0; i < count; i++)
        ORI_TRY(start_named(sim, g, sim->sorter.jobs[i], err));
    return ORR_OK;
}

/* Makes the reservations from rank `from` on and those of new jobs, and starts what is due. */
static orr_status reserve_rest(orr_rigid *sim, ori_group *g, int32_t from, orr_error *err)
{
    ori_promises *p = &g->promises;
    if (from < INT32_MAX)
        ORI_TRY(reserve_from_named(sim, g, from, err));
    if (p->at.entered > 0)
        ORI_TRY(reserve_new_named(sim, g, err));
    p->at = (struct ori_promises_at){0};
    return start_due_named(sim, g, err);
}

/* One decision where jobs ask for particular processors, or a promise reaches a window. The profile
 * is made again at every decision, from the running jobs and the promises. */
static orr_status decide_named(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    int32_t from = first_returned(sim, g);
    ORI_TRY(make_profile(sim, g, from, p->at.doubted, &from, err));
    if (p->at.freed || from < INT32_MAX)
        ORI_TRY(compress_named(sim, g, 0, from, err));
    return reserve_rest(sim, g, from, err);
}

/* Goes on with a decision that has counted processors so far: promises of ranks before `from` bind
 * to particular processors, those of ranks from `moving` on and before `from` move to earlier
 * starts, and those behind, and of new jobs, are made. */
static orr_status go_on_named(orr_rigid *sim, ori_group *g, int32_t moving, int32_t from,
                              orr_error *err)
{
    int32_t held;
    ORI_TRY(bind(sim, g, from, &held, err));
    if (moving < from)
        ORI_TRY(compress_named(sim, g, moving, held < from ? held : from, err));
    return reserve_rest(sim, g, held < from ? held : from, err);
}

/* --- decisions -------------------------------------------------------------------------------- */

/* Starts the jobs whose reservations are due, in queue order. If every event has its own decision,
 * the processors of some jobs may become free only at a later event of this instant: these jobs
 * start then. */
static orr_status start_due(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    int32_t count = collect_due(sim, g);
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
        return decide_named(sim, g, err);
    int32_t from = first_returned(sim, g), reached = INT32_MAX;
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
        return go_on_named(sim, g, reached, from, err);
    if (from < INT32_MAX)
        reached = reserve_from(sim, g, from);
    if (reached < INT32_MAX || (p->at.entered > 0 && !reserve_new(sim, g)))
        return go_on_named(sim, g, reached, reached, err);
    p->at = (struct ori_promises_at){0};
    return start_due(sim, g, err);
}
