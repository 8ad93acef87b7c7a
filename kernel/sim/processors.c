/* Which processor is held by whom: a list per holder, which runs through the processors in
 * ascending order, and a set of free ones per group. Both engines hand out processors by it. */
#include "base/try_internal.h"
#include "schedule/procset_internal.h"
#include "sim/processors_internal.h"

#include <string.h>

/* A set of n processors has at most (n + 1) / 2 intervals, and as many may be given back at once.
 */
static int32_t most_intervals(int32_t procs)
{
    return procs / 2 + 1;
}

orr_status ori_processors_create(ori_processors *p, const int32_t *first, int32_t groups,
                                 int32_t holders, const orr_allocator *a, orr_error *err)
{
    *p = (ori_processors){.procs = first[groups],
                          .holders = holders,
                          .groups = groups,
                          .alloc = orr_allocator_or_default(a)};
    const ori_part parts[] = {
        ORI_PART(p->free, groups),     ORI_PART(p->taken, most_intervals(p->procs)),
        ORI_PART(p->holder, p->procs), ORI_PART(p->next, p->procs),
        ORI_PART(p->head, holders),    ORI_PART(p->first, groups + 1)};
    ORI_TRY(ORI_BLOCK_CREATE(&p->block, parts, ORI_ZEROED, &p->alloc, err));
    memcpy(p->first, first, ((size_t)groups + 1) * sizeof *first);
    for (int32_t g = 0; g < groups; g++) {
        int32_t procs = first[g + 1] - first[g];
        ORI_TRY(ori_procset_create(&p->free[g], procs, &p->alloc, err));
        ORI_TRY(ori_procset_reserve(&p->free[g], 2 * most_intervals(procs), err));
    }
    ori_processors_clear(p);
    return ORR_OK;
}

void ori_processors_destroy(ori_processors *p)
{
    for (int32_t g = 0; p->free && g < p->groups; g++)
        if (p->free[g].intervals)
            ori_procset_destroy(&p->free[g]);
    ori_block_destroy(&p->block, &p->alloc);
    memset(p, 0, sizeof *p);
}

void ori_processors_clear(ori_processors *p)
{
    memset(p->holder, 0xff, (size_t)p->procs * sizeof *p->holder); /* ORI_HELD_BY_NOBODY: -1 */
    memset(p->head, 0xff, (size_t)p->holders * sizeof *p->head);
    for (int32_t g = 0; g < p->groups; g++)
        ori_procset_reset(&p->free[g], p->first[g + 1] - p->first[g]);
}

void ori_processors_copy(ori_processors *to, const ori_processors *from)
{
    size_t procs = (size_t)from->procs;
    memcpy(to->holder, from->holder, procs * sizeof *from->holder);
    memcpy(to->next, from->next, procs * sizeof *from->next);
    memcpy(to->head, from->head, (size_t)from->holders * sizeof *from->head);
    for (int32_t i = from->procs; i < to->procs; i++)
        to->holder[i] = ORI_DOWN;
    for (int32_t g = 0; g < from->groups; g++) /* there is room: this cannot fail */
        ori_procset_copy(&to->free[g], &from->free[g], NULL);
}

/* --- taking ----------------------------------------------------------------------------------- */

int32_t ori_processors_take(ori_processors *p, int32_t group, int32_t holder, int32_t procs)
{
    p->head[holder] = -1;
    return ori_processors_add(p, group, holder, procs);
}

int32_t ori_processors_add(ori_processors *p, int32_t group, int32_t holder, int32_t procs)
{
    int32_t count = ori_procset_take(&p->free[group], procs, p->taken), first = p->first[group];
    int32_t *link = &p->head[holder];
    for (int32_t k = 0; k < count; k++) {
        p->taken[k].low += first;
        p->taken[k].high += first;
        for (int32_t i = p->taken[k].low; i <= p->taken[k].high; i++) {
            while (*link >= 0 && *link < i)
                link = &p->next[*link];
            p->holder[i] = holder;
            p->next[i] = *link;
            *link = i;
            link = &p->next[i];
        }
    }
    return count;
}

void ori_processors_hold(ori_processors *p, int32_t group, int32_t holder, orr_interval run,
                         int32_t **link)
{
    int32_t first = p->first[group];
    if (!*link)
        *link = &p->head[holder];
    for (int32_t i = run.low; i <= run.high; i++) {
        p->holder[i] = holder;
        **link = i;
        *link = &p->next[i];
    }
    **link = -1;
    ori_procset_remove(&p->free[group], (orr_interval){run.low - first, run.high - first});
}

void ori_processors_take_runs(ori_processors *p, int32_t group, int32_t holder,
                              const orr_interval *runs, int32_t count)
{
    int32_t first = p->first[group], *link = NULL;
    for (int32_t k = 0; k < count; k++) {
        p->taken[k] = (orr_interval){runs[k].low + first, runs[k].high + first};
        ori_processors_hold(p, group, holder, p->taken[k], &link);
    }
}

/* --- giving back ------------------------------------------------------------------------------ */

/* The processors of a list from `i` on are free again. */
static void free_list(ori_processors *p, int32_t group, int32_t i)
{
    int32_t first = p->first[group];
    while (i >= 0) {
        orr_interval run = {i - first, i - first};
        p->holder[i] = ORI_HELD_BY_NOBODY;
        for (i = p->next[i]; i >= 0 && i - first == run.high + 1; i = p->next[i]) {
            p->holder[i] = ORI_HELD_BY_NOBODY;
            run.high++;
        }
        ori_procset_give(&p->free[group], &run, 1, NULL);
    }
}

void ori_processors_give(ori_processors *p, int32_t group, int32_t holder)
{
    free_list(p, group, p->head[holder]);
}

void ori_processors_give_highest(ori_processors *p, int32_t group, int32_t holder, int32_t kept)
{
    int32_t *link = &p->head[holder];
    for (; kept > 0; kept--)
        link = &p->next[*link];
    free_list(p, group, *link);
    *link = -1;
}

/* --- down and up ------------------------------------------------------------------------------ */

static orr_interval mark(ori_processors *p, int32_t group, int32_t low, int32_t high, int32_t as)
{
    for (int32_t i = low; i <= high; i++)
        p->holder[i] = as;
    return (orr_interval){low - p->first[group], high - p->first[group]};
}

void ori_processors_take_down(ori_processors *p, int32_t group, int32_t low, int32_t high)
{
    ori_procset_remove(&p->free[group], mark(p, group, low, high, ORI_DOWN));
}

void ori_processors_bring_up(ori_processors *p, int32_t group, int32_t low, int32_t high)
{
    orr_interval run = mark(p, group, low, high, ORI_HELD_BY_NOBODY);
    ori_procset_give(&p->free[group], &run, 1, NULL);
}
