/* Limits: see the header. The jobs of a key that wait are linked, so that a start or an end looks
 * only at these, and only where the limit can matter to one of them. */
#include "rigid/limits_internal.h"

#include "base/try_internal.h"

#include <string.h>

/* The place of a job's key under a limit; -1: it is not under this limit. */
static int64_t place_of(const ori_limits *l, int32_t job, int32_t limit)
{
    int64_t key = orr_limit_key(&l->list[limit], l->jobs, job);
    return key > 0 ? key * l->count + limit : -1;
}

/* --- memory ----------------------------------------------------------------------------------- */

orr_status ori_limits_extend(ori_limits *l, orr_error *err)
{
    int64_t keys = 2 + (int64_t)l->jobs->names.count, before = l->key_count;
    if (keys <= before)
        return ORR_OK;
    keys += before / 2;
    const ori_part row[] = {ORI_PART(l->used, l->count), ORI_PART(l->most, l->count),
                            ORI_PART(l->first, l->count)};
    ORI_TRY(ORI_BLOCK_GROW(&l->keys, row, (size_t)before, (size_t)before, (size_t)keys, &l->alloc,
                           err));
    size_t from = (size_t)(before * l->count), n = (size_t)((keys - before) * l->count);
    memset(l->used + from, 0, n * sizeof *l->used);
    memset(l->most + from, 0, n * sizeof *l->most);
    memset(l->first + from, 0, n * sizeof *l->first);
    l->key_count = keys;
    return ORR_OK;
}

ori_limits *ori_limits_create(const orr_instance *in, int32_t room, const orr_allocator *a,
                              orr_error *err)
{
    ori_limits *l = ori_new(a, sizeof *l, err);
    if (!l)
        return NULL;
    *l = (ori_limits){
        .jobs = in->jobs, .list = in->limits, .count = in->limit_count, .room = room, .alloc = *a};
    size_t n = (size_t)room, links = n * (size_t)l->count;
    const ori_part parts[] = {ORI_PART(l->next, links), ORI_PART(l->before, links),
                              ORI_PART(l->moved, n), ORI_PART(l->aside, n)};
    if (ORI_BLOCK_CREATE(&l->block, parts, ORI_ZEROED, a, err) == ORR_OK &&
        ori_limits_extend(l, err) == ORR_OK)
        return l;
    ori_limits_destroy(l);
    return NULL;
}

void ori_limits_destroy(ori_limits *l)
{
    if (!l)
        return;
    orr_allocator a = l->alloc;
    ori_block_destroy(&l->keys, &a);
    ori_block_destroy(&l->block, &a);
    orr_release(&a, l, sizeof *l);
}

void ori_limits_clear(ori_limits *l)
{
    size_t n = (size_t)(l->key_count * l->count);
    memset(l->used, 0, n * sizeof *l->used);
    memset(l->first, 0, n * sizeof *l->first);
    memset(l->aside, 0, (size_t)l->room);
    l->aside_count = 0;
}

void ori_limits_copy(ori_limits *to, const ori_limits *from)
{
    int64_t keys = from->key_count < to->key_count ? from->key_count : to->key_count;
    size_t n = (size_t)(keys * from->count);
    memcpy(to->used, from->used, n * sizeof *to->used);
    memcpy(to->most, from->most, n * sizeof *to->most);
    memcpy(to->first, from->first, n * sizeof *to->first);
    memcpy(to->block.memory, from->block.memory, from->block.size);
    to->aside_count = from->aside_count;
}

/* --- who is over a limit ---------------------------------------------------------------------- */

static bool exceeds(const ori_limits *l, int32_t job, int32_t limit, int64_t place)
{
    return l->used[place] + orr_limit_use(&l->list[limit], l->jobs, job) > l->list[limit].most;
}

const orr_limit *ori_limits_exceeded(const ori_limits *l, int32_t job, int64_t *used)
{
    for (int32_t i = 0; i < l->count; i++) {
        int64_t place = place_of(l, job, i);
        if (place < 0 || !exceeds(l, job, i, place))
            continue;
        if (used)
            *used = l->used[place];
        return &l->list[i];
    }
    return NULL;
}

/* --- who waits -------------------------------------------------------------------------------- */

static void link(ori_limits *l, int32_t job, int32_t limit)
{
    int64_t place = place_of(l, job, limit), at = job * (int64_t)l->count + limit;
    if (place < 0)
        return;
    int64_t use = orr_limit_use(&l->list[limit], l->jobs, job);
    int32_t first = l->first[place];
    l->next[at] = first;
    l->before[at] = 0;
    if (first > 0)
        l->before[(first - 1) * (int64_t)l->count + limit] = job + 1;
    l->first[place] = job + 1;
    l->most[place] = use > l->most[place] ? use : l->most[place];
}

bool ori_limits_wait(ori_limits *l, int32_t job)
{
    for (int32_t i = 0; i < l->count; i++)
        link(l, job, i);
    l->aside[job] = ori_limits_exceeded(l, job, NULL) != NULL;
    l->aside_count += l->aside[job];
    return l->aside[job];
}

void ori_limits_take_over(ori_limits *to, const ori_limits *from)
{
    const int64_t count = from->count;
    memcpy(to->aside, from->aside, (size_t)from->room);
    to->aside_count = from->aside_count;
    for (int64_t place = 0; place < from->key_count * count; place++) {
        const int64_t limit = place % count;
        int32_t at = from->first[place], last = at; /* job + 1 */
        for (; at > 0; at = from->next[(at - 1) * count + limit])
            last = at;
        for (; last > 0; last = from->before[(last - 1) * count + limit])
            link(to, last - 1, (int32_t)limit);
    }
}

void ori_limits_unwait(ori_limits *l, int32_t job)
{
    l->aside_count -= l->aside[job];
    l->aside[job] = false;
    for (int32_t i = 0; i < l->count; i++) {
        int64_t place = place_of(l, job, i);
        if (place < 0)
            continue;
        int32_t next = l->next[job * (int64_t)l->count + i];
        int32_t before = l->before[job * (int64_t)l->count + i];
        if (next > 0)
            l->before[(next - 1) * (int64_t)l->count + i] = before;
        if (before > 0)
            l->next[(before - 1) * (int64_t)l->count + i] = next;
        else
            l->first[place] = next;
    }
}

/* The jobs under one limit that wait and whose place, in the queue or aside, is not `aside`: those
 * that change their place. */
static int32_t move(ori_limits *l, int32_t limit, int64_t place, bool aside, int32_t count)
{
    for (int32_t at = l->first[place]; at > 0; at = l->next[(at - 1) * (int64_t)l->count + limit]) {
        int32_t job = at - 1;
        if (l->aside[job] == aside)
            continue;
        if (aside ? exceeds(l, job, limit, place) : !ori_limits_exceeded(l, job, NULL)) {
            l->aside[job] = aside;
            l->aside_count += aside ? 1 : -1;
            l->moved[count++] = job;
        }
    }
    return count;
}

/* A job starts (by 1) or ends (by -1). The most that is used on the way decides whether a limit
 * can matter. */
static int32_t use(ori_limits *l, int32_t job, int by)
{
    int32_t count = 0;
    for (int32_t i = 0; i < l->count; i++) {
        int64_t place = place_of(l, job, i);
        if (place >= 0)
            l->used[place] += by * orr_limit_use(&l->list[i], l->jobs, job);
    }
    for (int32_t i = 0; i < l->count; i++) {
        int64_t place = place_of(l, job, i);
        if (place < 0 || l->first[place] == 0)
            continue;
        int64_t used = l->used[place];
        used += by < 0 ? orr_limit_use(&l->list[i], l->jobs, job) : 0;
        if (used + l->most[place] > l->list[i].most)
            count = move(l, i, place, by > 0, count);
    }
    return count;
}

int32_t ori_limits_start(ori_limits *l, int32_t job)
{
    return use(l, job, 1);
}

int32_t ori_limits_end(ori_limits *l, int32_t job)
{
    return use(l, job, -1);
}
