/* The checker of checkpoints: it goes through an attempt from one checkpoint on demand to the next,
 * by the formulas of READINGS 36, and knows nothing of the engine. */
#include "schedule/check_checkpoints_internal.h"
#include "schedule/check_violation_internal.h"

#include "base/try_internal.h"

#include <math.h>

/* The part of an attempt from its beginning, or from a checkpoint on demand, to the next one. */
typedef struct stretch {
    double from;     /* s: the time at which it begins */
    double saved;    /* s of work saved before that checkpoint */
    double done;     /* s of work saved with it */
    double recovery; /* s */
    double written;  /* checkpoints of the attempt so far */
} stretch;

/* The numbers of an attempt's job. */
typedef struct terms {
    double cost, period;   /* s */
    double work, estimate; /* s: of the job, and as planned */
    double computes;       /* s: work that the attempt computes until its end */
    double walltime;       /* s: the walltime that a killed job asks for again */
    bool killed;
} terms;

static terms terms_of(const ori_checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    orr_terms t = orr_attempt_terms(c->in, c->s, a);
    t.estimate = c->asked[a->job] + t.estimate;
    bool killed = t.time > t.estimate;
    return (terms){.cost = c->in->checkpoints.cost[a->job],
                   .period = c->s->checkpoints[i].period,
                   .work = t.time,
                   .computes = killed ? t.estimate : t.time,
                   .estimate = t.estimate,
                   .walltime = orr_attempt_terms(c->in, c->s, a).estimate,
                   .killed = killed};
}

/* ceil(work / tau) - 1, of work that is left. */
static double checkpoints_in(const terms *t, double work)
{
    double segments = ceil(work / t->period);
    return segments > 1 ? segments - 1 : 0;
}

static double length_of(const terms *t, const stretch *s, double work)
{
    double left = work > s->done ? work - s->done : 0, more = checkpoints_in(t, left);
    double length = s->recovery + left;
    return more > 0 && t->cost > 0 ? length + t->cost * more : length;
}

/* Checks that exactly k checkpoints of a stretch are complete at a time. */
static orr_status check_count(const ori_checker *c, int64_t i, const terms *t, const stretch *s,
                              double k, double time)
{
    double first = s->from + s->recovery, cycle = t->period + t->cost;
    double most = checkpoints_in(t, t->work > s->done ? t->work - s->done : 0);
    if (!(k >= 0 && k <= most))
        return ori_check_violation(c, i, "has more checkpoints than its work", k, most);
    if (k > 0 && !(first + k * cycle <= time))
        return ori_check_violation(c, i, "counts a checkpoint that is complete only at",
                                   first + k * cycle, time);
    if (k < most && first + (k + 1) * cycle <= time)
        return ori_check_violation(c, i, "does not count a checkpoint that is complete at",
                                   first + (k + 1) * cycle, time);
    return ORR_OK;
}

/* The work that k checkpoints of a stretch have saved, s. */
static double saved_by(const terms *t, const stretch *s, double k)
{
    double done = k > 0 ? s->done + k * t->period : s->done;
    return done < t->work ? done : t->work;
}

static orr_status check_demand(const ori_checker *c, int64_t i, const terms *t, stretch *s,
                               const orr_demand *d)
{
    double first = s->from + s->recovery, k = (double)d->periodic, cycle = t->period + t->cost;
    if (!(t->cost < INFINITY))
        return ori_check_violation(c, i, "writes a checkpoint, and cannot; at", d->time, NAN);
    if (!(d->time >= first))
        return ori_check_violation(c, i, "writes a checkpoint before it computes; at", d->time,
                                   first);
    ORI_TRY(check_count(c, i, t, s, k, d->time));
    double saved = saved_by(t, s, k);
    double into = k > 0 ? d->time - (first + k * cycle) : d->time - first;
    bool last = k == checkpoints_in(t, t->work > s->done ? t->work - s->done : 0);
    if (!last && into >= t->period)
        return ori_check_violation(c, i, "writes two checkpoints at once; the second at", d->time,
                                   first + k * cycle + t->period);
    double done = saved + into;
    ORI_TRY(ori_check_exactly(c, i, "saves on demand other work than was done", d->done,
                              done < t->work ? done : t->work));
    ORI_TRY(ori_check_exactly(c, i, "has a checkpoint on demand that is complete at", d->complete,
                              d->time + t->cost));
    *s = (stretch){d->complete, saved, d->done, 0, s->written + k};
    return ORR_OK;
}

/* Finds the last stretch of an attempt. A checkpoint on demand that is not complete when the
 * attempt ends is the last one. */
static orr_status check_demands(const ori_checker *c, int64_t i, const terms *t, stretch *s,
                                stretch *before)
{
    const orr_attempt *a = &c->s->attempts[i];
    const orr_attempt_checkpoints *own = &c->s->checkpoints[i];
    for (int64_t k = own->first_demand; k >= 0; k = c->s->demands[k].next) {
        const orr_demand *d = &c->s->demands[k];
        if (!(d->time >= s->from && d->time <= a->end))
            return ori_check_violation(c, i, "writes a checkpoint on demand at", d->time, s->from);
        *before = *s;
        ORI_TRY(check_demand(c, i, t, s, d));
        s->written += d->complete <= a->end;
    }
    return ORR_OK;
}

/* Checks that the time of an attempt is work, checkpoints and recoveries, to the clock's
 * precision. */
static orr_status check_time(const ori_checker *c, int64_t i, double work, double rest)
{
    const orr_attempt *a = &c->s->attempts[i];
    const orr_job_checkpoints *spent = &c->s->checkpoints[i].spent;
    double told = spent->checkpoint_time + spent->recovery_time + work + rest;
    double length = a->end - a->start;
    if (spent->checkpoint_time >= 0 && spent->recovery_time >= 0 &&
        fabs(told - length) <= 1e-9 * (1 + fabs(a->end)))
        return ORR_OK;
    return ori_check_violation(c, i, "work, checkpoints and recoveries are not its time", told,
                               length);
}

static double end_of(const terms *t, const stretch *s)
{
    return s->from + length_of(t, s, t->computes);
}

/* An attempt that wrote a checkpoint because it was to be killed: just in time. Without that one
 * its end would have been the kill. */
static orr_status check_last_wish(const ori_checker *c, int64_t i, const stretch *s, double kill)
{
    const orr_checkpoints *o = &c->in->checkpoints;
    double cost = o->cost[c->s->attempts[i].job];
    if (!(o->before & ORR_BEFORE_KILL))
        return ori_check_violation(c, i, "writes a checkpoint before its kill, at", kill, NAN);
    ORI_TRY(ori_check_exactly(c, i, "is killed at another time than it must be",
                              c->s->checkpoints[i].leaves, kill));
    return ori_check_exactly(c, i, "has a checkpoint before its kill that is complete at", s->from,
                             orr_checkpoint_before(kill, cost) + cost);
}

/* READINGS 36: a job that was killed waits again if it gets on. */
static orr_status check_killed(const ori_checker *c, int64_t i, const terms *t, const stretch *s)
{
    const orr_attempt *a = &c->s->attempts[i];
    const orr_attempt_checkpoints *own = &c->s->checkpoints[i];
    double k = (double)own->spent.written - s->written;
    ORI_TRY(check_count(c, i, t, s, k, a->end));
    double saved = saved_by(t, s, k);
    bool again = c->in->checkpoints.requeue_killed && saved + t->walltime > t->estimate;
    ORI_TRY(ori_check_exactly(c, i, "is killed and keeps work", own->kept, again ? saved : 0));
    if (isnan(own->leaves) && !again)
        ORI_TRY(ori_check_exactly(c, i, "has lost work", own->spent.lost, t->computes));
    return check_time(c, i, (again ? saved : 0) + own->spent.lost - own->saved, 0);
}

/* Checks an attempt without interruption. */
static orr_status check_whole(const ori_checker *c, int64_t i, const terms *t, const stretch *s)
{
    const orr_attempt *a = &c->s->attempts[i];
    const orr_attempt_checkpoints *own = &c->s->checkpoints[i];
    double left = t->computes > s->done ? t->computes - s->done : 0;
    double verification = c->in->verification;
    bool completed = a->outcome == ORR_COMPLETED;
    double lost = completed ? 0 : t->computes + verification;
    ORI_TRY(ori_check_exactly(c, i, "has written checkpoints", (double)own->spent.written,
                              s->written + checkpoints_in(t, left)));
    ORI_TRY(ori_check_exactly(c, i, "keeps work", own->kept, completed ? t->computes : 0));
    ORI_TRY(ori_check_exactly(c, i, "has lost work", own->spent.lost, lost));
    return check_time(c, i, t->computes - own->saved, verification);
}

static orr_status check_broken(const ori_checker *c, int64_t i, const terms *t, const stretch *s)
{
    const orr_attempt *a = &c->s->attempts[i];
    const orr_attempt_checkpoints *own = &c->s->checkpoints[i];
    bool writing = a->end < s->from, cancelled = a->outcome == ORR_CANCELLED;
    double k = (double)own->spent.written - s->written;
    if (writing)
        ORI_TRY(ori_check_exactly(c, i, "has written checkpoints", k, 0));
    else
        ORI_TRY(check_count(c, i, t, s, k, a->end));
    double kept = writing ? s->saved : saved_by(t, s, k);
    ORI_TRY(ori_check_exactly(c, i, "keeps work", own->kept, cancelled ? 0 : kept));
    return check_time(
        c, i, cancelled ? own->spent.lost - own->saved : kept + own->spent.lost - own->saved, 0);
}

orr_status ori_check_checkpoints(const ori_checker *c, int64_t i, ori_check_ends *ends)
{
    const orr_attempt *a = &c->s->attempts[i];
    const orr_attempt_checkpoints *own = &c->s->checkpoints[i];
    int64_t before = c->last[a->job];
    terms t = terms_of(c, i);
    double saved = before < 0 ? 0 : c->s->checkpoints[before].kept;
    ORI_TRY(ori_check_exactly(c, i, "begins with work saved", own->saved, saved));
    if (!(t.period > 0))
        return ori_check_violation(c, i, "has a period that cannot be", t.period, INFINITY);
    stretch s = {.from = a->start,
                 .saved = saved,
                 .done = saved,
                 .recovery = saved > 0 ? c->in->checkpoints.recovery[a->job] : 0};
    stretch last = s;
    ORI_TRY(ori_check_exactly(c, i, "has an estimate that kills made longer by", own->spent.asked,
                              c->asked[a->job]));
    ORI_TRY(check_demands(c, i, &t, &s, &last));
    double end = end_of(&t, &s);
    ends->real = t.killed ? end : end + c->in->verification;
    ends->planned = (s.from + length_of(&t, &s, t.estimate)) + c->in->verification;
    if (!isnan(own->leaves)) {
        ends->planned = own->leaves;
        if (a->outcome == ORR_KILLED) {
            ORI_TRY(check_last_wish(c, i, &s, end_of(&t, &last)));
            ends->real = own->leaves;
        }
        if (a->outcome != ORR_RUNNING && !(a->end <= own->leaves))
            return ori_check_violation(c, i, "stays longer than it was to", a->end, own->leaves);
    }
    if (a->outcome == ORR_RUNNING)
        return ORR_OK;
    if (a->outcome == ORR_KILLED && !t.killed)
        return ori_check_violation(c, i, "is killed, and its work is", t.work, t.estimate);
    if (a->outcome == ORR_KILLED)
        return check_killed(c, i, &t, &s);
    bool whole = a->outcome == ORR_COMPLETED || a->outcome == ORR_FAILED;
    return whole ? check_whole(c, i, &t, &s) : check_broken(c, i, &t, &s);
}
