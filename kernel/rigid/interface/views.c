/* Questions to a simulation, by its policy and from outside. */
#include "rigid/queue/view.h"

#include "rigid/effects/availability_internal.h"
#include "rigid/effects/capacity_internal.h"
#include "rigid/effects/checkpoints_internal.h"
#include "rigid/effects/waiting_internal.h"

#include "workload/instance_internal.h"

#include <string.h>

/* The number of free processors of a group that are in a window now. */
static int32_t count_covered(const orr_rigid *sim, const ori_group *g)
{
    const ori_windows *w = &sim->outages.windows;
    int32_t covered = 0;
    if (!ori_windows_keep_free(w, sim->shell.now))
        return 0;
    const orr_procset *free = &sim->processors.free[g->index];
    for (int32_t i = 0; i < free->count; i++) {
        const orr_interval run = free->intervals[i];
        covered += ori_windows_cover(w, (orr_interval){g->first + run.low, g->first + run.high},
                                     sim->shell.now);
    }
    return covered;
}

orr_rigid_view orr_rigid_look(orr_rigid *sim)
{
    const ori_windows *w = &sim->outages.windows;
    orr_rigid_view view = {
        .instance = sim->in,
        .now = sim->shell.now,
        .known = sim->at.known,
        .held = sim->at.held,
        .running = sim->at.running,
        .over = sim->at.over,
        .seed = sim->shell.seed,
        .set = sim->shell.set,
        .scenario = sim->shell.scenario,
        .rng = &sim->shell.rng,
        .state = sim->shell.state,
        .groups = sim->group_count,
        .group = sim->instant.situation.group,
        .hook = sim->instant.situation.hook,
        .deciding = sim->instant.situation.deciding >= 0,
        .node_failures = sim->outages.any ? sim->outages.at.failures : 0,
        .windows = w->count - w->at.past,
        .limited = sim->limits ? sim->limits->aside_count : 0,
    };
    if (ORR_UNLIKELY(sim->in->turn_count > 0))
        view.windows += ori_pools_windows(sim);
    for (const ori_group *g = sim->groups; g < sim->groups + sim->group_count; g++) {
        view.free += g->at.free;
        if (ORR_UNLIKELY(w->count > 0))
            view.free -= count_covered(sim, g);
        view.down += g->at.down;
        view.drained += g->at.drained;
        view.drained_down += g->at.drained_down;
        view.waiting += g->order.queue.count;
    }
    return view;
}

void *orr_rigid_state(const orr_rigid *sim)
{
    return sim->shell.state;
}

orr_rigid_hook_view orr_rigid_look_hook(orr_rigid *sim)
{
    int32_t group = sim->instant.situation.group;
    return (orr_rigid_hook_view){.instance = sim->in,
                                 .rng = &sim->shell.rng,
                                 .groups = sim->group_count,
                                 .group = group,
                                 .procs = sim->groups[group].procs};
}

orr_rigid_group_view orr_rigid_look_group(const orr_rigid *sim, int32_t group)
{
    if (!ORI_IS_IN(group, sim->group_count))
        return (orr_rigid_group_view){0};
    const ori_group *g = &sim->groups[group];
    return (orr_rigid_group_view){
        .name = g->name,
        .first = g->first,
        .procs = g->procs,
        .free = g->at.free - (sim->outages.windows.count > 0 ? count_covered(sim, g) : 0),
        .down = g->at.down,
        .drained = g->at.drained,
        .drained_down = g->at.drained_down,
        .waiting = g->order.queue.count,
        .running = g->at.running,
    };
}

int32_t orr_rigid_find_group(const orr_rigid *sim, const char *name)
{
    for (int32_t i = 0; name && i < sim->group_count; i++)
        if (strcmp(sim->groups[i].name, name) == 0)
            return i;
    return -1;
}

int64_t orr_rigid_pool_free(const orr_rigid *sim, int32_t pool)
{
    if (!ORI_IS_IN(pool, sim->in->pool_count))
        return 0;
    int64_t free = sim->needs.shares ? sim->pools.free[pool]
                                     : ori_instance_pool_at(sim->in, pool, sim->shell.now);
    return free > 0 ? free : 0;
}

int64_t orr_rigid_node_free(const orr_rigid *sim, int32_t node, int32_t resource)
{
    const ori_nodes *n = &sim->nodes;
    if (!n->of) /* of one processor each: these are counted, and not told apart */
        return sim->groups[0].at.free > node;
    if (!ORI_IS_IN(node, n->of->count) || !ORI_IS_IN(resource + 1, n->of->resource_count + 1))
        return 0;
    int32_t first = n->of->first[node];
    if (ori_windows_keep_free(&sim->outages.windows, sim->shell.now) &&
        ori_windows_cover(&sim->outages.windows, (orr_interval){first, first}, sim->shell.now) > 0)
        return 0;
    return n->free[(size_t)(resource + 1) * n->count + (size_t)node];
}

orr_rigid_queue_view orr_rigid_look_queue(orr_rigid *sim, int32_t group)
{
    orr_rigid_queue_view view = {0};
    orr_u128 work = 0;
    for (ori_group *g = sim->groups; g < sim->groups + sim->group_count; g++) {
        if (group != -1 && group != g->index)
            continue;
        if (!g->composition.kept)
            ori_composition_make(&g->composition, sim->in, &g->order.queue);
        g->composition.kept = !sim->needs.shortcuts; /* short ways do not update it */
        g->counts |= g->composition.kept;
        ori_composition_add(&g->composition, &work, &view);
        view.waiting += g->order.queue.count;
    }
    view.work = ori_composition_work(work);
    return view;
}

double orr_rigid_recent_wait(orr_rigid *sim, int32_t group, double probability)
{
    if (!ORI_IS_IN(group, sim->group_count) || !(probability >= 0 && probability <= 1))
        return NAN;
    ori_recent_waits *r = sim->groups[group].recent_waits;
    return r ? ori_recent_waits_quantile(r, probability) : NAN;
}

/* --- nodes ------------------------------------------------------------------------------------ */

orr_rigid_node_view orr_rigid_look_node(const orr_rigid *sim, int32_t processor)
{
    const ori_outages *o = &sim->outages;
    orr_rigid_node_view view = {.back = NAN};
    if (!ORI_IS_IN(processor, sim->in->procs))
        return view;
    orr_interval node = {processor, processor};
    if (o->any)
        view.failures = ori_outages_seen(o, processor, &node);
    const orr_nodes *nodes = ori_machine_nodes(sim);
    int32_t k = nodes ? orr_nodes_at(nodes, processor) : 0;
    view.first = nodes ? nodes->first[k] : node.low;
    view.count = (nodes ? nodes->first[k + 1] : node.high + 1) - view.first;
    if (!o->any)
        return view;
    view.drained = o->drained_until[processor] > 0;
    view.down = ori_is_down(sim, processor);
    if (view.down)
        view.back = o->down_until[processor];
    return view;
}

orr_status orr_rigid_warnings(orr_rigid *sim, orr_warnings *warnings, orr_error *err)
{
    ori_warnings *w = &sim->outages.warnings;
    *warnings = (orr_warnings){0};
    if (!w->any)
        return ORR_OK;
    ORI_TRY(ori_warnings_pass(w, sim->shell.now, err));
    *warnings = (orr_warnings){w->list, w->at.past, w->at.given};
    return ORR_OK;
}

double orr_rigid_node_error_rate(const orr_rigid *sim)
{
    return ori_outages_rate(&sim->outages, sim->in, -1);
}

double orr_rigid_error_rate(const orr_rigid *sim, int32_t job)
{
    return ORI_IS_IN(job, sim->in->count) ? ori_outages_rate(&sim->outages, sim->in, job) : NAN;
}

double orr_rigid_failure_probability(const orr_rigid *sim, int32_t job)
{
    if (!ORI_IS_IN(job, sim->in->count))
        return NAN;
    return -expm1(-orr_rigid_error_rate(sim, job) * sim->estimate[job]);
}

/* The expected remaining time of a job without checkpoints, s. */
static double remaining_of_plain(const orr_rigid *sim, int32_t job, double rate)
{
    bool runs = sim->state[job] == ORR_JOB_RUNNING;
    double done = runs ? sim->shell.now - sim->start[job] : 0;
    double left = sim->in->estimate[job] - done;
    if (!(left > 0))
        return 0;
    return rate > 0 ? orr_segment_time(rate, done, 0, left) : left;
}

double orr_rigid_expected_remaining(const orr_rigid *sim, int32_t job)
{
    double rate = orr_rigid_error_rate(sim, job);
    if (isnan(rate) || sim->state[job] == ORR_JOB_OVER)
        return isnan(rate) ? NAN : 0;
    return sim->progress ? ori_checkpoints_expected(sim, job, rate)
                         : remaining_of_plain(sim, job, rate);
}

orr_rigid_job_view orr_rigid_job(const orr_rigid *sim, int32_t job)
{
    if (ORR_UNLIKELY(!ORI_IS_IN(job, sim->in->count)))
        return (orr_rigid_job_view){.group = -1,
                                    .arrival = NAN,
                                    .start = NAN,
                                    .planned_end = NAN,
                                    .saved = NAN,
                                    .next_length = NAN};
    int32_t attempts = sim->attempts[job] + (sim->interrupted ? sim->interrupted[job] : 0);
    const ori_promises *p = &ori_group_of(sim, job)->promises;
    orr_rigid_job_state state = (orr_rigid_job_state)sim->state[job];
    bool waits = p->kept && state == ORR_JOB_WAITING && !ori_has_no_reservation(p, job) &&
                 !ori_is_aside(sim, job);
    bool promised = p->kept && (state == ORR_JOB_RUNNING || state == ORR_JOB_OVER || waits);
    return (orr_rigid_job_view){
        .state = state,
        .group = ori_group_of(sim, job)->index,
        .attempts = attempts,
        .arrival = sim->arrival[job],
        .start = attempts > 0 ? sim->start[job] : NAN,
        .planned_end = attempts > 0 ? sim->planned_end[job] : NAN,
        .promised = promised ? p->promised[job] : NAN,
        .reserved = waits ? p->start[job] : NAN,
        .saved = sim->progress ? ori_checkpoints_saved(sim, job) : 0,
        .next_length = sim->estimate[job],
        .limited = ori_is_aside(sim, job),
        .refused = sim->left_out && sim->left_out[job] == ORR_LEFT_REFUSED,
    };
}

int32_t orr_rigid_next_waiting(orr_rigid *sim, int32_t group, int32_t job, int32_t max_procs)
{
    if (!ORI_IS_IN(group, sim->group_count) || job >= sim->in->count)
        return -1;
    ori_group *g = &sim->groups[group];
    const ori_queue *q = &g->order.queue;
    if (job < 0 || g->order.sorted != ORI_SORTED)
        ori_rigid_sort_waiting(sim, g);
    int32_t rank = ori_queue_next_fit(q, job < 0 ? 0 : q->rank_of[job] + 1, max_procs);
    return rank < 0 ? -1 : q->job_at[rank];
}

/* --- who runs --------------------------------------------------------------------------------- */

int32_t orr_rigid_running(const orr_rigid *sim, int32_t group, int32_t *jobs)
{
    int32_t n = 0;
    for (int32_t i = 0; i < sim->ends.count; i++) {
        int32_t job = (int32_t)sim->ends.heap[i].payload;
        if (group < 0 || ori_group_of(sim, job)->index == group)
            sim->sorter.entries[n++] = (ori_rank_entry){0, sim->start[job], (uint32_t)job, job};
    }
    ori_sorter_sort(&sim->sorter, n, jobs);
    return n;
}

int32_t orr_rigid_running_on(const orr_rigid *sim, int32_t first, int32_t count, int32_t *jobs)
{
    if (!sim->needs.has_processors)
        return -1;
    int32_t all = orr_rigid_running(sim, -1, jobs), n = 0;
    for (int32_t i = 0; i < all; i++)
        if (ori_processors_holds_any(&sim->processors, jobs[i], first, count))
            jobs[n++] = jobs[i];
    return n;
}

/* --- plans ------------------------------------------------------------------------------------ */

/* Drops a plan that was made for a question: outside of the group's own decision the state may
 * change before the next question. A plan that was valid before belongs to a decision that asks for
 * a priority: it stays. */
static void drop_plan(const orr_rigid *sim, ori_group *g, bool was_valid)
{
    if (!was_valid && sim->instant.situation.deciding != g->index)
        g->plan_valid = false;
}

/* Finds the earliest start of a wish. A plan is made for every question, except within the group's
 * own decision. No question is asked while a decision looks for processors. */
static bool find_slot(orr_rigid *sim, ori_group *g, const ori_wish *wish, ori_slot *slot)
{
    bool deciding = sim->instant.situation.deciding == g->index, was_valid = g->plan_valid;
    if ((g->placed && g->placed->place.choosing) || sim->nodes.choosing)
        return false;
    if (g->placed && !deciding)
        ori_placed_forget_plan(g->placed);
    bool answered = ori_rigid_earliest(sim, g, wish, sim->shell.now, slot, NULL) == ORR_OK;
    if (g->placed)
        g->placed->valid &= deciding && answered;
    drop_plan(sim, g, was_valid);
    return answered;
}

static bool has_plans(const ori_group *g)
{
    return g->has_plan || g->placed;
}

double orr_rigid_earliest_start(orr_rigid *sim, int32_t group, int32_t procs, double seconds)
{
    if (!ORI_IS_IN(group, sim->group_count) || procs < 1 || !(seconds >= 0))
        return NAN;
    ori_group *g = &sim->groups[group];
    const ori_wish wish = {
        .job = -1, .procs = procs, .estimate = seconds, .verification = sim->in->verification};
    ori_slot slot;
    if (!has_plans(g))
        return NAN;
    if (procs > g->procs)
        return INFINITY;
    if (!find_slot(sim, g, &wish, &slot))
        return NAN;
    return ori_later(slot.start, sim->shell.now); /* a live clock may have passed the start */
}

bool orr_rigid_can_start(orr_rigid *sim, int32_t job)
{
    if (!ORI_IS_IN(job, sim->in->count) || sim->state[job] != ORR_JOB_WAITING ||
        ori_is_aside(sim, job) || sim->nodes.choosing)
        return false;
    ori_group *g = ori_group_of(sim, job);
    const ori_wish wish = ori_rigid_wish(sim, job, false);
    ori_slot slot;
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL)) {
        bool was_valid = g->plan_valid, starts;
        orr_status status = ori_rigid_starts_beside(sim, g, job, false, &starts, NULL);
        drop_plan(sim, g, was_valid);
        return status == ORR_OK && starts;
    }
    return has_plans(g) && wish.procs <= g->at.free && ori_rigid_has_share(sim, job) &&
           find_slot(sim, g, &wish, &slot) && slot.step == 0;
}
