/* Retries: a job fails while others wait, and is the only one that can start. Retries are taken one
 * at a time, in order of events, or any number at once for jobs in front of all waiting jobs.
 * shortcuts.c says when this is valid. */

#include "rigid/effects/agenda_internal.h"
#include "rigid/fast/retries_internal.h"
#include "rigid/fast/retry_clock_internal.h"
/* After a decision no waiting job can start. Suppose that one job fails, and nothing else happens
 * at this instant. If it stands in front of all waiting jobs it starts again under every list: its
 * processors are free, and no reservation comes before it. For greedy lists and FCFS the others
 * still do not fit. Reservations are made again, perhaps later, and only a job that is narrow
 * enough to start beside them could gain by it. */
static ori_lull find_lull(const orr_rigid *sim)
{
    ori_group *g = sim->groups;
    ori_lull l = {.until = ori_next_submission(sim), .always = INT32_MAX};
    if (g->order.queue.count == 0)
        return l;
    l.always = ori_queue_next_fit(&g->order.queue, 0, ORI_ANY_WIDTH);
    if (g->has_planned && ori_queue_next_fit(&g->order.queue, 0, g->at.free) >= 0)
        l.always = 0;
    return l;
}

/* Whether the next event is a failure after which only this job starts again. */
static bool is_retry(const orr_rigid *sim, const ori_lull *l, int32_t job, double time)
{
    return ori_failures_left(sim, job) > 0 && ori_calendar_second(&sim->ends) > time &&
           l->until > time && sim->groups[0].order.queue.rank_of[job] < l->always;
}

enum { RETRIED = ORR_JOB_HELD + 1 }; /* a state that a job has only here */

/* Takes the end of a job out of the planned ends at its first retry; its last end is put back at
 * the end of the lull. */
static void note_retry(orr_rigid *sim, int32_t job, ori_lull *l)
{
    ori_group *g = sim->groups;
    if (!g->has_planned || sim->state[job] == RETRIED)
        return;
    ori_ends_remove(&g->planned, sim->planned_end[job], sim->jobs->procs[job]);
    sim->state[job] = RETRIED;
    sim->retried[l->noted++] = job;
}

static void finish_retries(orr_rigid *sim, const ori_lull *l)
{
    ori_group *g = sim->groups;
    for (int32_t i = 0; i < l->noted; i++) {
        int32_t job = sim->retried[i];
        sim->state[job] = ORR_JOB_RUNNING;
        ori_ends_add(&g->planned, sim->planned_end[job], sim->jobs->procs[job]);
    }
    if (l->noted > 0)
        g->kept = false;
}

/* --- many retries at once --------------------------------------------------------------------- */

/* LARGE: clocks below it do not overflow. SUMS: the relative precision of the sums of a million
 * attempts. */
static const double LARGE = 1e300, SUMS = 1e-6;

/* Whether a job starts again after every failure, until it is over, without reaching infinite
 * times. */
static bool goes_on(const orr_rigid *sim, const ori_lull *l, int32_t job)
{
    const orr_instance *in = sim->in;
    return sim->groups[0].order.queue.rank_of[job] < l->always && ori_failures_left(sim, job) > 0 &&
           in->time[job] + in->verification < LARGE && in->estimate[job] < LARGE;
}

/* The end of the lull, s: the first end of a running job that does not simply start again, or the
 * next submission. */
static double end_of_lull(const orr_rigid *sim, const ori_lull *l)
{
    const orr_instance *in = sim->in;
    double until = l->until;
    for (int32_t i = 0; i < sim->ends.count; i++) {
        const ori_event *e = &sim->ends.heap[i];
        int32_t job = (int32_t)e->payload;
        double end = e->time;
        if (goes_on(sim, l, job)) {
            int32_t left = ori_failures_left(sim, job);
            double about = end + left * (in->time[job] + in->verification);
            if (about - SUMS * about > until)
                continue;
            end = ori_retry_clock(end, in->time[job], in->verification, left);
        }
        until = end < until ? end : until;
    }
    return until;
}

/* Runs the retries of all jobs that start again after every failure, until their ends are not
 * before `until`. Jobs that end at the same time start again side by side, because they are in
 * front of all waiting jobs. */
static void retry_until(orr_rigid *sim, ori_lull *l, double until)
{
    const orr_instance *in = sim->in;
    for (int32_t i = 0; i < sim->ends.count; i++) {
        ori_event *e = &sim->ends.heap[i];
        int32_t job = (int32_t)e->payload;
        if (!(e->time < until) || !goes_on(sim, l, job))
            continue;
        note_retry(sim, job, l);
        sim->start[job] =
            ori_retry_until(&e->time, in->time[job], in->verification, until, &sim->attempts[job]);
        sim->planned_end[job] = orr_planned_end(in, job, sim->start[job]);
        if (sim->start[job] > sim->shell.now)
            sim->shell.now = sim->start[job];
    }
    for (int32_t i = sim->ends.count / 2 - 1; i >= 0; i--)
        ori_calendar_sink(sim->ends.heap, sim->ends.count, i, sim->ends.heap[i]);
}

void ori_rigid_skip_retries(orr_rigid *sim, ori_lull *l)
{
    double until = end_of_lull(sim, l);
    if (until < LARGE)
        retry_until(sim, l, until);
}

orr_status ori_rigid_run_retries(orr_rigid *sim, orr_error *err)
{
    ori_lull l = find_lull(sim);
    orr_status status = ORR_OK;
    for (int32_t patience = ORI_PATIENCE; status == ORR_OK; patience--) {
        const ori_event *next = ori_calendar_peek(&sim->ends);
        int32_t job = (int32_t)next->payload;
        if (!is_retry(sim, &l, job, next->time) || orr_is_cancelled(sim->shell.cancel))
            break;
        note_retry(sim, job, &l);
        double end;
        status = ori_rigid_retry(sim, job, next->time, &end, err);
        if (status == ORR_OK)
            ori_calendar_replace(&sim->ends, end, 0, job);
        if (patience == 0)
            ori_rigid_skip_retries(sim, &l);
    }
    finish_retries(sim, &l);
    return status;
}
