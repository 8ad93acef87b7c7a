#include "schedule/check.h"

#include <math.h>

typedef struct checker {
    const orr_instance *in;
    const orr_schedule *s;
    const int32_t *failures;
    bool partial;
    int64_t *last;      /* per job: its attempt before, -1 for none */
    int32_t *failed;    /* per job: attempts */
    double *held_until; /* per processor, s: by an attempt */
    double *out_until;  /* per processor, s */
    int64_t outages;    /* that have been seen */
    orr_error *err;
} checker;

static const char *outcome_name(orr_outcome outcome)
{
    static const char *const names[] = {"running",   "completed", "failed",     "killed",
                                        "preempted", "cancelled", "node failed"};
    return (unsigned)outcome < sizeof names / sizeof *names ? names[outcome] : "unknown";
}

static bool is_interrupted(orr_outcome outcome)
{
    return outcome == ORR_PREEMPTED || outcome == ORR_CANCELLED || outcome == ORR_NODE_FAILED;
}

/* Whether the job waits again after it. */
static bool comes_again(orr_outcome outcome)
{
    return outcome == ORR_FAILED || outcome == ORR_PREEMPTED || outcome == ORR_NODE_FAILED;
}

static orr_status violation(checker *c, int64_t i, const char *what, double found, double expected)
{
    const orr_attempt *a = &c->s->attempts[i];
    return orr_fail(c->err, ORR_ERR_INTERNAL,
                    "schedule check: job %s, attempt %d from %.17g to %.17g (%s): %s: found %.17g, "
                    "expected %.17g",
                    orr_jobs_id(c->in->jobs, a->job), (int)a->number, a->start, a->end,
                    outcome_name(a->outcome), what, found, expected);
}

static orr_status check_sequence(checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (i > 0 && a->start < c->s->attempts[i - 1].start)
        return violation(c, i, "starts before the attempt recorded before it", a->start,
                         c->s->attempts[i - 1].start);
    if (!(a->start >= c->in->submit[a->job]))
        return violation(c, i, "starts before its submission", a->start, c->in->submit[a->job]);
    int64_t before = c->last[a->job];
    int32_t number = before < 0 ? 1 : c->s->attempts[before].number + 1;
    if (a->number != number)
        return violation(c, i, "number of the attempt", a->number, number);
    if (before < 0)
        return ORR_OK;
    const orr_attempt *b = &c->s->attempts[before];
    if (!comes_again(b->outcome))
        return violation(c, i, "starts again although its job is over; the last end", b->end, NAN);
    if (!(a->start >= b->end))
        return violation(c, i, "starts before the end of the attempt before", a->start, b->end);
    return ORR_OK;
}

static bool overlaps(const checker *c, const orr_attempt *a, const orr_outage *o)
{
    for (int32_t i = 0; i < a->interval_count; i++) {
        orr_interval range = c->s->intervals[a->first_interval + i];
        if (range.low < o->first + o->count && range.high >= o->first)
            return true;
    }
    return false;
}

/* Whether a node's failure has struck an attempt at its end. */
static bool is_struck(const checker *c, const orr_attempt *a)
{
    const orr_recorded_outage *outages = c->s->outages;
    int64_t from = 0, to = c->s->outage_count;
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (outages[middle].outage.time < a->end)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < c->s->outage_count && outages[from].outage.time == a->end; from++)
        if (overlaps(c, a, &outages[from].outage))
            return true;
    return false;
}

static orr_status check_interrupted(checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    double natural = orr_real_end(c->in, a->job, a->start);
    if (!(a->end >= a->start))
        return violation(c, i, "ends before its start", a->end, a->start);
    if (!(a->end <= natural))
        return violation(c, i, "ends later than it must", a->end, natural);
    if (a->outcome == ORR_NODE_FAILED && !is_struck(c, a))
        return violation(c, i, "none of its processors fails at its end", a->end, NAN);
    return ORR_OK;
}

static orr_status check_end(checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (a->outcome == ORR_RUNNING) {
        double planned = orr_planned_end(c->in, a->job, a->start);
        if (!c->partial)
            return violation(c, i, "is still running at the end of the run", a->end, planned);
        return a->end == planned ? ORR_OK : violation(c, i, "planned end", a->end, planned);
    }
    if (is_interrupted(a->outcome))
        return check_interrupted(c, i);
    double end = orr_real_end(c->in, a->job, a->start);
    if (a->end != end)
        return violation(c, i, "ends at another time than it must", a->end, end);
    bool killed = orr_job_is_killed(c->in, a->job);
    int32_t failures = c->failures && !killed ? c->failures[a->job] : 0;
    orr_outcome expected = killed                         ? ORR_KILLED
                           : c->failed[a->job] < failures ? ORR_FAILED
                                                          : ORR_COMPLETED;
    if (a->outcome != expected)
        return violation(c, i, "outcome (1 completed, 2 failed, 3 killed)", a->outcome, expected);
    c->failed[a->job] += a->outcome == ORR_FAILED;
    return ORR_OK;
}

static orr_status check_interval(checker *c, int64_t i, orr_interval range)
{
    const orr_attempt *a = &c->s->attempts[i];
    for (int32_t p = range.low; p <= range.high; p++) {
        if (c->held_until[p] > a->start)
            return violation(c, i, "one of its processors is held until", c->held_until[p],
                             a->start);
        if (c->out_until[p] > a->start)
            return violation(c, i, "one of its processors is out until", c->out_until[p], a->start);
        c->held_until[p] = a->end;
    }
    return ORR_OK;
}

static orr_status check_processors(checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (a->group < 0 || a->group >= c->s->group_count)
        return violation(c, i, "runs in a group that there is not", a->group,
                         c->s->group_count - 1);
    const orr_processor_group *g = &c->s->groups[a->group];
    int64_t held = 0;
    int32_t next = g->first;
    for (int32_t k = 0; k < a->interval_count; k++) {
        orr_interval range = c->s->intervals[a->first_interval + k];
        if (range.low < next || range.high < range.low || range.high >= g->first + g->procs)
            return violation(c, i, "processors out of order or not of its group", range.low, next);
        orr_status status = check_interval(c, i, range);
        if (status != ORR_OK)
            return status;
        next = range.high + 1;
        held += range.high - range.low + 1;
    }
    if (held != c->in->jobs->procs[a->job])
        return violation(c, i, "number of processors", (double)held, c->in->jobs->procs[a->job]);
    return ORR_OK;
}

static orr_status check_outage(checker *c, const orr_outage *o)
{
    for (int32_t p = o->first; p < o->first + o->count; p++) {
        if (p < 0 || p >= c->in->procs || c->held_until[p] > o->time)
            return orr_fail(c->err, ORR_ERR_INTERNAL,
                            "schedule check: processor %d fails at %.17g and %s", (int)p, o->time,
                            p < 0 || p >= c->in->procs ? "is not on the machine"
                                                       : "is held for longer");
        c->out_until[p] = o->repaired > c->out_until[p] ? o->repaired : c->out_until[p];
    }
    return ORR_OK;
}

/* The outages before attempt i. */
static orr_status check_outages(checker *c, int64_t i)
{
    orr_status status = ORR_OK;
    for (; status == ORR_OK && c->outages < c->s->outage_count; c->outages++) {
        const orr_recorded_outage *o = &c->s->outages[c->outages];
        if (o->attempts > i)
            break;
        status = check_outage(c, &o->outage);
    }
    return status;
}

static orr_status check_attempts(checker *c)
{
    orr_status status = ORR_OK;
    for (int64_t i = 0; status == ORR_OK && i < c->s->count; i++) {
        status = check_outages(c, i);
        if (status == ORR_OK)
            status = check_sequence(c, i);
        if (status == ORR_OK)
            status = check_end(c, i);
        if (status == ORR_OK)
            status = check_processors(c, i);
        c->last[c->s->attempts[i].job] = i;
    }
    return status == ORR_OK ? check_outages(c, c->s->count) : status;
}

static orr_status check_complete(checker *c)
{
    for (int32_t j = 0; j < c->in->count && !c->partial; j++) {
        if (c->last[j] < 0)
            return orr_fail(c->err, ORR_ERR_INTERNAL, "schedule check: job %s was never started",
                            orr_jobs_id(c->in->jobs, j));
        if (comes_again(c->s->attempts[c->last[j]].outcome))
            return violation(c, c->last[j], "was interrupted and never started again", 0, 1);
    }
    return ORR_OK;
}

/* One block for all arrays, widest elements first. */
static void *allocate(checker *c, size_t *size)
{
    size_t jobs = (size_t)c->in->count, procs = (size_t)c->in->procs;
    *size = jobs * (sizeof *c->last + sizeof *c->failed) + 2 * procs * sizeof *c->held_until;
    void *block = orr_calloc(&c->s->alloc, *size, 1);
    if (!block)
        return NULL;
    c->last = block;
    c->held_until = (double *)(void *)(c->last + jobs);
    c->out_until = c->held_until + procs;
    c->failed = (int32_t *)(void *)(c->out_until + procs);
    for (size_t j = 0; j < jobs; j++)
        c->last[j] = -1;
    for (size_t p = 0; p < procs; p++)
        c->held_until[p] = c->out_until[p] = -INFINITY;
    return block;
}

orr_status orr_check_schedule(const orr_instance *in, const orr_schedule *schedule,
                              const int32_t *failures, bool partial, orr_error *err)
{
    checker c = {.in = in, .s = schedule, .failures = failures, .partial = partial, .err = err};
    size_t size;
    void *block = allocate(&c, &size);
    if (!block)
        return orr_fail_memory(err, size);
    orr_status status = check_attempts(&c);
    if (status == ORR_OK)
        status = check_complete(&c);
    orr_release(&schedule->alloc, block, size);
    return status;
}
