/* What a simulation is made of, file by file. */
#pragma once

#include "malleable/state_internal.h"
#include "schedule/stints_internal.h"

/* --- the size of the machine, which somebody may change (machine.c) -------------------------- */

/* The processors that are there: those that are to be, and those that cannot leave yet. */
static inline int32_t ori_machine_present(const orr_malleable *sim)
{
    return sim->at.procs + sim->at.leaving;
}

/* Whether a processor is not in service: it has left, or was never there. */
bool ori_machine_is_down(const orr_malleable *sim, int32_t processor);

/* Lets free processors go as long as there are too many. */
orr_status ori_machine_settle(orr_malleable *sim, orr_error *err);

/* The machine is to have so many until then, and as many as now thereafter; there is room. */
orr_status ori_machine_resize(orr_malleable *sim, int32_t procs, double until, orr_error *err);

/* --- what a recording keeps beside the stints; nothing without one ---------------------------- */

/* How the processors are spread after this instant. */
orr_status ori_record_moment(orr_malleable *sim, orr_error *err);

/* What somebody changed, now. Fields that a change does not have are 0, its processors none. */
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

/* The task starts on what `held` says, now. */
orr_status ori_task_begin(orr_malleable *sim, int32_t task, orr_error *err);

/* What is expected of the task follows from this start, which changes nothing else yet. */
void ori_task_foresee_start(orr_malleable *sim, int32_t task);

/* What is left of the task takes `factor` times as long; ORR_ERR_ARGUMENT where that is no time. */
orr_status ori_task_scale(orr_malleable *sim, int32_t task, double factor, orr_error *err);

/* The task is over, with this share of its work left: it completes, or somebody cancels it. */
orr_status ori_task_end(orr_malleable *sim, int32_t task, double left, orr_stop why,
                        orr_error *err);

/* A fault: what was not saved is lost, and the task recovers on the processors it has. Its new
 * stint begins with ori_decision_apply. */
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

/* Takes the next fault, and records it where that is wanted. */
orr_status ori_take_fault(orr_malleable *sim, const orr_fault *fault, orr_error *err);

/* Takes the faults away that come before the next end and strike nobody: until then nothing
 * changes. */
orr_status ori_pass_over_absorbed(orr_malleable *sim, orr_error *err);

/* The task that a fault hits, < 0 for none, and whether it is ready to be struck. */
int32_t ori_task_hit(const orr_malleable *sim, const orr_fault *fault);
bool ori_fault_strikes(const orr_malleable *sim, const orr_fault *fault);

/* Counts it where a buddy has to resend both checkpoints while its task recovers. */
void ori_note_fatal(orr_malleable *sim, const orr_fault *fault);

/* Before something changes: puts back what was taken ahead of the clock. The faults that are drawn
 * come from the streams of `seed` from now on. */
orr_status ori_put_back_faults(orr_malleable *sim, uint64_t seed, orr_error *err);

/* Thereafter: a fault at the clock, behind those that are there. */
orr_status ori_add_fault(orr_malleable *sim, orr_fault fault, orr_error *err);

/* --- a decision of the policy, as the engine sees it (decide.c) ------------------------------ */

/* Opens a decision; the hook of the policy is then called, and the proposal applied
 * (ori_decision_apply). struck: the task, -1: none. */
void ori_decision_open(orr_malleable *sim, int32_t struck);
/* Reports what is remembered and does not hold; ORI_IN_CHECKS only. */
void ori_decision_check(orr_malleable *sim);

/* ORR_ERR_POLICY where the proposal hands out more processors than there are. */
orr_status ori_check_proposal(const orr_malleable *sim, orr_error *err);

/* After start_over the finishes of tasks that held more are computed when somebody looks at them:
 * share_out.c passes over most. Whoever reads `proposed_finish` or `list` calls this first. */
void ori_decision_settle_all(orr_malleable *sim);
static inline void ori_decision_settle(orr_malleable *sim)
{
    if (ORR_UNLIKELY(sim->decision.fresh))
        ori_decision_settle_all(sim);
}
/* The same for one task that takes part, where it is not known yet: its finish, and its leaf. */
void ori_decision_settle_task(orr_malleable *sim, int32_t task);

/* The list is made when somebody looks at it. */
void ori_decision_list(orr_malleable *sim);

/* Of a task that takes part: the share of its work that is left; since when it could have other
 * processors, s: the struck one redistributes when it has recovered; its expected finish with so
 * many, s. */
double ori_decision_left(orr_malleable *sim, int32_t task);
static inline double ori_decision_begin(const orr_malleable *sim, int32_t task)
{
    return task == sim->decision.struck ? sim->ready[task] : sim->shell.now;
}
double ori_decision_finish_with(orr_malleable *sim, int32_t task, int32_t procs);
/* Whether that is surely later than a time, s: from a bound, without exponentials. */
bool ori_decision_stays_above(orr_malleable *sim, int32_t task, int32_t procs, double level);

/* Says why a task cannot be given processors. */
orr_status ori_decision_refuse(const orr_malleable *sim, int32_t task, orr_error *err);

static inline void ori_decision_close(orr_malleable *sim)
{
    sim->decision.open = false;
    sim->decision.struck = -1;
}
