/* MAKE-PACK, Algorithm 2. */
#include "packs/coschedule_internal.h"
#include "packs/first_fit_internal.h"
#include "packs/make_pack_internal.h"
#include "packs/one_pack_internal.h"

#include <math.h>
#include <stdlib.h>

/* --- the list ----------------------------------------------------------------------------------*/

static int compare(const void *x, const void *y)
{
    const ori_listed *a = x, *b = y;
    return ori_is_in_front(a->time, a->task, b->time, b->task) ? -1 : 1;
}

void ori_sort_listed(ori_listed *list, int32_t count)
{
    qsort(list, (size_t)count, sizeof *list, compare);
}

/* --- packs -------------------------------------------------------------------------------------*/

orr_coschedule *ori_make_pack_listed(const orr_pack_problem *problem, const ori_listed *list,
                                     const int32_t *procs, ori_first_fit *fit, orr_error *err)
{
    orr_coschedule *c = ori_coschedule_begin(problem, 0, err);
    if (c == NULL)
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

static orr_coschedule *make(const orr_pack_problem *problem, const int32_t *procs, ori_listed *list,
                            orr_error *err)
{
    ori_first_fit fit;
    for (int32_t i = 0; i < problem->count; i++)
        list[i] = (ori_listed){orr_pack_time(problem, i, procs[i]), i};
    ori_sort_listed(list, problem->count);
    if (ori_first_fit_create(&fit, problem, err) != ORR_OK)
        return NULL;
    orr_coschedule *c = ori_make_pack_listed(problem, list, procs, &fit, err);
    ori_first_fit_destroy(&fit, &problem->alloc);
    return c;
}

orr_coschedule *orr_make_pack(const orr_pack_problem *problem, const int32_t *procs, orr_error *err)
{
    if (ori_pack_check_procs(problem, procs, err) != ORR_OK)
        return NULL;
    size_t bytes = (size_t)problem->count * sizeof(ori_listed);
    ori_listed *list = orr_alloc(&problem->alloc, bytes);
    if (list == NULL) {
        orr_fail_memory(err, bytes);
        return NULL;
    }
    orr_coschedule *c = make(problem, procs, list, err);
    orr_release(&problem->alloc, list, bytes);
    return c;
}
