/* The loop of the engine: ends of tasks, faults, calls of the policy, instant after instant. It
 * connects the parts of the engine. */
#include "malleable/decide_internal.h"
#include "malleable/faults_internal.h"
#include "malleable/machine_internal.h"
#include "malleable/tasks_internal.h"

#include <math.h>
#include <string.h>

/* --- events ----------------------------------------------------------------------------------- */

typedef orr_status (*hook)(void *user, orr_malleable *sim, int32_t task, orr_error *err);

/* Asks the policy and applies its proposal; struck: the struck task, -1 after an end. */
static orr_status ask_policy(orr_malleable *sim, const char *name, hook function, int32_t task,
                             int32_t struck, orr_error *err)
{
    ori_decision_open(sim, struck);
    ori_policy_begin(err);
    orr_status status = function(sim->policy.user, sim, task, err);
    status = ori_policy_end(sim->policy.name, name, status, err);
    ORI_IN_CHECKS(ori_decision_check(sim));
    if (status == ORR_OK)
        status = ori_costs_status(&sim->costs, err);
    if (status == ORR_OK)
        status = ori_check_proposal(sim, err);
    if (status == ORR_OK) {
        ori_decision_settle(sim);
        status = ori_decision_apply(sim, struck, err);
    } else if (err && strncmp(err->message, "policy ", 7) != 0) {
        orr_error_prefix(err, "policy %s: %s for task %s at time %.17g", sim->policy.name, name,
                         orr_tasks_id(sim->tasks, task), sim->shell.now);
    }
    ori_decision_close(sim);
    return status;
}

/* Ends a task. untold: it was cancelled before, and only the policy has to be told. */
static orr_status end_task(orr_malleable *sim, int32_t task, bool untold, orr_error *err)
{
    if (untold) {
        ori_bit_clear(sim->untold, task);
        sim->at.untold--;
    } else {
        ORI_TRY(ori_task_end(sim, task, 0, ORR_STOP_COMPLETED, err));
    }
    if (sim->at.running == 0 || !sim->policy.on_end)
        return ORR_OK;
    return ask_policy(sim, "on_end", sim->policy.on_end, task, -1, err);
}

enum { MANY_FAULTS = 1000 }; /* after which it is asked how many are still to come */

/* The faults that still strike a task on average on so many processors: in every period, and in the
 * work after the last one, until it is run through. None strikes a task that recovers. */
static double strikes_on(orr_malleable *sim, int32_t task, int32_t procs)
{
    const orr_expected *e = ori_costs_of(&sim->costs, task, procs);
    double alpha = sim->alpha[task], periods = orr_expected_checkpoints(e, alpha);
    if (!(e->work > 0))
        return e->rate * alpha * e->time;
    return (periods > 0 ? periods * e->growth : 0) + expm1(e->rate * orr_expected_last(e, alpha));
}

/* Ends a run in which more faults than are allowed are still to come on average, whatever
 * processors the tasks will have: it would take minutes until they have struck. */
static orr_status check_hopeless(orr_malleable *sim, orr_error *err)
{
    double now = 0, least = 0, most = -1;
    int32_t worst = 0;
    for (int32_t i = 0; i < sim->count; i++)
        now += sim->held[i] > 0 ? strikes_on(sim, i, sim->held[i]) : 0;
    if (sim->costs.periods.ask || now <= (double)sim->asked.max_faults)
        return ORR_OK;
    for (int32_t i = 0; i < sim->count; i++) {
        double own = sim->held[i] > 0 ? INFINITY : 0;
        for (int32_t procs = 2; sim->held[i] > 0 && procs <= sim->costs.procs; procs += 2)
            own = fmin(own, strikes_on(sim, i, procs));
        worst = own > most ? i : worst;
        most = fmax(most, own);
        least += own;
    }
    ORI_FAIL_IF(least > (double)sim->asked.max_faults, err, ORR_ERR_LIMIT,
                "more than %lld faults strike before all tasks are over: %.6g are still to come on "
                "average, even on the best numbers of processors, %.6g of them on task %s: let "
                "processors fail less often, or raise max_faults",
                (long long)sim->asked.max_faults, least, most, orr_tasks_id(sim->tasks, worst));
    return ORR_OK;
}

/* RR-8795, Algorithm 2, lines 21 to 32. */
static orr_status strike_task(orr_malleable *sim, const orr_fault *fault, orr_error *err)
{
    int32_t task = ori_task_hit(sim, fault);
    ori_note_fatal(sim, fault);
    ori_task_strike(sim, task);
    if (fault->processor >= 0) {
        sim->recovering[fault->processor / 2] = sim->ready[task];
        sim->failed[fault->processor / 2] = fault->processor;
    }
    ORI_FAIL_IF(sim->at.metrics.faults > sim->asked.max_faults, err, ORR_ERR_LIMIT,
                "more than %lld faults strike before all tasks are over: at time %.17g task %s "
                "on %d processors has %.3g of its work left and is expected to need %.3g s",
                (long long)sim->asked.max_faults, sim->shell.now, orr_tasks_id(sim->tasks, task),
                (int)sim->held[task], sim->alpha[task], sim->finish[task] - sim->ready[task]);
    if (ORR_UNLIKELY(sim->at.metrics.faults == MANY_FAULTS) && sim->asked.exponential)
        ORI_TRY(check_hopeless(sim, err));
    double latest = sim->finish[ori_latest(sim)];
    if (sim->policy.on_fault && (sim->policy.every_fault || sim->finish[task] >= latest))
        return ask_policy(sim, "on_fault", sim->policy.on_fault, task, task, err);
    return ori_decision_apply(sim, task, err);
}

/* The next event, which is at the clock. */
static orr_status apply_event(orr_malleable *sim, orr_error *err)
{
    int32_t first = ori_tree_top(&sim->ends);
    if (sim->at.undo_at <= sim->shell.now) {
        ORI_TRY(ori_machine_resize(sim, sim->at.undo_to, INFINITY, err));
    } else if (sim->at.untold > 0) {
        ORI_TRY(end_task(sim, ori_bit_next(sim->untold, 0, sim->count), true, err));
    } else if (sim->end[first] == sim->shell.now) {
        ORI_TRY(end_task(sim, first, false, err));
    } else {
        orr_fault fault = ori_next_fault(sim);
        ORI_TRY(ori_take_fault(sim, &fault, err));
        ORI_TRY(strike_task(sim, &fault, err));
    }
    ORI_TRY(ori_costs_status(&sim->costs, err));
    return ori_pass_over_absorbed(sim, err);
}

/* --- going on --------------------------------------------------------------------------------- */

static const orr_malleable *of(const ori_shell *shell)
{
    return (const orr_malleable *)(const void *)shell;
}

static bool is_over(const ori_shell *shell)
{
    return of(shell)->at.running == 0;
}

static double next_event(const ori_shell *shell)
{
    const orr_malleable *sim = of(shell);
    double end = ori_next_end(sim), fault = ori_next_fault(sim).time;
    double next = fault < end ? fault : end;
    return next < sim->at.undo_at ? next : sim->at.undo_at;
}

static void pass_time(ori_shell *shell, double time)
{
    orr_malleable *sim = (orr_malleable *)(void *)shell;
    if (sim->at.running > 0) /* else the clock stays at the makespan */
        shell->now = time;
}

static orr_status apply_step(ori_shell *shell, double instant, orr_error *err)
{
    orr_malleable *sim = (orr_malleable *)(void *)shell;
    ORI_FAIL_IF(!(instant < INFINITY), err, ORR_ERR_LIMIT,
                "task %s would end at infinity: its times are too large",
                orr_tasks_id(sim->tasks, ori_tree_top(&sim->ends)));
    pass_time(shell, instant);
    ori_count_idle(sim);
    do
        ORI_TRY(apply_event(sim, err));
    while (sim->at.running > 0 && next_event(shell) == instant);
    ORI_TRY(ori_record_moment(sim, err));
    ORI_IN_CHECKS(ori_malleable_check_state(sim));
    return ORR_OK;
}

static const ori_engine engine = {.reset = "orr_malleable_reset",
                                  .is_over = is_over,
                                  .next_event = next_event,
                                  .apply = apply_step,
                                  .pass = pass_time};

bool orr_malleable_is_over(const orr_malleable *sim)
{
    return ori_shell_is_begun(&sim->shell) && is_over(&sim->shell);
}

double orr_malleable_next_event(const orr_malleable *sim)
{
    bool over = !ori_shell_is_begun(&sim->shell) || is_over(&sim->shell);
    return over ? INFINITY : next_event(&sim->shell);
}

orr_status orr_malleable_step(orr_malleable *sim, orr_error *err)
{
    return ori_shell_step(&sim->shell, &engine, err);
}

orr_status orr_malleable_run_until(orr_malleable *sim, double time, orr_error *err)
{
    return ori_shell_run_until(&sim->shell, &engine, time, err);
}

orr_status orr_malleable_finish(orr_malleable *sim, orr_malleable_metrics *metrics, orr_error *err)
{
    ORI_TRY(ori_shell_finish(&sim->shell, &engine, err));
    if (metrics)
        *metrics = orr_malleable_measure(sim);
    return ORR_OK;
}
