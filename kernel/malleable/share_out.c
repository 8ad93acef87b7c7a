/* Processors for the task that is expected to finish last, again and again: the loop of RR-8795,
 * Algorithm 5, lines 8 to 16, by levels instead of step by step.
 *
 * A level is an expected finish. As long as some listed task lies above it, the loop serves only
 * such tasks, each until it lies at the level or below for the first time. So if every task above
 * the level can get there, and the free processors suffice for all these tasks, the loop ends in
 * exactly this allocation: until then every task that it serves has an improvement, the one at its
 * place. So the engine goes there at once, without a list in between. When it finds no lower level
 * easily, it gives out the remaining processors step by step.
 *
 * From one decision to the next most tasks keep their processors. For each of these tasks, a line
 * over time is a lower bound of its finish on fewer processors. If the line lies above the level,
 * and the finish on the held processors does not, the held number is the task's place. */
#include "malleable/decide.h"

#include "base/try_internal.h"
#include "malleable/decide_internal.h"
#include "malleable/machine_internal.h"

/* Limits of the search for levels. Predictions of a level's processors are never exact, so levels
 * follow one another while more than 1 / ENOUGH_TASKS processors per running task are left. */
enum { MOST_LEVELS = 4, BISECTIONS = 12, ENOUGH_TASKS = 16 };
static const double SHARE = 0.8; /* of what is left that a level may take by its prediction */
static const double ABOVE[] = {0.0005, 0.005,
                               0.05}; /* how far above the last level the first ones lie */

/* --- tasks that keep their processors -------------------------------------------------------- */

/* A lower bound of t^R(alpha), or of a time that depends on it, s: `start` + `slope` * alpha. */
typedef struct bound {
    double start, slope;
} bound;

/* Every period adds the same, and within one the expected time bends upwards: it lies above its
 * tangent at the beginning, and below its chord by at most a gap. The larger one for this alpha. */
static bound bound_expected(const orr_expected *e, double alpha)
{
    if (e->rate == 0)
        return (bound){0, e->time};
    if (!(e->work > 0)) /* periods without length */
        return (bound){0, e->scale * e->time};
    double rise = e->growth / e->work, steep = log(rise / e->rate) / e->rate;
    steep = steep < e->work ? steep : e->work;
    double gap = steep > 0 ? rise * steep - expm1(e->rate * steep) : 0;
    bound chord = {-e->scale * gap, e->scale * rise * e->time};
    bound tangent = {0, e->scale * e->rate * e->time};
    return chord.start + chord.slope * alpha > tangent.slope * alpha ? chord : tangent;
}

/* A lower bound of the time of a task on fewer processors than it holds, with its move. The minimum
 * of the bounds is concave: it lies above its chord from no work left to the work left now. */
static bound bound_on_fewer(orr_malleable *sim, int32_t task, double left)
{
    double none = INFINITY, all = INFINITY;
    for (int32_t procs = 2; procs < sim->held[task]; procs += 2) {
        const orr_expected *e = ori_costs_of(&sim->costs, task, procs);
        bound b = bound_expected(e, left);
        double moved = orr_redistribution_cost(&sim->asked.resilience, sim->tasks->size[task],
                                               sim->held[task], procs);
        none = fmin(none, moved + e->checkpoint + b.start);
        all = fmin(all, moved + e->checkpoint + b.start + b.slope * left);
    }
    return (bound){none, (all - none) / left};
}

/* From now on the work left falls at most as fast as without checkpoints. */
static void find_line(orr_malleable *sim, int32_t task)
{
    double left = ori_decision_left(sim, task), now = sim->shell.now;
    double pace = 1 / ori_costs_of(&sim->costs, task, sim->held[task])->time;
    bound b = bound_on_fewer(sim, task, left);
    sim->fewer[task] = (ori_line){b.start + b.slope * (left + now * pace), 1 - b.slope * pace};
}

/* Whether the way of a task that started over surely leads to what it holds; a hair less, for
 * rounding. */
static bool keeps_processors(orr_malleable *sim, int32_t task, double level)
{
    const double hair = 1e-10;
    ori_line line = sim->fewer[task];
    double rise = line.slope * sim->shell.now;
    return isnan(sim->proposed_finish[task]) && ori_tree_number(sim->finish[task]) <= level &&
           line.at + rise > level + hair * (fabs(line.at) + fabs(rise) + level) &&
           task != sim->decision.struck && !sim->decision.starting &&
           ori_costs_most_at_least(&sim->costs, task, sim->held[task]);
}

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

/* Plans a listed task's place, as `reach` does, if it lies above the level; else `count` stays. */
static bool go_there(orr_malleable *sim, int32_t task, double level, int32_t *count, int32_t *left)
{
    if (keeps_processors(sim, task, level)) {
        sim->plan[(*count)++] = (ori_last_finish){task, sim->held[task], sim->finish[task]};
        return (*left -= sim->held[task] - 2) >= 0;
    }
    if (!is_above(sim, task, level))
        return true;
    bool started_over = isnan(sim->proposed_finish[task]);
    if (!reach(sim, task, level, *count, left))
        return false;
    if (started_over && sim->plan[*count].procs == sim->held[task])
        find_line(sim, task);
    ++*count;
    return true;
}

/* All listed tasks above a level go there, if there are such and they can: then takes the
 * processors from *left. */
static bool descend_to_level(orr_malleable *sim, double level, int32_t *left)
{
    double *leaf = sim->list.node + sim->list.leaves;
    int32_t rest = *left, count = 0;
    for (int32_t k = 0; k < sim->decision.taking; k++) {
        int32_t task = sim->parts[k];
        if (leaf[task] > level && !go_there(sim, task, level, &count, &rest))
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
