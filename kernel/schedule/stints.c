/* The record of malleable tasks, stint by stint, and the time spent in each stint. */
#include "schedule/stints_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/try_internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* --- the record ------------------------------------------------------------------------------ */

orr_status ori_stints_create(orr_stints *s, int32_t tasks, int32_t procs, const orr_allocator *a,
                             orr_error *err)
{
    memset(s, 0, sizeof *s);
    s->alloc = orr_allocator_or_default(a);
    s->tasks = tasks;
    s->procs = procs;
    s->current = ori_new(&s->alloc, (size_t)tasks * sizeof *s->current, err);
    if (!s->current)
        return ORR_ERR_MEMORY;
    ori_stints_clear(s);
    return ORR_OK;
}

void ori_stints_destroy(orr_stints *s)
{
    ORI_FREE(&s->alloc, &s->stints, &s->capacity);
    ORI_FREE(&s->alloc, &s->intervals, &s->interval_capacity);
    ORI_FREE(&s->alloc, &s->changes, &s->change_capacity);
    orr_release(&s->alloc, s->current, (size_t)s->tasks * sizeof *s->current);
    memset(s, 0, sizeof *s);
}

void ori_stints_clear(orr_stints *s)
{
    s->count = s->interval_count = s->change_count = 0;
    for (int32_t i = 0; i < s->tasks; i++)
        s->current[i] = -1;
}

orr_status ori_stints_copy(orr_stints *to, const orr_stints *from, orr_error *err)
{
    ORI_COPY_MEMBER(to, from, stints, count, capacity, err);
    ORI_COPY_MEMBER(to, from, intervals, interval_count, interval_capacity, err);
    ORI_COPY_MEMBER(to, from, changes, change_count, change_capacity, err);
    memcpy(to->current, from->current, (size_t)from->tasks * sizeof *from->current);
    to->procs = from->procs;
    return ORR_OK;
}

/* Makes room behind the stints that stand before (start, task), and gives its position. Two events
 * of one instant can begin stints of tasks that are not in order. */
static int64_t open_place(orr_stints *s, double start, int32_t task)
{
    int64_t at = s->count++;
    for (; at > 0; at--) {
        const orr_stint *before = &s->stints[at - 1];
        if (before->start < start || before->task <= task)
            break;
        s->stints[at] = *before;
        if (s->current[before->task] == at - 1)
            s->current[before->task] = at;
    }
    return at;
}

orr_status ori_stints_begin(orr_stints *s, const orr_stint *stint, const orr_interval *intervals,
                            int32_t interval_count, orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->stints, &s->capacity, s->count + 1, err));
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->intervals, &s->interval_capacity,
                        s->interval_count + interval_count, err));
    int64_t at = open_place(s, stint->start, stint->task);
    orr_stint *begun = &s->stints[at];
    *begun = *stint;
    begun->stop = INFINITY;
    begun->alpha_stop = stint->alpha;
    begun->why = ORR_STOP_RUNNING;
    begun->interval_count = interval_count;
    begun->first_interval = s->interval_count;
    for (int32_t k = 0; k < interval_count; k++)
        s->intervals[s->interval_count++] = intervals[k];
    s->current[stint->task] = at;
    return ORR_OK;
}

void ori_stints_end(orr_stints *s, int32_t task, double stop, double alpha_stop, orr_stop why)
{
    orr_stint *stint = &s->stints[s->current[task]];
    stint->stop = stop;
    stint->alpha_stop = alpha_stop;
    stint->why = why;
}

void ori_stints_add_work(orr_stints *s, int32_t task, double added)
{
    s->stints[s->current[task]].added += added;
}

orr_status ori_stints_note(orr_stints *s, const orr_stints_change *change, orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->changes, &s->change_capacity, s->change_count + 1, err));
    orr_stints_change *noted = &s->changes[s->change_count++];
    *noted = *change;
    noted->stint = 0;
    for (int64_t i = 0; change->what == ORR_CHANGED_WORK && i < s->count; i++)
        noted->stint += s->stints[i].task == change->task;
    return ORR_OK;
}

/* --- spent time ------------------------------------------------------------------------------- */

/* Divides the time of a stint between ready and stop, in seconds; time neither useful nor lost was
 * checkpoints. */
static void divide(const orr_stint *s, double *useful, double *lost)
{
    double elapsed = s->stop > s->ready ? s->stop - s->ready : 0;
    *useful = elapsed;
    *lost = 0;
    if (s->why == ORR_STOP_STRUCK && s->period > 0) {
        double complete = floor(elapsed / s->period);
        *useful = complete > 0 ? complete * s->work : 0;
        *lost = complete > 0 ? fmax(elapsed - complete * s->period, 0) : elapsed;
    } else if (s->why != ORR_STOP_STRUCK && s->checkpoint > 0) {
        *useful = fmin((s->alpha + s->added - s->alpha_stop) * s->time, elapsed);
    }
}

void ori_spent_add(orr_spent *spent, const orr_stint *s)
{
    double procs = s->procs, useful, lost;
    double recovered = fmin(s->recovered, s->stop), moved = fmin(s->moved, s->stop);
    double ready = fmin(s->ready, s->stop);
    divide(s, &useful, &lost);
    spent->useful += procs * useful;
    spent->lost += procs * lost;
    spent->checkpoint += procs * (ready - moved + (s->stop - ready - useful - lost));
    spent->recovery += procs * (recovered - s->start);
    spent->redistribution += procs * (moved - recovered);
}

typedef struct walk {
    orr_span span; /* all but kind and times */
    const orr_stint *stint;
    double limit; /* nothing after it is shown, s */
    bool (*visit)(void *user, const orr_span *span);
    void *user;
} walk;

static bool show(walk *w, orr_span_kind kind, double start, double finish)
{
    w->span.kind = kind;
    w->span.start = start;
    w->span.finish = fmin(finish, w->limit);
    return !(w->span.start < w->span.finish) || w->visit(w->user, &w->span);
}

/* The begin of period k (from 0). A begin that differs from the limit only by rounding is the
 * limit. */
static double period_start(const walk *w, double k)
{
    double at = w->stint->ready + k * w->stint->period;
    return fabs(at - w->limit) <= 4 * DBL_EPSILON * w->limit ? w->limit : at;
}

/* Complete periods, the last one cut at the limit, from the first until the one numbered `end`. */
static bool show_periods(walk *w, double end)
{
    for (double k = 0; k < end && period_start(w, k) < w->limit; k++) {
        double next = period_start(w, k + 1), saved = next - w->stint->checkpoint;
        if (!show(w, ORR_SPAN_WORK, period_start(w, k), saved) ||
            !show(w, ORR_SPAN_CHECKPOINT, saved, next))
            return false;
    }
    return true;
}

static bool show_work(walk *w)
{
    const orr_stint *s = w->stint;
    bool endless = isinf(s->period), fluid = !(s->ready + s->period > s->ready);
    if (fluid || (endless && s->why != ORR_STOP_STRUCK))
        return show(w, ORR_SPAN_WORK, s->ready, INFINITY);
    if (s->why != ORR_STOP_STRUCK)
        return show_periods(w, INFINITY);
    double complete = floor((s->stop - s->ready) / s->period);
    return show_periods(w, complete) &&
           show(w, ORR_SPAN_LOST, complete > 0 ? period_start(w, complete) : s->ready, INFINITY);
}

/* The last instant of the stint to show: a running stint ends with its work at the latest. */
static double last_instant(const orr_stint *s)
{
    if (s->why != ORR_STOP_RUNNING)
        return s->stop;
    double work = (s->alpha + s->added) * s->time, checkpoints = 0;
    if (s->checkpoint > 0 && s->work > 0)
        checkpoints = floor(work / s->work) * s->checkpoint;
    return s->ready + work + checkpoints;
}

void orr_stint_spans(const orr_stints *s, int64_t stint, double now,
                     bool (*visit)(void *user, const orr_span *span), void *user)
{
    if (!ORI_IS_IN(stint, s->count))
        return;
    const orr_stint *one = &s->stints[stint];
    walk w = {.span = {.task = one->task, .procs = one->procs, .stint = stint},
              .stint = one,
              .limit = fmin(now, last_instant(one)),
              .visit = visit,
              .user = user};
    if (show(&w, ORR_SPAN_DOWNTIME, one->start, one->down_until) &&
        show(&w, ORR_SPAN_RECOVERY, one->down_until, one->recovered) &&
        show(&w, ORR_SPAN_REDISTRIBUTION, one->recovered, one->moved) &&
        show(&w, ORR_SPAN_CHECKPOINT, one->moved, one->ready))
        show_work(&w);
}

const char *orr_span_name(orr_span_kind kind)
{
    static const char *const names[] = {"work",     "checkpoint", "lost",
                                        "downtime", "recovery",   "redistribution"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}
