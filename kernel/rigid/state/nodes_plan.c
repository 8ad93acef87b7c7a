/* The plan of nodes: see the header. */
#include "rigid/state/nodes_plan_internal.h"

#include "base/array_internal.h"
#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "rigid/state/nodes_place_internal.h"
#include "rigid/state/state_internal.h"

#include <string.h>

/* --- the plan --------------------------------------------------------------------------------- */

/* A passage through the times of the plan. */
typedef struct passage {
    const orr_rigid *sim;
    const ori_node_ask *ask;
    int32_t job;       /* -1: none */
    bool lasts;        /* processors that are planned to be free by now are free */
    int32_t held;      /* the next of those held, */
    int32_t closing;   /* of the closings, */
    int32_t event;     /* and of the events */
    int32_t inside;    /* jobs of this component, and closings, are in the plan */
    int32_t component; /* -1: all */
} passage;

/* Whether something held that is planned to be free by now counts as free. */
static bool is_due(const passage *p, const ori_node_held *held)
{
    return p->lasts && held->end <= p->sim->shell.now && held->job >= 0 &&
           held->end > p->sim->start[held->job];
}

typedef enum source { HELD, CLOSING, EVENT } source;

/* The time of the next change, s; inf: there is none. *by: where it comes from. Those that are due
 * are passed over, and so are windows that are not closings for the job. */
static double next_change(passage *p, source *by)
{
    const ori_nodes *n = &p->sim->nodes;
    double now = p->sim->shell.now, held = INFINITY, event = INFINITY, closing = INFINITY;
    while (p->closing < n->closing_count &&
           !ori_nodes_is_closing(p->sim, &n->closings[p->closing], p->job))
        p->closing++;
    if (p->closing < n->closing_count)
        closing = n->closings[p->closing].time;
    while (p->held < n->held_count && is_due(p, &n->held[p->held]))
        p->held++;
    while (p->event < n->event_count && p->component >= 0 &&
           p->component != ori_nodes_component(n, n->events[p->event].job))
        p->event++;
    if (p->held < n->held_count)
        held = n->held[p->held].end > now ? n->held[p->held].end : nextafter(now, INFINITY);
    if (p->event < n->event_count)
        event = n->events[p->event].time;
    *by = held <= closing && held <= event ? HELD : closing <= event ? CLOSING : EVENT;
    return *by == HELD ? held : *by == CLOSING ? closing : event;
}

/* Changes what a node of a search can take from `time` on. */
static void change_value(const passage *p, ori_nodes *n, int32_t node, double time, int64_t *sum,
                         int32_t *rises)
{
    int32_t before = n->value[node], value = ori_nodes_value(n, p->ask, n->state, node);
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

static changing take_change(passage *p, source by)
{
    const ori_nodes *n = &p->sim->nodes;
    if (by == HELD)
        return (changing){n->held[p->held++].job, 1, false};
    if (by == CLOSING) {
        const ori_node_closing *c = &n->closings[p->closing++];
        return (changing){~c->node, c->closes ? -1 : 1, false};
    }
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
        if (!ori_nodes_is_in(n, *node, p->ask->partition))
            return false;
        ori_nodes_change_node(n, *node, c->sign, n->state);
        return true;
    }
    for (; *at >= 0; *at = n->pool[*at].next) {
        const ori_node_piece *piece = &n->pool[*at];
        if (!ori_nodes_is_in(n, piece->node, p->ask->partition))
            continue;
        const ori_node_ask *ask = ori_nodes_ask_of(n, c->job);
        const ori_node_piece own = c->promised ? whole_share(ask, piece) : *piece;
        ori_nodes_change_piece(n, ask, &own, c->sign, n->state);
        *node = piece->node;
        *at = piece->next;
        return true;
    }
    return false;
}

/* Begins a passage at `from`: what is free then. */
static passage begin_passage(orr_rigid *sim, const ori_node_ask *ask, int32_t job, bool lasts,
                             double from)
{
    ori_nodes *n = &sim->nodes;
    passage p = {.sim = sim, .ask = ask, .job = job, .lasts = lasts};
    size_t amounts = 1 + (size_t)n->of->resource_count;
    p.component = ask->partition < 0 ? -1 : n->component[ask->partition];
    p.inside = p.component < 0 ? n->event_count : n->planned[p.component];
    p.inside += ori_nodes_closings(sim);
    p.closing = n->passed;
    for (int32_t c = 0; c < n->of->partition_count; c++)
        n->only[c].valid &= p.component >= 0 && c != p.component;
    for (size_t a = 0; a < amounts; a++)
        ORI_EACH_NODE(n, ask->partition, k)
    n->state[a * n->count + (size_t)k] = n->free[a * n->count + (size_t)k];
    source by;
    for (int32_t i = 0; lasts && i < n->held_count && n->held[i].end <= sim->shell.now; i++) {
        changing c = {n->held[i].job, 1, false};
        if (is_due(&p, &n->held[i]))
            EACH_CHANGED(n, &p, c, k)
        continue;
    }
    while (next_change(&p, &by) <= from) {
        changing c = take_change(&p, by);
        EACH_CHANGED(n, &p, c, k)
        continue;
    }
    return p;
}

/* The earliest start, not before `from`, at which the nodes can take enough until the end. Where
 * nothing else is planned what is free only grows, and `state` is then that of the start. */
static double search(orr_rigid *sim, const ori_wish *wish, const ori_node_ask *ask, double from)
{
    ori_nodes *n = &sim->nodes;
    passage p = begin_passage(sim, ask, wish->job, wish->lasts, from);
    int64_t sum = 0, need = ori_nodes_need(ask);
    int32_t rises = 0, risen = 0;
    double start = from;
    n->most = 0;
    ORI_EACH_NODE(n, ask->partition, k)
    {
        sum += n->value[k] = n->least[k] = ori_nodes_value(n, ask, n->state, k);
        n->first_rise[k] = -1;
    }
    for (;;) {
        source by;
        double end = p.inside > 0 ? ori_wish_holds_until(wish, start) : start, time;
        while ((time = next_change(&p, &by)) < INFINITY &&
               (time <= start || time < end || (sum < need && risen == rises))) {
            if (time > start && time >= end && sum > n->most) /* what comes may take from them */
                n->most = sum;
            changing c = take_change(&p, by);
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

/* The least that is free from `start` to an end, of the nodes of a job's partition: `low`. */
static int64_t *find_low(orr_rigid *sim, int32_t job, bool lasts, double start, double end)
{
    ori_nodes *n = &sim->nodes;
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    passage p = begin_passage(sim, ask, job, lasts, start);
    size_t amounts = 1 + (size_t)n->of->resource_count;
    source by;
    for (size_t a = 0; a < amounts; a++)
        ORI_EACH_NODE(n, ask->partition, k)
    n->low[a * n->count + (size_t)k] = n->state[a * n->count + (size_t)k];
    while (p.inside > 0 && next_change(&p, &by) < end) {
        changing c = take_change(&p, by);
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

void ori_nodes_drop(ori_nodes *n, int32_t job)
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
    ori_nodes_free_pieces(&sim->nodes, &sim->nodes.pieces[job]);
    ORI_TRY(
        ori_nodes_keep_pieces(&sim->nodes, job, sim->nodes.now.pieces, sim->nodes.now.count, err));
    return ori_nodes_take_job(sim, job, err);
}

void ori_nodes_end_try(orr_rigid *sim, int32_t job)
{
    ori_nodes *n = &sim->nodes;
    ori_nodes_change_pieces(n, job, 1, n->free);
    ori_nodes_let_go(n, sim->planned_end[job], job);
    ori_nodes_free_pieces(n, &n->pieces[job]);
    n->only[ori_nodes_component(n, job)].valid = false; /* it may have been found beside the job */
    ori_nodes_forget_finds(n);
    n->now.job = job;
}

/* --- starts ----------------------------------------------------------------------------------- */

static orr_status find_runs(const orr_rigid *sim, int32_t job, orr_interval *runs, int32_t *count,
                            orr_error *err)
{
    const ori_nodes *n = &sim->nodes;
    *count = 0;
    for (int32_t at = n->pieces[job]; at >= 0; at = n->pool[at].next) {
        int32_t left = n->pool[at].procs, node = n->pool[at].node;
        for (int32_t p = n->of->first[node], end = n->of->first[node + 1]; left > 0;) {
            orr_interval run = ori_processors_free_from(&sim->processors, 0, p);
            ORI_CHECK(&sim->shell, run.low < end, err);
            if (run.high - run.low >= left)
                run.high = run.low + left - 1;
            run.high = run.high < end ? run.high : end - 1;
            if (*count > 0 && runs[*count - 1].high == run.low - 1)
                runs[*count - 1].high = run.high;
            else
                runs[(*count)++] = run;
            left -= run.high - run.low + 1;
            p = run.high + 1;
        }
    }
    return ORR_OK;
}

/* Places a job on what is free now, until its planned end. The starts of the log know no
 * windows. */
static bool place_now(orr_rigid *sim, int32_t job)
{
    ori_nodes *n = &sim->nodes;
    const ori_node_ask *ask = ori_nodes_ask_of(n, job);
    double end = ori_rigid_planned_end(sim, job, sim->shell.now);
    const int64_t *of = ori_nodes_open_until(sim, job, end);
    bool found = ori_nodes_place(n, ask, of, &n->now);
    if (!found && of != n->free && sim->groups->discipline->is_logged)
        found = ori_nodes_place(n, ask, n->free, &n->now);
    n->now.job = found ? job : -1;
    n->now.start = sim->shell.now;
    n->now.chosen = n->now.promised = false;
    return found;
}

orr_status ori_nodes_choose_now(orr_rigid *sim, int32_t job, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    if (ORR_LIKELY(!n->shares) || n->now.chosen)
        return ORR_OK;
    double end = ori_rigid_planned_end(sim, job, sim->shell.now);
    if (!n->now.promised)
        return ori_nodes_choose(sim, job, ori_nodes_open_until(sim, job, end), err);
    if (!(end > sim->shell.now))
        end = nextafter(sim->shell.now, INFINITY);
    int64_t *low = find_low(sim, job, true, sim->shell.now, end);
    int32_t partition = ori_nodes_ask_of(n, job)->partition;
    /* what is due now may still be held; other partitions were not looked at */
    for (size_t i = 0; i < n->count * (1 + (size_t)n->of->resource_count); i++)
        if (low[i] > n->free[i] || !ori_nodes_is_in(n, (int32_t)(i % n->count), partition))
            low[i] = n->free[i];
    return ori_nodes_choose(sim, job, low, err);
}

orr_status ori_nodes_start(orr_rigid *sim, int32_t job, orr_interval *runs, int32_t *count,
                           orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    if (n->now.job != job || n->now.start != sim->shell.now)
        ORI_CHECK(&sim->shell, place_now(sim, job), err);
    if (!isnan(n->reserved_at[job]) && (ori_nodes_takes_less(n, job) || n->shares))
        ori_nodes_note_freed(n, n->pieces[job]);
    ori_nodes_drop(n, job);
    ORI_TRY(ori_nodes_choose_now(sim, job, err));
    ori_nodes_free_pieces(n, &n->pieces[job]);
    ORI_TRY(ori_nodes_keep_pieces(n, job, n->now.pieces, n->now.count, err));
    return find_runs(sim, job, runs, count, err);
}

/* --- a part of availability ------------------------------------------------------------------- */

bool ori_nodes_are_free(const orr_rigid *given, const ori_wish *wish)
{
    orr_rigid *sim = (orr_rigid *)(uintptr_t)given; /* only what is found is written */
    ori_nodes *n = &sim->nodes;
    int32_t job = wish->job;
    if (!n->of || job < 0 || (n->now.job == job && n->now.start == sim->shell.now))
        return true;
    int32_t shape = n->shape[job];
    bool alike = ori_nodes_closings(sim) == 0; /* jobs of a shape, and now and later */
    if (alike && n->failed[shape] == n->given && !sim->asked.plain)
        return false;
    bool found = place_now(sim, job);
    if (alike && !found)
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
        only ? n->state
             : find_low(sim, wish->job, wish->lasts, start, ori_wish_holds_until(wish, start));
    if (ori_nodes_place(n, ask, of, &n->then)) {
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
        ori_nodes_drop(n, job);
        return ORR_OK;
    }
    bool finds = n->then.job == job && n->then.start == start;
    ORI_CHECK(&sim->shell, isnan(n->reserved_at[job]), err);
    if (finds) {
        ori_nodes_note_look(n, job);
        ori_nodes_free_pieces(n, &n->pieces[job]);
        ORI_TRY(ori_nodes_keep_pieces(n, job, n->then.pieces, n->then.count, err));
    }
    ORI_TRY(ORI_RESERVE(&n->alloc, &n->events, &n->events_capacity, n->event_count + 2, err));
    n->reserved_at[job] = start;
    n->reserved_to[job] = ori_wish_holds_until(wish, start);
    add_event(n, (ori_node_event){start, job, true});
    add_event(n, (ori_node_event){n->reserved_to[job], job, false});
    n->planned[ori_nodes_component(n, job)]++;
    n->then.job = -1;
    return ORR_OK;
}

void ori_nodes_keep_reserved(ori_nodes *n, int32_t job)
{
    n->then.job = -1;
    ori_nodes_note_look(n, job);
}

void ori_nodes_leave_reserved(ori_nodes *n, int32_t job)
{
    ori_nodes_note_freed(n, n->pieces[job]);
}

bool ori_nodes_has_reserved(orr_rigid *sim, const ori_wish *wish, double start)
{
    ori_nodes *n = &sim->nodes;
    const ori_node_ask *ask = ori_nodes_ask_of(n, wish->job);
    int64_t *low = find_low(sim, wish->job, wish->lasts, start, ori_wish_holds_until(wish, start));
    bool has = true;
    for (int32_t at = n->pieces[wish->job]; at >= 0; at = n->pool[at].next) {
        const ori_node_piece *piece = &n->pool[at];
        const ori_node_piece whole = whole_share(ask, piece);
        ori_nodes_change_piece(n, ask, &whole, -1, low);
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
        ori_nodes_change_piece(n, ask, piece, -1, n->free);
        for (size_t a = 0; a <= (size_t)n->of->resource_count; a++)
            has &= n->free[a * n->count + (size_t)piece->node] >= 0;
        ori_nodes_change_piece(n, ask, piece, 1, n->free);
    }
    n->now.job = has ? job : -1;
    n->now.start = sim->shell.now;
    n->now.chosen = false;
    n->now.promised = true;
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
        if (!ori_nodes_is_in(n, piece->node, ask->partition))
            continue;
        ori_nodes_change_piece(n, mine, piece, -1, n->state);
        sum += ori_nodes_value(n, ask, n->state, piece->node) - n->value[piece->node];
        ori_nodes_change_piece(n, mine, piece, 1, n->state);
    }
    return sum >= ori_nodes_need(ask);
}
