/* The checker of stints: each stint, after the one of its task before it, against the chapter's
 * formulas, and that no two tasks hold a processor at once. It calls the other parts. */
#include "base/block_internal.h"
#include "base/try_internal.h"
#include "schedule/check_stints_faults_internal.h"
#include "schedule/check_stints_machine_internal.h"
#include "schedule/stints_internal.h"

#include <float.h>
#include <math.h>

/* --- objections ------------------------------------------------------------------------------ */

static orr_status differs(ori_stints_checker *c, int64_t i, const char *what, double found,
                          double expected)
{
    return ori_violation(c, i, "%s: found %.17g, expected %.17g", what, found, expected);
}

static orr_status exactly(ori_stints_checker *c, int64_t i, const char *what, double found,
                          double expected)
{
    return found == expected ? ORR_OK : differs(c, i, what, found, expected);
}

static bool is_near(double a, double b, double scale)
{
    return a == b || fabs(a - b) <= 1e-12 * scale; /* a == b: also infinities */
}

/* A time on the clock, or a duration, to 1e-12 of itself. */
static orr_status closely(ori_stints_checker *c, int64_t i, const char *what, double found,
                          double expected)
{
    double scale = fmax(fabs(found), fabs(expected));
    return is_near(found, expected, scale) ? ORR_OK : differs(c, i, what, found, expected);
}

/* --- the chapter's formulas ------------------------------------------------------------------- */

static double checkpoint_time(const ori_stints_checker *c, int32_t task, int32_t procs)
{
    const orr_resilience *r = c->platform;
    return isinf(r->mtbf)
               ? 0
               : r->checkpoint_unit * (c->tasks->size[task] / procs) + r->checkpoint_fixed;
}

/* tau - C: Young's (equation 1.3), or Daly's higher-order one. */
static double period_work(const orr_resilience *r, double mtbf, double checkpoint)
{
    double young = sqrt(2 * mtbf) * sqrt(checkpoint);
    if (isinf(mtbf) || r->rule != ORR_PERIOD_DALY)
        return isinf(mtbf) ? INFINITY : young;
    double ratio = checkpoint / (2 * mtbf);
    return ratio < 1 ? young * (1 + sqrt(ratio) / 3 + ratio / 9) - checkpoint : mtbf;
}

/* Equation 1.11, of which 1.9 is the case k > j. */
static double move_time(const ori_stints_checker *c, int32_t task, double j, double k)
{
    const orr_resilience *r = c->platform;
    double rounds = fmax(fmin(j, k), fabs(k - j));
    return r->startup + rounds * (c->tasks->size[task] / r->bandwidth / j / k + r->latency);
}

/* --- one stint: its place and its numbers ---------------------------------------------------- */

static orr_status check_place(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    if (s->task < 0 || s->task >= c->tasks->count)
        return ori_violation(c, i, "there is no task at position %d", (int)s->task);
    if (s->interval_count < 1 || s->first_interval < 0 ||
        s->first_interval > c->s->interval_count - s->interval_count)
        return ori_violation(c, i, "its processors are not in the record");
    if (i > 0) {
        const orr_stint *before = s - 1;
        if (!(s->start > before->start || (s->start == before->start && s->task >= before->task)))
            return differs(c, i,
                           "recorded behind a stint that starts later, or then, of a later "
                           "task; its start",
                           s->start, before->start);
    }
    if ((unsigned)s->why > ORR_STOP_CANCELLED)
        return ori_violation(c, i, "stops for the unknown reason %d", (int)s->why);
    if (s->why == ORR_STOP_RUNNING)
        return c->partial ? ORR_OK : ori_violation(c, i, "is still running at the end of the run");
    double least = s->why == ORR_STOP_CANCELLED ? s->start : s->ready;
    if (!(s->stop >= least && s->stop < INFINITY))
        return differs(c, i, "stops before it is ready", s->stop, least);
    return ORR_OK;
}

static orr_status check_processors(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    int64_t held = 0, next = 0;
    for (int32_t k = 0; k < s->interval_count; k++) {
        orr_interval range = c->s->intervals[s->first_interval + k];
        if (range.low < next || range.high < range.low || range.high >= c->procs)
            return ori_violation(c, i, "processors %d-%d are out of order or not on the machine",
                                 (int)range.low, (int)range.high);
        if (range.low % 2 != 0 || range.high % 2 == 0)
            return ori_violation(c, i, "processors %d-%d are not whole pairs of buddies",
                                 (int)range.low, (int)range.high);
        next = (int64_t)range.high + 2; /* intervals that touch would be one */
        held += range.high - range.low + 1;
    }
    if (held != s->procs)
        return differs(c, i, "number of processors", (double)held, s->procs);
    return ORR_OK;
}

/* Checks the time, the checkpoint, and the work between two checkpoints. */
static orr_status check_costs(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    double time = orr_task_time(c->tasks, s->task, s->procs);
    double checkpoint = checkpoint_time(c, s->task, s->procs);
    double work = period_work(c->platform, c->platform->mtbf / s->procs, checkpoint);
    if (!(work > 0 && time / work < INFINITY)) /* more checkpoints than numbers */
        work = checkpoint = 0;
    else if (c->platform->rule == ORR_PERIOD_GIVEN && work < INFINITY && checkpoint > 0)
        work = s->period - s->checkpoint;
    if (!(work >= 0))
        return differs(c, i, "tau, the period, is no longer than a checkpoint", s->period,
                       s->checkpoint);
    ORI_TRY(exactly(c, i, "t(j)", s->time, time));
    ORI_TRY(closely(c, i, "C, a checkpoint", s->checkpoint, checkpoint));
    ORI_TRY(closely(c, i, "tau, the period", s->period, work + checkpoint));
    return s->work == s->period - s->checkpoint
               ? ORR_OK
               : closely(c, i, "tau - C, the work of a period", s->work, work);
}

/* --- one stint: how it begins ---------------------------------------------------------------- */

static orr_status check_first(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    const orr_stints_change *submission = ori_submission_of(c, s->task);
    double begin = submission ? submission->time : 0;
    ORI_TRY(exactly(c, i, "start of the task", s->start, begin));
    ORI_TRY(exactly(c, i, "share of the work left at the start", s->alpha, 1));
    ORI_TRY(exactly(c, i, "processors before its start", s->from, s->procs));
    ORI_TRY(exactly(c, i, "end of a downtime at the start", s->down_until, begin));
    ORI_TRY(exactly(c, i, "end of a recovery at the start", s->recovered, begin));
    ORI_TRY(exactly(c, i, "end of a redistribution at the start", s->moved, begin));
    return exactly(c, i, "end of a checkpoint at the start", s->ready, begin);
}

/* Checks the end of a span that takes `time`; of length 0 it ends exactly where it begins. */
static orr_status check_span(ori_stints_checker *c, int64_t i, const char *what, double from,
                             double to, double time)
{
    return time == 0 ? exactly(c, i, what, to, from) : closely(c, i, what, to, from + time);
}

static orr_status check_lead(ori_stints_checker *c, int64_t i, const orr_stint *before)
{
    const orr_stint *s = &c->s->stints[i];
    bool struck = before->why == ORR_STOP_STRUCK, moved = s->procs != s->from;
    double recovery = struck ? checkpoint_time(c, s->task, s->from) : 0;
    ORI_TRY(check_span(c, i, "end of the downtime", s->start, s->down_until,
                       struck ? c->platform->downtime : 0));
    ORI_TRY(check_span(c, i, "end of the recovery", s->down_until, s->recovered, recovery));
    ORI_TRY(check_span(c, i, "end of the redistribution", s->recovered, s->moved,
                       moved ? move_time(c, s->task, s->from, s->procs) : 0));
    return check_span(c, i, "end of the first checkpoint", s->moved, s->ready,
                      moved ? checkpoint_time(c, s->task, s->procs) : 0);
}

/* Whether all processors of `less` are among the processors of `more`. */
static bool is_part(const ori_stints_checker *c, const orr_stint *less, const orr_stint *more)
{
    const orr_interval *a = c->s->intervals + less->first_interval;
    const orr_interval *b = c->s->intervals + more->first_interval;
    int32_t k = 0;
    for (int32_t n = 0; n < less->interval_count; n++) {
        while (k < more->interval_count && b[k].high < a[n].high)
            k++;
        if (k == more->interval_count || b[k].low > a[n].low)
            return false;
    }
    return true;
}

static orr_status check_next(ori_stints_checker *c, int64_t i, int64_t last)
{
    const orr_stint *s = &c->s->stints[i], *before = &c->s->stints[last];
    if (before->why != ORR_STOP_STRUCK && before->why != ORR_STOP_MOVED)
        return ori_violation(c, i, "the stint of this task before it is %s",
                             ori_stop_name(before->why));
    ORI_TRY(exactly(c, i, "start, where the stint before stopped", s->start, before->stop));
    ORI_TRY(exactly(c, i, "share of the work left", s->alpha, before->alpha_stop));
    ORI_TRY(exactly(c, i, "processors before the redistribution", s->from, before->procs));
    if (s->procs == before->procs)
        ORI_TRY(exactly(c, i, "tau, on the same processors as before", s->period, before->period));
    if (before->why == ORR_STOP_MOVED && s->procs == s->from)
        return ori_violation(c, i,
                             "the stint before stopped for a move, but both have %d processors",
                             (int)s->procs);
    if (s->procs >= before->procs ? !is_part(c, before, s) : !is_part(c, s, before))
        return ori_violation(c, i, "from %d to %d processors: those that both have were changed",
                             (int)before->procs, (int)s->procs);
    return check_lead(c, i, before);
}

/* --- one stint: its work --------------------------------------------------------------------- */

/* C and tau of the stint are now checked up to their last digits. Whole periods are counted with
 * the recorded numbers, so that no count depends on the checker's rounding. */

/* The work done from `ready` to an instant, s; an unfinished checkpoint saves none. */
static double done_at(const orr_stint *s, double instant)
{
    double done = fmax(instant - s->ready, 0); /* a cancelled one may not be ready yet */
    if (!(s->checkpoint > 0))
        return done;
    double complete = floor(done / s->period);
    return fmin(done - complete * s->checkpoint, (complete + 1) * s->work);
}

/* Checks the effects of changes of the work on the stint; *latest becomes the time of the last
 * change. */
static orr_status check_added(ori_stints_checker *c, int64_t i, double time, double *latest)
{
    const orr_stint *s = &c->s->stints[i];
    ori_task_seen *task = &c->task[s->task];
    double added = 0, slack = 0;
    for (int64_t k = 0; k < c->s->change_count; k++) {
        const orr_stints_change *change = &c->s->changes[k];
        if (change->what != ORR_CHANGED_WORK || change->task != s->task ||
            change->stint != task->count + 1)
            continue;
        if (!(change->time >= s->start && change->time <= ori_stop_of(s)))
            return differs(c, i, "its work is changed when it does not run", change->time, s->stop);
        double left = fmax(s->alpha + added - done_at(s, change->time) / time, 0);
        added += (change->factor - 1) * left;
        slack += 1e-12 * (1 + change->factor) * fmax(1, left);
        *latest = change->time;
    }
    task->added += s->added;
    task->slack += slack;
    return fabs(s->added - added) <= slack
               ? ORR_OK
               : differs(c, i, "share of the work that changes added", s->added, added);
}

static orr_status check_completed(ori_stints_checker *c, int64_t i, double time, double latest)
{
    const orr_stint *s = &c->s->stints[i];
    double work = (s->alpha + s->added) * time, checkpoints = 0;
    if (s->checkpoint > 0)
        checkpoints = floor(work / s->work);
    double end = fmax(s->ready + work + checkpoints * s->checkpoint, latest);
    if (!is_near(s->stop, end, s->stop))
        return differs(c, i, "completes at another time than it must", s->stop, end);
    return exactly(c, i, "share of the work left at its completion", s->alpha_stop, 0);
}

static orr_status check_left(ori_stints_checker *c, int64_t i, const char *what, double done)
{
    const orr_stint *s = &c->s->stints[i];
    double left = fmax(s->alpha + s->added - done, 0);
    return is_near(s->alpha_stop, left, fmax(s->alpha + s->added, 1))
               ? ORR_OK
               : differs(c, i, what, s->alpha_stop, left);
}

/* The work that counts after a fault, s: complete periods. Without checkpoints no work counts; with
 * free checkpoints all work counts. */
static double saved_of(const orr_stint *s)
{
    double done = s->stop - s->ready;
    if (!(s->period > 0))
        return done;
    double complete = floor(done / s->period);
    return complete > 0 ? complete * s->work : 0;
}

static orr_status check_work(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    double time = orr_task_time(c->tasks, s->task, s->procs), latest = 0;
    ORI_TRY(check_added(c, i, time, &latest));
    if (s->why == ORR_STOP_RUNNING)
        return ORR_OK;
    if (s->why == ORR_STOP_COMPLETED)
        ORI_TRY(check_completed(c, i, time, latest));
    else if (s->why == ORR_STOP_STRUCK)
        ORI_TRY(check_left(c, i, "share of the work left by a fault", saved_of(s) / time));
    else /* all work counts */
        ORI_TRY(check_left(c, i, "share of the work left at a move", done_at(s, s->stop) / time));
    /* the stint's result of ori_spent_add must agree with the checked share */
    orr_spent one = {0};
    ori_spent_add(&one, s);
    ori_spent_add(&c->spent, s);
    ori_task_seen *task = &c->task[s->task];
    task->share += one.useful / (s->procs * time);
    task->slack += 4 * DBL_EPSILON * s->stop / time;
    return ORR_OK;
}

/* --- all stints ------------------------------------------------------------------------------ */

/* Takes the stint's processors. A stint of length 0 holds none. */
static orr_status hold(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    for (int32_t k = 0; k < s->interval_count && s->start < ori_stop_of(s); k++) {
        orr_interval range = c->s->intervals[s->first_interval + k];
        for (int32_t p = range.low / 2; p <= range.high / 2; p++) {
            ori_pair_seen *pair = &c->pair[p];
            if (pair->there < 2)
                return ori_violation(c, i, "processors %d-%d are not on the machine", (int)(2 * p),
                                     (int)(2 * p + 1));
            if (pair->free_from > s->start)
                return ori_violation(c, i, "processors %d-%d are held by task %s until %.17g",
                                     (int)(2 * p), (int)(2 * p + 1),
                                     orr_tasks_id(c->tasks, c->s->stints[pair->last].task),
                                     pair->free_from);
            c->idle += 2 * (s->start - pair->free_from);
            pair->free_from = ori_stop_of(s);
            pair->last = i;
        }
    }
    return ORR_OK;
}

static orr_status check_stint(ori_stints_checker *c, int64_t i)
{
    ORI_TRY(check_place(c, i));
    ORI_TRY(check_processors(c, i));
    ori_task_seen *task = &c->task[c->s->stints[i].task];
    ORI_TRY(ori_check_processors_until(c, c->s->stints[i].start, i));
    ORI_TRY(task->last < 0 ? check_first(c, i) : check_next(c, i, task->last));
    ORI_TRY(check_costs(c, i));
    ORI_TRY(check_work(c, i));
    task->last = i;
    task->count++;
    return hold(c, i);
}

static orr_status check_task(ori_stints_checker *c, int32_t task)
{
    const ori_task_seen *seen = &c->task[task];
    if (seen->last < 0)
        return c->partial
                   ? ORR_OK
                   : orr_fail(c->err, ORR_ERR_INTERNAL, "stint check: task %s was never started",
                              orr_tasks_id(c->tasks, task));
    orr_stop why = c->s->stints[seen->last].why;
    double left = c->s->stints[seen->last].alpha_stop;
    if (why == ORR_STOP_STRUCK || why == ORR_STOP_MOVED)
        return ori_violation(c, seen->last, "is the task's last, which was not completed");
    double expected = 1 + seen->added - left;
    if (why != ORR_STOP_RUNNING &&
        fabs(seen->share - expected) > 1e-9 * fmax(1, seen->share) + seen->slack)
        return differs(c, seen->last, "useful work of the task, in shares of its work", seen->share,
                       expected);
    return ORR_OK;
}

/* Processor-seconds: the idle ones are counted here pair by pair, the others by the record. */
static orr_status check_sum(ori_stints_checker *c)
{
    double makespan = 0;
    for (int64_t i = 0; i < c->s->count; i++)
        makespan = fmax(makespan, c->s->stints[i].stop);
    for (int32_t p = 0; p < c->pairs; p++)
        c->idle += c->pair[p].there * (makespan - c->pair[p].free_from);
    double sum = c->spent.useful + c->spent.checkpoint + c->spent.lost + c->spent.recovery +
                 c->spent.redistribution + c->idle;
    double whole = c->whole + (double)c->there * (makespan - c->whole_until);
    bool agrees = fabs(sum - whole) <= 1e-9 * whole || !(whole < INFINITY); /* too many to count */
    return agrees ? ORR_OK
                  : orr_fail(c->err, ORR_ERR_INTERNAL,
                             "stint check: processor-seconds of all kinds: found %.17g, expected "
                             "%.17g until %.17g",
                             sum, whole, makespan);
}

/* --------------------------------------------------------------------------------------------- */

static void forget_checker(ori_stints_checker *c)
{
    for (int32_t task = 0; task < c->tasks->count; task++)
        c->task[task] = (ori_task_seen){.last = -1};
    for (int32_t p = 0; p < c->pairs; p++)
        c->pair[p] =
            (ori_pair_seen){.last = -1, .there = 2 * p + 1 < c->s->procs ? 2 : 2 * p < c->s->procs};
    c->there = c->s->procs;
}

static orr_status check_all(ori_stints_checker *c)
{
    forget_checker(c);
    for (int64_t i = 0; i < c->s->count; i++)
        ORI_TRY(check_stint(c, i));
    ORI_TRY(ori_check_processors_until(c, INFINITY, c->s->count));
    ORI_TRY(ori_check_size(c));
    ORI_TRY(ori_check_work_changes(c));
    for (int32_t task = 0; task < c->tasks->count; task++)
        ORI_TRY(check_task(c, task));
    if (!c->partial)
        ORI_TRY(check_sum(c));
    ORI_TRY(ori_check_moves(c));
    if (!c->faults)
        return ORR_OK;
    forget_checker(c);
    return ori_check_faults(c);
}

orr_status orr_check_stints(const orr_tasks *tasks, const orr_resilience *resilience,
                            const orr_stints *stints, const orr_fault *faults, int64_t fault_count,
                            bool partial, orr_error *err)
{
    ori_stints_checker c = {.tasks = tasks,
                            .platform = resilience,
                            .s = stints,
                            .faults = faults,
                            .fault_count = fault_count,
                            .partial = partial,
                            .err = err};
    ORI_TRY(ori_check_changes(&c));
    size_t n = (size_t)stints->count;
    ORI_SCRATCH(&stints->alloc, ORI_ZEROED, err, ORI_PART(c.task, tasks->count),
                ORI_PART(c.pair, c.pairs), ORI_PART(c.instants, n), ORI_PART(c.scratch, n),
                ORI_PART(c.explained, n));
    return check_all(&c);
}
