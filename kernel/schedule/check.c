#include "schedule/check.h"

#include <math.h>

typedef struct checker {
    const orr_instance *in;
    const orr_schedule *s;
    const int32_t *failures;
    bool partial;
    int64_t *last;      /* per job: its attempt before, -1 for none */
    double *held_until; /* per processor, s */
    orr_error *err;
} checker;

static const char *outcome_name(orr_outcome outcome)
{
    static const char *const names[] = {"running", "completed", "failed", "killed"};
    return (unsigned)outcome < 4 ? names[outcome] : "unknown";
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
    if (b->outcome != ORR_FAILED)
        return violation(c, i, "starts again although the attempt before did not fail; its start",
                         b->start, NAN);
    if (!(a->start >= b->end))
        return violation(c, i, "starts before the end of the attempt before", a->start, b->end);
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
    double end = orr_real_end(c->in, a->job, a->start);
    if (a->end != end)
        return violation(c, i, "ends at another time than it must", a->end, end);
    bool killed = orr_job_is_killed(c->in, a->job);
    int32_t failures = c->failures && !killed ? c->failures[a->job] : 0;
    orr_outcome expected = killed ? ORR_KILLED : a->number <= failures ? ORR_FAILED : ORR_COMPLETED;
    if (a->outcome != expected)
        return violation(c, i, "outcome (1 completed, 2 failed, 3 killed)", a->outcome, expected);
    return ORR_OK;
}

static orr_status check_processors(checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    int64_t held = 0;
    int32_t next = 0;
    for (int32_t k = 0; k < a->interval_count; k++) {
        orr_interval range = c->s->intervals[a->first_interval + k];
        if (range.low < next || range.high < range.low || range.high >= c->in->procs)
            return violation(c, i, "processors out of order or not on the machine", range.low,
                             next);
        next = range.high + 1;
        held += range.high - range.low + 1;
        for (int32_t p = range.low; p <= range.high; p++) {
            if (c->held_until[p] > a->start)
                return violation(c, i, "one of its processors is held until", c->held_until[p],
                                 a->start);
            c->held_until[p] = a->end;
        }
    }
    if (held != c->in->jobs->procs[a->job])
        return violation(c, i, "number of processors", (double)held, c->in->jobs->procs[a->job]);
    return ORR_OK;
}

static orr_status check_attempts(checker *c)
{
    for (int64_t i = 0; i < c->s->count; i++) {
        orr_status status = check_sequence(c, i);
        if (status == ORR_OK)
            status = check_end(c, i);
        if (status == ORR_OK)
            status = check_processors(c, i);
        if (status != ORR_OK)
            return status;
        c->last[c->s->attempts[i].job] = i;
    }
    return ORR_OK;
}

static orr_status check_complete(checker *c)
{
    for (int32_t j = 0; j < c->in->count && !c->partial; j++) {
        if (c->last[j] < 0)
            return orr_fail(c->err, ORR_ERR_INTERNAL, "schedule check: job %s was never started",
                            orr_jobs_id(c->in->jobs, j));
        if (c->s->attempts[c->last[j]].outcome == ORR_FAILED)
            return violation(c, c->last[j], "failed and was never started again", 0, 1);
    }
    return ORR_OK;
}

orr_status orr_check_schedule(const orr_instance *in, const orr_schedule *schedule,
                              const int32_t *failures, bool partial, orr_error *err)
{
    const orr_allocator *a = &schedule->alloc;
    size_t jobs = (size_t)in->count, procs = (size_t)in->procs;
    checker c = {.in = in, .s = schedule, .failures = failures, .partial = partial, .err = err};
    c.last = orr_alloc(a, jobs * sizeof *c.last);
    c.held_until = orr_alloc(a, procs * sizeof *c.held_until);
    orr_status status = ORR_OK;
    if (!c.last || !c.held_until) {
        status = orr_fail_memory(err, jobs * sizeof *c.last + procs * sizeof *c.held_until);
    } else {
        for (size_t j = 0; j < jobs; j++)
            c.last[j] = -1;
        for (size_t p = 0; p < procs; p++)
            c.held_until[p] = -INFINITY;
        status = check_attempts(&c);
        if (status == ORR_OK)
            status = check_complete(&c);
    }
    orr_release(a, c.last, jobs * sizeof *c.last);
    orr_release(a, c.held_until, procs * sizeof *c.held_until);
    return status;
}
