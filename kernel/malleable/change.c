#include "malleable/change.h"

#include "malleable/engine_internal.h"

#include <stdio.h>

/* --- what a change may ask for ---------------------------------------------------------------- */

static orr_status check_task(const orr_malleable *sim, int32_t task, const char *what,
                             orr_error *err)
{
    if (task < 0 || task >= sim->count)
        return orr_fail(err, ORR_ERR_ARGUMENT, "%s: there is no task at position %d among %d", what,
                        (int)task + 1, (int)sim->count);
    if (sim->held[task] == 0)
        return orr_fail(err, ORR_ERR_ARGUMENT, "%s: task %s is over since %.17g", what,
                        orr_tasks_id(sim->tasks, task), sim->end[task]);
    return ORR_OK;
}

static orr_status check_fault(const orr_malleable *sim, const orr_fault *fault, orr_error *err)
{
    if ((fault->processor < 0) == (fault->task < 0))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "fault: either its processor or its task must be given");
    if (fault->task >= sim->count)
        return orr_fail(err, ORR_ERR_ARGUMENT, "fault: there is no task at position %d among %d",
                        (int)fault->task + 1, (int)sim->count);
    if (fault->processor >= sim->procs)
        return orr_fail(err, ORR_ERR_ARGUMENT, "fault: processor %d is not among 0 to %d",
                        (int)fault->processor, (int)sim->procs - 1);
    return ORR_OK;
}

static orr_status check_sim(const orr_malleable *sim, orr_error *err)
{
    orr_status status = orr_malleable_check_can_go_on(sim, "changed", err);
    if (status == ORR_OK && !sim->record)
        return orr_fail(err, ORR_ERR_ARGUMENT, "only a simulation that is recorded can be changed");
    return status;
}

/* --- its parts -------------------------------------------------------------------------------- */

static orr_status cancel_tasks(orr_malleable *sim, const orr_malleable_change *c, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t i = 0; status == ORR_OK && i < c->cancel_count; i++) {
        status = check_task(sim, c->cancel[i], "cancel", err);
        if (status == ORR_OK)
            status = orr_task_cancel(sim, c->cancel[i], err);
    }
    if (sim->running == 0) { /* nobody is left to be redistributed */
        for (int32_t i = 0; i < sim->count; i++)
            orr_bit_clear(sim->owed, i);
        sim->owing = 0;
    }
    return status;
}

static void remark_absorbed(const orr_malleable *sim, const orr_malleable_change *c,
                            const orr_fault *fault)
{
    char text[256];
    int32_t task = orr_task_hit(sim, fault);
    if (!c->remark || orr_fault_strikes(sim, fault))
        return;
    if (task < 0)
        snprintf(text, sizeof text, "processor %d is idle: the fault has no effect",
                 (int)fault->processor);
    else if (sim->held[task] == 0)
        snprintf(text, sizeof text, "task %.100s is over: the fault has no effect",
                 orr_tasks_id(sim->tasks, task));
    else
        snprintf(text, sizeof text, "task %.100s is locked until %.17g: the fault has no effect",
                 orr_tasks_id(sim->tasks, task), sim->ready[task]);
    c->remark(c->remark_user, text);
}

static orr_status add_faults(orr_malleable *sim, const orr_malleable_change *c, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int64_t i = 0; status == ORR_OK && i < c->fault_count; i++) {
        orr_fault fault = c->faults[i];
        fault.time = sim->now;
        status = check_fault(sim, &fault, err);
        if (status == ORR_OK)
            status = orr_add_fault(sim, fault, err);
        if (status == ORR_OK)
            remark_absorbed(sim, c, &fault);
    }
    return status;
}

static orr_status apply(orr_malleable *sim, const orr_malleable_change *c, orr_error *err)
{
    orr_status status = orr_recall_faults(sim, err);
    if (status == ORR_OK && c->policy)
        status = orr_make_policy_state(sim, err);
    if (status == ORR_OK && c->draws)
        status = orr_draw_faults_anew(sim, c->seed, err);
    if (status == ORR_OK)
        status = cancel_tasks(sim, c, err);
    if (status == ORR_OK)
        status = add_faults(sim, c, err);
    return status == ORR_OK ? orr_pass_over_absorbed(sim, err) : status;
}

orr_malleable *orr_malleable_changed(const orr_malleable *sim, const orr_malleable_change *change,
                                     orr_error *err)
{
    if (check_sim(sim, err) != ORR_OK)
        return NULL;
    orr_malleable_shape shape = {.tasks = sim->tasks,
                                 .count = sim->count,
                                 .pairs = sim->pairs,
                                 .policy = change->policy ? change->policy : &sim->policy};
    orr_malleable *changed = orr_malleable_clone(sim, &shape, err);
    if (!changed || apply(changed, change, err) == ORR_OK)
        return changed;
    orr_malleable_destroy(changed);
    return NULL;
}
