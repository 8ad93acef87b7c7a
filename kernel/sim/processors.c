/* Processors and their holders: a list of runs of processors per holder, in ascending order, and a
 * set of free processors per group. Both engines use it. */
#include "base/try_internal.h"
#include "schedule/procset_internal.h"
#include "sim/processors_internal.h"

#include <string.h>
#include <wchar.h>

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
        ORI_PART(p->last, p->procs),   ORI_PART(p->head, holders),
        ORI_PART(p->first, groups + 1)};
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
    for (int32_t g = 0; g < p->groups; g++)
        ori_procset_reset(&p->free[g], p->first[g + 1] - p->first[g]);
}

void ori_processors_copy(ori_processors *to, const ori_processors *from)
{
    size_t procs = (size_t)from->procs;
    memcpy(to->holder, from->holder, procs * sizeof *from->holder);
    memcpy(to->next, from->next, procs * sizeof *from->next);
    memcpy(to->last, from->last, procs * sizeof *from->last);
    for (int32_t i = 0; i < from->procs; i++) /* the others' are not looked at */
        if (from->holder[i] >= 0)
            to->head[from->holder[i]] = from->head[from->holder[i]];
    for (int32_t i = from->procs; i < to->procs; i++)
        to->holder[i] = ORI_DOWN;
    for (int32_t g = 0; g < from->groups; g++) /* with enough room this cannot fail */
        ori_procset_copy(&to->free[g], &from->free[g], NULL);
}

_Static_assert(sizeof(wchar_t) == sizeof(int32_t), "wmemset fills holders");

/* Marks processors low .. high as taken by a holder, as taken by none yet, or as down. */
static void mark(ori_processors *p, int32_t low, int32_t high, int32_t holder)
{
    wmemset(p->holder + low, holder, (size_t)(high - low + 1));
}

/* A run comes into a holder's list in the place of *link; returns where the next one would. */
static int32_t *link_run(ori_processors *p, int32_t *link, orr_interval run)
{
    p->next[run.low] = *link;
    p->last[run.low] = run.high;
    *link = run.low;
    return &p->next[run.low];
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
        while (*link >= 0 && *link < p->taken[k].low)
            link = &p->next[*link];
        link = link_run(p, link, p->taken[k]);
        mark(p, p->taken[k].low, p->taken[k].high, holder);
    }
    return count;
}

void ori_processors_hold(ori_processors *p, int32_t group, int32_t holder, orr_interval run,
                         int32_t **link)
{
    int32_t first = p->first[group];
    if (!*link)
        *link = &p->head[holder];
    mark(p, run.low, run.high, holder);
    **link = -1;
    *link = link_run(p, *link, run);
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

orr_interval ori_processors_next_run(const ori_processors *p, int32_t *i)
{
    orr_interval run = {*i, p->last[*i]};
    while ((*i = p->next[*i]) == run.high + 1)
        run.high = p->last[*i];
    return run;
}

bool ori_processors_holds_any(const ori_processors *p, int32_t holder, int32_t first, int32_t count)
{
    for (int32_t i = p->head[holder]; i >= 0;) {
        orr_interval run = ori_processors_next_run(p, &i);
        if (run.high >= first && run.low - first < count)
            return true;
    }
    return false;
}

/* Frees the processors of a list from the run that begins at `i` on. */
static void free_list(ori_processors *p, int32_t group, int32_t i)
{
    int32_t first = p->first[group];
    while (i >= 0) {
        orr_interval run = ori_processors_next_run(p, &i);
        ori_procset_give(&p->free[group], &(orr_interval){run.low - first, run.high - first}, 1,
                         NULL);
    }
}

void ori_processors_give(ori_processors *p, int32_t group, int32_t holder)
{
    free_list(p, group, p->head[holder]);
}

void ori_processors_give_highest(ori_processors *p, int32_t group, int32_t holder, int32_t kept)
{
    int32_t *link = &p->head[holder], size;
    while (kept > 0 && kept >= (size = p->last[*link] - *link + 1)) {
        kept -= size;
        link = &p->next[*link];
    }
    if (kept > 0) { /* inside a run, whose rest becomes a run of its own */
        int32_t low = *link, rest = low + kept;
        p->next[rest] = p->next[low];
        p->last[rest] = p->last[low];
        p->last[low] = rest - 1;
        p->next[low] = rest;
        link = &p->next[low];
    }
    free_list(p, group, *link);
    *link = -1;
}

/* --- who holds what --------------------------------------------------------------------------- */

int32_t ori_processors_holder(const ori_processors *p, int32_t at, int32_t *last)
{
    int32_t holder = p->holder[at], group = 0;
    *last = at;
    if (holder == ORI_DOWN) {
        while (*last + 1 < p->procs && p->holder[*last + 1] == ORI_DOWN)
            ++*last;
        return ORI_DOWN;
    }
    while (p->first[group + 1] <= at)
        group++;
    orr_interval free = ori_processors_free_from(p, group, at), run = {at, at};
    if (free.low > at)
        for (int32_t i = p->head[holder]; i >= 0 && i <= at;)
            run = ori_processors_next_run(p, &i);
    *last = free.low > at ? run.high : free.high;
    return free.low > at ? holder : ORI_HELD_BY_NOBODY;
}

/* --- down and up ------------------------------------------------------------------------------ */

void ori_processors_take_down(ori_processors *p, int32_t group, int32_t low, int32_t high)
{
    int32_t first = p->first[group];
    mark(p, low, high, ORI_DOWN);
    ori_procset_remove(&p->free[group], (orr_interval){low - first, high - first});
}

void ori_processors_bring_up(ori_processors *p, int32_t group, int32_t low, int32_t high)
{
    orr_interval run = {low - p->first[group], high - p->first[group]};
    mark(p, low, high, ORI_HELD_BY_NOBODY);
    ori_procset_give(&p->free[group], &run, 1, NULL);
}
