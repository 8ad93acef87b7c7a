/* The parts of a simulation, file by file. */
#pragma once

#include "malleable/state_internal.h"
#include "schedule/stints_internal.h"

/* --- the size of the machine, which somebody may change (machine.c) -------------------------- */

/* The processors that are there: those that are to be, and those that cannot leave yet. */
static inline int32_t ori_machine_present(const orr_malleable *sim)
{
    return sim->at.procs + sim->at.leaving;
}

/* Whether a processor is not in service: it has left, or never existed. */
bool ori_machine_is_down(const orr_malleable *sim, int32_t processor);

/* Lets surplus free processors leave. */
orr_status ori_machine_settle(orr_malleable *sim, orr_error *err);

/* Sets the size of the machine until a time, then back to the present size; there is room. */
orr_status ori_machine_resize(orr_malleable *sim, int32_t procs, double until, orr_error *err);

/* --- recording beside the stints; nothing without a recording --------------------------------- */

/* Records the distribution of processors after this instant. */
orr_status ori_record_moment(orr_malleable *sim, orr_error *err);

/* Records a change, now. Unused fields of the change are 0, its processors none. */
static inline orr_status ori_record_change(orr_malleable *sim, orr_stints_change change,
                                           orr_error *err)
{
    change.time = sim->shell.now;
    return sim->shell.record ? ori_stints_note(&sim->stints, &change, err) : ORR_OK;
}

/* --- idle processors -------------------------------------------------------------------------- */

/* Processor-seconds up to the clock. They are added up when the number of free processors changes,
 * so that the sum is the same to the last bit wherever the clock was stopped in between. */
static inline double ori_idle(const orr_malleable *sim)
{
    return sim->at.metrics.spent.idle + sim->at.free * (sim->shell.now - sim->at.idle_to);
}

/* Before `free` changes. */
static inline void ori_count_idle(orr_malleable *sim)
{
    sim->at.metrics.spent.idle = ori_idle(sim);
    sim->at.idle_to = sim->shell.now;
}

/* --- what happens to tasks, with all that follows from it (tasks.c) -------------------------- */

/* Starts the task on the processors of `held`, now. */
orr_status ori_task_begin(orr_malleable *sim, int32_t task, orr_error *err);

/* Sets the expected times of the task as if it had started; nothing else changes yet. */
void ori_task_foresee_start(orr_malleable *sim, int32_t task);

/* The rest of the task takes `factor` times as long; ORR_ERR_ARGUMENT where the time is not
 * finite. */
orr_status ori_task_scale(orr_malleable *sim, int32_t task, double factor, orr_error *err);

/* Ends the task, with this share of its work left: it completes or is cancelled. */
orr_status ori_task_end(orr_malleable *sim, int32_t task, double left, orr_stop why,
                        orr_error *err);

/* A fault: unsaved work is lost, and the task recovers on its processors. Its new stint begins with
 * ori_decision_apply. */
void ori_task_strike(orr_malleable *sim, int32_t task);

/* Carries out the proposal, which is settled (ori_decision_settle), and begins the struck task's
 * new stint. Without a decision (below) there is nothing to carry out. */
orr_status ori_decision_apply(orr_malleable *sim, int32_t struck, orr_error *err);

/* Share of a task's work left at the clock. */
double ori_task_left(orr_malleable *sim, int32_t task);

/* --- faults: those that strike nobody come ahead of the clock (faults.c) --------------------- */

/* The fault that comes next. */
static inline orr_fault ori_next_fault(const orr_malleable *sim)
{
    return ORR_UNLIKELY(sim->due.taken < sim->due.count) ? sim->due.items[sim->due.taken]
                                                         : orr_faults_peek(sim->faults);
}

/* Takes the next fault, and records it if wanted. */
orr_status ori_take_fault(orr_malleable *sim, const orr_fault *fault, orr_error *err);

/* Takes the faults before the next end that strike no task: until then nothing changes. */
orr_status ori_pass_over_absorbed(orr_malleable *sim, orr_error *err);

/* The task that a fault hits, < 0 for none, and whether it is ready to be struck. */
int32_t ori_task_hit(const orr_malleable *sim, const orr_fault *fault);
bool ori_fault_strikes(const orr_malleable *sim, const orr_fault *fault);

/* Counts it where a buddy has to resend both checkpoints while its task recovers. */
void ori_note_fatal(orr_malleable *sim, const orr_fault *fault);

/* Called before a change: puts back the faults taken ahead of the clock. From now on drawn faults
 * come from the streams of `seed`. */
orr_status ori_put_back_faults(orr_malleable *sim, uint64_t seed, orr_error *err);

/* Called after ori_put_back_faults: adds a fault at the clock, behind the present ones. */
orr_status ori_add_fault(orr_malleable *sim, orr_fault fault, orr_error *err);

/* --- a decision of the policy, as the engine sees it (decide.c) ------------------------------ */

/* Opens a decision; the hook of the policy is then called, and the proposal applied
 * (ori_decision_apply). struck: the struck task; -1: none. */
void ori_decision_open(orr_malleable *sim, int32_t struck);
/* Reports remembered values that do not hold; ORI_IN_CHECKS only. */
void ori_decision_check(orr_malleable *sim);

/* ORR_ERR_POLICY where the proposal hands out more processors than the machine has. */
orr_status ori_check_proposal(const orr_malleable *sim, orr_error *err);

/* After start_over the finishes of tasks that held more are computed only on demand: share_out.c
 * needs few of them. Call this before reading `proposed_finish` or `list`. */
void ori_decision_settle_all(orr_malleable *sim);
static inline void ori_decision_settle(orr_malleable *sim)
{
    if (ORR_UNLIKELY(sim->decision.fresh))
        ori_decision_settle_all(sim);
}
/* Computes one task's finish and leaf where they are not known yet; the task takes part. */
void ori_decision_settle_task(orr_malleable *sim, int32_t task);

/* Makes the list, on its first use. */
void ori_decision_list(orr_malleable *sim);

/* For a task that takes part: the share of its work that is left; the time from which it could have
 * other processors, s (a struck task redistributes after its recovery); its expected finish on a
 * number of processors, s. */
double ori_decision_left(orr_malleable *sim, int32_t task);
static inline double ori_decision_begin(const orr_malleable *sim, int32_t task)
{
    return task == sim->decision.struck ? sim->ready[task] : sim->shell.now;
}
double ori_decision_finish_with(orr_malleable *sim, int32_t task, int32_t procs);
/* Whether the expected finish is surely later than `level`, s: by a bound, without exponentials. */
bool ori_decision_stays_above(orr_malleable *sim, int32_t task, int32_t procs, double level);

/* Says why a task cannot be given processors. */
orr_status ori_decision_refuse(const orr_malleable *sim, int32_t task, orr_error *err);

static inline void ori_decision_close(orr_malleable *sim)
{
    sim->decision.open = false;
    sim->decision.struck = -1;
}
