/* Drained processors: they go down as soon as no attempt runs on them, and come back at their time.
 * Drained processors that an attempt holds go down at its end (capacity.c). A separate file because
 * failures (outages.c) end attempts, and drains never do. */

#include "base/try_internal.h"
#include "rigid/effects/capacity_internal.h"
#include "rigid/effects/drain_internal.h"
#include "schedule/schedule_internal.h"

/* --- drains ----------------------------------------------------------------------------------- */

static ori_group *group_with(orr_rigid *sim, int32_t processor)
{
    int32_t i = 0;
    while (processor >= sim->groups[i].first + sim->groups[i].procs)
        i++;
    return &sim->groups[i];
}

/* Drains processors low .. end - 1 of a group, none of which is drained, until `back`. If `back` is
 * 0, returns these processors, drained until the same time, to service. */
static orr_status drain_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double back,
                            orr_error *err)
{
    bool drains = back > 0;
    const int32_t first = low;
    double *drained_until = sim->outages.drained_until;
    orr_outage outage = {sim->shell.now, back, low, end - low};
    sim->outages.at.draining = true;
    g->at.drained += drains ? end - low : low - end;
    g->kept = g->plan_valid = false;
    g->promises.at.acted = true;
    if (drains)
        ori_promises_doubt(&g->promises);
    else
        ori_promises_free(&g->promises);
    if (drains && back < INFINITY)
        ORI_TRY(ori_outages_plan_repair(&sim->outages, &outage, err));
    for (int32_t next; low < end; low = next) {
        int32_t last, job = ori_processors_holder(&sim->processors, low, &last);
        next = ori_rigid_run_end(sim, low, last < end ? last + 1 : end);
        orr_outage part = {sim->shell.now, drains ? back : drained_until[low], low, next - low};
        if (job >= 0 && g->has_planned)
            ori_rigid_unplan_end(sim, g, job);
        for (int32_t p = low; p < next; p++)
            drained_until[p] = back;
        if (job >= 0 && g->has_planned)
            ori_rigid_plan_end(sim, g, job);
        if (job < 0)
            ORI_TRY(ori_rigid_note_drained(sim, g, &part,
                                           drains ? ORR_OUTAGE_DRAINED : ORR_OUTAGE_BACK, err));
    }
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL)) /* also where jobs run */
        ori_nodes_look_out(sim, first, end);
    return ORR_OK;
}

/* --- more and fewer --------------------------------------------------------------------------- */

orr_status ori_rigid_drain(orr_rigid *sim, ori_group *g, int32_t count, double until,
                           orr_error *err)
{
    const double *drained_until = sim->outages.drained_until;
    for (int32_t end = g->first + g->procs; count > 0;) {
        while (drained_until[end - 1] > 0)
            end--;
        int32_t low = end - 1;
        while (low > g->first && end - low < count && !(drained_until[low - 1] > 0))
            low--;
        ORI_TRY(drain_run(sim, g, low, end, until, err));
        count -= end - low;
        end = low;
    }
    return ORR_OK;
}

/* The next run of at most `count` processors of a group, from `low` on, that are drained until the
 * same time; *low: its first. Returns its end. There must be one. */
static int32_t next_drained(const orr_rigid *sim, const ori_group *g, int32_t *low, int32_t count)
{
    const double *drained_until = sim->outages.drained_until;
    while (!(drained_until[*low] > 0))
        ++*low;
    int32_t end = *low + 1, last = g->first + g->procs;
    while (end < last && end - *low < count && drained_until[end] == drained_until[*low])
        end++;
    return end;
}

orr_status ori_rigid_bring_back(orr_rigid *sim, ori_group *g, int32_t count, orr_error *err)
{
    for (int32_t low = g->first, end; count > 0; low = end) {
        end = next_drained(sim, g, &low, count);
        ORI_TRY(drain_run(sim, g, low, end, 0, err));
        count -= end - low;
    }
    return ORR_OK;
}

int64_t ori_rigid_list_leaving(const orr_rigid *sim, const ori_group *g, int32_t count,
                               double until, orr_window *list)
{
    int64_t listed = 0;
    for (int32_t low = g->first, end; count > 0; low = end) {
        end = next_drained(sim, g, &low, count);
        double back = sim->outages.drained_until[low];
        if (back > until)
            list[listed++] = (orr_window){
                .from = until, .to = back, .first = low, .count = end - low, .lets_end = true};
        count -= end - low;
    }
    return listed;
}

orr_status ori_rigid_set_drained(orr_rigid *sim, int32_t low, int32_t end, double until,
                                 orr_error *err)
{
    const double *drained_until = sim->outages.drained_until;
    for (int32_t next; low < end; low = next) {
        ori_group *g = group_with(sim, low);
        int32_t most = g->first + g->procs < end ? g->first + g->procs : end;
        for (next = low + 1; next < most && drained_until[next] == drained_until[low];)
            next++;
        if (drained_until[low] > 0)
            ORI_TRY(drain_run(sim, g, low, next, 0, err));
        if (until > 0 && !(drained_until[low] > 0))
            ORI_TRY(drain_run(sim, g, low, next, until, err));
    }
    return ORR_OK;
}

orr_status ori_rigid_drain_outage(orr_rigid *sim, const orr_outage *outage, orr_error *err)
{
    const double *drained_until = sim->outages.drained_until;
    int32_t low = outage->first, end = low + outage->count;
    for (int32_t next; low < end; low = next) {
        for (next = low + 1; next < end && drained_until[next] == drained_until[low];)
            next++;
        if (outage->repaired > sim->shell.now && outage->repaired > drained_until[low])
            ORI_TRY(ori_rigid_set_drained(sim, low, next, outage->repaired, err));
    }
    return ORR_OK;
}

orr_status ori_rigid_keep_drained(orr_rigid *sim, ori_group *g, double until, orr_error *err)
{
    const double *drained_until = sim->outages.drained_until;
    int32_t last = g->first + g->procs;
    for (int32_t low = g->first, next; low < last; low = next) {
        for (next = low + 1; next < last && drained_until[next] == drained_until[low];)
            next++;
        if (!(drained_until[low] > 0 && drained_until[low] < until))
            continue;
        sim->at.disturbed = true;
        ORI_TRY(ori_rigid_set_drained(sim, low, next, until, err));
    }
    return ORR_OK;
}

orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err)
{
    ori_outages *o = &sim->outages;
    int32_t procs = sim->in->procs, before = procs - o->at.retired, after = procs - count;
    o->at.retired = count;
    if (after < before)
        return ori_rigid_set_drained(sim, after, before, INFINITY, err);
    return ori_rigid_set_drained(sim, before, after, 0, err);
}

/* --- taking over ------------------------------------------------------------------------------ */

/* Counts a drained or down processor in its new group. */
static void take_processor(orr_rigid *to, int32_t p, bool down)
{
    const ori_outages *o = &to->outages;
    ori_group *g = group_with(to, p);
    g->at.drained += o->drained_until[p] > 0;
    if (!down)
        return;
    ori_processors_take_down(&to->processors, g->index, p, p);
    g->at.free--;
    g->at.down++;
    g->at.drained_down += o->drained_until[p] > 0;
    if (g->has_planned)
        ori_ends_add(&g->planned, o->down_until[p], 1);
}

orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    if (!from->outages.any)
        return ORR_OK;
    ORI_TRY(ori_outages_copy(&to->outages, &from->outages, err));
    for (int32_t p = 0; p < from->in->procs; p++)
        take_processor(to, p, from->processors.holder[p] == ORI_DOWN);
    return ORR_OK;
}
