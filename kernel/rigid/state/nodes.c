/* Nodes: see the header. */
#include "rigid/state/nodes_internal.h"

#include "base/array_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "rigid/state/state_internal.h"

#include <string.h>

/* The nodes of a partition; -1: all nodes. */
#define EACH_NODE(n, partition, k)                                                                 \
    for (const orr_node_run                                                                        \
             whole_ = {0, (n)->of->count - 1},                                                     \
             *run_ = (partition) < 0 ? &whole_ : (n)->of->partitions[partition].runs,              \
             *behind_ = run_ + ((partition) < 0 ? 1 : (n)->of->partitions[partition].run_count);   \
         run_ < behind_; run_++)                                                                   \
        for (int32_t k = run_->low; k <= run_->high; k++)

static int32_t size_of(const ori_nodes *n, int32_t node)
{
    return n->of->first[node + 1] - n->of->first[node];
}

static bool is_in(const ori_nodes *n, int32_t node, int32_t partition)
{
    return partition < 0 || (n->partitions[node] >> partition & 1);
}

/* What a node of a job's partition can take of it, of these amounts. */
static int32_t value_of(const ori_nodes *n, const ori_node_ask *ask, const int64_t *of,
                        int32_t node)
{
    if (ask->exclusive && of[node] < size_of(n, node))
        return 0;
    return ori_nodes_take(ask, of + node, n->count);
}

/* --- memory ----------------------------------------------------------------------------------- */

static void find_overlaps(ori_nodes *n)
{
    int32_t count = n->of->partition_count;
    for (int32_t p = 0; p < count; p++)
        EACH_NODE(n, p, k) n->partitions[k] |= UINT64_C(1) << p;
    for (size_t k = 0; k < n->count; k++)
        for (int32_t p = 0; p < count; p++)
            if (n->partitions[k] >> p & 1)
                n->overlaps[p] |= n->partitions[k];
    for (int32_t p = 0; p < count; p++)
        n->component[p] = p;
    for (int32_t again = 0; again < count; again++) /* as far as the longest chain */
        for (int32_t p = 0; p < count; p++)
            for (int32_t q = 0; q < count; q++)
                if ((n->overlaps[p] >> q & 1) && n->component[q] < n->component[p])
                    n->component[p] = n->component[q];
}

/* How many partitions come before one by their priority. */
static uint8_t level_of(const orr_nodes *of, int32_t partition)
{
    uint8_t level = 0;
    for (int32_t p = 0; p < of->partition_count; p++)
        level += of->partitions[p].priority > of->partitions[partition].priority;
    return level;
}

orr_status ori_nodes_create(orr_rigid *sim, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    const orr_nodes *of = sim->in->nodes;
    n->of = of;
    n->alloc = sim->shell.alloc;
    n->count = (size_t)of->count;
    size_t amounts = 1 + (size_t)of->resource_count, jobs = (size_t)sim->room;
    bool levels = false;
    for (int32_t p = 0; p < of->partition_count; p++)
        levels |= level_of(of, p) > 0;
    const ori_part parts[] = {ORI_PART(n->free, amounts * n->count),
                              ORI_PART(n->state, amounts * n->count),
                              ORI_PART(n->low, amounts * n->count),
                              ORI_PART(n->down, n->count),
                              ORI_PART(n->partitions, n->count),
                              ORI_PART(n->keys, 2 * n->count),
                              ORI_PART(n->look_again, jobs),
                              ORI_PART(n->reserved_at, jobs),
                              ORI_PART(n->reserved_to, jobs),
                              ORI_PART(n->value, n->count),
                              ORI_PART(n->least, n->count),
                              ORI_PART(n->first_rise, n->count),
                              ORI_PART(n->last_rise, n->count),
                              ORI_PART(n->now.pieces, n->count),
                              ORI_PART(n->then.pieces, n->count),
                              ORI_PART(n->shape, jobs),
                              ORI_PART(n->pieces, jobs),
                              ORI_PART(n->list, jobs),
                              ORI_PART_IF(levels, n->level, jobs)};
    ORI_TRY(ORI_BLOCK_CREATE(&n->block, parts, ORI_ZEROED, &n->alloc, err));
    find_overlaps(n);
    n->ask_count = 1;
    n->until = INFINITY;
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->asks, &n->asks_capacity, 1, err));
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->failed, &n->failed_capacity, 1, err));
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->rises, &n->rises_capacity, (int64_t)n->count, err));
    int64_t most = (int64_t)n->count + ori_most_running(sim) + 1;
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->held, &n->held_capacity, most, err));
    return ori_nodes_add(sim, 0, err);
}

void ori_nodes_destroy(ori_nodes *n)
{
    if (!n->of)
        return;
    ORI_FREE(&n->alloc, &n->asks, &n->asks_capacity);
    ORI_FREE(&n->alloc, &n->failed, &n->failed_capacity);
    ORI_FREE(&n->alloc, &n->table, &n->table_capacity);
    ORI_FREE(&n->alloc, &n->pool, &n->pool_capacity);
    ORI_FREE(&n->alloc, &n->rises, &n->rises_capacity);
    ORI_FREE(&n->alloc, &n->held, &n->held_capacity);
    ORI_FREE(&n->alloc, &n->events, &n->events_capacity);
    ori_block_destroy(&n->block, &n->alloc);
}

/* --- what jobs ask for ------------------------------------------------------------------------ */

static int32_t *slot_of(const ori_nodes *n, const ori_node_ask *ask)
{
    const uint64_t *words = (const uint64_t *)(const void *)ask;
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof *ask / sizeof *words; i++)
        hash = (hash ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
    size_t mask = (size_t)n->table_capacity - 1, at = (size_t)hash & mask;
    while (n->table[at] > 0 && memcmp(&n->asks[n->table[at]], ask, sizeof *ask) != 0)
        at = (at + 1) & mask;
    return &n->table[at];
}

static orr_status grow_table(ori_nodes *n, orr_error *err)
{
    int64_t wanted = n->table_capacity > 0 ? 2 * n->table_capacity : 64;
    ORI_FREE(&n->alloc, &n->table, &n->table_capacity);
    n->table = orr_calloc(&n->alloc, (size_t)wanted, sizeof *n->table);
    if (!n->table)
        return orr_fail_memory(err, (size_t)wanted * sizeof *n->table);
    n->table_capacity = wanted;
    for (int32_t i = 1; i < n->ask_count; i++)
        *slot_of(n, &n->asks[i]) = i;
    return ORR_OK;
}

orr_status ori_nodes_add(orr_rigid *sim, int32_t first, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    _Static_assert(sizeof(ori_node_ask) % 8 == 0, "asks are compared by their bytes");
    for (int32_t job = first; job < sim->in->count; job++) {
        if (2 * (int64_t)n->ask_count >= n->table_capacity)
            ORI_TRY(grow_table(n, err));
        ori_node_ask ask = ori_nodes_ask(n->of, sim->jobs, job);
        int32_t *slot = slot_of(n, &ask);
        if (*slot == 0) {
            int32_t count = n->ask_count + 1;
            ORI_TRY(ORI_RESERVE(&n->alloc, &n->asks, &n->asks_capacity, count, err));
            ORI_TRY(ORI_RESERVE(&n->alloc, &n->failed, &n->failed_capacity, count, err));
            n->asks[n->ask_count] = ask;
            n->failed[n->ask_count] = -1;
            *slot = n->ask_count++;
        }
        n->shape[job] = *slot;
        n->pieces[job] = -1;
        n->look_again[job] = 0;
        n->reserved_at[job] = NAN;
        if (n->level)
            n->level[job] = level_of(n->of, ask.partition);
    }
    return ORR_OK;
}

/* --- pieces ----------------------------------------------------------------------------------- */

/* A job's pieces become those of a list, in its order. */
static orr_status keep_pieces(ori_nodes *n, int32_t job, const ori_node_piece *list, int32_t count,
                              orr_error *err)
{
    int64_t most = (int64_t)n->pool_count + count;
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->pool, &n->pool_capacity, most, err));
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->rises, &n->rises_capacity, most + (int64_t)n->count, err));
    for (int32_t i = count; i-- > 0;) {
        int32_t at = n->pool_free >= 0 ? n->pool_free : n->pool_count++;
        if (at == n->pool_free)
            n->pool_free = n->pool[at].next;
        n->pool[at] = (ori_node_piece){list[i].node, list[i].procs, n->pieces[job]};
        n->pieces[job] = at;
    }
    return ORR_OK;
}

static void free_pieces(ori_nodes *n, int32_t *first)
{
    while (*first >= 0) {
        int32_t at = *first;
        *first = n->pool[at].next;
        n->pool[at].next = n->pool_free;
        n->pool_free = at;
    }
}

/* Takes a piece of a job out of amounts of its node, or gives it back. */
static inline void change_piece(const ori_nodes *n, const ori_node_ask *ask,
                                const ori_node_piece *piece, int sign, int64_t *of)
{
    const orr_node_kind *kind = &n->of->kinds[n->of->kind[piece->node]];
    of += piece->node;
    *of += sign * (ask->exclusive ? kind->procs : piece->procs);
    for (int32_t r = 0; r < ask->resources; r++)
        *(of += n->count) +=
            sign * (ask->exclusive ? kind->has[r] : ori_nodes_share(ask, r, piece->procs));
}

static void change_pieces(const ori_nodes *n, int32_t job, int sign, int64_t *of)
{
    for (int32_t at = n->pieces[job]; at >= 0; at = n->pool[at].next)
        change_piece(n, ori_nodes_ask_of(n, job), &n->pool[at], sign, of);
}

/* A node that is down has nothing free, or all again. */
static void change_node(const ori_nodes *n, int32_t node, int64_t *of, bool down)
{
    const orr_node_kind *kind = &n->of->kinds[n->of->kind[node]];
    of[node] = down ? 0 : kind->procs;
    for (int32_t r = 0; r < n->of->resource_count; r++)
        of[node + (size_t)(r + 1) * n->count] = down ? 0 : kind->has[r];
}

/* --- the default placement -------------------------------------------------------------------- */

static bool is_before(const void *x, const void *y)
{
    return *(const uint64_t *)x < *(const uint64_t *)y;
}

/* Moves the `least` smallest of the keys to the front. */
static void select_least(uint64_t *keys, int32_t count, int32_t least)
{
    for (int32_t low = 0, high = count - 1; low < high;) {
        uint64_t middle = keys[low + (high - low) / 2];
        int32_t i = low, k = high;
        while (i <= k) {
            while (keys[i] < middle)
                i++;
            while (keys[k] > middle)
                k--;
            if (i <= k) {
                uint64_t key = keys[i];
                keys[i++] = keys[k];
                keys[k--] = key;
            }
        }
        if (least <= k + 1)
            high = k;
        else if (least > i)
            low = i;
        else
            return;
    }
}

static void sort_keys(ori_nodes *n, int32_t count)
{
    ori_sort(n->keys, count, sizeof *n->keys, is_before, n->keys + n->count);
}

/* On a number of nodes: those that fit with the fewest free processors. */
static bool place_shares(ori_nodes *n, const ori_node_ask *ask, const int64_t *of,
                         ori_node_find *find)
{
    int32_t count = 0, nodes = ask->nodes;
    EACH_NODE(n, ask->partition, k)
    if (value_of(n, ask, of, k) > 0)
        n->keys[count++] = (uint64_t)of[k] << 32 | (uint32_t)k;
    if (count < nodes)
        return false;
    if (count > nodes)
        select_least(n->keys, count, nodes);
    for (int32_t i = 0; i < nodes; i++)
        n->keys[i] &= UINT32_MAX;
    if (count > nodes)
        sort_keys(n, nodes);
    for (int32_t i = 0; i < nodes; i++)
        find->pieces[i] = (ori_node_piece){(int32_t)n->keys[i],
                                           ask->procs / nodes + (i < ask->procs % nodes), -1};
    find->count = nodes;
    return true;
}

/* On any nodes: keys are of nodes by what they can take, most first. */
static bool place_anywhere(ori_nodes *n, const ori_node_ask *ask, const int64_t *of,
                           ori_node_find *find)
{
    int32_t count = 0, most = 0, rest = ask->procs, last = -1;
    int64_t sum = 0;
    EACH_NODE(n, ask->partition, k)
    {
        int32_t takes = value_of(n, ask, of, k);
        if (takes == 0)
            continue;
        sum += takes;
        most = takes > most ? takes : most;
        n->keys[count++] = (uint64_t)(INT32_MAX - takes) << 32 | (uint32_t)k;
    }
    if (sum < rest)
        return false;
    if (most < ask->procs)
        sort_keys(n, count);
    find->count = 0;
    for (int32_t i = 0; i < count && last < 0; i++) {
        int32_t takes = INT32_MAX - (int32_t)(n->keys[i] >> 32);
        if (most < ask->procs && takes < rest) {
            find->pieces[find->count++] =
                (ori_node_piece){(int32_t)(uint32_t)n->keys[i], takes, -1};
            rest -= takes;
            continue;
        }
        for (; i < count; i++) {
            int32_t node = (int32_t)(uint32_t)n->keys[i];
            bool able = INT32_MAX - (int32_t)(n->keys[i] >> 32) >= rest;
            if (able && (last < 0 || of[node] < of[last] || (of[node] == of[last] && node < last)))
                last = node;
        }
    }
    find->pieces[find->count++] = (ori_node_piece){last, rest, -1};
    for (int32_t i = 0; i < find->count; i++)
        n->keys[i] =
            (uint64_t)(uint32_t)find->pieces[i].node << 32 | (uint32_t)find->pieces[i].procs;
    sort_keys(n, find->count);
    for (int32_t i = 0; i < find->count; i++)
        find->pieces[i] =
            (ori_node_piece){(int32_t)(n->keys[i] >> 32), (int32_t)(uint32_t)n->keys[i], -1};
    return true;
}

static bool place(ori_nodes *n, const ori_node_ask *ask, const int64_t *of, ori_node_find *find)
{
    return ask->nodes > 0 ? place_shares(n, ask, of, find) : place_anywhere(n, ask, of, find);
}

/* --- who holds what --------------------------------------------------------------------------- */

/* The place of the first that is held until `end` or longer. */
static int32_t find_held(const ori_nodes *n, double end)
{
    int32_t at = 0;
    ORI_BISECT(at, n->held_count, i, n->held[i].end < end)
    return at;
}

static void hold(ori_nodes *n, double end, int32_t job)
{
    int32_t at = find_held(n, end);
    ori_node_held *held = n->held + at;
    memmove(held + 1, held, (size_t)(n->held_count++ - at) * sizeof *held);
    *held = (ori_node_held){end, job};
}

static void let_go(ori_nodes *n, double end, int32_t job)
{
    int32_t at = find_held(n, end);
    while (n->held[at].job != job)
        at++;
    ori_node_held *held = n->held + at;
    memmove(held, held + 1, (size_t)(--n->held_count - at) * sizeof *held);
}

/* What was found before does not hold any more. */
static void forget_finds(ori_nodes *n)
{
    n->now.job = n->then.job = -1;
}

/* Pieces are free earlier than planned. */
static void note_freed(ori_nodes *n, int32_t pieces)
{
    for (; pieces >= 0; pieces = n->pool[pieces].next) {
        n->freed[0]++;
        n->freed[1] += size_of(n, n->pool[pieces].node);
    }
}

void ori_nodes_note_all(ori_nodes *n)
{
    n->freed[0] += INT64_C(1) << 40;
    n->freed[1] += INT64_C(1) << 40;
}

bool ori_nodes_may_move(const ori_nodes *n, int32_t job)
{
    return n->freed[ori_nodes_ask_of(n, job)->nodes == 0] >= n->look_again[job];
}

/* What must become free before another search can find more. */
static void note_look(ori_nodes *n, int32_t job)
{
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    n->look_again[job] = n->freed[ask->nodes == 0] + ori_nodes_need(ask) - n->most;
}

static void drop_events(ori_nodes *n, int32_t job);

static orr_status find_runs(const orr_rigid *sim, int32_t job, orr_interval *runs, int32_t *count,
                            orr_error *err)
{
    const ori_nodes *n = &sim->nodes;
    *count = 0;
    for (int32_t at = n->pieces[job]; at >= 0; at = n->pool[at].next) {
        int32_t left = n->pool[at].procs, node = n->pool[at].node;
        for (int32_t p = n->of->first[node]; left > 0 && p < n->of->first[node + 1]; p++) {
            if (sim->processors.holder[p] != ORI_HELD_BY_NOBODY)
                continue;
            if (*count > 0 && runs[*count - 1].high == p - 1)
                runs[*count - 1].high = p;
            else
                runs[(*count)++] = (orr_interval){p, p};
            left--;
        }
        ORI_CHECK(&sim->shell, left == 0, err);
    }
    return ORR_OK;
}

orr_status ori_nodes_start(orr_rigid *sim, int32_t job, orr_interval *runs, int32_t *count,
                           orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    if (n->now.job != job)
        ORI_CHECK(&sim->shell, place(n, ori_nodes_ask_of(n, job), n->free, &n->now), err);
    if (!isnan(n->reserved_at[job]) && ori_nodes_takes_less(n, job))
        note_freed(n, n->pieces[job]);
    drop_events(n, job);
    free_pieces(n, &n->pieces[job]);
    ORI_TRY(keep_pieces(n, job, n->now.pieces, n->now.count, err));
    return find_runs(sim, job, runs, count, err);
}

orr_status ori_nodes_take_job(orr_rigid *sim, int32_t job, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    double end = sim->planned_end[job];
    change_pieces(n, job, -1, n->free);
    hold(n, end, job);
    forget_finds(n);
    ori_node_only *only = &n->only[ori_nodes_component(n, job)];
    const ori_node_ask *ask = &n->asks[only->shape];
    for (int32_t at = n->pieces[job]; at >= 0; at = n->pool[at].next) {
        int32_t node = n->pool[at].node;
        bool all = n->free[node] >= 0;
        for (size_t r = 1; r <= (size_t)n->of->resource_count; r++)
            all &= n->free[node + r * n->count] >= 0;
        ORI_CHECK(&sim->shell, all, err);
        if (!only->valid || !(end > only->start) || !is_in(n, node, ask->partition))
            continue;
        change_piece(n, ori_nodes_ask_of(n, job), &n->pool[at], -1, n->state);
        only->sum -= n->value[node];
        only->sum += n->value[node] = value_of(n, ask, n->state, node);
    }
    return ORR_OK;
}

/* Something is free that was not. */
static void note_given(ori_nodes *n)
{
    n->given++;
    forget_finds(n);
    for (int32_t p = 0; p < n->of->partition_count; p++)
        n->only[p].valid = false;
}

#ifdef ORI_CHECKS
/* What is free is what those leave that hold something; uses `low`. */
static bool is_counted_right(const ori_nodes *n)
{
    size_t all = n->count * (1 + (size_t)n->of->resource_count);
    for (int32_t k = 0; k < (int32_t)n->count; k++)
        change_node(n, k, n->low, n->down[k] > 0);
    for (int32_t i = 0; i < n->held_count; i++)
        if (n->held[i].job >= 0)
            change_pieces(n, n->held[i].job, -1, n->low);
    return memcmp(n->low, n->free, all * sizeof *n->low) == 0;
}
#endif

void ori_nodes_give_job(orr_rigid *sim, int32_t job)
{
    ori_nodes *n = &sim->nodes;
    ORI_ASSERT(&sim->shell, is_counted_right(n));
    change_pieces(n, job, 1, n->free);
    double end = sim->planned_end[job];
    bool early = end > sim->shell.now || !(end > sim->start[job]); /* it held the instant */
    note_freed(n, early ? n->pieces[job] : -1);
    free_pieces(n, &n->pieces[job]);
    let_go(n, end, job);
    note_given(n);
}

void ori_nodes_replan(orr_rigid *sim, int32_t job, double before)
{
    let_go(&sim->nodes, before, job);
    hold(&sim->nodes, sim->planned_end[job], job);
    ori_nodes_note_all(&sim->nodes);
    note_given(&sim->nodes);
}

void ori_nodes_change_down(orr_rigid *sim, int32_t low, int32_t end, double until)
{
    ori_nodes *n = &sim->nodes;
    for (int32_t node = orr_nodes_at(n->of, low); node < n->of->count && n->of->first[node] < end;
         node++) {
        if (n->down[node] > 0)
            let_go(n, n->down[node], ~node);
        n->down[node] = until > sim->shell.now ? until : 0;
        if (n->down[node] > 0)
            hold(n, until, ~node);
        change_node(n, node, n->free, n->down[node] > 0);
    }
    ori_nodes_note_all(n);
    note_given(n);
}

/* --- counting --------------------------------------------------------------------------------- */

/* A running job has the pieces that its processors say. */
static orr_status find_pieces(orr_rigid *sim, int32_t job, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    int32_t node = -1;
    n->now.count = 0;
    for (int32_t i = sim->processors.head[job]; i >= 0;) {
        orr_interval run = ori_processors_next_run(&sim->processors, &i);
        for (int32_t p = run.low; p <= run.high;) {
            int32_t at = orr_nodes_at(n->of, p);
            int32_t last =
                n->of->first[at + 1] - 1 < run.high ? n->of->first[at + 1] - 1 : run.high;
            if (at != node)
                n->now.pieces[n->now.count++] = (ori_node_piece){at, 0, -1};
            n->now.pieces[n->now.count - 1].procs += last - p + 1;
            node = at;
            p = last + 1;
        }
    }
    return keep_pieces(n, job, n->now.pieces, n->now.count, err);
}

void ori_nodes_forget(orr_rigid *sim)
{
    ori_nodes *n = &sim->nodes;
    n->held_count = n->event_count = n->list_count = n->pool_count = 0;
    n->pool_free = -1;
    memset(n->planned, 0, sizeof n->planned);
    for (int32_t k = 0; k < (int32_t)n->count; k++) {
        n->down[k] = 0;
        change_node(n, k, n->free, false);
    }
    for (int32_t job = 0; job < sim->in->count; job++) {
        n->pieces[job] = -1;
        n->look_again[job] = 0;
        n->reserved_at[job] = NAN;
    }
    note_given(n);
}

orr_status ori_nodes_count(orr_rigid *sim, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    ori_nodes_forget(sim);
    for (int32_t i = 0; i < sim->ends.count; i++) {
        int32_t job = (int32_t)sim->ends.heap[i].payload;
        ORI_TRY(find_pieces(sim, job, err));
        ORI_TRY(ori_nodes_take_job(sim, job, err));
    }
    for (int32_t k = 0; sim->outages.any && k < (int32_t)n->count; k++)
        if (sim->processors.holder[n->of->first[k]] == ORI_DOWN)
            ori_nodes_change_down(sim, n->of->first[k], n->of->first[k + 1],
                                  sim->outages.down_until[n->of->first[k]]);
    note_given(n);
    return ORR_OK;
}

orr_status ori_nodes_copy(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    ori_nodes *n = &to->nodes;
    for (int32_t job = 0; job < from->in->count; job++) {
        if (to->state[job] == ORR_JOB_RUNNING || from->nodes.pieces[job] < 0)
            continue;
        n->now.count = 0;
        for (int32_t at = from->nodes.pieces[job]; at >= 0; at = from->nodes.pool[at].next)
            n->now.pieces[n->now.count++] = from->nodes.pool[at];
        ORI_TRY(keep_pieces(n, job, n->now.pieces, n->now.count, err));
    }
    forget_finds(n);
    return ORR_OK;
}

/* --- the plan --------------------------------------------------------------------------------- */

/* A passage through the times of the plan. */
typedef struct passage {
    const orr_rigid *sim;
    const ori_node_ask *ask;
    bool lasts;        /* processors that are planned to be free by now are free */
    int32_t held;      /* the next of those held, */
    int32_t event;     /* and of the events */
    int32_t inside;    /* jobs of this component are in the plan */
    int32_t component; /* -1: all */
} passage;

/* Whether something held that is planned to be free by now counts as free. */
static bool is_due(const passage *p, const ori_node_held *held)
{
    return p->lasts && held->end <= p->sim->shell.now && held->job >= 0 &&
           held->end > p->sim->start[held->job];
}

/* The time of the next change, s; inf: there is none. *gives: by something held. Those that are due
 * are passed over. */
static double next_change(passage *p, bool *gives)
{
    const ori_nodes *n = &p->sim->nodes;
    double now = p->sim->shell.now, held = INFINITY, event = INFINITY;
    while (p->held < n->held_count && is_due(p, &n->held[p->held]))
        p->held++;
    while (p->event < n->event_count && p->component >= 0 &&
           p->component != ori_nodes_component(n, n->events[p->event].job))
        p->event++;
    if (p->held < n->held_count)
        held = n->held[p->held].end > now ? n->held[p->held].end : nextafter(now, INFINITY);
    if (p->event < n->event_count)
        event = n->events[p->event].time;
    *gives = held <= event && held < INFINITY;
    return *gives ? held : event;
}

/* Changes what a node of a search can take from `time` on. */
static void change_value(const passage *p, ori_nodes *n, int32_t node, double time, int64_t *sum,
                         int32_t *rises)
{
    int32_t before = n->value[node], value = value_of(n, p->ask, n->state, node);
    n->value[node] = value;
    if (value < n->least[node]) {
        *sum -= n->least[node] - value;
        n->least[node] = value;
    }
    for (int32_t i = value < before ? n->first_rise[node] : -1; i >= 0; i = n->rises[i].next)
        n->rises[i].least = value < n->rises[i].least ? value : n->rises[i].least;
    if (value <= before)
        return;
    int32_t at = (*rises)++;
    n->rises[at] = (ori_node_rise){time, node, value, -1};
    if (n->first_rise[node] < 0)
        n->first_rise[node] = at;
    else
        n->rises[n->last_rise[node]].next = at;
    n->last_rise[node] = at;
}

/* What the next change is: the pieces of a job, or a node. */
typedef struct changing {
    int32_t job; /* ~node for a node */
    int sign;
    bool promised;
} changing;

/* A promise holds what a node must have free for its job, also where that takes a processor less,
 * so that it is found there again. */
static ori_node_piece whole_share(const ori_node_ask *ask, const ori_node_piece *piece)
{
    ori_node_piece whole = *piece;
    whole.procs = piece->procs > ask->share ? piece->procs : ask->share;
    return whole;
}

static changing take_change(passage *p, bool gives)
{
    const ori_nodes *n = &p->sim->nodes;
    if (gives)
        return (changing){n->held[p->held++].job, 1, false};
    const ori_node_event *e = &n->events[p->event++];
    return (changing){e->job, e->takes ? -1 : 1, p->lasts};
}

/* Makes the next change to `state`, of nodes of the partition. */
#define EACH_CHANGED(n, p, c, k)                                                                   \
    for (int32_t at_ = (c).job < 0 ? -2 : (n)->pieces[(c).job], k = -1;                            \
         change_next(n, p, &(c), &at_, &k);)

static bool change_next(ori_nodes *n, const passage *p, const changing *c, int32_t *at,
                        int32_t *node)
{
    if (*at == -2) {
        *at = -1;
        *node = ~c->job;
        if (!is_in(n, *node, p->ask->partition))
            return false;
        change_node(n, *node, n->state, false);
        return true;
    }
    for (; *at >= 0; *at = n->pool[*at].next) {
        const ori_node_piece *piece = &n->pool[*at];
        if (!is_in(n, piece->node, p->ask->partition))
            continue;
        const ori_node_ask *ask = ori_nodes_ask_of(n, c->job);
        const ori_node_piece own = c->promised ? whole_share(ask, piece) : *piece;
        change_piece(n, ask, &own, c->sign, n->state);
        *node = piece->node;
        *at = piece->next;
        return true;
    }
    return false;
}

/* Begins a passage at `from`: what is free then. */
static passage begin_passage(orr_rigid *sim, const ori_node_ask *ask, bool lasts, double from)
{
    ori_nodes *n = &sim->nodes;
    passage p = {.sim = sim, .ask = ask, .lasts = lasts};
    size_t amounts = 1 + (size_t)n->of->resource_count;
    p.component = ask->partition < 0 ? -1 : n->component[ask->partition];
    p.inside = p.component < 0 ? n->event_count : n->planned[p.component];
    for (int32_t c = 0; c < n->of->partition_count; c++)
        n->only[c].valid &= p.component >= 0 && c != p.component;
    for (size_t a = 0; a < amounts; a++)
        EACH_NODE(n, ask->partition, k)
    n->state[a * n->count + (size_t)k] = n->free[a * n->count + (size_t)k];
    bool gives;
    for (int32_t i = 0; lasts && i < n->held_count && n->held[i].end <= sim->shell.now; i++) {
        changing c = {n->held[i].job, 1, false};
        if (is_due(&p, &n->held[i]))
            EACH_CHANGED(n, &p, c, k)
        continue;
    }
    while (next_change(&p, &gives) <= from) {
        changing c = take_change(&p, gives);
        EACH_CHANGED(n, &p, c, k)
        continue;
    }
    return p;
}

static double end_of(const ori_wish *wish, double start)
{
    double end = ori_wish_end(wish, start);
    return end > start ? end : nextafter(start, INFINITY); /* it holds the instant of its start */
}

/* The earliest start, not before `from`, at which the nodes can take enough until the end. Where
 * nothing else is planned what is free only grows, and `state` is then that of the start. */
static double search(orr_rigid *sim, const ori_wish *wish, const ori_node_ask *ask, double from)
{
    ori_nodes *n = &sim->nodes;
    passage p = begin_passage(sim, ask, wish->lasts, from);
    int64_t sum = 0, need = ori_nodes_need(ask);
    int32_t rises = 0, risen = 0;
    double start = from;
    n->most = 0;
    EACH_NODE(n, ask->partition, k)
    {
        sum += n->value[k] = n->least[k] = value_of(n, ask, n->state, k);
        n->first_rise[k] = -1;
    }
    for (;;) {
        bool gives;
        double end = p.inside > 0 ? end_of(wish, start) : start, time;
        while ((time = next_change(&p, &gives)) < INFINITY &&
               (time <= start || time < end || (sum < need && risen == rises))) {
            changing c = take_change(&p, gives);
            EACH_CHANGED(n, &p, c, k)
            change_value(&p, n, k, time, &sum, &rises);
        }
        for (; risen < rises && n->rises[risen].time <= start; risen++) {
            const ori_node_rise *rise = &n->rises[risen];
            sum += rise->least - n->least[rise->node];
            n->least[rise->node] = rise->least;
            n->first_rise[rise->node] = rise->next;
        }
        if (sum >= need)
            break;
        n->most = sum > n->most ? sum : n->most;
        if (risen < rises)
            start = n->rises[risen].time;
        else if (!(time < n->until))
            return INFINITY;
        if (!(start < n->until))
            return INFINITY;
    }
    if (p.inside == 0 && ask->partition >= 0 && from == sim->shell.now && wish->job >= 0)
        n->only[n->component[ask->partition]] =
            (ori_node_only){true, start, n->shape[wish->job], sum};
    return start;
}

/* The least that is free from `start` to an end, of the nodes of the partition: `low`. */
static int64_t *find_low(orr_rigid *sim, const ori_node_ask *ask, bool lasts, double start,
                         double end)
{
    ori_nodes *n = &sim->nodes;
    passage p = begin_passage(sim, ask, lasts, start);
    size_t amounts = 1 + (size_t)n->of->resource_count;
    bool gives;
    for (size_t a = 0; a < amounts; a++)
        EACH_NODE(n, ask->partition, k)
    n->low[a * n->count + (size_t)k] = n->state[a * n->count + (size_t)k];
    while (p.inside > 0 && next_change(&p, &gives) < end) {
        changing c = take_change(&p, gives);
        EACH_CHANGED(n, &p, c, k)
        for (size_t a = 0; a < amounts; a++) {
            size_t i = a * n->count + (size_t)k;
            n->low[i] = n->state[i] < n->low[i] ? n->state[i] : n->low[i];
        }
    }
    return n->low;
}

static int32_t event_behind(const ori_nodes *n, double time, bool takes)
{
    int32_t at = 0;
    ORI_BISECT(at, n->event_count, i,
               n->events[i].time < time ||
                   (n->events[i].time == time && n->events[i].takes <= takes))
    return at;
}

static void add_event(ori_nodes *n, ori_node_event event)
{
    int32_t at = event_behind(n, event.time, event.takes);
    ori_node_event *e = n->events + at;
    memmove(e + 1, e, (size_t)(n->event_count++ - at) * sizeof *e);
    *e = event;
}

static void drop_event(ori_nodes *n, double time, bool takes, int32_t job)
{
    int32_t at = event_behind(n, time, takes) - 1;
    while (n->events[at].job != job)
        at--;
    ori_node_event *e = n->events + at;
    memmove(e, e + 1, (size_t)(--n->event_count - at) * sizeof *e);
}

int32_t ori_nodes_lift(ori_nodes *n, int32_t job)
{
    int32_t pieces = n->pieces[job];
    if (isnan(n->reserved_at[job]))
        return -1;
    drop_event(n, n->reserved_at[job], true, job);
    drop_event(n, n->reserved_to[job], false, job);
    n->reserved_at[job] = NAN;
    n->pieces[job] = -1;
    n->planned[ori_nodes_component(n, job)]--;
    n->then.job = -1;
    return pieces;
}

void ori_nodes_drop_pieces(ori_nodes *n, int32_t pieces)
{
    free_pieces(n, &pieces);
}

/* Takes a job's reservation out of the plan. */
static void drop_events(ori_nodes *n, int32_t job)
{
    int32_t pieces = ori_nodes_lift(n, job);
    if (pieces < 0)
        return;
    n->pieces[job] = pieces;
    for (int32_t i = 0; i < n->list_count; i++)
        if (n->list[i] == job) {
            memmove(n->list + i, n->list + i + 1, (size_t)(--n->list_count - i) * sizeof *n->list);
            return;
        }
}

orr_status ori_nodes_try(orr_rigid *sim, int32_t job, orr_error *err)
{
    free_pieces(&sim->nodes, &sim->nodes.pieces[job]);
    ORI_TRY(keep_pieces(&sim->nodes, job, sim->nodes.now.pieces, sim->nodes.now.count, err));
    return ori_nodes_take_job(sim, job, err);
}

void ori_nodes_end_try(orr_rigid *sim, int32_t job)
{
    ori_nodes *n = &sim->nodes;
    change_pieces(n, job, 1, n->free);
    let_go(n, sim->planned_end[job], job);
    free_pieces(n, &n->pieces[job]);
    n->only[ori_nodes_component(n, job)].valid = false; /* it may have been found beside the job */
    forget_finds(n);
    n->now.job = job;
}

/* --- a part of availability ------------------------------------------------------------------- */

/* One partition of nodes of one processor without resources is as many counted processors. */
bool ori_nodes_limit(const orr_rigid *sim)
{
    const orr_nodes *of = sim->in->nodes;
    if (!of)
        return false;
    const orr_partition *p = of->partitions;
    int32_t nodes = 0;
    for (int32_t i = 0; i < p->run_count; i++)
        nodes += p->runs[i].high - p->runs[i].low + 1;
    return of->partition_count > 1 || nodes < of->count || of->procs > of->count ||
           of->resource_count > 0;
}

bool ori_nodes_are_free(const orr_rigid *given, const ori_wish *wish)
{
    orr_rigid *sim = (orr_rigid *)(uintptr_t)given; /* only what is found is written */
    ori_nodes *n = &sim->nodes;
    int32_t job = wish->job;
    if (!n->of || job < 0 || n->now.job == job)
        return true;
    int32_t shape = n->shape[job];
    if (n->failed[shape] == n->given && !sim->asked.plain)
        return false;
    bool found = place(n, &n->asks[shape], n->free, &n->now);
    n->now.job = found ? job : -1;
    n->now.start = sim->shell.now;
    if (!found)
        n->failed[shape] = n->given;
    return found;
}

orr_status ori_nodes_begin(orr_rigid *sim, const ori_group *g, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    (void)g;
    (void)err;
    for (int32_t i = 0; i < n->event_count; i++)
        n->reserved_at[n->events[i].job] = NAN;
    n->event_count = n->list_count = 0;
    n->stale = false;
    memset(n->planned, 0, sizeof n->planned);
    n->then.job = -1;
    for (int32_t p = 0; n->of && p < n->of->partition_count; p++)
        n->only[p].valid = false;
    return ORR_OK;
}

double ori_nodes_earliest(orr_rigid *sim, const ori_group *g, const ori_wish *wish, double from)
{
    ori_nodes *n = &sim->nodes;
    (void)g;
    if (!n->of || (wish->job >= 0 && n->then.job == wish->job && n->then.start == from))
        return from;
    const ori_node_ask *ask = wish->job >= 0 ? ori_nodes_ask_of(n, wish->job) : n->asks;
    n->asks[0] = (ori_node_ask){.partition = -1, .procs = wish->procs, .share = 1};
    n->then.job = -1;
    double start = search(sim, wish, ask, from > sim->shell.now ? from : sim->shell.now);
    if (wish->job < 0 || start == INFINITY)
        return start;
    bool only = n->only[n->component[ask->partition]].valid;
    const int64_t *of =
        only ? n->state : find_low(sim, ask, wish->lasts, start, end_of(wish, start));
    if (place(n, ask, of, &n->then)) {
        n->then.job = wish->job;
        n->then.start = start;
    }
    return start;
}

orr_status ori_nodes_change(orr_rigid *sim, const ori_group *g, const ori_wish *wish, double start,
                            bool takes, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    int32_t job = wish->job;
    (void)g;
    if (!n->of || job < 0)
        return ORR_OK;
    if (!takes) {
        drop_events(n, job);
        return ORR_OK;
    }
    bool finds = n->then.job == job && n->then.start == start;
    ORI_CHECK(&sim->shell, isnan(n->reserved_at[job]), err);
    if (finds) {
        note_look(n, job);
        free_pieces(n, &n->pieces[job]);
        ORI_TRY(keep_pieces(n, job, n->then.pieces, n->then.count, err));
    }
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->events, &n->events_capacity, n->event_count + 2, err));
    n->reserved_at[job] = start;
    n->reserved_to[job] = end_of(wish, start);
    add_event(n, (ori_node_event){start, job, true});
    add_event(n, (ori_node_event){n->reserved_to[job], job, false});
    n->planned[ori_nodes_component(n, job)]++;
    n->then.job = -1;
    return ORR_OK;
}

void ori_nodes_keep_reserved(ori_nodes *n, int32_t job)
{
    n->then.job = -1;
    note_look(n, job);
}

void ori_nodes_leave_reserved(ori_nodes *n, int32_t job)
{
    note_freed(n, n->pieces[job]);
}

bool ori_nodes_has_reserved(orr_rigid *sim, const ori_wish *wish, double start)
{
    ori_nodes *n = &sim->nodes;
    const ori_node_ask *ask = ori_nodes_ask_of(n, wish->job);
    int64_t *low = find_low(sim, ask, wish->lasts, start, end_of(wish, start));
    bool has = true;
    for (int32_t at = n->pieces[wish->job]; at >= 0; at = n->pool[at].next) {
        const ori_node_piece *piece = &n->pool[at];
        const ori_node_piece whole = whole_share(ask, piece);
        change_piece(n, ask, &whole, -1, low);
        for (size_t a = 0; a <= (size_t)n->of->resource_count; a++)
            has &= low[a * n->count + (size_t)piece->node] >= 0;
    }
    return has;
}

bool ori_nodes_find_reserved(orr_rigid *sim, int32_t job)
{
    ori_nodes *n = &sim->nodes;
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    bool has = true;
    n->now.count = 0;
    for (int32_t at = n->pieces[job]; at >= 0; at = n->pool[at].next) {
        const ori_node_piece *piece = &n->pool[at];
        n->now.pieces[n->now.count++] = *piece;
        change_piece(n, ask, piece, -1, n->free);
        for (size_t a = 0; a <= (size_t)n->of->resource_count; a++)
            has &= n->free[a * n->count + (size_t)piece->node] >= 0;
        change_piece(n, ask, piece, 1, n->free);
    }
    n->now.job = has ? job : -1;
    return has;
}

bool ori_nodes_spare(orr_rigid *sim, int32_t job)
{
    ori_nodes *n = &sim->nodes;
    const ori_node_ask *mine = ori_nodes_ask_of(n, job);
    const ori_node_only *only = &n->only[n->component[mine->partition]];
    const ori_node_ask *ask = &n->asks[only->shape];
    int64_t sum = only->sum;
    for (int32_t i = 0; i < n->now.count; i++) {
        const ori_node_piece *piece = &n->now.pieces[i];
        if (!is_in(n, piece->node, ask->partition))
            continue;
        change_piece(n, mine, piece, -1, n->state);
        sum += value_of(n, ask, n->state, piece->node) - n->value[piece->node];
        change_piece(n, mine, piece, 1, n->state);
    }
    return sum >= ori_nodes_need(ask);
}

int64_t ori_nodes_fitting(const orr_rigid *sim, int32_t job, int32_t *all, int32_t *lacking)
{
    const ori_nodes *n = &sim->nodes;
    ori_node_ask ask = *ori_nodes_ask_of(n, job);
    int64_t sums[2 + ORR_MOST_NODE_RESOURCES] = {0}; /* with all that it needs; without one */
    *all = 0;
    EACH_NODE(n, ask.partition, k)
    {
        sums[0] += value_of(n, &ask, n->free, k);
        (*all)++;
    }
    *lacking = -1;
    for (int32_t r = 0; r <= ask.resources; r++) {
        ori_node_ask other = ask;
        if (r == 0)
            other.share = 0; /* only on a number of nodes are processors one need among others */
        else
            other.need[r - 1] = other.each[r - 1] = 0;
        EACH_NODE(n, ask.partition, k) sums[r + 1] += value_of(n, &other, n->free, k);
        if (sums[r + 1] > (*lacking < 0 ? sums[0] : sums[*lacking + 1]))
            *lacking = r;
    }
    return sums[0];
}
