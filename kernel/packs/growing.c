#include "packs/growing.h"

#include "base/calendar.h"

typedef struct growing {
    const orr_pack_problem *problem;
    const int32_t *tasks;
    int32_t *procs;     /* of the tasks so far, what the makespan needs, or more */
    int64_t sum;        /* of procs */
    double makespan;    /* s */
    orr_calendar gives; /* per task the makespan with which it needs fewer; payload: its index */
} growing;

static void expect_next(growing *g, int32_t index)
{
    int32_t task = g->tasks[index];
    if (g->procs[index] > g->problem->least[task])
        orr_calendar_push(&g->gives, orr_pack_time(g->problem, task, g->procs[index] - 1), 0,
                          index);
}

/* Some task gives processors back; false when all have their least numbers. */
static bool raise_makespan(growing *g)
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

/* The cost with one task more, infinite when they cannot fit. */
static double add(growing *g, int32_t index)
{
    double shortest = orr_pack_time(g->problem, g->tasks[index], g->problem->procs);
    if (shortest > g->makespan)
        g->makespan = shortest;
    g->procs[index] = orr_pack_procs_for(g->problem, g->tasks[index], g->makespan);
    g->sum += g->procs[index];
    expect_next(g, index);
    while (g->sum > g->problem->procs)
        if (!raise_makespan(g))
            return INFINITY;
    return g->makespan;
}

static void add_all(growing *g, int32_t count, double *costs)
{
    bool fits = true;
    for (int32_t index = 0; index < count; index++) {
        costs[index] = fits ? add(g, index) : INFINITY;
        fits = costs[index] < INFINITY;
    }
}

orr_status orr_growing_costs(const orr_pack_problem *problem, const int32_t *tasks, int32_t count,
                             double *costs, orr_error *err)
{
    size_t bytes = (size_t)count * sizeof(int32_t);
    growing g = {.problem = problem, .tasks = tasks, .procs = orr_alloc(&problem->alloc, bytes)};
    if (!g.procs)
        return orr_fail_memory(err, bytes);
    orr_status status = orr_calendar_create(&g.gives, count, &problem->alloc, err);
    if (status == ORR_OK)
        add_all(&g, count, costs);
    orr_calendar_destroy(&g.gives);
    orr_release(&problem->alloc, g.procs, bytes);
    return status;
}
