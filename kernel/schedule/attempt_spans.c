/* Recoveries, work and checkpoints of attempts: from one checkpoint on demand to the next. */
#include "schedule/attempt_spans.h"

#include <math.h>

typedef struct walk {
    bool (*visit)(void *user, const orr_span *span);
    void *user;
    orr_span span;
    double end;          /* s: nothing after it is shown */
    double cost, period; /* s */
    orr_outcome outcome;
    bool requeued; /* killed, and the job waits again */
    bool goes_on;
} walk;

static void put_span(walk *w, orr_span_kind kind, double start, double finish)
{
    finish = fmin(finish, w->end);
    if (!w->goes_on || !(start < finish))
        return;
    w->span.kind = kind;
    w->span.start = start;
    w->span.finish = finish;
    w->goes_on = w->visit(w->user, &w->span);
}

/* Puts work from `start` on; the checkpoint that saves it is complete at `saved` (INFINITY: none
 * is). */
static void put_work(walk *w, double start, double finish, double saved)
{
    bool interrupted = w->outcome == ORR_PREEMPTED || w->outcome == ORR_NODE_FAILED || w->requeued;
    bool useful = w->outcome == ORR_COMPLETED || w->outcome == ORR_RUNNING ||
                  (interrupted && saved <= w->end);
    put_span(w, useful ? ORR_SPAN_WORK : ORR_SPAN_LOST, start, finish);
}

/* Periodic checkpoints, at most `most`, from `first` on; returns when the last is complete. */
static double put_cycles(walk *w, double first, double most)
{
    double cycle = w->period + w->cost, from = first;
    if (!(w->period > 0 && first + cycle > first))
        return first;
    for (double k = 1; k <= most && w->goes_on && from < w->end; k++) {
        double complete = first + k * cycle, begun = first + (k - 1) * cycle + w->period;
        if (!(complete > from)) /* more checkpoints than the clock's precision can distinguish */
            return from;
        put_work(w, from, begun, complete);
        put_span(w, ORR_SPAN_CHECKPOINT, begun, complete);
        from = complete;
    }
    return from;
}

static void walk_through(walk *w, const orr_schedule *s, const orr_attempt_checkpoints *c,
                         double start, double recovery, double work)
{
    double from = start, done = c->saved;
    put_span(w, ORR_SPAN_RECOVERY, from, from + recovery);
    from += recovery;
    for (int64_t d = c->first_demand; d >= 0 && w->goes_on; d = s->demands[d].next) {
        const orr_demand *demand = &s->demands[d];
        from = put_cycles(w, from, (double)demand->periodic);
        put_work(w, from, demand->time, demand->complete);
        put_span(w, ORR_SPAN_CHECKPOINT, demand->time, demand->complete);
        from = demand->complete;
        done = demand->done;
    }
    double left = work > done ? work - done : 0;
    double most = w->cost < INFINITY && w->period > 0 && w->period < INFINITY
                      ? orr_checkpoints_within(left, w->period)
                      : 0;
    from = put_cycles(w, from, most);
    put_work(w, from, w->end, INFINITY);
}

void orr_attempt_spans(const orr_instance *in, const orr_schedule *s, int64_t attempt, double now,
                       bool (*visit)(void *user, const orr_span *span), void *user)
{
    if (!s->checkpoints || !(attempt >= 0 && attempt < s->count))
        return;
    const orr_attempt *a = &s->attempts[attempt];
    const orr_attempt_checkpoints *c = &s->checkpoints[attempt];
    orr_terms terms = orr_attempt_terms(in, s, a);
    walk w = {.visit = visit,
              .user = user,
              .span = {.task = a->job, .procs = in->jobs->procs[a->job], .stint = attempt},
              .end = fmin(a->end, now),
              .cost = in->checkpoints.cost[a->job],
              .period = c->period,
              .outcome = a->outcome,
              .requeued = a->outcome == ORR_KILLED && c->kept > 0,
              .goes_on = true};
    walk_through(&w, s, c, a->start, c->saved > 0 ? in->checkpoints.recovery[a->job] : 0,
                 fmin(terms.time, c->spent.asked + terms.estimate));
}
