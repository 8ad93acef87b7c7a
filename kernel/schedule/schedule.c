#include "schedule/schedule.h"

#include "schedule_internal.h"

#include <string.h>

static orr_status grow_attempts(orr_schedule *s, int64_t wanted, orr_error *err)
{
    void *block = s->attempts;
    orr_status status = orr_grow(&s->alloc, &block, &s->capacity, wanted, sizeof *s->attempts, err);
    s->attempts = block;
    return status;
}

static orr_status grow_intervals(orr_schedule *s, int64_t wanted, orr_error *err)
{
    void *block = s->intervals;
    orr_status status =
        orr_grow(&s->alloc, &block, &s->interval_capacity, wanted, sizeof *s->intervals, err);
    s->intervals = block;
    return status;
}

static orr_status grow_outages(orr_schedule *s, int64_t wanted, orr_error *err)
{
    void *block = s->outages;
    orr_status status =
        orr_grow(&s->alloc, &block, &s->outage_capacity, wanted, sizeof *s->outages, err);
    s->outages = block;
    return status;
}

orr_status orr_schedule_create(orr_schedule *s, int32_t jobs, int32_t procs, const orr_allocator *a,
                               orr_error *err)
{
    memset(s, 0, sizeof *s);
    s->alloc = orr_allocator_or_default(a);
    s->jobs = jobs;
    s->procs = procs;
    s->current = orr_calloc(&s->alloc, (size_t)jobs, sizeof *s->current);
    if (!s->current)
        return orr_fail_memory(err, (size_t)jobs * sizeof *s->current);
    orr_processor_group all = {"main", 0, procs};
    orr_status status = orr_schedule_set_groups(s, &all, 1, err);
    if (status == ORR_OK)
        status = orr_procset_create(&s->free, procs, a, err);
    if (status == ORR_OK)
        orr_schedule_clear(s);
    return status;
}

orr_status orr_schedule_set_groups(orr_schedule *s, const orr_processor_group *groups,
                                   int32_t count, orr_error *err)
{
    size_t size = (size_t)count * sizeof *groups;
    orr_processor_group *copy = orr_alloc(&s->alloc, size);
    if (!copy)
        return orr_fail_memory(err, size);
    memcpy(copy, groups, size);
    orr_release(&s->alloc, s->groups, (size_t)s->group_count * sizeof *s->groups);
    s->groups = copy;
    s->group_count = count;
    return ORR_OK;
}

void orr_schedule_destroy(orr_schedule *s)
{
    orr_release(&s->alloc, s->attempts, (size_t)s->capacity * sizeof *s->attempts);
    orr_release(&s->alloc, s->intervals, (size_t)s->interval_capacity * sizeof *s->intervals);
    orr_release(&s->alloc, s->current, (size_t)s->jobs * sizeof *s->current);
    orr_release(&s->alloc, s->outages, (size_t)s->outage_capacity * sizeof *s->outages);
    orr_release(&s->alloc, s->groups, (size_t)s->group_count * sizeof *s->groups);
    orr_procset_destroy(&s->free);
    memset(s, 0, sizeof *s);
}

void orr_schedule_clear(orr_schedule *s)
{
    s->count = s->interval_count = s->outage_count = 0;
    for (int32_t j = 0; j < s->jobs; j++)
        s->current[j] = -1;
    orr_procset_reset(&s->free, s->procs);
}

orr_status orr_schedule_copy(orr_schedule *to, const orr_schedule *from, orr_error *err)
{
    orr_status status = grow_attempts(to, from->count, err);
    if (status == ORR_OK)
        status = grow_intervals(to, from->interval_count, err);
    if (status == ORR_OK)
        status = grow_outages(to, from->outage_count, err);
    if (status == ORR_OK)
        status = orr_procset_copy(&to->free, &from->free, err);
    if (status != ORR_OK)
        return status;
    if (from->count > 0)
        memcpy(to->attempts, from->attempts, (size_t)from->count * sizeof *from->attempts);
    if (from->interval_count > 0)
        memcpy(to->intervals, from->intervals,
               (size_t)from->interval_count * sizeof *from->intervals);
    if (from->outage_count > 0)
        memcpy(to->outages, from->outages, (size_t)from->outage_count * sizeof *from->outages);
    to->outage_count = from->outage_count;
    to->placed = from->placed;
    memcpy(to->current, from->current, (size_t)from->jobs * sizeof *from->current);
    to->count = from->count;
    to->interval_count = from->interval_count;
    return ORR_OK;
}

/* A new attempt with room for its intervals. */
static orr_status add_attempt(orr_schedule *s, int32_t job, int32_t intervals, double start,
                              double planned_end, orr_error *err)
{
    orr_status status = grow_attempts(s, s->count + 1, err);
    if (status == ORR_OK)
        status = grow_intervals(s, s->interval_count + intervals, err);
    if (status != ORR_OK)
        return status;
    int64_t before = s->current[job];
    s->attempts[s->count] = (orr_attempt){
        .start = start,
        .end = planned_end,
        .job = job,
        .number = before < 0 ? 1 : s->attempts[before].number + 1,
        .outcome = ORR_RUNNING,
        .interval_count = intervals,
        .first_interval = s->interval_count,
    };
    s->interval_count += intervals;
    s->current[job] = s->count++;
    return ORR_OK;
}

orr_status orr_schedule_start(orr_schedule *s, int32_t job, int32_t procs, double start,
                              double planned_end, orr_error *err)
{
    int32_t span = orr_procset_span(&s->free, procs);
    if (span < 0)
        return orr_fail(err, ORR_ERR_INTERNAL, "no %d free processors left to record at time %.17g",
                        (int)procs, start);
    int64_t first = s->interval_count;
    orr_status status = add_attempt(s, job, span, start, planned_end, err);
    if (status == ORR_OK)
        orr_procset_take(&s->free, procs, s->intervals + first);
    return status;
}

orr_status orr_schedule_start_on(orr_schedule *s, int32_t job, const orr_placement *where,
                                 double start, double planned_end, orr_error *err)
{
    int64_t first = s->interval_count;
    orr_status status = add_attempt(s, job, where->count, start, planned_end, err);
    if (status != ORR_OK)
        return status;
    s->placed = true;
    s->attempts[s->count - 1].group = where->group;
    memcpy(s->intervals + first, where->intervals, (size_t)where->count * sizeof *where->intervals);
    return ORR_OK;
}

orr_status orr_schedule_outage(orr_schedule *s, const orr_outage *outage, orr_error *err)
{
    orr_status status = grow_outages(s, s->outage_count + 1, err);
    if (status == ORR_OK)
        s->outages[s->outage_count++] = (orr_recorded_outage){*outage, s->count};
    return status;
}

orr_status orr_schedule_end(orr_schedule *s, int32_t job, double end, orr_outcome outcome,
                            orr_error *err)
{
    orr_attempt *attempt = &s->attempts[s->current[job]];
    attempt->end = end;
    attempt->outcome = outcome;
    if (s->placed)
        return ORR_OK;
    return orr_procset_give(&s->free, s->intervals + attempt->first_interval,
                            attempt->interval_count, err);
}

void orr_schedule_redirected(orr_schedule *s, int32_t job)
{
    s->attempts[s->current[job]].redirected = true;
}
