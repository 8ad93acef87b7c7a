/* The memory of a simulation: its parts are laid out, cleared, copied and freed here; nothing is
 * simulated. A separate file because all rules of the simulation depend on it. */
#include "rigid/interface/parts_internal.h"

#include "rigid/effects/availability_internal.h"
#include "rigid/effects/checkpoints_internal.h"
#include "rigid/effects/dependents_internal.h"
#include "rigid/effects/hooks_internal.h"
#include "rigid/interface/engine.h"
#include "rigid/interface/groups_internal.h"
#include "schedule/metrics_internal.h"
#include "schedule/schedule_internal.h"
#include "workload/limit_internal.h"

#include <string.h>

/* --- creation --------------------------------------------------------------------------------- */

static orr_status create_job_arrays(orr_rigid *sim, orr_error *err)
{
    size_t n = (size_t)sim->room;
    bool acts = sim->needs.acts, opened = sim->asked.opened, saves = sim->in->checkpoints.cost;
    bool estimates = sim->policy.estimate;
    const ori_part parts[] = {ORI_PART(sim->start, n),
                              ORI_PART(sim->planned_end, n),
                              ORI_PART_IF(saves || estimates, sim->lengths, n),
                              ORI_PART_IF(saves, sim->progress, n),
                              ORI_PART_IF(saves, sim->spent, n),
                              ORI_PART_IF(opened, sim->past, n),
                              ORI_PART_IF(acts, sim->arrivals, n),
                              ORI_PART_IF(acts, sim->cancelled, n),
                              ORI_PART(sim->failures, n),
                              ORI_PART(sim->attempts, n),
                              ORI_PART_IF(sim->needs.interrupts, sim->interrupted, n),
                              ORI_PART_IF(acts, sim->place, n),
                              ORI_PART_IF(sim->group_count > 1, sim->group, n),
                              ORI_PART(sim->state, n),
                              ORI_PART_IF(estimates, sim->outlived, n),
                              ORI_PART_IF(opened || ori_limits_refuse(sim->in), sim->left_out, n),
                              ORI_PART_IF(opened, sim->news, n),
                              ORI_PART_IF(sim->asked.live, sim->reported, n)};
    ORI_TRY(ORI_BLOCK_CREATE(&sim->block, parts, ORI_ZEROED, &sim->shell.alloc, err));
    sim->arrival = acts ? sim->arrivals : sim->in->submit;
    sim->estimate = sim->lengths ? sim->lengths : sim->in->estimate;
    return ORR_OK;
}

/* Whether the fast loops know all needs. They know one: that somebody may ask for earliest starts,
 * because the functions of a policy's state are called only when a scenario begins. */
static bool are_known(const ori_needs *needs)
{
    static const ori_needs known = {.watched = true};
    const bool *need = (const bool *)needs, *is_known = (const bool *)&known;
    _Static_assert(sizeof known % sizeof *need == 0, "needs are all of one kind");
    for (size_t i = 0; i < sizeof known / sizeof *need; i++)
        if (need[i] && !is_known[i])
            return false;
    return true;
}

/* The needs of the policy's groups and of the caller's options. */
static orr_status find_needs(orr_rigid *sim, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    bool acts = false, changes = false, every_event = sim->asked.plain || sim->asked.live;
    bool nodes = ORI_HAS_NODES && ori_nodes_limit(sim), shares = ori_rigid_has_shares(sim);
    bool places = sim->outages.windows.known && !nodes;
    bool record = sim->shell.record;
    for (int32_t i = 0; i < sim->group_count; i++) {
        const orr_rigid_policy *own = p->groups ? p->groups[i].policy : NULL;
        own = own ? own : p;
        const ori_discipline *row = ori_discipline_of(&sim->disciplines, own, err);
        if (!row)
            return ORR_ERR_ARGUMENT;
        acts |= row->acts || own->per == ORR_PER_CHANGE ||
                (own->backfill && own->backfill_per == ORR_PER_CHANGE);
        every_event |= row->fast == 0;
        places |= own->place != ORR_PLACE_ANY && !nodes;
        changes |=
            ori_order_changes(own->per) || (own->backfill && ori_order_changes(own->backfill_per));
    }
    ori_needs needs = {.acts = acts || ori_policy_has_events(p) || sim->asked.opened,
                       .places = places,
                       .holds = shares,
                       .every_event = every_event,
                       .follows = sim->in->links,
                       .saves = sim->in->checkpoints.cost,
                       .limited = sim->in->limit_count > 0,
                       .observes = sim->in->has_window};
    const orr_checkpoints *c = &sim->in->checkpoints;
    needs.interrupts = needs.acts || sim->outages.any || c->before || c->requeue_killed;
    needs.eventful = needs.interrupts || sim->group_count > 1 || p->estimate ||
                     (shares && sim->in->turn_count > 0);
    needs.has_processors =
        needs.places || nodes || sim->outages.any || (record && sim->group_count > 1);
    needs.placed = needs.has_processors || record;
    /* Callers from outside may ask for earliest starts. */
    needs.watched = needs.acts || changes || p->make_state || record;
    needs.recalls = needs.acts || changes || record;
    /* Who may ask for what is free, or how long it will be, is told. */
    needs.shares = shares && (needs.watched || ori_nodes_of(sim->in) || ori_pools_bind(sim));
    needs.singly = sim->asked.instant != ORR_INSTANT_BATCHED;
    needs.shortcuts = are_known(&needs);
    sim->needs = needs;
    return ORR_OK;
}

static orr_status create_processors(orr_rigid *sim, orr_error *err)
{
    int32_t *first;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(first, sim->group_count + 1));
    for (int32_t i = 0; i < sim->group_count; i++)
        first[i] = sim->groups[i].first;
    first[sim->group_count] = sim->in->procs;
    return ori_processors_create(&sim->processors, first, sim->group_count, sim->room,
                                 &sim->shell.alloc, err);
}

orr_status ori_rigid_record_groups(orr_rigid *sim, orr_error *err)
{
    orr_processor_group *groups;
    ORI_SCRATCH(&sim->shell.alloc, ORI_RAW, err, ORI_PART(groups, sim->group_count));
    for (int32_t i = 0; i < sim->group_count; i++) {
        const ori_group *g = &sim->groups[i];
        groups[i] = (orr_processor_group){g->name, g->first, g->procs, g->policy.place,
                                          g->policy.node_procs};
    }
    return ori_schedule_set_groups(&sim->schedule, groups, sim->group_count, err);
}

static orr_status create_lists(orr_rigid *sim, orr_error *err)
{
    int32_t running = ori_most_running(sim);
    bool retries = sim->needs.shortcuts && sim->groups[0].has_planned;
    const ori_part parts[] = {ORI_PART_IF(sim->policy.on_start, sim->started, running),
                              ORI_PART_IF(retries, sim->retried, running)};
    return ORI_BLOCK_CREATE(&sim->lists, parts, ORI_ZEROED, &sim->shell.alloc, err);
}

/* Refuses what is on parts of nodes. */
static orr_status check_whole(const orr_nodes *n, const char *what, int32_t first, int32_t count,
                              double time, orr_error *err)
{
    int32_t low = orr_nodes_at(n, first), high = orr_nodes_at(n, first + count - 1);
    ORI_REFUSE(n->first[low] != first || n->first[high + 1] != first + count, err,
               "%s at %.17g s is on the processors %d to %d, which are not whole nodes of the "
               "machine (--machine)",
               what, time, (int)first, (int)(first + count - 1));
    return ORR_OK;
}

/* Refuses what cannot be on a machine of nodes. */
static orr_status check_nodes(const orr_rigid *sim, orr_error *err)
{
    const orr_nodes *n = sim->in->nodes;
    const orr_rigid_node_failures *f = &sim->outages.setup;
    ORI_REFUSE(sim->group_count > 1, err,
               "policy %s: groups of processors are not there on a machine of nodes (--machine), "
               "which has partitions",
               sim->policy.name);
    orr_placing place = sim->policy.place;
    ORI_REFUSE(!sim->policy.choose_nodes && place != ORR_PLACE_ANY && place < ORR_PLACE_SPREAD, err,
               "policy %s: its placement is of processors; on a machine of nodes (--machine) it is "
               "any, spread, low or a function place_nodes",
               sim->policy.name);
    for (int32_t i = 0; i < sim->outages.windows.count; i++) {
        const orr_window *w = &sim->outages.windows.list[i];
        ORI_TRY(check_whole(n, "a window (of maintenance, capacity or a drain)", w->first, w->count,
                            w->from, err));
    }
    bool draws = sim->outages.any && f->law != ORR_FAULTS_LOG && !sim->asked.opened;
    for (int32_t k = 0; draws && k < n->kind_count; k++) /* no law strikes those of a change */
        ORI_REFUSE(f->node_procs > 0 && n->kinds[k].procs != f->node_procs, err,
                   "nodes of %d processors fail (--node-procs), and the machine has nodes of %d "
                   "(--machine): without --node-procs these fail",
                   (int)f->node_procs, (int)n->kinds[k].procs);
    for (int64_t i = 0; sim->outages.any && i < f->outage_count; i++) {
        const orr_outage *o = &f->outages[i];
        ORI_TRY(check_whole(n, "an outage", o->first, o->count, o->time, err));
    }
    return ORR_OK;
}

enum { SOME_TIMERS = 8 };

orr_status ori_rigid_create_parts(orr_rigid *sim, const orr_rigid_node_failures *failures,
                                  ori_given_windows windows, ori_filling filling, orr_error *err)
{
    const orr_allocator *a = &sim->shell.alloc;
    ORI_TRY(ori_outages_create(&sim->outages, failures, windows, sim->in, a, err));
    sim->outages.warnings.heard = sim->outages.warnings.any && sim->policy.on_warning;
    sim->outages.warnings.kept = sim->shell.record;
    sim->group_count = sim->policy.groups ? sim->policy.group_count : 1;
    ORI_TRY(find_needs(sim, err));
    if (sim->in->links)
        ORI_TRY(ori_dependents_create(sim, err));
    ORI_TRY(create_job_arrays(sim, err));
    if (sim->needs.limited) {
        sim->limits = ori_limits_create(sim->in, sim->room, a, err);
        if (!sim->limits)
            return ORR_ERR_MEMORY;
    }
    ORI_TRY(ori_calendar_create(&sim->ends, ori_most_running(sim), a, err));
    if (sim->needs.acts)
        ORI_TRY(ori_calendar_create(&sim->timers, SOME_TIMERS, a, err));
    ORI_TRY(ori_sorter_create(&sim->sorter, sim->room, a, err));
    if (ORI_HAS_NODES && ori_nodes_limit(sim)) {
        ORI_TRY(check_nodes(sim, err));
        ORI_TRY(ori_nodes_create(sim, err));
        sim->sorter.level = sim->nodes.level;
    }
    ORI_TRY(ori_groups_create(sim, filling, err));
    if (sim->needs.shares)
        ORI_TRY(ori_pools_create(sim, err));
    ORI_TRY(create_lists(sim, err));
    if (sim->needs.has_processors)
        ORI_TRY(create_processors(sim, err));
    if (!sim->shell.record)
        return ORR_OK;
    ORI_TRY(ori_schedule_create(&sim->schedule, sim->room, sim->in->procs, filling, a, err));
    if (sim->in->checkpoints.cost)
        ori_schedule_note_checkpoints(&sim->schedule);
    if (sim->outlived)
        ori_schedule_note_estimates(&sim->schedule);
    const ori_windows *w = &sim->outages.windows;
    ORI_TRY(ori_schedule_set_windows(&sim->schedule, w->list, w->count, err));
    return ori_rigid_record_groups(sim, err);
}

orr_rigid *ori_rigid_allocate(const orr_rigid *plain, orr_error *err)
{
    orr_rigid *sim = ori_new(&plain->shell.alloc, sizeof *sim, err);
    if (!sim)
        return NULL;
    *sim = (orr_rigid){.shell = ori_shell_copy(&plain->shell),
                       .in = plain->in,
                       .room = plain->room > plain->in->count ? plain->room : plain->in->count,
                       .policy = plain->policy,
                       .disciplines = plain->disciplines,
                       .asked = plain->asked,
                       .at = plain->at,
                       .jobs = plain->in->jobs,
                       .instant = ORI_NO_INSTANT};
    return sim;
}

void orr_rigid_destroy(orr_rigid *sim)
{
    if (!sim)
        return;
    orr_allocator a = sim->shell.alloc;
    ori_shell_free_state(&sim->shell);
    orr_schedule_destroy(&sim->schedule);
    ori_processors_destroy(&sim->processors);
    ori_outages_destroy(&sim->outages);
    ori_block_destroy(&sim->lists, &a);
    ori_groups_destroy(sim);
    ori_block_destroy(&sim->pools.block, &a);
    if (ORI_HAS_NODES)
        ori_nodes_destroy(&sim->nodes);
    ori_block_destroy(&sim->sorter.block, &a);
    ori_calendar_destroy(&sim->timers);
    ori_calendar_destroy(&sim->ends);
    ori_block_destroy(&sim->block, &a);
    ori_limits_destroy(sim->limits);
    ori_dependents_destroy(sim);
    orr_release(&a, sim, sizeof *sim);
}

/* --- the beginning of a scenario -------------------------------------------------------------- */

#define FORGET(array)                                                                              \
    if (sim->array && !zero)                                                                       \
    memset(sim->array + from, 0, n * sizeof *sim->array)

void ori_rigid_forget_jobs(orr_rigid *sim, int32_t first)
{
    size_t from = (size_t)first, n = (size_t)sim->in->count - from;
    bool zero = sim->shell.phase == ORI_EMPTY; /* as the memory was given */
    _Static_assert(ORR_JOB_PENDING == 0, "a job of which nothing is known is still to come");
    FORGET(attempts);
    FORGET(state);
    FORGET(interrupted);
    FORGET(group);
    FORGET(left_out);
    FORGET(past);
    FORGET(news);
    FORGET(reported);
    if (sim->progress)
        ori_checkpoints_forget(sim, first);
    if (sim->outlived)
        memcpy(sim->lengths + from, sim->in->estimate + from, n * sizeof *sim->lengths);
    for (size_t j = from; sim->needs.acts && j < from + n; j++) {
        sim->arrivals[j] = sim->in->submit[j];
        sim->cancelled[j] = NAN;
        sim->place[j] = (uint32_t)j;
    }
}

void ori_rigid_forget_run(orr_rigid *sim, int32_t first)
{
    if (sim->dependents)
        ori_dependents_reset(sim);
    ori_rigid_forget_jobs(sim, first);
    ori_calendar_clear(&sim->ends);
    ori_calendar_clear(&sim->timers);
    ori_groups_clear(sim);
    if (sim->limits)
        ori_limits_clear(sim->limits);
    if (sim->needs.has_processors)
        ori_processors_clear(&sim->processors);
    if (ori_machine_nodes(sim))
        ori_nodes_forget(sim);
    if (sim->shell.record && sim->shell.phase != ORI_EMPTY)
        ori_schedule_clear(&sim->schedule);
    sim->shell.now = sim->in->first_submission;
    if (sim->needs.shares)
        ori_pools_count(sim);
    if (sim->needs.holds)
        memset(sim->used, 0, sizeof sim->used);
    sim->at = (ori_at){.known = sim->in->procs,
                       .introduced = true,
                       .fresh = true,
                       .unreleased = ori_dependents_count(sim)};
    sim->instant = ORI_NO_INSTANT;
}

void ori_rigid_begin_at_first(orr_rigid *sim, double before)
{
    double first = sim->in->first_submission;
    const orr_nodes *nodes = ori_machine_nodes(sim);
    int32_t shares = nodes ? nodes->resource_count + nodes->partition_count : 0;
    if (first != before)
        ori_totals_begin(&sim->at.totals, sim->in);
    for (int32_t i = 0; first != before && i < shares; i++)
        ori_totals_begin(&sim->nodes.away[i], sim->in);
    if (first < sim->outages.at.opens)
        sim->outages.at.opens = first;
}

/* --- copies ----------------------------------------------------------------------------------- */

#define TAKE(array, count)                                                                         \
    if (to->array && from->array)                                                                  \
    memcpy(to->array, from->array, (count) * sizeof *from->array)

void ori_rigid_take_jobs(orr_rigid *to, const orr_rigid *from)
{
    size_t n = (size_t)from->in->count, known = n;
    while (known > 0 && from->state[known - 1] == ORR_JOB_PENDING)
        known--;
    TAKE(start, known);
    TAKE(planned_end, known);
    TAKE(attempts, known);
    TAKE(state, known);
    TAKE(interrupted, known);
    TAKE(left_out, known);
    TAKE(past, known);
    TAKE(news, known);
    TAKE(reported, known);
    if (from->at.fails)
        TAKE(failures, n);
    TAKE(cancelled, n);
    TAKE(place, n);
    TAKE(progress, n);
    TAKE(spent, n);
    if (to->arrivals)
        memcpy(to->arrivals, from->arrival, n * sizeof *to->arrivals);
}

/* The arrays of a copy lie as those of the simulation. */
static orr_status take_all_of_jobs(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    size_t n = (size_t)from->in->count;
    if (from->shell.phase == ORI_FROZEN)
        return ori_block_copy(&to->block, &from->block, err);
    ori_rigid_take_jobs(to, from);
    TAKE(lengths, n);
    TAKE(outlived, n);
    TAKE(group, n);
    return to->block.shared ? ori_block_copy(&to->block, &to->block, err) : ORR_OK;
}

orr_status ori_rigid_copy_parts(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    const orr_rigid_node_failures *failures = from->outages.any ? &from->outages.setup : NULL;
    ORI_TRY(ori_rigid_create_parts(to, failures, ori_windows_of(from), ORI_RAW, err));
    if (from->needs.acts)
        ORI_TRY(ori_calendar_reserve(&to->timers, from->timers.count, err));
    if (from->outages.any)
        ORI_TRY(ori_outages_copy(&to->outages, &from->outages, err));
    if (from->shell.record)
        ORI_TRY(ori_schedule_copy(&to->schedule, &from->schedule, err));
    ORI_TRY(take_all_of_jobs(to, from, err));
    if (from->dependents)
        ori_dependents_copy(to, from);
    if (from->limits)
        ori_limits_copy(to->limits, from->limits, true);
    ori_calendar_copy(&to->ends, &from->ends);
    if (from->needs.acts)
        ori_calendar_copy(&to->timers, &from->timers);
    if (from->needs.shares)
        ori_pools_count(to);
    if (from->needs.holds)
        memcpy(to->used, from->used, sizeof to->used);
    ORI_TRY(ori_groups_copy(to, from, err));
    if (from->needs.has_processors)
        ori_processors_copy(&to->processors, &from->processors);
    if (!ori_machine_nodes(from))
        return ORR_OK;
    ORI_TRY(ori_nodes_count(to, from, err));
    return ori_nodes_copy(to, from, err);
}
