/* A cache of the costs of tasks per number of processors: decisions need the same numbers again and
 * again, and each number takes exponentials. */
#include "malleable/costs_internal.h"

#include "base/try_internal.h"
#include "sim/shell_internal.h"

#include <math.h>
#include <string.h>

/* Room for the entries that one event reads: every task on 2 processors up to its held number. */
static uint32_t table_size(int32_t count, int32_t procs)
{
    uint64_t wanted = 4 * ((uint64_t)procs / 2 + (uint64_t)count);
    uint32_t size = 1024;
    while (size < wanted && size < (uint32_t)1 << 20)
        size *= 2;
    return size;
}

orr_status ori_costs_create(ori_costs *c, int32_t count, int32_t procs, const orr_resilience *r,
                            const orr_allocator *a, orr_error *err)
{
    uint32_t size = table_size(count, procs);
    *c = (ori_costs){.resilience = *r,
                     .procs = procs - procs % 2,
                     .mask = size - 1,
                     .apart = count > 0 ? size / (uint32_t)count : 0,
                     .count = count,
                     .alloc = orr_allocator_or_default(a)};
    const ori_part parts[] = {ORI_PART(c->entries, size), ORI_PART(c->keys, size),
                              ORI_PART(c->most, count)};
    return ORI_BLOCK_CREATE(&c->block, parts, ORI_ZEROED, &c->alloc, err);
}

void ori_costs_destroy(ori_costs *c)
{
    ori_block_destroy(&c->block, &c->alloc);
}

static void forget_most(ori_costs *c)
{
    for (int32_t i = 0; i < c->count; i++)
        c->most[i] = (ori_most){.smallest = INFINITY, .whole = NAN, .least = 2};
}

void ori_costs_reset(ori_costs *c, const orr_tasks *tasks)
{
    c->tasks = tasks;
    c->periods.status = ORR_OK;
    memset(c->keys, 0, ((size_t)c->mask + 1) * sizeof *c->keys);
    forget_most(c);
}

void ori_costs_resize(ori_costs *c, int32_t procs)
{
    c->procs = procs - procs % 2;
    forget_most(c);
}

/* --- periods of a policy ---------------------------------------------------------------------- */

void ori_costs_ask(ori_costs *c, const orr_malleable_policy *policy)
{
    c->periods = (ori_periods){.ask = policy->period, .user = policy->user, .name = policy->name};
}

static orr_status ask_period(const ori_costs *c, const orr_period_question *q, double *period,
                             orr_error *err)
{
    const ori_periods *p = &c->periods;
    ori_policy_begin(err);
    ORI_TRY(ori_policy_end(p->name, "period", p->ask(p->user, q, period, err), err));
    ORI_FAIL_IF(!(*period > q->checkpoint && *period < INFINITY), err, ORR_ERR_POLICY,
                "policy %s: period of task %s on %d processors must be a finite number larger than "
                "its checkpoint of %.17g s, it is %.17g",
                p->name, orr_tasks_id(c->tasks, q->task), (int)q->procs, q->checkpoint, *period);
    return ORR_OK;
}

/* The costs with another period. The period is longer than the checkpoint, which takes time. */
static orr_expected with_period(const orr_expected *e, double period)
{
    orr_expected with = *e;
    with.period = period;
    with.work = period - e->checkpoint;
    with.growth = expm1(e->rate * period);
    return with;
}

static orr_expected with_own_period(ori_costs *c, const orr_expected *e, int32_t task,
                                    int32_t procs)
{
    const orr_resilience *r = &c->resilience;
    orr_period_question question = {.task = task,
                                    .procs = procs,
                                    .size = c->tasks->size[task],
                                    .time = e->time,
                                    .alone = orr_task_time(c->tasks, task, 1),
                                    .checkpoint = e->checkpoint,
                                    .mtbf = r->mtbf / procs,
                                    .downtime = r->downtime,
                                    .period = e->period};
    double period = e->period;
    if (c->periods.status == ORR_OK)
        c->periods.status = ask_period(c, &question, &period, &c->periods.error);
    return c->periods.status == ORR_OK ? with_period(e, period) : *e;
}

/* --- costs of tasks --------------------------------------------------------------------------- */

static orr_expected prepare_costs(ori_costs *c, int32_t task, int32_t procs)
{
    const orr_resilience *r = &c->resilience;
    double checkpoint = orr_checkpoint_cost(r, c->tasks->size[task], procs);
    double time = orr_task_time(c->tasks, task, procs);
    if (ORR_LIKELY(!c->periods.ask))
        return orr_expected_prepare(time, procs, r->mtbf, checkpoint, checkpoint, r->downtime,
                                    r->rule);
    orr_expected e =
        orr_expected_prepare(time, procs, r->mtbf, checkpoint, checkpoint, r->downtime, r->rule);
    return e.checkpoint > 0 ? with_own_period(c, &e, task, procs) : e;
}

const orr_expected *ori_costs_compute(ori_costs *c, uint32_t slot, int32_t task, int32_t procs)
{
    c->keys[slot] = (uint64_t)(uint32_t)task << 32 | (uint32_t)procs;
    c->entries[slot] = prepare_costs(c, task, procs);
    return &c->entries[slot];
}

static double whole_time(ori_costs *c, int32_t task, int32_t procs)
{
    orr_expected e = prepare_costs(c, task, procs);
    return orr_expected_time(&e, 1);
}

/* The smallest even number of processors such that no larger one is strictly faster for alpha = 1
 * (equation 1.8): the first place of the minimum. */
int32_t ori_costs_most(ori_costs *c, int32_t task)
{
    ori_most *m = &c->most[task];
    double smallest = INFINITY;
    if (m->exact != 0)
        return m->exact;
    m->exact = 2;
    for (int32_t j = 2; j <= c->procs; j += 2) {
        double time = whole_time(c, task, j);
        if (time < smallest) {
            smallest = time;
            m->exact = j;
        }
    }
    return m->exact;
}

/* Going up from 2: j_max lies above j as long as the whole machine beats everything up to j. */
bool ori_costs_search_most(ori_costs *c, int32_t task, int32_t procs)
{
    ori_most *m = &c->most[task];
    if (procs > c->procs)
        return false;
    if (m->exact != 0)
        return m->exact >= procs;
    if (isnan(m->whole))
        m->whole = whole_time(c, task, c->procs);
    while (m->least < procs) {
        double time = orr_expected_time(ori_costs_of(c, task, m->least), 1);
        double smallest = time < m->smallest ? time : m->smallest;
        if (!(m->whole < smallest))
            return ori_costs_most(c, task) >= procs;
        m->smallest = smallest;
        m->least += 2;
    }
    return true;
}
