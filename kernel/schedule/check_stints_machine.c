/* The processors of a machine whose size changes; and the messages of broken rules for all parts of
 * the checker of stints, since all parts use this one. */
#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "schedule/check_stints_machine_internal.h"

/* --- objections ------------------------------------------------------------------------------- */

const char *ori_stop_name(orr_stop why)
{
    static const char *const names[] = {"running", "completed", "struck", "moved", "cancelled"};
    return (unsigned)why < 5 ? names[why] : "unknown";
}

orr_status ori_about_stint(ori_stints_checker *c, int64_t i)
{
    const orr_stint *s = &c->s->stints[i];
    bool known = s->task >= 0 && s->task < c->tasks->count;
    orr_error_prefix(c->err, "stint check: task %s, stint %lld from %.17g to %.17g (%s)",
                     known ? orr_tasks_id(c->tasks, s->task) : "?", (long long)i, s->start, s->stop,
                     ori_stop_name(s->why));
    return ORR_ERR_INTERNAL;
}

orr_status ori_about_change(ori_stints_checker *c, int64_t k)
{
    orr_error_prefix(c->err, "stint check: change %lld at %.17g", (long long)k,
                     c->s->changes[k].time);
    return ORR_ERR_INTERNAL;
}

/* --- each change ------------------------------------------------------------------------------ */

const orr_stints_change *ori_submission_of(const ori_stints_checker *c, int32_t task)
{
    for (int64_t k = 0; k < c->s->change_count; k++)
        if (c->s->changes[k].what == ORR_CHANGED_SUBMIT && c->s->changes[k].task == task)
            return &c->s->changes[k];
    return NULL;
}

static orr_status check_change(ori_stints_checker *c, int64_t k)
{
    const orr_stints_change *change = &c->s->changes[k];
    double before = k > 0 ? change[-1].time : 0;
    bool of_task = change->what == ORR_CHANGED_SUBMIT || change->what == ORR_CHANGED_WORK;
    if (!(change->time >= before && change->time < INFINITY))
        return ori_objection(c, k, "it comes before the one in front of it");
    if (of_task && (change->task < 0 || change->task >= c->tasks->count))
        return ori_objection(c, k, "there is no task at position %d", (int)change->task);
    if (change->what == ORR_CHANGED_SUBMIT && ori_submission_of(c, change->task) != change)
        return ori_objection(c, k, "the task is submitted twice");
    if (change->what == ORR_CHANGED_WORK && !(change->factor > 0 && change->factor < INFINITY))
        return ori_objection(c, k, "the factor %.17g is out of range", change->factor);
    if (change->what == ORR_CHANGED_SIZE && change->procs < 0)
        return ori_objection(c, k, "%d processors", (int)change->procs);
    return ORR_OK;
}

/* Processors come and go one by one or in whole pairs; they come behind the last, without a gap. */
static orr_status check_range(ori_stints_checker *c, int64_t k)
{
    const orr_stints_change *change = &c->s->changes[k];
    orr_interval range = change->processors;
    int32_t most = change->what == ORR_CHANGED_COMES ? c->procs : c->procs - 1;
    bool one_pair = range.low / 2 == range.high / 2;
    if (range.low < 0 || range.high < range.low || !one_pair || range.low > most)
        return ori_objection(c, k,
                             "processors %d-%d cannot come or leave together, or are too far out",
                             (int)range.low, (int)range.high);
    c->procs = range.high >= c->procs ? range.high + 1 : c->procs;
    return ORR_OK;
}

/* The number of processors that come with the change; negative where they leave. */
static int32_t coming(const orr_stints_change *change)
{
    int32_t count = change->processors.high - change->processors.low + 1;
    return change->what == ORR_CHANGED_COMES    ? count
           : change->what == ORR_CHANGED_LEAVES ? -count
                                                : 0;
}

orr_status ori_check_changes(ori_stints_checker *c)
{
    c->procs = c->s->procs;
    for (int64_t k = 0; k < c->s->change_count; k++) {
        ORI_TRY(check_change(c, k));
        orr_stints_what what = c->s->changes[k].what;
        if (what == ORR_CHANGED_LEAVES || what == ORR_CHANGED_COMES)
            ORI_TRY(check_range(c, k));
    }
    c->pairs = (c->procs + 1) / 2;
    return ORR_OK;
}

/* --- in order of time ------------------------------------------------------------------------- */

static bool starts_on(const ori_stints_checker *c, int64_t next, double time, int32_t pair)
{
    for (int64_t i = next; i < c->s->count && c->s->stints[i].start == time; i++) {
        const orr_stint *s = &c->s->stints[i];
        for (int32_t n = 0; n < s->interval_count; n++) {
            orr_interval range = c->s->intervals[s->first_interval + n];
            if (2 * pair >= range.low && 2 * pair < range.high)
                return true;
        }
    }
    return false;
}

/* A pair with a higher number that was free before the instant and after it ought to have left. */
static orr_status check_highest(ori_stints_checker *c, int64_t k, int64_t next)
{
    const orr_stints_change *change = &c->s->changes[k];
    for (int32_t p = change->processors.low / 2 + 1; p < c->pairs; p++)
        if (c->pair[p].there == 2 && c->pair[p].free_from < change->time &&
            !starts_on(c, next, change->time, p))
            return ori_objection(c, k, "processors %d-%d leave, while %d-%d are free",
                                 (int)change->processors.low, (int)change->processors.high,
                                 (int)(2 * p), (int)(2 * p + 1));
    return ORR_OK;
}

static orr_status come_or_leave(ori_stints_checker *c, int64_t k, int64_t next)
{
    const orr_stints_change *change = &c->s->changes[k];
    int32_t low = change->processors.low, high = change->processors.high, count = coming(change);
    ori_pair_seen *pair = &c->pair[low / 2];
    /* of a pair the first processor stays alone when the second leaves, and the second comes back
     * to it */
    int32_t before = (count < 0 ? -count : 0) + low % 2;
    if (pair->there != before)
        return ori_objection(c, k, "processors %d-%d %s, of which %d are there", (int)low,
                             (int)high, count < 0 ? "leave" : "come", (int)pair->there);
    if (pair->free_from > change->time)
        return ori_objection(c, k, "processors %d-%d are held by task %s until %.17g", (int)low,
                             (int)high, orr_tasks_id(c->tasks, c->s->stints[pair->last].task),
                             pair->free_from);
    if (count == -2)
        ORI_TRY(check_highest(c, k, next));
    c->idle += pair->there * (change->time - pair->free_from);
    pair->free_from = change->time;
    pair->there += count;
    c->whole += (double)c->there * (change->time - c->whole_until);
    c->whole_until = change->time;
    c->there += count;
    return ORR_OK;
}

orr_status ori_check_processors_until(ori_stints_checker *c, double time, int64_t next)
{
    for (; c->change < c->s->change_count; c->change++) {
        const orr_stints_change *change = &c->s->changes[c->change];
        if (change->time > time)
            break;
        if (coming(change) != 0)
            ORI_TRY(come_or_leave(c, c->change, change->time == time ? next : c->s->count));
    }
    return ORR_OK;
}

orr_status ori_check_work_changes(ori_stints_checker *c)
{
    for (int64_t k = 0; k < c->s->change_count; k++) {
        const orr_stints_change *change = &c->s->changes[k];
        if (change->what == ORR_CHANGED_WORK &&
            (change->stint < 1 || change->stint > c->task[change->task].count))
            return ori_objection(c, k, "task %s has no stint %lld",
                                 orr_tasks_id(c->tasks, change->task), (long long)change->stint);
    }
    return ORR_OK;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* From `time` on, `held` more processors are held and `there` more exist; `size` is the size asked
 * for. */
typedef struct step {
    double time; /* first: the key */
    int32_t held, there;
    int32_t size;   /* -1: as before */
    int64_t growth; /* the stint of a task that gets more processors than it had; -1: none */
} step;

static bool grows(const ori_stints_checker *c, const orr_stint *s)
{
    const orr_stints_change *submission = ori_submission_of(c, s->task);
    bool first = submission && submission->time == s->start && s->from == s->procs &&
                 s->alpha == 1 && s->ready == s->start;
    return s->procs > s->from || first;
}

static int64_t list_steps(const ori_stints_checker *c, step *steps)
{
    int64_t n = 0;
    for (int64_t i = 0; i < c->s->count; i++) {
        const orr_stint *s = &c->s->stints[i];
        if (!(s->start < ori_stop_of(s)))
            continue; /* holds nothing */
        steps[n++] = (step){s->start, s->procs, 0, -1, grows(c, s) ? i : -1};
        if (s->why != ORR_STOP_RUNNING)
            steps[n++] = (step){s->stop, -s->procs, 0, -1, -1};
    }
    for (int64_t k = 0; k < c->s->change_count; k++) {
        const orr_stints_change *change = &c->s->changes[k];
        bool sizes = change->what == ORR_CHANGED_SIZE;
        if (sizes || coming(change) != 0)
            steps[n++] = (step){change->time, 0, coming(change), sizes ? change->procs : -1, -1};
    }
    return n;
}

/* Checks the end of every instant. Within an instant the size may change after a task got more; the
 * last change of the size counts, in the order of the record. */
static orr_status check_steps(ori_stints_checker *c, const step *steps, int64_t n)
{
    int64_t held = 0, there = c->s->procs, size = c->s->procs;
    for (int64_t k = 0; k < n;) {
        double time = steps[k].time;
        int64_t growth = -1, largest = size;
        for (; k < n && steps[k].time == time; k++) {
            held += steps[k].held;
            there += steps[k].there;
            size = steps[k].size >= 0 ? steps[k].size : size;
            largest = size > largest ? size : largest;
            growth = steps[k].growth >= 0 ? steps[k].growth : growth;
        }
        if (growth >= 0 && held > largest)
            return ori_violation(c, growth,
                                 "gets processors while tasks hold %lld on a machine of %lld",
                                 (long long)held, (long long)largest);
        if (there != (held > size ? held : size))
            return orr_fail(c->err, ORR_ERR_INTERNAL,
                            "stint check: at %.17g there are %lld processors, where %lld are to be "
                            "and tasks hold %lld",
                            time, (long long)there, (long long)size, (long long)held);
    }
    return ORR_OK;
}

orr_status ori_check_size(ori_stints_checker *c)
{
    bool sized = false;
    for (int64_t k = 0; k < c->s->change_count; k++)
        sized |= c->s->changes[k].what > ORR_CHANGED_WORK;
    if (!sized)
        return ORR_OK;
    size_t room = 2 * (size_t)c->s->count + (size_t)c->s->change_count;
    step *steps, *scratch;
    ORI_SCRATCH(&c->s->alloc, ORI_RAW, c->err, ORI_PART(steps, room), ORI_PART(scratch, room));
    int64_t n = list_steps(c, steps);
    ori_sort(steps, n, sizeof *steps, ori_is_less, scratch);
    return check_steps(c, steps, n);
}
