/* Faults of a simulation: those of its source, and those that are put in front of them.
 *
 * Faults that strike nobody are taken ahead of the clock, since until the next end nothing changes.
 * When something is changed all the same, what was taken ahead is put back into the list `again`,
 * in order of time; a fault by somebody's will stands there, too. */
#include "malleable/state_internal.h"

#include <math.h>

enum { ABSORBED_PER_FAULT = 100 }; /* in a row, times max_faults: the limit */

int32_t ori_task_hit(const orr_malleable *sim, const orr_fault *fault)
{
    return fault->processor < 0 ? fault->task
                                : ori_holdings_holder(&sim->holdings, fault->processor);
}

bool ori_fault_strikes(const orr_malleable *sim, const orr_fault *fault)
{
    int32_t task = ori_task_hit(sim, fault);
    return task >= 0 && sim->held[task] > 0 && fault->time >= sim->ready[task];
}

/* Both copies of the checkpoint are gone: that of the buddy, and that on the processor itself. */
static bool is_fatal(const orr_malleable *sim, const orr_fault *fault)
{
    if (fault->processor < 0 || fault->processor / 2 >= sim->holdings.pairs)
        return false;
    int32_t pair = fault->processor / 2;
    return fault->time < sim->recovering[pair] && sim->failed[pair] != fault->processor;
}

void ori_note_fatal(orr_malleable *sim, const orr_fault *fault)
{
    sim->metrics.fatal += is_fatal(sim, fault);
}

/* The first of those put back; NULL for none. */
static const orr_fault *first_again(const orr_malleable *sim)
{
    const orr_fault *again = sim->again.items;
    return sim->retaken < sim->again.count ? &again[sim->retaken] : NULL;
}

const orr_fault *ori_first_again(const orr_malleable *sim)
{
    const orr_fault *again = first_again(sim);
    return again && again->time <= orr_faults_peek(sim->faults).time ? again : NULL;
}

orr_status ori_take_fault(orr_malleable *sim, const orr_fault *fault, orr_error *err)
{
    if (sim->record) {
        orr_fault *seen = ori_log_add(&sim->seen, &sim->alloc, err);
        if (!seen)
            return ORR_ERR_MEMORY;
        *seen = *fault;
    }
    if (ORR_LIKELY(sim->retaken == sim->again.count) || !ori_first_again(sim))
        return orr_faults_take(sim->faults, err);
    sim->retaken++;
    return ORR_OK;
}

/* Where processors fail faster than anything happens, or than the clock can tell. */
static orr_status too_many_absorbed(const orr_malleable *sim, double time, orr_error *err)
{
    return orr_fail(err, ORR_ERR_LIMIT,
                    "more than %lld times %d faults in a row strike no task: after the event at "
                    "%.17g they have only come to %.17g, and the next task ends at %.17g",
                    (long long)sim->max_faults, ABSORBED_PER_FAULT, sim->now, time,
                    ori_next_end(sim));
}

orr_status ori_pass_over_absorbed(orr_malleable *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    if (sim->running == 0)
        return ORR_OK;
    double end = ori_next_end(sim);
    for (int64_t passed = 1; status == ORR_OK; passed++) {
        orr_fault fault = ori_next_fault(sim);
        if (!(fault.time < end) || ori_fault_strikes(sim, &fault))
            return ORR_OK;
        if (passed % 1024 == 0 && orr_is_cancelled(sim->cancel))
            return orr_fail(err, ORR_ERR_CANCELLED, "interrupted at time %.17g", sim->now);
        if (passed / ABSORBED_PER_FAULT > sim->max_faults)
            return too_many_absorbed(sim, fault.time, err);
        ori_note_fatal(sim, &fault);
        status = ori_take_fault(sim, &fault, err);
    }
    return status;
}

/* --- changes --------------------------------------------------------------------------------- */

static orr_status put_again(ori_log *list, const orr_allocator *a, const orr_fault *fault,
                            orr_error *err)
{
    orr_fault *added = ori_log_add(list, a, err);
    if (!added)
        return ORR_ERR_MEMORY;
    *added = *fault;
    return ORR_OK;
}

/* The next faults up to and with those at the clock, which have not come yet: into the list. Where
 * nothing runs nobody was looking for them, and they are gone. */
static orr_status take_due(orr_malleable *sim, ori_log *list, orr_error *err)
{
    orr_status status = ORR_OK;
    for (orr_fault f = ori_next_fault(sim); status == ORR_OK && f.time <= sim->now;
         f = ori_next_fault(sim)) {
        if (sim->running > 0)
            status = put_again(list, &sim->alloc, &f, err);
        if (ori_first_again(sim))
            sim->retaken++;
        else if (status == ORR_OK)
            status = orr_faults_take(sim->faults, err);
    }
    return status;
}

/* What was taken ahead of the clock; these strike no one, so that they are counted anew later. */
static orr_status take_back(orr_malleable *sim, ori_log *list, orr_error *err)
{
    orr_status status = ORR_OK;
    const orr_fault *seen = sim->seen.items;
    int64_t first = sim->seen.count;
    while (first > 0 && seen[first - 1].time > sim->now)
        first--;
    for (int64_t i = first; status == ORR_OK && i < sim->seen.count; i++) {
        sim->metrics.fatal -= is_fatal(sim, &seen[i]);
        status = put_again(list, &sim->alloc, &seen[i], err);
    }
    sim->seen.count = first;
    return status;
}

orr_status ori_recall_faults(orr_malleable *sim, orr_error *err)
{
    ori_log list = {.size = sizeof(orr_fault)}, ahead = {.size = sizeof(orr_fault)};
    orr_status status = take_back(sim, &ahead, err);
    if (status == ORR_OK)
        status = take_due(sim, &list, err);
    const orr_fault *items = ahead.items;
    for (int64_t i = 0; status == ORR_OK && i < ahead.count; i++)
        status = put_again(&list, &sim->alloc, &items[i], err);
    for (const orr_fault *f = first_again(sim); status == ORR_OK && f; f = first_again(sim)) {
        status = put_again(&list, &sim->alloc, f, err);
        sim->retaken++;
    }
    ori_log_free(&ahead, &sim->alloc);
    ori_log_free(&sim->again, &sim->alloc);
    sim->again = list;
    sim->retaken = 0;
    return status;
}

/* How many of those put back are due at the clock. */
static int64_t count_due(const orr_malleable *sim)
{
    const orr_fault *again = sim->again.items;
    int64_t due = 0;
    while (due < sim->again.count && again[due].time <= sim->now)
        due++;
    return due;
}

orr_status ori_add_fault(orr_malleable *sim, orr_fault fault, orr_error *err)
{
    int64_t at = count_due(sim);
    orr_status status = put_again(&sim->again, &sim->alloc, &fault, err);
    orr_fault *again = sim->again.items;
    for (int64_t i = sim->again.count - 1; status == ORR_OK && i > at; i--)
        again[i] = again[i - 1];
    if (status == ORR_OK)
        again[at] = fault;
    return status;
}

orr_status ori_draw_faults_anew(orr_malleable *sim, uint64_t seed, orr_error *err)
{
    sim->seed = seed;
    if (!orr_faults_are_drawn(sim->faults))
        return ORR_OK;
    sim->again.count = count_due(sim);
    orr_status status = orr_faults_draw_anew(sim->faults, seed, sim->set, sim->run, err);
    for (int64_t passed = 1; status == ORR_OK && orr_faults_peek(sim->faults).time <= sim->now;
         passed++) {
        if (passed % 1024 == 0 && orr_is_cancelled(sim->cancel))
            return orr_fail(err, ORR_ERR_CANCELLED, "interrupted at time %.17g", sim->now);
        status = orr_faults_take(sim->faults, err);
    }
    return status;
}
