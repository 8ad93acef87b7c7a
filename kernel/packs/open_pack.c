/* An open pack: every task holds what it needs for the makespan so far. */
#include "base/try_internal.h"
#include "packs/open_pack_internal.h"

static void expect_next(ori_open_pack *g, int32_t index)
{
    int32_t task = g->tasks[index];
    if (g->procs[index] > g->problem->least[task])
        ori_calendar_push(&g->gives, orr_pack_time(g->problem, task, g->procs[index] - 1), 0,
                          index);
}

/* Some task gives processors back; false when all have their least numbers. */
static bool raise_makespan(ori_open_pack *g)
{
    if (g->gives.count == 0)
        return false;
    ori_event next = ori_calendar_pop(&g->gives);
    int32_t index = (int32_t)next.payload;
    if (next.time > g->makespan)
        g->makespan = next.time;
    int32_t procs = orr_pack_procs_for(g->problem, g->tasks[index], g->makespan);
    g->sum -= g->procs[index] - procs;
    g->procs[index] = procs;
    expect_next(g, index);
    return true;
}

double ori_open_pack_add(ori_open_pack *g, int32_t task)
{
    double shortest = orr_pack_time(g->problem, task, g->problem->procs);
    int32_t index = g->count++;
    if (g->makespan == INFINITY)
        return INFINITY;
    if (shortest > g->makespan)
        g->makespan = shortest;
    g->tasks[index] = task;
    g->procs[index] = orr_pack_procs_for(g->problem, task, g->makespan);
    g->sum += g->procs[index];
    expect_next(g, index);
    while (g->sum > g->problem->procs)
        if (!raise_makespan(g))
            g->makespan = INFINITY, g->sum = 0;
    return g->makespan;
}

void ori_open_pack_clear(ori_open_pack *g)
{
    g->count = 0;
    g->sum = 0;
    g->makespan = 0;
    ori_calendar_clear(&g->gives);
}

orr_status ori_open_pack_create(ori_open_pack *g, const orr_pack_problem *problem, int32_t capacity,
                                orr_error *err)
{
    *g = (ori_open_pack){.problem = problem};
    const ori_part parts[] = {ORI_PART(g->tasks, capacity), ORI_PART(g->procs, capacity)};
    ORI_TRY(ORI_BLOCK_CREATE(&g->block, parts, ORI_RAW, &problem->alloc, err));
    return ori_calendar_create(&g->gives, capacity, &problem->alloc, err);
}

void ori_open_pack_destroy(ori_open_pack *g)
{
    if (!g->block.memory)
        return;
    ori_calendar_destroy(&g->gives);
    ori_block_destroy(&g->block, &g->problem->alloc);
}

orr_status orr_open_pack_costs(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                               double *costs, orr_error *err)
{
    ori_open_pack g;
    orr_status status = ori_open_pack_create(&g, problem, count, err);
    for (int32_t i = 0; status == ORR_OK && i < count; i++)
        costs[i] = ori_open_pack_add(&g, tasks[i]);
    ori_open_pack_destroy(&g);
    return status;
}
