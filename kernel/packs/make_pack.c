/* MAKE-PACK, Algorithm 2. */
#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/make_pack_internal.h"

#include <math.h>

/* --- the list ----------------------------------------------------------------------------------*/

static bool is_longer(const void *x, const void *y)
{
    return ((const ori_listed *)x)->time > ((const ori_listed *)y)->time;
}

void ori_sort_listed(ori_listed *list, int32_t count, ori_listed *scratch)
{
    ori_sort(list, count, sizeof *list, is_longer, scratch);
}

/* --- packs -------------------------------------------------------------------------------------*/

orr_coschedule *ori_make_pack_listed(const orr_pack_problem *problem, const ori_listed *list,
                                     const int32_t *procs, ori_first_fit *fit, orr_error *err)
{
    orr_coschedule *c = ori_coschedule_begin(problem, 0, err);
    if (!c)
        return NULL;
    ori_first_fit_reset(fit);
    for (int32_t at = 0; at < problem->count; at++) {
        int32_t task = list[at].task;
        c->pack[task] = ori_first_fit_place(fit, procs[task]);
        c->procs[task] = procs[task];
    }
    c->packs = fit->packs;
    ori_coschedule_settle(problem, c);
    return c;
}

double ori_make_pack_cost(const orr_pack_problem *problem, const ori_listed *list,
                          const int32_t *procs, ori_first_fit *fit, double limit)
{
    double cost = 0;
    ori_first_fit_reset(fit);
    for (int32_t at = 0; at < problem->count && cost < limit; at++) {
        int32_t packs = fit->packs;
        ori_first_fit_place(fit, procs[list[at].task]);
        if (fit->packs > packs)
            cost += list[at].time;
    }
    return cost < limit ? cost : (double)INFINITY;
}

orr_coschedule *orr_make_pack(const orr_pack_problem *problem, const int32_t *procs, orr_error *err)
{
    ori_first_fit fit;
    ori_listed *list, *scratch;
    for (int32_t i = 0; i < problem->count; i++)
        if (ori_pack_check_procs(problem, i, procs[i], err) != ORR_OK)
            return NULL;
    ORI_SCRATCH_OR(NULL, &problem->alloc, ORI_RAW, err, ORI_PART(list, problem->count),
                   ORI_PART(scratch, problem->count));
    for (int32_t i = 0; i < problem->count; i++)
        list[i] = (ori_listed){orr_pack_time(problem, i, procs[i]), i};
    ori_sort_listed(list, problem->count, scratch);
    orr_coschedule *c = NULL;
    if (ori_first_fit_create(&fit, problem, err) == ORR_OK)
        c = ori_make_pack_listed(problem, list, procs, &fit, err);
    ori_first_fit_destroy(&fit, &problem->alloc);
    return c;
}
