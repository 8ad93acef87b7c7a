/* The questions and proposals of a policy while a decision is open: the functions of
 * malleable/decide.h. They change nothing of a simulation except the decision. */
#include "malleable/decide.h"

#include "malleable/decide_internal.h"
#include "malleable/machine_internal.h"
#include "malleable/tasks_internal.h"

#include <string.h>

/* --- a decision ------------------------------------------------------------------------------- */

/* Tasks that are locked no longer lose their bit on the way. */
static void mark_locked(orr_malleable *sim, int32_t struck)
{
    for (int32_t i = ori_bit_next(sim->locked, 0, sim->count); i >= 0;
         i = ori_bit_next(sim->locked, i + 1, sim->count)) {
        if (sim->held[i] > 0 && sim->ready[i] > sim->shell.now)
            sim->takes_part[i] = i == struck;
        else
            ori_bit_clear(sim->locked, i);
    }
}

void ori_decision_open(orr_malleable *sim, int32_t struck)
{
    size_t n = (size_t)sim->count;
    memcpy(sim->proposed, sim->held, n * sizeof *sim->held);
    memcpy(sim->proposed_finish, sim->finish, n * sizeof *sim->proposed_finish);
    for (size_t i = 0; i < n; i++)
        sim->takes_part[i] = sim->held[i] > 0;
    mark_locked(sim, struck);
    memset(sim->left_known, 0, n);
    memset(sim->touched, 0, ori_words(sim->count) * sizeof *sim->touched);
    sim->decision = (ori_decision){
        .open = true, .struck = struck, .free = sim->at.free - sim->at.leaving, .last.task = -1};
    for (int32_t i = 0; i < sim->count; i++) {
        sim->parts[sim->decision.taking] = i; /* no branch: it would be hard to predict */
        sim->decision.taking += sim->takes_part[i];
    }
}

void ori_decision_settle_task(orr_malleable *sim, int32_t task)
{
    if (!isnan(sim->proposed_finish[task]))
        return;
    sim->proposed_finish[task] = ori_decision_finish_with(sim, task, sim->proposed[task]);
    sim->list.node[sim->list.leaves + task] = ori_tree_number(sim->proposed_finish[task]);
}

void ori_decision_settle_all(orr_malleable *sim)
{
    sim->decision.fresh = false;
    for (int32_t k = 0; k < sim->decision.taking; k++) {
        int32_t i = sim->parts[k];
        if (isnan(sim->proposed_finish[i]))
            ori_decision_settle_task(sim, i);
        if (sim->proposed[i] != sim->held[i])
            ori_bit_set(sim->touched, i);
    }
    ori_tree_rebuild(&sim->list);
}

void ori_decision_list(orr_malleable *sim)
{
    ori_decision_settle(sim);
    if (sim->decision.listing)
        return;
    sim->decision.listing = true;
    ori_tree_copy(&sim->list, &sim->finishes);
    for (int32_t i = ori_bit_next(sim->locked, 0, sim->count); i >= 0;
         i = ori_bit_next(sim->locked, i + 1, sim->count))
        if (!sim->takes_part[i])
            ori_tree_remove(&sim->list, i);
    for (int32_t i = ori_bit_next(sim->touched, 0, sim->count); i >= 0;
         i = ori_bit_next(sim->touched, i + 1, sim->count))
        ori_tree_set(&sim->list, i, ori_tree_number(sim->proposed_finish[i]));
}

static bool gives(const orr_malleable *sim, int32_t task)
{
    return sim->takes_part[task] && task != sim->decision.struck &&
           sim->proposed[task] >= sim->decision.shortest_with;
}

static void make_shortest(orr_malleable *sim, int32_t min_procs)
{
    ori_decision_settle(sim);
    sim->decision.shortest_with = min_procs;
    double *leaf = sim->shortest.node + sim->shortest.leaves;
    for (int32_t i = 0; i < sim->count; i++)
        leaf[i] = gives(sim, i) ? -ori_tree_number(sim->proposed_finish[i]) : -INFINITY;
    ori_tree_rebuild(&sim->shortest);
}

/* --- questions -------------------------------------------------------------------------------- */

orr_malleable_view orr_malleable_look(orr_malleable *sim)
{
    int32_t latest = ori_latest(sim);
    return (orr_malleable_view){.tasks = sim->tasks,
                                .resilience = &sim->asked.resilience,
                                .now = sim->shell.now,
                                .procs = sim->at.procs,
                                .free = sim->decision.open ? sim->decision.free : sim->at.free,
                                .leaving = sim->at.leaving,
                                .numbered = sim->at.numbered,
                                .running = sim->at.running,
                                .struck = sim->decision.open ? sim->decision.struck : -1,
                                .deciding = sim->decision.open,
                                .expected = latest < 0 ? sim->shell.now : sim->finish[latest],
                                .seed = sim->shell.seed,
                                .set = sim->shell.set,
                                .scenario = sim->shell.scenario,
                                .rng = &sim->shell.rng,
                                .state = sim->shell.state};
}

int32_t orr_malleable_proposed(const orr_malleable *sim, int32_t task)
{
    if (ORR_UNLIKELY(!ORI_IS_IN(task, sim->count)))
        return 0;
    return sim->decision.open ? sim->proposed[task] : sim->held[task];
}

double orr_malleable_proposed_finish(orr_malleable *sim, int32_t task)
{
    if (ORR_UNLIKELY(!ORI_IS_IN(task, sim->count)))
        return NAN;
    if (sim->decision.open)
        ori_decision_settle(sim);
    return sim->decision.open ? sim->proposed_finish[task] : sim->finish[task];
}

orr_task_view orr_malleable_task(orr_malleable *sim, int32_t task)
{
    if (ORR_UNLIKELY(!ORI_IS_IN(task, sim->count)))
        return (orr_task_view){.left = NAN, .ready = NAN, .finish = NAN, .end = NAN};
    orr_task_state state = sim->held[task] == 0                ? ORR_TASK_OVER
                           : sim->ready[task] > sim->shell.now ? ORR_TASK_LOCKED
                                                               : ORR_TASK_READY;
    return (orr_task_view){.state = state,
                           .procs = sim->held[task],
                           .proposed = orr_malleable_proposed(sim, task),
                           .left = ori_task_left(sim, task),
                           .ready = sim->ready[task],
                           .finish = orr_malleable_proposed_finish(sim, task),
                           .end = sim->end[task],
                           .takes_part = sim->decision.open && sim->takes_part[task]};
}

int32_t orr_malleable_most(orr_malleable *sim, int32_t task)
{
    return ORI_IS_IN(task, sim->count) ? ori_costs_most(&sim->costs, task) : 0;
}

int32_t orr_malleable_longest(orr_malleable *sim)
{
    if (!sim->decision.open)
        return -1;
    ori_decision_list(sim);
    return ori_tree_top(&sim->list);
}

void orr_malleable_drop(orr_malleable *sim, int32_t task)
{
    if (!sim->decision.open || task < 0 || task >= sim->count)
        return;
    ori_decision_list(sim);
    ori_tree_remove(&sim->list, task);
}

int32_t orr_malleable_shortest(orr_malleable *sim, int32_t min_procs)
{
    if (!sim->decision.open)
        return -1;
    if (sim->decision.shortest_with != min_procs)
        make_shortest(sim, min_procs);
    return ori_tree_top(&sim->shortest);
}

double ori_decision_left(orr_malleable *sim, int32_t task)
{
    if (!sim->left_known[task]) {
        sim->left_known[task] = true;
        sim->left[task] = ori_task_left(sim, task);
    }
    return sim->left[task];
}

/* The time, s, when a task would continue on so many processors, other than its held number. At the
 * start of a simulation a move costs nothing. */
static double goes_on(const orr_malleable *sim, int32_t task, int32_t procs, const orr_expected *e)
{
    double begin = ori_decision_begin(sim, task);
    if (ORR_UNLIKELY(sim->decision.starting))
        return begin;
    double moved = begin + orr_redistribution_cost(&sim->asked.resilience, sim->tasks->size[task],
                                                   sim->held[task], procs);
    return moved + e->checkpoint;
}

double ori_decision_finish_with(orr_malleable *sim, int32_t task, int32_t procs)
{
    if (procs == sim->held[task])
        return sim->finish[task];
    double left = ori_decision_left(sim, task);
    const orr_expected *e = ori_costs_of(&sim->costs, task, procs);
    double finish = goes_on(sim, task, procs, e) + orr_expected_time(e, left);
    sim->decision.last = (ori_last_finish){task, procs, finish};
    return finish;
}

/* The bound is the time of its work without faults and checkpoints, slightly reduced for rounding.
 * The first test leaves out the move; this test often suffices. */
bool ori_decision_stays_above(orr_malleable *sim, int32_t task, int32_t procs, double level)
{
    if (procs == sim->held[task])
        return sim->finish[task] > level;
    double left = ori_decision_left(sim, task), hair = 1 - 1e-12;
    const orr_expected *e = ori_costs_of(&sim->costs, task, procs);
    double work = left * e->time * hair;
    return (ori_decision_begin(sim, task) + work) * hair > level ||
           (goes_on(sim, task, procs, e) + work) * hair > level;
}

double orr_malleable_finish_with(orr_malleable *sim, int32_t task, int32_t procs)
{
    bool known = sim->decision.open && ORI_IS_IN(task, sim->count) && sim->takes_part[task];
    return known && ORI_IS_IN(procs - 2, sim->at.numbered)
               ? ori_decision_finish_with(sim, task, procs)
               : NAN;
}

/* Whether a task could finish before `limit` on any number of processors from `low` to `high`, all
 * more than it holds: false only when it surely cannot. A bound: of the moves in the range the
 * fewest rounds and the shortest messages, the shortest checkpoint, and the work as it were without
 * faults; a hair less than that, for the rounding of the exact value. */
static bool may_finish_before(orr_malleable *sim, int32_t task, int32_t low, int32_t high,
                              double limit)
{
    const orr_resilience *r = &sim->asked.resilience;
    int32_t held = sim->held[task];
    double size = sim->tasks->size[task];
    double begin = ori_decision_begin(sim, task);
    double message = size / ((double)high * held * r->bandwidth) + r->latency;
    double moved = r->startup + orr_redistribution_rounds(held, low) * message;
    double least = moved + orr_checkpoint_cost(r, size, high) +
                   ori_decision_left(sim, task) * orr_task_time(sim->tasks, task, high);
    return begin + least - 1e-12 * (begin + least) < limit;
}

/* How far the q loop tests numbers one by one before it tests bounds of growing ranges. */
enum { ONE_BY_ONE = 8, RANGE_SHARE = 4 };

int32_t orr_malleable_improvement(orr_malleable *sim, int32_t task, int32_t most)
{
    if (!sim->decision.open || !ORI_IS_IN(task, sim->count) || !sim->takes_part[task])
        return 0;
    ori_decision_settle(sim);
    int32_t procs = sim->proposed[task], checked = procs + ONE_BY_ONE;
    double limit = sim->proposed_finish[task];
    bool bounds = procs >= sim->held[task] && !sim->decision.starting;
    for (int32_t q = 2; q <= most && ori_costs_most_at_least(&sim->costs, task, procs + q);
         q += 2) {
        if (bounds && procs + q > checked) {
            int32_t low = procs + q, step = low / RANGE_SHARE;
            checked = procs + (step < most - q ? q + step : most);
            if (!may_finish_before(sim, task, low, checked, limit)) {
                q = checked - procs - (checked - procs) % 2;
                continue;
            }
        }
        if (ori_decision_finish_with(sim, task, procs + q) < limit)
            return q;
    }
    return 0;
}

int32_t orr_malleable_transfer(orr_malleable *sim, int32_t from, int32_t to)
{
    if (!sim->decision.open || sim->decision.free < 0) /* what is given leaves the machine */
        return 0;
    if (!ORI_IS_IN(from, sim->count) || !ORI_IS_IN(to, sim->count) || !sim->takes_part[from] ||
        !sim->takes_part[to])
        return 0;
    ori_decision_settle(sim);
    int32_t donor = sim->proposed[from], procs = sim->proposed[to];
    double limit = sim->proposed_finish[to];
    for (int32_t q = 2; q <= donor - 2; q += 2) {
        if (!ori_costs_most_at_least(&sim->costs, to, procs + q))
            return 0;
        if (ori_decision_finish_with(sim, to, procs + q) < limit &&
            ori_decision_finish_with(sim, from, donor - q) < limit)
            return q;
    }
    return 0;
}

/* --- proposals -------------------------------------------------------------------------------- */

orr_status ori_decision_refuse(const orr_malleable *sim, int32_t task, orr_error *err)
{
    ORI_FAIL_IF(!sim->decision.open, err, ORR_ERR_POLICY,
                "processors can be assigned only inside on_end and on_fault");
    ORI_FAIL_IF(task < 0 || task >= sim->count, err, ORR_ERR_POLICY,
                "task number %d cannot be given processors: there are %d tasks", (int)task,
                (int)sim->count);
    const char *id = orr_tasks_id(sim->tasks, task);
    ORI_FAIL_IF(sim->held[task] == 0, err, ORR_ERR_POLICY,
                "task %s cannot be given processors: it is over", id);
    return orr_fail(err, ORR_ERR_POLICY,
                    "task %s is locked until %.17g, while it recovers or is redistributed: its "
                    "processors cannot change at %.17g",
                    id, sim->ready[task], sim->shell.now);
}

static orr_status check_number(orr_malleable *sim, int32_t task, int32_t procs, orr_error *err)
{
    const char *id = orr_tasks_id(sim->tasks, task);
    ORI_FAIL_IF(procs < 2 || procs % 2 != 0, err, ORR_ERR_POLICY,
                "task %s cannot have %d processors: a task that checkpoints has an even "
                "number of them, at least 2",
                id, (int)procs);
    ORI_FAIL_IF(procs > sim->at.procs && procs > sim->held[task], err, ORR_ERR_POLICY,
                "task %s cannot have %d processors: the machine has %d", id, (int)procs,
                (int)sim->at.procs);
    ORI_FAIL_IF(procs > sim->held[task] && !ori_costs_most_at_least(&sim->costs, task, procs), err,
                ORR_ERR_POLICY,
                "task %s cannot have %d processors: with more than %d it is never faster", id,
                (int)procs, (int)ori_costs_most(&sim->costs, task));
    return ORR_OK;
}

orr_status orr_malleable_assign(orr_malleable *sim, int32_t task, int32_t procs, orr_error *err)
{
    if (ORR_UNLIKELY(!sim->decision.open || task < 0 || task >= sim->count ||
                     !sim->takes_part[task]))
        return ori_decision_refuse(sim, task, err);
    ORI_TRY(check_number(sim, task, procs, err));
    ori_decision_settle(sim);
    sim->decision.free += sim->proposed[task] - procs;
    sim->proposed[task] = procs;
    ori_last_finish last = sim->decision.last;
    bool known = last.task == task && last.procs == procs;
    ORI_ASSERT(&sim->shell, !known || ori_decision_finish_with(sim, task, procs) == last.finish);
    sim->proposed_finish[task] = known ? last.finish : ori_decision_finish_with(sim, task, procs);
    ori_bit_set(sim->touched, task);
    if (sim->decision.listing && sim->list.node[sim->list.leaves + task] != -INFINITY)
        ori_tree_set(&sim->list, task, ori_tree_number(sim->proposed_finish[task]));
    if (sim->decision.shortest_with > 0)
        ori_tree_set(&sim->shortest, task,
                     gives(sim, task) ? -ori_tree_number(sim->proposed_finish[task]) : -INFINITY);
    return ORR_OK;
}

orr_status orr_malleable_start_over(orr_malleable *sim, orr_error *err)
{
    if (!sim->decision.open)
        return ori_decision_refuse(sim, 0, err);
    double *leaf = sim->list.node + sim->list.leaves;
    sim->decision.listing = sim->decision.fresh = true;
    sim->decision.shortest_with = 0;
    for (int32_t i = 0; i < sim->list.leaves; i++)
        leaf[i] = -INFINITY;
    for (int32_t k = 0; k < sim->decision.taking; k++) {
        int32_t i = sim->parts[k];
        sim->decision.free += sim->proposed[i] - 2;
        sim->proposed[i] = 2;
        sim->proposed_finish[i] = sim->held[i] == 2 ? sim->finish[i] : NAN;
        leaf[i] = sim->held[i] == 2 ? ori_tree_number(sim->finish[i]) : DBL_MAX;
    }
    return ORR_OK;
}

orr_status ori_check_proposal(const orr_malleable *sim, orr_error *err)
{
    if (sim->decision.free >= 0)
        return ORR_OK;
    int32_t locked = 0;
    bool grows = false;
    for (int32_t i = 0; i < sim->count; i++) {
        locked += sim->held[i] > 0 && !sim->takes_part[i] ? sim->held[i] : 0;
        grows |= sim->proposed[i] > sim->held[i];
    }
    if (!grows) /* as many as they had are held by those that are to leave */
        return ORR_OK;
    int32_t there = sim->at.procs - locked;
    orr_fail(err, ORR_ERR_POLICY,
             "hands out %d processors; there are %d, and locked tasks hold %d of these",
             (int)(there - sim->decision.free), (int)sim->at.procs, (int)locked);
    if (err && sim->at.leaving > 0)
        orr_error_prefix(err, "%d processors have yet to leave the machine", (int)sim->at.leaving);
    return ORR_ERR_POLICY;
}

/* --- what-if ---------------------------------------------------------------------------------- */

/* Puts one number into place for a while; `before` gets what it replaces. */
static orr_status try_procs(orr_malleable *sim, int32_t task, int32_t procs,
                            ori_last_finish *before, orr_error *err)
{
    if (!ORI_IS_IN(task, sim->count) || !sim->takes_part[task])
        return ori_decision_refuse(sim, task, err);
    ORI_TRY(check_number(sim, task, procs, err));
    *before = (ori_last_finish){task, sim->proposed[task], sim->proposed_finish[task]};
    sim->decision.free += sim->proposed[task] - procs;
    sim->proposed_finish[task] = ori_decision_finish_with(sim, task, procs);
    sim->proposed[task] = procs;
    return ORR_OK;
}

/* As orr_malleable_expected_last; the first *done replaced numbers are kept in sim->plan. */
static orr_status look_ahead(orr_malleable *sim, const int32_t *tasks, const int32_t *procs,
                             int32_t count, int32_t *done, double *last, orr_error *err)
{
    for (; *done < count; ++*done)
        ORI_TRY(try_procs(sim, tasks[*done], procs[*done], &sim->plan[*done], err));
    ORI_TRY(ori_check_proposal(sim, err));
    *last = -INFINITY;
    for (int32_t i = 0; i < sim->count; i++)
        if (sim->held[i] > 0 && sim->proposed_finish[i] > *last)
            *last = sim->proposed_finish[i];
    return ORR_OK;
}

orr_status orr_malleable_expected_last(orr_malleable *sim, const int32_t *tasks,
                                       const int32_t *procs, int32_t count, double *last,
                                       orr_error *err)
{
    int32_t done = 0, free = sim->decision.free;
    if (!sim->decision.open)
        return ori_decision_refuse(sim, 0, err);
    ORI_REFUSE(!ORI_IS_IN(count, (int64_t)sim->count + 1), err,
               "a proposal names 0 to %d tasks, not %d", (int)sim->count, (int)count);
    ori_decision_settle(sim);
    orr_status status = look_ahead(sim, tasks, procs, count, &done, last, err);
    while (--done >= 0) {
        const ori_last_finish *before = &sim->plan[done];
        sim->proposed[before->task] = before->procs;
        sim->proposed_finish[before->task] = before->finish;
    }
    sim->decision.free = free;
    return status;
}

/* --- risk ------------------------------------------------------------------------------------- */

double orr_malleable_error_rate(const orr_malleable *sim, int32_t task)
{
    if (!ORI_IS_IN(task, sim->count))
        return NAN;
    return orr_malleable_proposed(sim, task) / sim->asked.resilience.mtbf;
}

/* For how long a fault may strike it, s. */
static double exposure(orr_malleable *sim, int32_t task)
{
    int32_t procs = orr_malleable_proposed(sim, task);
    if (procs == 0)
        return 0;
    if (procs != sim->held[task])
        return orr_undisturbed_end(ori_costs_of(&sim->costs, task, procs), 0,
                                   ori_decision_left(sim, task));
    return sim->end[task] - fmax(sim->ready[task], sim->shell.now);
}

double orr_malleable_failure_probability(orr_malleable *sim, int32_t task)
{
    if (!ORI_IS_IN(task, sim->count))
        return NAN;
    return -expm1(-orr_malleable_error_rate(sim, task) * exposure(sim, task));
}

/* --- checks ----------------------------------------------------------------------------------- */

#ifdef ORI_CHECKS
void ori_decision_check(orr_malleable *sim)
{
    const ori_shell *shell = &sim->shell;
    ori_last_finish last = sim->decision.last;
    ori_decision_settle(sim);
    int64_t more = 0;
    for (int32_t i = 0; i < sim->count; i++) {
        double listed = sim->list.node[sim->list.leaves + i];
        double shortest = sim->shortest.node[sim->shortest.leaves + i];
        double number = ori_tree_number(sim->proposed_finish[i]);
        more += sim->proposed[i] - sim->held[i];
        ORI_ASSERT(shell, sim->proposed[i] == sim->held[i] ||
                              ori_bit_next(sim->touched, i, sim->count) == i);
        ORI_ASSERT(shell, !sim->decision.listing || listed == -INFINITY || listed == number);
        ORI_ASSERT(shell, sim->decision.shortest_with == 0 ||
                              shortest == (gives(sim, i) ? -number : -INFINITY));
        if (!sim->takes_part[i])
            continue;
        ORI_ASSERT(shell, !sim->left_known[i] || sim->left[i] == ori_task_left(sim, i));
        ORI_ASSERT(shell,
                   sim->proposed_finish[i] == ori_decision_finish_with(sim, i, sim->proposed[i]));
    }
    ORI_ASSERT(shell, sim->decision.free == sim->at.free - sim->at.leaving - more);
    ORI_ASSERT(shell, last.task < 0 ||
                          last.finish == ori_decision_finish_with(sim, last.task, last.procs));
}
#endif
