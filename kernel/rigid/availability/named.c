/* Named availability: a step function of time whose values are sets of processors. */
#include "rigid/availability/named_internal.h"

#include "base/lanes_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"

enum { BITS = 64, LANES = 16, ALL = (1 << LANES) - 1, TOGETHER = 4, BEGINNINGS = 128 };

/* --- sets ------------------------------------------------------------------------------------- */

static uint64_t *set_at(const ori_named *n, int64_t step)
{
    return n->free + n->set[step] * n->stride;
}

/* Whether a step > 0 has the set of the step before. */
static bool is_alike(const ori_named *n, int64_t step)
{
    return n->set[step] == n->set[step - 1];
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
    uint64_t before = (UINT64_C(1) << processor % BITS) - 1;
    return n->rank[processor / BITS] + __builtin_popcountll(n->begins[processor / BITS] & before);
}

static bool begins_cell(const ori_named *n, int32_t processor)
{
    return n->begins[processor / BITS] >> processor % BITS & 1;
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

/* Makes a cell begin at a processor. */
static void cut(ori_named *n, int32_t processor)
{
    if (begins_cell(n, processor))
        return;
    int32_t at = cell_at(n, processor);
    memmove(n->cell + at + 1, n->cell + at, (size_t)(++n->cells - at) * sizeof *n->cell);
    n->cell[at] = processor;
    n->begins[processor / BITS] |= UINT64_C(1) << processor % BITS;
    for (int32_t w = processor / BITS + 1; w <= n->procs / BITS; w++)
        n->rank[w]++;
    bool more = n->cells > n->words * BITS;
    n->words += more;
    for (int64_t i = -2; i < n->count; i++) {
        uint64_t *set = i < -1 ? n->held : i < 0 ? n->common : set_at(n, i);
        if (i > 0 && is_alike(n, i))
            continue;
        if (more)
            set[n->words - 1] = 0;
        double_bit(set, n->words, at);
    }
}

/* The cells that a run reaches into. */
static orr_interval cells_of(const ori_named *n, orr_interval run)
{
    return (orr_interval){cell_at(n, run.low + 1) - 1, cell_at(n, run.high + 1) - 1};
}

void ori_named_tell_apart(ori_named *n, orr_interval run)
{
    cut(n, run.low);
    cut(n, run.high + 1);
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

/* The words of a row of bits in which some are 1. */
typedef struct range {
    int32_t low, high;
} range;

/* Makes the bits of the cells of some runs 1. */
static range mark(const ori_named *n, uint64_t *row, const ori_runs *runs)
{
    range in = {n->words, -1};
    for (int32_t k = 0; k < runs->count; k++) {
        orr_interval cells = cells_of(n, runs->list[k]);
        in.low = k > 0 ? in.low : cells.low / BITS;
        in.high = cells.high / BITS;
        for (int32_t w = cells.low / BITS; w <= in.high; w++)
            row[w] |= mask_of(cells, w);
    }
    return in;
}

static bool has_all(const uint64_t *set, const uint64_t *row, range in)
{
    uint64_t lacking = 0;
    for (int32_t w = in.low; w <= in.high; w++)
        lacking |= row[w] & ~set[w];
    return lacking == 0;
}

bool ori_named_remove(ori_named *n, orr_interval run)
{
    ori_named_tell_apart(n, run);
    orr_interval cells = cells_of(n, run);
    uint64_t removed = 0;
    for (int32_t w = cells.low / BITS; w <= cells.high / BITS; w++) {
        uint64_t mask = mask_of(cells, w);
        removed |= n->common[w] & mask;
        n->common[w] &= ~mask;
    }
    return removed != 0;
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
    memset(n->begins, 0, (size_t)(n->procs / BITS + 1) * sizeof *n->begins);
    n->begins[0] = 1;
    n->begins[n->procs / BITS] |= UINT64_C(1) << n->procs % BITS;
    for (int32_t w = 0; w <= n->procs / BITS; w++)
        n->rank[w] = w > 0;
}

/* --- memory ----------------------------------------------------------------------------------- */

orr_status ori_named_create(ori_named *n, int32_t procs, const orr_allocator *a, orr_error *err)
{
    *n = (ori_named){.procs = procs,
                     .stride = (procs / BITS / TOGETHER + 1) * TOGETHER,
                     .alloc = orr_allocator_or_default(a)};
    const ori_part parts[] = {
        ORI_PART(n->common, n->stride),       ORI_PART(n->held, n->stride),
        ORI_PART(n->changed, n->stride),      ORI_PART(n->begins, procs / BITS + 1),
        ORI_PART(n->rank, procs / BITS + 1),  ORI_PART(n->cell, procs + 1),
        ORI_PART(n->runs.list, procs / 2 + 1)};
    ORI_TRY(ORI_BLOCK_CREATE(&n->own, parts, ORI_ZEROED, &n->alloc, err));
    n->held_from = n->held_until = INFINITY;
    n->gains = 1;
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
    int64_t capacity = (2 * steps / LANES + 1) * LANES; /* so that numbers are aligned */
    const ori_part row[] = {ORI_PART(n->free, n->stride), ORI_PART(n->time, 1),
                            ORI_PART(n->set, 1),          ORI_PART(n->unused, 1),
                            ORI_PART(n->size, 1),         ORI_PART(n->given, 1)};
    ORI_TRY(ORI_BLOCK_GROW(&n->block, row, (size_t)n->capacity, (size_t)n->capacity,
                           (size_t)capacity, &n->alloc, err));
    n->capacity = capacity;
    return ORR_OK;
}

/* --- steps ------------------------------------------------------------------------------------ */

bool ori_named_joins(ori_named *n)
{
    n->count = 0;
    if (!n->kept && ++n->begun % BEGINNINGS != 0)
        return false;
    join_cells(n);
    return true;
}

orr_status ori_named_begin(ori_named *n, double now, const ori_runs *free, orr_error *err)
{
    n->count = 0;
    n->horizon = INFINITY;
    ORI_TRY(reserve_steps(n, 1, err));
    for (int32_t i = 0; i < free->count; i++)
        ori_named_tell_apart(n, free->list[i]);
    n->count = n->sets = 1;
    n->unused_count = 0;
    n->time[0] = now;
    n->set[0] = 0;
    n->size[0] = 0;
    n->given[0] = n->gains;
    memset(set_at(n, 0), 0, bytes_of_set(n));
    mark(n, set_at(n, 0), free);
    for (int32_t i = 0; i < free->count; i++)
        n->size[0] += free->list[i].high - free->list[i].low + 1;
    return ORR_OK;
}

/* Before a step changes, and not the one before: it, and the steps behind that are alike, get a set
 * of their own. */
static void part_from(ori_named *n, int64_t step)
{
    if (step == 0 || step >= n->count || !is_alike(n, step))
        return;
    const uint64_t *set = set_at(n, step);
    int64_t from = n->set[step],
            own = n->unused_count > 0 ? n->unused[--n->unused_count] : n->sets++;
    memcpy(n->free + own * n->stride, set, bytes_of_set(n));
    for (; step < n->count && n->set[step] == from; step++)
        n->set[step] = own;
}

/* Moves the fields of the steps from `from` on, up or down. */
static void shift_steps(ori_named *n, int64_t from, int64_t by)
{
    size_t count = (size_t)(n->count - from);
#define SHIFT(array) memmove(n->array + from + by, n->array + from, count * sizeof *n->array)
    SHIFT(time);
    SHIFT(set);
    SHIFT(size);
    SHIFT(given);
#undef SHIFT
    n->count += by;
}

/* Inserts a step in front of step `at` > 0, with the free processors of the step before. */
static orr_status insert_step(ori_named *n, int64_t at, double time, orr_error *err)
{
    ORI_TRY(reserve_steps(n, n->count + 1, err));
    shift_steps(n, at, 1);
    n->time[at] = time;
    n->set[at] = n->set[at - 1];
    n->size[at] = n->size[at - 1];
    n->given[at] = n->given[at - 1];
    return ORR_OK;
}

/* Drops a step that has the same free processors as the one before it: who may start then may start
 * before, if nothing is withheld. */
static void merge_step(ori_named *n, int64_t step)
{
    if (!n->kept || n->withhold || step <= 0 || step >= n->count ||
        n->size[step] != n->size[step - 1] ||
        memcmp(set_at(n, step), set_at(n, step - 1), bytes_of_set(n)) != 0)
        return;
    if (n->given[step] > n->given[step - 1])
        n->given[step - 1] = n->given[step];
    if (!is_alike(n, step) && (step + 1 == n->count || !is_alike(n, step + 1)))
        n->unused[n->unused_count++] = n->set[step];
    shift_steps(n, step + 1, -1);
}

void ori_named_advance(ori_named *n, double now)
{
    int64_t gone = 0;
    while (gone + 1 < n->count && n->time[gone + 1] <= now)
        if (!is_alike(n, ++gone))
            n->unused[n->unused_count++] = n->set[gone - 1];
    if (gone > 0)
        shift_steps(n, gone, -gone);
    n->time[0] = now;
}

orr_status ori_named_append(ori_named *n, double time, orr_interval run, bool merged,
                            orr_error *err)
{
    const ori_runs runs = {.list = &run, .count = 1};
    if (n->time[n->count - 1] < time || (n->count == 1 && !merged))
        ORI_TRY(insert_step(n, n->count, time, err));
    part_from(n, n->count - 1);
    ori_named_tell_apart(n, run);
    mark(n, set_at(n, n->count - 1), &runs);
    n->size[n->count - 1] += run.high - run.low + 1;
    return ORR_OK;
}

/* The first step from `from` on that begins at `time`, made if there is none. */
static orr_status step_at(ori_named *n, int64_t from, double time, int64_t *step, orr_error *err)
{
    ORI_BISECT(from, n->count, i, n->time[i] < time)
    *step = from;
    bool is_there = time == INFINITY || (from < n->count && n->time[from] == time);
    return is_there ? ORR_OK : insert_step(n, from, time, err);
}

/* Makes the processors of `changed` busy at a step, or free; `procs` are in there. */
static void change_step(ori_named *n, int64_t step, range in, int32_t procs, bool gives)
{
    uint64_t *set = set_at(n, step);
    for (int32_t w = in.low; w <= in.high; w++) {
        uint64_t changed = n->changed[w], other = changed & (gives ? set[w] : ~set[w]);
        if (other)
            procs -= weigh(n, w, other);
        set[w] = gives ? set[w] | changed : set[w] & ~changed;
    }
    n->size[step] += gives ? procs : -procs;
}

static orr_status change_from(ori_named *n, int64_t index, double end, const ori_runs *runs,
                              bool gives, orr_error *err)
{
    int64_t last;
    int32_t procs = 0;
    ORI_TRY(step_at(n, index + 1, end, &last, err));
    part_from(n, index);
    part_from(n, last);
    for (int32_t k = 0; k < runs->count; k++) {
        ori_named_tell_apart(n, runs->list[k]);
        procs += runs->list[k].high - runs->list[k].low + 1;
    }
    range in = mark(n, n->changed, runs);
    for (int64_t i = index; i < last; i++)
        if (i > index && is_alike(n, i))
            n->size[i] = n->size[i - 1];
        else
            change_step(n, i, in, procs, gives);
    memset(n->changed, 0, bytes_of_set(n));
    merge_step(n, last);
    merge_step(n, index);
    return ORR_OK;
}

orr_status ori_named_change(ori_named *n, double start, double end, const ori_runs *runs,
                            bool gives, orr_error *err)
{
    int64_t first = 0;
    if (start > n->time[0])
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

/* The last step that begins at `time` or before; the first one if there is none. */
static int64_t last_by(const ori_named *n, double time)
{
    int64_t i = 0;
    ORI_BISECT(i, n->count, middle, n->time[middle] <= time)
    return i > 0 ? i - 1 : 0;
}

bool ori_named_has(ori_named *n, double start, double end, const ori_runs *runs)
{
    bool has = true;
    range in = mark(n, n->changed, runs);
    for (int64_t i = last_by(n, start); i < n->count && n->time[i] < end; i++)
        has = has && has_all(set_at(n, i), n->changed, in);
    memset(n->changed, 0, bytes_of_set(n));
    return has;
}

#ifdef ORI_CHECKS
/* Whether a processor is free at a time. */
static bool is_free(const ori_named *n, int32_t processor, double time)
{
    int32_t cell = cell_at(n, processor + 1) - 1;
    return set_at(n, last_by(n, time))[cell / BITS] >> cell % BITS & 1;
}

bool ori_named_is_like(const ori_named *a, const ori_named *b)
{
    double time = fmax(a->time[0], b->time[0]), end = fmin(a->horizon, b->horizon);
    while (time < end) {
        for (int32_t p = 0; p < a->procs; p++)
            if (is_free(a, p, time) != is_free(b, p, time))
                return false;
        int64_t i = last_by(a, time) + 1, j = last_by(b, time) + 1;
        time = fmin(i < a->count ? a->time[i] : INFINITY, j < b->count ? b->time[j] : INFINITY);
    }
    return true;
}
#endif

void ori_named_note_gain(ori_named *n, double from, double to)
{
    n->gains++;
    for (int64_t i = last_by(n, from); i < n->count && n->time[i] < to; i++)
        n->given[i] = n->gains;
}

/* --- searches --------------------------------------------------------------------------------- */

/* The first step from `start` on, before `until`, with as many processors, and with some that came
 * back after gain `since`; count: there is none. */
static int64_t next_fit(const ori_named *n, int64_t start, double until, int32_t procs,
                        int32_t since)
{
    uint32_t others = (UINT32_C(1) << start % LANES) - 1; /* steps in front of `start` */
    for (int64_t i = start / LANES * LANES; i < n->count && n->time[i] < until; i += LANES) {
        others |= ori_at_most(n->given + i, since);
        if (others < ALL)
            others |= ori_at_most(n->size + i, procs - 1);
        if (others < ALL) {
            i += __builtin_ctz(~others);
            return i < n->count && n->time[i] < until ? i : n->count;
        }
        others = 0;
    }
    return n->count;
}

/* Whether a wish that starts earlier than it does now has enough processors at a step, by their
 * number; from `held_from` on it has its own. */
static bool is_enough(const ori_named *n, int64_t step, int32_t procs)
{
    return n->size[step] >= procs || n->time[step] >= n->held_from;
}

/* Steps during which a wish has enough processors, by their number: it may start at the first one,
 * and ends by the one behind the last. */
typedef struct stretch {
    int64_t first, end;
} stretch;

/* The stretch of a start at a step, which is long enough as far as it is known; false: it is not.
 * Then the wish has too few processors at its `end`. */
static bool reaches_end(const ori_named *n, const ori_wish *w, int64_t known, stretch *s)
{
    double end = ori_wish_end(w, n->time[s->first]);
    s->end = known + 1;
    while (s->end < n->count && n->time[s->end] < end) {
        if (!is_enough(n, s->end, w->procs))
            return false;
        s->end++;
    }
    return true;
}

/* Finds the first stretch that begins at step `start` or behind it, before `held_from`, and in
 * which some processors came back after gain `since`. */
static bool next_stretch(const ori_named *n, const ori_wish *w, int64_t start, int32_t since,
                         stretch *s)
{
    for (;; start = s->end + 1) {
        int64_t step = next_fit(n, start, n->held_from, w->procs, since);
        if (step == n->count && n->held_until > n->held_from) {
            int64_t own = start;
            ORI_BISECT(own, n->count, i, n->time[i] < n->held_from)
            step = next_fit(n, own, n->held_until, 0, since);
        }
        if (step == n->count)
            return false;
        s->first = step;
        for (double time = n->time[step]; s->first > start &&
                                          is_enough(n, s->first - 1, w->procs) &&
                                          ori_wish_end(w, n->time[s->first - 1]) > time;)
            s->first--;
        if (n->time[s->first] >= n->held_from)
            return false;
        if (reaches_end(n, w, step, s))
            return true;
    }
}

/* What a wish has already: a set. */
static const uint64_t *held_of(ori_named *n)
{
    if (n->unmarked)
        mark(n, n->held, n->unmarked);
    n->unmarked = NULL;
    return n->held;
}

/* Keeps in `common` the processors that are held, or free at all steps first .. end - 1. */
static void keep_free(ori_named *n, int64_t first, int64_t end, const uint64_t *held)
{
    for (int32_t k = 0; k < n->words; k += TOGETHER) {
        uint64_t a = ~UINT64_C(0), b = a, c = a, d = a, *common = n->common + k;
        for (int64_t i = first; i < end; i++) {
            const uint64_t *set = set_at(n, i) + k;
            a &= set[0];
            b &= set[1];
            c &= set[2];
            d &= set[3];
        }
        common[0] &= a | held[k];
        common[1] &= b | held[k + 1];
        common[2] &= c | held[k + 2];
        common[3] &= d | held[k + 3];
    }
}

/* Leaves in `common` the processors that a wish may have during a stretch, until `end`; returns
 * whether they are enough. */
static bool intersect(ori_named *n, const ori_wish *w, const stretch *s, double end)
{
    int64_t own = s->end; /* the first step at which it has its own processors */
    while (own > s->first && n->time[own - 1] >= n->held_from)
        own--;
    memset(n->common, 0xff, bytes_of_set(n));
    keep_free(n, s->first, own, n->changed); /* which is empty */
    if (own < s->end)
        keep_free(n, own, s->end, held_of(n));
    if (n->withhold)
        n->withhold(n->withhold_user, w, n->time[s->first], end, n);
    return has_enough(n, w->procs);
}

/* The last step of a stretch from which on the processors that stay free until the wish's end are
 * too few: whatever starts by then needs these, too. They are too few from its first one on. */
static int64_t last_too_few(ori_named *n, const ori_wish *w, const stretch *s)
{
    double end = ori_wish_end(w, n->time[s->first]);
    int64_t enough = s->first + 1;
    ORI_BISECT(enough, s->end, i, !intersect(n, w, &(stretch){i, s->end}, end))
    return enough - 1;
}

/* Leaves in `common` the processors that are free if a wish starts at a step; returns whether they
 * are enough. */
static bool is_start(ori_named *n, const ori_wish *w, int64_t step)
{
    stretch s = {.first = step};
    return n->size[step] >= w->procs && reaches_end(n, w, step, &s) &&
           intersect(n, w, &s, ori_wish_end(w, n->time[step]));
}

orr_status ori_named_starts_now(ori_named *n, const ori_wish *wish, ori_named_find find, void *user,
                                bool *found, orr_error *err)
{
    double now = n->time[0], end = ori_wish_end(wish, now);
    *found = false;
    if (end > n->horizon) /* the horizon is later than now, so the first step stays the first */
        ORI_TRY(n->extend(n->extend_user, now, end, err));
    return is_start(n, wish, 0) ? find(user, wish, runs_of_common(n), found, err) : ORR_OK;
}

/* Whether a search that has reached a step must call `extend`. All steps before it begin before the
 * horizon, so steps inserted in front of it take its index. */
static bool is_beyond(const ori_named *n, const ori_wish *wish, int64_t start)
{
    return n->horizon < INFINITY &&
           (n->time[start] >= n->horizon || ori_wish_end(wish, n->time[start]) > n->horizon);
}

/* The step of a wish that starts at `start`, with everything known until its end taken out. */
static orr_status step_from(ori_named *n, const ori_wish *wish, double start, int64_t *step,
                            orr_error *err)
{
    double end = ori_wish_end(wish, start);
    *step = 0;
    if (n->horizon < INFINITY && (start >= n->horizon || end > n->horizon))
        ORI_TRY(n->extend(n->extend_user, start, end, err));
    return start > n->time[0] ? step_at(n, 1, start, step, err) : ORR_OK;
}

/* As ori_named_earliest, from step `start` on, of the starts that next_stretch finds. */
static orr_status search(ori_named *n, const ori_wish *wish, int64_t start, int32_t since,
                         ori_named_find find, void *user, int64_t *index, orr_error *err)
{
    stretch s;
    bool found = false;
    *index = -1;
    while (!found && next_stretch(n, wish, start, since, &s)) {
        if (ORR_UNLIKELY(is_beyond(n, wish, s.first))) {
            double time = n->time[s.first];
            ORI_TRY(n->extend(n->extend_user, time, ori_wish_end(wish, time), err));
            continue;
        }
        if (!intersect(n, wish, &s, ori_wish_end(wish, n->time[s.first]))) {
            start = last_too_few(n, wish, &s) + 1;
            continue;
        }
        ORI_TRY(find(user, wish, runs_of_common(n), &found, err));
        *index = found ? s.first : -1;
        start = s.first + 1;
    }
    return ORR_OK;
}

orr_status ori_named_earliest(ori_named *n, const ori_wish *wish, double from, ori_named_find find,
                              void *user, int64_t *index, orr_error *err)
{
    int64_t start = 0;
    if (from > n->time[0])
        ORI_TRY(step_from(n, wish, from, &start, err));
    return search(n, wish, start, 0, find, user, index, err);
}

/* Whether `common` has a processor of the cells in front of one. */
static bool has_lower(const ori_named *n, int32_t cell)
{
    uint64_t lower = n->common[cell / BITS] & ((UINT64_C(1) << cell % BITS) - 1);
    for (int32_t k = 0; k < cell / BITS; k++)
        lower |= n->common[k];
    return lower != 0;
}

/* Looks for a set among the processors that are free at the start of a wish that has its own ones,
 * and these, where one is free in front of its last one. */
static orr_status find_lower(ori_named *n, const ori_wish *wish, double start, int32_t last,
                             ori_named_find find, void *user, bool *found, orr_error *err)
{
    double end = ori_wish_end(wish, start);
    if (end > n->horizon)
        ORI_TRY(n->extend(n->extend_user, start, end, err));
    int64_t i = last_by(n, start);
    memcpy(n->common, set_at(n, i), bytes_of_set(n));
    if (n->withhold)
        n->withhold(n->withhold_user, wish, start, end, n);
    int32_t cell = cell_at(n, last + 1) - 1;
    while (has_lower(n, cell) && ++i < n->count && n->time[i] < end)
        keep_free(n, i, i + 1, n->changed);
    if (!has_lower(n, cell))
        return ORR_OK;
    const uint64_t *held = held_of(n);
    for (int32_t k = 0; k < n->words; k++)
        n->common[k] |= held[k];
    return find(user, wish, runs_of_common(n), found, err);
}

/* Whether processors came back after gain `since` at a step where a wish has enough of them before
 * the start that it has; *gained: whether some did while it has its own ones. */
static bool may_be_earlier(const ori_named *n, const ori_wish *wish, double start, double end,
                           int32_t since, bool *gained)
{
    bool earlier = false;
    *gained = false;
    for (int64_t i = 0; i < n->count && n->time[i] < end && !(earlier && *gained); i += LANES) {
        uint32_t given = ~ori_at_most(n->given + i, since) & ALL;
        if (n->count - i < LANES)
            given &= (UINT32_C(1) << (n->count - i)) - 1;
        if (given == 0)
            continue;
        uint32_t fits = given & ~ori_at_most(n->size + i, wish->procs - 1);
        int64_t behind = i + 32 - __builtin_clz(given);
        earlier |= fits != 0 && n->time[i + __builtin_ctz(fits)] < start;
        *gained |= behind == n->count || n->time[behind] > start;
    }
    *gained &= start < INFINITY;
    return earlier;
}

orr_status ori_named_gain(ori_named *n, const ori_wish *wish, double start, const ori_runs *own,
                          int32_t since, ori_named_find find, void *user, double *earlier,
                          orr_error *err)
{
    double end = ori_wish_end(wish, start);
    bool gained, found = false;
    int64_t index;
    *earlier = INFINITY;
    if (!may_be_earlier(n, wish, start, end, since, &gained) && !gained)
        return ORR_OK;
    n->held_from = start;
    n->held_until = gained ? end : start;
    n->unmarked = own;
    orr_status status = search(n, wish, 0, since, find, user, &index, err);
    if (status == ORR_OK && index >= 0)
        *earlier = n->time[index];
    else if (status == ORR_OK && gained)
        status =
            find_lower(n, wish, start, own->list[own->count - 1].high, find, user, &found, err);
    if (found)
        *earlier = start;
    if (!n->unmarked)
        memset(n->held, 0, bytes_of_set(n));
    n->unmarked = NULL;
    n->held_from = n->held_until = INFINITY;
    return status;
}

orr_status ori_named_at(ori_named *n, const ori_wish *wish, double start, ori_named_find find,
                        void *user, int64_t *index, orr_error *err)
{
    bool found = false;
    int64_t step;
    *index = -1;
    ORI_TRY(step_from(n, wish, start, &step, err));
    if (is_start(n, wish, step))
        ORI_TRY(find(user, wish, runs_of_common(n), &found, err));
    *index = found ? step : -1;
    return ORR_OK;
}
