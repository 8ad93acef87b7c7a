/* Drained processors: they go down as soon as nobody runs on them, and come back at their time;
 * lent ones leave when their time is over. A file of its own because failures (outages.c) end
 * attempts, and drains never do. */
#include "rigid/drain_internal.h"

#include "rigid/capacity_internal.h"

#include <string.h>

/* --- drains ----------------------------------------------------------------------------------- */

static ori_group *group_with(orr_rigid *sim, int32_t processor)
{
    int32_t i = 0;
    while (processor >= sim->groups[i].first + sim->groups[i].procs)
        i++;
    return &sim->groups[i];
}

/* Sets until when processors low .. end - 1 are drained, which one job holds or nobody does. */
static void set_away(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double back)
{
    int32_t job = sim->processors.holder[low];
    if (job >= 0)
        ori_rigid_unplan_end(sim, g, job);
    for (int32_t p = low; p < end; p++)
        sim->outages.away[p] = back;
    if (job >= 0)
        ori_rigid_plan_end(sim, g, job);
}

/* The processors from `low` on that one job holds; or that nobody does, in the same state. */
static int32_t part_end(const orr_rigid *sim, int32_t low, int32_t end)
{
    const int32_t *holder = sim->processors.holder;
    int32_t p = low + 1;
    while (p < end && (holder[low] >= 0 ? holder[p] == holder[low] : holder[p] < 0))
        p++;
    return ori_rigid_run_end(sim, low, p);
}

/* Drains processors low .. end - 1 of a group, none of which is drained, until `back`. */
static orr_status drain_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double back,
                            orr_error *err)
{
    orr_status status = ORR_OK;
    orr_outage outage = {sim->now, back, low, end - low};
    sim->outages.draining = true;
    g->drained += end - low;
    g->kept = g->plan_valid = false;
    if (back < INFINITY)
        status = ori_outages_plan_repair(&sim->outages, &outage, err);
    for (int32_t next; status == ORR_OK && low < end; low = next) {
        next = part_end(sim, low, end);
        set_away(sim, g, low, next, back);
        if (sim->processors.holder[low] < 0)
            status = ori_rigid_take_down(sim, g, low, next, err);
    }
    return status;
}

/* --- lent processors -------------------------------------------------------------------------- */

orr_status ori_rigid_lend(orr_rigid *sim, ori_lending l, orr_error *err)
{
    ori_outages *o = &sim->outages;
    if (o->lent_count == ORI_MOST_LENDINGS)
        return orr_fail(err, ORR_ERR_LIMIT, "more than %d times at which processors are to leave",
                        (int)ORI_MOST_LENDINGS);
    int32_t at = o->lent_count++;
    for (; at > 0 && o->lent[at - 1].time > l.time; at--)
        o->lent[at] = o->lent[at - 1];
    o->lent[at] = l;
    sim->groups[l.group].lent += l.count;
    return ORR_OK;
}

/* Who is drained already stays so. */
static orr_status end_lending(orr_rigid *sim, const ori_lending *l, orr_error *err)
{
    const double *away = sim->outages.away;
    ori_group *g = &sim->groups[l->group];
    int32_t low = l->first, end = l->first + l->count;
    orr_status status = ORR_OK;
    g->lent -= l->count;
    while (status == ORR_OK && low < end) {
        int32_t next = low + 1;
        while (next < end && (away[next] > 0) == (away[low] > 0))
            next++;
        if (!(away[low] > 0))
            status = drain_run(sim, g, low, next, l->back, err);
        low = next;
    }
    return status;
}

orr_status ori_rigid_apply_lendings(orr_rigid *sim, orr_error *err)
{
    ori_outages *o = &sim->outages;
    orr_status status = ORR_OK;
    while (status == ORR_OK && o->lent_count > 0 && o->lent[0].time == sim->now) {
        ori_lending first = o->lent[0];
        o->lent_count--;
        memmove(o->lent, o->lent + 1, (size_t)o->lent_count * sizeof *o->lent);
        status = end_lending(sim, &first, err);
    }
    return status;
}

/* --- more and fewer --------------------------------------------------------------------------- */

orr_status ori_rigid_drain(orr_rigid *sim, ori_group *g, int32_t count, double until,
                           orr_error *err)
{
    const double *away = sim->outages.away;
    orr_status status = ORR_OK;
    for (int32_t end = g->first + g->procs; status == ORR_OK && count > 0;) {
        while (away[end - 1] > 0)
            end--;
        int32_t low = end - 1;
        while (low > g->first && end - low < count && !(away[low - 1] > 0))
            low--;
        status = drain_run(sim, g, low, end, until, err);
        count -= end - low;
        end = low;
    }
    return status;
}

/* Drained processors low .. end - 1 that would be away equally long are in service again. */
static orr_status bring_back_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end,
                                 orr_error *err)
{
    orr_status status = ORR_OK;
    g->drained -= end - low;
    g->kept = g->plan_valid = false;
    for (int32_t next; status == ORR_OK && low < end; low = next) {
        next = part_end(sim, low, end);
        orr_outage outage = {sim->now, sim->outages.away[low], low, next - low};
        set_away(sim, g, low, next, 0);
        if (sim->processors.holder[low] >= 0)
            continue;
        g->left -= outage.count;
        orr_totals_absent_now(&sim->totals, sim->in, -outage.count, sim->now, sim->last_end);
        ori_rigid_update_run(sim, g, low, next);
        if (sim->record)
            status = orr_schedule_outage(&sim->schedule, &outage, ORR_OUTAGE_BACK, err);
    }
    return status;
}

orr_status ori_rigid_bring_back(orr_rigid *sim, ori_group *g, int32_t count, double until,
                                orr_error *err)
{
    const double *away = sim->outages.away;
    orr_status status = ORR_OK;
    for (int32_t low = g->first; status == ORR_OK && count > 0;) {
        while (!(away[low] > 0))
            low++;
        double back = away[low];
        int32_t end = low + 1;
        while (end < g->first + g->procs && end - low < count && away[end] == back)
            end++;
        status = bring_back_run(sim, g, low, end, err);
        if (status == ORR_OK && back > until)
            status = ori_rigid_lend(sim, (ori_lending){until, back, g->index, low, end - low}, err);
        count -= end - low;
        low = end;
    }
    return status;
}

/* Of processors low .. end - 1, of whatever groups, those that are drained come back, or those that
 * are not are drained for ever. */
static orr_status each_group(orr_rigid *sim, int32_t low, int32_t end, bool back, orr_error *err)
{
    const double *away = sim->outages.away;
    orr_status status = ORR_OK;
    for (int32_t next; status == ORR_OK && low < end; low = next) {
        ori_group *g = group_with(sim, low);
        int32_t most = g->first + g->procs < end ? g->first + g->procs : end;
        for (next = low + 1; next < most && away[next] == away[low];)
            next++;
        if (away[low] > 0)
            status = bring_back_run(sim, g, low, next, err);
        if (status == ORR_OK && !back)
            status = drain_run(sim, g, low, next, INFINITY, err);
    }
    return status;
}

orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err)
{
    ori_outages *o = &sim->outages;
    int32_t procs = sim->in->procs, before = procs - o->retired, after = procs - count;
    o->retired = count;
    if (after < before)
        return each_group(sim, after, before, false, err);
    return each_group(sim, before, after, true, err);
}

/* --- taking over ------------------------------------------------------------------------------ */

/* A processor that is out is so in its new group. */
static void take_processor(orr_rigid *to, int32_t p, bool out)
{
    const ori_outages *o = &to->outages;
    ori_group *g = group_with(to, p);
    g->drained += o->away[p] > 0;
    if (!out)
        return;
    ori_processors_fail(&to->processors, g->index, p, p);
    g->free--;
    g->down++;
    g->left += o->away[p] > 0;
    if (g->has_planned)
        ori_ends_add(&g->planned, o->repaired[p], 1);
}

static orr_status take_lendings(orr_rigid *to, orr_error *err)
{
    for (int32_t i = 0; i < to->outages.lent_count; i++) {
        ori_lending *l = &to->outages.lent[i];
        ori_group *g = group_with(to, l->first);
        if (l->first + l->count > g->first + g->procs)
            return orr_fail(err, ORR_ERR_ARGUMENT,
                            "policy %s cannot take over at time %.17g: processors %d to %d, which "
                            "leave at %.17g, are not of one group of it",
                            to->policy.name, to->now, (int)l->first, (int)(l->first + l->count - 1),
                            l->time);
        l->group = g->index;
        g->lent += l->count;
    }
    return ORR_OK;
}

orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    if (!from->outages.any)
        return ORR_OK;
    orr_status status = ori_outages_copy(&to->outages, &from->outages, err);
    if (status != ORR_OK)
        return status;
    for (int32_t p = 0; p < from->in->procs; p++)
        take_processor(to, p, from->processors.holder[p] == ORI_HELD_BY_REPAIR);
    return take_lendings(to, err);
}
