/* Conservative backfilling where jobs ask for particular processors (READINGS 34 and 46): a
 * reservation is a set of processors from its start on. The decision is that of conservative.c. The
 * profile is made again at every decision, from the running jobs and the reservations. */
#include "rigid/disciplines_internal.h"

#include "base/sort_internal.h"
#include "rigid/attempts_internal.h"

/* --- reservations ----------------------------------------------------------------------------- */

static bool is_made(const ori_promises *p, int32_t job)
{
    return p->start[job] > -INFINITY && p->start[job] < INFINITY;
}

/* Takes the processors of a job's reservation out of the profile, or gives them back. */
static orr_status take(const orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, true);
    double start = g->promises.start[job];
    return ori_named_take(&g->placed->plan, start, ori_wish_end(&wish, start),
                          &g->placed->reserved[job], err);
}

static orr_status give(const orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, true);
    double start = g->promises.start[job];
    return ori_named_give(&g->placed->plan, start, ori_wish_end(&wish, start),
                          &g->placed->reserved[job], err);
}

/* Finds the earliest start of a job without a reservation in the profile; inf: there is none. */
static orr_status find(orr_rigid *sim, ori_group *g, int32_t job, double *start, orr_error *err)
{
    ori_placed *p = g->placed;
    ori_wish wish = ori_rigid_wish(sim, job, true);
    int64_t index;
    ORI_TRY(ori_named_earliest(&p->plan, &wish, ori_place_find, &p->place, &index, err));
    *start = index < 0 ? INFINITY : p->plan.time[index];
    return ORR_OK;
}

static orr_status settle(const orr_rigid *sim, ori_group *g, int32_t job, double start,
                         orr_error *err)
{
    g->promises.start[job] = start;
    ori_promises_note(&g->promises, job);
    if (start == INFINITY)
        return ORR_OK;
    ORI_TRY(ori_placed_reserve(g->placed, job, err));
    return take(sim, g, job, err);
}

/* Makes the reservation of a job that has none. */
static orr_status reserve(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_promises *p = &g->promises;
    double start;
    ORI_TRY(find(sim, g, job, &start, err));
    if (ori_has_no_reservation(p, job))
        p->promised[job] = start;
    else
        p->excused[job] |= p->at.acted && start > p->promised[job];
    return settle(sim, g, job, start, err);
}

/* Goes once through the queue from rank `rank` up to rank `to` and makes every reservation again at
 * its earliest start. If a policy's own function finds no set any more where it found one before,
 * the reservation stays. */
static orr_status compress(orr_rigid *sim, ori_group *g, int32_t rank, int32_t to, orr_error *err)
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
            ORI_TRY(give(sim, g, job, err));
        ORI_TRY(find(sim, g, job, &start, err));
        if (start <= p->start[job])
            ORI_TRY(settle(sim, g, job, start, err));
        else
            ORI_TRY(take(sim, g, job, err));
    }
    return ORR_OK;
}

/* Makes the reservations from rank `from` on again; new jobs get theirs later. */
static orr_status reserve_from(orr_rigid *sim, ori_group *g, int32_t from, orr_error *err)
{
    const ori_queue *q = &g->order.queue;
    for (int32_t rank = from; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++)
        if (g->promises.start[q->job_at[rank]] != ORI_NEW)
            ORI_TRY(reserve(sim, g, q->job_at[rank], err));
    return ORR_OK;
}

static orr_status reserve_new(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    ori_rigid_sort_by_rank(sim, g, p->entered, p->at.entered);
    for (int32_t i = 0; i < p->at.entered; i++) {
        p->entered[i] = sim->sorter.jobs[i];
        if (p->start[p->entered[i]] == ORI_NEW)
            ORI_TRY(reserve(sim, g, p->entered[i], err));
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

/* --- decisions -------------------------------------------------------------------------------- */

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
        ORI_TRY(take(sim, g, list[i].job, err));
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
        ORI_TRY(take(sim, g, job, err));
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
static orr_status start(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
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

static orr_status start_due(orr_rigid *sim, ori_group *g, orr_error *err)
{
    int32_t count = ori_rigid_collect_due(sim, g);
    for (int32_t i = 0; i < count; i++)
        ORI_TRY(start(sim, g, sim->sorter.jobs[i], err));
    return ORR_OK;
}

/* Makes the reservations from rank `from` on and those of new jobs, and starts what is due. */
static orr_status reserve_rest(orr_rigid *sim, ori_group *g, int32_t from, orr_error *err)
{
    ori_promises *p = &g->promises;
    if (from < INT32_MAX)
        ORI_TRY(reserve_from(sim, g, from, err));
    if (p->at.entered > 0)
        ORI_TRY(reserve_new(sim, g, err));
    p->at = (struct ori_promises_at){0};
    return start_due(sim, g, err);
}

orr_status ori_rigid_decide_conservative_placed(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_promises *p = &g->promises;
    int32_t from = ori_rigid_first_returned(sim, g);
    ORI_TRY(make_profile(sim, g, from, p->at.doubted, &from, err));
    if (p->at.freed || from < INT32_MAX)
        ORI_TRY(compress(sim, g, 0, from, err));
    return reserve_rest(sim, g, from, err);
}

orr_status ori_rigid_bind_conservative(orr_rigid *sim, ori_group *g, int32_t moving, int32_t from,
                                       orr_error *err)
{
    int32_t held;
    ORI_TRY(bind(sim, g, from, &held, err));
    if (moving < from)
        ORI_TRY(compress(sim, g, moving, held < from ? held : from, err));
    return reserve_rest(sim, g, held < from ? held : from, err);
}
