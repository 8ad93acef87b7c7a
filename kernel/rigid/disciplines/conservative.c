/* Conservative backfilling that keeps its promises (READINGS 34).
 *
 * If an attempt has ended since the last decision, a decision goes once through the queue: every
 * reservation moves to the earliest start that it finds. Most reservations find no earlier start,
 * and most of these are skipped without a search. The timetable knows where processors were given
 * back since the last search of a job. A search is made only if the job needs no more processors
 * than are free at one of these times, and its reservation is later than the first of these times.
 * The cost of a decision grows with the number of reservations that move. Where jobs share pools
 * there is a timetable of each, too; a search is made only if one of them gives a reason
 * (compress_pools).
 *
 * Where jobs have a placement, or a promise reaches a window, a promise is a set of particular
 * processors from its start on (READINGS 46 and 48). That profile is kept, too, as long as nothing
 * unplanned happens. It knows for which times processors came back since the last search of a job
 * (ori_named_gain). Where a function of the policy or failures of nodes choose processors, and
 * where jobs share nodes, or pools of which a timetable cannot be kept (groups.c), the profile is
 * made again at every decision, and every reservation is searched.
 *
 * After an unplanned event (a node fails, a job returns, the policy acts) reservations are made
 * again from the first affected one on. */
#include "rigid/disciplines/conservative_internal.h"

#include "base/sort_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/availability_internal.h"

/* What is left of a decision: the promises of ranks moving .. from - 1 move to earlier starts, and
 * those of ranks from `from` on, and of new jobs, are made. */
typedef struct rest {
    int32_t moving, from;
    bool reached; /* a promise reaches a window: the others bind to particular processors */
} rest;

/* --- reservations ----------------------------------------------------------------------------- */

/* Whether promises have particular processors. */
static inline bool is_bound(const ori_group *g)
{
    return ORR_UNLIKELY(g->placed != NULL) && g->placed->bound;
}

/* Whether timetables are all that promises need, and are kept. */
static inline bool is_counted(const orr_rigid *sim, const ori_group *g)
{
    return !(is_bound(g) || ORR_UNLIKELY(sim->needs.shares && g->promises.pool_count == 0));
}

/* Whether a counted reservation is there when the next window opens. */
static bool reaches(const ori_group *g, const ori_wish *wish, double start)
{
    return ORR_UNLIKELY(g->placed != NULL) && start < INFINITY &&
           (start >= g->placed->clear_until || ori_wish_end(wish, start) > g->placed->clear_until);
}

/* Whether promises are counted from now on: they are not bound, or none reaches a window any
 * more. */
static bool may_count(const orr_rigid *sim, ori_group *g)
{
    ori_placed *p = g->placed;
    const ori_queue *q = &g->order.queue;
    if (!p)
        return true;
    double horizon = ori_rigid_horizon(sim, g);
    if (g->policy.place != ORR_PLACE_ANY || horizon <= sim->shell.now)
        return false;
    bool look = p->bound || horizon < p->clear_until;
    p->clear_until = horizon;
    for (int32_t rank = 0; look && (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0;
         rank++) {
        double start = g->promises.start[q->job_at[rank]];
        ori_wish wish = ori_rigid_wish(sim, q->job_at[rank], true);
        if (start > -INFINITY && reaches(g, &wish, start))
            return false;
    }
    return true;
}

/* Makes the reservation of a job that has none. If it reaches a window, none is made. */
static orr_status reserve_promise(orr_rigid *sim, ori_group *g, int32_t job, rest *r,
                                  orr_error *err)
{
    ori_promises *p = &g->promises;
    ori_wish wish = ori_rigid_wish(sim, job, true);
    bool first = ori_has_no_reservation(p, job), counted = is_counted(sim, g) && p->pool_count == 0;
    double start;
    if (ORR_LIKELY(counted))
        start = ori_timetable_reserve(&p->table, &wish);
    else
        ORI_TRY(ori_rigid_find_promise(sim, g, job, &start, err));
    r->reached = !is_bound(g) && reaches(g, &wish, start);
    if (r->reached)
        return ORR_OK;
    if (first)
        p->promised[job] = start;
    else
        p->excused[job] |= p->at.acted && start > p->promised[job];
    p->looked[job] = is_bound(g) ? g->placed->plan.gains : p->table.changes;
    ORI_TRY(ori_rigid_note_promise(g, job, start, err));
    return ORR_LIKELY(counted) ? ORR_OK : ori_rigid_take_promise(sim, g, job, err);
}

/* Moves a counted reservation to an earlier start, if there is one. The move of a job that had no
 * start at all may reach a window: then it is not made. Returns whether the timetable has
 * changed. */
static bool move_promise(const orr_rigid *sim, ori_group *g, int32_t job, int32_t since,
                         const ori_news *news, rest *r)
{
    ori_promises *p = &g->promises;
    double before = p->start[job];
    int32_t first = ori_news_first(news, sim->jobs->procs[job]);
    if (!(news->time[first] < before))
        return false;
    ori_wish wish = ori_rigid_wish(sim, job, true);
    int32_t looked = p->looked[job] > since ? p->looked[job] : since;
    double start = ori_timetable_move(&p->table, &wish, before, looked, news, first);
    p->looked[job] = p->table.changes;
    if (!(start < before))
        return false;
    r->reached = reaches(g, &wish, start);
    if (r->reached)
        return true;
    p->start[job] = start;
    ori_promises_note(p, job);
    return true;
}

/* Goes once through the queue and moves counted reservations to earlier starts. */
static void compress(const orr_rigid *sim, ori_group *g, rest *r)
{
    ori_promises *p = &g->promises;
    const ori_queue *q = &g->order.queue;
    int32_t since = p->table.passed, rank = -1;
    ori_queue_scan scan;
    ori_news news;
    p->table.passed = p->table.changes;
    r->moving = r->from;
    do {
        ori_timetable_news(&p->table, since, &news);
        if (news.count == 0)
            return;
        scan = ori_queue_scan_from(q, rank + 1, news.most[news.count - 1]);
        do
            rank = ori_queue_scan_next(&scan);
        while (rank >= 0 && rank < r->from &&
               !move_promise(sim, g, q->job_at[rank], since, &news, r));
    } while (rank >= 0 && rank < r->from && !r->reached);
    if (r->reached)
        r->moving = rank;
}

/* What has been given back in the timetable of the processors, or of a pool. */
typedef struct reasons {
    ori_timetable *table;
    int32_t since, lowest;
    bool listed; /* the news, since the last move */
    ori_news news;
} reasons;

static void begin_reasons(reasons *r, ori_timetable *table)
{
    *r = (reasons){.table = table, .since = table->passed, .lowest = table->lowest};
    table->passed = table->changes;
    table->lowest = INT32_MAX;
}

/* The first time at which a job with a need may have what it had to wait for; inf: never. */
static double reason_for(reasons *r, int32_t need)
{
    int32_t lowest = r->lowest < r->table->lowest ? r->lowest : r->table->lowest;
    ori_news *news = &r->news;
    if (need <= lowest)
        return INFINITY;
    if (!r->listed)
        ori_timetable_news(r->table, r->since, news);
    r->listed = true;
    if (news->count == 0 || need > news->most[news->count - 1])
        return INFINITY;
    return news->time[ori_news_first(news, need)];
}

/* Goes once through the queue and moves reservations to earlier starts, where a timetable of each
 * pool is kept. An earlier start than that of the last search holds a time at which something was
 * given back since of what the job lacked then: no more was free there than it needs, and now there
 * is enough. Only from the first such time on, less its own length, does a job look for a start; if
 * only one timetable gives a reason, from the first start that this one alone has gained. */
static orr_status compress_pools(orr_rigid *sim, ori_group *g, rest *r, orr_error *err)
{
    ori_promises *p = &g->promises;
    const ori_queue *q = &g->order.queue;
    reasons of[1 + ORR_MOST_NEEDS];
    for (int32_t i = 0; i <= p->pool_count; i++)
        begin_reasons(&of[i], ori_promises_table(p, i));
    for (int32_t rank = 0;
         (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0 && rank < r->from; rank++) {
        int32_t job = q->job_at[rank], tables = 0;
        double before = p->start[job], from = INFINITY;
        ori_wish wish = ori_rigid_wish(sim, job, true);
        if (ori_has_no_reservation(p, job))
            continue;
        const reasons *last = of;
        for (int32_t i = 0; i <= p->pool_count; i++) {
            int32_t need = ori_promised_need(sim->in, job, i);
            double time = need > 0 ? reason_for(&of[i], need) : INFINITY;
            if (!(time < before))
                continue;
            tables++;
            last = &of[i];
            wish.procs = need;
            from = time < from ? time : from;
        }
        if (tables == 0)
            continue;
        double length = wish.estimate + wish.verification;
        from -= length + 1e-9 * (fabs(from) + length); /* rounding */
        if (tables == 1)
            from = ori_timetable_gain(last->table, &wish, before, last->since, &last->news,
                                      ori_news_first(&last->news, wish.procs));
        if (!(from < before))
            continue;
        double start = ori_rigid_earlier_promise(sim, g, job, from, before);
        if (!(start < before))
            continue;
        ORI_TRY(ori_rigid_pull_promise(sim, g, job, start, err));
        for (int32_t i = 0; i <= p->pool_count; i++)
            of[i].listed = false;
    }
    r->moving = r->from;
    return ORR_OK;
}

/* Whether a search finds the same processors again as long as nothing changes. */
static bool is_repeatable(const orr_rigid *sim, const ori_group *g)
{
    orr_placing place = g->policy.place;
    if (ori_machine_nodes(sim))
        return !(ori_pools_limit(sim) || sim->needs.singly || sim->asked.plain);
    return is_bound(g) && place != ORR_PLACE_CHOSEN && place != ORR_PLACE_RELIABLE &&
           !(sim->needs.shares || sim->needs.singly || sim->asked.plain);
}

#ifdef ORI_CHECKS
/* A search that is left out would have found the same start and the same processors. */
static orr_status check_unmoved(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    double start;
    ORI_TRY(ori_rigid_give_promise(sim, g, job, err));
    ORI_TRY(ori_rigid_find_promise(sim, g, job, &start, err));
    ORI_ASSERT(&sim->shell, start == g->promises.start[job]);
    ORI_ASSERT(&sim->shell, start == INFINITY || ori_placed_has_found(g->placed, job));
    return ori_rigid_take_promise(sim, g, job, err);
}
#endif

/* Moves a reservation of particular processors to its earliest start, or to lower ones, if it may
 * find something new since its last search. */
static orr_status move_bound(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_promises *p = &g->promises;
    ori_placed *at = g->placed;
    const ori_wish wish = ori_rigid_wish(sim, job, true);
    double before = p->start[job], start;
    int32_t since = p->looked[job];
    p->looked[job] = at->plan.gains;
    if (since == at->plan.gains)
        return ORR_OK;
    ORI_TRY(ori_named_gain(&at->plan, &wish, before, &at->reserved[job], since, ori_place_find,
                           &at->place, &start, err));
    if (start == INFINITY || (start == before && ori_placed_has_found(at, job))) {
#ifdef ORI_CHECKS
        ORI_TRY(check_unmoved(sim, g, job, err));
#endif
        return ORR_OK;
    }
    p->steady = false;
    ORI_TRY(ori_rigid_give_promise(sim, g, job, err));
    if (before < INFINITY)
        ori_named_note_gain(&at->plan, before, ori_wish_end(&wish, before));
    ORI_TRY(ori_rigid_note_promise(g, job, start, err));
    p->looked[job] = at->plan.gains; /* its own move is no news to it */
    return ori_rigid_take_promise(sim, g, job, err);
}

/* Goes once through the queue and makes every reservation again at its earliest start. If a
 * policy's own function finds no set any more where it found one before, the reservation stays. */
static orr_status compress_all(orr_rigid *sim, ori_group *g, rest *r, orr_error *err)
{
    ori_promises *p = &g->promises;
    const ori_queue *q = &g->order.queue;
    p->steady = r->moving == 0 && r->from == INT32_MAX && is_repeatable(sim, g);
    ori_queue_scan scan = ori_queue_scan_from(q, r->moving, ORI_ANY_WIDTH);
    for (int32_t rank; (rank = ori_queue_scan_step(&scan)) >= 0 && rank < r->from;) {
        int32_t job = q->job_at[rank];
        double start;
        if (ori_has_no_reservation(p, job))
            continue;
        if (p->current) {
            ORI_TRY(move_bound(sim, g, job, err));
            continue;
        }
        if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL)) {
            bool moved;
            ORI_TRY(ori_rigid_move_promise(sim, g, job, &moved, err));
            p->steady &= !moved;
            continue;
        }
        const ori_wish wish = ori_rigid_wish(sim, job, true);
        ORI_TRY(ori_rigid_give_promise(sim, g, job, err));
        ORI_TRY(ori_rigid_find_promise(sim, g, job, &start, err));
        r->reached = !is_bound(g) && start < p->start[job] && reaches(g, &wish, start);
        if (r->reached) {
            r->moving = rank;
            return ORR_OK;
        }
        p->steady &= start == p->start[job] &&
                     (start == INFINITY || (is_bound(g) && ori_placed_has_found(g->placed, job)));
        if (start <= p->start[job] && !p->steady)
            ORI_TRY(ori_rigid_note_promise(g, job, start, err));
        ORI_TRY(ori_rigid_take_promise(sim, g, job, err));
    }
    r->moving = r->from;
    return ORR_OK;
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
        if (sim->state[job] != ORR_JOB_WAITING || ori_group_of(sim, job) != g ||
            ori_is_aside(sim, job)) {
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

/* --- the profile ------------------------------------------------------------------------------ */

static orr_status begin_profile(orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (is_bound(g))
        g->placed->plan.kept = is_repeatable(sim, g);
    return ori_rigid_begin_promises(sim, g, err);
}

/* The size of a profile of particular processors, in steps and cells. */
static int64_t size_of(const ori_named *n)
{
    return n->count + n->cells;
}

/* Makes the profile with the reservations of ranks before *from; if doubted, only up to the first
 * that does not fit, whose rank *from becomes. */
static orr_status make_profile(orr_rigid *sim, ori_group *g, bool doubted, int32_t *from,
                               orr_error *err)
{
    ori_promises *p = &g->promises;
    const ori_queue *q = &g->order.queue;
    ORI_TRY(begin_profile(sim, g, err));
    for (int32_t rank = 0; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0 && rank < *from;
         rank++) {
        int32_t job = q->job_at[rank];
        bool fits = true;
        if (!p->current)
            p->looked[job] = 0;
        if (doubted && ori_is_promised(p, job))
            ORI_TRY(ori_rigid_has_promise(sim, g, job, &fits, err));
        if (fits)
            ORI_TRY(ori_rigid_take_promise(sim, g, job, err));
        else
            *from = rank;
    }
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL) && *from < INT32_MAX)
        ori_nodes_note_all(&sim->nodes);
    ori_promises_renew(p, q);
    p->valid = is_counted(sim, g);
    p->current = is_bound(g) && is_repeatable(sim, g);
    if (is_bound(g))
        g->placed->most = 2 * size_of(&g->placed->plan);
    return ORR_OK;
}

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
    ORI_TRY(begin_profile(sim, g, err));
    for (int32_t rank = 0; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0 && rank < to;
         rank++) {
        g->promises.looked[q->job_at[rank]] = 0;
        if (ori_is_promised(&g->promises, q->job_at[rank]))
            list[count++] = (ranked){g->promises.start[q->job_at[rank]], q->job_at[rank], rank};
    }
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
        ORI_TRY(ori_rigid_take_promise(sim, g, list[i].job, err));
    }
    return ORR_OK;
}

#ifdef ORI_CHECKS
/* The profile that is kept is that which would be made now. */
static orr_status check_kept(orr_rigid *sim, ori_group *g, orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    ori_placed *p = g->placed;
    ori_named kept = p->plan;
    ori_windows_seen seen = p->seen;
    orr_status status = ori_named_create(&p->plan, kept.procs, &p->alloc, err);
    p->plan.kept = kept.kept;
    p->plan.withhold = kept.withhold;
    p->plan.withhold_user = kept.withhold_user;
    if (status == ORR_OK)
        status = ori_rigid_begin_promises(sim, g, err);
    for (int32_t rank = 0;
         status == ORR_OK && (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++)
        status = ori_rigid_take_promise(sim, g, q->job_at[rank], err);
    ORI_ASSERT(&sim->shell, status != ORR_OK || ori_named_is_like(&kept, &p->plan));
    ori_named_destroy(&p->plan);
    p->plan = kept;
    p->seen = seen;
    return status;
}
#endif

/* Makes the profile by name from reservations of counted processors. *from becomes the first rank
 * of those that do not fit beside the windows. */
static orr_status bind_promises(orr_rigid *sim, ori_group *g, int32_t *from, orr_error *err)
{
    int32_t before;
    g->placed->bound = true;
    g->promises.valid = g->promises.current = g->promises.steady = false;
    do {
        before = *from;
        ORI_TRY(bind_to(sim, g, before, from, err));
    } while (*from < before);
    g->promises.current = is_repeatable(sim, g);
    g->placed->most = 2 * size_of(&g->placed->plan);
    return ORR_OK;
}

static orr_status give_from(orr_rigid *sim, ori_group *g, int32_t rank, orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    for (; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++)
        ORI_TRY(ori_rigid_give_promise(sim, g, q->job_at[rank], err));
    return ORR_OK;
}

enum { MOST_CHANGES = INT32_MAX / 2 }; /* of a timetable, before it is made again from 1 */

/* Has the profile of the reservations of ranks before r->from, which are still possible. */
static orr_status need_profile(orr_rigid *sim, ori_group *g, rest *r, orr_error *err)
{
    ori_promises *p = &g->promises;
    bool plain = sim->asked.plain || p->table.changes > MOST_CHANGES;
    if (!may_count(sim, g)) {
        if (is_bound(g) && p->steady && p->at.entered == 0)
            return ORR_OK; /* nothing is searched */
        p->current &= is_bound(g) && g->placed->plan.gains < MOST_CHANGES;
        if (p->current && g->placed->promised && size_of(&g->placed->plan) < g->placed->most) {
            ori_named_advance(&g->placed->plan, sim->shell.now);
#ifdef ORI_CHECKS
            ORI_TRY(check_kept(sim, g, err));
#endif
            return ORR_OK;
        }
        if (is_bound(g))
            return make_profile(sim, g, p->at.doubted, &r->from, err);
        ORI_TRY(bind_promises(sim, g, &r->from, err));
        ori_promises_renew(p, &g->order.queue);
        return ORR_OK;
    }
    if (ORR_UNLIKELY(g->placed != NULL)) {
        p->valid &= !g->placed->bound;
        p->current = g->placed->bound = false;
    }
    if (ori_machine_nodes(sim) && p->steady && !p->at.doubted)
        return ORR_OK; /* it is kept */
    if (!p->valid || p->at.doubted || plain)
        return make_profile(sim, g, p->at.doubted, &r->from, err);
    ori_promises_advance(p, sim->shell.now);
    return r->from < INT32_MAX ? give_from(sim, g, r->from, err) : ORR_OK;
}

/* --- decisions -------------------------------------------------------------------------------- */

/* Makes the reservations that are left, in queue order, up to the first that reaches a window; new
 * jobs get theirs later. */
static orr_status reserve_from(orr_rigid *sim, ori_group *g, rest *r, orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    for (int32_t rank = r->from; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++) {
        r->moving = r->from = rank;
        if (g->promises.start[q->job_at[rank]] != ORI_NEW)
            ORI_TRY(reserve_promise(sim, g, q->job_at[rank], r, err));
        if (r->reached)
            return ORR_OK;
    }
    r->moving = r->from = INT32_MAX;
    return ORR_OK;
}

/* Makes the reservations of new jobs, up to the first that reaches a window. */
static orr_status reserve_new(orr_rigid *sim, ori_group *g, rest *r, orr_error *err)
{
    ori_promises *p = &g->promises;
    sort_by_rank(sim, g, p->entered, p->at.entered);
    memcpy(p->entered, sim->sorter.jobs, (size_t)p->at.entered * sizeof *p->entered);
    for (int32_t i = 0; i < p->at.entered && !r->reached; i++) {
        if (p->start[p->entered[i]] == ORI_NEW)
            ORI_TRY(reserve_promise(sim, g, p->entered[i], r, err));
    }
    return ORR_OK;
}

static orr_status plan_rest(orr_rigid *sim, ori_group *g, rest *r, orr_error *err)
{
    if (r->moving < r->from && g->promises.pool_count > 0)
        ORI_TRY(compress_pools(sim, g, r, err));
    else if (r->moving < r->from && is_counted(sim, g))
        compress(sim, g, r);
    else if (r->moving < r->from)
        ORI_TRY(compress_all(sim, g, r, err));
    if (!r->reached && r->from < INT32_MAX)
        ORI_TRY(reserve_from(sim, g, r, err));
    return !r->reached && g->promises.at.entered > 0 ? reserve_new(sim, g, r, err) : ORR_OK;
}

static bool are_free(const orr_rigid *sim, const ori_group *g, const ori_runs *runs)
{
    for (int32_t k = 0; k < runs->count; k++) {
        int32_t low = g->first + runs->list[k].low, high = g->first + runs->list[k].high;
        orr_interval free = ori_processors_free_from(&sim->processors, g->index, low);
        if (free.low > low || free.high < high)
            return false;
    }
    return true;
}

/* Starts the jobs whose reservations are due, in queue order. If every event has its own decision,
 * or a live simulation is asked before its instant, the processors of some jobs may become free
 * only at a later event of this instant: these jobs start then. */
static orr_status start_due(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    int32_t count = collect_due(sim, g);
    for (int32_t i = 0; i < count; i++) {
        int32_t job = sim->sorter.jobs[i];
        if (ori_is_aside(sim, job)) /* by a start before this one */
            continue;
        bool bound = is_bound(g), fits = bound ? are_free(sim, g, &g->placed->reserved[job])
                                               : sim->jobs->procs[job] <= g->at.free;
        fits = fits && ori_rigid_has_promised_shares(sim, job);
        ORI_CHECK(&sim->shell, bound || ori_machine_nodes(sim) || p->start[job] == sim->shell.now,
                  err);
        ORI_CHECK(&sim->shell, fits || sim->needs.singly || sim->asked.live, err);
        if (!fits) {
            ori_promises_note(p, job);
            continue;
        }
        if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL))
            p->steady &= !(ori_nodes_takes_less(&sim->nodes, job) || sim->nodes.shares);
        if (bound)
            ori_placed_find_reserved(g->placed, job);
        ORI_TRY(bound ? ori_rigid_start_fitting(sim, g, job, err)
                      : ori_rigid_start_counted(sim, g, job, err));
    }
    return ORR_OK;
}

static orr_status decide(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    rest r = {.moving = INT32_MAX, .from = first_returned(sim, g)};
    p->current &= r.from == INT32_MAX && is_repeatable(sim, g);
    p->steady &= r.from == INT32_MAX && is_repeatable(sim, g);
    ORI_TRY(need_profile(sim, g, &r, err));
    if ((p->at.freed && !p->steady) || r.from < INT32_MAX)
        r.moving = 0;
    ORI_TRY(plan_rest(sim, g, &r, err));
    if (ORR_UNLIKELY(r.reached)) {
        r.reached = false;
        ORI_TRY(bind_promises(sim, g, &r.from, err));
        ORI_TRY(plan_rest(sim, g, &r, err));
    }
    p->at = (struct ori_promises_at){0};
    return start_due(sim, g, err);
}

/* A start may bring others to a limit: what they had reserved is given up, as at an end. */
orr_status ori_rigid_decide_conservative(orr_rigid *sim, ori_group *g, orr_error *err)
{
    do
        ORI_TRY(decide(sim, g, err));
    while (ORR_UNLIKELY(sim->limits != NULL) && g->promises.at.freed && g->order.queue.count > 0);
    return ORR_OK;
}
