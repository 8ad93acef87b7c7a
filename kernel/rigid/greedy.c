/* Greedy lists in a special loop: ends, then starts of all jobs that fit, in order. Nothing else
 * happens before the next submission in a simulation that takes short ways (shortcuts.c).
 *
 * If few jobs run at a time their ends are kept in a sorted list instead of the calendar. */
#include "rigid/shortcuts_internal.h"

#include "rigid/agenda_internal.h"

enum { FEW = 32 }; /* jobs that run at a time, for the list */

/* --- the agenda: a list, or NULL for the calendar --------------------------------------------- */

ORR_INLINE int32_t count(const orr_rigid *sim, const ori_agenda *a)
{
    return a ? a->count : sim->ends.count;
}

ORR_INLINE ori_running first(const orr_rigid *sim, const ori_agenda *a)
{
    if (a)
        return ori_agenda_first(a);
    return (ori_running){sim->ends.heap[0].time, (int32_t)sim->ends.heap[0].payload};
}

/* The second end, s; inf: there is none. */
ORR_INLINE double second(const orr_rigid *sim, const ori_agenda *a)
{
    return a ? ori_agenda_second(a) : ori_calendar_second(&sim->ends);
}

ORR_INLINE void drop_first(orr_rigid *sim, ori_agenda *a)
{
    if (a)
        a->count--;
    else
        ori_calendar_pop(&sim->ends);
}

/* The list must not be full. */
ORR_INLINE void add(orr_rigid *sim, ori_agenda *a, double end, int32_t job)
{
    if (a)
        ori_agenda_add(a, end, job);
    else
        ori_calendar_push(&sim->ends, end, 0, job);
}

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
ORR_INLINE void end_due(orr_rigid *sim, fields *f, ori_agenda *a, double now)
{
    do {
        int32_t job = first(sim, a).job;
        drop_first(sim, a);
        f->free += f->procs[job];
        if (fails(f, job)) {
            f->state[job] = ORR_JOB_WAITING;
            ori_queue_insert(f->queue, job, f->procs[job], f->estimate[job]);
        } else {
            f->state[job] = ORR_JOB_OVER;
            f->planned_end[job] = now;
            sim->at.over++;
        }
    } while (count(sim, a) > 0 && first(sim, a).end == now);
}

/* Begins an attempt of a job; false: it would never end. */
ORR_INLINE bool begin(orr_rigid *sim, const fields *f, ori_agenda *a, double now, int32_t job)
{
    double time = f->time[job], estimate = f->estimate[job];
    f->start[job] = now;
    f->planned_end[job] = (now + estimate) + f->verification;
    f->attempts[job]++;
    add(sim, a, orr_end_by(now, time, estimate, f->verification), job);
    return f->planned_end[job] < INFINITY;
}

/* Starts the jobs that fit, in order, as long as the list has room. Returns a job that never ends;
 * -1: there is none. */
ORR_INLINE int32_t start_fitting(orr_rigid *sim, fields *f, ori_agenda *a, double now)
{
    ori_queue_scan fitting = ori_queue_scan_all(f->queue, f->free);
    for (int32_t rank; (rank = ori_queue_scan_step(&fitting)) >= 0;) {
        if (a && a->count == FEW)
            break;
        int32_t job = f->queue->job_at[rank];
        if (ORR_UNLIKELY(!begin(sim, f, a, now, job)))
            return job;
        f->state[job] = ORR_JOB_RUNNING;
        f->free -= f->queue->procs[0][rank];
        ori_queue_scan_take(f->queue, &fitting, rank, f->free);
    }
    return -1;
}

/* Whether the job that ends first fails, no other job ends at the same time, and no waiting job
 * starts in its place. */
ORR_INLINE bool is_retry(const orr_rigid *sim, const fields *f, const ori_agenda *a, ori_running r)
{
    if (!fails(f, r.job) || !(second(sim, a) > r.end))
        return false;
    int32_t in_front = ori_queue_next_fit(f->queue, 0, f->free + f->procs[r.job]);
    return in_front < 0 || in_front > f->queue->rank_of[r.job];
}

static void skip_retries(orr_rigid *sim, ori_agenda *a, ori_lull *l)
{
    l->always = ori_queue_next_fit(&sim->groups[0].order.queue, 0, ORI_ANY_WIDTH);
    if (a)
        ori_agenda_put_back(a, &sim->ends);
    ori_rigid_skip_retries(sim, l);
    if (a)
        ori_agenda_take(a, &sim->ends);
}

/* Takes a retry; when several have come in a row, all that come now at once. */
ORR_INLINE int32_t retry(orr_rigid *sim, const fields *f, ori_agenda *a, ori_running r, ori_lull *l,
                         int32_t *patience)
{
    drop_first(sim, a);
    if (!begin(sim, f, a, r.end, r.job))
        return r.job;
    if ((*patience)-- > 0)
        return -1;
    *patience = ORI_LESS_PATIENCE;
    ori_agenda copy; /* the list itself can then stay in registers */
    if (a)
        copy = *a;
    skip_retries(sim, a ? &copy : NULL, l);
    if (a)
        *a = copy;
    return -1;
}

/* After the loop: writes back what it has changed. endless: a job that never ends; -1: there is
 * none. */
static orr_status leave(orr_rigid *sim, const fields *f, int32_t endless, orr_error *err)
{
    sim->groups[0].at.free = f->free;
    return endless < 0 ? ORR_OK : ori_rigid_never_ends(sim, endless, err);
}

/* Runs to the next submission, until no job waits, or until the list is full. amid: the ends of
 * this instant are applied already. */
ORR_INLINE orr_status run(orr_rigid *sim, ori_agenda *a, bool amid, orr_error *err)
{
    fields f = fields_of(sim);
    ori_lull l = {.until = ori_next_submission(sim)};
    int32_t patience = ORI_PATIENCE, endless = -1;
    while (endless < 0 && f.queue->count > 0 && count(sim, a) > 0 && !(a && a->count == FEW)) {
        ori_running r = first(sim, a);
        if (!amid) {
            if (!(r.end < l.until) || orr_is_cancelled(sim->shell.cancel))
                break;
            sim->shell.now = r.end;
            if (is_retry(sim, &f, a, r)) {
                endless = retry(sim, &f, a, r, &l, &patience);
                continue;
            }
            sim->at.last_end = r.end;
            end_due(sim, &f, a, r.end);
        }
        amid = false;
        endless = start_fitting(sim, &f, a, sim->shell.now);
        patience = ORI_PATIENCE;
    }
    return leave(sim, &f, endless, err);
}

/* *full: the list was full amid an instant. */
static orr_status run_listed(orr_rigid *sim, bool *full, orr_error *err)
{
    enum { ROOM = 8 * FEW };
    ori_running list[ROOM];
    ori_agenda a = ori_agenda_in(list, ROOM);
    ori_agenda_take(&a, &sim->ends);
    orr_status status = run(sim, &a, false, err);
    *full = a.count == FEW;
    ori_agenda_put_back(&a, &sim->ends);
    return status;
}

orr_status ori_rigid_run_greedy(orr_rigid *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    bool amid = false;
    /* between two submissions there are too few events for a list to pay off */
    if (sim->ends.count < FEW && ori_next_submission(sim) == INFINITY)
        status = run_listed(sim, &amid, err);
    if (status == ORR_OK)
        status = run(sim, NULL, amid, err);
    sim->at.running = sim->groups[0].at.running = sim->ends.count;
    return status;
}
