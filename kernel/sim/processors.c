/* Which processor is held by whom, as lists through the processors. */
#include "sim/processors_internal.h"

#include <string.h>

/* A set of n processors has at most (n + 1) / 2 intervals, and as many may be given back at once.
 */
static int32_t most_intervals(int32_t procs)
{
    return procs / 2 + 1;
}

static orr_status create_sets(ori_processors *p, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t g = 0; status == ORR_OK && g < p->groups; g++) {
        int32_t procs = p->first[g + 1] - p->first[g];
        status = orr_procset_create(&p->free[g], procs, &p->alloc, err);
        if (status == ORR_OK)
            status = orr_procset_reserve(&p->free[g], 2 * most_intervals(procs), err);
    }
    return status;
}

orr_status ori_processors_create(ori_processors *p, const int32_t *first, int32_t groups,
                                 int32_t jobs, const orr_allocator *a, orr_error *err)
{
    memset(p, 0, sizeof *p);
    p->alloc = orr_allocator_or_default(a);
    p->procs = first[groups];
    p->jobs = jobs;
    p->groups = groups;
    size_t procs = (size_t)p->procs;
    p->holder = orr_calloc(&p->alloc, procs, sizeof *p->holder);
    p->next = orr_calloc(&p->alloc, procs, sizeof *p->next);
    p->head = orr_calloc(&p->alloc, (size_t)jobs, sizeof *p->head);
    p->first = orr_calloc(&p->alloc, (size_t)groups + 1, sizeof *p->first);
    p->free = orr_calloc(&p->alloc, (size_t)groups, sizeof *p->free);
    p->taken = orr_calloc(&p->alloc, (size_t)most_intervals(p->procs), sizeof *p->taken);
    if (!p->holder || !p->next || !p->head || !p->first || !p->free || !p->taken)
        return orr_fail_memory(err,
                               procs * (2 * sizeof *p->holder) + (size_t)jobs * sizeof *p->head);
    memcpy(p->first, first, ((size_t)groups + 1) * sizeof *first);
    orr_status status = create_sets(p, err);
    if (status == ORR_OK)
        ori_processors_clear(p);
    return status;
}

void ori_processors_destroy(ori_processors *p)
{
    size_t procs = (size_t)p->procs, groups = (size_t)p->groups;
    for (size_t g = 0; p->free && g < groups; g++)
        if (p->free[g].intervals)
            orr_procset_destroy(&p->free[g]);
    orr_release(&p->alloc, p->holder, procs * sizeof *p->holder);
    orr_release(&p->alloc, p->next, procs * sizeof *p->next);
    orr_release(&p->alloc, p->head, (size_t)p->jobs * sizeof *p->head);
    orr_release(&p->alloc, p->first, (groups + 1) * sizeof *p->first);
    orr_release(&p->alloc, p->free, groups * sizeof *p->free);
    orr_release(&p->alloc, p->taken, (size_t)most_intervals(p->procs) * sizeof *p->taken);
    memset(p, 0, sizeof *p);
}

void ori_processors_clear(ori_processors *p)
{
    for (int32_t i = 0; i < p->procs; i++)
        p->holder[i] = ORI_HELD_BY_NOBODY;
    for (int32_t g = 0; g < p->groups; g++)
        orr_procset_reset(&p->free[g], p->first[g + 1] - p->first[g]);
}

void ori_processors_copy(ori_processors *to, const ori_processors *from)
{
    size_t procs = (size_t)from->procs;
    memcpy(to->holder, from->holder, procs * sizeof *from->holder);
    memcpy(to->next, from->next, procs * sizeof *from->next);
    memcpy(to->head, from->head, (size_t)from->jobs * sizeof *from->head);
    for (int32_t g = 0; g < from->groups; g++) /* there is room: this cannot fail */
        orr_procset_copy(&to->free[g], &from->free[g], NULL);
}

int32_t ori_processors_take(ori_processors *p, int32_t group, int32_t job, int32_t procs)
{
    int32_t count = orr_procset_take(&p->free[group], procs, p->taken);
    int32_t *link = &p->head[job];
    for (int32_t k = 0; k < count; k++) {
        p->taken[k].low += p->first[group];
        p->taken[k].high += p->first[group];
        for (int32_t i = p->taken[k].low; i <= p->taken[k].high; i++) {
            p->holder[i] = job;
            *link = i;
            link = &p->next[i];
        }
    }
    *link = -1;
    return count;
}

void ori_processors_hold(ori_processors *p, int32_t group, int32_t job, orr_interval run,
                         int32_t **link)
{
    int32_t first = p->first[group];
    if (!*link)
        *link = &p->head[job];
    for (int32_t i = run.low; i <= run.high; i++) {
        p->holder[i] = job;
        **link = i;
        *link = &p->next[i];
    }
    **link = -1;
    orr_procset_remove(&p->free[group], (orr_interval){run.low - first, run.high - first});
}

void ori_processors_give(ori_processors *p, int32_t group, int32_t job)
{
    int32_t first = p->first[group], i = p->head[job];
    while (i >= 0) {
        orr_interval run = {i - first, i - first};
        p->holder[i] = ORI_HELD_BY_NOBODY;
        for (i = p->next[i]; i >= 0 && i - first == run.high + 1; i = p->next[i]) {
            p->holder[i] = ORI_HELD_BY_NOBODY;
            run.high++;
        }
        orr_procset_give(&p->free[group], &run, 1, NULL);
    }
}

void ori_processors_fail(ori_processors *p, int32_t group, int32_t low, int32_t high)
{
    for (int32_t i = low; i <= high; i++)
        p->holder[i] = ORI_HELD_BY_REPAIR;
    orr_interval run = {low - p->first[group], high - p->first[group]};
    orr_procset_remove(&p->free[group], run);
}

void ori_processors_repair(ori_processors *p, int32_t group, int32_t low, int32_t high)
{
    for (int32_t i = low; i <= high; i++)
        p->holder[i] = ORI_HELD_BY_NOBODY;
    orr_interval run = {low - p->first[group], high - p->first[group]};
    orr_procset_give(&p->free[group], &run, 1, NULL);
}
