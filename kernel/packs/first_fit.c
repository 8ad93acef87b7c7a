/* First fit by a tree, for MAKE-PACK and for the costs that PACK-APPROX looks at. */
#include "packs/make_pack_internal.h"

#include <string.h>

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

void ori_first_fit_reset(ori_first_fit *fit)
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

int32_t ori_first_fit_place(ori_first_fit *fit, int32_t procs)
{
    if (fit->tree[1] >= procs)
        return place_in_tree(fit, procs);
    if (fit->room < procs)
        open_pack(fit);
    fit->room = ++fit->in_last == fit->most ? 0 : fit->room - procs;
    return fit->packs - 1;
}
