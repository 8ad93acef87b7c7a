/* Questions and proposals. */
#include "malleable/state_internal.h"

#include <string.h>

/* --- a decision ----------------------------------------------------------------------------- */

/* Tasks that are locked no longer lose their bit on the way. */
static void mark_locked(orr_malleable *sim)
{
    for (int32_t i = ori_bit_next(sim->locked, 0, sim->count); i >= 0;
         i = i + 1 < sim->count ? ori_bit_next(sim->locked, i + 1, sim->count) : -1) {
        if (sim->held[i] > 0 && sim->ready[i] > sim->now)
            sim->takes_part[i] = i == sim->struck;
        else
            ori_bit_clear(sim->locked, i);
    }
}

void ori_decision_open(orr_malleable *sim, int32_t struck)
{
    size_t n = (size_t)sim->count;
    sim->struck = struck;
    memcpy(sim->proposed, sim->held, n * sizeof *sim->held);
    memcpy(sim->value, sim->finish, n * sizeof *sim->value);
    for (size_t i = 0; i < n; i++)
        sim->takes_part[i] = sim->held[i] > 0;
    mark_locked(sim);
    memset(sim->left_known, 0, n);
    memset(sim->touched, 0, ori_words(sim->count) * sizeof *sim->touched);
    sim->proposed_free = sim->free - sim->leaving;
    sim->last.task = -1;
    sim->shortest_with = 0;
    sim->listing = false;
    sim->deciding = true;
}

/* The list is made when somebody looks at it. */
static void make_list(orr_malleable *sim)
{
    if (sim->listing)
        return;
    sim->listing = true;
    ori_tree_copy(&sim->list, &sim->finishes);
    for (int32_t i = ori_bit_next(sim->locked, 0, sim->count); i >= 0;
         i = i + 1 < sim->count ? ori_bit_next(sim->locked, i + 1, sim->count) : -1)
        if (!sim->takes_part[i])
            ori_tree_remove(&sim->list, i);
    for (int32_t i = ori_bit_next(sim->touched, 0, sim->count); i >= 0;
         i = i + 1 < sim->count ? ori_bit_next(sim->touched, i + 1, sim->count) : -1)
        ori_tree_set(&sim->list, i, ori_tree_number(sim->value[i]));
}

static bool gives(const orr_malleable *sim, int32_t task)
{
    return sim->takes_part[task] && task != sim->struck &&
           sim->proposed[task] >= sim->shortest_with;
}

static void make_shortest(orr_malleable *sim, int32_t min_procs)
{
    sim->shortest_with = min_procs;
    double *leaf = sim->shortest.node + sim->shortest.leaves;
    for (int32_t i = 0; i < sim->count; i++)
        leaf[i] = gives(sim, i) ? -ori_tree_number(sim->value[i]) : -INFINITY;
    ori_tree_rebuild(&sim->shortest);
}

/* --- questions ------------------------------------------------------------------------------ */

orr_malleable_view orr_malleable_look(orr_malleable *sim)
{
    int32_t latest = ori_tree_top(&sim->finishes);
    return (orr_malleable_view){.tasks = sim->tasks,
                                .resilience = &sim->resilience,
                                .now = sim->now,
                                .procs = sim->procs,
                                .free = sim->deciding ? sim->proposed_free : sim->free,
                                .leaving = sim->leaving,
                                .numbered = sim->covered,
                                .running = sim->running,
                                .struck = sim->deciding ? sim->struck : -1,
                                .deciding = sim->deciding,
                                .expected = latest < 0 ? sim->now : sim->finish[latest],
                                .seed = sim->seed,
                                .set = sim->set,
                                .run = sim->run,
                                .rng = &sim->rng,
                                .state = sim->policy_state};
}

int32_t orr_malleable_proposed(const orr_malleable *sim, int32_t task)
{
    return sim->deciding ? sim->proposed[task] : sim->held[task];
}

double orr_malleable_proposed_finish(const orr_malleable *sim, int32_t task)
{
    return sim->deciding ? sim->value[task] : sim->finish[task];
}

orr_task_view orr_malleable_task(orr_malleable *sim, int32_t task)
{
    orr_task_state state = sim->held[task] == 0          ? ORR_TASK_OVER
                           : sim->ready[task] > sim->now ? ORR_TASK_LOCKED
                                                         : ORR_TASK_READY;
    return (orr_task_view){.state = state,
                           .procs = sim->held[task],
                           .proposed = orr_malleable_proposed(sim, task),
                           .left = ori_task_left(sim, task),
                           .ready = sim->ready[task],
                           .finish = orr_malleable_proposed_finish(sim, task),
                           .end = sim->end[task],
                           .takes_part = sim->deciding && sim->takes_part[task]};
}

int32_t orr_malleable_most(orr_malleable *sim, int32_t task)
{
    return ori_costs_most(&sim->costs, task);
}

int32_t orr_malleable_longest(orr_malleable *sim)
{
    if (!sim->deciding)
        return -1;
    make_list(sim);
    return ori_tree_top(&sim->list);
}

void orr_malleable_drop(orr_malleable *sim, int32_t task)
{
    if (!sim->deciding || task < 0 || task >= sim->count)
        return;
    make_list(sim);
    ori_tree_remove(&sim->list, task);
}

int32_t orr_malleable_shortest(orr_malleable *sim, int32_t min_procs)
{
    if (!sim->deciding)
        return -1;
    if (sim->shortest_with != min_procs)
        make_shortest(sim, min_procs);
    return ori_tree_top(&sim->shortest);
}

static double left_of(orr_malleable *sim, int32_t task)
{
    if (!sim->left_known[task]) {
        sim->left_known[task] = true;
        sim->left[task] = ori_task_left(sim, task);
    }
    return sim->left[task];
}

/* For a task that takes part. The struck one redistributes when it has recovered. */
static double finish_with(orr_malleable *sim, int32_t task, int32_t procs)
{
    int32_t held = sim->held[task];
    if (procs == held)
        return sim->finish[task];
    double begin = task == sim->struck ? sim->ready[task] : sim->now, left = left_of(sim, task);
    const orr_expected *e = ori_costs_of(&sim->costs, task, procs);
    double moved =
        begin + orr_redistribution_cost(&sim->resilience, sim->tasks->size[task], held, procs);
    double finish = moved + e->checkpoint + orr_expected_time(e, left);
    sim->last = (ori_last_finish){task, procs, finish};
    return finish;
}

double orr_malleable_finish_with(orr_malleable *sim, int32_t task, int32_t procs)
{
    return sim->deciding ? finish_with(sim, task, procs) : NAN;
}

/* Whether a task could finish before `limit` on any number of processors from `low` to `high`, all
 * more than it holds: false only when it surely cannot. A bound: of the moves in the range the
 * fewest rounds and the shortest messages, the shortest checkpoint, and the work as it were without
 * faults; a hair less than that, for the rounding of the exact value. */
static bool may_finish_before(orr_malleable *sim, int32_t task, int32_t low, int32_t high,
                              double limit)
{
    const orr_resilience *r = &sim->resilience;
    int32_t held = sim->held[task];
    double size = sim->tasks->size[task];
    double begin = task == sim->struck ? sim->ready[task] : sim->now;
    double message = size / ((double)high * held * r->bandwidth) + r->latency;
    double moved = r->startup + orr_redistribution_rounds(held, low) * message;
    double least = moved + orr_checkpoint_cost(r, size, high) +
                   left_of(sim, task) * orr_task_time(sim->tasks, task, high);
    return begin + least - 1e-12 * (begin + least) < limit;
}

/* How far the q loop looks one by one before it asks for bounds, of ranges that grow with it. */
enum { ONE_BY_ONE = 8, RANGE_SHARE = 4 };

int32_t orr_malleable_improvement(orr_malleable *sim, int32_t task, int32_t most)
{
    if (!sim->deciding || !sim->takes_part[task])
        return 0;
    int32_t procs = sim->proposed[task], checked = procs + ONE_BY_ONE;
    double limit = sim->value[task];
    bool bounds = procs >= sim->held[task];
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
        if (finish_with(sim, task, procs + q) < limit)
            return q;
    }
    return 0;
}

int32_t orr_malleable_transfer(orr_malleable *sim, int32_t from, int32_t to)
{
    if (!sim->deciding || sim->proposed_free < 0) /* what is given leaves the machine */
        return 0;
    int32_t donor = sim->proposed[from], procs = sim->proposed[to];
    double limit = sim->value[to];
    for (int32_t q = 2; q <= donor - 2; q += 2) {
        if (!ori_costs_most_at_least(&sim->costs, to, procs + q))
            return 0;
        if (finish_with(sim, to, procs + q) < limit && finish_with(sim, from, donor - q) < limit)
            return q;
    }
    return 0;
}

/* --- proposals ------------------------------------------------------------------------------ */

static orr_status refuse(const orr_malleable *sim, int32_t task, orr_error *err)
{
    if (!sim->deciding)
        return orr_fail(err, ORR_ERR_POLICY,
                        "processors can be assigned only inside on_end and on_fault");
    if (task < 0 || task >= sim->count)
        return orr_fail(err, ORR_ERR_POLICY,
                        "task number %d cannot be given processors: there are %d tasks", (int)task,
                        (int)sim->count);
    const char *id = orr_tasks_id(sim->tasks, task);
    if (sim->held[task] == 0)
        return orr_fail(err, ORR_ERR_POLICY, "task %s cannot be given processors: it is over", id);
    return orr_fail(err, ORR_ERR_POLICY,
                    "task %s is locked until %.17g, while it recovers or is redistributed: its "
                    "processors cannot change at %.17g",
                    id, sim->ready[task], sim->now);
}

static orr_status check_number(orr_malleable *sim, int32_t task, int32_t procs, orr_error *err)
{
    const char *id = orr_tasks_id(sim->tasks, task);
    if (procs < 2 || procs % 2 != 0)
        return orr_fail(err, ORR_ERR_POLICY,
                        "task %s cannot have %d processors: a task that checkpoints has an even "
                        "number of them, at least 2",
                        id, (int)procs);
    if (procs > sim->procs && procs > sim->held[task])
        return orr_fail(err, ORR_ERR_POLICY,
                        "task %s cannot have %d processors: the machine has %d", id, (int)procs,
                        (int)sim->procs);
    if (procs > sim->held[task] && !ori_costs_most_at_least(&sim->costs, task, procs))
        return orr_fail(err, ORR_ERR_POLICY,
                        "task %s cannot have %d processors: with more than %d it is never faster",
                        id, (int)procs, (int)ori_costs_most(&sim->costs, task));
    return ORR_OK;
}

orr_status orr_malleable_assign(orr_malleable *sim, int32_t task, int32_t procs, orr_error *err)
{
    if (ORR_UNLIKELY(!sim->deciding || task < 0 || task >= sim->count || !sim->takes_part[task]))
        return refuse(sim, task, err);
    orr_status status = check_number(sim, task, procs, err);
    if (status != ORR_OK)
        return status;
    sim->proposed_free += sim->proposed[task] - procs;
    sim->proposed[task] = procs;
    bool known = sim->last.task == task && sim->last.procs == procs;
    sim->value[task] = known ? sim->last.finish : finish_with(sim, task, procs);
    ori_bit_set(sim->touched, task);
    if (sim->listing && sim->list.node[sim->list.leaves + task] != -INFINITY)
        ori_tree_set(&sim->list, task, ori_tree_number(sim->value[task]));
    if (sim->shortest_with > 0)
        ori_tree_set(&sim->shortest, task,
                     gives(sim, task) ? -ori_tree_number(sim->value[task]) : -INFINITY);
    return ORR_OK;
}

orr_status orr_malleable_start_over(orr_malleable *sim, orr_error *err)
{
    if (!sim->deciding)
        return refuse(sim, 0, err);
    double *leaf = sim->list.node + sim->list.leaves;
    sim->listing = true;
    sim->shortest_with = 0;
    for (int32_t i = 0; i < sim->list.leaves; i++)
        leaf[i] = -INFINITY;
    for (int32_t i = 0; i < sim->count; i++) {
        if (!sim->takes_part[i])
            continue;
        sim->proposed_free += sim->proposed[i] - 2;
        sim->proposed[i] = 2;
        sim->value[i] = finish_with(sim, i, 2);
        leaf[i] = ori_tree_number(sim->value[i]);
        ori_bit_set(sim->touched, i);
    }
    ori_tree_rebuild(&sim->list);
    return ORR_OK;
}
