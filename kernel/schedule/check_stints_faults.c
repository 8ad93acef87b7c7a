/* Checks the causes of the ends of stints: moves at events, and the given faults. Only this part
 * knows the faults. */
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "schedule/check_stints_faults_internal.h"
#include "schedule/check_stints_machine_internal.h"

/* --- events ---------------------------------------------------------------------------------- */

/* After completions and cancellations, and after strikes, the policy may move tasks. */
static void find_instants(ori_stints_checker *c)
{
    int64_t n = c->s->count;
    for (int64_t i = 0; i < n; i++)
        if (c->s->stints[i].why == ORR_STOP_COMPLETED || c->s->stints[i].why == ORR_STOP_CANCELLED)
            c->instants[c->completions++] = c->s->stints[i].stop;
    double *strikes = c->instants + c->completions;
    for (int64_t i = 0; i < n; i++)
        if (c->s->stints[i].why == ORR_STOP_STRUCK)
            strikes[c->strikes++] = c->s->stints[i].stop;
    ori_sort(c->instants, c->completions, sizeof *strikes, ori_is_less, c->scratch);
    ori_sort(strikes, c->strikes, sizeof *strikes, ori_is_less, c->scratch);
}

static bool is_among(const double *times, int64_t count, double time)
{
    int64_t at = 0;
    ORI_BISECT(at, count, middle, times[middle] < time);
    return at < count && times[at] == time;
}

static bool completes_at(const ori_stints_checker *c, double time)
{
    return is_among(c->instants, c->completions, time);
}

orr_status ori_check_moves(ori_stints_checker *c)
{
    find_instants(c);
    for (int64_t i = 0; i < c->s->count; i++) {
        const orr_stint *s = &c->s->stints[i];
        if (s->why == ORR_STOP_MOVED && !completes_at(c, s->stop) &&
            !is_among(c->instants + c->completions, c->strikes, s->stop))
            return ori_violation(c, i,
                                 "is moved when no task completes, is cancelled, or is struck");
    }
    return ORR_OK;
}

/* --- faults ---------------------------------------------------------------------------------- */

static bool holds_processor(const ori_stints_checker *c, const orr_stint *s, int32_t processor)
{
    const orr_interval *range = c->s->intervals + s->first_interval;
    for (int32_t k = 0; k < s->interval_count; k++)
        if (processor >= range[k].low && processor <= range[k].high)
            return true;
    return false;
}

static bool concerns(const ori_stints_checker *c, const orr_fault *fault, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    return fault->task >= 0 ? s->task == fault->task : holds_processor(c, s, fault->processor);
}

static void note_strike(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    c->task[s->task].last = i;
    for (int32_t k = 0; k < s->interval_count; k++) {
        orr_interval range = c->s->intervals[s->first_interval + k];
        for (int32_t p = range.low / 2; p <= range.high / 2; p++)
            c->pair[p].last = i;
    }
}

/* Notes the holders of processors before `time`; gives the first stint that does not start before
 * it. */
static int64_t advance(ori_stints_checker *c, int64_t i, double time)
{
    for (; i < c->s->count && c->s->stints[i].start < time; i++)
        if (c->s->stints[i].start < ori_stop_of(&c->s->stints[i]))
            note_strike(c, i);
    return i;
}

/* The stint that held the fault's processor or task just before its instant; -1 for none. */
static int64_t held_before(const ori_stints_checker *c, const orr_fault *fault)
{
    int32_t pair = fault->processor / 2;
    int64_t i = -1;
    if (fault->task >= 0)
        i = c->task[fault->task].last;
    else if (pair < c->pairs)
        i = c->pair[pair].last;
    return i >= 0 && ori_stop_of(&c->s->stints[i]) >= fault->time ? i : -1;
}

/* Whether the fault may have struck stint i. */
static bool explains(ori_stints_checker *c, const orr_fault *fault, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    if (s->why != ORR_STOP_STRUCK || s->stop != fault->time)
        return false;
    c->explained[i] = true;
    return true;
}

static orr_status missed(ori_stints_checker *c, int64_t i, const orr_fault *fault)
{
    bool named = fault->task >= 0;
    return ori_violation(c, i, "ready since %.17g, was not struck by the fault at %.17g on %s %d",
                         c->s->stints[i].ready, fault->time, named ? "task" : "processor",
                         named ? (int)fault->task : (int)fault->processor);
}

static bool cancels_at(const ori_stints_checker *c, double time)
{
    for (int64_t i = 0; i < c->s->count; i++)
        if (c->s->stints[i].why == ORR_STOP_CANCELLED && c->s->stints[i].stop == time)
            return true;
    return false;
}

/* Checks a fault that struck no task. A stint that began at its instant may have begun after it,
 * unless it is the last fault of the instant and no task was submitted or cancelled thereafter; one
 * that was moved there may have been moved before it, by a completion or an earlier fault. */
static orr_status check_absorbed(ori_stints_checker *c, int64_t f, int64_t before, int64_t from)
{
    const orr_fault *fault = &c->faults[f];
    double time = fault->time;
    bool first = f == 0 || c->faults[f - 1].time < time;
    bool last = f + 1 == c->fault_count || c->faults[f + 1].time > time;
    if (before >= 0 && c->s->stints[before].ready <= time) {
        const orr_stint *s = &c->s->stints[before];
        bool before_it = s->why == ORR_STOP_MOVED && first && !completes_at(c, time);
        if (ori_stop_of(s) > time || before_it)
            return missed(c, before, fault);
    }
    for (int64_t i = from; i < c->s->count && c->s->stints[i].start == time; i++) {
        const orr_stint *s = &c->s->stints[i];
        if (!(concerns(c, fault, i) && ori_stop_of(s) > time && s->ready <= time && last))
            continue;
        /* submissions and cancellations come after all other events of the instant */
        const orr_stints_change *submission = ori_submission_of(c, s->task);
        if (!cancels_at(c, time) && !(submission && submission->time == time))
            return missed(c, i, fault);
    }
    return ORR_OK;
}

static orr_status check_fault(ori_stints_checker *c, int64_t f, int64_t from)
{
    const orr_fault *fault = &c->faults[f];
    int64_t before = held_before(c, fault);
    bool struck = before >= 0 && explains(c, fault, before);
    for (int64_t i = from; i < c->s->count && c->s->stints[i].start == fault->time; i++)
        if (concerns(c, fault, i) && explains(c, fault, i))
            struck = true;
    return struck ? ORR_OK : check_absorbed(c, f, before, from);
}

static bool is_fault(const ori_stints_checker *c, int64_t f)
{
    const orr_fault *fault = &c->faults[f];
    bool named = fault->task >= 0 && fault->task < c->tasks->count;
    bool placed = fault->task < 0 && fault->processor >= 0 && fault->processor < c->procs;
    return (named || placed) && (f == 0 ? fault->time >= 0 : fault->time >= fault[-1].time);
}

/* Several faults of one instant may explain the same strike, since the record does not have the
 * order within an instant; there must be as many faults as strikes. */
static orr_status check_count(ori_stints_checker *c, int64_t *strike, int64_t f)
{
    const double *strikes = c->instants + c->completions, time = c->faults[f].time;
    int64_t first = f, struck = 0;
    if (f + 1 < c->fault_count && c->faults[f + 1].time == time)
        return ORR_OK;
    while (first > 0 && c->faults[first - 1].time == time)
        first--;
    for (; *strike < c->strikes && strikes[*strike] <= time; (*strike)++)
        struck += strikes[*strike] == time;
    if (struck <= f + 1 - first)
        return ORR_OK;
    return orr_fail(c->err, ORR_ERR_INTERNAL,
                    "stint check: %lld strikes at %.17g, where there are %lld faults",
                    (long long)struck, time, (long long)(f + 1 - first));
}

orr_status ori_check_faults(ori_stints_checker *c)
{
    int64_t from = 0, strike = 0;
    /* the holders before the first event */
    for (int64_t i = 0; i < c->s->count && c->s->stints[i].start == 0; i++)
        if (c->task[c->s->stints[i].task].last < 0 && !ori_submission_of(c, c->s->stints[i].task))
            note_strike(c, i);
    for (int64_t f = 0; f < c->fault_count; f++) {
        if (!is_fault(c, f))
            return orr_fail(c->err, ORR_ERR_INTERNAL,
                            "stint check: fault %lld at %.17g is out of order, or names nothing "
                            "that there is",
                            (long long)f, c->faults[f].time);
        from = advance(c, from, c->faults[f].time);
        ORI_TRY(check_fault(c, f, from));
        ORI_TRY(check_count(c, &strike, f));
    }
    for (int64_t i = 0; i < c->s->count; i++)
        if (c->s->stints[i].why == ORR_STOP_STRUCK && !c->explained[i])
            return ori_violation(c, i, "is struck, but there is no such fault");
    return ORR_OK;
}
