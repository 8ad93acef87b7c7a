/* Limits: see the header. The jobs of a key that wait are linked, so that a start or an end looks
 * only at these, and only where the limit can matter to one of them. */
#include "rigid/queue/limits_internal.h"

#include "workload/limit_internal.h"

#include <string.h>

/* The place of a job's key under a limit of what runs, or of jobs that wait; -1: it is not under
 * this limit. */
static inline int64_t place_under(const ori_limits *l, int32_t job, int32_t limit, bool waiting)
{
    const orr_limit *one = &l->in->limits[limit];
    int32_t *key = &l->key[job * (int64_t)l->in->limit_count + limit];
    if ((one->of == ORR_AMOUNT_WAITING) != waiting)
        return -1;
    if (ORR_UNLIKELY(*key == 0))
        *key = orr_limit_key(one, l->in->jobs, job) + 1;
    return *key > 1 ? (*key - 1) * (int64_t)l->in->limit_count + limit : -1;
}

static inline int64_t place_of(const ori_limits *l, int32_t job, int32_t limit)
{
    return place_under(l, job, limit, false);
}

static int64_t use_of(const ori_limits *l, int32_t job, int32_t limit)
{
    return orr_limit_use(&l->in->limits[limit], l->in->jobs, job);
}

static int32_t *next_of(const ori_limits *l, int32_t job, int32_t limit)
{
    return &l->next[job * (int64_t)l->in->limit_count + limit];
}

/* --- memory ----------------------------------------------------------------------------------- */

ori_limits *ori_limits_create(const orr_instance *in, int32_t room, const orr_allocator *a,
                              orr_error *err)
{
    ori_limits *l = ori_new(a, sizeof *l, err);
    if (!l)
        return NULL;
    /* a job that comes in place has at most a new label of each kind */
    int64_t keys = in->jobs->names.count + ORR_LABEL_KINDS * ((int64_t)room - in->count) + 2;
    *l = (ori_limits){.in = in, .room = room, .keys = keys, .alloc = *a};
    l->refuses = ori_limits_refuse(in);
    size_t n = (size_t)room, limits = (size_t)in->limit_count, places = (size_t)keys * limits;
    const ori_part parts[] = {ORI_PART(l->used, places),    ORI_PART(l->most, places),
                              ORI_PART(l->first, places),   ORI_PART(l->next, n * limits),
                              ORI_PART(l->key, n * limits), ORI_PART(l->moved, n),
                              ORI_PART(l->where, n)};
    if (ORI_BLOCK_CREATE(&l->block, parts, ORI_ZEROED, a, err) == ORR_OK)
        return l;
    ori_limits_destroy(l);
    return NULL;
}

void ori_limits_destroy(ori_limits *l)
{
    if (!l)
        return;
    orr_allocator a = l->alloc;
    ori_block_destroy(&l->block, &a);
    orr_release(&a, l, sizeof *l);
}

int32_t ori_limits_room(const ori_limits *l, int32_t jobs)
{
    int64_t left = (l->keys - 2 - l->in->jobs->names.count) / ORR_LABEL_KINDS;
    return left < jobs ? (int32_t)(left > 0 ? left : 0) : jobs;
}

void ori_limits_clear(ori_limits *l)
{
    memset(l->block.memory, 0, l->block.size);
    l->aside_count = 0;
}

/* --- who is over a limit ---------------------------------------------------------------------- */

const orr_limit *ori_limits_exceeded(const ori_limits *l, int32_t job, int64_t *used)
{
    for (int32_t i = 0; i < l->in->limit_count; i++) {
        int64_t place = place_of(l, job, i);
        int64_t use = use_of(l, job, i);
        if (place < 0 || l->used[place] + use <= l->in->limits[i].most || use == 0)
            continue;
        *used = l->used[place];
        return &l->in->limits[i];
    }
    return NULL;
}

/* Puts a job into the list of its key, if it is not there yet. */
static void link(ori_limits *l, int32_t job, int32_t limit)
{
    int64_t place = place_of(l, job, limit), use = use_of(l, job, limit);
    int32_t *next = next_of(l, job, limit);
    if (place < 0 || *next > 0)
        return;
    *next = l->first[place] > 0 ? l->first[place] : 1;
    l->first[place] = job + 2;
    l->most[place] = use > l->most[place] ? use : l->most[place];
}

/* Counts a job under all limits of what runs, or of jobs that wait. */
static void count_job(ori_limits *l, int32_t job, int by, bool waiting)
{
    for (int32_t i = 0; by != 0 && i < l->in->limit_count; i++) {
        int64_t place = place_under(l, job, i, waiting);
        if (place >= 0)
            l->used[place] += by * use_of(l, job, i);
    }
}

static inline void set_where(ori_limits *l, int32_t job, ori_waits where)
{
    ori_waits before = l->where[job];
    l->aside_count += (where == ORI_ASIDE) - (before == ORI_ASIDE);
    l->where[job] = where;
    if (ORR_UNLIKELY(l->refuses))
        count_job(l, job, (where != ORI_AWAY) - (before != ORI_AWAY), true);
}

bool ori_limits_wait(ori_limits *l, int32_t job)
{
    int64_t used;
    for (int32_t i = 0; i < l->in->limit_count; i++)
        link(l, job, i);
    set_where(l, job, ori_limits_exceeded(l, job, &used) ? ORI_ASIDE : ORI_QUEUED);
    return l->where[job] == ORI_ASIDE;
}

void ori_limits_unwait(ori_limits *l, int32_t job)
{
    set_where(l, job, ORI_AWAY);
}

void ori_limits_hold(ori_limits *l, int32_t job)
{
    set_where(l, job, ORI_KEPT);
}

int32_t ori_limits_refusing(const ori_limits *l, int32_t job, int64_t *waiting)
{
    for (int32_t i = 0; l->refuses && i < l->in->limit_count; i++) {
        int64_t place = place_under(l, job, i, true);
        if (place < 0 || l->used[place] < l->in->limits[i].most)
            continue;
        *waiting = l->used[place];
        return i;
    }
    return -1;
}

/* Goes through the jobs of a key, drops those that wait no more, and moves those that are over a
 * limit, or over none. */
static int32_t move(ori_limits *l, int32_t limit, int64_t place, int32_t count)
{
    int64_t used;
    for (int32_t *at = &l->first[place]; *at > 1;) {
        int32_t job = *at - 2, *next = next_of(l, job, limit);
        if (l->where[job] < ORI_QUEUED) {
            *at = *next;
            *next = 0;
            continue;
        }
        bool over = ori_limits_exceeded(l, job, &used);
        if (over != (l->where[job] == ORI_ASIDE)) {
            set_where(l, job, over ? ORI_ASIDE : ORI_QUEUED);
            l->moved[count++] = job;
        }
        at = next;
    }
    return count;
}

void ori_limits_count(ori_limits *l, int32_t job, int by)
{
    count_job(l, job, by, false);
}

int32_t ori_limits_use(ori_limits *l, int32_t job, int by)
{
    uint32_t close = 0; /* limits that can matter to a waiting job */
    int32_t count = 0;
    for (int32_t i = 0; i < l->in->limit_count; i++) {
        int64_t place = place_of(l, job, i), use = use_of(l, job, i);
        if (place < 0)
            continue;
        int64_t used = l->used[place] += by * use;
        if (used + (by < 0 ? use : 0) + l->most[place] > l->in->limits[i].most)
            close |= UINT32_C(1) << i;
    }
    for (int32_t i = 0; close >> i > 0; i++)
        if (close >> i & 1)
            count = move(l, i, place_of(l, job, i), count);
    return count;
}

int32_t ori_limits_review(ori_limits *l)
{
    int32_t count = 0;
    for (int64_t place = 0; place < l->keys * l->in->limit_count; place++)
        count = move(l, (int32_t)(place % l->in->limit_count), place, count);
    return count;
}

void ori_limits_copy(ori_limits *to, const ori_limits *from, bool used)
{
    const int64_t limits = from->in->limit_count;
    memcpy(to->where, from->where, (size_t)from->room * sizeof *to->where);
    to->aside_count = from->aside_count;
    for (int64_t place = 0; place < from->keys * limits; place++) {
        int32_t count = 0, limit = (int32_t)(place % limits);
        for (int32_t at = from->first[place]; at > 1; at = *next_of(from, at - 2, limit))
            to->moved[count++] = at - 2;
        while (count-- > 0) /* so that the order is the same */
            link(to, to->moved[count], limit);
    }
    for (int64_t place = 0; used && place < to->keys * limits; place++)
        to->used[place] = place < from->keys * limits ? from->used[place] : 0;
    for (int32_t job = 0; !used && job < from->room; job++) /* keys may have other numbers */
        count_job(to, job, to->where[job] != ORI_AWAY, true);
}
