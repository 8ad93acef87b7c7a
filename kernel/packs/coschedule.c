/* Co-schedules, made from packs, or from packs and processors; all other fields follow from
 * these. */
#include "base/block_internal.h"
#include "base/try_internal.h"
#include "packs/check_coschedule_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/one_pack_internal.h"

#include <math.h>
#include <string.h>

/* --- memory ------------------------------------------------------------------------------------*/

/* Allocates one block, with room for as many packs as there are tasks. */
static orr_coschedule *allocate_coschedule(const orr_allocator *alloc, int32_t count, int32_t packs,
                                           orr_error *err)
{
    orr_coschedule c = {.count = count, .packs = packs, .alloc = *alloc}, *self;
    ori_block block;
    const ori_part parts[] = {ORI_PART(self, 1),        ORI_PART(c.cost, count),
                              ORI_PART(c.pack, count),  ORI_PART(c.procs, count),
                              ORI_PART(c.order, count), ORI_PART(c.first, (size_t)count + 1)};
    if (ORI_BLOCK_CREATE(&block, parts, ORI_RAW, alloc, err) != ORR_OK)
        return NULL;
    c.size = block.size;
    *self = c;
    return self;
}

orr_coschedule *ori_coschedule_begin(const orr_pack_problem *problem, int32_t packs, orr_error *err)
{
    return allocate_coschedule(&problem->alloc, problem->count, packs, err);
}

orr_coschedule *orr_coschedule_copy(const orr_coschedule *from, orr_error *err)
{
    orr_coschedule *c = allocate_coschedule(&from->alloc, from->count, from->packs, err);
    if (!c)
        return NULL;
    memcpy(c->cost, from->cost, from->size - sizeof *from);
    c->total = from->total;
    return c;
}

void orr_coschedule_destroy(orr_coschedule *coschedule)
{
    if (coschedule)
        orr_release(&coschedule->alloc, coschedule, coschedule->size);
}

/* --- from packs and processors to all else -----------------------------------------------------*/

/* Counting sort: `first` and `order` from `pack`. */
static void group(orr_coschedule *c)
{
    memset(c->first, 0, ((size_t)c->packs + 1) * sizeof *c->first);
    for (int32_t i = 0; i < c->count; i++)
        c->first[c->pack[i]]++;
    for (int32_t b = 0, sum = 0; b <= c->packs; b++) {
        int32_t tasks = c->first[b];
        c->first[b] = sum;
        sum += tasks;
    }
    for (int32_t i = 0; i < c->count; i++)
        c->order[c->first[c->pack[i]]++] = i;
    memmove(c->first + 1, c->first, (size_t)c->packs * sizeof *c->first);
    c->first[0] = 0;
}

static void add_up(const orr_pack_problem *problem, orr_coschedule *c)
{
    c->total = 0;
    for (int32_t b = 0; b < c->packs; b++) {
        c->cost[b] = 0;
        for (int32_t at = c->first[b]; at < c->first[b + 1]; at++) {
            int32_t task = c->order[at];
            c->cost[b] = fmax(c->cost[b], orr_pack_time(problem, task, c->procs[task]));
        }
        c->total += c->cost[b];
    }
}

void ori_coschedule_settle(const orr_pack_problem *problem, orr_coschedule *coschedule)
{
    group(coschedule);
    add_up(problem, coschedule);
}

/* --- Algorithm 1 in every pack -----------------------------------------------------------------*/

static int32_t largest_pack(const orr_coschedule *c)
{
    int32_t most = 1;
    for (int32_t b = 0; b < c->packs; b++)
        if (c->first[b + 1] - c->first[b] > most)
            most = c->first[b + 1] - c->first[b];
    return most;
}

orr_status orr_coschedule_balance(const orr_pack_problem *problem, orr_coschedule *coschedule,
                                  orr_error *err)
{
    ori_listed *heap;
    int32_t *procs, most = largest_pack(coschedule);
    ORI_SCRATCH(&coschedule->alloc, ORI_RAW, err, ORI_PART(heap, most), ORI_PART(procs, most));
    for (int32_t b = 0; b < coschedule->packs; b++) {
        const int32_t *tasks = coschedule->order + coschedule->first[b];
        int32_t count = coschedule->first[b + 1] - coschedule->first[b];
        ori_give_out(problem, tasks, count, problem->procs, procs, heap);
        for (int32_t i = 0; i < count; i++)
            coschedule->procs[tasks[i]] = procs[i];
    }
    add_up(problem, coschedule);
    return ORR_OK;
}

orr_coschedule *ori_coschedule_finish(const orr_pack_problem *problem, orr_coschedule *coschedule,
                                      orr_error *err)
{
    memcpy(coschedule->procs, problem->least, (size_t)problem->count * sizeof *problem->least);
    ori_coschedule_settle(problem, coschedule);
    if (orr_coschedule_balance(problem, coschedule, err) == ORR_OK)
        return coschedule;
    orr_coschedule_destroy(coschedule);
    return NULL;
}

/* --- from the outside --------------------------------------------------------------------------*/

static orr_status check_given(const orr_pack_problem *problem, const int32_t *pack, int32_t packs,
                              const int32_t *procs, orr_error *err)
{
    int32_t count = problem->count;
    ORI_REFUSE(packs < 1 || packs > count, err, "%d tasks go into 1 to %d packs, not %d",
               (int)count, (int)count, (int)packs);
    for (int32_t i = 0; i < count; i++)
        ORI_TRY(ori_pack_check_place(problem, i, pack[i], packs, err));
    for (int32_t i = 0; procs && i < count; i++)
        ORI_TRY(ori_pack_check_procs(problem, i, procs[i], err));
    return ORR_OK;
}

orr_coschedule *orr_coschedule_create(const orr_pack_problem *problem, const int32_t *pack,
                                      int32_t packs, const int32_t *procs, orr_error *err)
{
    orr_status status = check_given(problem, pack, packs, procs, err);
    orr_coschedule *c = status == ORR_OK ? ori_coschedule_begin(problem, packs, err) : NULL;
    if (!c)
        return NULL;
    memcpy(c->pack, pack, (size_t)problem->count * sizeof *pack);
    memcpy(c->procs, procs ? procs : problem->least, (size_t)problem->count * sizeof *c->procs);
    ori_coschedule_settle(problem, c);
    if (orr_coschedule_check(problem, c, err) != ORR_OK ||
        (!procs && orr_coschedule_balance(problem, c, err) != ORR_OK)) {
        orr_coschedule_destroy(c);
        return NULL;
    }
    return c;
}
