/* Changes from outside: checked, then made to a copy, which the caller gets when the whole change
 * has succeeded. */
#include "malleable/change.h"

#include "base/api_internal.h"
#include "base/print_internal.h"
#include "base/try_internal.h"
#include "malleable/allocate_internal.h"
#include "malleable/faults_internal.h"
#include "malleable/machine_internal.h"
#include "malleable/tasks_internal.h"

#include <string.h>

/* --- checks of a change ----------------------------------------------------------------------- */

static orr_status check_task(const orr_malleable *sim, int32_t task, const char *what,
                             orr_error *err)
{
    ORI_REFUSE(task < 0 || task >= sim->count, err,
               "%s: there is no task at position %lld among %d", what, (long long)task + 1,
               (int)sim->count);
    ORI_REFUSE(sim->held[task] == 0, err, "%s: task %s is over since %.17g", what,
               orr_tasks_id(sim->tasks, task), sim->end[task]);
    return ORR_OK;
}

static orr_status check_fault(const orr_malleable *sim, const orr_fault *fault, orr_error *err)
{
    ORI_REFUSE((fault->processor < 0) == (fault->task < 0), err,
               "fault: either its processor or its task must be given");
    ORI_REFUSE(fault->task >= sim->count, err, "fault: there is no task at position %lld among %d",
               (long long)fault->task + 1, (int)sim->count);
    ORI_REFUSE(fault->processor >= sim->at.numbered, err,
               "fault: processor %d is not among 0 to %d", (int)fault->processor,
               (int)sim->at.numbered - 1);
    return ORR_OK;
}

static orr_status check_change(const orr_malleable *sim, const orr_malleable_change *c,
                               orr_error *err)
{
    ORI_TRY(ori_shell_check_can_go_on(&sim->shell, "orr_malleable_reset", "changed", err));
    ORI_TRY(ori_shell_check_cancel(&sim->shell, err));
    ORI_REFUSE(c->cancel_count < 0 || c->work_count < 0 || c->fault_count < 0, err,
               "a change has at least 0 tasks to cancel, works and faults, not %d, %d, %lld",
               (int)c->cancel_count, (int)c->work_count, (long long)c->fault_count);
    ORI_REFUSE(c->policy && (c->policy->period || sim->policy.period), err,
               "policy: %s gives the periods of checkpoints, which do not change while tasks run",
               sim->policy.period ? sim->policy.name : c->policy->name);
    ORI_REFUSE(c->resizes && (c->procs < 0 || c->procs == INT32_MAX), err,
               "procs: a machine cannot have %d processors", (int)c->procs);
    ORI_REFUSE(c->resizes && !(c->until > sim->shell.now), err,
               "procs: until must be later than now, %.17g, it is %.17g", sim->shell.now, c->until);
    bool same = !c->tasks || c->tasks->count >= sim->count;
    for (int32_t i = 0; c->tasks && same && i < sim->count; i++)
        same = strcmp(orr_tasks_id(c->tasks, i), orr_tasks_id(sim->tasks, i)) == 0;
    ORI_REFUSE(!same, err, "submit: the tasks must begin with those that there are");
    return ORR_OK;
}

/* --- its parts -------------------------------------------------------------------------------- */

/* The tasks from `first` on start. */
static orr_status submit_tasks(orr_malleable *sim, int32_t first, orr_error *err)
{
    int32_t more = sim->count - first;
    if (more == 0)
        return ORR_OK;
    ORI_REFUSE(sim->at.free / 2 < more, err,
               "submit: %d task%s need%s 2 processors%s to start on, and %d %s free", (int)more,
               more > 1 ? "s" : "", more > 1 ? "" : "s", more > 1 ? " each" : "", (int)sim->at.free,
               sim->at.free == 1 ? "is" : "are");
    ori_allocate(&sim->costs, first, sim->at.free, &sim->list, sim->held);
    for (int32_t i = first; i < sim->count; i++) {
        orr_stints_change submission = {
            .what = ORR_CHANGED_SUBMIT, .task = i, .processors = {0, -1}};
        ORI_TRY(ori_record_change(sim, submission, err));
        ORI_TRY(ori_task_begin(sim, i, err));
    }
    return ORR_OK;
}

static orr_status cancel_tasks(orr_malleable *sim, const orr_malleable_change *c, orr_error *err)
{
    for (int32_t i = 0; i < c->cancel_count; i++) {
        ORI_TRY(check_task(sim, c->cancel[i], "cancel", err));
        ori_bit_set(sim->untold, c->cancel[i]);
        sim->at.untold++;
        ORI_TRY(ori_task_end(sim, c->cancel[i], ori_task_left(sim, c->cancel[i]),
                             ORR_STOP_CANCELLED, err));
    }
    if (sim->at.running == 0) { /* no task is left for redistribution */
        for (int32_t i = 0; i < sim->count; i++)
            ori_bit_clear(sim->untold, i);
        sim->at.untold = 0;
    }
    return ORR_OK;
}

static orr_status scale_work(orr_malleable *sim, const orr_malleable_change *c, orr_error *err)
{
    for (int32_t i = 0; i < c->work_count; i++) {
        double factor = c->work[i].factor;
        ORI_TRY(check_task(sim, c->work[i].task, "work", err));
        ORI_REFUSE(!(factor > 0 && factor < INFINITY), err,
                   "work: the factor must be a finite number > 0, it is %.17g", factor);
        ORI_TRY(ori_task_scale(sim, c->work[i].task, factor, err));
    }
    return ORR_OK;
}

static void remark_absorbed(const orr_malleable *sim, const orr_malleable_change *c,
                            const orr_fault *fault)
{
    char who[200], text[256];
    int32_t task = ori_task_hit(sim, fault);
    if (!c->remark || ori_fault_strikes(sim, fault))
        return;
    if (fault->processor >= 0 && ori_machine_is_down(sim, fault->processor))
        ori_snprintf(who, sizeof who, "processor %d is not on the machine", (int)fault->processor);
    else if (task < 0)
        ori_snprintf(who, sizeof who, "processor %d is idle", (int)fault->processor);
    else if (sim->held[task] == 0)
        ori_snprintf(who, sizeof who, "task %.100s is over", orr_tasks_id(sim->tasks, task));
    else
        ori_snprintf(who, sizeof who, "task %.100s is locked until %.17g",
                     orr_tasks_id(sim->tasks, task), sim->ready[task]);
    ori_snprintf(text, sizeof text, "%s: the fault has no effect", who);
    c->remark(c->remark_user, text);
}

static orr_status add_faults(orr_malleable *sim, const orr_malleable_change *c, orr_error *err)
{
    for (int64_t i = 0; i < c->fault_count; i++) {
        orr_fault fault = c->faults[i];
        fault.time = sim->shell.now;
        ORI_TRY(check_fault(sim, &fault, err));
        ORI_TRY(ori_add_fault(sim, fault, err));
        remark_absorbed(sim, c, &fault);
    }
    return ORR_OK;
}

static orr_status apply_change(orr_malleable *sim, const orr_malleable_change *c, int32_t tasks,
                               orr_error *err)
{
    bool spreads = c->resizes || c->tasks || c->cancel_count > 0; /* processors in another way */
    if (spreads)
        ori_count_idle(sim);
    ORI_TRY(ori_put_back_faults(sim, c->draws ? c->seed : sim->shell.seed, err));
    if (c->resizes)
        ORI_TRY(ori_machine_resize(sim, c->procs, c->until, err));
    ORI_TRY(submit_tasks(sim, tasks, err));
    ORI_TRY(cancel_tasks(sim, c, err));
    ORI_TRY(scale_work(sim, c, err));
    ORI_TRY(add_faults(sim, c, err));
    ORI_TRY(ori_costs_status(&sim->costs, err));
    sim->shell.phase = ORI_MOVES; /* a policy may look at the simulation, but not take it further */
    if (c->policy)
        ORI_TRY(ori_malleable_make_state(sim, err));
    sim->shell.phase = ORI_RESTS;
    if (spreads)
        ORI_TRY(ori_record_moment(sim, err));
    return ori_pass_over_absorbed(sim, err);
}

/* The number of pairs of buddies for which a copy needs room: the present room, or more where the
 * machine grows. */
static int32_t room_for(const orr_malleable *sim, const orr_malleable_change *c)
{
    if (!c->resizes)
        return sim->pairs;
    int32_t present = ori_machine_present(sim), most = c->procs > present ? c->procs : present;
    return most / 2 + most % 2 > sim->pairs ? most / 2 + most % 2 : sim->pairs;
}

orr_malleable *orr_malleable_changed(const orr_malleable *sim, const orr_malleable_change *given,
                                     orr_error *err)
{
    orr_malleable_change change;
    orr_malleable_policy policy;
    if (ORI_TAKE(&change, given, orr_malleable_change, err) != ORR_OK ||
        (change.policy &&
         (ORI_TAKE(&policy, change.policy, orr_malleable_policy, err) != ORR_OK ||
          ori_policy_check_state(&ORI_POLICY_CALLS(&policy), policy.make_state, err) != ORR_OK)))
        return NULL;
    if (change.policy) {
        policy.name = ORI_POLICY_NAME(&policy);
        change.policy = &policy;
    }
    if (check_change(sim, &change, err) != ORR_OK)
        return NULL;
    const orr_tasks *tasks = change.tasks ? change.tasks : sim->tasks;
    ori_malleable_shape shape = {.tasks = tasks,
                                 .count = tasks->count,
                                 .pairs = room_for(sim, &change),
                                 .policy = change.policy ? &policy : &sim->policy};
    orr_malleable *copy = ori_malleable_clone(sim, &shape, err);
    if (!copy)
        return NULL;
    if (apply_change(copy, &change, sim->count, err) == ORR_OK) {
        ORI_IN_CHECKS(ori_malleable_check_state(copy));
        return copy;
    }
    orr_malleable_destroy(copy);
    return NULL;
}
