/* Named availability: a step function of time whose values are sets of processors. */
#include "rigid/availability/named_internal.h"

#include "base/sort_internal.h"
#include "base/try_internal.h"

enum { BITS = 64, SOME_STEPS = 16, BEGINNINGS = 128 };

/* --- sets ------------------------------------------------------------------------------------- */

static uint64_t *set_at(const ori_named *n, int64_t step)
{
    return n->free + n->steps[step].from * n->stride;
}

/* Whether a step > 0 has the set of the step before. */
static bool is_alike(const ori_named *n, int64_t step)
{
    return n->steps[step].from == n->steps[step - 1].from;
}

/* The bits of word number `word` that belong to a run of cells, which reaches into it. */
static uint64_t mask_of(orr_interval run, int32_t word)
{
    int32_t low = run.low - word * BITS, high = run.high - word * BITS;
    uint64_t mask = low > 0 ? ~UINT64_C(0) << low : ~UINT64_C(0);
    return high < BITS - 1 ? mask & (~UINT64_C(0) >> ((BITS - 1 - high) & (BITS - 1))) : mask;
}

/* The first cell that begins at a processor or behind it. */
static int32_t cell_at(const ori_named *n, int32_t processor)
{
    int32_t at = 0;
    ORI_BISECT(at, n->cells, middle, n->cell[middle] < processor)
    return at;
}

/* A cell becomes two: the bits from number `at` > 0 on move up, and its own one is doubled. */
static void double_bit(uint64_t *set, int32_t words, int32_t at)
{
    int32_t k = words - 1, w = at / BITS;
    uint64_t low = (UINT64_C(1) << at % BITS) - 1;
    uint64_t same = set[(at - 1) / BITS] >> (at - 1) % BITS & 1;
    for (; k > w; k--)
        set[k] = set[k] << 1 | set[k - 1] >> (BITS - 1);
    set[w] = (set[w] & low) | (set[w] & ~low) << 1 | same << at % BITS;
}

/* The cell that begins at a processor, or is behind the last one; it is made if there is none. */
static int32_t cut(ori_named *n, int32_t processor)
{
    int32_t at = cell_at(n, processor);
    if (n->cell[at] == processor)
        return at;
    memmove(n->cell + at + 1, n->cell + at, (size_t)(++n->cells - at) * sizeof *n->cell);
    n->cell[at] = processor;
    bool more = n->cells > n->words * BITS;
    n->words += more;
    for (int64_t i = -1; i < n->count; i++) {
        uint64_t *set = i < 0 ? n->common : set_at(n, i);
        if (i > 0 && is_alike(n, i))
            continue;
        if (more)
            set[n->words - 1] = 0;
        double_bit(set, n->words, at);
    }
    return at;
}

orr_interval ori_named_cells(ori_named *n, orr_interval run)
{
    int32_t low = cut(n, run.low);
    return (orr_interval){low, cut(n, run.high + 1) - 1};
}

/* The bit behind the first run of ones of a word. */
static int32_t end_of(uint64_t bits)
{
    uint64_t others = ~(bits | (bits - 1));
    return others ? __builtin_ctzll(others) : BITS;
}

/* The number of processors of the cells of word number `word` whose bits are 1. */
static int32_t weigh(const ori_named *n, int32_t word, uint64_t bits)
{
    const int32_t *cell = n->cell + (size_t)word * BITS;
    int32_t procs = 0;
    for (; bits; bits &= bits + (bits & -bits)) /* a run of ones less */
        procs += cell[end_of(bits)] - cell[__builtin_ctzll(bits)];
    return procs;
}

/* Adds cells to a set, or removes them; returns the change of its number of processors. */
static int32_t change_cells(const ori_named *n, uint64_t *set, orr_interval cells, bool adds)
{
    int32_t procs = 0;
    for (int32_t w = cells.low / BITS; w <= cells.high / BITS; w++) {
        uint64_t others = mask_of(cells, w) & (adds ? ~set[w] : set[w]);
        procs += weigh(n, w, others);
        set[w] ^= others;
    }
    return adds ? procs : -procs;
}

static bool has_run(const ori_named *n, const uint64_t *set, orr_interval run)
{
    orr_interval cells = {cell_at(n, run.low + 1) - 1, cell_at(n, run.high + 1) - 1};
    for (int32_t w = cells.low / BITS; w <= cells.high / BITS; w++) {
        uint64_t mask = mask_of(cells, w);
        if ((set[w] & mask) != mask)
            return false;
    }
    return true;
}

bool ori_named_remove(ori_named *n, orr_interval run)
{
    return change_cells(n, n->common, ori_named_cells(n, run), false) < 0;
}

/* The runs of `common`; valid until the next call. */
static const ori_runs *runs_of_common(ori_named *n)
{
    orr_interval *list = n->runs.list;
    int32_t count = 0;
    for (int32_t w = 0; w < n->words; w++) {
        const int32_t *cell = n->cell + (size_t)w * BITS;
        for (uint64_t bits = n->common[w]; bits; bits &= bits + (bits & -bits)) {
            int32_t low = cell[__builtin_ctzll(bits)], end = cell[end_of(bits)];
            if (count == 0 || list[count - 1].high + 1 < low)
                list[count++].low = low;
            list[count - 1].high = end - 1;
        }
    }
    n->runs.count = count;
    return &n->runs;
}

/* Whether `common` has as many processors. */
static bool has_enough(const ori_named *n, int32_t procs)
{
    for (int32_t w = 0; w < n->words && procs > 0; w++)
        procs -= weigh(n, w, n->common[w]);
    return procs <= 0;
}

/* Makes all processors one cell. */
static void join_cells(ori_named *n)
{
    n->cells = n->words = 1;
    n->cell[0] = 0;
    n->cell[1] = n->procs;
}

/* --- memory ----------------------------------------------------------------------------------- */

orr_status ori_named_create(ori_named *n, int32_t procs, const orr_allocator *a, orr_error *err)
{
    *n = (ori_named){
        .procs = procs, .stride = (procs + BITS - 1) / BITS, .alloc = orr_allocator_or_default(a)};
    const ori_part parts[] = {ORI_PART(n->common, n->stride), ORI_PART(n->cell, procs + 1),
                              ORI_PART(n->runs.list, procs / 2 + 1)};
    ORI_TRY(ORI_BLOCK_CREATE(&n->own, parts, ORI_RAW, &n->alloc, err));
    join_cells(n);
    return ORR_OK;
}

void ori_named_destroy(ori_named *n)
{
    ori_block_destroy(&n->block, &n->alloc);
    ori_block_destroy(&n->own, &n->alloc);
}

static size_t bytes_of_set(const ori_named *n)
{
    return (size_t)n->words * sizeof *n->free;
}

static orr_status reserve_steps(ori_named *n, int64_t steps, orr_error *err)
{
    if (steps <= n->capacity)
        return ORR_OK;
    int64_t capacity = 2 * steps + SOME_STEPS;
    const ori_part row[] = {ORI_PART(n->steps, 1), ORI_PART(n->free, n->stride)};
    ORI_TRY(ORI_BLOCK_GROW(&n->block, row, (size_t)n->count, (size_t)n->capacity, (size_t)capacity,
                           &n->alloc, err));
    for (; n->capacity < capacity; n->capacity++)
        n->steps[n->capacity].place = n->capacity;
    return ORR_OK;
}

/* --- steps ------------------------------------------------------------------------------------ */

bool ori_named_joins(ori_named *n)
{
    n->count = 0;
    if (++n->begun % BEGINNINGS != 0)
        return false;
    join_cells(n);
    return true;
}

orr_status ori_named_begin(ori_named *n, double now, const orr_interval *free, int32_t count,
                           orr_error *err)
{
    n->count = 0;
    n->horizon = INFINITY;
    ORI_TRY(reserve_steps(n, 1, err));
    n->count = 1;
    n->steps[0].time = now;
    n->steps[0].size = 0;
    n->steps[0].from = n->steps[0].place;
    memset(set_at(n, 0), 0, bytes_of_set(n));
    for (int32_t i = 0; i < count; i++)
        n->steps[0].size += change_cells(n, set_at(n, 0), ori_named_cells(n, free[i]), true);
    return ORR_OK;
}

/* Before a step changes, and not the one before: its set, and that of steps behind that are alike,
 * become its own. */
static void part_from(ori_named *n, int64_t step)
{
    if (step == 0 || step >= n->count || !is_alike(n, step))
        return;
    const uint64_t *set = set_at(n, step);
    int64_t from = n->steps[step].from, i = step;
    while (i < n->count && n->steps[i].from == from)
        n->steps[i++].from = n->steps[step].place;
    memcpy(set_at(n, step), set, bytes_of_set(n));
}

/* Inserts a step in front of step `at` > 0, with the free processors of the step before. */
static orr_status insert_step(ori_named *n, int64_t at, double time, orr_error *err)
{
    ORI_TRY(reserve_steps(n, n->count + 1, err));
    int64_t place = n->steps[n->count].place;
    memmove(n->steps + at + 1, n->steps + at, (size_t)(n->count++ - at) * sizeof *n->steps);
    n->steps[at] = n->steps[at - 1];
    n->steps[at].time = time;
    n->steps[at].place = place;
    return ORR_OK;
}

void ori_named_advance(ori_named *n, double now)
{
    int64_t gone = 0;
    ORI_BISECT(gone, n->count, i, n->steps[i].time <= now)
    for (gone = gone > 0 ? gone - 1 : 0; gone > 0; gone--) {
        int64_t first = n->steps[0].place;
        if (is_alike(n, 1)) {
            first = n->steps[1].place;
            n->steps[1].place = n->steps[0].place;
        }
        memmove(n->steps, n->steps + 1, (size_t)--n->count * sizeof *n->steps);
        n->steps[n->count].place = first;
    }
    n->steps[0].time = now;
}

orr_status ori_named_append(ori_named *n, double time, orr_interval run, bool merged,
                            orr_error *err)
{
    if (n->steps[n->count - 1].time < time || (n->count == 1 && !merged))
        ORI_TRY(insert_step(n, n->count, time, err));
    part_from(n, n->count - 1);
    n->steps[n->count - 1].size +=
        change_cells(n, set_at(n, n->count - 1), ori_named_cells(n, run), true);
    return ORR_OK;
}

/* The first step from `from` on that begins at `time`, made if there is none. */
static orr_status step_at(ori_named *n, int64_t from, double time, int64_t *step, orr_error *err)
{
    ORI_BISECT(from, n->count, i, n->steps[i].time < time)
    *step = from;
    bool is_there = time == INFINITY || (from < n->count && n->steps[from].time == time);
    return is_there ? ORR_OK : insert_step(n, from, time, err);
}

static orr_status change_from(ori_named *n, int64_t index, double end, const ori_runs *runs,
                              bool gives, orr_error *err)
{
    int64_t last;
    ORI_TRY(step_at(n, index + 1, end, &last, err));
    part_from(n, index);
    part_from(n, last);
    for (int32_t k = 0; k < runs->count; k++) {
        orr_interval cells = ori_named_cells(n, runs->list[k]);
        for (int64_t i = index; i < last; i++)
            n->steps[i].size = i > index && is_alike(n, i)
                                   ? n->steps[i - 1].size
                                   : n->steps[i].size + change_cells(n, set_at(n, i), cells, gives);
    }
    return ORR_OK;
}

orr_status ori_named_change(ori_named *n, double start, double end, const ori_runs *runs,
                            bool gives, orr_error *err)
{
    int64_t first = 0;
    if (start > n->steps[0].time)
        ORI_TRY(step_at(n, 1, start, &first, err));
    return change_from(n, first, end, runs, gives, err);
}

orr_status ori_named_mark(ori_named *n, double time, orr_error *err)
{
    int64_t step;
    return step_at(n, 1, time, &step, err);
}

orr_status ori_named_take_at(ori_named *n, int64_t index, double end, const ori_runs *runs,
                             orr_error *err)
{
    return change_from(n, index, end, runs, false, err);
}

bool ori_named_has(const ori_named *n, double start, double end, const ori_runs *runs)
{
    int64_t i = 0;
    ORI_BISECT(i, n->count, middle, n->steps[middle].time <= start)
    for (i = i > 0 ? i - 1 : 0; i < n->count && n->steps[i].time < end; i++)
        for (int32_t k = 0; k < runs->count; k++)
            if (!has_run(n, set_at(n, i), runs->list[k]))
                return false;
    return true;
}

#ifdef ORI_CHECKS
/* Goes to the last step that begins at `time` or before. */
static int64_t step_until(const ori_named *n, int64_t step, double time)
{
    while (step + 1 < n->count && n->steps[step + 1].time <= time)
        step++;
    return step;
}

bool ori_named_is_like(const ori_named *a, const ori_named *b)
{
    double time = fmax(a->steps[0].time, b->steps[0].time), end = fmin(a->horizon, b->horizon);
    for (int64_t i = 0, j = 0; time < end;) {
        i = step_until(a, i, time);
        j = step_until(b, j, time);
        for (int32_t p = 0; p < a->procs; p++)
            if (has_run(a, set_at(a, i), (orr_interval){p, p}) !=
                has_run(b, set_at(b, j), (orr_interval){p, p}))
                return false;
        time = fmin(i + 1 < a->count ? a->steps[i + 1].time : INFINITY,
                    j + 1 < b->count ? b->steps[j + 1].time : INFINITY);
    }
    return true;
}
#endif

void ori_named_note_gain(ori_named *n, double from, double to, const ori_runs *runs)
{
    if (n->gain_count == ORI_MOST_GAINS) { /* whoever looked before the older half looks again */
        n->gain_count /= 2;
        n->gains_before += n->gain_count;
        memcpy(n->gains, n->gains + n->gain_count, (size_t)n->gain_count * sizeof *n->gains);
    }
    int32_t most = 0;
    int64_t i = 0;
    ORI_BISECT(i, n->count, middle, n->steps[middle].time <= from)
    for (i = i > 0 ? i - 1 : 0; i < n->count && n->steps[i].time < to; i++)
        most = n->steps[i].size > most ? n->steps[i].size : most;
    n->gains[n->gain_count++] = (ori_named_gain){from, to, runs->list[0].low, most};
}

/* Whether there are enough processors long enough from a time before `start` on, at which the wish
 * has its own ones. */
static bool may_start_before(const ori_named *n, const ori_wish *wish, double start)
{
    bool enough = false;
    double end = 0; /* of the wish, if it starts when there begin to be enough */
    for (int64_t i = 0; i < n->count && n->steps[i].time < start; i++) {
        double time = n->steps[i].time;
        if (enough && end <= time)
            return true;
        bool before = enough;
        enough = n->steps[i].size >= wish->procs;
        if (enough && !before)
            end = ori_wish_end(wish, time);
    }
    return enough;
}

bool ori_named_may_gain(const ori_named *n, const ori_wish *wish, double start,
                        const ori_runs *runs, int32_t since)
{
    double end = ori_wish_end(wish, start);
    bool any = false;
    if (since < n->gains_before)
        return true;
    for (int32_t i = since - n->gains_before; i < n->gain_count; i++) {
        const ori_named_gain *gain = &n->gains[i];
        if (gain->from < end && gain->to > start && start < INFINITY &&
            gain->lowest < runs->list[runs->count - 1].high)
            return true;
        any |= gain->from < end && (gain->to > start || gain->most >= wish->procs);
    }
    return any && may_start_before(n, wish, start);
}

/* --- searches --------------------------------------------------------------------------------- */

/* Removes from `common` the processors that are not free at a step; returns whether there were
 * any. */
static bool keep_free_at(ori_named *n, int64_t step)
{
    const uint64_t *set = set_at(n, step);
    uint64_t removed = 0;
    for (int32_t k = 0; k < n->words; k++) {
        removed |= n->common[k] & ~set[k];
        n->common[k] &= set[k];
    }
    return removed != 0;
}

static bool withhold(ori_named *n, const ori_wish *w, double start, double end)
{
    return n->withhold && n->withhold(n->withhold_user, w, start, end, n);
}

/* The last step from `start` to `last` of which the processors that stay free until the wish's end
 * are too few: whatever starts by then needs these, too. They are too few from `start` on. */
static int64_t last_too_few(ori_named *n, const ori_wish *w, int64_t start, int64_t last)
{
    double end = ori_wish_end(w, n->steps[start].time);
    memcpy(n->common, set_at(n, last), bytes_of_set(n));
    for (int64_t i = last; i > start; i--) {
        bool fewer = i < last && !is_alike(n, i + 1) && keep_free_at(n, i);
        fewer |= withhold(n, w, n->steps[i].time, end);
        if (fewer && !has_enough(n, w->procs))
            return i;
    }
    return start;
}

/* Leaves in `common` the processors free from step `start` until the wish's end. Returns -1 if they
 * are enough; else, if it is one, the step from which a search continues. */
static int64_t intersect(ori_named *n, const ori_wish *w, int64_t start, bool search)
{
    double end = ori_wish_end(w, n->steps[start].time);
    int64_t last = start;
    if (n->steps[start].size < w->procs)
        return start + 1;
    for (int64_t i = start + 1; i < n->count && n->steps[i].time < end; i++) {
        if (n->steps[i].size < w->procs)
            return i + 1;
        last = i;
    }
    memcpy(n->common, set_at(n, start), bytes_of_set(n));
    bool fewer = false;
    for (int64_t i = start + 1; i <= last; i++)
        fewer |= !is_alike(n, i) && keep_free_at(n, i);
    fewer |= withhold(n, w, n->steps[start].time, end);
    if (!fewer || has_enough(n, w->procs))
        return -1;
    return (search ? last_too_few(n, w, start, last) : start) + 1;
}

orr_status ori_named_starts_now(ori_named *n, const ori_wish *wish, ori_named_find find, void *user,
                                bool *found, orr_error *err)
{
    double now = n->steps[0].time, end = ori_wish_end(wish, now);
    *found = false;
    if (end > n->horizon) /* the horizon is later than now, so the first step stays the first */
        ORI_TRY(n->extend(n->extend_user, now, end, err));
    return intersect(n, wish, 0, false) < 0 ? find(user, wish, runs_of_common(n), found, err)
                                            : ORR_OK;
}

/* Whether a search that has reached a step must call `extend`. All steps before it begin before the
 * horizon, so steps inserted in front of it take its index. */
static bool is_beyond(const ori_named *n, const ori_wish *wish, int64_t start)
{
    return n->horizon < INFINITY && (n->steps[start].time >= n->horizon ||
                                     ori_wish_end(wish, n->steps[start].time) > n->horizon);
}

/* The step of a wish that starts at `start`, with everything known until its end taken out. */
static orr_status step_from(ori_named *n, const ori_wish *wish, double start, int64_t *step,
                            orr_error *err)
{
    double end = ori_wish_end(wish, start);
    *step = 0;
    if (n->horizon < INFINITY && (start >= n->horizon || end > n->horizon))
        ORI_TRY(n->extend(n->extend_user, start, end, err));
    return start > n->steps[0].time ? step_at(n, 1, start, step, err) : ORR_OK;
}

orr_status ori_named_earliest(ori_named *n, const ori_wish *wish, double from, ori_named_find find,
                              void *user, int64_t *index, orr_error *err)
{
    bool found = false;
    int64_t start = 0;
    if (from > n->steps[0].time)
        ORI_TRY(step_from(n, wish, from, &start, err));
    while (start < n->count) {
        if (ORR_UNLIKELY(is_beyond(n, wish, start))) {
            double time = n->steps[start].time;
            ORI_TRY(n->extend(n->extend_user, time, ori_wish_end(wish, time), err));
            continue;
        }
        int64_t next = intersect(n, wish, start, true);
        if (next < 0) {
            ORI_TRY(find(user, wish, runs_of_common(n), &found, err));
            *index = start;
            if (found)
                return ORR_OK;
            next = start + 1;
        }
        start = next;
    }
    *index = -1;
    return ORR_OK;
}

orr_status ori_named_at(ori_named *n, const ori_wish *wish, double start, ori_named_find find,
                        void *user, int64_t *index, orr_error *err)
{
    bool found = false;
    int64_t step;
    *index = -1;
    ORI_TRY(step_from(n, wish, start, &step, err));
    if (intersect(n, wish, step, false) < 0)
        ORI_TRY(find(user, wish, runs_of_common(n), &found, err));
    *index = found ? step : -1;
    return ORR_OK;
}
