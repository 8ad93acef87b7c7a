/* Invariants between two instants, for builds with ORI_CHECKS: every count and every cache is
 * computed anew from the attempts that run and the jobs that wait. What takes the square of their
 * number is checked where they are few. */
#include "rigid/invariants_internal.h"

#ifdef ORI_CHECKS

#include "workload/instance_internal.h"

enum { FEW_RUNNING = 64, FEW_JOBS = 512 };

static int32_t running_job(const orr_rigid *sim, int32_t i)
{
    return (int32_t)sim->ends.heap[i].payload;
}

/* The processors that running jobs of a group hold, of those whose planned end is `end`; NaN: of
 * all. */
static int64_t procs_held(const orr_rigid *sim, const ori_group *g, double end)
{
    int64_t procs = 0;
    for (int32_t i = 0; i < sim->ends.count; i++) {
        int32_t job = running_job(sim, i);
        if (ori_group_of(sim, job) == g && (isnan(end) || sim->planned_end[job] == end))
            procs += sim->jobs->procs[job];
    }
    return procs;
}

/* Planned ends are those of running jobs. Where processors go away, also their repairs are, and
 * what jobs hold of those that are drained is not. */
static void check_planned(const orr_rigid *sim, const ori_group *g)
{
    bool away = g->at.down > 0 || g->at.drained > 0 || sim->outages.any;
    if (!g->has_planned || sim->ends.count > FEW_RUNNING)
        return;
    int64_t planned = 0;
    for (int32_t b = 0; b < g->planned.used; b++) {
        const ori_ends_block *block = &g->planned.blocks[g->planned.order[b]];
        int64_t sum = 0;
        for (int32_t i = 0; i < block->count; i++) {
            int64_t held = procs_held(sim, g, block->time[i]);
            ORI_ASSERT(&sim->shell, away || block->procs[i] == held);
            sum += block->procs[i];
        }
        ORI_ASSERT(&sim->shell, sum == block->procs_sum);
        planned += sum;
    }
    ORI_ASSERT(&sim->shell, away || planned == procs_held(sim, g, NAN));
}

/* Ranks and jobs are each other's, and every node has the smallest of its 16 children. */
static void check_queue(const orr_rigid *sim, const ori_group *g, const ori_queue *q)
{
    int32_t count = 0;
    if (q->capacity > FEW_JOBS)
        return;
    for (int32_t rank = 0; rank < q->capacity; rank++) {
        if (ori_queue_is_free(q, rank))
            continue;
        int32_t job = q->job_at[rank];
        count++;
        ORI_ASSERT(&sim->shell, q->rank_of[job] == rank);
        ORI_ASSERT(&sim->shell, q->procs[0][rank] == sim->jobs->procs[job]);
        ORI_ASSERT(&sim->shell, sim->state[job] == ORR_JOB_WAITING);
        ORI_ASSERT(&sim->shell, ori_group_of(sim, job) == g && !ori_is_aside(sim, job));
    }
    ORI_ASSERT(&sim->shell, count == q->count);
    for (int level = 1; level < q->levels; level++)
        for (int32_t node = 0; node * ORI_QUEUE_FAN < q->size[level - 1]; node++)
            ORI_ASSERT(&sim->shell, q->procs[level][node] ==
                                        ori_smallest(q->procs[level - 1] + node * ORI_QUEUE_FAN));
}

static void check_composition(const orr_rigid *sim, const ori_group *g)
{
    ori_composition anew;
    if (!g->counts || !g->composition.kept || g->order.queue.capacity > FEW_JOBS)
        return;
    ori_composition_make(&anew, sim->in, &g->order.queue);
    ORI_ASSERT(&sim->shell, anew.work == g->composition.work);
    ORI_ASSERT(&sim->shell, memcmp(anew.procs, g->composition.procs, sizeof anew.procs) == 0);
    ORI_ASSERT(&sim->shell, memcmp(anew.time, g->composition.time, sizeof anew.time) == 0);
}

static void check_group(const orr_rigid *sim, const ori_group *g)
{
    const ori_shell *shell = &sim->shell;
    ORI_ASSERT(shell, !g->plan_valid);
    ORI_ASSERT(shell, !g->placed || !g->placed->names);
    ORI_ASSERT(shell, !g->kept || g->at.keeps_plan || g->placed);
    ORI_ASSERT(shell, !g->at.keeps_plan || (g->may_keep_plan && !g->order.dynamic));
    ORI_ASSERT(shell, g->at.free >= 0);
    ORI_ASSERT(shell, g->at.free + g->at.down + procs_held(sim, g, NAN) == g->procs);
    ORI_ASSERT(shell, g->at.drained_down <= g->at.drained);
    ORI_ASSERT(shell, g->at.drained_down <= g->at.down);
    check_planned(sim, g);
    check_queue(sim, g, &g->order.queue);
    if (g->has_backfill)
        check_queue(sim, g, &g->backfill.queue);
    check_composition(sim, g);
}

/* What is free of each pool is what those leave that run. */
static void check_pools(const orr_rigid *sim)
{
    for (int32_t pool = 0; sim->needs.shares && pool < sim->in->pool_count; pool++) {
        int64_t held = 0;
        int32_t holdings = 0;
        for (int32_t i = 0; i < sim->ends.count; i++) {
            int64_t need = orr_need_of(sim->in, running_job(sim, i), pool);
            held += need;
            holdings += need > 0;
        }
        for (int32_t i = 0; i < sim->pools.turned; i++)
            held -= sim->in->turns[i].of == pool ? sim->in->turns[i].by : 0;
        ORI_ASSERT(&sim->shell, sim->pools.free[pool] == sim->in->pools[pool].amount - held);
        ORI_ASSERT(&sim->shell, sim->pools.holdings[pool] == holdings);
    }
}

/* What is used of a limit with a job's key is what those use that run, or that wait. */
static void check_limit(const orr_rigid *sim, int32_t number, int32_t job)
{
    const orr_limit *limit = &sim->in->limits[number];
    const ori_limits *l = sim->limits;
    int32_t key = orr_limit_key(limit, sim->jobs, job);
    int64_t used = 0;
    for (int32_t i = 0; i < sim->ends.count && limit->of != ORR_AMOUNT_WAITING; i++)
        if (orr_limit_key(limit, sim->jobs, running_job(sim, i)) == key)
            used += orr_limit_use(limit, sim->jobs, running_job(sim, i));
    for (int32_t j = 0; j < sim->in->count && limit->of == ORR_AMOUNT_WAITING; j++)
        used += l->where[j] != ORI_AWAY && orr_limit_key(limit, sim->jobs, j) == key;
    if (key > 0)
        ORI_ASSERT(&sim->shell, l->used[key * (int64_t)sim->in->limit_count + number] == used);
}

/* Jobs by their state. Those that have come are the first by submission; those that are aside
 * exceed a limit. */
static void check_jobs(const orr_rigid *sim)
{
    int32_t counts[ORR_JOB_HELD + 1] = {0}, queued = 0, aside = 0;
    for (int32_t j = 0; j < sim->in->count; j++) {
        int64_t used;
        counts[sim->state[j]]++;
        aside += ori_is_aside(sim, j);
        if (sim->limits && sim->limits->where[j] >= ORI_QUEUED)
            ORI_ASSERT(&sim->shell, ori_is_aside(sim, j) ==
                                        (ori_limits_exceeded(sim->limits, j, &used) != NULL));
        for (int32_t i = 0; sim->limits && i < sim->in->limit_count; i++)
            check_limit(sim, i, j);
    }
    for (int32_t i = sim->at.submitted; i < sim->in->count; i++) {
        int state = sim->state[sim->in->by_submission[i]];
        ORI_ASSERT(&sim->shell, state == ORR_JOB_PENDING || state == ORR_JOB_OVER);
    }
    for (int32_t i = 0; i < sim->group_count; i++)
        queued += sim->groups[i].order.queue.count;
    ORI_ASSERT(&sim->shell, counts[ORR_JOB_RUNNING] == sim->at.running);
    ORI_ASSERT(&sim->shell, counts[ORR_JOB_OVER] == sim->at.over);
    ORI_ASSERT(&sim->shell, counts[ORR_JOB_HELD] == sim->at.held);
    ORI_ASSERT(&sim->shell, counts[ORR_JOB_WAITING] == queued + aside);
    ORI_ASSERT(&sim->shell, !sim->limits || aside == sim->limits->aside_count);
}

void ori_rigid_check_quiet(const orr_rigid *sim)
{
    const ori_instant *instant = &sim->instant;
    int32_t running = 0;
    for (int32_t i = 0; i < sim->group_count; i++) {
        check_group(sim, &sim->groups[i]);
        running += sim->groups[i].at.running;
    }
    ORI_ASSERT(&sim->shell, running == sim->at.running && running == sim->ends.count);
    ORI_ASSERT(&sim->shell, !instant->situation.hook && instant->submitting < 0);
    ORI_ASSERT(&sim->shell, !instant->ranking && !instant->changing);
    ORI_ASSERT(&sim->shell, instant->told == instant->started_count);
    check_pools(sim);
    if (sim->in->count <= FEW_RUNNING)
        check_jobs(sim);
}

#endif
