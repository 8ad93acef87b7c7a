/* What happens when: ends of tasks, faults, and what the policy makes of them. */
#include "malleable/state_internal.h"

#include <math.h>
#include <string.h>

orr_status ori_malleable_check_idle(const orr_malleable *sim, const char *what, orr_error *err)
{
    if (!sim->busy)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT,
                    "policy %s: a simulation cannot be %s from inside its own policy",
                    sim->policy.name, what);
}

double ori_next_end(const orr_malleable *sim)
{
    int32_t first = ori_tree_top(&sim->ends);
    if (sim->owing > 0)
        return sim->now;
    return first < 0 ? INFINITY : sim->end[first];
}

/* --- events --------------------------------------------------------------------------------- */

typedef orr_status (*hook)(void *user, orr_malleable *sim, int32_t task, orr_error *err);

static orr_status check_proposal(const orr_malleable *sim, orr_error *err)
{
    if (sim->proposed_free >= 0)
        return ORR_OK;
    int32_t locked = 0;
    bool grows = false;
    for (int32_t i = 0; i < sim->count; i++) {
        locked += sim->held[i] > 0 && !sim->takes_part[i] ? sim->held[i] : 0;
        grows |= sim->proposed[i] > sim->held[i];
    }
    if (!grows) /* as many as they had are held by those that are to leave */
        return ORR_OK;
    int32_t there = sim->procs - locked;
    orr_fail(err, ORR_ERR_POLICY,
             "hands out %d processors; there are %d, and locked tasks hold %d of these",
             (int)(there - sim->proposed_free), (int)sim->procs, (int)locked);
    if (err && sim->leaving > 0)
        orr_error_prefix(err, "%d processors have yet to leave the machine", (int)sim->leaving);
    return ORR_ERR_POLICY;
}

/* Asks the policy and does what it proposes; struck: the task, -1 after an end. */
static orr_status ask_policy(orr_malleable *sim, const char *name, hook function, int32_t task,
                             int32_t struck, orr_error *err)
{
    ori_decision_open(sim, struck);
    ori_policy_begin(err);
    orr_status status = function(sim->policy.user, sim, task, err);
    status = ori_policy_end(sim->policy.name, name, status, err);
    if (status == ORR_OK)
        status = check_proposal(sim, err);
    if (status == ORR_OK)
        status = ori_decision_apply(sim, struck, err);
    else if (err && strncmp(err->message, "policy ", 7) != 0)
        orr_error_prefix(err, "policy %s: %s for task %s at time %.17g", sim->policy.name, name,
                         orr_tasks_id(sim->tasks, task), sim->now);
    sim->deciding = false;
    sim->struck = -1;
    return status;
}

/* owed: it was cancelled, and only the policy has to hear of it. */
static orr_status end_task(orr_malleable *sim, int32_t task, bool owed, orr_error *err)
{
    orr_status status = ORR_OK;
    if (owed) {
        ori_bit_clear(sim->owed, task);
        sim->owing--;
    } else {
        status = ori_task_complete(sim, task, err);
    }
    if (status != ORR_OK || sim->running == 0 || !sim->policy.on_end)
        return status;
    return ask_policy(sim, "on_end", sim->policy.on_end, task, -1, err);
}

static orr_status too_many_faults(const orr_malleable *sim, int32_t task, orr_error *err)
{
    return orr_fail(err, ORR_ERR_LIMIT,
                    "more than %lld faults strike before all tasks are over: at time %.17g task %s "
                    "on %d processors has %.3g of its work left and is expected to need %.3g s",
                    (long long)sim->max_faults, sim->now, orr_tasks_id(sim->tasks, task),
                    (int)sim->held[task], sim->alpha[task], sim->finish[task] - sim->ready[task]);
}

static void note_recovery(orr_malleable *sim, const orr_fault *fault, int32_t task)
{
    if (fault->processor < 0)
        return;
    sim->recovering[fault->processor / 2] = sim->ready[task];
    sim->failed[fault->processor / 2] = fault->processor;
}

/* RR-8795, Algorithm 2, lines 21 to 32. */
static orr_status strike(orr_malleable *sim, const orr_fault *fault, orr_error *err)
{
    int32_t task = ori_task_hit(sim, fault);
    ori_note_fatal(sim, fault);
    ori_task_strike(sim, task);
    note_recovery(sim, fault, task);
    if (sim->metrics.faults > sim->max_faults)
        return too_many_faults(sim, task, err);
    double latest = sim->finish[ori_tree_top(&sim->finishes)];
    if (sim->policy.on_fault && sim->finish[task] >= latest)
        return ask_policy(sim, "on_fault", sim->policy.on_fault, task, task, err);
    return ori_decision_apply(sim, task, err);
}

/* The next event, which is at the clock. */
static orr_status apply_event(orr_malleable *sim, orr_error *err)
{
    orr_status status;
    int32_t first = ori_tree_top(&sim->ends);
    if (sim->undo_at <= sim->now) {
        status = ori_machine_undo(sim, err);
    } else if (sim->owing > 0) {
        status = end_task(sim, ori_bit_next(sim->owed, 0, sim->count), true, err);
    } else if (sim->end[first] == sim->now) {
        status = end_task(sim, first, false, err);
    } else {
        orr_fault fault = ori_next_fault(sim);
        status = ori_take_fault(sim, &fault, err);
        if (status == ORR_OK)
            status = strike(sim, &fault, err);
    }
    return status == ORR_OK ? ori_pass_over_absorbed(sim, err) : status;
}

double orr_malleable_next_event(const orr_malleable *sim)
{
    if (!sim->begun || sim->running == 0)
        return INFINITY;
    double end = ori_next_end(sim), fault = ori_next_fault(sim).time;
    double next = fault < end ? fault : end;
    return next < sim->undo_at ? next : sim->undo_at;
}

orr_status ori_malleable_check_can_go_on(const orr_malleable *sim, const char *what, orr_error *err)
{
    orr_status status = ori_malleable_check_idle(sim, what, err);
    if (status != ORR_OK)
        return status;
    if (sim->stopped)
        return orr_fail(err, ORR_ERR_POLICY,
                        "policy %s: the simulation was stopped by an error at time %.17g and "
                        "cannot go on",
                        sim->policy.name, sim->now);
    if (!sim->begun)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the simulation has no run yet; orr_malleable_reset begins one");
    if (orr_is_cancelled(sim->cancel))
        return orr_fail(err, ORR_ERR_CANCELLED, "interrupted at time %.17g", sim->now);
    return ORR_OK;
}

static void pass_time(orr_malleable *sim, double time)
{
    sim->metrics.spent.idle += sim->free * (time - sim->now);
    sim->now = time;
}

orr_status orr_malleable_step(orr_malleable *sim, orr_error *err)
{
    orr_status status = ori_malleable_check_can_go_on(sim, "stepped", err);
    if (status != ORR_OK || sim->running == 0)
        return status;
    double instant = orr_malleable_next_event(sim);
    if (!(instant < INFINITY))
        return orr_fail(err, ORR_ERR_LIMIT,
                        "task %s would end at infinity: its times are too large",
                        orr_tasks_id(sim->tasks, ori_tree_top(&sim->ends)));
    ORI_MALLEABLE_CHECK(sim, instant >= sim->now, err);
    pass_time(sim, instant);
    sim->busy = true;
    do
        status = apply_event(sim, err);
    while (status == ORR_OK && orr_malleable_next_event(sim) == instant);
    if (status == ORR_OK)
        status = ori_note_moment(sim, err);
    sim->busy = false;
    sim->stopped = status != ORR_OK;
    return status;
}

orr_status orr_malleable_run_until(orr_malleable *sim, double time, orr_error *err)
{
    orr_status status = ori_malleable_check_can_go_on(sim, "run", err);
    while (status == ORR_OK && orr_malleable_next_event(sim) <= time &&
           orr_malleable_next_event(sim) < INFINITY)
        status = orr_malleable_step(sim, err);
    if (status == ORR_OK && sim->running > 0 && time > sim->now && time < INFINITY)
        pass_time(sim, time);
    return status;
}

orr_status orr_malleable_finish(orr_malleable *sim, orr_malleable_metrics *metrics, orr_error *err)
{
    orr_status status = ori_malleable_check_can_go_on(sim, "finished", err);
    while (status == ORR_OK && sim->running > 0)
        status = orr_malleable_step(sim, err);
    if (status == ORR_OK && metrics)
        *metrics = orr_malleable_measure(sim);
    return status;
}
