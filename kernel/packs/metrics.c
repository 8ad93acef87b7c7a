/* Metrics of a co-schedule: section 6.2 of the paper. */
#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "packs/coschedule.h"

#include <math.h>

/* --- one by one --------------------------------------------------------------------------------*/

/* The mean end of tasks that run alone on all processors, shortest first; *cost is the last end. */
static double one_by_one(const orr_pack_problem *problem, double *times, double *scratch,
                         double *cost)
{
    double end = 0, sum = 0;
    for (int32_t i = 0; i < problem->count; i++)
        times[i] = orr_pack_time(problem, i, problem->procs);
    *cost = 0;
    for (int32_t i = 0; i < problem->count; i++)
        *cost += times[i];
    ori_sort(times, problem->count, sizeof *times, ori_is_less, scratch);
    for (int32_t i = 0; i < problem->count; i++) {
        end += times[i];
        sum += end;
    }
    return sum / problem->count;
}

/* --- the order in which packs run --------------------------------------------------------------*/

typedef struct ranked {
    double cost;
    int32_t task; /* the smallest position of such a task */
    int32_t pack;
} ranked;

static bool runs_before(const void *x, const void *y)
{
    const ranked *a = x, *b = y;
    return a->cost < b->cost || (a->cost == b->cost && a->task < b->task);
}

orr_status orr_coschedule_order(const orr_coschedule *coschedule, int32_t *order, orr_error *err)
{
    ranked *ranking, *scratch;
    ORI_SCRATCH(&coschedule->alloc, ORI_RAW, err, ORI_PART(ranking, coschedule->packs),
                ORI_PART(scratch, coschedule->packs));
    for (int32_t b = 0; b < coschedule->packs; b++)
        ranking[b] = (ranked){coschedule->cost[b], coschedule->order[coschedule->first[b]], b};
    ori_sort(ranking, coschedule->packs, sizeof *ranking, runs_before, scratch);
    for (int32_t b = 0; b < coschedule->packs; b++)
        order[b] = ranking[b].pack;
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
    double *times, *scratch, alone, work = 0;
    int32_t *order;
    ORI_SCRATCH(&problem->alloc, ORI_RAW, err, ORI_PART(times, problem->count),
                ORI_PART(scratch, problem->count), ORI_PART(order, problem->count));
    ORI_TRY(orr_coschedule_order(coschedule, order, err));
    for (int32_t i = 0; i < problem->count; i++)
        work += time_of(problem, coschedule, i) * coschedule->procs[i];
    double response = mean_end(problem, coschedule, order);
    double response_alone = one_by_one(problem, times, scratch, &alone);
    *metrics =
        (orr_coschedule_metrics){.packs = coschedule->packs,
                                 .cost = coschedule->total,
                                 .relative_cost = coschedule->total / alone,
                                 .packing_ratio = work / (problem->procs * coschedule->total),
                                 .response = response,
                                 .relative_response = response / response_alone};
    return ORR_OK;
}

double orr_coschedule_idle(const orr_pack_problem *problem, const orr_coschedule *coschedule,
                           int32_t pack)
{
    if (!ORI_IS_IN(pack, coschedule->packs))
        return NAN;
    double work = 0;
    for (int32_t at = coschedule->first[pack]; at < coschedule->first[pack + 1]; at++) {
        int32_t task = coschedule->order[at];
        work += time_of(problem, coschedule, task) * coschedule->procs[task];
    }
    return 1 - work / (problem->procs * coschedule->cost[pack]);
}
