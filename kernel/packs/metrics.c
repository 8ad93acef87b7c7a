/* Section 6.2 of the paper. */
#include "packs/coschedule.h"

#include <stdlib.h>

/* --- one by one --------------------------------------------------------------------------------*/

static int compare_times(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The mean end of tasks that run alone on all processors, shortest first; *cost is the last end. */
static double one_by_one(const orr_pack_problem *problem, double *times, double *cost)
{
    double end = 0, sum = 0;
    for (int32_t i = 0; i < problem->count; i++)
        times[i] = orr_pack_time(problem, i, problem->procs);
    *cost = 0;
    for (int32_t i = 0; i < problem->count; i++)
        *cost += times[i];
    qsort(times, (size_t)problem->count, sizeof *times, compare_times);
    for (int32_t i = 0; i < problem->count; i++) {
        end += times[i];
        sum += end;
    }
    return sum / problem->count;
}

/* --- the order in which packs run --------------------------------------------------------------*/

typedef struct ranked {
    double cost;
    int32_t task; /* its smallest position */
    int32_t pack;
} ranked;

static int compare_packs(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    if (a->cost != b->cost)
        return a->cost < b->cost ? -1 : 1;
    return (a->task > b->task) - (a->task < b->task);
}

orr_status orr_coschedule_order(const orr_coschedule *coschedule, int32_t *order, orr_error *err)
{
    size_t bytes = (size_t)coschedule->packs * sizeof(ranked);
    ranked *ranking = orr_alloc(&coschedule->alloc, bytes);
    if (ranking == NULL)
        return orr_fail_memory(err, bytes);
    for (int32_t b = 0; b < coschedule->packs; b++)
        ranking[b] = (ranked){coschedule->cost[b], coschedule->order[coschedule->first[b]], b};
    qsort(ranking, (size_t)coschedule->packs, sizeof *ranking, compare_packs);
    for (int32_t b = 0; b < coschedule->packs; b++)
        order[b] = ranking[b].pack;
    orr_release(&coschedule->alloc, ranking, bytes);
    return ORR_OK;
}

/* --- measuring ---------------------------------------------------------------------------------*/

static double time_of(const orr_pack_problem *problem, const orr_coschedule *c, int32_t task)
{
    return orr_pack_time(problem, task, c->procs[task]);
}

static double mean_end(const orr_pack_problem *problem, const orr_coschedule *c,
                       const int32_t *order)
{
    double start = 0, sum = 0;
    for (int32_t rank = 0; rank < c->packs; rank++) {
        int32_t b = order[rank];
        for (int32_t at = c->first[b]; at < c->first[b + 1]; at++)
            sum += start + time_of(problem, c, c->order[at]);
        start += c->cost[b];
    }
    return sum / c->count;
}

orr_status orr_coschedule_measure(const orr_pack_problem *problem, const orr_coschedule *coschedule,
                                  orr_coschedule_metrics *metrics, orr_error *err)
{
    size_t bytes = (size_t)problem->count * (sizeof(double) + sizeof(int32_t));
    double *times = orr_alloc(&problem->alloc, bytes), alone, work = 0;
    if (times == NULL)
        return orr_fail_memory(err, bytes);
    int32_t *order = (int32_t *)(void *)(times + problem->count);
    orr_status status = orr_coschedule_order(coschedule, order, err);
    if (status == ORR_OK) {
        for (int32_t i = 0; i < problem->count; i++)
            work += time_of(problem, coschedule, i) * coschedule->procs[i];
        double response = mean_end(problem, coschedule, order);
        double response_alone = one_by_one(problem, times, &alone);
        *metrics =
            (orr_coschedule_metrics){.packs = coschedule->packs,
                                     .cost = coschedule->total,
                                     .relative_cost = coschedule->total / alone,
                                     .packing_ratio = work / (problem->procs * coschedule->total),
                                     .response = response,
                                     .relative_response = response / response_alone};
    }
    orr_release(&problem->alloc, times, bytes);
    return status;
}

double orr_coschedule_idle(const orr_pack_problem *problem, const orr_coschedule *coschedule,
                           int32_t pack)
{
    double work = 0;
    for (int32_t at = coschedule->first[pack]; at < coschedule->first[pack + 1]; at++) {
        int32_t task = coschedule->order[at];
        work += time_of(problem, coschedule, task) * coschedule->procs[task];
    }
    return 1 - work / (problem->procs * coschedule->cost[pack]);
}
