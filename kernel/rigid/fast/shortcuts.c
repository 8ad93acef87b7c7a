/* Short ways through a simulation whose single events are not observed.
 *
 * If failures are frequent most events are attempts that fail and start again at once, and the
 * decision after the failure is known beforehand. Four such cases are taken here without the event
 * loop. Ends are computed by the same additions, so that all results are identical to those of the
 * loop:
 *   the begin   all jobs are there from the beginning: they enter the queue at once
 *   the tail    no job waits: a job that fails starts again until it is over
 *   retries     a job fails while others wait, and is the only one that can start; where it is in
 *               front of all who wait, any number of times at once
 *   shelves     a shelf on which every job fails is filled once more with the same jobs
 * They make a run 4 to 15 times as fast if most attempts fail, and no faster if few fail (error
 * probabilities below 0.3). Greedy lists have a special loop for all their events (greedy.c), and
 * so have lists with one reservation or one for every job (list_loop.c); these loops are faster
 * also if few attempts fail. No short way is taken with hooks, a recording, several groups,
 * priorities that change during the run, or nodes that fail. Conservative backfilling takes only
 * the tail. */
#include "rigid/disciplines/disciplines_internal.h"
#include "rigid/fast/greedy_internal.h"
#include "rigid/fast/list_loop_internal.h"
#include "rigid/fast/retries_internal.h"
#include "rigid/fast/retry_clock_internal.h"
#include "rigid/fast/shortcuts_internal.h"

#include "rigid/effects/attempts_internal.h"

#include <string.h>

static void clear_running(orr_rigid *sim)
{
    ori_calendar_clear(&sim->ends);
    ori_group *g = &sim->groups[0];
    if (g->has_planned)
        ori_ends_clear(&g->planned);
    sim->at.running = g->at.running = 0;
    g->promises.valid = false;
    g->at.free = g->procs;
}

/* --- the tail ------------------------------------------------------------------------------- */

/* No job waits and none is to come: all unfinished jobs run, and their ends are computed job by
 * job. */
static orr_status run_tail(orr_rigid *sim, orr_error *err)
{
    double verification = sim->in->verification;
    for (int32_t i = 0; i < sim->ends.count; i++) {
        int32_t job = (int32_t)sim->ends.heap[i].payload, left = ori_failures_left(sim, job);
        double end = sim->ends.heap[i].time, time = sim->in->time[job];
        if (left > 0) {
            sim->attempts[job] += left;
            sim->start[job] = ori_retry_clock(end, time, verification, left - 1);
            end = orr_real_end(sim->in, job, sim->start[job]);
        }
        if (!(end < INFINITY))
            return ori_rigid_never_ends(sim, job, err);
        ori_rigid_over(sim, job, end);
        sim->shell.now = end > sim->shell.now ? end : sim->shell.now;
    }
    clear_running(sim);
    return ORR_OK;
}

/* --- shelves -------------------------------------------------------------------------------- */

/* A shelf: its jobs, at the front of order.jobs, and when it began. */
typedef struct shelf {
    int32_t *jobs;
    int32_t count;
    double start;
} shelf;

static void fill_shelf(orr_rigid *sim, shelf *s)
{
    ori_group *g = sim->groups;
    int32_t free = sim->in->procs, rank;
    bool fill = g->policy.fill;
    ori_queue_scan next = ori_queue_scan_from(&g->order.queue, 0, fill ? free : ORI_ANY_WIDTH);
    s->count = 0;
    while ((rank = ori_queue_scan_next(&next)) >= 0) {
        int32_t job = g->order.queue.job_at[rank];
        if (sim->jobs->procs[job] > free)
            return;
        free -= sim->jobs->procs[job];
        s->jobs[s->count++] = job;
        sim->attempts[job]++;
        if (fill)
            ori_queue_scan_narrow(&next, free);
    }
}

/* As long as every job of a shelf fails, the queue does not change, and the next shelf is the same.
 * Repeats the shelf up to the first one on which a job is over. */
static void repeat_shelf(orr_rigid *sim, shelf *s)
{
    int32_t again = INT32_MAX;
    double longest = 0;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t left = ori_failures_left(sim, s->jobs[i]);
        double time = sim->in->time[s->jobs[i]];
        again = left < again ? left : again;
        longest = time > longest ? time : longest;
    }
    s->start = ori_retry_clock(s->start, longest, sim->in->verification, again);
    for (int32_t i = 0; i < s->count; i++)
        sim->attempts[s->jobs[i]] += again;
}

/* Runs a shelf to its end and moves the clock there; jobs that are over leave the queue. */
static orr_status end_shelf(orr_rigid *sim, const shelf *s, orr_error *err)
{
    ori_group *g = sim->groups;
    sim->shell.now = s->start;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t job = s->jobs[i];
        double end = orr_real_end(sim->in, job, s->start);
        if (!(orr_planned_end(sim->in, job, s->start) < INFINITY))
            return ori_rigid_never_ends(sim, job, err);
        sim->start[job] = s->start;
        sim->shell.now = end > sim->shell.now ? end : sim->shell.now;
        if (ori_failures_left(sim, job) > 0)
            continue;
        ori_rigid_over(sim, job, end);
        ori_queue_remove(&g->order.queue, job);
    }
    return ORR_OK;
}

/* Puts the jobs of the running shelf back into the queue, where they stay until they are over. */
static void take_down_shelf(orr_rigid *sim, shelf *s)
{
    ori_group *g = sim->groups;
    s->start = sim->shell.now;
    for (s->count = 0; s->count < sim->ends.count; s->count++) {
        int32_t job = (int32_t)sim->ends.heap[s->count].payload;
        s->jobs[s->count] = job;
        s->start = sim->start[job];
        sim->state[job] = ORR_JOB_WAITING;
        ori_queue_insert(&g->order.queue, job, sim->jobs->procs[job], sim->in->estimate[job]);
    }
    clear_running(sim);
}

/* Returns to the event loop with a shelf that begins now, whose attempts are counted already. */
static orr_status put_up_shelf(orr_rigid *sim, const shelf *s, orr_error *err)
{
    ori_group *g = sim->groups;
    sim->shell.now = s->start;
    for (int32_t i = 0; i < s->count; i++) {
        sim->attempts[s->jobs[i]]--;
        ORI_TRY(ori_rigid_start_fitting(sim, g, s->jobs[i], err));
    }
    return ORR_OK;
}

enum { SHELVES_AT_A_TIME = 256 }; /* then the cancel flag is polled */

/* Runs shelves; no job may be still to come. If some jobs of the first shelf have ended already,
 * this shelf is not repeated. */
static orr_status run_shelves(orr_rigid *sim, orr_error *err)
{
    shelf s = {.jobs = sim->sorter.jobs};
    take_down_shelf(sim, &s);
    ORI_TRY(end_shelf(sim, &s, err));
    for (int i = 0; sim->at.over < sim->in->count; i++) {
        s.start = sim->shell.now;
        fill_shelf(sim, &s);
        repeat_shelf(sim, &s);
        if (i == SHELVES_AT_A_TIME)
            return put_up_shelf(sim, &s, err);
        ORI_TRY(end_shelf(sim, &s, err));
    }
    return ORR_OK;
}

/* -------------------------------------------------------------------------------------------- */

static orr_status take_shortcut(orr_rigid *sim, orr_error *err)
{
    ori_group *g = sim->groups;
    bool all_here = sim->at.submitted == sim->in->count;
    int fast = g->discipline->fast;
    if (fast & ORI_FAST_SHELVES)
        return all_here ? run_shelves(sim, err) : ORR_OK;
    if ((fast & ORI_FAST_LISTS) && g->policy.reservations == 0 && !g->has_backfill &&
        !g->has_planned)
        ORI_TRY(ori_rigid_run_greedy(sim, err));
    if (sim->at.running == 0)
        return ORR_OK;
    if ((fast & ORI_FAST_TAIL) && all_here && g->order.queue.count == 0)
        return run_tail(sim, err);
    if ((fast & ORI_FAST_RETRIES) && sim->at.fails && !g->has_backfill &&
        ori_failures_left(sim, (int32_t)ori_calendar_peek(&sim->ends)->payload) > 0)
        ORI_TRY(ori_rigid_run_retries(sim, err));
    return all_here && g->has_loop ? ori_rigid_run_list(sim, err) : ORR_OK;
}

/* Whether nothing has happened, and all jobs are submitted now. */
static bool all_come_now(const orr_rigid *sim)
{
    const orr_instance *in = sim->in;
    return (sim->groups[0].discipline->fast & ORI_FAST_BEGIN) && sim->at.submitted == 0 &&
           sim->at.over == 0 && in->count > 0 && in->count == sim->groups[0].order.queue.capacity &&
           in->submit[in->by_submission[in->count - 1]] == sim->shell.now;
}

/* All jobs enter their queues at once, and the first decision is taken. */
static orr_status begin_batch(orr_rigid *sim, orr_error *err)
{
    ori_group *g = sim->groups;
    memset(sim->state, ORR_JOB_WAITING, (size_t)sim->in->count);
    for (ori_order *o = g->orders; o <= ori_last_order(g); o++)
        ori_queue_fill(&o->queue, sim->jobs->procs, sim->estimate);
    sim->at.submitted = sim->in->count;
    orr_status status = ori_rigid_decide(sim, g, err);
    g->plan_valid = false;
    return status;
}

orr_status ori_rigid_shortcut(orr_rigid *sim, orr_error *err)
{
    bool at_first = sim->at.running == 0 && all_come_now(sim);
    if ((sim->at.running == 0 && !at_first) || orr_is_cancelled(sim->shell.cancel))
        return ORR_OK; /* a step reports the reason */
    orr_status status = at_first ? begin_batch(sim, err) : ORR_OK;
    if (ORR_LIKELY(status == ORR_OK && sim->at.running > 0))
        status = take_shortcut(sim, err);
    if (ORR_UNLIKELY(status != ORR_OK))
        sim->shell.phase = ORI_STOPPED; /* stopped in the middle of a short way */
    return status;
}
