/* The memory of groups whose policy asks for particular processors. */
#include "rigid/state/placed_internal.h"

#include "base/array_internal.h"
#include "schedule/procset_internal.h"

static bool withhold_reserved(const void *user, const ori_wish *wish, double start, double end,
                              ori_named *n)
{
    const ori_placed *p = user;
    const ori_place *at = &p->place;
    ori_stay stay = {at->in->jobs, wish->job, at->first, at->procs, start, end, true, 0};
    bool any = false;
    for (orr_interval run = {0, -1}; ori_windows_meet(p->windows, &stay, &run);)
        any |= ori_named_remove(n, run);
    return any;
}

static orr_status create_placed(ori_placed *p, int32_t jobs, bool reserves, orr_error *err)
{
    int64_t procs = p->place.procs;
    const ori_part parts[] = {ORI_PART(p->awaited, procs), ORI_PART(p->scratch, procs)};
    ORI_TRY(ori_place_create(&p->place, &p->alloc, err));
    ORI_TRY(ori_named_create(&p->plan, p->place.procs, &p->alloc, err));
    ORI_TRY(ori_procset_create(&p->left, 0, &p->alloc, err));
    ORI_TRY(ori_procset_reserve(&p->left, p->place.procs / 2 + 2, err));
    ORI_TRY(ori_procset_create(&p->spare, 0, &p->alloc, err));
    ORI_TRY(ori_procset_reserve(&p->spare, p->place.procs / 2 + 2, err));
    p->seen = (ori_windows_seen){p->windows, &p->plan, p->place.first, 0, 0};
    if (p->windows->reserves) {
        p->plan.withhold = withhold_reserved;
        p->plan.withhold_user = p;
    }
    ORI_TRY(ORI_BLOCK_CREATE(&p->block, parts, ORI_RAW, &p->alloc, err));
    if (!reserves)
        return ORR_OK;
    size_t size = sizeof *p->reserved;
    p->reserved = orr_calloc(&p->alloc, (size_t)jobs, size);
    return p->reserved ? ORR_OK : orr_fail_memory(err, (size_t)jobs * size);
}

ori_placed *ori_placed_create(const ori_place *place, const ori_windows *windows, int32_t jobs,
                              bool reserves, const orr_allocator *a, orr_error *err)
{
    ori_placed *p = ori_new(a, sizeof *p, err);
    if (!p)
        return NULL;
    *p = (ori_placed){.place = *place, .windows = windows, .jobs = jobs, .alloc = *a};
    ori_placed_clear(p);
    if (create_placed(p, jobs, reserves, err) == ORR_OK)
        return p;
    ori_placed_destroy(p);
    return NULL;
}

void ori_placed_destroy(ori_placed *p)
{
    if (!p)
        return;
    orr_allocator a = p->alloc;
    for (int32_t j = 0; p->reserved && j < p->jobs; j++)
        ORI_FREE(&a, &p->reserved[j].list, &p->reserved[j].capacity);
    ORI_FREE(&a, &p->counted, &p->counted_capacity);
    orr_release(&a, p->reserved, (size_t)p->jobs * sizeof *p->reserved);
    ori_block_destroy(&p->block, &a);
    ori_named_destroy(&p->plan);
    ori_procset_destroy(&p->left);
    ori_procset_destroy(&p->spare);
    ori_block_destroy(&p->place.block, &a);
    orr_release(&a, p, sizeof *p);
}

void ori_placed_clear(ori_placed *p)
{
    ori_placed_forget_plan(p);
    p->bound = p->place.policy->place != ORR_PLACE_ANY;
    p->clear_until = INFINITY;
    p->closed.job = -1;
}

static orr_status copy_runs(ori_placed *p, int32_t job, const ori_runs *from, orr_error *err)
{
    ori_runs *to = &p->reserved[job];
    ORI_TRY(ORI_COPY(&p->alloc, &to->list, &to->capacity, from->list, from->count, err));
    to->count = from->count;
    return ORR_OK;
}

orr_status ori_placed_copy(ori_placed *to, const ori_placed *from, int32_t jobs, orr_error *err)
{
    to->bound = from->bound;
    to->clear_until = INFINITY; /* the copy may have other windows */
    for (int32_t j = 0; from->reserved && j < jobs; j++)
        ORI_TRY(copy_runs(to, j, &from->reserved[j], err));
    return ORR_OK;
}

int32_t ori_placed_take_spare(ori_placed *p)
{
    int32_t procs = 0;
    for (int32_t i = 0; i < p->place.found.count; i++)
        ori_procset_remove(&p->spare, p->place.found.list[i]);
    for (int32_t i = 0; i < p->spare.count; i++)
        procs += p->spare.intervals[i].high - p->spare.intervals[i].low + 1;
    return procs;
}

orr_status ori_placed_reserve(ori_placed *p, int32_t job, orr_error *err)
{
    return copy_runs(p, job, &p->place.found, err);
}

bool ori_placed_has_found(const ori_placed *p, int32_t job)
{
    const ori_runs *found = &p->place.found, *runs = &p->reserved[job];
    return found->count == runs->count &&
           memcmp(found->list, runs->list, (size_t)runs->count * sizeof *runs->list) == 0;
}

void ori_placed_find_reserved(ori_placed *p, int32_t job)
{
    const ori_runs *runs = &p->reserved[job];
    memcpy(p->place.found.list, runs->list, (size_t)runs->count * sizeof *runs->list);
    p->place.found.count = runs->count;
}
