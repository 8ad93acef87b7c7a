/* The promises of groups that backfill conservatively: their memory, and which are due. Decisions
 * by them are in conservative.c. */
#include "rigid/state/state_internal.h"

#include "base/try_internal.h"

#include <string.h>

/* --- memory ----------------------------------------------------------------------------------- */

enum { SOME = 8 };

orr_status ori_promises_create(ori_promises *p, int32_t jobs, int32_t running, int32_t pools,
                               const orr_allocator *a, orr_error *err)
{
    int64_t n = jobs, steps = 2 * (n + running) + SOME;
    const ori_part parts[] = {ORI_PART(p->start, n), ORI_PART(p->promised, n),
                              ORI_PART(p->entered, n), ORI_PART(p->excused, n)};
    const ori_part cache[] = {ORI_PART(p->looked, n), ORI_PART(p->due, n), ORI_PART(p->place, n)};
    ORI_TRY(ORI_BLOCK_CREATE(&p->block, parts, ORI_ZEROED, a, err));
    ORI_TRY(ORI_BLOCK_CREATE(&p->cache, cache, ORI_RAW, a, err));
    ORI_TRY(ori_timetable_create(&p->table, steps, a, err));
    while (p->pool_count < pools)
        ORI_TRY(ori_timetable_create(&p->pools[p->pool_count++], steps, a, err));
    return ORR_OK;
}

void ori_promises_destroy(ori_promises *p, const orr_allocator *a)
{
    if (!p->kept)
        return;
    for (int32_t i = 0; i < p->pool_count; i++)
        ori_block_destroy(&p->pools[i].block, a);
    ori_block_destroy(&p->table.block, a);
    ori_block_destroy(&p->cache, a);
    ori_block_destroy(&p->block, a);
}

void ori_promises_clear(ori_promises *p, int32_t jobs)
{
    p->at = (struct ori_promises_at){0};
    p->valid = p->current = p->steady = false;
    ori_promises_add(p, 0, jobs);
}

void ori_promises_add(ori_promises *p, int32_t first, int32_t jobs)
{
    for (int32_t j = first; p->kept && j < jobs; j++) {
        p->start[j] = 0;
        p->promised[j] = NAN;
    }
}

void ori_promises_copy(ori_promises *to, const ori_promises *from, int32_t jobs)
{
    size_t n = (size_t)jobs;
    to->at = from->at;
    to->valid = to->current = to->steady = false;
    if (!from->kept)
        return;
    memcpy(to->start, from->start, n * sizeof *to->start);
    memcpy(to->promised, from->promised, n * sizeof *to->promised);
    memcpy(to->excused, from->excused, n * sizeof *to->excused);
    memcpy(to->entered, from->entered, (size_t)from->at.entered * sizeof *to->entered);
}

/* --- what happens to them --------------------------------------------------------------------- */

void ori_promises_enter(ori_promises *p, int32_t job, bool is_new)
{
    if (!ori_has_no_reservation(p, job)) /* otherwise it is in the list already */
        p->entered[p->at.entered++] = job;
    p->start[job] = is_new ? ORI_NEW : ORI_RETURNED;
    p->promised[job] = NAN;
    p->excused[job] = false;
    p->place[job] = -1;
}

void ori_promises_advance(ori_promises *p, double now)
{
    for (int32_t i = 0; i <= p->pool_count; i++)
        ori_timetable_advance(ori_promises_table(p, i), now);
}

void ori_promises_change(ori_promises *p, const orr_instance *in, int32_t job, double from,
                         double to, bool takes)
{
    for (int32_t i = 0; i <= p->pool_count; i++) {
        int32_t need = ori_promised_need(in, job, i);
        if (need > 0)
            (takes ? ori_timetable_take : ori_timetable_give)(ori_promises_table(p, i), from, to,
                                                              need);
    }
}

/* Gives the processors of an attempt back to the profile by name, until its planned end. The
 * profile is made again where a window meets them: it closes them as well. */
static orr_status give_named(const orr_rigid *sim, ori_group *g, int32_t job, double end,
                             orr_error *err)
{
    ori_placed *p = g->placed;
    double now = sim->shell.now;
    ori_stay stay = {sim->jobs, job, g->first, g->procs, now, end, false, 0};
    ori_runs runs = {p->left.intervals, 0, 0};
    for (int32_t i = sim->processors.head[job]; i >= 0;) {
        orr_interval run = ori_processors_next_run(&sim->processors, &i);
        runs.list[runs.count++] = (orr_interval){run.low - g->first, run.high - g->first};
    }
    g->promises.current &= p->promised;
    for (orr_interval run = {0, -1}; ori_windows_meet(p->windows, &stay, &run);)
        for (int32_t k = 0; k < runs.count; k++)
            g->promises.current &= runs.list[k].high < run.low || run.high < runs.list[k].low;
    if (!g->promises.current)
        return ORR_OK;
    ori_named_advance(&p->plan, now);
    ORI_TRY(ori_named_change(&p->plan, now, end, &runs, true, err));
    ori_named_note_gain(&p->plan, now, end);
    return ORR_OK;
}

orr_status ori_rigid_promises_end(const orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_promises *p = &g->promises;
    double now = sim->shell.now, end = ori_timetable_end(sim->start[job], sim->planned_end[job]);
    p->at.freed = true;
    p->valid &= !sim->outages.at.draining;
    p->current &= !sim->outages.at.draining;
    p->steady &= !sim->outages.at.draining && end <= now;
    if (p->current && end > now)
        return give_named(sim, g, job, end, err);
    if (!p->valid)
        return ORR_OK;
    ori_promises_advance(p, now);
    if (end > now)
        ori_promises_change(p, sim->in, job, now, end, false);
    return ORR_OK;
}

/* --- what is due ------------------------------------------------------------------------------ */

static void put_due(ori_promises *p, int32_t at, ori_due due)
{
    p->due[at] = due;
    p->place[due.job] = at;
}

/* Puts a job at a place of the heap, or lower. */
static void sink_due(ori_promises *p, int32_t at, ori_due due)
{
    for (int32_t child; (child = 2 * at + 1) < p->due_count; at = child) {
        if (child + 1 < p->due_count)
            child += p->due[child + 1].start < p->due[child].start;
        if (!(p->due[child].start < due.start))
            break;
        put_due(p, at, p->due[child]);
    }
    put_due(p, at, due);
}

void ori_promises_note(ori_promises *p, int32_t job)
{
    int32_t at = p->place[job] < 0 ? p->due_count++ : p->place[job], from = at;
    ori_due due = {p->start[job], job};
    for (int32_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (!(due.start < p->due[parent].start))
            break;
        put_due(p, at, p->due[parent]);
    }
    if (at < from)
        put_due(p, at, due);
    else
        sink_due(p, at, due);
}

int32_t ori_promises_take_due(ori_promises *p, double now)
{
    if (p->due_count == 0 || p->due[0].start > now)
        return -1;
    int32_t job = p->due[0].job;
    ori_due last = p->due[--p->due_count];
    if (p->due_count > 0)
        sink_due(p, 0, last);
    p->place[job] = -1;
    return job;
}

void ori_promises_renew(ori_promises *p, const ori_queue *q)
{
    p->due_count = 0;
    for (int32_t rank = 0; (rank = ori_queue_next_fit(q, rank, ORI_ANY_WIDTH)) >= 0; rank++) {
        int32_t job = q->job_at[rank];
        p->place[job] = -1;
        if (!ori_has_no_reservation(p, job))
            ori_promises_note(p, job);
    }
}
