#include "packs/growing_internal.h"

static void expect_next(ori_growing *g, int32_t index)
{
    int32_t task = g->tasks[index];
    if (g->procs[index] > g->problem->least[task])
        orr_calendar_push(&g->gives, orr_pack_time(g->problem, task, g->procs[index] - 1), 0,
                          index);
}

/* Some task gives processors back; false when all have their least numbers. */
static bool raise_makespan(ori_growing *g)
{
    if (g->gives.count == 0)
        return false;
    orr_event next = orr_calendar_pop(&g->gives);
    int32_t index = (int32_t)next.payload;
    if (next.time > g->makespan)
        g->makespan = next.time;
    int32_t procs = orr_pack_procs_for(g->problem, g->tasks[index], g->makespan);
    g->sum -= g->procs[index] - procs;
    g->procs[index] = procs;
    expect_next(g, index);
    return true;
}

double ori_growing_add(ori_growing *g, int32_t task)
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

void ori_growing_clear(ori_growing *g)
{
    g->count = 0;
    g->sum = 0;
    g->makespan = 0;
    orr_calendar_clear(&g->gives);
}

orr_status ori_growing_create(ori_growing *g, const orr_pack_problem *problem, int32_t capacity,
                              orr_error *err)
{
    *g = (ori_growing){.problem = problem, .capacity = capacity};
    size_t bytes = 2 * (size_t)capacity * sizeof *g->tasks;
    g->tasks = orr_alloc(&problem->alloc, bytes);
    if (!g->tasks)
        return orr_fail_memory(err, bytes);
    g->procs = g->tasks + capacity;
    return orr_calendar_create(&g->gives, capacity, &problem->alloc, err);
}

void ori_growing_destroy(ori_growing *g)
{
    if (!g->tasks)
        return;
    orr_calendar_destroy(&g->gives);
    orr_release(&g->problem->alloc, g->tasks, 2 * (size_t)g->capacity * sizeof *g->tasks);
    g->tasks = NULL;
}

orr_status orr_growing_costs(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                             double *costs, orr_error *err)
{
    ori_growing g;
    orr_status status = ori_growing_create(&g, problem, count, err);
    for (int32_t i = 0; status == ORR_OK && i < count; i++)
        costs[i] = ori_growing_add(&g, tasks[i]);
    ori_growing_destroy(&g);
    return status;
}
