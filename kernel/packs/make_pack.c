/* MAKE-PACK, Algorithm 2, and its first fit by a tree, also for the costs that PACK-APPROX
 * compares. */
#include "base/block_internal.h"
#include "base/sort_internal.h"
#include "packs/check_coschedule_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/make_pack_internal.h"
#include "packs/one_pack_internal.h"

#include <math.h>
#include <string.h>

/* --- the list ----------------------------------------------------------------------------------*/

static bool is_longer(const void *x, const void *y)
{
    return ((const ori_listed *)x)->time > ((const ori_listed *)y)->time;
}

void ori_sort_listed(ori_listed *list, int32_t count, ori_listed *scratch)
{
    ori_sort(list, count, sizeof *list, is_longer, scratch);
}

/* --- first fit ---------------------------------------------------------------------------------*/

orr_status ori_first_fit_create(ori_first_fit *fit, const orr_pack_problem *problem, orr_error *err)
{
    int32_t leaves = 1;
    while (leaves < problem->count)
        leaves *= 2;
    *fit = (ori_first_fit){.procs = problem->procs, .most = problem->most, .leaves = leaves};
    const ori_part parts[] = {ORI_PART(fit->tree, 2 * (size_t)leaves),
                              ORI_PART(fit->tasks, leaves)};
    return ORI_BLOCK_CREATE(&fit->block, parts, ORI_ZEROED, &problem->alloc, err);
}

void ori_first_fit_destroy(ori_first_fit *fit, const orr_allocator *alloc)
{
    ori_block_destroy(&fit->block, alloc);
}

/* Forgets all packs. O(packs). */
static void first_fit_reset(ori_first_fit *fit)
{
    int32_t used = fit->packs;
    for (int32_t level = fit->leaves; level > 0 && used > 0; level /= 2) {
        memset(fit->tree + level, 0, (size_t)used * sizeof *fit->tree);
        used = (used + 1) / 2;
    }
    fit->packs = fit->room = fit->in_last = 0;
}

static void set_room(ori_first_fit *fit, int32_t pack, int32_t room)
{
    int32_t *tree = fit->tree, node = fit->leaves + pack;
    tree[node] = room;
    while (node > 1) {
        int32_t other = tree[node ^ 1], largest = tree[node] > other ? tree[node] : other;
        node /= 2;
        if (tree[node] == largest)
            break;
        tree[node] = largest;
    }
}

static int32_t place_in_tree(ori_first_fit *fit, int32_t procs)
{
    int32_t node = 1;
    while (node < fit->leaves)
        node = 2 * node + (fit->tree[2 * node] < procs);
    int32_t pack = node - fit->leaves;
    set_room(fit, pack, ++fit->tasks[pack] == fit->most ? 0 : fit->tree[node] - procs);
    return pack;
}

static void open_pack(ori_first_fit *fit)
{
    if (fit->packs > 0) {
        fit->tasks[fit->packs - 1] = fit->in_last;
        if (fit->room > 0)
            set_room(fit, fit->packs - 1, fit->room);
    }
    fit->packs++;
    fit->room = fit->procs;
    fit->in_last = 0;
}

/* The pack of a task on `procs` processors, 1 .. p; a new one, fit->packs - 1, where none
 * has room. */
static int32_t first_fit_place(ori_first_fit *fit, int32_t procs)
{
    if (fit->tree[1] >= procs)
        return place_in_tree(fit, procs);
    if (fit->room < procs)
        open_pack(fit);
    fit->room = ++fit->in_last == fit->most ? 0 : fit->room - procs;
    return fit->packs - 1;
}

/* --- packs -------------------------------------------------------------------------------------*/

orr_coschedule *ori_make_pack_listed(const orr_pack_problem *problem, const ori_listed *list,
                                     const int32_t *procs, ori_first_fit *fit, orr_error *err)
{
    orr_coschedule *c = ori_coschedule_begin(problem, 0, err);
    if (!c)
        return NULL;
    first_fit_reset(fit);
    for (int32_t at = 0; at < problem->count; at++) {
        int32_t task = list[at].task;
        c->pack[task] = first_fit_place(fit, procs[task]);
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
    first_fit_reset(fit);
    for (int32_t at = 0; at < problem->count && cost < limit; at++) {
        int32_t packs = fit->packs;
        first_fit_place(fit, procs[list[at].task]);
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
