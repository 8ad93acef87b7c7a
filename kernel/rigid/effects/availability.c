/* Availability of processors and of all else that jobs share: see the header. A plan counts
 * processors as long as counting is enough. Where windows are known it counts until one of its
 * searches reaches a window: then the reservations of this decision bind to particular processors,
 * in order of their starts, and the plan goes on with these (READINGS 48). Where jobs have a
 * placement a plan has particular processors from the beginning. */
#include "rigid/effects/availability_internal.h"

#include "rigid/effects/capacity_internal.h"

#include "base/array_internal.h"
#include "base/sort_internal.h"
#include "schedule/procset_internal.h"

/* --- parts beside processors ------------------------------------------------------------------ */

static const ori_share of_pools = {ori_pools_limit, ori_pools_are_free, ori_pools_begin,
                                   ori_pools_earliest, ori_pools_change};
static const ori_share of_nodes = {ori_nodes_limit, ori_nodes_are_free, ori_nodes_begin,
                                   ori_nodes_earliest, ori_nodes_change};

/* The parts, in the order in which they are asked; NULL is the last. */
static const ori_share *const shares[] = {&of_pools, ORI_HAS_NODES ? &of_nodes : NULL, NULL};

bool ori_rigid_has_shares(const orr_rigid *sim)
{
    for (const ori_share *const *s = shares; *s; s++)
        if ((*s)->limits(sim))
            return true;
    return false;
}

static orr_status begin_shares(orr_rigid *sim, const ori_group *g, orr_error *err)
{
    for (const ori_share *const *s = shares; sim->needs.shares && *s; s++)
        ORI_TRY((*s)->begin(sim, g, err));
    return ORR_OK;
}

static orr_status change_shares(orr_rigid *sim, const ori_group *g, const ori_wish *wish,
                                double start, bool takes, orr_error *err)
{
    for (const ori_share *const *s = shares; sim->needs.shares && start < INFINITY && *s; s++)
        ORI_TRY((*s)->change(sim, g, wish, start, takes, err));
    return ORR_OK;
}

/* The earliest start, not before `from`, at which each part alone has its share. */
static double earliest_of_shares(orr_rigid *sim, const ori_group *g, const ori_wish *wish,
                                 double from)
{
    for (const ori_share *const *s = shares; sim->needs.shares && from < INFINITY && *s; s++)
        from = (*s)->earliest(sim, g, wish, from);
    return from;
}

bool ori_rigid_shares_are_free(const orr_rigid *sim, int32_t job, bool now)
{
    const ori_wish wish = now ? (ori_wish){.job = job} : ori_rigid_wish(sim, job, false);
    for (const ori_share *const *s = shares; *s; s++)
        if (!(*s)->is_free(sim, &wish))
            return false;
    return true;
}

/* Whether a job that starts now has its share until its planned end, beside all reservations. */
static bool has_share_beside(orr_rigid *sim, const ori_group *g, const ori_wish *wish)
{
    double now = sim->shell.now;
    return ori_rigid_has_share(sim, wish->job) && !(earliest_of_shares(sim, g, wish, now) > now);
}

orr_status ori_rigid_take_shares(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    const ori_wish wish = ori_rigid_wish(sim, job, false);
    if (g->plan_valid && !g->placed)
        ORI_TRY(ori_pools_change(sim, g, &wish, sim->shell.now, true, err));
    ori_pools_take(sim, job);
    return ori_machine_nodes(sim) ? ori_nodes_take_job(sim, job, err) : ORR_OK;
}

void ori_rigid_give_shares(orr_rigid *sim, int32_t job)
{
    const orr_instance *in = sim->in;
    double now = sim->shell.now, start = sim->start[job], *held = sim->used;
    double time = in->has_window ? orr_part_in_window(in, start, now) : now - start;
    for (int32_t i = 0; i < in->pool_count; i++)
        held[i] += time * (double)orr_need_of(in, job, i);
    if (!sim->needs.shares)
        return;
    ori_pools_give(sim, job);
    if (!ori_machine_nodes(sim))
        return;
    held += ORR_MOST_NEEDS;
    ori_nodes_add_held(sim, job, time, held, held + ORR_MOST_NODE_RESOURCES);
    ori_nodes_give_job(sim, job);
}

orr_status ori_rigid_reserve_shares(orr_rigid *sim, ori_group *g, int32_t job, double *from,
                                    orr_error *err)
{
    const ori_wish wish = ori_rigid_wish(sim, job, false);
    ORI_TRY(begin_shares(sim, g, err));
    *from = earliest_of_shares(sim, g, &wish, *from);
    return change_shares(sim, g, &wish, *from, true, err);
}

orr_status ori_rigid_share_beside(orr_rigid *sim, ori_group *g, int32_t job, bool *has,
                                  orr_error *err)
{
    const ori_wish wish = ori_rigid_wish(sim, job, false);
    *has = has_share_beside(sim, g, &wish);
    return *has ? change_shares(sim, g, &wish, sim->shell.now, true, err) : ORR_OK;
}

/* --- particular processors -------------------------------------------------------------------- */

/* The time at which a processor that a job holds is free: drained ones come back later than the job
 * ends. */
static double free_at(const orr_rigid *sim, double end, int32_t processor)
{
    return ori_later(end, sim->outages.drained_until[processor]);
}

/* A walk over the processors of a group, in runs that are free at the same time. */
typedef struct walk {
    ori_awaited here; /* numbered from the group's first; free now: -inf */
    int32_t free;     /* the next run of free ones */
    int32_t last;     /* of the run of the job that holds what is here */
    double end;       /* of this job, s */
} walk;

static walk begin_walk(void)
{
    return (walk){.here.run.high = -1, .last = -1};
}

/* A run of a job that begins here. With `lasts`, a job that takes no time holds its processors
 * until the next double. */
static void enter_job(const orr_rigid *sim, const ori_group *g, bool lasts, walk *w)
{
    const ori_processors *held = &sim->processors;
    int32_t at = g->first + w->here.run.low, job = held->holder[at];
    w->last = held->last[at] - g->first;
    w->end = sim->planned_end[job];
    if (lasts && !(w->end > sim->start[job]))
        w->end = nextafter(sim->start[job], INFINITY);
}

/* Goes to the next run; false: there is none. */
static bool walk_on(const orr_rigid *sim, const ori_group *g, bool lasts, walk *w)
{
    const orr_procset *free = &sim->processors.free[g->index];
    const double *down_until = sim->outages.down_until; /* NULL where none ever fails */
    int32_t low = w->here.run.high + 1, high = low, end = g->procs;
    if (low == end)
        return false;
    w->here.run.low = low;
    if (w->free < free->count && free->intervals[w->free].low == low) {
        w->here.time = -INFINITY;
        high = free->intervals[w->free++].high;
    } else if (ori_is_down(sim, g->first + low)) {
        w->here.time = down_until[g->first + low];
        while (high + 1 < end && ori_is_down(sim, g->first + high + 1) &&
               down_until[g->first + high + 1] == w->here.time)
            high++;
    } else {
        if (low > w->last)
            enter_job(sim, g, lasts, w);
        bool drains = sim->outages.at.draining;
        w->here.time = drains ? free_at(sim, w->end, g->first + low) : w->end;
        high = drains ? low : w->last;
        while (high < w->last && free_at(sim, w->end, g->first + high + 1) == w->here.time)
            high++;
    }
    w->here.run.high = high;
    return true;
}

/* An ori_named_extend, with an ori_placed as its user. */
static orr_status extend_named(void *user, double start, double end, orr_error *err)
{
    ori_placed *p = user;
    return ori_windows_take(&p->seen, start, end, err);
}

/* Lists the processors that are not free, in order of time; returns how many runs they form. */
static int32_t await_all(const orr_rigid *sim, const ori_group *g, bool lasts)
{
    ori_placed *p = g->placed;
    int32_t count = 0;
    for (walk w = begin_walk(); walk_on(sim, g, lasts, &w);)
        if (w.here.time > -INFINITY)
            p->awaited[count++] = w.here;
    ori_sort(p->awaited, count, sizeof *p->awaited, ori_is_less, p->scratch);
    return count;
}

/* Begins the profile of a group with particular processors. lasts: an attempt that takes no time
 * holds its processors until the next double (see ori_wish), and processors planned to be free by
 * now are free. */
static orr_status make_named(orr_rigid *sim, ori_group *g, bool lasts, orr_error *err)
{
    ori_placed *p = g->placed;
    const orr_procset *set = &sim->processors.free[g->index];
    const ori_runs free = {set->intervals, set->count, 0};
    int32_t count = await_all(sim, g, lasts);
    p->promised = lasts;
    p->plan.kept &= lasts;
    if (ori_named_joins(&p->plan))
        ori_windows_tell_apart(&p->seen, p->windows->at.past);
    ORI_TRY(ori_named_begin(&p->plan, sim->shell.now, &free, err));
    for (int32_t i = 0; i < count && p->awaited[i].time < INFINITY; i++)
        ORI_TRY(ori_named_append(&p->plan, p->awaited[i].time, p->awaited[i].run,
                                 lasts && p->awaited[i].time <= sim->shell.now, err));
    p->seen.taken = p->windows->at.past;
    p->plan.extend = extend_named;
    p->plan.extend_user = p;
    ORI_TRY(extend_named(p, sim->shell.now, sim->shell.now, err));
    return begin_shares(sim, g, err);
}

/* Makes this decision's plan with particular processors if it is not there yet. */
static orr_status need_named(orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (g->placed->valid)
        return ORR_OK;
    ORI_TRY(make_named(sim, g, false, err));
    g->placed->valid = true;
    g->plan_reservations = 0;
    return ORR_OK;
}

double ori_rigid_horizon(const orr_rigid *sim, const ori_group *g)
{
    return g->placed
               ? ori_windows_horizon(&sim->outages.windows, g->first, g->procs, sim->shell.now)
               : INFINITY;
}

/* Removes the processors of the windows that do not admit a wish from `left`. *freed becomes the
 * end of the first of them, if that is earlier. Returns the end of the last one that leaves too few
 * processors of the group; else `start`. */
static double leave_to_windows(const orr_rigid *sim, ori_placed *p, const ori_wish *wish,
                               double start, double end, double *freed)
{
    int32_t procs = p->place.procs;
    ori_stay stay = {sim->jobs, wish->job, p->place.first, procs, start, end, false, 0};
    double last = start;
    for (orr_interval run = {0, -1}; ori_windows_meet(p->windows, &stay, &run);) {
        double to = p->windows->list[stay.next - 1].to;
        ori_procset_remove(&p->left, run);
        *freed = to < *freed ? to : *freed;
        if (wish->procs > procs - (run.high - run.low + 1))
            last = ori_later(last, to);
    }
    return last;
}

/* Finds processors among those that are free now, or, of these, `spare`, without regard to plans,
 * and that windows leave free until `end`. */
static orr_status find_until(const orr_rigid *sim, const ori_group *g, const ori_wish *wish,
                             double end, bool spare, bool *found, orr_error *err)
{
    ori_placed *p = g->placed;
    const orr_procset *free = &sim->processors.free[g->index];
    *found = wish->procs <= g->at.free && ori_rigid_has_share(sim, wish->job);
    if (!*found)
        return ORR_OK;
    double horizon = ori_rigid_horizon(sim, g);
    if (!spare && horizon > sim->shell.now && end <= horizon) {
        const ori_runs runs = {free->intervals, free->count, 0};
        return ori_place_find(&p->place, wish, &runs, found, err);
    }
    ORI_TRY(ori_procset_copy(&p->left, spare ? &p->spare : free, err));
    leave_to_windows(sim, p, wish, sim->shell.now, end, &(double){INFINITY});
    const ori_runs left = {p->left.intervals, p->left.count, 0};
    return ori_place_find(&p->place, wish, &left, found, err);
}

orr_status ori_rigid_find_free(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                               orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, false);
    return find_until(sim, g, &wish, ori_wish_end(&wish, sim->shell.now), false, found, err);
}

orr_status ori_rigid_find_now(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                              orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, false);
    ORI_TRY(ori_rigid_find_free(sim, g, job, found, err));
    return *found ? ORR_OK : find_until(sim, g, &wish, sim->shell.now, false, found, err);
}

orr_status ori_rigid_find_spare(const orr_rigid *sim, const ori_group *g, int32_t job, bool *found,
                                orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, false);
    return find_until(sim, g, &wish, ori_wish_end(&wish, sim->shell.now), true, found, err);
}

/* --- the only reservation of a decision ------------------------------------------------------- */

/* Lists the processors that are free at `time` as planned. Returns when the next ones are, s. */
static double list_free(const orr_rigid *sim, const ori_group *g, double time, orr_procset *set)
{
    double next = INFINITY;
    set->count = 0; /* there is room */
    for (walk w = begin_walk(); walk_on(sim, g, false, &w);) {
        orr_interval run = w.here.run;
        if (w.here.time > time)
            next = w.here.time < next ? w.here.time : next;
        else if (set->count > 0 && set->intervals[set->count - 1].high + 1 == run.low)
            set->intervals[set->count - 1].high = run.high;
        else
            set->intervals[set->count++] = run;
    }
    return next;
}

/* Windows alone keep a wish from a start from `from` on and before `until`, which are joined with
 * what is known of it. */
static void note_closed(ori_placed *p, const ori_wish *wish, double from, double until)
{
    bool same = p->closed.job == wish->job && p->closed.estimate == wish->estimate;
    if (same && until < p->closed_from)
        return;
    bool joins = same && from <= p->closed_until;
    p->closed = *wish;
    p->closed_from = joins && p->closed_from < from ? p->closed_from : from;
    p->closed_until = joins ? ori_later(p->closed_until, until) : until;
}

orr_status ori_rigid_reserve_head(const orr_rigid *sim, const ori_group *g, int32_t job,
                                  double *start, orr_error *err)
{
    ori_placed *p = g->placed;
    const ori_wish wish = ori_rigid_wish(sim, job, false);
    int32_t procs;
    double next, closed = NAN; /* since when windows alone are in the way, s */
    bool found = false;
    if (wish.procs > g->at.free)
        *start = ori_later(*start, ori_ends_when(&g->planned, g->at.free, wish.procs, &procs));
    for (; !found && *start < INFINITY; *start = found ? *start : next) {
        if (p->closed.job == job && p->closed.estimate == wish.estimate &&
            *start >= p->closed_from && *start < p->closed_until)
            *start = p->closed_until;
        next = list_free(sim, g, *start, &p->left);
        double last = leave_to_windows(sim, p, &wish, *start, ori_wish_end(&wish, *start), &next);
        if (last > *start) {
            closed = isnan(closed) ? *start : closed;
            note_closed(p, &wish, closed, next = last);
            continue;
        }
        closed = NAN;
        const ori_runs left = {p->left.intervals, p->left.count, 0};
        ORI_TRY(ori_place_find(&p->place, &wish, &left, &found, err));
    }
    ORI_TRY(ori_procset_copy(&p->spare, &sim->processors.free[g->index], err));
    p->place.found.count = found ? p->place.found.count : 0;
    return ORR_OK;
}

/* --- counted processors ----------------------------------------------------------------------- */

void ori_rigid_make_plan(orr_rigid *sim, ori_group *g)
{
    ori_plan_make(&g->plan, &g->planned, sim->shell.now, g->at.free);
}

static inline orr_status need_counted(orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (g->plan_valid)
        return ORR_OK;
    if (ORR_LIKELY(!ori_machine_nodes(sim)))
        ori_rigid_make_plan(sim, g);
    g->promises.steady &= !ori_machine_nodes(sim); /* the plan is another one now */
    g->plan_valid = true;
    g->kept = false;
    g->plan_reservations = 0;
    if (ORR_UNLIKELY(g->placed != NULL))
        g->placed->counted_count = 0;
    return begin_shares(sim, g, err);
}

bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job)
{
    int32_t procs = sim->jobs->procs[job], step;
    if (procs > g->at.free || need_counted(sim, g, NULL) != ORR_OK)
        return false;
    ori_plan_earliest(&g->plan, procs, sim->estimate[job], sim->in->verification, &step);
    if (ORR_LIKELY(step != 0 || !sim->needs.shares))
        return step == 0; /* a later step at this time is after the end of jobs that take no time */
    const ori_wish wish = ori_rigid_wish(sim, job, false);
    return has_share_beside(sim, g, &wish);
}

/* The processors of attempts that take no time and whose ends, at this instant, are still to
 * come. */
static int32_t held_for_an_instant(const orr_rigid *sim, const ori_group *g)
{
    int32_t held = 0;
    for (int32_t i = 0; i < sim->ends.count; i++) {
        int32_t job = (int32_t)sim->ends.heap[i].payload;
        if (sim->planned_end[job] <= sim->start[job] && ori_group_of(sim, job) == g)
            held += sim->jobs->procs[job];
    }
    return held;
}

/* Begins the timetable, without reservations. Processors that are planned to be free by now are
 * free, even if the end or repair, an event of this instant, is still to come (READINGS 35). */
static void make_timetable(orr_rigid *sim, ori_group *g)
{
    const ori_plan *plan = &g->plan;
    double now = sim->shell.now;
    int32_t i = 1;
    ori_rigid_make_plan(sim, g);
    while (i < plan->count && plan->time[i] <= now)
        i++;
    int32_t held = i > 1 ? held_for_an_instant(sim, g) : 0;
    ori_timetable_begin(&g->promises.table, now, plan->available[i - 1] - held);
    if (held > 0)
        ori_timetable_append(&g->promises.table, ori_timetable_end(now, now),
                             plan->available[i - 1]);
    for (; i < plan->count && plan->time[i] < INFINITY; i++)
        ori_timetable_append(&g->promises.table, plan->time[i], plan->available[i]);
}

/* --- all parts together ----------------------------------------------------------------------- */

typedef enum profile { COUNTED, NAMED, PROMISED } profile;

/* The earliest start on processors, not before `from`. */
static orr_status search_processors(orr_rigid *sim, ori_group *g, profile in, const ori_wish *wish,
                                    double from, ori_slot *slot, orr_error *err)
{
    int32_t step = 0;
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL)) { /* nodes have the processors */
        *slot = (ori_slot){from, from > sim->shell.now};
        return ORR_OK;
    }
    if (in == NAMED) {
        ori_placed *p = g->placed;
        ORI_TRY(
            ori_named_earliest(&p->plan, wish, from, ori_place_find, &p->place, &slot->step, err));
        slot->start = slot->step < 0 ? INFINITY : p->plan.time[slot->step];
        return ORR_OK;
    }
    if (in == PROMISED)
        slot->start = ori_timetable_earlier(&g->promises.table, wish, from, INFINITY);
    else if (from > sim->shell.now)
        slot->start = ori_plan_earliest_from(&g->plan, wish, from, &step);
    else
        slot->start =
            ori_plan_earliest(&g->plan, wish->procs, wish->estimate, wish->verification, &step);
    slot->step = step;
    return ORR_OK;
}

/* When a slot takes its shares: a later step of this instant is behind attempts that take no
 * time. */
static double shares_from(const orr_rigid *sim, const ori_slot *slot)
{
    bool behind = slot->step > 0 && slot->step != ORI_BETWEEN && slot->start == sim->shell.now;
    return ORR_UNLIKELY(behind) ? nextafter(slot->start, INFINITY) : slot->start;
}

/* The earliest start on which all parts agree. */
static orr_status agree(orr_rigid *sim, ori_group *g, profile in, const ori_wish *wish, double from,
                        ori_slot *slot, orr_error *err)
{
    for (;;) {
        ORI_TRY(search_processors(sim, g, in, wish, from, slot, err));
        double start = shares_from(sim, slot);
        from = earliest_of_shares(sim, g, wish, start);
        if (!(from > start))
            return ORR_OK;
        if (from == INFINITY) {
            *slot = (ori_slot){INFINITY, -1};
            return ORR_OK;
        }
    }
}

bool ori_rigid_reaches(const orr_rigid *sim, const ori_group *g, const ori_wish *wish, double start)
{
    double horizon = ORR_LIKELY(!g->placed) ? INFINITY : ori_rigid_horizon(sim, g);
    return horizon < INFINITY && start < INFINITY &&
           (start >= horizon || ori_wish_end(wish, start) > horizon);
}

bool ori_rigid_counts(const orr_rigid *sim, const ori_group *g)
{
    return !g->placed || (g->has_plan && g->policy.place == ORR_PLACE_ANY && !g->placed->valid &&
                          !g->placed->names && ori_rigid_horizon(sim, g) > sim->shell.now);
}

/* Binds the reservations of this decision to particular processors. One that finds none at its
 * start, because the policy has started jobs in spite of the plan, moves to a later start. */
static orr_status bind_reservations(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_placed *p = g->placed;
    ori_counted *scratch;
    int32_t count = g->plan_valid ? p->counted_count : 0, made = count ? g->plan_reservations : 0;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(scratch, count + 1));
    ORI_TRY(need_named(sim, g, err));
    if (count > 0)
        ori_sort(p->counted, count, sizeof *p->counted, ori_is_less, scratch);
    for (int32_t i = 0; i < count; i++) {
        const ori_counted *c = &p->counted[i];
        ori_slot slot = {c->start, -1};
        ORI_TRY(
            ori_named_at(&p->plan, &c->wish, c->start, ori_place_find, &p->place, &slot.step, err));
        if (slot.step < 0)
            ORI_TRY(agree(sim, g, NAMED, &c->wish, sim->shell.now, &slot, err));
        ORI_TRY(ori_rigid_take(sim, g, &c->wish, &slot, err));
    }
    g->plan_reservations = made;
    g->plan_valid = false;
    return ORR_OK;
}

orr_status ori_rigid_count_earliest(orr_rigid *sim, ori_group *g, const ori_wish *wish,
                                    ori_slot *slot, bool *reaches, orr_error *err)
{
    ORI_TRY(need_counted(sim, g, err));
    ORI_TRY(agree(sim, g, COUNTED, wish, sim->shell.now, slot, err));
    *reaches = ori_rigid_reaches(sim, g, wish, slot->start);
    return ORR_OK;
}

orr_status ori_rigid_earliest(orr_rigid *sim, ori_group *g, const ori_wish *wish, double from,
                              ori_slot *slot, orr_error *err)
{
    if (ori_rigid_counts(sim, g) && !(from > sim->shell.now)) {
        bool reaches;
        ORI_TRY(ori_rigid_count_earliest(sim, g, wish, slot, &reaches, err));
        if (!reaches)
            return ORR_OK;
        ORI_TRY(bind_reservations(sim, g, err));
    }
    ORI_TRY(need_named(sim, g, err));
    return agree(sim, g, NAMED, wish, from, slot, err);
}

orr_status ori_rigid_starts_now(orr_rigid *sim, ori_group *g, const ori_wish *wish, ori_slot *slot,
                                orr_error *err)
{
    bool found;
    if (ori_rigid_counts(sim, g)) {
        ORI_TRY(ori_rigid_count_earliest(sim, g, wish, slot, &found, err));
        if (slot->step > 0)
            slot->step = -1;
        if (slot->step < 0 || !found)
            return ORR_OK;
        ORI_TRY(bind_reservations(sim, g, err));
    }
    ori_placed *p = g->placed;
    ORI_TRY(need_named(sim, g, err));
    ORI_TRY(ori_named_starts_now(&p->plan, wish, ori_place_find, &p->place, &found, err));
    *slot = (ori_slot){sim->shell.now, found ? 0 : -1};
    if (found && earliest_of_shares(sim, g, wish, slot->start) > slot->start)
        slot->step = -1;
    return ORR_OK;
}

static orr_status note_counted(ori_placed *p, const ori_wish *wish, double start, orr_error *err)
{
    if (ORR_LIKELY(!p))
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&p->alloc, &p->counted, &p->counted_capacity, p->counted_count + 1, err));
    p->counted[p->counted_count++] = (ori_counted){start, *wish};
    return ORR_OK;
}

orr_status ori_rigid_take(orr_rigid *sim, ori_group *g, const ori_wish *wish, const ori_slot *slot,
                          orr_error *err)
{
    if (slot->step < 0)
        return ORR_OK;
    double end = ori_wish_end(wish, slot->start);
    ORI_TRY(change_shares(sim, g, wish, shares_from(sim, slot), true, err));
    if (ori_machine_nodes(sim))
        return ORR_OK;
    if (g->placed && g->placed->valid)
        return ori_named_take_at(&g->placed->plan, slot->step, end, &g->placed->place.found, err);
    if (slot->step == ORI_BETWEEN)
        ori_plan_place(&g->plan, slot->start, end, wish->procs);
    else
        ori_plan_reserve(&g->plan, (int32_t)slot->step, end, wish->procs);
    return slot->start < INFINITY ? note_counted(g->placed, wish, slot->start, err) : ORR_OK;
}

orr_status ori_rigid_take_now(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    ori_placed *p = g->placed;
    if (!p || !(p->valid || g->plan_valid))
        return ORR_OK;
    ori_wish wish = ori_rigid_wish(sim, job, false);
    double now = sim->shell.now;
    ORI_TRY(change_shares(sim, g, &wish, now, true, err));
    return p->valid ? ori_named_take_at(&p->plan, 0, ori_wish_end(&wish, now), &p->place.found, err)
                    : ORR_OK;
}

orr_status ori_rigid_reserve(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                             orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, false);
    ori_slot slot;
    if (ORI_HAS_NODES && sim->nodes.stale && g->plan_valid)
        ORI_TRY(ori_rigid_reserve_again(sim, g, err));
    ORI_TRY(ori_rigid_earliest(sim, g, &wish, sim->shell.now, &slot, err));
    g->plan_reservations++;
    if (ORR_UNLIKELY(sim->reservations))
        sim->reservations[job] = slot.start;
    *start = slot.start;
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL) && slot.start < INFINITY)
        sim->nodes.list[sim->nodes.list_count++] = job;
    return ori_rigid_take(sim, g, &wish, &slot, err);
}

/* --- beside the reservations of a decision on nodes ------------------------------------------- */

/* A reservation that is made again: as it was. */
typedef struct former {
    double start; /* s */
    int32_t job, pieces;
} former;

/* Makes reservations again, in their order, where `beside` starts now (-1: nobody), up to the first
 * that is later than before. As they were before they are in `list`, to be freed or put back. */
static orr_status make_again(orr_rigid *sim, ori_group *g, former *list, int32_t count,
                             int32_t beside, bool *stay, orr_error *err)
{
    *stay = true;
    ORI_TRY(ori_pools_begin(sim, g, err));
    if (beside >= 0) {
        const ori_wish wish = ori_rigid_wish(sim, beside, false);
        ORI_TRY(ori_pools_change(sim, g, &wish, sim->shell.now, true, err));
    }
    for (int32_t i = 0; i < count; i++) {
        list[i].start = sim->nodes.reserved_at[list[i].job];
        list[i].pieces = ori_nodes_lift(&sim->nodes, list[i].job);
    }
    for (int32_t i = 0; i < count && *stay; i++) {
        const ori_wish wish = ori_rigid_wish(sim, list[i].job, false);
        ori_slot slot;
        ORI_TRY(agree(sim, g, COUNTED, &wish, sim->shell.now, &slot, err));
        *stay = beside < 0 || !(slot.start > list[i].start);
        if (*stay)
            ORI_TRY(ori_rigid_take(sim, g, &wish, &slot, err));
    }
    return ORR_OK;
}

/* The reservations stay as they were made again. */
static void settle_again(orr_rigid *sim, former *list, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        ori_nodes_free_pieces(&sim->nodes, &list[i].pieces);
        if (ORR_UNLIKELY(sim->reservations) && !isnan(sim->nodes.reserved_at[list[i].job]))
            sim->reservations[list[i].job] = sim->nodes.reserved_at[list[i].job];
    }
}

static orr_status put_back(orr_rigid *sim, ori_group *g, const former *list, int32_t count,
                           orr_error *err)
{
    ORI_TRY(ori_pools_begin(sim, g, err));
    for (int32_t i = 0; i < count; i++) {
        int32_t pieces = ori_nodes_lift(&sim->nodes, list[i].job);
        ori_nodes_free_pieces(&sim->nodes, &pieces);
    }
    for (int32_t i = 0; i < count; i++) {
        const ori_wish wish = ori_rigid_wish(sim, list[i].job, false);
        sim->nodes.pieces[list[i].job] = list[i].pieces;
        ORI_TRY(change_shares(sim, g, &wish, list[i].start, true, err));
    }
    return ORR_OK;
}

/* The reservations that may be affected by a job; -1: all. */
static int32_t list_affected(const orr_rigid *sim, int32_t job, former *list, double *first)
{
    const ori_nodes *n = &sim->nodes;
    bool all = job < 0 || ori_pools_limit(sim);
    int32_t count = 0;
    *first = INFINITY;
    for (int32_t i = 0; i < n->list_count; i++) {
        int32_t other = n->list[i];
        if (!all && ori_nodes_component(n, other) != ori_nodes_component(n, job))
            continue;
        if (n->reserved_at[other] < *first)
            *first = n->reserved_at[other];
        list[count++].job = other;
    }
    return count;
}

orr_status ori_rigid_reserve_again(orr_rigid *sim, ori_group *g, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    former *list;
    bool stay;
    double first;
    n->stale = false;
    if (n->list_count == 0)
        return ORR_OK;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(list, n->list_count));
    int32_t count = list_affected(sim, -1, list, &first);
    ORI_TRY(make_again(sim, g, list, count, -1, &stay, err));
    settle_again(sim, list, count);
    return ORR_OK;
}

orr_status ori_rigid_starts_beside(orr_rigid *sim, ori_group *g, int32_t job, bool settle,
                                   bool *starts, orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    former *list;
    double first, before = sim->planned_end[job];
    ORI_TRY(need_counted(sim, g, err));
    *starts = sim->jobs->procs[job] <= g->at.free && isnan(n->reserved_at[job]) &&
              ori_rigid_has_share(sim, job);
    if (!*starts || n->list_count == 0)
        return ORR_OK;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(list, n->list_count));
    int32_t count = list_affected(sim, job, list, &first);
    double end = ori_rigid_planned_end(sim, job, sim->shell.now);
    bool ends = end <= first && first > sim->shell.now; /* what takes no time holds this instant */
    if (count == 0 || (ends && !sim->asked.plain))
        return ORR_OK;
    ORI_TRY(ori_nodes_choose_now(sim, job, err));
    if (count == 1 && ori_nodes_is_only(n, job) && !ori_pools_limit(sim) && !sim->asked.plain) {
        *starts = ori_nodes_spare(sim, job);
        n->stale |= *starts && settle;
        return ORR_OK;
    }
    sim->planned_end[job] = end;
    ORI_TRY(ori_nodes_try(sim, job, err));
    ORI_TRY(make_again(sim, g, list, count, job, starts, err));
    ori_nodes_end_try(sim, job);
    sim->planned_end[job] = before;
    if (!(*starts && settle))
        return put_back(sim, g, list, count, err);
    settle_again(sim, list, count);
    const ori_wish wish = ori_rigid_wish(sim, job, false);
    return ori_pools_change(sim, g, &wish, sim->shell.now, false, err); /* its start takes them */
}

/* --- promises --------------------------------------------------------------------------------- */

bool ori_rigid_has_promised_shares(orr_rigid *sim, int32_t job)
{
    const ori_wish wish = {.job = job};
    return ori_machine_nodes(sim)
               ? ori_pools_are_free(sim, &wish) && ori_nodes_find_reserved(sim, job)
               : ori_rigid_has_share(sim, job);
}

static bool by_name(const ori_group *g)
{
    return g->placed && g->placed->bound;
}

orr_status ori_rigid_begin_promises(orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (by_name(g)) {
        ori_named_renew_gains(&g->placed->plan, !g->promises.current);
        return make_named(sim, g, true, err);
    }
    if (ORR_LIKELY(!ori_machine_nodes(sim)))
        make_timetable(sim, g);
    else if (sim->nodes.given_up != g->promises.given_up)
        ori_nodes_note_all(&sim->nodes);
    sim->nodes.given_up = g->promises.given_up;
    ORI_TRY(begin_shares(sim, g, err));
    if (g->promises.pool_count > 0)
        ori_pools_begin_tables(sim, g, g->promises.pools);
    return ORR_OK;
}

double ori_rigid_earlier_promise(const orr_rigid *sim, ori_group *g, int32_t job, double from,
                                 double before)
{
    ori_promises *p = &g->promises;
    ori_wish wish = ori_rigid_wish(sim, job, true);
    int32_t tables = 1 + p->pool_count;
    /* pools first: where they are kept, they are mostly what jobs wait for */
    for (int32_t i = tables - 1, agreed = 0; agreed < tables; i = (i + 1) % tables) {
        wish.procs = ori_promised_need(sim->in, job, i);
        double start = from;
        if (wish.procs > 0)
            start = ori_timetable_earlier(ori_promises_table(p, i), &wish, from, before);
        if (start == INFINITY)
            return INFINITY;
        agreed = start > from ? 1 : agreed + 1;
        from = start;
    }
    return from;
}

orr_status ori_rigid_find_promise(orr_rigid *sim, ori_group *g, int32_t job, double *start,
                                  orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, true);
    ori_slot slot;
    if (g->promises.pool_count > 0) {
        *start = ori_rigid_earlier_promise(sim, g, job, sim->shell.now, INFINITY);
        return ORR_OK;
    }
    ORI_TRY(agree(sim, g, by_name(g) ? NAMED : PROMISED, &wish, sim->shell.now, &slot, err));
    *start = slot.start;
    return ORR_OK;
}

orr_status ori_rigid_note_promise(ori_group *g, int32_t job, double start, orr_error *err)
{
    g->promises.start[job] = start;
    ori_promises_note(&g->promises, job);
    return by_name(g) && start < INFINITY ? ori_placed_reserve(g->placed, job, err) : ORR_OK;
}

orr_status ori_rigid_pull_promise(const orr_rigid *sim, ori_group *g, int32_t job, double start,
                                  orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, true);
    for (int32_t i = 0; i <= g->promises.pool_count; i++) {
        wish.procs = ori_promised_need(sim->in, job, i);
        if (wish.procs > 0)
            ori_timetable_pull(ori_promises_table(&g->promises, i), &wish, g->promises.start[job],
                               start);
    }
    return ori_rigid_note_promise(g, job, start, err);
}

orr_status ori_rigid_move_promise(orr_rigid *sim, ori_group *g, int32_t job, bool *moved,
                                  orr_error *err)
{
    ori_nodes *n = &sim->nodes;
    double before = g->promises.start[job], start;
    *moved = false;
    if (!ori_nodes_may_move(n, job) && !sim->asked.plain && !ori_pools_limit(sim))
        return ORR_OK;
    ORI_TRY(ori_rigid_give_promise(sim, g, job, err));
    n->until = before;
    orr_status status = ori_rigid_find_promise(sim, g, job, &start, err);
    n->until = INFINITY;
    ORI_TRY(status);
    *moved = start < before;
    if (*moved)
        ori_nodes_leave_reserved(n, job);
    else
        ori_nodes_keep_reserved(n, job);
    if (*moved)
        ORI_TRY(ori_rigid_note_promise(g, job, start, err));
    return ori_rigid_take_promise(sim, g, job, err);
}

/* Takes what a promise holds, or gives it back. */
static orr_status change_promise(orr_rigid *sim, ori_group *g, int32_t job, bool takes,
                                 orr_error *err)
{
    ori_promises *p = &g->promises;
    ori_wish wish = ori_rigid_wish(sim, job, true);
    double start = p->start[job], end = ori_wish_end(&wish, start);
    if (!ori_is_promised(p, job))
        return ORR_OK;
    if (p->pool_count == 0)
        ORI_TRY(change_shares(sim, g, &wish, start, takes, err));
    if (ori_machine_nodes(sim))
        return ORR_OK;
    if (by_name(g))
        return ori_named_change(&g->placed->plan, start, end, &g->placed->reserved[job], !takes,
                                err);
    ori_promises_change(p, sim->in, job, start, end, takes);
    return ORR_OK;
}

orr_status ori_rigid_take_promise(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    return change_promise(sim, g, job, true, err);
}

orr_status ori_rigid_give_promise(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    return change_promise(sim, g, job, false, err);
}

/* Whether the processors of a promise are free. Nodes must be wholly free, including the processors
 * of the last node that the job leaves idle. */
static orr_status has_named(ori_group *g, int32_t job, double start, double end, bool *fits,
                            orr_error *err)
{
    ori_placed *p = g->placed;
    const ori_runs *runs = &p->reserved[job];
    orr_interval idle = {runs->list[runs->count - 1].high, 0};
    int64_t behind = idle.low + 1, size = p->place.policy->node_procs;
    if (p->place.policy->place == ORR_PLACE_NODES)
        behind = (behind + size - 1) / size * size;
    idle.high = (behind < g->procs ? (int32_t)behind : g->procs) - 1;
    const ori_runs rest = {.list = &idle, .count = 1};
    if (end > p->plan.horizon)
        ORI_TRY(p->plan.extend(p->plan.extend_user, start, end, err));
    *fits = ori_named_has(&p->plan, start, end, runs) && ori_named_has(&p->plan, start, end, &rest);
    return ORR_OK;
}

orr_status ori_rigid_has_promise(orr_rigid *sim, ori_group *g, int32_t job, bool *fits,
                                 orr_error *err)
{
    ori_wish wish = ori_rigid_wish(sim, job, true);
    double start = g->promises.start[job], end = ori_wish_end(&wish, start);
    *fits = start >= sim->shell.now;
    if (*fits && ori_machine_nodes(sim)) /* it is bound to its nodes */
        *fits = !(ori_pools_earliest(sim, g, &wish, start) > start) &&
                ori_nodes_has_reserved(sim, &wish, start);
    else if (*fits && g->promises.pool_count == 0)
        *fits = !(earliest_of_shares(sim, g, &wish, start) > start);
    if (!*fits || ori_machine_nodes(sim))
        return ORR_OK;
    if (by_name(g))
        return has_named(g, job, start, end, fits, err);
    for (int32_t i = 0; *fits && i <= g->promises.pool_count; i++) {
        int32_t need = ori_promised_need(sim->in, job, i);
        *fits =
            need == 0 || ori_timetable_has(ori_promises_table(&g->promises, i), start, end, need);
    }
    return ORR_OK;
}
