/* The record of attempts: arrays that grow with a run, and the groups in which attempts ran. */
#include "schedule/schedule_internal.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/try_internal.h"
#include "schedule/procset_internal.h"

#include <math.h>
#include <string.h>

orr_status ori_schedule_create(orr_schedule *s, int32_t jobs, int32_t procs, ori_filling filling,
                               const orr_allocator *a, orr_error *err)
{
    memset(s, 0, sizeof *s);
    s->alloc = orr_allocator_or_default(a);
    s->jobs = jobs;
    s->procs = procs;
    s->current = orr_alloc(&s->alloc, (size_t)jobs * sizeof *s->current);
    if (!s->current)
        return orr_fail_memory(err, (size_t)jobs * sizeof *s->current);
    orr_processor_group all = {.name = "main", .procs = procs};
    ORI_TRY(ori_schedule_set_groups(s, &all, 1, err));
    ORI_TRY(ori_procset_create(&s->free, procs, a, err));
    /* one for each job, at least: an array that grows step by step leaves holes behind */
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->attempts, &s->capacity, jobs, err));
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->intervals, &s->interval_capacity, jobs, err));
    if (filling == ORI_ZEROED)
        ori_schedule_clear(s);
    return ORR_OK;
}

orr_status ori_schedule_set_windows(orr_schedule *s, const orr_window *windows, int64_t count,
                                    orr_error *err)
{
    ORI_TRY(ORI_COPY(&s->alloc, &s->windows, &s->window_capacity, windows, count, err));
    s->window_count = count;
    return ORR_OK;
}

/* --- groups --------------------------------------------------------------------------------- */

/* A copy of groups and their names, in one block of *size bytes; NULL: no memory. */
static orr_processor_group *copy_groups(const orr_allocator *a, const orr_processor_group *groups,
                                        int32_t count, size_t *size, orr_error *err)
{
    *size = (size_t)count * sizeof *groups;
    for (int32_t i = 0; i < count; i++)
        *size += strlen(groups[i].name) + 1;
    orr_processor_group *copy = ori_new(a, *size, err);
    if (!copy)
        return NULL;
    char *text = (char *)(copy + count);
    for (int32_t i = 0; i < count; i++) {
        size_t length = strlen(groups[i].name) + 1;
        copy[i] = groups[i];
        copy[i].name = memcpy(text, groups[i].name, length);
        text += length;
    }
    return copy;
}

/* Whether these groups are equal to the schedule's, so that one era can hold for both. */
static bool hold_for_both(const orr_schedule *s, const orr_processor_group *groups, int32_t count)
{
    bool same = s->group_count == count;
    for (int32_t i = 0; same && i < count; i++)
        same = strcmp(s->groups[i].name, groups[i].name) == 0 &&
               s->groups[i].first == groups[i].first && s->groups[i].procs <= groups[i].procs &&
               s->groups[i].place == groups[i].place &&
               s->groups[i].node_procs == groups[i].node_procs;
    return same;
}

orr_status ori_schedule_set_groups(orr_schedule *s, const orr_processor_group *groups,
                                   int32_t count, orr_error *err)
{
    size_t size;
    bool begins = s->count > 0 && !hold_for_both(s, groups, count);
    if (begins)
        ORI_TRY(ORI_RESERVE(&s->alloc, &s->eras, &s->era_capacity, s->era_count + 1, err));
    orr_processor_group *copy = copy_groups(&s->alloc, groups, count, &size, err);
    if (!copy)
        return ORR_ERR_MEMORY;
    if (begins)
        s->eras[s->era_count++] = (orr_era){s->count, s->groups, s->group_count, s->groups_size};
    else
        orr_release(&s->alloc, s->groups, s->groups_size);
    s->groups = copy;
    s->group_count = count;
    s->groups_size = size;
    return ORR_OK;
}

const orr_processor_group *orr_schedule_group(const orr_schedule *s, int64_t i)
{
    if (!ORI_IS_IN(i, s->count))
        return NULL;
    const orr_processor_group *groups = s->groups;
    int32_t count = s->group_count, group = s->attempts[i].group;
    for (int64_t e = s->era_count - 1; e >= 0 && i < s->eras[e].attempts; e--) {
        groups = s->eras[e].groups;
        count = s->eras[e].count;
    }
    return group >= 0 && group < count ? &groups[group] : NULL;
}

static void forget_eras(orr_schedule *s)
{
    for (int64_t e = 0; e < s->era_count; e++)
        orr_release(&s->alloc, s->eras[e].groups, s->eras[e].size);
    s->era_count = 0;
}

/* Copies the eras to a schedule without attempts. */
static orr_status copy_eras(orr_schedule *to, const orr_schedule *from, orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&to->alloc, &to->eras, &to->era_capacity, from->era_count, err));
    for (; to->era_count < from->era_count; to->era_count++) {
        orr_era *e = &to->eras[to->era_count];
        *e = from->eras[to->era_count];
        e->groups = copy_groups(&to->alloc, e->groups, e->count, &e->size, err);
        if (!e->groups)
            return ORR_ERR_MEMORY;
    }
    return ori_schedule_set_groups(to, from->groups, from->group_count, err);
}

/* -------------------------------------------------------------------------------------------- */

void orr_schedule_destroy(orr_schedule *s)
{
    forget_eras(s);
    ORI_FREE(&s->alloc, &s->attempts, &s->capacity);
    ORI_FREE(&s->alloc, &s->intervals, &s->interval_capacity);
    ORI_FREE(&s->alloc, &s->outages, &s->outage_capacity);
    ORI_FREE(&s->alloc, &s->terms, &s->term_capacity);
    ORI_FREE(&s->alloc, &s->withdrawals, &s->withdrawal_capacity);
    ORI_FREE(&s->alloc, &s->checkpoints, &s->checkpoint_capacity);
    ORI_FREE(&s->alloc, &s->demands, &s->demand_capacity);
    ORI_FREE(&s->alloc, &s->eras, &s->era_capacity);
    ORI_FREE(&s->alloc, &s->windows, &s->window_capacity);
    orr_release(&s->alloc, s->current, (size_t)s->jobs * sizeof *s->current);
    orr_release(&s->alloc, s->groups, s->groups_size);
    ori_procset_destroy(&s->free);
    memset(s, 0, sizeof *s);
}

void ori_schedule_clear(orr_schedule *s)
{
    s->count = s->interval_count = s->outage_count = s->term_count = s->withdrawal_count = 0;
    s->checkpoint_count = s->demand_count = 0;
    forget_eras(s);
    for (int32_t j = 0; j < s->jobs; j++)
        s->current[j] = -1;
    ori_procset_reset(&s->free, s->procs);
}

orr_status ori_schedule_copy(orr_schedule *to, const orr_schedule *from, orr_error *err)
{
    forget_eras(to);
    ORI_TRY(copy_eras(to, from, err));
    ORI_COPY_MEMBER(to, from, attempts, count, capacity, err);
    ORI_COPY_MEMBER(to, from, intervals, interval_count, interval_capacity, err);
    ORI_COPY_MEMBER(to, from, outages, outage_count, outage_capacity, err);
    ORI_COPY_MEMBER(to, from, windows, window_count, window_capacity, err);
    ORI_COPY_MEMBER(to, from, terms, term_count, term_capacity, err);
    ORI_COPY_MEMBER(to, from, withdrawals, withdrawal_count, withdrawal_capacity, err);
    ORI_COPY_MEMBER(to, from, checkpoints, checkpoint_count, checkpoint_capacity, err);
    ORI_COPY_MEMBER(to, from, demands, demand_count, demand_capacity, err);
    ORI_TRY(ori_copy_memory(ori_is_shared(&to->alloc), to->current, ori_is_shared(&from->alloc),
                            from->current, (size_t)from->jobs * sizeof *from->current, err));
    for (int32_t j = from->jobs; j < to->jobs; j++)
        to->current[j] = -1;
    to->placed = from->placed;
    to->checkpointed = from->checkpointed;
    to->estimated |= from->estimated; /* either policy, before or after a change */
    return ori_procset_copy(&to->free, &from->free, err);
}

/* --- what is given out ----------------------------------------------------------------------- */

int64_t ori_schedule_settled(const orr_schedule *s, int64_t from)
{
    /* withdrawals and new terms are about any job, and checkpoints about the attempt before */
    if (s->withdrawal_count + s->term_count > 0 || s->checkpointed || s->count == 0)
        return from;
    double now = s->attempts[s->count - 1].start;
    for (; s->attempts[from].start < now; from++) {
        const orr_attempt *a = &s->attempts[from];
        bool last = s->current[a->job] == from;
        if (a->outcome == ORR_RUNNING || (last && ori_waits_again(s, a)))
            break;
    }
    return from;
}

/* The number of attempts before something, after the first `count` have become `left`. */
static int64_t moved(int64_t attempts, int64_t count, int64_t left)
{
    return attempts > count ? attempts - count + left : left;
}

int64_t ori_schedule_forget(orr_schedule *s, int64_t count)
{
    int64_t kept = 0, left = 0, intervals = 0;
    for (int64_t i = 0; i < s->count; i++) {
        orr_attempt a = s->attempts[i];
        int64_t *current = &s->current[a.job];
        bool over = *current < count; /* of an earlier attempt as of the last, at which it moves */
        if (*current == i)
            *current = over ? -1 : kept;
        if (over)
            continue;
        memmove(s->intervals + intervals, s->intervals + a.first_interval,
                (size_t)a.interval_count * sizeof *s->intervals);
        a.first_interval = intervals;
        intervals += a.interval_count;
        left += i < count;
        s->attempts[kept++] = a;
    }
    for (int64_t i = 0; i < s->outage_count; i++)
        s->outages[i].attempts = moved(s->outages[i].attempts, count, left);
    for (int64_t i = 0; i < s->era_count; i++)
        s->eras[i].attempts = moved(s->eras[i].attempts, count, left);
    s->count = kept;
    s->interval_count = intervals;
    return left;
}

/* -------------------------------------------------------------------------------------------- */

/* A new attempt with room for its intervals. */
static orr_status add_attempt(orr_schedule *s, int32_t job, int32_t intervals, double start,
                              double planned_end, orr_error *err)
{
    if (ORR_UNLIKELY(s->outlet && s->count >= s->outlet->due))
        ORI_TRY(s->outlet->take(s->outlet, err));
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->attempts, &s->capacity, s->count + 1, err));
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->intervals, &s->interval_capacity,
                        s->interval_count + intervals, err));
    if (s->checkpointed) {
        ORI_TRY(
            ORI_RESERVE(&s->alloc, &s->checkpoints, &s->checkpoint_capacity, s->count + 1, err));
        s->checkpoints[s->checkpoint_count++] =
            (orr_attempt_checkpoints){.leaves = NAN, .first_demand = -1, .last_demand = -1};
    }
    int64_t before = s->current[job];
    s->attempts[s->count] = (orr_attempt){
        .start = start,
        .end = planned_end,
        .job = job,
        .number = before < 0 ? 1 : s->attempts[before].number + 1,
        .outcome = ORR_RUNNING,
        .interval_count = intervals,
        .first_interval = s->interval_count,
        .promised = NAN,
    };
    s->interval_count += intervals;
    s->current[job] = s->count++;
    return ORR_OK;
}

orr_status ori_schedule_start(orr_schedule *s, int32_t job, int32_t procs, double start,
                              double planned_end, orr_error *err)
{
    int32_t span = ori_procset_span(&s->free, procs);
    if (span < 0)
        return orr_fail(err, ORR_ERR_INTERNAL, "no %d free processors left to record at time %.17g",
                        (int)procs, start);
    ORI_TRY(add_attempt(s, job, span, start, planned_end, err));
    ori_procset_take(&s->free, procs, s->intervals + s->interval_count - span);
    return ORR_OK;
}

orr_status ori_schedule_start_on(orr_schedule *s, int32_t job, const orr_placement *where,
                                 double start, double planned_end, orr_error *err)
{
    ORI_TRY(add_attempt(s, job, where->count, start, planned_end, err));
    s->placed = true;
    s->attempts[s->count - 1].group = where->group;
    memcpy(s->intervals + s->interval_count - where->count, where->intervals,
           (size_t)where->count * sizeof *where->intervals);
    return ORR_OK;
}

orr_status ori_schedule_outage(orr_schedule *s, const orr_outage *outage, orr_outage_kind kind,
                               orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->outages, &s->outage_capacity, s->outage_count + 1, err));
    s->outages[s->outage_count++] = (orr_recorded_outage){*outage, kind, s->count};
    return ORR_OK;
}

orr_status ori_schedule_revise(orr_schedule *s, int32_t job, orr_terms before, double planned_end,
                               orr_error *err)
{
    if (s->term_count == INT32_MAX)
        return orr_fail(err, ORR_ERR_LIMIT, "more than %d changes of runtimes", INT32_MAX);
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->terms, &s->term_capacity, s->term_count + 1, err));
    s->terms[s->term_count++] = before;
    for (int64_t i = 0; i < s->count; i++) {
        orr_attempt *a = &s->attempts[i];
        if (a->job != job)
            continue;
        if (a->outcome == ORR_RUNNING)
            a->end = planned_end;
        else if (a->terms == 0)
            a->terms = (int32_t)s->term_count;
    }
    return ORR_OK;
}

orr_status ori_schedule_withdraw(orr_schedule *s, orr_withdrawal withdrawal, orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->withdrawals, &s->withdrawal_capacity,
                        s->withdrawal_count + 1, err));
    withdrawal.attempts = s->count;
    s->withdrawals[s->withdrawal_count++] = withdrawal;
    return ORR_OK;
}

orr_status ori_schedule_end(orr_schedule *s, int32_t job, double end, orr_outcome outcome,
                            orr_error *err)
{
    orr_attempt *attempt = &s->attempts[s->current[job]];
    attempt->end = end;
    attempt->outcome = outcome;
    if (s->placed)
        return ORR_OK;
    return ori_procset_give(&s->free, s->intervals + attempt->first_interval,
                            attempt->interval_count, err);
}

void ori_schedule_promise(orr_schedule *s, int32_t job, double promised, bool excused)
{
    s->attempts[s->current[job]].promised = promised;
    s->attempts[s->current[job]].excused = excused;
}

void ori_schedule_note_checkpoints(orr_schedule *s)
{
    s->checkpointed = true;
}

void ori_schedule_note_estimates(orr_schedule *s)
{
    s->estimated = true;
}

orr_attempt_checkpoints *ori_schedule_checkpoints(orr_schedule *s, int32_t job)
{
    return &s->checkpoints[s->current[job]];
}

orr_status ori_schedule_demand(orr_schedule *s, int32_t job, const orr_demand *demand,
                               orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&s->alloc, &s->demands, &s->demand_capacity, s->demand_count + 1, err));
    orr_attempt_checkpoints *c = ori_schedule_checkpoints(s, job);
    int64_t at = s->demand_count++;
    s->demands[at] = *demand;
    s->demands[at].next = -1;
    if (c->last_demand >= 0)
        s->demands[c->last_demand].next = at;
    else
        c->first_demand = at;
    c->last_demand = at;
    return ORR_OK;
}

void ori_schedule_plan(orr_schedule *s, int32_t job, double planned_end)
{
    s->attempts[s->current[job]].end = planned_end;
}

void ori_schedule_redirected(orr_schedule *s, int32_t job)
{
    s->attempts[s->current[job]].redirected = true;
}
