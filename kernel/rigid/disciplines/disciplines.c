/* The built-in disciplines: R-LIST(m), strict FCFS, R-SHELF(b); conservative backfilling is in
 * conservative.c, the starts of the log are in recorded.c. A new one is a value of
 * orr_rigid_discipline, a function here, and a row of the table at the end. */
#include "rigid/disciplines/disciplines_internal.h"
#include "rigid/disciplines/list_all_internal.h"
#include "rigid/disciplines/recorded_internal.h"

#include "base/try_internal.h"
#include "rigid/disciplines/conservative_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/availability_internal.h"
#include "rigid/effects/hooks_internal.h"

static bool is_stopped(const orr_rigid *sim, int32_t job, orr_u128 stopped)
{
    return stopped >> ori_nodes_ask_of(&sim->nodes, job)->partition & 1;
}

/* In strict order a job that does not start stops the partitions that share nodes with its own;
 * returns whether any others are left. */
static bool stop_others(const orr_rigid *sim, int32_t job, orr_u128 *stopped)
{
    const ori_nodes *n = &sim->nodes;
    if (ORR_LIKELY(!n->of))
        return false;
    *stopped |= n->overlaps[ori_nodes_ask_of(n, job)->partition];
    for (int32_t p = 0; p < n->of->partition_count; p++)
        if (!(*stopped >> p & 1))
            return true;
    return false;
}

static int32_t next_sharing(const orr_rigid *sim, const ori_group *g, const ori_queue *q,
                            int32_t rank, int32_t free)
{
    ori_available pools;
    ori_pools_available(sim, g, INFINITY, &pools);
    return ori_queue_next_sharing(q, rank, free, &pools);
}

/* The next job that may start on `free` processors and on what is free of pools. */
ORR_INLINE int32_t next_startable(const orr_rigid *sim, const ori_group *g, const ori_queue *q,
                                  int32_t rank, int32_t free)
{
    if (ORR_LIKELY(q->pools == 0) || g->placed)
        return ori_queue_next_fit(q, rank, free);
    return next_sharing(sim, g, q, rank, free);
}

/* Starts, in the order of q from `rank` on, every job that fits on the free processors, or, if
 * `strict`, only those in front of the first that does not. */
static orr_status start_fitting(orr_rigid *sim, ori_group *g, const ori_queue *q, int32_t rank,
                                bool strict, orr_error *err)
{
    orr_u128 stopped = 0; /* partitions */
    while ((rank = strict ? ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)
                          : next_startable(sim, g, q, rank, g->at.free)) >= 0) {
        int32_t job = q->job_at[rank++];
        bool fits = sim->jobs->procs[job] <= g->at.free && ori_rigid_has_share(sim, job);
        if (ORR_UNLIKELY(stopped) && is_stopped(sim, job, stopped))
            continue;
        if (ORR_UNLIKELY(g->placed != NULL))
            ORI_TRY(ori_rigid_find_free(sim, g, job, &fits, err));
        if (fits)
            ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
        else if (strict && !stop_others(sim, job, &stopped))
            return ORR_OK;
    }
    return ORR_OK;
}

static orr_status fcfs(orr_rigid *sim, ori_group *g, orr_error *err)
{
    return start_fitting(sim, g, &g->order.queue, 0, true, err);
}

/* --- R-LIST ----------------------------------------------------------------------------------- */

/* The rest of a decision once all reservations are given: the jobs from `rank` on are tried, in the
 * order of the queue, or all jobs, in the order of backfilling. The latter include jobs with
 * reservations; these cannot start, because availability only shrinks. */
typedef struct rest {
    const ori_queue *queue;
    int32_t rank;
} rest;

static rest behind(const ori_group *g, int32_t rank)
{
    return g->has_backfill ? (rest){&g->backfill.queue, 0} : (rest){&g->order.queue, rank};
}

/* Whether one reservation needs no plan: its queue knows how long jobs take. Queues of policies
 * with a dispatch function of their own do not. */
static bool backfills_behind_one(const ori_group *g)
{
    return g->policy.reservations == 1 && behind(g, 0).queue->timed;
}

/* When the single reservation of a decision starts, and how many processors it leaves free then. */
ORR_INLINE orr_status find_shadow(orr_rigid *sim, ori_group *g, int32_t job, ori_backfill *b,
                                  orr_error *err)
{
    int32_t procs = sim->jobs->procs[job], available = g->at.free;
    b->shadow = sim->shell.now;
    if (ORR_LIKELY(procs > available))
        b->shadow = ori_ends_when(&g->planned, available, procs, &available);
    if (ORR_UNLIKELY(sim->needs.shares)) {
        if (procs > g->at.free && !(b->shadow > sim->shell.now))
            b->shadow = nextafter(b->shadow, INFINITY); /* behind attempts that take no time */
        ORI_TRY(ori_rigid_reserve_shares(sim, g, job, &b->shadow, err));
        available = g->at.free + ori_ends_until(&g->planned, b->shadow);
    }
    b->extra = available - procs;
    return ORR_OK;
}

/* The rest of a decision behind a single reservation, that of job `reserved`: its time and the
 * processors it leaves free are known at once, no plan is needed. */
static orr_status backfill_group(orr_rigid *sim, ori_group *g, int32_t reserved, rest r,
                                 orr_error *err)
{
    ori_backfill b = {.now = sim->shell.now, .verification = sim->in->verification};
    ori_available pools;
    bool started = true;
    ORI_TRY(find_shadow(sim, g, reserved, &b, err));
    b.pools = r.queue->pools > 0 ? &pools : NULL;
    for (;; r.rank++) {
        b.free = g->at.free;
        if (ORR_UNLIKELY(b.pools != NULL) && started)
            ori_pools_available(sim, g, b.shadow, &pools);
        r.rank = ori_queue_next_backfill(r.queue, r.rank, &b);
        if (r.rank < 0)
            return ORR_OK;
        int32_t job = r.queue->job_at[r.rank];
        bool has = true;
        if (ORR_UNLIKELY(sim->needs.shares))
            ORI_TRY(ori_rigid_share_beside(sim, g, job, &has, err));
        started = has;
        if (!has)
            continue;
        if (!(ori_rigid_planned_end(sim, job, sim->shell.now) <= b.shadow))
            b.extra -= sim->jobs->procs[job];
        ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
    }
}

/* A decision on paper, by counted processors: what starts does so when it is complete. */
typedef struct draft {
    int32_t *starts; /* the jobs that start, in order */
    int32_t count, free;
    bool reached; /* a plan that can still let a job start reaches a window */
    bool whole;   /* no reservation does */
} draft;

static bool is_drafted(const draft *d, int32_t job)
{
    for (int32_t i = 0; i < d->count; i++)
        if (d->starts[i] == job)
            return true;
    return false;
}

/* Whether a job is over a limit beside those that start on paper. In earnest it leaves its
 * queue. */
static bool is_over_on_paper(const orr_rigid *sim, const draft *d, int32_t job)
{
    int64_t used;
    return d && ORR_UNLIKELY(sim->limits != NULL) && ori_limits_exceeded(sim->limits, job, &used);
}

static void start_on_paper(const orr_rigid *sim, draft *d, int32_t job)
{
    d->starts[d->count++] = job;
    d->free -= sim->jobs->procs[job];
    if (ORR_UNLIKELY(sim->limits != NULL))
        ori_limits_count(sim->limits, job, 1);
}

/* Finds the start of a job by the plan. A draft that reaches a window has none. */
static orr_status find_start(orr_rigid *sim, ori_group *g, draft *d, const ori_wish *wish,
                             bool may_reserve, ori_slot *slot, orr_error *err)
{
    if (!d)
        return may_reserve ? ori_rigid_earliest(sim, g, wish, sim->shell.now, slot, err)
                           : ori_rigid_starts_now(sim, g, wish, slot, err);
    ORI_TRY(ori_rigid_count_earliest(sim, g, wish, slot, &d->reached, err));
    d->reached &= slot->step == 0 || may_reserve;
    if (d->reached)
        slot->step = -1;
    return ORR_OK;
}

/* Starts a job if it can start now by the plan. Otherwise, if it may reserve, it reserves its
 * earliest time. */
static orr_status start_or_reserve(orr_rigid *sim, ori_group *g, draft *d, int32_t job,
                                   bool may_reserve, bool *starts, orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, false);
    ori_slot slot;
    *starts = false;
    if (!may_reserve && wish.procs > (d ? d->free : g->at.free))
        return ORR_OK;
    if (!d && g->placed && !g->placed->valid && !sim->asked.plain) { /* nothing is reserved yet */
        ORI_TRY(ori_rigid_find_free(sim, g, job, starts, err));
        if (*starts)
            return ori_rigid_start_fitting(sim, g, job, err);
    }
    ORI_TRY(find_start(sim, g, d, &wish, may_reserve, &slot, err));
    *starts = slot.step == 0;
    if (ORR_UNLIKELY(sim->reservations) && (*starts || may_reserve) && !(d && d->reached))
        sim->reservations[job] = slot.start;
    if (*starts && !d) {
        ORI_TRY(ori_rigid_take_now(sim, g, job, err));
        return ori_rigid_start_fitting(sim, g, job, err);
    }
    if (*starts)
        start_on_paper(sim, d, job);
    return *starts || may_reserve ? ori_rigid_take(sim, g, &wish, &slot, err) : ORR_OK;
}

/* The rest of a decision behind any number of reservations. */
static orr_status backfill_by_plan(orr_rigid *sim, ori_group *g, draft *d, rest r, orr_error *err)
{
    bool starts;
    while (!(d && d->reached) &&
           (r.rank = next_startable(sim, g, r.queue, r.rank, d ? d->free : g->at.free)) >= 0) {
        int32_t job = r.queue->job_at[r.rank++];
        if (d && ((g->has_backfill && is_drafted(d, job)) || is_over_on_paper(sim, d, job)))
            continue;
        if (ORR_UNLIKELY(g->placed != NULL)) /* counting alone takes fewer instructions */
            ORI_TRY(start_or_reserve(sim, g, d, job, false, &starts, err));
        else if (ori_rigid_fits_plan(sim, g, job))
            ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
    }
    return ORR_OK;
}

/* R-LIST(m) with m > 0 by definition, READINGS 25: once through the queue, in order, to its end, or
 * until no job behind is narrow enough to start. d: on paper, up to the first window that a plan
 * reaches; NULL: jobs start. */
static orr_status list_in_full(orr_rigid *sim, ori_group *g, draft *d, orr_error *err)
{
    const orr_rigid_policy *p = &g->policy;
    const ori_queue *q = &g->order.queue;
    bool head = p->reading == ORR_READING_HEAD, all = sim->asked.plain, starts;
    const int32_t *free = d ? &d->free : &g->at.free;
    int32_t rank = 0, seen = 0, reserved = 0;
    while (ori_queue_next_fit(q, rank, all ? ORI_ANY_WIDTH : *free) >= 0) {
        if ((head ? seen : reserved) >= p->reservations)
            return backfill_by_plan(sim, g, d, behind(g, rank), err);
        bool matters = ori_queue_next_fit(q, rank, *free) >= 0;
        rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH);
        if (is_over_on_paper(sim, d, q->job_at[rank])) {
            rank++;
            continue;
        }
        ORI_TRY(start_or_reserve(sim, g, d, q->job_at[rank++], true, &starts, err));
        if (d && d->reached) {
            d->whole = false;
            d->reached = matters;
            return ORR_OK;
        }
        seen++;
        reserved += !starts;
    }
    return ORR_OK;
}

/* What starts on paper does not use limits any more. It starts in earnest unless a window is
 * reached. */
static orr_status end_draft(orr_rigid *sim, ori_group *g, const draft *d, orr_error *err)
{
    for (int32_t i = 0; ORR_UNLIKELY(sim->limits != NULL) && i < d->count; i++)
        ori_limits_count(sim->limits, d->starts[i], -1);
    ori_rigid_begin_plan(g);
    for (int32_t i = 0; !d->reached && i < d->count; i++)
        ORI_TRY(ori_rigid_start_counted(sim, g, d->starts[i], err));
    return ORR_OK;
}

/* Backfills behind the only reservation, which counts: on paper, and in earnest if no window is
 * reached. */
static orr_status draft_backfill(orr_rigid *sim, ori_group *g, int32_t reserved, draft *d, rest r,
                                 orr_error *err)
{
    ori_backfill b = {.now = sim->shell.now, .verification = sim->in->verification};
    const ori_wish wish = ori_rigid_wish(sim, reserved, false);
    double horizon = ori_rigid_horizon(sim, g);
    ORI_TRY(find_shadow(sim, g, reserved, &b, err));
    d->reached = ori_rigid_reaches(sim, g, &wish, b.shadow);
    for (b.free = g->at.free; !d->reached; r.rank++) {
        r.rank = ori_queue_next_backfill(r.queue, r.rank, &b);
        if (r.rank < 0)
            break;
        int32_t job = r.queue->job_at[r.rank];
        double end = ori_rigid_planned_end(sim, job, sim->shell.now);
        if (is_over_on_paper(sim, d, job))
            continue;
        d->reached = end > horizon;
        if (!(end <= b.shadow))
            b.extra -= sim->jobs->procs[job];
        b.free -= sim->jobs->procs[job];
        start_on_paper(sim, d, job);
    }
    return end_draft(sim, g, d, err);
}

/* Backfills behind the only reservation, which has particular processors. They are chosen when the
 * first job ends later than it may start. */
static orr_status backfill_by_name(orr_rigid *sim, ori_group *g, int32_t reserved, rest r,
                                   orr_error *err)
{
    ori_placed *p = g->placed;
    ori_backfill b = {.now = sim->shell.now, .verification = sim->in->verification};
    bool chosen = false, found;
    b.extra = INT32_MAX;
    b.shadow = p->first == reserved ? ori_later(p->first_start, b.now) : b.now;
    for (;; r.rank++) {
        b.free = g->at.free;
        r.rank = ori_queue_next_backfill(r.queue, r.rank, &b);
        if (r.rank < 0)
            break;
        int32_t job = r.queue->job_at[r.rank];
        bool beside = !(ori_rigid_planned_end(sim, job, sim->shell.now) <= b.shadow);
        if (beside && !chosen) {
            ORI_TRY(ori_rigid_reserve_head(sim, g, reserved, &b.shadow, err));
            b.extra = ori_placed_take_spare(p);
            chosen = true;
            r.rank--;
            continue;
        }
        ORI_TRY(beside ? ori_rigid_find_spare(sim, g, job, &found, err)
                       : ori_rigid_find_free(sim, g, job, &found, err));
        if (found)
            ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
        if (found && chosen)
            b.extra = ori_placed_take_spare(p);
    }
    p->first = reserved;
    p->first_start = b.shadow;
    g->kept = !sim->needs.singly;
    return ORR_OK;
}

/* R-LIST(1) as below. The jobs in front of the one with the reservation start on the same
 * processors with a plan that counts and with one of particular processors. */
static orr_status list_one_beside_windows(orr_rigid *sim, ori_group *g, orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    draft d = {.starts = sim->sorter.jobs, .reached = !ori_rigid_counts(sim, g)};
    ori_rigid_begin_plan(g);
    if (!g->kept)
        g->placed->first = -1;
    for (int32_t rank = 0; ori_queue_next_fit(q, rank, g->at.free) >= 0;) {
        rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH);
        int32_t job = q->job_at[rank++];
        const ori_wish wish = ori_rigid_wish(sim, job, false);
        const rest r = behind(g, rank);
        bool found;
        d.reached |= wish.procs <= g->at.free && ori_rigid_reaches(sim, g, &wish, sim->shell.now);
        ORI_TRY(ori_rigid_find_free(sim, g, job, &found, err));
        if (!found) {
            if (!d.reached)
                ORI_TRY(draft_backfill(sim, g, job, &d, r, err));
            return d.reached ? backfill_by_name(sim, g, job, r, err) : ORR_OK;
        }
        ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
        if (g->policy.reading == ORR_READING_HEAD)
            return start_fitting(sim, g, r.queue, r.rank, false, err);
    }
    return ORR_OK;
}

/* A decision of which no plan reaches a window counts processors; any other one has particular
 * processors from the beginning. */
static orr_status list_beside_windows(orr_rigid *sim, ori_group *g, orr_error *err)
{
    draft d = {.starts = sim->sorter.jobs, .free = g->at.free, .whole = true};
    if (ori_queue_next_fit(&g->order.queue, 0, g->at.free) < 0 && !sim->reservations)
        return ORR_OK;
    if (backfills_behind_one(g) && g->policy.place != ORR_PLACE_CHOSEN &&
        !(sim->asked.plain || sim->reservations || sim->needs.shares))
        return list_one_beside_windows(sim, g, err);
    d.reached = !ori_rigid_counts(sim, g);
    orr_status drafted = d.reached ? ORR_OK : list_in_full(sim, g, &d, err);
    d.reached |= drafted != ORR_OK;
    ORI_TRY(end_draft(sim, g, &d, err));
    ORI_TRY(drafted);
    if (!d.reached && d.whole)
        return ORR_OK;
    for (int32_t j = 0; sim->reservations && j < sim->in->count; j++)
        if (ori_group_of(sim, j) == g)
            sim->reservations[j] = NAN;
    g->placed->names = true;
    orr_status status = list_in_full(sim, g, NULL, err);
    g->placed->names = false;
    return status;
}

/* R-LIST(m) without visiting jobs that cannot matter. Jobs too wide for the free processors matter
 * only while reservations are left to give. Reservations do not matter any more once no job behind
 * is narrow enough to start now. */
static orr_status list_in_short(orr_rigid *sim, ori_group *g, orr_error *err)
{
    const orr_rigid_policy *p = &g->policy;
    const ori_queue *q = &g->order.queue;
    bool head = p->reading == ORR_READING_HEAD;
    int32_t rank = 0, seen = 0, reserved = 0;
    bool fit = ori_queue_has_fit(q, g->at.free);
    if (ORR_UNLIKELY(q->pools > 0))
        fit = fit && next_startable(sim, g, q, 0, g->at.free) >= 0;
    for (; fit; fit = next_startable(sim, g, q, rank, g->at.free) >= 0) {
        if ((head ? seen : reserved) >= p->reservations) {
            rest r = behind(g, rank);
            return reserved > 0 ? backfill_by_plan(sim, g, NULL, r, err)
                                : start_fitting(sim, g, r.queue, r.rank, false, err);
        }
        rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH);
        int32_t job = q->job_at[rank];
        bool fits = sim->jobs->procs[job] <= g->at.free && ori_rigid_has_share(sim, job);
        seen++;
        if (reserved == 0 ? fits : fits && ori_rigid_fits_plan(sim, g, job)) {
            ORI_TRY(ori_rigid_start_fitting(sim, g, job, err));
        } else if (backfills_behind_one(g)) {
            return backfill_group(sim, g, job, behind(g, rank + 1), err);
        } else {
            double from;
            ORI_TRY(ori_rigid_reserve(sim, g, job, &from, err));
            reserved++;
        }
        rank++;
    }
    return ORR_OK;
}

/* A decision on nodes: reservations that no job was held up by yet are made when the first could
 * be. */
typedef struct on_nodes {
    int32_t seen[ORR_MOST_PARTITIONS], reserved[ORR_MOST_PARTITIONS]; /* jobs */
    int32_t full;         /* partitions that may not reserve any more */
    const int32_t *waits; /* the jobs to reserve for, in order */
    int32_t count;
} on_nodes;

static orr_status make_reservations(orr_rigid *sim, ori_group *g, on_nodes *d, orr_error *err)
{
    double start;
    for (int32_t i = 0; i < d->count; i++)
        ORI_TRY(ori_rigid_reserve(sim, g, d->waits[i], &start, err));
    d->count = 0;
    return ORR_OK;
}

/* Starts a job beside the reservations if it can start now. */
static orr_status start_beside(orr_rigid *sim, ori_group *g, on_nodes *d, int32_t job, bool *starts,
                               orr_error *err)
{
    *starts = sim->jobs->procs[job] <= g->at.free && ori_rigid_has_share(sim, job);
    if (!*starts)
        return ORR_OK;
    ORI_TRY(make_reservations(sim, g, d, err));
    ORI_TRY(ori_rigid_starts_beside(sim, g, job, true, starts, err));
    return *starts ? ori_rigid_start_fitting(sim, g, job, err) : ORR_OK;
}

/* R-LIST(m) with m > 0 on nodes, by definition (READINGS 58, 59), but that jobs too wide for what
 * is free are visited only while they may reserve, and reservations that matter to nobody are not
 * made. */
static orr_status list_on_nodes(orr_rigid *sim, ori_group *g, orr_error *err)
{
    const orr_rigid_policy *p = &g->policy;
    const ori_queue *q = &g->order.queue;
    bool head = p->reading == ORR_READING_HEAD, all = sim->reservations || sim->asked.plain, starts;
    bool whole = all || g->has_backfill; /* or jobs in front may be tried behind the last one */
    int32_t partitions = ori_machine_nodes(sim)->partition_count, *waits;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(waits, q->count));
    on_nodes d = {.waits = waits};
    for (int32_t rank = 0; whole || ori_queue_next_fit(q, rank, g->at.free) >= 0; rank++) {
        bool open = d.full < partitions;
        if (!open && g->has_backfill)
            break;
        rank = ori_queue_next_fit(q, rank, open ? ORI_ANY_WIDTH : g->at.free);
        if (rank < 0)
            break;
        int32_t job = q->job_at[rank], part = ori_nodes_ask_of(&sim->nodes, job)->partition;
        bool may = (head ? d.seen : d.reserved)[part] < p->reservations;
        if (!may && g->has_backfill)
            continue;
        ORI_TRY(start_beside(sim, g, &d, job, &starts, err));
        if (!may)
            continue;
        d.seen[part]++;
        if (!starts) {
            waits[d.count++] = job;
            d.reserved[part]++;
        }
        d.full += (head ? d.seen : d.reserved)[part] == p->reservations;
    }
    for (int32_t rank = 0; g->has_backfill; rank++) {
        rank = ori_queue_next_fit(&g->backfill.queue, rank, g->at.free);
        if (rank < 0)
            break;
        ORI_TRY(start_beside(sim, g, &d, g->backfill.queue.job_at[rank], &starts, err));
    }
    return all ? make_reservations(sim, g, &d, err) : ORR_OK;
}

static orr_status list(orr_rigid *sim, ori_group *g, orr_error *err)
{
    rest all = behind(g, 0);
    if (g->order.queue.count == 0)
        return ORR_OK;
    if (g->policy.reservations == 0)
        return start_fitting(sim, g, all.queue, 0, false, err);
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL))
        return list_on_nodes(sim, g, err);
    if (ORR_UNLIKELY(g->placed != NULL))
        return list_beside_windows(sim, g, err);
    if (sim->asked.plain)
        return list_in_full(sim, g, NULL, err);
    if (g->at.keeps_plan)
        return ori_rigid_decide_list_all(sim, g, NULL, err);
    return list_in_short(sim, g, err);
}

orr_status ori_rigid_decide_list(orr_rigid *sim, ori_group *g, int32_t reservations, orr_error *err)
{
    int32_t own = g->policy.reservations;
    g->policy.reservations = reservations;
    orr_status status = list(sim, g, err);
    g->policy.reservations = own;
    return status;
}

/* --- the others ------------------------------------------------------------------------------- */

/* R-SHELF(b), READINGS 26: a new shelf only when the whole last one has ended. */
static orr_status shelf(orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (g->at.running > 0)
        return ORR_OK;
    return start_fitting(sim, g, &g->order.queue, 0, !g->policy.fill, err);
}

/* Calls the policy's own dispatch function. */
static orr_status custom(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_situation here = {
        .hook = "dispatch", .group = g->index, .deciding = g->index, .acting = true};
    ori_situation before = ori_situation_begin(sim, here, err);
    orr_status status = g->policy.dispatch(g->policy.user, sim, err);
    if (g->placed)
        ori_placed_forget_plan(g->placed);
    return ori_situation_end(sim, before, g->policy.name, status, err);
}

static orr_status check_custom(const orr_rigid *sim, const orr_rigid_policy *p, orr_error *err)
{
    (void)sim;
    ORI_REFUSE(!p->dispatch, err, "policy %s: its own dispatch function decides, and it has none",
               p->name);
    return ORR_OK;
}

static int32_t as_many_as_given(const orr_rigid_policy *p)
{
    return p->reservations;
}

static int32_t any_number(const orr_rigid_policy *p)
{
    (void)p;
    return INT32_MAX;
}

static int32_t one_per_reservation(const orr_rigid_policy *p)
{
    return p->reservations <= 1 ? p->reservations : -1;
}

static int32_t one(const orr_rigid_policy *p)
{
    (void)p;
    return 1;
}

static int32_t one_unless_filled(const orr_rigid_policy *p)
{
    return !p->fill;
}

static const ori_discipline rows[] = {
    [ORR_DISPATCH_LIST] = {.decide = list,
                           .reservations = as_many_as_given,
                           .that_matter = one_per_reservation,
                           .backfills = true,
                           .keeps = true,
                           .fast =
                               ORI_FAST_BEGIN | ORI_FAST_TAIL | ORI_FAST_RETRIES | ORI_FAST_LISTS},
    [ORR_DISPATCH_FCFS] = {.decide = fcfs,
                           .that_matter = one,
                           .strict = true,
                           .fast = ORI_FAST_BEGIN | ORI_FAST_TAIL | ORI_FAST_RETRIES},
    [ORR_DISPATCH_SHELF] = {.decide = shelf,
                            .that_matter = one_unless_filled,
                            .strict = true,
                            .waits_for_all = true,
                            .fast = ORI_FAST_BEGIN | ORI_FAST_SHELVES},
    [ORR_DISPATCH_CUSTOM] = {.check = check_custom,
                             .decide = custom,
                             .unplaced =
                                 "its own dispatch function decides, and cannot have a placement",
                             .reservations = any_number,
                             .acts = true},
    [ORR_DISPATCH_CONSERVATIVE] = {.decide = ori_rigid_decide_conservative,
                                   .promises = true,
                                   .fast = ORI_FAST_TAIL},
    [ORR_DISPATCH_RECORDED] =
        {.check = ori_rigid_check_recorded,
         .decide = ori_rigid_decide_recorded,
         .unplaced = "the log says when jobs started, and not where: it has no placement",
         .acts = true,
         .is_logged = true},
};

ori_disciplines ori_rigid_disciplines(void)
{
    return (ori_disciplines){rows, sizeof rows / sizeof *rows};
}

static orr_status check_fields(const orr_rigid_policy *p, orr_error *err)
{
    ORI_REFUSE(p->reservations < 0, err,
               "policy %s: a number of reservations is at least 0, not %d", p->name,
               (int)p->reservations);
    ORI_REFUSE((unsigned)p->reading > ORR_READING_HEAD, err, "policy %s: there is no reading %d",
               p->name, (int)p->reading);
    ORI_REFUSE((unsigned)p->per > ORR_PER_CHANGE || (unsigned)p->backfill_per > ORR_PER_CHANGE, err,
               "policy %s: there are priorities per 0 to %d, not per %d and %d", p->name,
               (int)ORR_PER_CHANGE, (int)p->per, (int)p->backfill_per);
    return ORR_OK;
}

orr_status ori_rigid_check_disciplines(const orr_rigid *sim, orr_error *err)
{
    ORI_REFUSE(!sim->policy.groups && (sim->policy.group_count < 0 || sim->policy.group_count > 1),
               err, "policy %s: it has no array of groups, but group_count is %d", sim->policy.name,
               (int)sim->policy.group_count);
    ORI_TRY(ori_policy_check_state(&sim->shell.policy, sim->policy.make_state, err));
    ORI_REFUSE(sim->policy.estimate && sim->in->checkpoints.cost, err,
               "policy %s: it estimates how long jobs take, and cannot where jobs write "
               "checkpoints",
               sim->policy.name);
    for (int32_t i = 0; i < sim->group_count; i++) {
        const orr_rigid_policy *p = &sim->groups[i].policy;
        ORI_TRY(check_fields(p, err));
        ORI_REFUSE(p->backfill && !sim->groups[i].discipline->backfills, err,
                   "policy %s: it has an order of backfilling (backfill), and only lists backfill "
                   "in one",
                   p->name);
        if (sim->groups[i].discipline->check)
            ORI_TRY(sim->groups[i].discipline->check(sim, p, err));
    }
    return ORR_OK;
}

orr_status ori_rigid_decide(orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (ORR_UNLIKELY(g->placed != NULL))
        ori_placed_forget_plan(g->placed);
    return g->discipline->decide(sim, g, err);
}
