/* Groups of processors: the parts that each group needs for its policy, and the static ranks of
 * jobs. */
#include "rigid/interface/groups_internal.h"

#include "base/api_internal.h"
#include "base/try_internal.h"
#include "rigid/effects/waiting_internal.h"

#include <string.h>

/* --- creation --------------------------------------------------------------------------------- */

static int32_t reservations(const ori_group *g)
{
    return ori_most_reservations(g->discipline, &g->policy);
}

/* Every running job holds a processor, and so does every outage. */
static int32_t most_running(const orr_rigid *sim, const ori_group *g)
{
    int32_t jobs = sim->room;
    return sim->outages.any || jobs > g->procs ? g->procs : jobs;
}

/* Whether counting free processors may not be enough: windows close particular processors. */
static bool counting_may_fail(const orr_rigid *sim, const orr_rigid_policy *p)
{
    return !ori_machine_nodes(sim) && (p->place != ORR_PLACE_ANY || sim->outages.windows.known);
}

/* Whether list_loop.c may run this group: the policy permits it, and all attempts end as
 * planned. */
static bool may_have_loop(const orr_rigid *sim, const ori_group *g)
{
    bool has = sim->needs.shortcuts && (g->discipline->fast & ORI_FAST_LISTS) && !g->has_backfill &&
               (g->may_keep_plan || reservations(g) == 1);
    for (int32_t j = 0; has && j < sim->in->count; j++)
        has = sim->in->time[j] == sim->in->estimate[j];
    return has;
}

/* Chooses the parts that this group's policy and the options of the simulation need. */
static void choose_parts(const orr_rigid *sim, ori_group *g)
{
    const orr_rigid_policy *p = &g->policy;
    const ori_discipline *d = g->discipline;
    bool changes = ori_order_changes(p->per);
    g->has_backfill = p->backfill && d->backfills;
    g->may_keep_plan =
        d->keeps && reservations(g) == ORR_RESERVE_ALL && !changes && !sim->asked.plain &&
        !sim->needs.singly; /* a kept plan does not know ends at the present instant that are still
                               to be applied */
    g->promises.kept = d->promises;
    bool by_name = counting_may_fail(sim, p);
    if (by_name || sim->needs.shares || sim->needs.limited) /* a kept plan knows only processors */
        g->may_keep_plan = false;
    g->has_planned = reservations(g) > 0 || g->promises.kept || sim->needs.watched;
    if (p->place != ORR_PLACE_ANY && !ori_machine_nodes(sim))
        return;
    g->has_plan =
        sim->needs.watched || g->promises.kept ||
        reservations(g) > !(sim->asked.plain || by_name); /* one needs no plan, see disciplines.c */
    g->has_loop = may_have_loop(sim, g);
}

/* The number of reservations for which a plan must have room. */
static int32_t most_reservations(const orr_rigid *sim, const ori_group *g)
{
    int32_t n = sim->room, most = reservations(g);
    if (g->may_keep_plan || sim->needs.shares) /* a start between two steps makes one, too */
        return 2 * n;
    return most < n ? most : n;
}

/* How many pools a group that backfills conservatively keeps timetables of: all, or none where
 * other groups hold some of them, windows close some, or amounts are not those of a timetable. */
static int32_t kept_pools(const orr_rigid *sim, const ori_group *g)
{
    const orr_instance *in = sim->in;
    bool keeps = sim->needs.shares && !(in->nodes || in->turn_count > 0 || sim->group_count > 1 ||
                                        sim->asked.plain || counting_may_fail(sim, &g->policy));
    for (int32_t i = 0; keeps && i < in->pool_count; i++)
        keeps = in->pools[i].amount <= INT32_MAX / 2;
    return keeps ? in->pool_count : 0;
}

static orr_status create_plans(orr_rigid *sim, ori_group *g, orr_error *err)
{
    const orr_allocator *a = &sim->shell.alloc;
    int32_t n = sim->room, running = most_running(sim, g);
    if (g->has_planned)
        ORI_TRY(ori_ends_create(&g->planned, running, a, err));
    if (g->has_plan)
        ORI_TRY(ori_plan_create(&g->plan, 2 * running, most_reservations(sim, g), a, err));
    if (g->promises.kept)
        ORI_TRY(ori_promises_create(&g->promises, n, running, kept_pools(sim, g), a, err));
    if (g->may_keep_plan) {
        g->reserved = orr_alloc(a, (size_t)n * sizeof *g->reserved);
        if (!g->reserved)
            return orr_fail_memory(err, (size_t)n * sizeof *g->reserved);
    }
    return ORR_OK;
}

static orr_status create_recent_waits(const orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (!sim->needs.recalls)
        return ORR_OK;
    g->recent_waits = ori_new(&sim->shell.alloc, sizeof *g->recent_waits, err);
    g->counts = g->recent_waits != NULL;
    return g->counts ? ORR_OK : ORR_ERR_MEMORY;
}

static orr_status create_formula(orr_rigid *sim, ori_order *o, const orr_formula *given,
                                 orr_error *err)
{
    ORI_REFUSE(given->size != sizeof *given, err, "a formula has a size of %zu bytes, not %zu",
               sizeof *given, given->size);
    return ori_formula_create(&o->formula, given, sim->in, sim->room, !sim->asked.opened,
                              &sim->shell.alloc, err);
}

static orr_status create_placed(orr_rigid *sim, ori_group *g, orr_error *err)
{
    const ori_place place = {.policy = &g->policy,
                             .in = sim->in,
                             .group = g->name,
                             .outages = &sim->outages,
                             .first = g->first,
                             .procs = g->procs};
    ORI_REFUSE(g->policy.place != ORR_PLACE_ANY && g->discipline->unplaced, err, "policy %s: %s",
               g->policy.name, g->discipline->unplaced);
    ORI_TRY(ori_place_check(&g->policy, g->name, g->first, g->procs, sim->in->procs, err));
    if (ori_machine_nodes(sim))
        return ORR_OK;
    ORI_REFUSE(g->policy.place >= ORR_PLACE_SPREAD, err,
               "policy %s: its placement (spread or low) is one of nodes, and the machine counts "
               "processors",
               g->policy.name);
    if (!counting_may_fail(sim, &g->policy))
        return ORR_OK;
    g->placed = ori_placed_create(&place, &sim->outages.windows, sim->room, g->promises.kept,
                                  &sim->shell.alloc, err);
    return g->placed ? ORR_OK : ORR_ERR_MEMORY;
}

static orr_status create_orders(orr_rigid *sim, ori_group *g, ori_filling filling, orr_error *err)
{
    const orr_rigid_policy *p = &g->policy;
    bool one = reservations(g) == 1;
    g->order.per = p->per;
    g->order.priority = p->priority;
    g->order.user = p->priority_user;
    g->order.purpose = ORR_PURPOSE_PRIORITY;
    g->order.hook = "priority";
    g->backfill.per = p->backfill_per;
    g->backfill.priority = p->backfill;
    g->backfill.user = p->backfill_user;
    g->backfill.purpose = ORR_PURPOSE_BACKFILL;
    g->backfill.hook = "backfill";
    for (ori_order *o = g->orders; o <= ori_last_order(g); o++) {
        o->level = sim->nodes.level;
        bool timed = one && o == ori_last_order(g); /* jobs are backfilled in this order */
        const orr_instance *in = sim->needs.shares ? sim->in : NULL;
        ORI_TRY(ori_order_create(o, sim->room, timed, in, filling, &sim->shell.alloc, err));
        const orr_formula *formula = o == &g->order ? p->priority_formula : p->backfill_formula;
        if (formula && o->per == ORR_PER_DECISION && !sim->asked.plain)
            ORI_TRY(create_formula(sim, o, formula, err));
    }
    return ORR_OK;
}

/* Processors that were added to a simulation belong to the last group. */
static orr_status check_groups(const orr_rigid *sim, orr_error *err)
{
    const orr_rigid_group *given = sim->policy.groups;
    int64_t procs = 0;
    ORI_REFUSE(sim->group_count < 1, err, "policy %s: there must be at least one group, not %d",
               sim->policy.name, (int)sim->group_count);
    for (int32_t i = 0; i < sim->group_count; i++) {
        const char *wrong = given[i].procs < 1 ? "a group has at least one" : NULL;
        for (int32_t k = 0; !wrong && k < i; k++)
            if (strcmp(given[k].name, given[i].name) == 0)
                wrong = "another group has that name";
        ORI_REFUSE(wrong, err, "policy %s: group %s with %d processors: %s", sim->policy.name,
                   given[i].name, (int)given[i].procs, wrong);
        procs += given[i].procs;
    }
    ORI_REFUSE(sim->asked.opened ? procs > sim->in->procs : procs != sim->in->procs, err,
               "policy %s: its groups have %lld processors and the machine has %d",
               sim->policy.name, (long long)procs, (int)sim->in->procs);
    return ORR_OK;
}

static orr_status set_group(orr_rigid *sim, int32_t i, int32_t first, orr_error *err)
{
    const orr_rigid_group *given = sim->policy.groups;
    ori_group *g = &sim->groups[i];
    g->index = i;
    g->first = first;
    g->name = given ? given[i].name : "main";
    g->procs = given && i + 1 < sim->group_count ? given[i].procs : sim->in->procs - first;
    g->policy = sim->policy;
    if (given && given[i].policy)
        ORI_TRY(ORI_TAKE(&g->policy, given[i].policy, orr_rigid_policy, err));
    g->policy.name = ORI_POLICY_NAME(&g->policy);
    g->discipline = ori_discipline_of(&sim->disciplines, &g->policy, err);
    if (!g->discipline)
        return ORR_ERR_ARGUMENT;
    choose_parts(sim, g);
    return ORR_OK;
}

orr_status ori_groups_create(orr_rigid *sim, ori_filling filling, orr_error *err)
{
    if (sim->policy.groups)
        ORI_TRY(check_groups(sim, err));
    size_t count = (size_t)sim->group_count;
    sim->groups = orr_calloc(&sim->shell.alloc, count, sizeof *sim->groups);
    if (!sim->groups)
        return orr_fail_memory(err, count * sizeof *sim->groups);
    for (int32_t i = 0, first = 0; i < sim->group_count; i++) {
        ori_group *g = &sim->groups[i];
        ORI_TRY(set_group(sim, i, first, err));
        first += g->procs;
        ORI_TRY(create_orders(sim, g, filling, err));
        ORI_TRY(create_plans(sim, g, err));
        ORI_TRY(create_placed(sim, g, err));
        ORI_TRY(create_recent_waits(sim, g, err));
    }
    return ORR_OK;
}

void ori_groups_destroy(orr_rigid *sim)
{
    size_t n = (size_t)sim->room;
    for (int32_t i = 0; sim->groups && i < sim->group_count; i++) {
        ori_group *g = &sim->groups[i];
        orr_release(&sim->shell.alloc, g->reserved, n * sizeof *g->reserved);
        orr_release(&sim->shell.alloc, g->recent_waits, sizeof *g->recent_waits);
        ori_placed_destroy(g->placed);
        ori_promises_destroy(&g->promises, &sim->shell.alloc);
        ori_block_destroy(&g->plan.block, &sim->shell.alloc);
        ori_block_destroy(&g->planned.block, &sim->shell.alloc);
        for (ori_order *o = g->orders; o <= ori_last_order(g); o++)
            ori_order_destroy(o, &sim->shell.alloc);
    }
    orr_release(&sim->shell.alloc, sim->groups, (size_t)sim->group_count * sizeof *sim->groups);
}

/* --- scenarios and copies --------------------------------------------------------------------- */

void ori_groups_clear(orr_rigid *sim)
{
    for (int32_t i = 0; i < sim->group_count; i++) {
        ori_group *g = &sim->groups[i];
        for (ori_order *o = g->orders; o <= ori_last_order(g); o++) {
            ori_order_clear(o);
            if (o->displaced)
                ori_groups_rank_all(sim, o);
        }
        if (g->has_planned)
            ori_ends_clear(&g->planned);
        g->at = (struct ori_group_at){.free = g->procs, .keeps_plan = g->may_keep_plan};
        g->plan_valid = g->kept = g->idle_told = g->composition.kept = false;
        if (g->recent_waits)
            *g->recent_waits = (ori_recent_waits){0};
        ori_promises_clear(&g->promises, sim->in->count);
        if (g->placed)
            ori_placed_clear(g->placed);
    }
}

orr_status ori_groups_copy(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    for (int32_t i = 0; i < from->group_count; i++) {
        const ori_group *g = &from->groups[i];
        ori_group *copy = &to->groups[i];
        for (ori_order *o = copy->orders; o <= ori_last_order(copy); o++)
            ORI_TRY(ori_order_copy(o, &g->orders[o - copy->orders], err));
        if (g->has_planned)
            ori_ends_copy(&copy->planned, &g->planned);
        copy->at = g->at;
        if (g->recent_waits && copy->recent_waits)
            *copy->recent_waits = *g->recent_waits;
        /* the simulation may have become plain since it was made */
        copy->at.keeps_plan = g->at.keeps_plan && copy->may_keep_plan;
        ori_promises_copy(&copy->promises, &g->promises, from->in->count);
        if (g->placed)
            ORI_TRY(ori_placed_copy(copy->placed, g->placed, from->in->count, err));
    }
    return ORR_OK;
}
