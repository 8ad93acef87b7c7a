/* Greedy lists in a special loop: ends, then starts of all jobs that fit, in order. Nothing else
 * happens before the next submission in a simulation that takes short ways (shortcuts.c). */

#include "rigid/effects/attempts_internal.h"
#include "rigid/fast/greedy_internal.h"
#include "rigid/fast/retries_internal.h"
/* --- the loop --------------------------------------------------------------------------------- */

/* The fields of the simulation that the loop needs for every attempt. The compiler loads them once
 * only from here: in the simulation each write to an array might change them. */
typedef struct fields {
    ori_queue *queue;
    const int32_t *procs, *failures;
    const double *time, *estimate;
    double verification;
    double *start, *planned_end;
    int32_t *attempts;
    uint8_t *state;
    int32_t free;
    bool fails;
} fields;

static fields fields_of(const orr_rigid *sim)
{
    ori_group *g = sim->groups;
    return (fields){.queue = &g->order.queue,
                    .procs = sim->jobs->procs,
                    .failures = sim->failures,
                    .time = sim->in->time,
                    .estimate = sim->in->estimate,
                    .verification = sim->in->verification,
                    .start = sim->start,
                    .planned_end = sim->planned_end,
                    .attempts = sim->attempts,
                    .state = sim->state,
                    .free = g->at.free,
                    .fails = sim->at.fails};
}

/* Whether the running attempt of a job fails. */
ORR_INLINE bool fails(const fields *f, int32_t job)
{
    return f->fails && f->failures[job] >= f->attempts[job] && !(f->time[job] > f->estimate[job]);
}

/* Applies all ends of this instant: jobs that have failed wait again. */
ORR_INLINE void end_due(orr_rigid *sim, fields *f, double now)
{
    do {
        int32_t job = (int32_t)ori_calendar_peek(&sim->ends)->payload;
        ori_calendar_pop(&sim->ends);
        f->free += f->procs[job];
        if (fails(f, job)) {
            f->state[job] = ORR_JOB_WAITING;
            ori_queue_insert(f->queue, job, f->procs[job], f->estimate[job]);
        } else {
            f->state[job] = ORR_JOB_OVER;
            f->planned_end[job] = now;
            sim->at.over++;
        }
    } while (sim->ends.count > 0 && ori_calendar_peek(&sim->ends)->time == now);
}

/* Begins an attempt of a job; false: it would never end. */
ORR_INLINE bool begin(orr_rigid *sim, const fields *f, double now, int32_t job)
{
    double time = f->time[job], estimate = f->estimate[job];
    f->start[job] = now;
    f->planned_end[job] = (now + estimate) + f->verification;
    f->attempts[job]++;
    ori_calendar_push(&sim->ends, orr_end_by(now, time, estimate, f->verification), 0, job);
    return f->planned_end[job] < INFINITY;
}

/* Starts the jobs that fit, in order. Returns a job that never ends; -1: there is none. */
ORR_INLINE int32_t start_fitting(orr_rigid *sim, fields *f, double now)
{
    ori_queue_scan fitting = ori_queue_scan_all(f->queue, f->free);
    for (int32_t rank; (rank = ori_queue_scan_step(&fitting)) >= 0;) {
        int32_t job = f->queue->job_at[rank];
        if (ORR_UNLIKELY(!begin(sim, f, now, job)))
            return job;
        f->state[job] = ORR_JOB_RUNNING;
        f->free -= f->queue->procs[0][rank];
        ori_queue_scan_take(f->queue, &fitting, rank, f->free);
    }
    return -1;
}

/* Whether the job that ends first fails, no other job ends at the same time, and no waiting job
 * starts in its place. */
ORR_INLINE bool is_retry(const orr_rigid *sim, const fields *f, int32_t job, double end)
{
    if (!fails(f, job) || !(ori_calendar_second(&sim->ends) > end))
        return false;
    int32_t in_front = ori_queue_next_fit(f->queue, 0, f->free + f->procs[job]);
    return in_front < 0 || in_front > f->queue->rank_of[job];
}

/* Takes a retry; when several have come in a row, all that come now at once. */
ORR_INLINE int32_t retry(orr_rigid *sim, const fields *f, int32_t job, double end, ori_lull *l,
                         int32_t *patience)
{
    ori_calendar_pop(&sim->ends);
    if (!begin(sim, f, end, job))
        return job;
    if ((*patience)-- > 0)
        return -1;
    *patience = ORI_LESS_PATIENCE;
    l->always = ori_queue_next_fit(f->queue, 0, ORI_ANY_WIDTH);
    ori_rigid_skip_retries(sim, l);
    return -1;
}

orr_status ori_rigid_run_greedy(orr_rigid *sim, orr_error *err)
{
    fields f = fields_of(sim);
    ori_lull l = {.until = ori_next_submission(sim)};
    int32_t patience = ORI_PATIENCE, endless = -1;
    while (endless < 0 && f.queue->count > 0 && sim->ends.count > 0) {
        double end = ori_calendar_peek(&sim->ends)->time;
        int32_t job = (int32_t)ori_calendar_peek(&sim->ends)->payload;
        if (!(end < l.until) || orr_is_cancelled(sim->shell.cancel))
            break;
        sim->shell.now = end;
        if (is_retry(sim, &f, job, end)) {
            endless = retry(sim, &f, job, end, &l, &patience);
            continue;
        }
        sim->at.last_end = end;
        end_due(sim, &f, end);
        endless = start_fitting(sim, &f, end);
        patience = ORI_PATIENCE;
    }
    sim->groups[0].at.free = f.free;
    sim->at.running = sim->groups[0].at.running = sim->ends.count;
    return endless < 0 ? ORR_OK : ori_rigid_never_ends(sim, endless, err);
}
