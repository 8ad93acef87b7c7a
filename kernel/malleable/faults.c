/* The next fault, and the task that it hits: faults of the source, and before them faults that a
 * change puts at the clock. run.c and tasks.c have the effects on a struck task. Faults that strike
 * no task are taken ahead of the clock, since nothing changes until the next end. If a change comes
 * nevertheless, the source begins again and goes up to the clock: its faults depend only on its
 * seed and its processors. */
#include "malleable/faults_internal.h"
#include "malleable/machine_internal.h"
#include "workload/faults_internal.h"

enum { ABSORBED_PER_FAULT = 100, FAULTS_PER_POLL = 1024 }; /* in a row, times max_faults: limit */

int32_t ori_task_hit(const orr_malleable *sim, const orr_fault *fault)
{
    int32_t pair = fault->processor / 2;
    if (fault->processor < 0)
        return fault->task;
    return pair < sim->pairs ? ori_processors_holder(&sim->holdings, pair, &(int32_t){0})
                             : ORI_HELD_BY_NOBODY;
}

bool ori_fault_strikes(const orr_malleable *sim, const orr_fault *fault)
{
    int32_t task = ori_task_hit(sim, fault);
    return task >= 0 && sim->held[task] > 0 && fault->time >= sim->ready[task];
}

/* Whether both copies of the checkpoint are lost: the buddy's copy and the processor's own. */
static bool is_fatal(const orr_malleable *sim, const orr_fault *fault)
{
    if (fault->processor < 0 || fault->processor / 2 >= sim->pairs)
        return false;
    int32_t pair = fault->processor / 2;
    return fault->time < sim->recovering[pair] && sim->failed[pair] != fault->processor;
}

void ori_note_fatal(orr_malleable *sim, const orr_fault *fault)
{
    sim->at.metrics.fatal += is_fatal(sim, fault);
}

static orr_status add_fault_to(const orr_malleable *sim, ori_fault_list *list,
                               const orr_fault *fault, orr_error *err)
{
    ORI_TRY(ORI_RESERVE(&sim->shell.alloc, &list->items, &list->room, list->count + 1, err));
    list->items[list->count++] = *fault;
    return ORR_OK;
}

orr_status ori_take_fault(orr_malleable *sim, const orr_fault *fault, orr_error *err)
{
    if (sim->shell.record && fault->processor < sim->at.numbered) /* a log may name others */
        ORI_TRY(add_fault_to(sim, &sim->seen, fault, err));
    if (ORR_LIKELY(sim->due.taken == sim->due.count))
        return orr_faults_take(sim->faults, err);
    sim->due.taken++;
    return ORR_OK;
}

orr_status ori_pass_over_absorbed(orr_malleable *sim, orr_error *err)
{
    if (sim->at.running == 0)
        return ORR_OK;
    double end = ori_next_end(sim);
    int64_t before = sim->at.metrics.fatal;
    if (sim->at.ahead_to <= sim->shell.now)
        sim->at.ahead_fatal = 0;
    for (int64_t passed = 1;; passed++) {
        orr_fault fault = ori_next_fault(sim);
        if (!(fault.time < end) || ori_fault_strikes(sim, &fault))
            break;
        if (passed % FAULTS_PER_POLL == 0)
            ORI_TRY(ori_shell_check_cancel(&sim->shell, err));
        /* where processors fail faster than anything happens, or than the clock can tell */
        ORI_FAIL_IF(passed / ABSORBED_PER_FAULT > sim->asked.max_faults, err, ORR_ERR_LIMIT,
                    "more than %lld times %d faults in a row strike no task: after the event at "
                    "%.17g they have only come to %.17g, and the next task ends at %.17g",
                    (long long)sim->asked.max_faults, ABSORBED_PER_FAULT, sim->shell.now,
                    fault.time, end);
        ori_note_fatal(sim, &fault);
        sim->at.ahead_to = fault.time;
        ORI_TRY(ori_take_fault(sim, &fault, err));
    }
    sim->at.ahead_fatal += sim->at.metrics.fatal - before;
    return ORR_OK;
}

/* --- changes ---------------------------------------------------------------------------------- */

/* Makes the next faults of the source at the clock due. Where no task runs, no fault was searched,
 * and they are dropped. */
static orr_status take_due(orr_malleable *sim, orr_error *err)
{
    if (sim->at.running == 0 || sim->due.taken == sim->due.count)
        sim->due.count = sim->due.taken = 0;
    while (orr_faults_peek(sim->faults).time <= sim->shell.now) {
        orr_fault fault = orr_faults_peek(sim->faults);
        if (sim->at.running > 0)
            ORI_TRY(add_fault_to(sim, &sim->due, &fault, err));
        ORI_TRY(orr_faults_take(sim->faults, err));
    }
    return ORR_OK;
}

/* The source stands behind the faults at the clock, as if it had the seed from the beginning. */
static orr_status rewind_source(orr_malleable *sim, uint64_t seed, orr_error *err)
{
    const ori_shell *shell = &sim->shell;
    ORI_TRY(ori_faults_draw_anew(sim->faults, seed, shell->set, shell->scenario, err));
    for (int64_t passed = 1; orr_faults_peek(sim->faults).time <= shell->now; passed++) {
        if (passed % FAULTS_PER_POLL == 0)
            ORI_TRY(ori_shell_check_cancel(shell, err));
        ORI_TRY(orr_faults_take(sim->faults, err));
    }
    return ORR_OK;
}

/* Counts again the fatal faults: among the faults taken ahead only those up to the clock count. */
static orr_status count_fatal_anew(orr_malleable *sim, orr_error *err)
{
    ORI_TRY(rewind_source(sim, sim->shell.seed, err));
    while (orr_faults_peek(sim->faults).time <= sim->at.ahead_to) {
        orr_fault fault = orr_faults_peek(sim->faults);
        sim->at.metrics.fatal -= is_fatal(sim, &fault);
        ORI_TRY(orr_faults_take(sim->faults, err));
    }
    return ORR_OK;
}

orr_status ori_put_back_faults(orr_malleable *sim, uint64_t seed, orr_error *err)
{
    const orr_fault *seen = sim->seen.items;
    bool ahead = sim->at.ahead_to > sim->shell.now;
    ORI_TRY(take_due(sim, err));
    if (ahead && sim->at.ahead_fatal > 0)
        ORI_TRY(count_fatal_anew(sim, err));
    if (ahead || seed != sim->shell.seed)
        ORI_TRY(rewind_source(sim, seed, err));
    while (sim->seen.count > 0 && seen[sim->seen.count - 1].time > sim->shell.now)
        sim->seen.count--;
    sim->shell.seed = seed;
    sim->at.ahead_to = 0;
    sim->at.ahead_fatal = 0;
    return ORR_OK;
}

orr_status ori_add_fault(orr_malleable *sim, orr_fault fault, orr_error *err)
{
    return add_fault_to(sim, &sim->due, &fault, err);
}
