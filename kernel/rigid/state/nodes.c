/* Nodes: see the header. */
#include "rigid/state/nodes_internal.h"

#include "base/array_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "rigid/state/state_internal.h"
#include "workload/window_internal.h"

#include <string.h>

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

/* --- memory ----------------------------------------------------------------------------------- */

static void find_overlaps(ori_nodes *n)
{
    int32_t count = n->of->partition_count;
    for (int32_t p = 0; p < count; p++)
        ORI_EACH_NODE(n, p, k) n->partitions[k] |= (orr_u128)1 << p;
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

static orr_status count_closings(orr_rigid *sim, orr_error *err)
{
    const ori_windows *w = &sim->outages.windows;
    int64_t count = 0;
    for (int32_t i = 0; i < w->count; i++)
        count +=
            2 * (int64_t)(orr_nodes_at(sim->in->nodes, w->list[i].first + w->list[i].count - 1) +
                          1 - orr_nodes_at(sim->in->nodes, w->list[i].first));
    ORI_REFUSE(count > INT32_MAX / 2, err, "windows close nodes too often: %lld times",
               (long long)count / 2);
    sim->nodes.closing_count = (int32_t)count;
    return ORR_OK;
}

static orr_status list_closings(orr_rigid *sim, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    const ori_windows *w = &sim->outages.windows;
    ori_node_closing *next = n->closings;
    for (int32_t i = 0; i < w->count; i++) {
        int32_t behind = w->list[i].first + w->list[i].count;
        for (int32_t k = orr_nodes_at(n->of, w->list[i].first);
             k < n->of->count && n->of->first[k] < behind; k++) {
            *next++ = (ori_node_closing){w->list[i].from, k, i, true};
            *next++ = (ori_node_closing){w->list[i].to, k, i, false};
        }
    }
    return n->closing_count ? ORI_SORT(n->closings, n->closing_count, ori_is_less, &n->alloc, err)
                            : ORR_OK;
}

orr_status ori_nodes_create(orr_rigid *sim, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    const orr_nodes *of = sim->in->nodes;
    n->of = of;
    n->alloc = sim->shell.alloc;
    n->count = (size_t)of->count;
    size_t amounts = 1 + (size_t)of->resource_count, jobs = (size_t)sim->room;
    bool levels = false, places = sim->policy.place || sim->policy.choose_nodes;
    ORI_TRY(count_closings(sim, err));
    for (int32_t p = 0; p < of->partition_count; p++)
        levels |= level_of(of, p) > 0;
    const ori_part parts[] = {ORI_PART(n->free, amounts * n->count),
                              ORI_PART(n->state, amounts * n->count),
                              ORI_PART(n->low, amounts * n->count),
                              ORI_PART(n->out, n->count),
                              ORI_PART(n->away, of->resource_count + of->partition_count),
                              ORI_PART(n->closings, n->closing_count),
                              ORI_PART(n->partitions, n->count),
                              ORI_PART(n->keys, 2 * n->count),
                              ORI_PART_IF(places, n->shares, n->count),
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
    ORI_TRY(list_closings(sim, err));
    n->ask_count = 1;
    n->until = INFINITY;
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->asks, &n->asks_capacity, 1, err));
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->failed, &n->failed_capacity, 1, err));
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->rises, &n->rises_capacity,
                        (int64_t)n->count + n->closing_count, err));
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

orr_status ori_nodes_keep_pieces(ori_nodes *n, int32_t job, const ori_node_piece *list,
                                 int32_t count, orr_error *err)
{
    int64_t most = (int64_t)n->pool_count + count;
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->pool, &n->pool_capacity, most, err));
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->rises, &n->rises_capacity,
                        most + (int64_t)n->count + n->closing_count, err));
    for (int32_t i = count; i-- > 0;) {
        int32_t at = n->pool_free >= 0 ? n->pool_free : n->pool_count++;
        if (at == n->pool_free)
            n->pool_free = n->pool[at].next;
        n->pool[at] = (ori_node_piece){list[i].node, list[i].procs, n->pieces[job]};
        n->pieces[job] = at;
    }
    return ORR_OK;
}

void ori_nodes_free_pieces(ori_nodes *n, int32_t *first)
{
    while (*first >= 0) {
        int32_t at = *first;
        *first = n->pool[at].next;
        n->pool[at].next = n->pool_free;
        n->pool_free = at;
    }
}

void ori_nodes_change_pieces(const ori_nodes *n, int32_t job, int sign, int64_t *of)
{
    for (int32_t at = n->pieces[job]; at >= 0; at = n->pool[at].next)
        ori_nodes_change_piece(n, ori_nodes_ask_of(n, job), &n->pool[at], sign, of);
}

void ori_nodes_change_node(const ori_nodes *n, int32_t node, int sign, int64_t *of)
{
    const orr_node_kind *kind = &n->of->kinds[n->of->kind[node]];
    of[node] += sign * kind->procs;
    for (int32_t r = 0; r < n->of->resource_count; r++)
        of[node + (size_t)(r + 1) * n->count] += sign * kind->has[r];
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

void ori_nodes_let_go(ori_nodes *n, double end, int32_t job)
{
    int32_t at = find_held(n, end);
    while (n->held[at].job != job)
        at++;
    ori_node_held *held = n->held + at;
    memmove(held, held + 1, (size_t)(--n->held_count - at) * sizeof *held);
}

void ori_nodes_forget_finds(ori_nodes *n)
{
    n->now.job = n->then.job = -1;
}

void ori_nodes_note_freed(ori_nodes *n, int32_t pieces)
{
    for (; pieces >= 0; pieces = n->pool[pieces].next) {
        n->freed[0]++;
        n->freed[1] += ori_nodes_size(n, n->pool[pieces].node);
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

void ori_nodes_note_look(ori_nodes *n, int32_t job)
{
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    n->look_again[job] = n->freed[ask->nodes == 0] + ori_nodes_need(ask) - n->most;
}

orr_status ori_nodes_take_job(orr_rigid *sim, int32_t job, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    double end = sim->planned_end[job];
    ori_nodes_change_pieces(n, job, -1, n->free);
    hold(n, end, job);
    ori_nodes_forget_finds(n);
    ori_node_only *only = &n->only[ori_nodes_component(n, job)];
    const ori_node_ask *ask = &n->asks[only->shape];
    for (int32_t at = n->pieces[job]; at >= 0; at = n->pool[at].next) {
        int32_t node = n->pool[at].node;
        bool all = n->free[node] >= 0;
        for (size_t r = 1; r <= (size_t)n->of->resource_count; r++)
            all &= n->free[node + r * n->count] >= 0;
        ORI_CHECK(&sim->shell, all, err);
        if (!only->valid || !(end > only->start) || !ori_nodes_is_in(n, node, ask->partition))
            continue;
        ori_nodes_change_piece(n, ori_nodes_ask_of(n, job), &n->pool[at], -1, n->state);
        only->sum -= n->value[node];
        only->sum += n->value[node] = ori_nodes_value(n, ask, n->state, node);
    }
    return ORR_OK;
}

/* --- what is there ---------------------------------------------------------------------------- */

/* Whether nothing of a node is there: it is out, and nothing runs there. */
static bool is_away(const ori_nodes *n, int32_t node)
{
    return n->out[node] > 0 && n->free[node] == 0;
}

/* Adds a node to what is away since the first submission, or from now on (sign 1), or takes it out
 * (-1). */
static void note_away(orr_rigid *sim, int32_t node, int sign, bool now)
{
    const ori_nodes *n = &sim->nodes;
    const orr_instance *in = sim->in;
    const orr_node_kind *kind = &n->of->kinds[n->of->kind[node]];
    for (int32_t i = 0; i < n->of->resource_count + n->of->partition_count; i++) {
        int32_t p = i - n->of->resource_count;
        double amount = p < 0 ? (double)kind->has[i] : kind->procs;
        if (p >= 0 && !ori_nodes_is_in(n, node, p))
            continue;
        if (now)
            ori_totals_absent_now(&n->away[i], in, sign * amount, sim->shell.now, sim->at.last_end);
        else
            ori_totals_absent(&n->away[i], in, sign * amount, in->first_submission);
    }
}

static void take_away(orr_rigid *to, const orr_rigid *from)
{
    const orr_nodes *of = to->nodes.of;
    for (int32_t i = 0; i < of->resource_count + of->partition_count; i++) {
        to->nodes.away[i] = from->nodes.away[i];
        if (to->in->first_submission != from->in->first_submission)
            ori_totals_begin(&to->nodes.away[i], to->in);
    }
    for (int32_t node = from->nodes.of->count; node < of->count; node++) {
        note_away(to, node, 1, false);
        note_away(to, node, -1, true);
    }
}

/* Something is free that was not. */
static void note_given(ori_nodes *n)
{
    n->given++;
    ori_nodes_forget_finds(n);
    for (int32_t p = 0; p < n->of->partition_count; p++)
        n->only[p].valid = false;
}

#ifdef ORI_CHECKS
/* What is free is what those leave that hold something; uses `low`. */
static bool is_counted_right(const ori_nodes *n)
{
    size_t all = n->count * (1 + (size_t)n->of->resource_count);
    memset(n->low, 0, all * sizeof *n->low);
    for (int32_t k = 0; k < (int32_t)n->count; k++)
        if (!(n->out[k] > 0))
            ori_nodes_change_node(n, k, 1, n->low);
    for (int32_t i = 0; i < n->held_count; i++)
        if (n->held[i].job >= 0)
            ori_nodes_change_pieces(n, n->held[i].job, -1, n->low);
    return memcmp(n->low, n->free, all * sizeof *n->low) == 0;
}
#endif

void ori_nodes_give_job(orr_rigid *sim, int32_t job)
{
    ori_nodes *n = &sim->nodes;
    ORI_ASSERT(&sim->shell, is_counted_right(n));
    ori_nodes_change_pieces(n, job, 1, n->free);
    for (int32_t at = sim->outages.any ? n->pieces[job] : -1; at >= 0; at = n->pool[at].next)
        if (is_away(n, n->pool[at].node))
            note_away(sim, n->pool[at].node, 1, true);
    double end = sim->planned_end[job];
    bool early = end > sim->shell.now || !(end > sim->start[job]); /* it held the instant */
    ori_nodes_note_freed(n, early ? n->pieces[job] : -1);
    ori_nodes_free_pieces(n, &n->pieces[job]);
    ori_nodes_let_go(n, end, job);
    note_given(n);
}

void ori_nodes_add_held(const orr_rigid *sim, int32_t job, double time, double *resources,
                        double *partitions)
{
    const ori_nodes *n = &sim->nodes;
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    for (int32_t at = n->pieces[job]; at >= 0; at = n->pool[at].next) {
        const ori_node_piece *piece = &n->pool[at];
        for (int32_t r = 0; r < ask->resources; r++)
            resources[r] += time * (double)ori_nodes_share(ask, r, piece->procs);
        orr_u128 in = n->partitions[piece->node];
        for (int32_t p = 0; in; p++, in >>= 1)
            if (in & 1)
                partitions[p] += time * piece->procs;
    }
}

void ori_nodes_replan(orr_rigid *sim, int32_t job, double before)
{
    ori_nodes_let_go(&sim->nodes, before, job);
    hold(&sim->nodes, sim->planned_end[job], job);
    ori_nodes_note_all(&sim->nodes);
    note_given(&sim->nodes);
}

/* Until when no job may start on a node, s; 0: it may. */
static double out_until(const orr_rigid *sim, int32_t node)
{
    const ori_outages *o = &sim->outages;
    double until = 0;
    for (int32_t p = sim->nodes.of->first[node]; p < sim->nodes.of->first[node + 1]; p++) {
        until = ori_later(until, ori_later(o->failed_until[p], o->drained_until[p]));
        if (o->windows.closed_until)
            until = ori_later(until, o->windows.closed_until[p]);
    }
    return until > sim->shell.now ? until : 0;
}

void ori_nodes_look_out(orr_rigid *sim, int32_t low, int32_t end)
{
    ori_nodes *n = &sim->nodes;
    bool changed = false;
    for (int32_t node = orr_nodes_at(n->of, low); node < n->of->count && n->of->first[node] < end;
         node++) {
        double before = n->out[node], until = out_until(sim, node);
        if (until == before)
            continue;
        bool away = is_away(n, node);
        changed = true;
        n->out[node] = until;
        if (before > 0)
            ori_nodes_let_go(n, before, ~node);
        if (until > 0)
            hold(n, until, ~node);
        if ((before > 0) != (until > 0))
            ori_nodes_change_node(n, node, until > 0 ? -1 : 1, n->free);
        if (away != is_away(n, node))
            note_away(sim, node, away ? -1 : 1, true);
    }
    if (!changed)
        return;
    ori_nodes_note_all(n);
    note_given(n);
}

bool ori_nodes_is_closing(const orr_rigid *sim, const ori_node_closing *c, int32_t job)
{
    const orr_window *w = &sim->outages.windows.list[c->window];
    bool to_come = c->window >= sim->outages.windows.at.opened;
    return (to_come || (orr_window_is_reserved(w) && w->to > sim->shell.now)) &&
           !ori_window_admits(w, sim->jobs, job);
}

int32_t ori_nodes_closings(orr_rigid *sim)
{
    ori_nodes *n = &sim->nodes;
    const ori_node_closing *c = n->closings;
    while (n->passed < n->closing_count && c[n->passed].time <= sim->shell.now &&
           !ori_nodes_is_closing(sim, &c[n->passed], -1))
        n->passed++;
    return n->closing_count - n->passed;
}

const int64_t *ori_nodes_open_until(orr_rigid *sim, int32_t job, double end)
{
    ori_nodes *n = &sim->nodes;
    double now = sim->shell.now;
    int32_t partition = ori_nodes_ask_of(n, job)->partition;
    if (ORR_LIKELY(ori_nodes_closings(sim) == 0))
        return n->free;
    memcpy(n->low, n->free, n->count * (1 + (size_t)n->of->resource_count) * sizeof *n->low);
    for (int32_t i = n->passed; i < n->closing_count; i++) {
        const ori_node_closing *c = &n->closings[i];
        if (c->time >= end && c->time > now)
            break;
        if (c->closes && sim->outages.windows.list[c->window].to > now &&
            ori_nodes_is_in(n, c->node, partition) && ori_nodes_is_closing(sim, c, job))
            ori_nodes_change_node(n, c->node, -1, n->low);
    }
    return n->low;
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
    return ori_nodes_keep_pieces(n, job, n->now.pieces, n->now.count, err);
}

void ori_nodes_forget(orr_rigid *sim)
{
    ori_nodes *n = &sim->nodes;
    n->held_count = n->event_count = n->list_count = n->pool_count = 0;
    n->pool_free = -1;
    memset(n->planned, 0, sizeof n->planned);
    n->passed = 0;
    memset(n->out, 0, n->count * sizeof *n->out);
    memset(n->away, 0, (size_t)(n->of->resource_count + n->of->partition_count) * sizeof *n->away);
    memset(n->free, 0, n->count * (1 + (size_t)n->of->resource_count) * sizeof *n->free);
    for (int32_t k = 0; k < (int32_t)n->count; k++)
        ori_nodes_change_node(n, k, 1, n->free);
    for (int32_t job = 0; job < sim->in->count; job++) {
        n->pieces[job] = -1;
        n->look_again[job] = 0;
        n->reserved_at[job] = NAN;
    }
    note_given(n);
}

orr_status ori_nodes_count(orr_rigid *sim, const orr_rigid *from, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    ori_nodes_forget(sim);
    for (int32_t i = 0; i < sim->ends.count; i++) {
        int32_t job = (int32_t)sim->ends.heap[i].payload;
        ORI_TRY(find_pieces(sim, job, err));
        ORI_TRY(ori_nodes_take_job(sim, job, err));
    }
    if (sim->outages.any)
        ori_nodes_look_out(sim, 0, n->of->procs);
    take_away(sim, from);
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
        ORI_TRY(ori_nodes_keep_pieces(n, job, n->now.pieces, n->now.count, err));
    }
    ori_nodes_forget_finds(n);
    return ORR_OK;
}

int64_t ori_nodes_fitting(const orr_rigid *sim, int32_t job, int32_t *all, int32_t *lacking)
{
    const ori_nodes *n = &sim->nodes;
    ori_node_ask ask = *ori_nodes_ask_of(n, job);
    int64_t all_fit = 0, fewest = INT64_MAX, most = 0;
    int32_t worst = -1;
    *all = 0;
    ORI_EACH_NODE(n, ask.partition, k)
    {
        all_fit += ori_nodes_value(n, &ask, n->free, k);
        (*all)++;
    }
    *lacking = -1;
    int64_t best = all_fit;
    for (int32_t r = 0; r <= ask.resources; r++) {
        ori_node_ask without = ask, alone = ask;
        int64_t fit = 0, fit_alone = 0;
        memset(alone.need, 0, sizeof alone.need);
        memset(alone.each, 0, sizeof alone.each);
        if (r == 0) { /* only on a number of nodes are processors one need among others */
            without.share = 0;
        } else {
            without.need[r - 1] = without.each[r - 1] = 0;
            alone.share = 0;
            alone.need[r - 1] = ask.need[r - 1], alone.each[r - 1] = ask.each[r - 1];
        }
        ORI_EACH_NODE(n, ask.partition, k)
        {
            fit += ori_nodes_value(n, &without, n->free, k);
            fit_alone += ori_nodes_value(n, &alone, n->free, k);
        }
        if (fit > best)
            best = fit, *lacking = r;
        if (fit_alone < fewest)
            fewest = fit_alone, worst = r;
        if (fit_alone > most)
            most = fit_alone;
    }
    if (*lacking < 0 && fewest < most)
        *lacking = worst;
    return all_fit;
}
