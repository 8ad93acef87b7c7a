/* Processors for the task that is expected to finish last, again and again: the loop of RR-8795,
 * Algorithm 5, lines 8 to 16, by levels instead of step by step.
 *
 * A level is an expected finish. As long as some listed task lies above it, the loop serves only
 * such tasks, each until it lies at the level or below for the first time. So if every task above
 * the level can get there, and the free processors suffice for all these tasks, the loop ends in
 * exactly this allocation: until then every task that it serves has an improvement, the one at its
 * place. So the engine goes there at once, without a list in between. When it finds no lower level
 * easily, it gives out the remaining processors step by step. */
#include "malleable/decide.h"

#include "base/try_internal.h"
#include "malleable/decide_internal.h"

/* Limits of the search for levels. Predictions of a level's processors are never exact, so levels
 * follow one another while more than 1 / ENOUGH_TASKS processors per running task are left. */
enum { MOST_LEVELS = 4, BISECTIONS = 12, ENOUGH_TASKS = 16 };
static const double SHARE = 0.8; /* of what is left that a level may take by its prediction */
static const double ABOVE[] = {0.0005, 0.005,
                               0.05}; /* how far above the last level the first ones lie */

/* --- levels ---------------------------------------------------------------------------------- */

/* One task's way to a level or below: its place there, in `plan` number `at`. Takes the processors
 * from *left; false where it does not get there. */
static bool reach(orr_malleable *sim, int32_t task, double level, int32_t at, int32_t *left)
{
    for (int32_t procs = sim->proposed[task] + 2; (*left -= 2) >= 0; procs += 2) {
        if (!ori_costs_most_at_least(&sim->costs, task, procs))
            return false;
        if (ori_decision_stays_above(sim, task, procs, level))
            continue;
        double finish = ori_decision_finish_with(sim, task, procs);
        if (ori_tree_number(finish) <= level) {
            sim->plan[at] = (ori_last_finish){task, procs, finish};
            return true;
        }
    }
    return false;
}

/* Whether a listed task lies above a level; where its finish is not known yet, it often need not be
 * computed. */
static bool is_above(orr_malleable *sim, int32_t task, double level)
{
    const double *leaf = sim->list.node + sim->list.leaves;
    if (!(leaf[task] > level))
        return false;
    if (!isnan(sim->proposed_finish[task]) ||
        ori_decision_stays_above(sim, task, sim->proposed[task], level))
        return true;
    ori_decision_settle_task(sim, task);
    return leaf[task] > level;
}

/* All listed tasks above a level go there, if there are such and they can: then takes the
 * processors from *left. */
static bool descend_to_level(orr_malleable *sim, double level, int32_t *left)
{
    double *leaf = sim->list.node + sim->list.leaves;
    int32_t rest = *left, count = 0;
    for (int32_t k = 0; k < sim->decision.taking; k++) {
        int32_t task = sim->parts[k];
        if (is_above(sim, task, level) && !reach(sim, task, level, count++, &rest))
            return false;
    }
    if (count == 0)
        return false;
    for (int32_t k = 0; k < count; k++) {
        const ori_last_finish *to = &sim->plan[k];
        sim->proposed[to->task] = to->procs;
        sim->proposed_finish[to->task] = to->finish;
        leaf[to->task] = ori_tree_number(to->finish);
    }
    sim->decision.free -= *left - rest;
    *left = rest;
    return true;
}

/* The predicted number of processors that a level takes: speedup is assumed to be linear. */
static double prediction(const orr_malleable *sim, double level)
{
    const double *leaf = sim->list.node + sim->list.leaves;
    double now = sim->shell.now, sum = 0;
    for (int32_t k = 0; k < sim->decision.taking; k++) {
        int32_t task = sim->parts[k];
        if (leaf[task] > level)
            sum += sim->proposed[task] * ((leaf[task] - now) / (level - now) - 1);
    }
    return sum;
}

/* A level whose predicted number of processors is about `procs`. */
static double level_for(const orr_malleable *sim, double procs, double low, double high)
{
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = low + (high - low) / 2;
        if (prediction(sim, middle) > procs)
            low = middle;
        else
            high = middle;
    }
    return high;
}

static double highest(const orr_malleable *sim)
{
    const double *leaf = sim->list.node + sim->list.leaves;
    double most = -INFINITY;
    for (int32_t k = 0; k < sim->decision.taking; k++)
        most = leaf[sim->parts[k]] > most ? leaf[sim->parts[k]] : most;
    return most;
}

static void descend_by_levels(orr_malleable *sim, int32_t *left)
{
    double now = sim->shell.now, share = SHARE;
    for (size_t i = 0; i < sizeof ABOVE / sizeof *ABOVE; i++) {
        double level = sim->level + ABOVE[i] * (sim->level - now);
        if (level > now && descend_to_level(sim, level, left))
            return;
    }
    ori_decision_settle(sim);
    double top = sim->list.node[1];
    for (int i = 0; i<MOST_LEVELS && * left> sim->at.running / ENOUGH_TASKS; i++) {
        double level = level_for(sim, share * *left, now, top);
        if (!(level < top))
            break;
        if (descend_to_level(sim, level, left))
            top = highest(sim);
        else
            share /= 4;
    }
}

orr_status orr_malleable_share_out(orr_malleable *sim, int32_t procs, int32_t *given,
                                   orr_error *err)
{
    int32_t left = procs < 0 ? 0 : procs, task;
    *given = 0;
    if (!sim->decision.open)
        return ori_decision_refuse(sim, 0, err);
    if (!sim->decision.fresh)
        ori_decision_list(sim);
    sim->decision.shortest_with = 0;
    descend_by_levels(sim, &left);
    ori_decision_settle_all(sim); /* also notes which tasks have other processors */
    while (left >= 2 && (task = ori_tree_top(&sim->list)) >= 0) {
        sim->level = sim->proposed_finish[task];
        /* two at a time it would stay the last to finish until it has as many */
        int32_t more = orr_malleable_improvement(sim, task, left);
        if (more == 0)
            break;
        ORI_TRY(orr_malleable_assign(sim, task, sim->proposed[task] + more, err));
        left -= more;
    }
    *given = procs < 0 ? 0 : procs - left;
    return ORR_OK;
}
