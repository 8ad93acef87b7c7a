/* The busy processors and the waiting jobs, from instant to instant. */
#include "schedule/timeline.h"

#include "base/array_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "schedule/schedule_internal.h"

/* Adds a step. Steps are first collected as changes at their time. */
static void add_step(orr_timeline *t, double time, int32_t busy, int32_t waiting_procs)
{
    t->steps[t->count++] = (orr_timeline_step){
        .time = time,
        .busy = busy,
        .running = (busy > 0) - (busy < 0),
        .waiting = (waiting_procs > 0) - (waiting_procs < 0),
        .waiting_procs = waiting_procs,
    };
}

static void collect_changes(orr_timeline *t, const orr_instance *in, const orr_schedule *s,
                            double until)
{
    for (int32_t j = 0; j < in->count; j++)
        if (in->submit[j] <= until)
            add_step(t, in->submit[j], 0, in->jobs->procs[j]);
    for (int64_t i = 0; i < s->withdrawal_count; i++) {
        const orr_withdrawal *w = &s->withdrawals[i];
        int64_t last = s->current[w->job];
        double time = w->time > in->submit[w->job] ? w->time : in->submit[w->job];
        bool waited = last < 0 || s->attempts[last].outcome != ORR_CANCELLED;
        if (waited && time <= until)
            add_step(t, time, 0, -in->jobs->procs[w->job]);
    }
    for (int64_t i = 0; i < s->count; i++) {
        const orr_attempt *a = &s->attempts[i];
        int32_t procs = in->jobs->procs[a->job];
        if (a->start > until)
            continue;
        add_step(t, a->start, procs, -procs);
        if (a->outcome != ORR_RUNNING && a->end <= until)
            add_step(t, a->end, -procs, ori_waits_again(s, a) ? procs : 0);
    }
}

/* Sums the sorted changes up, instant by instant. */
static void accumulate(orr_timeline *t)
{
    orr_timeline_step state = {0}, before = {0};
    int64_t kept = 0;
    for (int64_t i = 0; i < t->count;) {
        for (state.time = t->steps[i].time; i < t->count && t->steps[i].time == state.time; i++) {
            state.busy += t->steps[i].busy;
            state.running += t->steps[i].running;
            state.waiting += t->steps[i].waiting;
            state.waiting_procs += t->steps[i].waiting_procs;
        }
        bool same = state.busy == before.busy && state.running == before.running &&
                    state.waiting == before.waiting && state.waiting_procs == before.waiting_procs;
        if (kept == 0 || !same)
            t->steps[kept++] = before = state;
    }
    t->count = kept;
}

orr_status orr_timeline_make(orr_timeline *timeline, const orr_instance *in,
                             const orr_schedule *schedule, double until, const orr_allocator *a,
                             orr_error *err)
{
    *timeline = (orr_timeline){.alloc = orr_allocator_or_default(a)};
    int64_t most = in->count + 2 * schedule->count + schedule->withdrawal_count;
    ORI_TRY(ORI_RESERVE(&timeline->alloc, &timeline->steps, &timeline->capacity, most, err));
    collect_changes(timeline, in, schedule, until);
    /* by time, which steps begin with */
    ORI_TRY(ORI_SORT(timeline->steps, timeline->count, ori_is_less, &timeline->alloc, err));
    accumulate(timeline);
    return ORR_OK;
}

void orr_timeline_destroy(orr_timeline *timeline)
{
    ORI_FREE(&timeline->alloc, &timeline->steps, &timeline->capacity);
    timeline->count = 0;
}
