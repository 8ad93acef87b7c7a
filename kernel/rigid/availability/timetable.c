/* A timetable in blocks: see the header. */
#include "rigid/availability/timetable_internal.h"

#include "base/lanes_internal.h"
#include "base/try_internal.h"

#include <math.h>
#include <string.h>

/* Two neighbours with at most MERGE steps together are merged when a step is removed. So two
 * neighbours have at least 49 steps together, also after a split, and n steps take no more than n /
 * 16 + 3 blocks. */
enum { BLOCK = ORI_TIMETABLE_BLOCK, MERGE = 48 };

/* With at most this number of blocks a search begins at the first, which is as fast as looking for
 * a bound. */
enum { FEW_BLOCKS = 16 };

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
    int64_t cells = capacity > 4 * FEW_BLOCKS ? ORI_NO_EARLIER_CELLS * ORI_NO_EARLIER_CELLS : 0;
    const ori_part parts[] = {ORI_PART_IF(cells > 0, t->bounds, cells),
                              ORI_PART(t->blocks, capacity),
                              ORI_PART(t->first, capacity),
                              ORI_PART(t->least, capacity),
                              ORI_PART(t->most, capacity),
                              ORI_PART(t->newest, capacity),
                              ORI_PART(t->count, capacity),
                              ORI_PART(t->place, capacity)};
    ORI_TRY(ORI_BLOCK_CREATE(&t->block, parts, ORI_RAW, a, err));
    for (int32_t i = 0; i < t->capacity; i++)
        t->place[i] = i;
    if (t->bounds)
        memset(t->bounds, 0, (size_t)cells * sizeof *t->bounds);
    return ORR_OK;
}

/* --- blocks ----------------------------------------------------------------------------------- */

static void sum_up(ori_timetable *t, int32_t i)
{
    const ori_timetable_block *b = block_at(t, i);
    int32_t least = b->free[0], most = b->free[0], newest = b->given[0];
    for (int32_t k = 0; k < BLOCK; k++) {
        least = b->free[k] < least ? b->free[k] : least;
        most = b->free[k] > most ? b->free[k] : most;
        newest = b->given[k] > newest ? b->given[k] : newest;
    }
    t->first[i] = b->time[0];
    t->least[i] = least;
    t->most[i] = most;
    t->newest[i] = newest;
}

/* Sets the number of steps of a block, and fills the places behind them. */
static void set_count(ori_timetable *t, int32_t i, int32_t count)
{
    ori_timetable_block *b = block_at(t, i);
    t->count[i] = count;
    for (int32_t k = count; k < BLOCK; k++) {
        b->time[k] = INFINITY;
        b->free[k] = b->free[count - 1];
        b->given[k] = b->given[count - 1];
    }
}

/* Moves the fields of the blocks from `from` on by one place, up or down. */
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

/* Adds an empty block at place i, in front of the present block i. */
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
    int32_t keep = t->count[i] / 2, rest = t->count[i] - keep;
    add_block(t, i + 1);
    move_steps(block_at(t, i + 1), 0, block_at(t, i), keep, rest);
    set_count(t, i + 1, rest);
    set_count(t, i, keep);
    sum_up(t, i);
    sum_up(t, i + 1);
}

static void merge_with_next(ori_timetable *t, int32_t i)
{
    if (i < 0 || i + 1 >= t->used || t->count[i] + t->count[i + 1] > MERGE)
        return;
    move_steps(block_at(t, i), t->count[i], block_at(t, i + 1), 0, t->count[i + 1]);
    set_count(t, i, t->count[i] + t->count[i + 1]);
    drop_block(t, i + 1);
    sum_up(t, i);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The last step that begins at `time` < inf or before; the first one if there is none. */
static step find_step(const ori_timetable *t, double time)
{
    int32_t block = 0;
    for (int32_t n = t->used, half; (half = n / 2) > 0; n -= half)
        block += t->first[block + half] <= time ? half : 0;
    const ori_timetable_block *b = block_at(t, block);
    int32_t count = b->time[BLOCK / 2] <= time ? BLOCK / 2 : 0; /* only one half is searched */
    const double *half = b->time + count;
    count += ori_count_at_most(half, time) + ori_count_at_most(half + 16, time);
    return (step){block, count > 0 ? count - 1 : 0};
}

/* The step that begins at `time`, made if there is none; the first one for times before. */
static step step_at(ori_timetable *t, double time)
{
    step s = find_step(t, time);
    ori_timetable_block *b = block_at(t, s.block);
    if (b->time[s.at] >= time)
        return s;
    if (t->count[s.block] == BLOCK) {
        split_block(t, s.block);
        s = find_step(t, time);
        b = block_at(t, s.block);
    }
    int32_t at = s.at + 1;
    move_steps(b, at + 1, b, at, t->count[s.block]++ - at);
    b->time[at] = time;
    b->free[at] = b->free[at - 1];
    b->given[at] = b->given[at - 1];
    return (step){s.block, at};
}

/* Drops a step, not the first one, which has as many processors as the one before it. */
static void drop_step(ori_timetable *t, step s)
{
    int32_t before = s.at > 0 ? s.block : s.block - 1;
    ori_timetable_block *b = block_at(t, s.block), *a = block_at(t, before);
    int32_t last = s.at > 0 ? s.at - 1 : t->count[before] - 1;
    if (b->given[s.at] > a->given[last])
        a->given[last] = b->given[s.at];
    if (b->given[s.at] > t->newest[before])
        t->newest[before] = b->given[s.at];
    int32_t count = t->count[s.block] - 1;
    move_steps(b, s.at, b, s.at + 1, count - s.at);
    if (count == 0)
        drop_block(t, s.block);
    else if (s.at == count)
        set_count(t, s.block, count);
    else
        b->time[t->count[s.block] = count] = INFINITY;
    if (before != s.block)
        set_count(t, before, t->count[before]);
    if (count > 0 && before != s.block)
        sum_up(t, s.block);
    merge_with_next(t, s.block);
    merge_with_next(t, s.block - 1);
}

/* --- changes ---------------------------------------------------------------------------------- */

void ori_timetable_begin(ori_timetable *t, double now, int32_t free)
{
    t->used = 1;
    t->changes = 1;
    t->age++;
    t->passed = 0;
    t->lowest = INT32_MIN;
    ori_timetable_block *b = block_at(t, 0);
    b->time[0] = now;
    b->free[0] = free;
    b->given[0] = t->changes;
    set_count(t, 0, 1);
    sum_up(t, 0);
}

void ori_timetable_append(ori_timetable *t, double time, int32_t free)
{
    int32_t i = t->used - 1, last = t->count[i] - 1;
    if (block_at(t, i)->time[last] < time && ++last == BLOCK) {
        add_block(t, ++i);
        last = 0;
    }
    ori_timetable_block *b = block_at(t, i);
    b->time[last] = time;
    b->free[last] = free;
    b->given[last] = t->changes;
    set_count(t, i, last + 1);
    sum_up(t, i);
}

/* Adds processors to steps from .. end - 1 of a block. The bounds stay true. */
static void add_to(ori_timetable *t, int32_t i, int32_t from, int32_t end, int32_t more)
{
    ori_timetable_block *b = block_at(t, i);
    bool all = from == 0 && end == BLOCK;
    int32_t least = all ? INT32_MAX : t->least[i], most = all ? INT32_MIN : t->most[i];
    if (more > 0) {
        int32_t changes = t->newest[i] = t->changes;
        for (int32_t k = from; k < end; k++) {
            t->lowest = b->free[k] < t->lowest ? b->free[k] : t->lowest;
            b->free[k] += more;
            b->given[k] = changes;
            most = b->free[k] > most ? b->free[k] : most;
        }
        t->most[i] = most;
        if (all)
            t->least[i] += more;
    } else {
        for (int32_t k = from; k < end; k++) {
            b->free[k] += more;
            least = b->free[k] < least ? b->free[k] : least;
        }
        t->least[i] = least;
        if (all)
            t->most[i] += more;
    }
}

/* Whether a step has as many processors as the one before it. */
static bool is_equal(const ori_timetable *t, step s)
{
    if (s.at == 0 && s.block == 0)
        return false;
    int32_t free = block_at(t, s.block)->free[s.at];
    return s.at > 0 ? block_at(t, s.block)->free[s.at - 1] == free
                    : block_at(t, s.block - 1)->free[BLOCK - 1] == free;
}

/* Adds processors from step `s` on, which begins at `from`, until `to`. */
static void add_at(ori_timetable *t, step s, double from, double to, int32_t more)
{
    int32_t used = t->used;
    step e = to < INFINITY ? step_at(t, to) : (step){used, 0};
    if (t->used > used && to < INFINITY)
        s = find_step(t, from);
    for (int32_t i = s.block, at = s.at; i < t->used && i <= e.block; i++, at = 0) {
        int32_t end = i < e.block ? BLOCK : e.at;
        if (end > at)
            add_to(t, i, at, end, more);
    }
    bool drops = is_equal(t, s);
    used = t->used;
    if (e.block < used && is_equal(t, e))
        drop_step(t, e);
    if (drops)
        drop_step(t, t->used < used ? find_step(t, from) : s);
}

static void add_free(ori_timetable *t, double from, double to, int32_t more)
{
    add_at(t, from > t->first[0] ? step_at(t, from) : (step){0, 0}, from, to, more);
}

void ori_timetable_take(ori_timetable *t, double from, double to, int32_t procs)
{
    add_free(t, from, to, -procs);
}

void ori_timetable_give(ori_timetable *t, double from, double to, int32_t procs)
{
    t->changes++;
    t->age++;
    add_free(t, from, to, procs);
}

void ori_timetable_advance(ori_timetable *t, double now)
{
    ori_timetable_block *b = block_at(t, 0);
    if (b->time[1] > now && (t->used == 1 || t->first[1] > now)) {
        b->time[0] = t->first[0] = now;
        return;
    }
    step s = find_step(t, now);
    while (s.block-- > 0)
        drop_block(t, 0);
    b = block_at(t, 0);
    if (s.at > 0) {
        move_steps(b, 0, b, s.at, t->count[0] - s.at);
        set_count(t, 0, t->count[0] - s.at); /* the bounds stay true */
        merge_with_next(t, 0);
    }
    b->time[0] = t->first[0] = now;
}

/* --- searches --------------------------------------------------------------------------------- */

/* The steps of a block with more than `bound` processors, or with `given` later than change
 * `bound`. Bit k is step k. Places behind the last step repeat it. */
static inline uint64_t more_than(const int32_t *numbers, int32_t bound)
{
    uint64_t low = ori_at_most(numbers, bound) | ori_at_most(numbers + 16, bound) << 16;
    uint64_t high = ori_at_most(numbers + 32, bound) | ori_at_most(numbers + 48, bound) << 16;
    return ~(low | high << 32);
}
static inline uint64_t fitting(const ori_timetable_block *b, int32_t procs)
{
    return more_than(b->free, procs - 1);
}
static inline uint64_t given_after(const ori_timetable_block *b, int32_t since)
{
    return more_than(b->given, since);
}

/* The first step from `s` on that has fewer than `procs` processors, or a step behind `s` that
 * begins at `end` or later; behind the last one (block == used) if there is none. */
static step run_end(const ori_timetable *t, step s, int32_t procs, double end)
{
    for (; s.block < t->used; s.block++, s.at = 0) {
        if (t->first[s.block] >= end && s.at == 0)
            return s;
        if (t->least[s.block] >= procs)
            continue;
        uint64_t lacking = ~fitting(block_at(t, s.block), procs) >> s.at;
        if (lacking != 0)
            return (step){s.block, s.at + __builtin_ctzll(lacking)};
    }
    return s;
}

/* The first step of the gapless run of steps with at least `procs` processors up to this one;
 * `fit`: the steps of its block that have them. */
static step run_start(const ori_timetable *t, step s, int32_t procs, uint64_t fit)
{
    for (;;) {
        uint64_t lacking = s.at > 0 ? ~fit << (BLOCK - s.at) : 0;
        s.at = lacking != 0 ? s.at - __builtin_clzll(lacking) : 0;
        if (s.at > 0 || s.block == 0 || block_at(t, s.block - 1)->free[BLOCK - 1] < procs)
            return s;
        s = (step){s.block - 1, BLOCK - 1};
        fit = t->least[s.block] < procs ? fitting(block_at(t, s.block), procs) : UINT64_MAX;
    }
}

/* Whether a job that begins in a run may last until `end`, if the run ends at step `s`. */
static bool lasts(const ori_timetable *t, step s, double end)
{
    return s.block == t->used || block_at(t, s.block)->time[s.at] >= end;
}

bool ori_timetable_has(const ori_timetable *t, double from, double to, int32_t procs)
{
    return lasts(t, run_end(t, find_step(t, from), procs, to), to);
}

/* The step at or behind `s` in which a wish may start, at or after `from` and before `before`, when
 * it has its processors; block == used: none. */
ORR_INLINE step search_step(const ori_timetable *t, const ori_wish *w, step s, double from,
                            double before, double *start)
{
    while (s.block < t->used && t->first[s.block] < before) {
        uint64_t found = 0;
        if (t->most[s.block] >= w->procs)
            found = fitting(block_at(t, s.block), w->procs) >> s.at;
        if (found == 0) {
            s = (step){s.block + 1, 0};
            continue;
        }
        s.at += __builtin_ctzll(found);
        *start = block_at(t, s.block)->time[s.at];
        if (*start < from)
            *start = from;
        if (!(*start < before))
            break;
        double end = ori_wish_end(w, *start);
        end = end < before ? end : before;
        step stop = run_end(t, s, w->procs, end);
        if (lasts(t, stop, end))
            return s;
        s = stop;
    }
    *start = INFINITY;
    return (step){t->used, 0};
}

double ori_timetable_earlier(const ori_timetable *t, const ori_wish *w, double from, double before)
{
    double start;
    search_step(t, w, find_step(t, from), from, before, &start);
    return start;
}

static double reserve_from(ori_timetable *t, const ori_wish *w, step s)
{
    double start;
    s = search_step(t, w, s, -INFINITY, INFINITY, &start);
    if (s.block < t->used)
        add_at(t, s, start, ori_wish_end(w, start), -w->procs);
    return start;
}

double ori_timetable_reserve(ori_timetable *t, const ori_wish *w)
{
    if (!t->bounds || t->used <= FEW_BLOCKS)
        return reserve_from(t, w, (step){0, 0});
    double bound = ori_no_earlier_than(t->bounds, t->age, w->procs, w->estimate);
    if (!(bound < INFINITY))
        return bound;
    double start = reserve_from(t, w, find_step(t, bound));
    if (start > bound)
        ori_no_earlier_note(t->bounds, t->age, w->procs, w->estimate, start);
    return start;
}

/* The earliest start of a request that has processors from `start` on, at a step; see
 * ori_timetable_move. `first` is the time of that step. */
static bool is_earlier_start(ori_timetable *t, const ori_wish *w, double start, int32_t since,
                             step s, step *found, double *first)
{
    bool runs = false; /* a run has begun at `found` and reaches this step; it must reach `end`: */
    double end = start;
    for (; s.block < t->used; s.block++, s.at = 0) {
        if (t->first[s.block] >= end)
            return runs;
        if (runs ? t->least[s.block] >= w->procs
                 : t->newest[s.block] <= since || t->most[s.block] < w->procs)
            continue;
        const ori_timetable_block *b = block_at(t, s.block);
        uint64_t fit = fitting(b, w->procs), from = UINT64_MAX << s.at;
        if (fit == 0)
            t->most[s.block] = w->procs - 1;
        if (~fit == 0)
            t->least[s.block] = w->procs;
        if (runs && ~fit == 0)
            continue;
        if (runs) {
            int32_t at = __builtin_ctzll(~fit);
            if (b->time[at] >= end)
                return true;
            runs = false;
            end = start;
            from <<= at;
        }
        for (uint64_t rest = fit & given_after(b, since) & from; rest != 0;) {
            int32_t at = __builtin_ctzll(rest);
            if (b->time[at] >= start)
                return false;
            *found = run_start(t, (step){s.block, at}, w->procs, fit);
            *first = block_at(t, found->block)->time[found->at];
            end = ori_wish_end(w, *first);
            end = end < start ? end : start; /* from `start` on it has its processors */
            uint64_t lacking = ~fit >> at;
            if (lacking == 0) {
                runs = true;
                break;
            }
            at += __builtin_ctzll(lacking);
            if (b->time[at] >= end)
                return true;
            rest = rest >> at << at;
            end = start;
        }
    }
    return runs;
}

/* Puts a step behind the first `count` steps of a block; a step equal to the last of them is merged
 * with it. Returns the new number of steps. */
static inline int32_t put_step(ori_timetable_block *b, int32_t count, double time, int32_t free,
                               int32_t given)
{
    if (count > 0 && b->free[count - 1] == free) {
        b->given[count - 1] = given > b->given[count - 1] ? given : b->given[count - 1];
        return count;
    }
    b->time[count] = time;
    b->free[count] = free;
    b->given[count] = given;
    return count + 1;
}

/* Puts `count` steps in the place of steps from .. end - 1 of block i. Behind its last step at
 * least four places repeat it, so a move up or down leaves such places behind. */
static void replace_steps(ori_timetable *t, int32_t i, int32_t from, int32_t end,
                          const ori_timetable_block *by, int32_t count)
{
    ori_timetable_block *b = block_at(t, i);
    int32_t more = from + count - end, least = t->least[i], most = t->most[i];
    if (more != 0)
        move_steps(b, end + more, b, end, BLOCK - end - (more > 0 ? more : 0));
    for (int32_t k = 0; k < count; k++) {
        b->time[from + k] = by->time[k];
        b->free[from + k] = by->free[k];
        b->given[from + k] = by->given[k];
        least = by->free[k] < least ? by->free[k] : least;
        most = by->free[k] > most ? by->free[k] : most;
    }
    t->count[i] += more;
    t->least[i] = least;
    t->most[i] = most;
    t->newest[i] = t->changes;
    if (more >= 0)
        return;
    merge_with_next(t, i);
    merge_with_next(t, i - 1);
}

/* Takes processors from time[0], where step `s` begins, until time[1], and gives as many back from
 * time[2] >= time[1] until time[3] < inf. One pass costs half as much as two changes. Returns false
 * without a change if more than one block may be affected. */
static bool take_and_give(ori_timetable *t, step s, const double time[4], int32_t procs)
{
    const ori_timetable_block *b = block_at(t, s.block);
    bool within = s.block + 1 == t->used || time[3] < t->first[s.block + 1];
    /* up to three steps are added, or four removed */
    if (!within || (s.at == 0 && s.block > 0) || t->count[s.block] + 4 > BLOCK)
        return false;
    ori_timetable_block made;
    int32_t from = s.at > 0 ? s.at - 1 : 0, k = s.at, count = 0, changes = ++t->changes;
    t->age++;
    if (from < k)
        count = put_step(&made, 0, b->time[from], b->free[from], b->given[from]);
    for (int i = 0; i < 4; i++) { /* taken; in between; given; the step behind */
        if (i == 1 && time[1] == time[2])
            continue;
        int32_t more = i == 0 ? -procs : i == 2 ? procs : 0;
        k -= b->time[k] > time[i]; /* time[i] lies inside a step */
        double begin = time[i];
        do {
            int32_t given = i == 2 ? changes : b->given[k];
            if (i == 2 && b->free[k] < t->lowest)
                t->lowest = b->free[k];
            count = put_step(&made, count, begin, b->free[k] + more, given);
            begin = b->time[++k];
        } while (i < 3 && begin < time[i + 1]);
    }
    replace_steps(t, s.block, from, k, &made, count);
    return true;
}

double ori_timetable_gain(ori_timetable *t, const ori_wish *w, double before, int32_t since,
                          const ori_news *news, int32_t from)
{
    step s = {news->block[from], news->step[from]}, found;
    double first;
    return is_earlier_start(t, w, before, since, s, &found, &first) ? first : INFINITY;
}

/* Moves what a wish has from `start` on to `first` < start, where step `s` begins. */
static void move_to(ori_timetable *t, const ori_wish *w, double start, step s, double first)
{
    double end = ori_wish_end(w, first), last = ori_wish_end(w, start);
    double until = end < start ? end : start, back = end < start ? start : end;
    const double times[] = {first, until, back, last};
    if (back < last && last < INFINITY && take_and_give(t, s, times, w->procs))
        return;
    add_at(t, s, first, until, -w->procs);
    if (start < INFINITY && back < last)
        ori_timetable_give(t, back, last, w->procs);
}

void ori_timetable_pull(ori_timetable *t, const ori_wish *w, double start, double first)
{
    move_to(t, w, start, step_at(t, first), first);
}

double ori_timetable_move(ori_timetable *t, const ori_wish *w, double start, int32_t since,
                          const ori_news *news, int32_t from)
{
    step s = {news->block[from], news->step[from]}, found;
    double first;
    if (!is_earlier_start(t, w, start, since, s, &found, &first))
        return start;
    move_to(t, w, start, found, first);
    return first;
}

void ori_timetable_news(ori_timetable *t, int32_t since, ori_news *news)
{
    int32_t count = 0, most = 0;
    for (int32_t i = 0; i < t->used && count < ORI_NEWS; i++) {
        if (t->newest[i] <= since || t->most[i] <= most)
            continue;
        const ori_timetable_block *b = block_at(t, i);
        uint64_t fit = fitting(b, most + 1);
        if (fit == 0)
            t->most[i] = most;
        uint64_t rest = fit & given_after(b, since);
        for (; rest != 0 && count < ORI_NEWS; rest &= rest - 1) {
            int32_t k = __builtin_ctzll(rest), free = b->free[k];
            news->time[count] = b->time[k];
            news->block[count] = i;
            news->step[count] = k;
            news->most[count] = free;
            count += free > most;
            most = free > most ? free : most;
        }
    }
    if (count == ORI_NEWS)
        news->most[count - 1] = INT32_MAX - 1; /* later ones may have more */
    news->count = count;
}
