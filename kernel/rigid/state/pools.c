/* Pools: see the header. Most decisions ask for no share of a pool, so the profile of a group's
 * plan is made only when a job that needs the pool is asked for. */
#include "rigid/state/pools_internal.h"

#include "base/sort_internal.h"
#include "base/try_internal.h"
#include "rigid/state/state_internal.h"

#include <string.h>

orr_status ori_pools_create(orr_rigid *sim, orr_error *err)
{
    ori_pools *p = &sim->pools;
    size_t pools = (size_t)sim->in->pool_count, plans = (size_t)sim->group_count * pools;
    p->running = (size_t)ori_most_running(sim);
    /* a reservation is made, given back and made again at most: two steps each; a start has one */
    p->steps = p->running + 5 * (size_t)sim->room + 4 + (size_t)sim->in->turn_count;
    const ori_part parts[] = {ORI_PART(p->held, p->running * pools),
                              ORI_PART(p->plan, p->steps * plans), ORI_PART(p->free, pools),
                              ORI_PART(p->holdings, pools), ORI_PART(p->counts, plans)};
    ORI_TRY(ORI_BLOCK_CREATE(&p->block, parts, ORI_RAW, &sim->shell.alloc, err));
    memset(p->counts, 0, plans * sizeof *p->counts);
    return ORR_OK;
}

static ori_holding *held_of(const orr_rigid *sim, int32_t pool)
{
    return sim->pools.held + (size_t)pool * sim->pools.running;
}

static ori_pool_step *steps_of(const orr_rigid *sim, int32_t plan)
{
    return sim->pools.plan + (size_t)plan * sim->pools.steps;
}

void ori_pools_count(orr_rigid *sim)
{
    for (int32_t i = 0; i < sim->in->pool_count; i++) {
        sim->pools.free[i] = sim->in->pools[i].amount;
        sim->pools.holdings[i] = 0;
    }
    for (int32_t i = 0; i < sim->ends.count; i++)
        ori_pools_take(sim, (int32_t)sim->ends.heap[i].payload);
    sim->pools.turned = 0;
    ori_pools_turn(sim);
}

double ori_pools_next(const orr_rigid *sim)
{
    bool turns = sim->needs.shares && sim->pools.turned < sim->in->turn_count;
    return turns ? sim->in->turns[sim->pools.turned].time : INFINITY;
}

int32_t ori_pools_windows(const orr_rigid *sim)
{
    int32_t count = 0;
    for (int32_t i = 0; sim->needs.shares && i < sim->in->turn_count; i++) {
        const orr_turn *t = &sim->in->turns[i];
        if (t->attempts < 0) /* each has a beginning, and perhaps an end */
            count += t->by < 0 ? 1 : -(i < sim->pools.turned);
    }
    return count;
}

void ori_pools_turn(orr_rigid *sim)
{
    for (; ori_pools_next(sim) <= sim->shell.now; sim->pools.turned++) {
        const orr_turn *t = &sim->in->turns[sim->pools.turned];
        if (t->of < sim->in->pool_count)
            sim->pools.free[t->of] += t->by;
    }
}

/* --- who holds what --------------------------------------------------------------------------- */

/* The place of the first holding whose end is not before `end`. */
static int32_t find_holding(const orr_rigid *sim, int32_t pool, double end)
{
    const ori_holding *held = held_of(sim, pool);
    int32_t at = 0;
    ORI_BISECT(at, sim->pools.holdings[pool], i, held[i].end < end)
    return at;
}

void ori_pools_take(orr_rigid *sim, int32_t job)
{
    for (int32_t pool = 0; pool < sim->in->pool_count; pool++) {
        int64_t need = orr_need_of(sim->in, job, pool);
        if (need == 0)
            continue;
        double end = sim->planned_end[job];
        int32_t at = find_holding(sim, pool, end), behind = sim->pools.holdings[pool]++ - at;
        ori_holding *held = held_of(sim, pool) + at;
        memmove(held + 1, held, (size_t)behind * sizeof *held);
        *held = (ori_holding){end, need, job};
        sim->pools.free[pool] -= need;
    }
}

void ori_pools_give(orr_rigid *sim, int32_t job)
{
    for (int32_t pool = 0; pool < sim->in->pool_count; pool++) {
        if (orr_need_of(sim->in, job, pool) == 0)
            continue;
        ori_holding *held = held_of(sim, pool);
        int32_t at = find_holding(sim, pool, sim->planned_end[job]);
        while (held[at].job != job)
            at++;
        sim->pools.free[pool] += held[at].amount;
        int32_t behind = --sim->pools.holdings[pool] - at;
        memmove(held + at, held + at + 1, (size_t)behind * sizeof *held);
    }
}

/* --- plans ------------------------------------------------------------------------------------ */

/* The first step behind a time. */
static int32_t step_behind(const ori_pool_step *steps, int32_t count, double time)
{
    int32_t at = 0;
    ORI_BISECT(at, count, i, steps[i].time <= time)
    return at;
}

/* The place of the step at a time, which is added where there is none. */
static int32_t open_step(ori_pool_step *steps, int32_t *count, double time)
{
    int32_t at = step_behind(steps, *count, time);
    if (at > 0 && steps[at - 1].time == time)
        return at - 1;
    memmove(steps + at + 1, steps + at, (size_t)((*count)++ - at) * sizeof *steps);
    steps[at] = (ori_pool_step){time, at > 0 ? steps[at - 1].available : 0};
    return at;
}

/* Adds to what is available from a time until another one; inf: for ever. */
static void change_from(ori_pool_step *steps, int32_t *count, double from, double to, int64_t by)
{
    int32_t first = open_step(steps, count, from);
    int32_t last = to < INFINITY ? open_step(steps, count, to) : *count;
    for (int32_t at = first; at < last; at++)
        steps[at].available += by;
}

/* Makes the profile of a pool, without reservations. An end that is due now is still to come. A
 * wish that lasts counts on it already, as timetables do (READINGS 35), except for an attempt that
 * takes no time. */
static void make_plan(const orr_rigid *sim, int32_t pool, int32_t plan, bool lasts)
{
    ori_pool_step *steps = steps_of(sim, plan);
    const ori_holding *h = held_of(sim, pool), *end = h + sim->pools.holdings[pool];
    int64_t available = sim->pools.free[pool], due = 0;
    double now = sim->shell.now;
    int32_t count = 1;
    for (; h < end && h->end <= now; h++)
        *(lasts && h->end > sim->start[h->job] ? &available : &due) += h->amount;
    steps[0] = (ori_pool_step){now, available};
    available += due;
    if (due > 0)
        steps[count++] = (ori_pool_step){nextafter(now, INFINITY), available};
    for (; h < end; h++) {
        available += h->amount;
        count += steps[count - 1].time < h->end;
        steps[count - 1] = (ori_pool_step){h->end, available};
    }
    sim->pools.counts[plan] = count;
    for (int32_t i = sim->pools.turned; i < sim->in->turn_count; i++)
        if (sim->in->turns[i].of == pool)
            change_from(steps, &sim->pools.counts[plan], sim->in->turns[i].time, INFINITY,
                        sim->in->turns[i].by);
}

static int32_t need_plan(const orr_rigid *sim, const ori_group *g, const ori_wish *wish,
                         int32_t pool)
{
    int32_t plan = g->index * sim->in->pool_count + pool;
    if (sim->pools.counts[plan] == 0)
        make_plan(sim, pool, plan, wish->lasts);
    return plan;
}

void ori_pools_begin_tables(const orr_rigid *sim, const ori_group *g, ori_timetable *tables)
{
    for (int32_t i = 0; i < sim->in->pool_count; i++) {
        int32_t plan = g->index * sim->in->pool_count + i;
        const ori_pool_step *steps = steps_of(sim, plan);
        make_plan(sim, i, plan, true);
        ori_timetable_begin(&tables[i], steps[0].time, (int32_t)steps[0].available);
        for (int32_t k = 1; k < sim->pools.counts[plan]; k++)
            ori_timetable_append(&tables[i], steps[k].time, (int32_t)steps[k].available);
        sim->pools.counts[plan] = 0;
    }
}

static double earliest(const ori_pool_step *steps, int32_t count, int64_t need,
                       const ori_wish *wish, double from)
{
    int32_t at = step_behind(steps, count, from);
    for (at -= at > 0; at < count; at++) {
        if (steps[at].available < need)
            continue;
        double start = steps[at].time > from ? steps[at].time : from;
        double end = ori_wish_end(wish, start);
        do
            at++;
        while (at < count && steps[at].time < end && steps[at].available >= need);
        if (at == count || !(steps[at].time < end))
            return start;
    }
    return INFINITY;
}

/* Behind the shadow no reservation begins; a window may do so. */
void ori_pools_available(const orr_rigid *sim, const ori_group *g, double shadow,
                         ori_available *available)
{
    const orr_instance *in = sim->in;
    for (int32_t i = 0; i < in->pool_count && i < ORI_QUEUE_POOLS; i++) {
        int32_t plan = g->index * in->pool_count + i, count = sim->pools.counts[plan];
        const ori_pool_step *steps = steps_of(sim, plan);
        bool known = count > 0 && sim->pools.turned == in->turn_count;
        int64_t left = known ? steps[step_behind(steps, count, shadow) - 1].available : INT64_MAX;
        available->free[i] = ori_pool_units(in, i, sim->pools.free[i]);
        available->extra[i] = known ? ori_pool_units(in, i, left) : INT32_MAX;
    }
}

/* --- a part of availability ------------------------------------------------------------------- */

bool ori_pools_limit(const orr_rigid *sim)
{
    bool any = sim->asked.opened && sim->in->pool_count > 0; /* jobs may come */
    for (int32_t i = 0; i < sim->in->pool_count; i++)
        any |= sim->in->pools[i].number >= 0 && sim->jobs->needs[sim->in->pools[i].number].count;
    return any;
}

bool ori_pools_bind(const orr_rigid *sim)
{
    const orr_instance *in = sim->in;
    bool binds = in->turn_count > 0;
    for (int32_t i = 0; !binds && i < in->pool_count; i++) {
        int64_t for_each = in->pools[i].amount / in->procs;
        for (int32_t j = 0; !binds && j < in->count; j++)
            binds = orr_need_of(in, j, i) > for_each * in->jobs->procs[j];
    }
    return binds;
}

/* Whether less of a pool is free at a time to come, at which some is closed. */
static bool lacks_then(const orr_rigid *sim, int32_t pool, int64_t need, double time)
{
    int64_t available = sim->pools.free[pool];
    const ori_holding *held = held_of(sim, pool);
    for (int32_t i = 0; i < sim->pools.holdings[pool] && held[i].end <= time; i++)
        available += held[i].amount;
    for (int32_t i = sim->pools.turned; i < sim->in->turn_count && sim->in->turns[i].time <= time;
         i++)
        available += sim->in->turns[i].of == pool ? sim->in->turns[i].by : 0;
    return need > available;
}

int32_t ori_pools_lacking(const orr_rigid *sim, int32_t job, double end)
{
    for (int32_t i = 0; sim->needs.shares && i < sim->in->pool_count; i++) {
        int64_t need = orr_need_of(sim->in, job, i);
        if (need == 0)
            continue;
        if (need > sim->pools.free[i])
            return i;
        for (int32_t k = sim->pools.turned;
             ORR_UNLIKELY(k < sim->in->turn_count) && sim->in->turns[k].time < end; k++)
            if (sim->in->turns[k].of == i && lacks_then(sim, i, need, sim->in->turns[k].time))
                return i;
    }
    return -1;
}

bool ori_pools_are_free(const orr_rigid *sim, const ori_wish *wish)
{
    double end = ori_wish_end(wish, sim->shell.now);
    return wish->job < 0 || ori_pools_lacking(sim, wish->job, end) < 0;
}

orr_status ori_pools_begin(orr_rigid *sim, const ori_group *g, orr_error *err)
{
    (void)err;
    for (int32_t i = 0, pools = sim->in->pool_count; i < pools; i++)
        sim->pools.counts[g->index * pools + i] = 0;
    return ORR_OK;
}

static double earliest_of_each(orr_rigid *sim, const ori_group *g, const ori_wish *wish,
                               double from)
{
    for (int32_t i = 0; wish->job >= 0 && from < INFINITY && i < sim->in->pool_count; i++) {
        int64_t need = orr_need_of(sim->in, wish->job, i);
        if (need == 0)
            continue;
        int32_t plan = need_plan(sim, g, wish, i);
        from = earliest(steps_of(sim, plan), sim->pools.counts[plan], need, wish, from);
    }
    return from;
}

/* Without windows what is available beside one reservation only grows, and whoever makes more of
 * them asks until all agree. */
double ori_pools_earliest(orr_rigid *sim, const ori_group *g, const ori_wish *wish, double from)
{
    double start = from;
    from = earliest_of_each(sim, g, wish, start);
    while (sim->pools.turned < sim->in->turn_count && from > start && from < INFINITY) {
        start = from;
        from = earliest_of_each(sim, g, wish, start);
    }
    return from;
}

orr_status ori_pools_change(orr_rigid *sim, const ori_group *g, const ori_wish *wish, double start,
                            bool takes, orr_error *err)
{
    (void)err;
    double end = ori_wish_holds_until(wish, start);
    for (int32_t i = 0; wish->job >= 0 && i < sim->in->pool_count; i++) {
        int64_t need = orr_need_of(sim->in, wish->job, i);
        if (need == 0)
            continue;
        int32_t plan = need_plan(sim, g, wish, i), *count = &sim->pools.counts[plan];
        change_from(steps_of(sim, plan), count, start, end, takes ? -need : need);
    }
    return ORR_OK;
}
