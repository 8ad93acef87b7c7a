/* The checker of schedules of jobs: it knows the instance and the record, and nothing of the
 * engines. The record of malleable tasks has a checker of its own (check_stints.c). */
#include "schedule/check.h"
#include "schedule/check_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/lanes_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "schedule/check_checkpoints_internal.h"
#include "schedule/check_limits_internal.h"
#include "schedule/check_nodes_internal.h"
#include "schedule/check_violation_internal.h"
#include "workload/links_internal.h"
#include "workload/nodes_internal.h"
#include "workload/window_internal.h"

#include <math.h>

/* From which attempt on a job was cancelled from outside. */
static int64_t gone_from(const ori_checker *c, int32_t job)
{
    return c->gone ? c->gone[job] : INT64_MAX;
}

/* The end of a job that other jobs come after; inf: it is not over. */
static double end_of(const ori_checker *c, int32_t job)
{
    int64_t last = c->last[job];
    if (last >= 0 && !ori_waits_again(c->s, &c->s->attempts[last]))
        return c->s->attempts[last].end;
    for (int64_t k = 0; gone_from(c, job) < INT64_MAX && k < c->s->withdrawal_count; k++)
        if (c->s->withdrawals[k].job == job)
            return c->s->withdrawals[k].time;
    return INFINITY;
}

/* READINGS 41: a job is submitted when all that it comes after are over, or the first of them where
 * one is enough, and their think times. */
static orr_status check_links(ori_checker *c, int64_t i)
{
    const ori_links *links = c->in->links;
    int32_t job = c->s->attempts[i].job;
    if (!links || !ori_is_linked(links, job))
        return ORR_OK;
    double due = links->any[job] ? INFINITY : 0;
    for (int32_t k = links->first_before[job]; k < links->first_before[job + 1]; k++) {
        double after = ori_link_due(c->in, job, links->think[k], end_of(c, links->before[k]));
        due = (after < due) == links->any[job] ? after : due;
    }
    return ori_check_exactly(
        c, i, "is submitted when the jobs that it comes after do not say; submission",
        c->in->submit[job], due);
}

static orr_status check_sequence(ori_checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (i >= gone_from(c, a->job))
        return ori_check_violation(c, i, "starts after its job was cancelled; the attempts before",
                                   (double)i, (double)gone_from(c, a->job));
    if (i > 0 && a->start < c->s->attempts[i - 1].start)
        return ori_check_violation(c, i, "starts before the attempt recorded before it", a->start,
                                   c->s->attempts[i - 1].start);
    if (!(a->start >= c->in->submit[a->job]))
        return ori_check_violation(c, i, "starts before its submission", a->start,
                                   c->in->submit[a->job]);
    ORI_TRY(check_links(c, i));
    int64_t before = c->last[a->job];
    if (before == ORI_FORGOTTEN)
        return ori_check_violation(c, i, "starts again although its job is over", NAN, NAN);
    int32_t number = before < 0 ? 1 : c->s->attempts[before].number + 1;
    ORI_TRY(ori_check_exactly(c, i, "number of the attempt", a->number, number));
    if (before < 0)
        return ORR_OK;
    const orr_attempt *b = &c->s->attempts[before];
    if (!ori_waits_again(c->s, b))
        return ori_check_violation(c, i, "starts again although its job is over; the last end",
                                   b->end, NAN);
    if (!(a->start >= b->end))
        return ori_check_violation(c, i, "starts before the end of the attempt before", a->start,
                                   b->end);
    if (a->terms != 0 && a->terms < b->terms)
        return ori_check_violation(c, i, "runs by older numbers than the attempt before", a->terms,
                                   b->terms);
    return ORR_OK;
}

/* Whether planners knew the outage beforehand: it is a window. check_windows checks windows. */
static bool was_known(const orr_recorded_outage *o)
{
    return o->kind == ORR_OUTAGE_WINDOW || o->kind == ORR_OUTAGE_RESERVED;
}

/* Notes the ends of attempts from `from` on that failed or were put back, and unannounced outages.
 * Of what was noted before, and was over when this attempt started, the last one alone can matter
 * to it and to those behind it. */
static orr_status note_setbacks(ori_checker *c, int64_t from)
{
    const orr_schedule *s = c->s;
    int64_t past = 0, wanted = c->setback_count + s->outage_count - c->noted;
    for (int64_t i = from; i < s->count; i++)
        wanted += ori_waits_again(s, &s->attempts[i]);
    ORI_TRY(ORI_RESERVE(&s->alloc, &c->setbacks, &c->setback_capacity, wanted, c->err));
    if (from < s->count)
        ORI_BISECT(past, c->setback_count, middle, c->setbacks[middle] <= s->attempts[from].start)
    if (past > 1) {
        c->setback_count -= past - 1;
        memmove(c->setbacks, c->setbacks + past - 1,
                (size_t)c->setback_count * sizeof *c->setbacks);
    }
    for (int64_t i = from; i < s->count; i++)
        if (ori_waits_again(s, &s->attempts[i]))
            c->setbacks[c->setback_count++] = s->attempts[i].end;
    for (; c->noted < s->outage_count; c->noted++)
        if (!was_known(&s->outages[c->noted]))
            c->setbacks[c->setback_count++] = s->outages[c->noted].outage.time;
    return ORI_SORT(c->setbacks, c->setback_count, ori_is_less, &s->alloc, c->err);
}

/* Notes the changes of what is shared, in order of time, which may break promises, too. */
static orr_status note_turns(ori_checker *c)
{
    ORI_TRY(
        ORI_RESERVE(&c->s->alloc, &c->setbacks, &c->setback_capacity, c->in->turn_count, c->err));
    for (int32_t i = 0; i < c->in->turn_count; i++)
        if (c->in->turns[i].attempts >= 0)
            c->setbacks[c->setback_count++] = c->in->turns[i].time;
    return ORR_OK;
}

/* READINGS 34: an attempt may start later than its job was promised only after a setback. */
static orr_status check_promise(ori_checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (!(a->start > a->promised) || a->excused)
        return ORR_OK;
    int64_t before = c->last[a->job], at = 0;
    double since = before < 0 ? c->in->submit[a->job] : c->s->attempts[before].end;
    ORI_BISECT(at, c->setback_count, middle, c->setbacks[middle] < since)
    bool set_back = at < c->setback_count && c->setbacks[at] <= a->start;
    return set_back ? ORR_OK
                    : ori_check_violation(c, i, "starts after its promise", a->start, a->promised);
}

static bool overlaps(const ori_checker *c, const orr_attempt *a, const orr_outage *o)
{
    for (int32_t i = 0; i < a->interval_count; i++) {
        orr_interval range = c->s->intervals[a->first_interval + i];
        if (range.low < o->first + o->count && range.high >= o->first)
            return true;
    }
    return false;
}

static bool meets(const ori_checker *c, const orr_attempt *a, const orr_window *w)
{
    const orr_outage where = {.first = w->first, .count = w->count};
    return !w->lets_end && overlaps(c, a, &where) && !ori_window_admits(w, c->in->jobs, a->job);
}

/* No attempt runs where a window is that does not admit it; it may end when that opens. */
static orr_status check_windows(ori_checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    bool runs = a->outcome == ORR_RUNNING; /* so far; its planned end may lie behind */
    for (int64_t k = 0; k < c->s->window_count && c->s->windows[k].from <= a->end; k++) {
        const orr_window *w = &c->s->windows[k];
        double end = runs ? a->start : a->end;
        if (orr_window_meets(w, a->start, end) && meets(c, a, w))
            return ori_check_violation(c, i, "runs on processors of a window; it begins", a->start,
                                       w->from);
    }
    return ORR_OK;
}

/* Whether an opening window ended an attempt. */
static bool is_closed_out(const ori_checker *c, const orr_attempt *a)
{
    int64_t at = 0;
    ORI_BISECT(at, c->s->window_count, middle, c->s->windows[middle].from < a->end)
    for (; at < c->s->window_count && c->s->windows[at].from == a->end; at++)
        if (meets(c, a, &c->s->windows[at]))
            return true;
    return false;
}

/* Whether a node's failure, or an opening window, ended an attempt. */
static bool is_struck(const ori_checker *c, const orr_attempt *a)
{
    if (is_closed_out(c, a))
        return true;
    const orr_recorded_outage *outages = c->s->outages;
    int64_t at = 0;
    ORI_BISECT(at, c->s->outage_count, middle, outages[middle].outage.time < a->end);
    for (; at < c->s->outage_count && outages[at].outage.time == a->end; at++)
        if (outages[at].kind == ORR_OUTAGE_FAILURE && overlaps(c, a, &outages[at].outage))
            return true;
    return false;
}

/* The end of an attempt without interruption, and its planned end. */
static orr_status find_ends(const ori_checker *c, int64_t i, ori_check_ends *ends)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (c->s->checkpointed)
        return ori_check_checkpoints(c, i, ends);
    orr_terms t = orr_attempt_terms(c->in, c->s, a);
    ends->real = orr_end_by(a->start, t.time, t.estimate, c->in->verification);
    ends->planned = orr_planned_end(c->in, a->job, a->start);
    return ORR_OK;
}

static orr_status check_interrupted(ori_checker *c, int64_t i, double natural)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (!(a->end >= a->start))
        return ori_check_violation(c, i, "ends before its start", a->end, a->start);
    if (!(a->end <= natural))
        return ori_check_violation(c, i, "ends later than it must", a->end, natural);
    if (a->outcome == ORR_NODE_FAILED && !is_struck(c, a))
        return ori_check_violation(c, i, "none of its processors fails at its end", a->end, NAN);
    return ORR_OK;
}

static orr_status check_end(ori_checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (a->terms < 0 || a->terms > (a->outcome == ORR_RUNNING ? 0 : c->s->term_count))
        return ori_check_violation(c, i, "runs by numbers that there are not", a->terms,
                                   (double)c->s->term_count);
    ori_check_ends ends;
    ORI_TRY(find_ends(c, i, &ends));
    if (a->outcome == ORR_RUNNING && !c->partial)
        return ori_check_violation(c, i, "is still running at the end of the run", a->end,
                                   ends.planned);
    if (a->outcome == ORR_RUNNING && c->s->estimated && a->end >= a->start && a->end < ends.planned)
        return ORR_OK;
    if (a->outcome == ORR_RUNNING)
        return ori_check_exactly(c, i, "planned end", a->end, ends.planned);
    if (a->outcome == ORR_PREEMPTED || a->outcome == ORR_CANCELLED || a->outcome == ORR_NODE_FAILED)
        return check_interrupted(c, i, ends.real);
    ORI_TRY(ori_check_exactly(c, i, "ends at another time than it must", a->end, ends.real));
    orr_terms terms = orr_attempt_terms(c->in, c->s, a);
    bool killed = terms.time > (c->asked ? c->asked[a->job] : 0) + terms.estimate;
    bool fails = !killed && c->failures && c->failed[a->job] < c->failures[a->job];
    orr_outcome expected = killed ? ORR_KILLED : fails ? ORR_FAILED : ORR_COMPLETED;
    ORI_TRY(
        ori_check_exactly(c, i, "outcome (1 completed, 2 failed, 3 killed)", a->outcome, expected));
    if (fails)
        c->failed[a->job]++;
    return ORR_OK;
}

/* Whether one of these processors is held or out after `time`. */
static bool are_busy(const ori_checker *c, orr_interval range, double time)
{
    int32_t count = range.high - range.low + 1;
    return ori_any_above(c->held_until + range.low, count, time) ||
           (c->outages > 0 && (ori_any_above(c->failed_until + range.low, count, time) ||
                               ori_any_above(c->away_until + range.low, count, time)));
}

static orr_status check_interval(ori_checker *c, int64_t i, orr_interval range)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (ORR_LIKELY(!are_busy(c, range, a->start))) { /* else the loop says which one, and why */
        ori_fill_real(c->held_until + range.low, range.high - range.low + 1, a->end);
        return ORR_OK;
    }
    for (int32_t p = range.low; p <= range.high; p++) {
        if (c->held_until[p] > a->start)
            return ori_check_violation(c, i, "one of its processors is held until",
                                       c->held_until[p], a->start);
        double failed = c->failed_until[p], away = c->away_until[p];
        double out_until = away > failed ? away : failed;
        if (out_until > a->start)
            return ori_check_violation(c, i, "one of its processors is out until", out_until,
                                       a->start);
    }
    return ORR_OK;
}

/* Checks whole nodes: every run has whole nodes, except at the end of the last run. All runs begin
 * where a node begins, so no node is shared. */
static orr_status check_nodes(ori_checker *c, int64_t i, const orr_processor_group *g)
{
    const orr_attempt *a = &c->s->attempts[i];
    for (int32_t k = 0; k < a->interval_count; k++) {
        orr_interval range = c->s->intervals[a->first_interval + k];
        int32_t behind = range.high + 1;
        if (range.low % g->node_procs != 0)
            return ori_check_violation(c, i, "begins inside a node, with processor", range.low,
                                       range.low - range.low % g->node_procs);
        if (k + 1 < a->interval_count && behind % g->node_procs != 0)
            return ori_check_violation(c, i, "leaves a part of a node, from processor", behind,
                                       range.high);
    }
    return ORR_OK;
}

/* READINGS 46. The choice of a policy's own function is checked when it is made. */
static orr_status check_place(ori_checker *c, int64_t i, const orr_processor_group *g)
{
    const orr_attempt *a = &c->s->attempts[i];
    if (g->place == ORR_PLACE_CONTIGUOUS)
        return ori_check_exactly(c, i, "runs of processors, which have to be neighbours",
                                 a->interval_count, 1);
    return g->place == ORR_PLACE_NODES ? check_nodes(c, i, g) : ORR_OK;
}

static orr_status check_processors(ori_checker *c, int64_t i)
{
    const orr_attempt *a = &c->s->attempts[i];
    const orr_processor_group *g = orr_schedule_group(c->s, i);
    if (!g)
        return ori_check_violation(c, i, "runs in a group that there is not", a->group,
                                   c->s->group_count - 1);
    int64_t held = 0;
    int32_t next = g->first;
    for (int32_t k = 0; k < a->interval_count; k++) {
        orr_interval range = c->s->intervals[a->first_interval + k];
        if (range.low < next || range.high < range.low || range.high >= g->first + g->procs)
            return ori_check_violation(c, i, "processors out of order or not of its group",
                                       range.low, next);
        ORI_TRY(check_interval(c, i, range));
        next = range.high + 1;
        held += range.high - range.low + 1;
    }
    ORI_TRY(check_place(c, i, g));
    return ori_check_exactly(c, i, "number of processors", (double)held,
                             c->in->jobs->procs[a->job]);
}

static orr_status outage_violation(ori_checker *c, const orr_recorded_outage *r, int32_t p,
                                   const char *why)
{
    static const char *const what[] = {"fails",    "is drained", "is back",
                                       "is added", "is closed",  "is reserved"};
    return orr_fail(c->err, ORR_ERR_INTERNAL, "schedule check: processor %d %s at %.17g and %s",
                    (int)p, what[r->kind], r->outage.time, why);
}

static orr_status check_outage(ori_checker *c, const orr_recorded_outage *r)
{
    const orr_outage *o = &r->outage;
    for (int32_t p = o->first; p < o->first + o->count; p++) {
        if (p < 0 || p >= c->in->procs)
            return outage_violation(c, r, p, "is not on the machine");
        if (was_known(r))
            continue;
        if (c->held_until[p] > o->time)
            return outage_violation(c, r, p, "is held for longer");
        if (r->kind == ORR_OUTAGE_ADDED && c->held_until[p] > -INFINITY)
            return outage_violation(c, r, p, "was held before");
        if (r->kind == ORR_OUTAGE_FAILURE)
            c->failed_until[p] = fmax(c->failed_until[p], o->repaired);
        else
            c->away_until[p] = r->kind == ORR_OUTAGE_BACK ? o->time : o->repaired;
    }
    return ORR_OK;
}

/* The outages before attempt i. */
static orr_status check_outages(ori_checker *c, int64_t i)
{
    for (; c->outages < c->s->outage_count; c->outages++) {
        const orr_recorded_outage *o = &c->s->outages[c->outages];
        if (o->attempts > i)
            break;
        ORI_TRY(check_outage(c, o));
    }
    return ORR_OK;
}

/* Notes the jobs that were cancelled from outside, and how. */
static orr_status note_withdrawals(ori_checker *c)
{
    const ori_part parts[] = {ORI_PART(c->gone, c->in->count)};
    if (c->s->withdrawal_count == 0)
        return ORR_OK;
    ORI_TRY(ORI_BLOCK_CREATE(&c->gone_block, parts, ORI_RAW, &c->s->alloc, c->err));
    for (int32_t j = 0; j < c->in->count; j++)
        c->gone[j] = INT64_MAX;
    for (int64_t i = 0; i < c->s->withdrawal_count; i++) {
        const orr_withdrawal *w = &c->s->withdrawals[i];
        if (w->job < 0 || w->job >= c->in->count || c->gone[w->job] < INT64_MAX ||
            c->last[w->job] == ORI_FORGOTTEN)
            return orr_fail(c->err, ORR_ERR_INTERNAL,
                            "schedule check: job number %d, cancelled at %.17g, is none, or is "
                            "over, or was cancelled before",
                            (int)w->job, w->time);
        c->gone[w->job] = w->attempts;
    }
    return ORR_OK;
}

static orr_status check_withdrawals(ori_checker *c)
{
    for (int64_t i = 0; i < c->s->withdrawal_count; i++) {
        const orr_withdrawal *w = &c->s->withdrawals[i];
        int64_t last = c->last[w->job];
        if (last < 0)
            continue;
        const orr_attempt *a = &c->s->attempts[last];
        bool waited = ori_waits_again(c->s, a) && a->end <= w->time;
        if (!waited && !(a->outcome == ORR_CANCELLED && a->end == w->time))
            return ori_check_violation(
                c, last, "its job is cancelled, and this is not its end; the end", a->end, w->time);
    }
    return ORR_OK;
}

/* Pools, limits and nodes, which attempts share until their ends. */
static orr_status check_shared(ori_checker *c)
{
    const int64_t count = c->s->count;
    ori_ended *ends, *scratch;
    if (c->in->pool_count + c->in->limit_count == 0 && !ori_nodes_of(c->in))
        return ORR_OK;
    ORI_SCRATCH(&c->s->alloc, ORI_RAW, c->err, ORI_PART(ends, count), ORI_PART(scratch, count));
    for (int64_t i = 0; i < count; i++) {
        const orr_attempt *a = &c->s->attempts[i];
        ends[i] = (ori_ended){a->outcome == ORR_RUNNING ? INFINITY : a->end, i};
    }
    ori_sort(ends, count, sizeof *ends, ori_is_less, scratch);
    ORI_TRY(ori_check_limits(c, ends));
    return ori_nodes_of(c->in) ? ori_check_nodes(c, ends) : ORR_OK;
}

static orr_status check_complete(ori_checker *c)
{
    for (int32_t j = 0; j < c->in->count && !c->partial; j++) {
        if (gone_from(c, j) < INT64_MAX || c->last[j] == ORI_FORGOTTEN)
            continue;
        if (c->last[j] < 0)
            return orr_fail(c->err, ORR_ERR_INTERNAL, "schedule check: job %s was never started",
                            orr_jobs_id(c->in->jobs, j));
        if (ori_waits_again(c->s, &c->s->attempts[c->last[j]]))
            return ori_check_violation(c, c->last[j], "was interrupted and never started again", 0,
                                       1);
    }
    return ORR_OK;
}

/* --- the whole, or piece by piece ------------------------------------------------------------- */

orr_status ori_check_begin(ori_checker *c)
{
    const orr_schedule *s = c->s;
    int32_t jobs = c->in->count, procs = c->in->procs;
    const ori_part parts[] = {
        ORI_PART(c->last, jobs),
        ORI_PART(c->held_until, procs),
        ORI_PART(c->failed_until, procs),
        ORI_PART(c->away_until, procs),
        ORI_PART_IF(s->checkpointed, c->asked, jobs),
        ORI_PART_IF(c->failures, c->failed, jobs),
    };
    ORI_TRY(ORI_BLOCK_CREATE(&c->block, parts, ORI_ZEROED, &s->alloc, c->err));
    for (int32_t j = 0; j < jobs; j++)
        c->last[j] = -1;
    for (int32_t p = 0; p < procs; p++)
        c->held_until[p] = c->failed_until[p] = c->away_until[p] = -INFINITY;
    return note_turns(c);
}

orr_status ori_check_attempts(ori_checker *c, int64_t from, int64_t until)
{
    ORI_TRY(note_setbacks(c, from));
    for (int64_t i = from; i < until; i++) {
        ORI_TRY(check_outages(c, i));
        ORI_TRY(check_sequence(c, i));
        ORI_TRY(check_promise(c, i));
        ORI_TRY(check_end(c, i));
        ORI_TRY(check_windows(c, i));
        ORI_TRY(check_processors(c, i));
        const orr_attempt *a = &c->s->attempts[i];
        c->last[a->job] = i;
        if (a->outcome == ORR_KILLED && ori_waits_again(c->s, a))
            c->asked[a->job] = c->s->checkpoints[i].kept;
    }
    return ORR_OK;
}

void ori_check_forget(ori_checker *c, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        c->last[c->s->attempts[i].job] = ORI_FORGOTTEN;
}

void ori_check_remember(ori_checker *c, int64_t left)
{
    for (int64_t i = 0; i < left; i++)
        c->last[c->s->attempts[i].job] = i;
}

orr_status ori_check_rest(ori_checker *c, int64_t from)
{
    ORI_TRY(note_withdrawals(c));
    ORI_TRY(ori_check_attempts(c, from, c->s->count));
    ORI_TRY(check_outages(c, c->s->count));
    ORI_TRY(check_withdrawals(c));
    ORI_TRY(check_shared(c));
    return check_complete(c);
}

void ori_check_end(ori_checker *c)
{
    ori_block_destroy(&c->block, &c->s->alloc);
    ori_block_destroy(&c->gone_block, &c->s->alloc);
    ORI_FREE(&c->s->alloc, &c->setbacks, &c->setback_capacity);
}

orr_status orr_check_schedule(const orr_instance *in, const orr_schedule *schedule,
                              const int32_t *failures, const uint8_t *submitted, orr_error *err)
{
    ori_checker c = {.in = in,
                     .s = schedule,
                     .failures = failures,
                     .submitted = submitted,
                     .partial = submitted,
                     .err = err};
    orr_status status = ori_check_begin(&c);
    if (status == ORR_OK)
        status = ori_check_rest(&c, 0);
    ori_check_end(&c);
    return status;
}
