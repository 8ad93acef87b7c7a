/* A timetable in blocks: see the header. */
#include "rigid/timetable_internal.h"

#include "base/sort_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* Two neighbours with at most MERGE steps together are merged where a step goes. So two neighbours
 * have at least 33 together, the smaller halves of a split one included, and n steps take no more
 * than n / 16 + 3 blocks. */
enum { BLOCK = ORI_TIMETABLE_BLOCK, MERGE = 24 };

/* A step: its block, counted in order of time, and its place there. */
typedef struct step {
    int32_t block, at;
} step;

static inline ori_timetable_block *block_at(const ori_timetable *t, int32_t i)
{
    return &t->blocks[t->place[i]];
}

orr_status ori_timetable_create(ori_timetable *t, int64_t steps, const orr_allocator *a,
                                orr_error *err)
{
    int64_t capacity = steps / (BLOCK / 4) + 3;
    ORI_FAIL_IF(capacity > INT32_MAX, err, ORR_ERR_LIMIT, "a timetable of %lld steps",
                (long long)steps);
    *t = (ori_timetable){.capacity = (int32_t)capacity};
    const ori_part parts[] = {ORI_PART(t->blocks, capacity), ORI_PART(t->first, capacity),
                              ORI_PART(t->least, capacity),  ORI_PART(t->most, capacity),
                              ORI_PART(t->newest, capacity), ORI_PART(t->count, capacity),
                              ORI_PART(t->place, capacity)};
    ORI_TRY(ORI_BLOCK_CREATE(&t->block, parts, ORI_RAW, a, err));
    for (int32_t i = 0; i < t->capacity; i++)
        t->place[i] = i;
    return ORR_OK;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void sum_up(ori_timetable *t, int32_t i)
{
    const ori_timetable_block *b = block_at(t, i);
    int32_t least = b->free[0], most = b->free[0], count = t->count[i];
    uint32_t newest = b->given[0];
    for (int32_t k = 1; k < count; k++) {
        least = b->free[k] < least ? b->free[k] : least;
        most = b->free[k] > most ? b->free[k] : most;
        newest = b->given[k] > newest ? b->given[k] : newest;
    }
    t->first[i] = b->time[0];
    t->least[i] = least;
    t->most[i] = most;
    t->newest[i] = newest;
}

/* Moves what is known of the blocks from `from` on by one place, up or down. */
static void shift_blocks(ori_timetable *t, int32_t from, int32_t by)
{
    size_t n = (size_t)(t->used - from);
#define SHIFT(array) memmove(t->array + from + by, t->array + from, n * sizeof *t->array)
    SHIFT(first);
    SHIFT(least);
    SHIFT(most);
    SHIFT(newest);
    SHIFT(count);
    SHIFT(place);
#undef SHIFT
}

/* Copies steps between blocks, or within one. */
static void move_steps(ori_timetable_block *to, int32_t at, const ori_timetable_block *from,
                       int32_t first, int32_t count)
{
    size_t n = (size_t)count;
    memmove(to->time + at, from->time + first, n * sizeof *to->time);
    memmove(to->free + at, from->free + first, n * sizeof *to->free);
    memmove(to->given + at, from->given + first, n * sizeof *to->given);
}

/* A block without steps at place i, in front of the one that was there. */
static void add_block(ori_timetable *t, int32_t i)
{
    int32_t unused = t->place[t->used];
    shift_blocks(t, i, 1);
    t->used++;
    t->place[i] = unused;
    t->count[i] = 0;
}

static void drop_block(ori_timetable *t, int32_t i)
{
    int32_t unused = t->place[i];
    shift_blocks(t, i + 1, -1);
    t->place[--t->used] = unused;
}

static void split_block(ori_timetable *t, int32_t i)
{
    int32_t keep = t->count[i] / 2;
    add_block(t, i + 1);
    move_steps(block_at(t, i + 1), 0, block_at(t, i), keep, t->count[i] - keep);
    t->count[i + 1] = t->count[i] - keep;
    t->count[i] = keep;
    sum_up(t, i);
    sum_up(t, i + 1);
}

static void merge_with_next(ori_timetable *t, int32_t i)
{
    if (i < 0 || i + 1 >= t->used || t->count[i] + t->count[i + 1] > MERGE)
        return;
    move_steps(block_at(t, i), t->count[i], block_at(t, i + 1), 0, t->count[i + 1]);
    t->count[i] += t->count[i + 1];
    drop_block(t, i + 1);
    sum_up(t, i);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The last step that begins at `time` or before; the first one if there is none. */
static step find(const ori_timetable *t, double time)
{
    int32_t block = 1, at = 1;
    ORI_BISECT(block, t->used, middle, t->first[middle] <= time)
    block--;
    const ori_timetable_block *b = block_at(t, block);
    ORI_BISECT(at, t->count[block], middle, b->time[middle] <= time)
    return (step){block, at - 1};
}

/* The step that begins at `time`, made if there is none; the first one for times before. */
static step step_at(ori_timetable *t, double time)
{
    step s = find(t, time);
    ori_timetable_block *b = block_at(t, s.block);
    if (b->time[s.at] >= time)
        return s;
    if (t->count[s.block] == BLOCK) {
        split_block(t, s.block);
        s = find(t, time);
        b = block_at(t, s.block);
    }
    int32_t at = s.at + 1;
    move_steps(b, at + 1, b, at, t->count[s.block] - at);
    b->time[at] = time;
    b->free[at] = b->free[at - 1];
    b->given[at] = b->given[at - 1];
    t->count[s.block]++;
    return (step){s.block, at};
}

/* Drops a step, not the first one, which has as many processors as the one before it. */
static void drop(ori_timetable *t, step s)
{
    int32_t before = s.at > 0 ? s.block : s.block - 1;
    ori_timetable_block *b = block_at(t, s.block), *a = block_at(t, before);
    int32_t last = s.at > 0 ? s.at - 1 : t->count[before] - 1;
    if (b->given[s.at] > a->given[last])
        a->given[last] = b->given[s.at];
    if (b->given[s.at] > t->newest[before])
        t->newest[before] = b->given[s.at];
    move_steps(b, s.at, b, s.at + 1, --t->count[s.block] - s.at);
    if (t->count[s.block] == 0)
        drop_block(t, s.block);
    else if (before != s.block)
        sum_up(t, s.block);
    merge_with_next(t, s.block);
    merge_with_next(t, s.block - 1);
}

/* --- changes ---------------------------------------------------------------------------------- */

void ori_timetable_begin(ori_timetable *t, double now, int32_t free)
{
    t->used = 1;
    t->changes = 1;
    t->count[0] = 1;
    ori_timetable_block *b = block_at(t, 0);
    b->time[0] = now;
    b->free[0] = free;
    b->given[0] = t->changes;
    sum_up(t, 0);
}

void ori_timetable_append(ori_timetable *t, double time, int32_t free)
{
    int32_t i = t->used - 1;
    ori_timetable_block *b = block_at(t, i);
    if (b->time[t->count[i] - 1] < time) {
        if (t->count[i] == BLOCK) {
            add_block(t, ++i);
            b = block_at(t, i);
        }
        b->time[t->count[i]++] = time;
    }
    b->free[t->count[i] - 1] = free;
    b->given[t->count[i] - 1] = t->changes;
    sum_up(t, i);
}

/* Adds to steps from .. end - 1 of a block. */
static void add_to(ori_timetable *t, int32_t i, int32_t from, int32_t end, int32_t more)
{
    ori_timetable_block *b = block_at(t, i);
    for (int32_t k = from; k < end; k++)
        b->free[k] += more;
    for (int32_t k = from; more > 0 && k < end; k++)
        b->given[k] = t->changes;
    if (end - from < t->count[i]) {
        sum_up(t, i);
        return;
    }
    t->least[i] += more;
    t->most[i] += more;
    if (more > 0)
        t->newest[i] = t->changes;
}

/* Whether a step makes no difference to the one before it. */
static bool is_equal(const ori_timetable *t, step s)
{
    if (s.at == 0 && s.block == 0)
        return false;
    int32_t free = block_at(t, s.block)->free[s.at];
    return s.at > 0 ? block_at(t, s.block)->free[s.at - 1] == free
                    : block_at(t, s.block - 1)->free[t->count[s.block - 1] - 1] == free;
}

static void add(ori_timetable *t, double from, double to, int32_t more)
{
    if (to < INFINITY)
        step_at(t, to);
    step s = step_at(t, from);
    int32_t i = s.block, at = s.at;
    for (; i < t->used; i++, at = 0) {
        const ori_timetable_block *b = block_at(t, i);
        int32_t end = t->count[i];
        if (!(b->time[end - 1] < to)) {
            end = at;
            while (b->time[end] < to)
                end++;
        }
        if (end > at)
            add_to(t, i, at, end, more);
        at = end;
        if (end < t->count[i])
            break;
    }
    bool drops = is_equal(t, s);
    if (i < t->used && is_equal(t, (step){i, at}))
        drop(t, (step){i, at});
    if (drops)
        drop(t, find(t, from));
}

void ori_timetable_take(ori_timetable *t, double from, double to, int32_t procs)
{
    add(t, from, to, -procs);
}

void ori_timetable_give(ori_timetable *t, double from, double to, int32_t procs)
{
    t->changes++;
    add(t, from, to, procs);
}

void ori_timetable_advance(ori_timetable *t, double now)
{
    step s = find(t, now);
    while (s.block-- > 0)
        drop_block(t, 0);
    ori_timetable_block *b = block_at(t, 0);
    if (s.at > 0) {
        t->count[0] -= s.at;
        move_steps(b, 0, b, s.at, t->count[0]);
        sum_up(t, 0);
        merge_with_next(t, 0);
    }
    b->time[0] = t->first[0] = now;
}

/* --- searches --------------------------------------------------------------------------------- */

/* The first step from `s` on that has fewer than so many processors, or begins at `end` or later;
 * behind the last one (block == used) if there is none. */
static step run_end(const ori_timetable *t, step s, int32_t procs, double end)
{
    for (; s.block < t->used; s.block++, s.at = 0) {
        if (t->first[s.block] >= end && s.at == 0)
            return s;
        if (t->least[s.block] >= procs)
            continue;
        const ori_timetable_block *b = block_at(t, s.block);
        for (; s.at < t->count[s.block]; s.at++)
            if (b->free[s.at] < procs || b->time[s.at] >= end)
                return s;
    }
    return s;
}

/* The first step of those with so many processors without a gap up to this one. */
static double run_start(const ori_timetable *t, step s, int32_t procs)
{
    for (;;) {
        const ori_timetable_block *b = block_at(t, s.block);
        if (t->least[s.block] >= procs)
            s.at = 0;
        while (s.at > 0 && b->free[s.at - 1] >= procs)
            s.at--;
        if (s.at > 0 || s.block == 0)
            return b->time[s.at];
        const ori_timetable_block *before = block_at(t, s.block - 1);
        if (before->free[t->count[s.block - 1] - 1] < procs)
            return b->time[s.at];
        s.block--;
        s.at = t->count[s.block] - 1;
    }
}

/* Whether something that begins in a run may last until `end`, where the run ends at a step. */
static bool lasts(const ori_timetable *t, step s, double end)
{
    return s.block == t->used || block_at(t, s.block)->time[s.at] >= end;
}

bool ori_timetable_has(const ori_timetable *t, double from, double to, int32_t procs)
{
    return lasts(t, run_end(t, find(t, from), procs, to), to);
}

double ori_timetable_earliest(const ori_timetable *t, const ori_request *r)
{
    for (step s = {0, 0}; s.block < t->used;) {
        if (t->most[s.block] < r->procs) {
            s = (step){s.block + 1, 0};
            continue;
        }
        const ori_timetable_block *b = block_at(t, s.block);
        while (s.at < t->count[s.block] && b->free[s.at] < r->procs)
            s.at++;
        if (s.at == t->count[s.block]) {
            s = (step){s.block + 1, 0};
            continue;
        }
        double start = b->time[s.at], end = ori_request_end(r, start);
        s = run_end(t, s, r->procs, end);
        if (lasts(t, s, end))
            return start;
    }
    return INFINITY;
}

double ori_timetable_earlier(const ori_timetable *t, const ori_request *r, double start,
                             uint32_t since, const ori_news *news, int32_t from)
{
    step s = {news->block[from], news->step[from]};
    while (s.block < t->used && t->first[s.block] < start) {
        const ori_timetable_block *b = block_at(t, s.block);
        bool worth = t->newest[s.block] > since && t->most[s.block] >= r->procs;
        while (worth && s.at < t->count[s.block] &&
               (b->given[s.at] <= since || b->free[s.at] < r->procs))
            s.at++;
        if (!worth || s.at == t->count[s.block]) {
            s = (step){s.block + 1, 0};
            continue;
        }
        if (b->time[s.at] >= start)
            break;
        double first = run_start(t, s, r->procs), end = ori_request_end(r, first);
        end = end < start ? end : start; /* from there on it has its processors */
        s = run_end(t, s, r->procs, end);
        if (lasts(t, s, end))
            return first;
    }
    return start;
}

void ori_timetable_news(const ori_timetable *t, uint32_t since, ori_news *news)
{
    int32_t count = 0, most = 0;
    for (int32_t i = 0; i < t->used && count < ORI_NEWS; i++) {
        if (t->newest[i] <= since || t->most[i] <= most)
            continue;
        const ori_timetable_block *b = block_at(t, i);
        for (int32_t k = 0; k < t->count[i] && count < ORI_NEWS; k++)
            if (b->free[k] > most && b->given[k] > since) {
                most = b->free[k];
                news->time[count] = b->time[k];
                news->block[count] = i;
                news->step[count] = k;
                news->most[count++] = most;
            }
    }
    if (count == ORI_NEWS)
        news->most[count - 1] = INT32_MAX - 1; /* there may be more, later */
    news->count = count;
}
