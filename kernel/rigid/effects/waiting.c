/* Waiting jobs: priorities are asked for, jobs enter their queues at the right place, queues whose
 * order changes are sorted. A separate file because it is the only place where a policy's priority
 * is called during a simulation. */
#include "rigid/effects/waiting_internal.h"

#include "rigid/effects/checkpoints_internal.h"
#include "rigid/effects/estimates_internal.h"
#include "rigid/effects/hooks_internal.h"
#include "rigid/state/nodes_plan_internal.h"

#include <string.h>

/* --- ranks ----------------------------------------------------------------------------------- */

/* Whether jobs stand in the order of their positions, as in a log sorted by time if all priorities
 * are equal. Then nothing is sorted, and the sorter's memory is not touched. */
static bool are_in_order(const orr_rigid *sim, const ori_order *o)
{
    const double *key = o->key, *submit = sim->in->submit;
    if (o->level)
        return false;
    for (int32_t j = 1; j < sim->in->count; j++)
        if (!(key[j] < key[j - 1] || (key[j] == key[j - 1] && submit[j] >= submit[j - 1])))
            return false;
    return true;
}

void ori_groups_rank_all(orr_rigid *sim, ori_order *o)
{
    int32_t over = 0, count = sim->in->count, left = 0;
    const int32_t *before = o->displaced ? NULL : o->queue.job_at; /* likely in order already */
    o->displaced = false;
    if (!sim->asked.plain && are_in_order(sim, o)) {
        ori_queue_order(&o->queue, NULL);
        return;
    }
    ori_sorter sorter, *s = &sim->sorter; /* a fork, one of many, keeps no memory for it */
    if (sim->asked.opened &&
        ori_sorter_create(&sorter, sim->room, &sim->shell.alloc, NULL) == ORR_OK) {
        sorter.level = s->level;
        s = &sorter;
    }
    int32_t *jobs = s->jobs;
    for (int32_t i = 0; i < count; i++) {
        int32_t j = before ? before[i] : i;
        if (sim->state[j] == ORR_JOB_OVER) /* in front, until a reset brings it back */
            jobs[over++] = j;
        else
            s->entries[left++] = (ori_rank_entry){o->key[j], sim->in->submit[j], (uint32_t)j, j};
    }
    o->displaced = over > 0;
    ori_sorter_rank(s, left, jobs + over);
    for (int32_t j = count; j < sim->room; j++) /* new jobs stand behind all others */
        jobs[j] = j;
    ori_queue_order(&o->queue, jobs);
    if (s == &sorter)
        ori_block_destroy(&sorter.block, &sim->shell.alloc);
}

/* --- priorities ------------------------------------------------------------------------------- */

static orr_status ask_priority(orr_rigid *sim, const ori_group *g, ori_order *o, int32_t job,
                               orr_pcg *rng, orr_error *err)
{
    o->key[job] = 0;
    if (!o->priority)
        return ORR_OK;
    orr_rigid_priority_view view = {
        .instance = sim->in, .sim = sim, .rng = rng, .group = g->index, .procs = g->procs};
    if (o->per == ORR_PER_WORKLOAD)
        view.sim = NULL;
    if (o->until) {
        view.until = &o->until[job];
        *view.until = INFINITY;
    }
    ori_situation here = {.hook = o->hook, .group = g->index, .deciding = -1};
    ori_situation before = ori_situation_begin(sim, here, err);
    orr_status status = o->priority(o->user, &view, job, &o->key[job], err);
    status = ori_situation_end(sim, before, g->policy.name, status, err);
    ORI_FAIL_IF(status == ORR_OK && isnan(o->key[job]), err, ORR_ERR_POLICY,
                "policy %s: at time %.17g the %s of job %s is not a number (nan)", g->policy.name,
                sim->shell.now, o->hook, orr_jobs_id(sim->jobs, job));
    if (status != ORR_OK || !o->until || *view.until == INFINITY)
        return status;
    ORI_FAIL_IF(!(*view.until > sim->shell.now), err, ORR_ERR_POLICY,
                "policy %s: at time %.17g the %s of job %s is to change at %.17g, which is not "
                "later",
                g->policy.name, sim->shell.now, o->hook, orr_jobs_id(sim->jobs, job), *view.until);
    return ori_rigid_add_timer(sim, *view.until, job, err);
}

/* Asks for the priorities of all jobs, each with its own stream, and ranks the jobs. After taking
 * over `from`, asks only for jobs that are new or whose estimate has changed. */
static orr_status rank_by_streams(orr_rigid *sim, const ori_group *g, ori_order *o,
                                  const orr_rigid *from, orr_error *err)
{
    uint64_t scenario = o->per == ORR_PER_WORKLOAD ? 0 : sim->shell.scenario;
    orr_stream_key key = orr_stream_key_make(sim->shell.seed, sim->shell.set, scenario, o->purpose);
    const orr_formula *formula =
        o == &g->order ? g->policy.priority_formula : g->policy.backfill_formula;
    bool known = !o->priority;
    if (known)
        memset(o->key, 0, (size_t)sim->in->count * sizeof *o->key);
    else if (formula && o->per == ORR_PER_WORKLOAD && !from && !sim->asked.plain)
        ORI_TRY(ori_formula_of_workload(formula, sim->in, o->key, &known, &sim->shell.alloc, err));
    for (int32_t j = 0; !known && j < sim->in->count; j++) {
        if (from && j < from->in->count && sim->in->estimate[j] == from->in->estimate[j])
            continue;
        if (sim->in->submit[j] == INFINITY) { /* asked for when its submission is known */
            o->key[j] = 0;
            continue;
        }
        orr_pcg rng = orr_stream_open(key, (uint64_t)j);
        ORI_TRY(ask_priority(sim, g, o, j, &rng, err));
    }
    ori_groups_rank_all(sim, o);
    return ORR_OK;
}

orr_status ori_groups_rank(orr_rigid *sim, orr_rigid_per per, const double *given, orr_error *err)
{
    for (int32_t i = 0; i < sim->group_count; i++) {
        ori_group *g = &sim->groups[i];
        bool own = sim->policy.groups && sim->policy.groups[i].policy;
        for (ori_order *o = g->orders; o <= ori_last_order(g); o++) {
            if (o->per != per)
                continue;
            if (!given || i > 0 || own || o != &g->order) {
                ORI_TRY(rank_by_streams(sim, g, o, NULL, err));
                continue;
            }
            memcpy(o->key, given, (size_t)sim->in->count * sizeof *given);
            ori_groups_rank_all(sim, o);
        }
    }
    return ORR_OK;
}

/* Asks for the priority of a job submitted from outside. Static ranks stay valid if it stands
 * behind all others. */
static orr_status add_job(orr_rigid *sim, ori_group *g, ori_order *o, int32_t job, orr_error *err)
{
    uint64_t scenario = o->per == ORR_PER_WORKLOAD ? 0 : sim->shell.scenario;
    orr_stream_key key = orr_stream_key_make(sim->shell.seed, sim->shell.set, scenario, o->purpose);
    orr_pcg rng = orr_stream_open(key, (uint64_t)job);
    ORI_TRY(ask_priority(sim, g, o, job, &rng, err));
    if (o->dynamic || job == 0)
        return ORR_OK;
    int32_t last = o->queue.job_at[job - 1];
    ori_rank_entry mine = {o->key[job], sim->in->submit[job], (uint32_t)job, job};
    ori_rank_entry other = {o->key[last], sim->in->submit[last], (uint32_t)last, last};
    if (ori_rank_passes(o->level, &mine, &other))
        ori_group_loosen(g);
    return ORR_OK;
}

orr_status ori_groups_ask(orr_rigid *sim, int32_t job, orr_error *err)
{
    for (int32_t i = 0; i < sim->group_count; i++)
        for (ori_order *o = sim->groups[i].orders; o <= ori_last_order(&sim->groups[i]); o++)
            if (!ori_order_changes(o->per))
                ORI_TRY(add_job(sim, &sim->groups[i], o, job, err));
    return ORR_OK;
}

orr_status ori_groups_add(orr_rigid *sim, int32_t first, orr_error *err)
{
    for (int32_t i = 0; i < sim->group_count; i++)
        ori_promises_add(&sim->groups[i].promises, first, sim->in->count);
    for (int32_t i = 0; i < sim->group_count; i++)
        for (ori_order *o = sim->groups[i].orders; o <= ori_last_order(&sim->groups[i]); o++)
            for (int32_t j = first; !ori_order_changes(o->per) && j < sim->in->count; j++)
                ORI_TRY(add_job(sim, &sim->groups[i], o, j, err));
    return ORR_OK;
}

/* --- waiting jobs ----------------------------------------------------------------------------- */

static ori_rank_entry entry_of(const orr_rigid *sim, const ori_order *o, int32_t job)
{
    return (ori_rank_entry){o->key[job], sim->arrival[job],
                            sim->place ? sim->place[job] : (uint32_t)job, job};
}

/* The free rank at which a job is in order; -1 if there is none between its neighbours. The order
 * must not be dirty. */
static int32_t free_rank(const orr_rigid *sim, const ori_order *o, const ori_rank_entry *entry)
{
    int32_t from = 0, to = o->queue.tail, next;
    while (from < to) { /* jobs behind it wait at `to` or later */
        int32_t middle = from + (to - from) / 2;
        next = ori_queue_next_fit(&o->queue, middle, ORI_ANY_WIDTH);
        ori_rank_entry other;
        if (next >= 0)
            other = entry_of(sim, o, o->queue.job_at[next]);
        if (next < 0 || ori_rank_passes(o->level, entry, &other))
            to = middle;
        else
            from = next + 1;
    }
    next = ori_queue_next_fit(&o->queue, from, ORI_ANY_WIDTH);
    return next > 0 && ori_queue_is_free(&o->queue, next - 1) ? next - 1 : -1;
}

/* Puts a job at its place if this needs no sorting. */
static bool put_in_order(orr_rigid *sim, ori_order *o, const ori_rank_entry *entry)
{
    if (o->dirty || o->per == ORR_PER_DECISION || !ori_rank_passes(o->level, entry, &o->last))
        return false;
    int32_t job = entry->job, rank = free_rank(sim, o, entry);
    if (rank >= 0)
        ori_queue_put(&o->queue, rank, job, sim->jobs->procs[job], sim->estimate[job]);
    return rank >= 0;
}

static void sort_as_decided(orr_rigid *sim, const ori_group *g, ori_order *o);

static void put_dynamic(orr_rigid *sim, const ori_group *g, ori_order *o, int32_t job)
{
    if (o->formula.formula)
        ori_formula_keep(&o->formula, sim->in, job);
    if (o->sorted != ORI_SORTED && o->queue.tail == o->queue.capacity)
        sort_as_decided(sim, g, o); /* the ranks are about to change */
    ori_rank_entry entry = entry_of(sim, o, job);
    if (!put_in_order(sim, o, &entry))
        ori_order_append(o, &entry, sim->jobs->procs[job], sim->estimate[job]);
}

static inline void put(orr_rigid *sim, const ori_group *g, ori_order *o, int32_t job)
{
    if (o->dynamic)
        put_dynamic(sim, g, o, job);
    else
        ori_queue_insert(&o->queue, job, sim->jobs->procs[job], sim->estimate[job]);
}

static inline orr_status enter(orr_rigid *sim, const ori_group *g, ori_order *o, int32_t job,
                               orr_error *err)
{
    if (o->dynamic && (o->per == ORR_PER_ATTEMPT || o->per == ORR_PER_CHANGE))
        ORI_TRY(ask_priority(sim, g, o, job, &sim->shell.rng, err));
    put(sim, g, o, job);
    return ORR_OK;
}

/* --- limits ----------------------------------------------------------------------------------- */

/* A waiting job is over a limit: it leaves its queue, and its reservation is given up. */
static void set_aside(orr_rigid *sim, int32_t job)
{
    ori_group *g = ori_group_of(sim, job);
    ori_rigid_dequeue(g, job);
    if (g->composition.kept)
        ori_composition_count(&g->composition, sim->in, job, -1);
    if (!g->promises.kept || ori_has_no_reservation(&g->promises, job))
        return;
    ori_promises_free(&g->promises);
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL))
        ori_nodes_drop(&sim->nodes, job);
}

/* It is over none any more: it is in its place of the queue again, and as new to promises. */
static void bring_back(orr_rigid *sim, int32_t job)
{
    ori_group *g = ori_group_of(sim, job);
    for (ori_order *o = g->orders; o <= ori_last_order(g); o++)
        put(sim, g, o, job);
    if (g->composition.kept)
        ori_composition_count(&g->composition, sim->in, job, 1);
    if (g->promises.kept)
        ori_promises_enter(&g->promises, job, true);
}

void ori_rigid_use_limits(orr_rigid *sim, int32_t job, int by)
{
    if (by > 0)
        ori_limits_unwait(sim->limits, job);
    for (int32_t i = ori_limits_use(sim->limits, job, by); i-- > 0;)
        (by > 0 ? set_aside : bring_back)(sim, sim->limits->moved[i]);
}

void ori_rigid_review_limits(orr_rigid *sim)
{
    for (int32_t i = ori_limits_review(sim->limits); i-- > 0;) {
        int32_t job = sim->limits->moved[i];
        (ori_is_aside(sim, job) ? set_aside : bring_back)(sim, job);
    }
}

/* --- jobs begin to wait ----------------------------------------------------------------------- */

/* Whether a job waits at the instant of its submission, for the first time. */
static bool is_new(const orr_rigid *sim, int32_t job)
{
    return sim->in->submit[job] == sim->shell.now && sim->attempts[job] == 0 &&
           !(sim->interrupted && sim->interrupted[job] > 0);
}

orr_status ori_rigid_enqueue(orr_rigid *sim, int32_t job, orr_error *err)
{
    ori_group *g = ori_group_of(sim, job);
    sim->state[job] = ORR_JOB_WAITING;
    if (ORR_UNLIKELY(sim->progress != NULL))
        ORI_TRY(ori_checkpoints_plan(sim, job, err));
    if (ORR_UNLIKELY(sim->outlived != NULL))
        ORI_TRY(ori_estimates_ask(sim, job, err));
    ORI_TRY(enter(sim, g, &g->order, job, err));
    if (ORR_UNLIKELY(g->composition.kept))
        ori_composition_count(&g->composition, sim->in, job, 1);
    if (g->at.keeps_plan) {
        int32_t rank = g->order.queue.rank_of[job];
        g->entered = rank < g->entered ? rank : g->entered;
    }
    if (g->promises.kept)
        ori_promises_enter(&g->promises, job, is_new(sim, job));
    if (g->has_backfill)
        ORI_TRY(enter(sim, g, &g->backfill, job, err));
    if (ORR_UNLIKELY(sim->limits != NULL) && ori_limits_wait(sim->limits, job))
        set_aside(sim, job);
    return ORR_OK;
}

/* The places of moved jobs cannot be known beforehand, so static ranks are not possible for
 * them. */
void ori_group_loosen(ori_group *g)
{
    for (ori_order *o = g->orders; o <= ori_last_order(g); o++)
        if (!o->dynamic)
            ori_order_loosen(o);
    g->at.keeps_plan = g->kept = false;
}

/* Exception: jobs that are moved by their own on_submit arrive in the order of their ranks, as long
 * as no other job has been moved into the group. */
orr_status ori_rigid_arrive(orr_rigid *sim, int32_t job, int32_t group, orr_error *err)
{
    ORI_FAIL_IF(sim->at.moves == UINT32_MAX - ORI_PLACE_OF_MOVES, err, ORR_ERR_LIMIT,
                "job %s cannot be moved: %u moves are too many", orr_jobs_id(sim->jobs, job),
                (unsigned)sim->at.moves);
    if (sim->instant.submitting != job || group == 0)
        ori_group_loosen(&sim->groups[group]);
    if (sim->group)
        sim->group[job] = group;
    sim->arrivals[job] = sim->shell.now;
    sim->place[job] = ORI_PLACE_OF_MOVES + sim->at.moves++;
    sim->groups[group].promises.at.acted = true;
    return ori_rigid_enqueue(sim, job, err);
}

bool ori_rigid_changes(const orr_rigid *sim, int32_t job, double time)
{
    ori_group *g = ori_group_of(sim, job);
    bool changes = false;
    for (const ori_order *o = g->orders; o <= ori_last_order(g); o++)
        changes |= o->until && o->until[job] == time;
    return changes && sim->state[job] == ORR_JOB_WAITING;
}

orr_status ori_rigid_ask_again(orr_rigid *sim, int32_t job, orr_error *err)
{
    ori_rigid_withdraw(sim, job);
    return ori_rigid_arrive(sim, job, ori_group_of(sim, job)->index, err);
}

/* --- formulas --------------------------------------------------------------------------------- */

static orr_rigid_priority_view view_of(orr_rigid *sim, const ori_group *g)
{
    return (orr_rigid_priority_view){.instance = sim->in,
                                     .sim = sim,
                                     .rng = &sim->shell.rng,
                                     .group = g->index,
                                     .procs = g->procs};
}

/* Collects the inputs of the formula at this decision. False: the formula is not valid. */
static bool look_around(orr_rigid *sim, const ori_group *g, const ori_order *o,
                        ori_formula_situation *now)
{
    const orr_formula *formula = o->formula.formula;
    orr_rigid_priority_view view = view_of(sim, g);
    now->now = sim->shell.now;
    now->first_submit = sim->in->first_submission;
    now->procs = g->procs;
    now->free = g->at.free;
    now->down = g->at.down;
    now->waiting = g->order.queue.count;
    now->running = g->at.running;
    return !formula->look_up ||
           formula->look_up(formula->user, &view, ORR_OUTSIDE_OF_ALL, -1, now->outside);
}

static void take_values(ori_order *o, const int32_t *jobs, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        o->key[jobs[i]] = o->formula.values[i];
}

/* The number of non-fitting jobs that may matter to a decision of the group; -1: all. */
static int32_t that_matter(const ori_group *g, const ori_order *o)
{
    const ori_discipline *d = g->discipline;
    if (o == &g->backfill)
        return 0;
    return d->that_matter ? d->that_matter(&g->policy) : -1;
}

/* Brings the jobs that fit on the free processors to the front, in order, and, if `one` non-fitting
 * job matters, the first of these; the others follow. */
static void sort_front(orr_rigid *sim, const ori_group *g, ori_order *o, int32_t n, bool one)
{
    int32_t *jobs = sim->sorter.jobs, front = 0, behind = 0, best = -1;
    ori_rank_entry first = {0}, entry;
    for (int32_t i = 0; i < n; i++) {
        int32_t job = jobs[i];
        double key = o->formula.values[i];
        if (sim->jobs->procs[job] <= g->at.free) {
            o->key[job] = key;
            sim->sorter.entries[front++] = entry_of(sim, o, job);
            continue;
        }
        if (one && (best < 0 || key >= first.key)) {
            o->key[job] = key;
            entry = entry_of(sim, o, job);
            if (best < 0 || ori_rank_before(&entry, &first)) {
                first = entry;
                best = behind;
            }
        }
        jobs[behind++] = job; /* behind <= i */
    }
    if (best >= 0) {
        sim->sorter.entries[front++] = first;
        jobs[best] = jobs[--behind];
    }
    memmove(jobs + front, jobs, (size_t)behind * sizeof *jobs);
    ori_sorter_sort(&sim->sorter, front, jobs);
    ori_queue_refill(&o->queue, jobs, n, sim->jobs->procs, sim->estimate);
    o->dirty = false;
}

static void sort_all(orr_rigid *sim, ori_order *o, int32_t n)
{
    int32_t *jobs = sim->sorter.jobs;
    for (int32_t i = 0; i < n; i++)
        sim->sorter.entries[i] = entry_of(sim, o, jobs[i]);
    ori_sorter_rank(&sim->sorter, n, jobs);
    ori_order_refill(o, &sim->sorter, n, sim->jobs->procs, sim->estimate);
    o->sorted = ORI_SORTED;
}

/* Completes the order that a decision left open: jobs that waited at the decision stand by their
 * keys at that time, and behind them the jobs that have come since. */
static void sort_as_decided(orr_rigid *sim, const ori_group *g, ori_order *o)
{
    if (o->sorted == ORI_SORTED)
        return;
    int32_t *jobs = sim->sorter.jobs, n = ori_queue_list(&o->queue, jobs), known = 0;
    bool dirty = o->dirty;
    while (known < n && o->queue.rank_of[jobs[known]] < o->known)
        known++;
    orr_rigid_priority_view view = view_of(sim, g);
    if (o->sorted == ORI_UNKEYED) { /* it had a result, or is proved to have one */
        ori_formula_compute(&o->formula, &view, &o->decided, jobs, known);
        take_values(o, jobs, known);
    }
    for (int32_t i = 0; i < known; i++)
        sim->sorter.entries[i] = entry_of(sim, o, jobs[i]);
    ori_sorter_rank(&sim->sorter, known, jobs);
    ori_queue_refill(&o->queue, jobs, n, sim->jobs->procs, sim->estimate);
    o->sorted = ORI_SORTED;
    o->dirty = dirty;
}

/* Ranks the jobs by the order's formula; returns whether this was possible. */
static bool rank_by_formula(orr_rigid *sim, const ori_group *g, ori_order *o)
{
    if (!o->formula.formula || sim->asked.plain || ori_formula_is_given_up(&o->formula))
        return false;
    ori_formula_situation now;
    if (!look_around(sim, g, o, &now))
        return false;
    /* a start may bring the job that matters to a limit, and then another one does */
    int32_t matter =
        sim->asked.opened || sim->limits || ori_machine_nodes(sim) ? -1 : that_matter(g, o);
    int32_t *jobs = sim->sorter.jobs;
    if (matter >= 0 && ori_queue_next_fit(&o->queue, 0, g->at.free) < 0 &&
        ori_formula_is_total(&o->formula, sim->in, &now)) {
        ori_formula_remember(&o->formula, &o->decided, &now);
        o->sorted = ORI_UNKEYED;
        o->known = o->queue.tail;
        return true;
    }
    orr_rigid_priority_view view = view_of(sim, g);
    int32_t n = ori_queue_list(&o->queue, jobs);
    if (!ori_formula_compute(&o->formula, &view, &now, jobs, n))
        return false;
    ori_formula_remember(&o->formula, &o->decided, &now);
    o->sorted = o->formula.looked_up || matter < 0 ? ORI_KEYED : ORI_UNKEYED;
    o->known = n;
    if (o->sorted == ORI_KEYED)
        take_values(o, jobs, n);
    if (matter >= 0)
        sort_front(sim, g, o, n, matter > 0);
    else
        sort_all(sim, o, n);
    return true;
}

/* --- for a decision --------------------------------------------------------------------------- */

static orr_status sort_order(orr_rigid *sim, const ori_group *g, ori_order *o, bool asking,
                             orr_error *err)
{
    if (asking && rank_by_formula(sim, g, o))
        return ORR_OK;
    sort_as_decided(sim, g, o); /* the function is asked in the order of the last decision */
    int32_t *jobs = sim->sorter.jobs, n = ori_queue_list(&o->queue, jobs);
    for (int32_t i = 0; asking && i < n; i++)
        ORI_TRY(ask_priority(sim, g, o, jobs[i], &sim->shell.rng, err));
    sort_all(sim, o, n);
    return ORR_OK;
}

static orr_status rank_order(orr_rigid *sim, const ori_group *g, ori_order *o, orr_error *err)
{
    bool asking = o->per == ORR_PER_DECISION;
    if (!o->dynamic || (!asking && !o->dirty))
        return ORR_OK;
    sim->instant.ranking = true;
    orr_status status = sort_order(sim, g, o, asking, err);
    sim->instant.ranking = false;
    return status;
}

orr_status ori_rigid_rank_changing(orr_rigid *sim, ori_group *g, orr_error *err)
{
    for (ori_order *o = g->orders; o <= ori_last_order(g); o++)
        ORI_TRY(rank_order(sim, g, o, err));
    return ORR_OK;
}

void ori_rigid_sort_waiting(orr_rigid *sim, ori_group *g)
{
    ori_order *o = &g->order;
    if (sim->instant.ranking)
        return;
    sort_as_decided(sim, g, o);
    if (o->dirty && o->per != ORR_PER_DECISION)
        sort_order(sim, g, o, false, NULL);
}

void ori_rigid_leave_formulas(orr_rigid *sim)
{
    for (ori_group *g = sim->groups; g < sim->groups + sim->group_count; g++)
        for (ori_order *o = g->orders; o <= ori_last_order(g); o++)
            sort_as_decided(sim, g, o);
}

/* --- taking over ------------------------------------------------------------------------------ */

static orr_status take_order(orr_rigid *to, const ori_group *g, ori_order *o, const orr_rigid *from,
                             const ori_order *before, orr_error *err)
{
    /* a simulation that is asked what is free looks at pools also where they cannot bind */
    if (to->in == from->in && ori_queue_is_alike(&o->queue, &before->queue))
        return ori_order_copy(o, before, err);
    ori_order_begin(o, before, from->in->count);
    memcpy(o->key, before->key, (size_t)from->in->count * sizeof *o->key);
    if (o->until)
        memcpy(o->until, before->until, (size_t)from->in->count * sizeof *o->until);
    if (!ori_order_changes(o->per))
        ORI_TRY(rank_by_streams(to, g, o, from, err));
    int32_t *jobs = to->sorter.jobs, n = ori_queue_list(&before->queue, jobs);
    for (int32_t i = 0; !before->dynamic && i < n; i++)
        ori_queue_insert(&o->queue, jobs[i], to->jobs->procs[jobs[i]], to->estimate[jobs[i]]);
    if (!before->dynamic)
        return ORR_OK;
    if (!o->dynamic) /* the same jobs wait in the same order */
        ori_order_loosen(o);
    for (int32_t i = 0; o->formula.formula && i < n; i++)
        ori_formula_keep(&o->formula, to->in, jobs[i]);
    ori_queue_refill(&o->queue, jobs, n, to->jobs->procs, to->estimate);
    o->dirty = before->dirty;
    o->last = before->last;
    return ORR_OK;
}

/* Whether the conditions for which reservations were made have changed. */
static bool is_changed(const orr_rigid *to, const ori_group *g, const orr_rigid *from,
                       const ori_group *before)
{
    bool changed = g->procs != before->procs || to->in->turn_count != from->in->turn_count ||
                   !ori_windows_are_equal(&to->outages.windows, &from->outages.windows);
    for (int32_t j = 0; !changed && to->in != from->in && j < from->in->count; j++)
        changed = to->state[j] != ORR_JOB_OVER && to->estimate[j] != from->estimate[j];
    return changed;
}

static orr_status take_promises(orr_rigid *to, ori_group *g, const orr_rigid *from,
                                const ori_group *before, orr_error *err)
{
    if (!g->promises.kept)
        return ORR_OK;
    ori_promises_copy(&g->promises, &before->promises, from->in->count);
    if (g->placed && before->placed)
        ORI_TRY(ori_placed_copy(g->placed, before->placed, from->in->count, err));
    if (ori_machine_nodes(to) && ori_machine_nodes(from))
        ORI_TRY(ori_nodes_copy(to, from, err));
    if (!is_changed(to, g, from, before))
        return ORR_OK;
    ori_promises_doubt(&g->promises);
    ori_promises_free(&g->promises);
    g->promises.at.acted = true;
    return ORR_OK;
}

orr_status ori_group_take_over(orr_rigid *to, ori_group *g, const orr_rigid *from,
                               const ori_group *before, orr_error *err)
{
    g->at.keeps_plan = before->at.keeps_plan && g->may_keep_plan;
    for (ori_order *o = g->orders; o <= ori_last_order(g); o++)
        ORI_TRY(take_order(to, g, o, from, &before->orders[o - g->orders], err));
    return take_promises(to, g, from, before, err);
}
