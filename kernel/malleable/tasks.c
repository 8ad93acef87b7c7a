/* The effects of events on tasks: they start, are struck, change their processors, end. Here are
 * the consequences for ends, stints and processors, but not the times and causes of events. */
#include "malleable/machine_internal.h"
#include "malleable/tasks_internal.h"

#include <string.h>

static const orr_expected *costs_at(orr_malleable *sim, int32_t task)
{
    return ori_costs_of(&sim->costs, task, sim->held[task]);
}

/* The expected and the real end follow from alpha, ready and the processors. */
static void foresee(orr_malleable *sim, int32_t task)
{
    const orr_expected *e = costs_at(sim, task);
    double ready = sim->ready[task], alpha = sim->alpha[task];
    sim->finish[task] = ready + orr_expected_time(e, alpha);
    sim->end[task] = orr_undisturbed_end(e, ready, alpha);
    ori_tree_set(&sim->finishes, task, ori_tree_number(sim->finish[task]));
    ori_tree_set(&sim->ends, task, -ori_tree_number(sim->end[task]));
    sim->fewer[task].at = NAN;
    if (ready > sim->shell.now)
        ori_bit_set(sim->locked, task);
}

/* --- stints ----------------------------------------------------------------------------------- */

/* Lists a task's processors in sim->intervals; returns the number of intervals. */
static int32_t list_intervals(const orr_malleable *sim, int32_t task)
{
    const ori_processors *pairs = &sim->holdings;
    orr_interval *intervals = sim->intervals;
    int32_t count = 0;
    for (int32_t i = pairs->head[task]; i >= 0;) {
        orr_interval run = ori_processors_next_run(pairs, &i);
        intervals[count++] = (orr_interval){2 * run.low, 2 * run.high + 1};
    }
    return count;
}

/* Begins the task's next stint now, on its held processors, with its times up to `ready`. */
static orr_status begin_stint(orr_malleable *sim, int32_t task, orr_error *err)
{
    const orr_expected *e = costs_at(sim, task);
    orr_stint *s = &sim->stint[task];
    s->task = task;
    s->procs = sim->held[task];
    s->start = sim->shell.now;
    s->ready = sim->ready[task];
    s->stop = INFINITY;
    s->added = 0;
    s->alpha = s->alpha_stop = sim->alpha[task];
    s->time = e->time;
    s->checkpoint = e->checkpoint;
    s->period = e->period;
    s->work = e->work;
    s->why = ORR_STOP_RUNNING;
    if (!sim->shell.record)
        return ORR_OK;
    int32_t count = list_intervals(sim, task);
    return ori_stints_begin(&sim->stints, s, sim->intervals, count, err);
}

static void end_stint(orr_malleable *sim, int32_t task, double alpha, orr_stop why)
{
    orr_stint *s = &sim->stint[task];
    s->stop = sim->shell.now;
    s->alpha_stop = alpha;
    s->why = why;
    ori_spent_add(&sim->at.metrics.spent, s);
    if (sim->shell.record)
        ori_stints_end(&sim->stints, task, sim->shell.now, alpha, why);
}

/* --- start, end, fault ------------------------------------------------------------------------ */

void ori_task_foresee_start(orr_malleable *sim, int32_t task)
{
    sim->alpha[task] = 1;
    sim->ready[task] = sim->shell.now;
    sim->at.free -= sim->held[task];
    sim->at.running++;
    foresee(sim, task);
}

orr_status ori_task_begin(orr_malleable *sim, int32_t task, orr_error *err)
{
    ori_task_foresee_start(sim, task);
    ori_processors_take(&sim->holdings, 0, task, sim->held[task] / 2);
    sim->stint[task] = (orr_stint){.from = sim->held[task],
                                   .down_until = sim->shell.now,
                                   .recovered = sim->shell.now,
                                   .moved = sim->shell.now};
    return begin_stint(sim, task, err);
}

orr_status ori_task_end(orr_malleable *sim, int32_t task, double left, orr_stop why, orr_error *err)
{
    end_stint(sim, task, left, why);
    ori_processors_give_highest(&sim->holdings, 0, task, 0);
    sim->at.free += sim->held[task];
    sim->at.running--;
    sim->held[task] = 0;
    sim->alpha[task] = left;
    sim->finish[task] = sim->end[task] = sim->shell.now;
    ori_tree_remove(&sim->ends, task);
    ori_tree_remove(&sim->finishes, task);
    ORI_TRY(ori_machine_settle(sim, err));
    ORI_CHECK(&sim->shell, sim->at.free <= sim->at.procs, err);
    return ORR_OK;
}

/* Adds the remaining work times (factor - 1) to the share; the periods continue unchanged. */
orr_status ori_task_scale(orr_malleable *sim, int32_t task, double factor, orr_error *err)
{
    double added = (factor - 1) * ori_task_left(sim, task);
    sim->stint[task].added += added;
    sim->alpha[task] = sim->stint[task].alpha + sim->stint[task].added;
    foresee(sim, task);
    ORI_REFUSE(!(sim->end[task] < INFINITY), err, "work: task %s would end at infinity",
               orr_tasks_id(sim->tasks, task));
    if (sim->end[task] < sim->shell.now) { /* by rounding */
        sim->end[task] = sim->shell.now;
        ori_tree_set(&sim->ends, task, -ori_tree_number(sim->shell.now));
    }
    if (sim->shell.record)
        ori_stints_add_work(&sim->stints, task, added);
    orr_stints_change change = {
        .what = ORR_CHANGED_WORK, .task = task, .factor = factor, .processors = {0, -1}};
    return ori_record_change(sim, change, err);
}

void ori_task_strike(orr_malleable *sim, int32_t task)
{
    const orr_expected *e = costs_at(sim, task);
    double alpha = orr_left_after_fault(e, sim->alpha[task], sim->shell.now - sim->ready[task]);
    end_stint(sim, task, alpha, ORR_STOP_STRUCK);
    orr_stint *s = &sim->stint[task];
    s->from = sim->held[task];
    s->down_until = sim->shell.now + sim->asked.resilience.downtime;
    s->recovered = s->moved = s->down_until + e->recovery;
    sim->alpha[task] = alpha;
    sim->ready[task] = s->recovered;
    foresee(sim, task);
    sim->at.metrics.faults++;
}

/* --- redistribution --------------------------------------------------------------------------- */

double ori_task_left(orr_malleable *sim, int32_t task)
{
    double elapsed = sim->shell.now - sim->ready[task];
    if (elapsed <= 0 || sim->held[task] == 0)
        return sim->alpha[task];
    return orr_left_after(costs_at(sim, task), sim->alpha[task], elapsed);
}

static void give_back(orr_malleable *sim, int32_t task)
{
    int32_t fewer = sim->held[task] - sim->proposed[task];
    if (fewer <= 0)
        return;
    ori_processors_give_highest(&sim->holdings, 0, task, sim->proposed[task] / 2);
    sim->at.free += fewer;
}

/* Moves a task from `held` to `proposed` processors; processors that it gives back are already
 * free. */
static orr_status move_task(orr_malleable *sim, int32_t task, orr_error *err)
{
    int32_t from = sim->held[task], to = sim->proposed[task];
    bool struck = task == sim->decision.struck;
    double left = sim->left_known[task] ? sim->left[task] : ori_task_left(sim, task);
    orr_stint *s = &sim->stint[task];
    if (!struck) {
        end_stint(sim, task, left, ORR_STOP_MOVED);
        s->from = from;
        s->down_until = s->recovered = sim->shell.now;
    }
    if (to > from) {
        ori_processors_add(&sim->holdings, 0, task, (to - from) / 2);
        sim->at.free -= to - from;
    }
    s->moved = s->recovered +
               orr_redistribution_cost(&sim->asked.resilience, sim->tasks->size[task], from, to);
    sim->held[task] = to;
    sim->alpha[task] = left;
    sim->ready[task] = s->moved + costs_at(sim, task)->checkpoint;
    foresee(sim, task);
    sim->at.metrics.moves++;
    return begin_stint(sim, task, err);
}

static int32_t next_touched(const orr_malleable *sim, int32_t task)
{
    do
        task = ori_bit_next(sim->touched, task, sim->count);
    while (task >= 0 && sim->proposed[task] == sim->held[task] && ++task < sim->count);
    return task < sim->count ? task : -1;
}

orr_status ori_decision_apply(orr_malleable *sim, int32_t struck, orr_error *err)
{
    int64_t moves = sim->at.metrics.moves;
    bool moved_struck = false;
    if (sim->decision.open) {
        for (int32_t i = next_touched(sim, 0); i >= 0; i = next_touched(sim, i + 1))
            give_back(sim, i);
        ORI_TRY(ori_machine_settle(sim, err));
    }
    int32_t next = sim->decision.open ? next_touched(sim, 0) : -1;
    /* stints that begin at one instant stand in order of task */
    while (next >= 0) {
        if (!moved_struck && struck >= 0 && struck < next) {
            ORI_TRY(begin_stint(sim, struck, err));
            moved_struck = true;
        }
        moved_struck |= next == struck;
        ORI_TRY(move_task(sim, next, err));
        next = next_touched(sim, next + 1);
    }
    if (struck >= 0 && !moved_struck)
        ORI_TRY(begin_stint(sim, struck, err));
    sim->at.metrics.redistributions += sim->at.metrics.moves > moves;
    return ORR_OK;
}
