/* Drained processors: they go down as soon as nobody runs on them, and come back at their time;
 * lent ones leave when their time is over. Those that an attempt holds go down at its end, which is
 * in capacity.c. A file of its own because failures (outages.c) end attempts, and drains never
 * do. */
#include "rigid/attempts_internal.h"

#include "base/try_internal.h"
#include "schedule/schedule_internal.h"

#include <string.h>

/* --- drains ----------------------------------------------------------------------------------- */

static ori_group *group_with(orr_rigid *sim, int32_t processor)
{
    int32_t i = 0;
    while (processor >= sim->groups[i].first + sim->groups[i].procs)
        i++;
    return &sim->groups[i];
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

/* Drains processors low .. end - 1 of a group, none of which is drained, until `back`; or, where
 * that is 0, drained ones that would be down equally long are in service again. */
static orr_status drain_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end, double back,
                            orr_error *err)
{
    bool drains = back > 0;
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
        next = part_end(sim, low, end);
        int32_t job = sim->processors.holder[low];
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
    return ORR_OK;
}

/* --- lent processors -------------------------------------------------------------------------- */

orr_status ori_rigid_lend(orr_rigid *sim, ori_lending l, orr_error *err)
{
    ori_outages *o = &sim->outages;
    ORI_FAIL_IF(o->at.lent_count == ORI_MOST_LENDINGS, err, ORR_ERR_LIMIT,
                "more than %d times at which processors are to leave", (int)ORI_MOST_LENDINGS);
    int32_t at = o->at.lent_count++;
    for (; at > 0 && o->at.lent[at - 1].time > l.time; at--)
        o->at.lent[at] = o->at.lent[at - 1];
    o->at.lent[at] = l;
    sim->groups[l.group].at.lent += l.count;
    ori_promises_doubt(&sim->groups[l.group].promises);
    sim->groups[l.group].promises.at.acted = true;
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

orr_status ori_rigid_bring_back(orr_rigid *sim, ori_group *g, int32_t count, double until,
                                orr_error *err)
{
    const double *drained_until = sim->outages.drained_until;
    for (int32_t low = g->first; count > 0;) {
        while (!(drained_until[low] > 0))
            low++;
        double back = drained_until[low];
        int32_t end = low + 1;
        while (end < g->first + g->procs && end - low < count && drained_until[end] == back)
            end++;
        ORI_TRY(drain_run(sim, g, low, end, 0, err));
        if (back > until)
            ORI_TRY(ori_rigid_lend(sim, (ori_lending){until, back, g->index, low, end - low}, err));
        count -= end - low;
        low = end;
    }
    return ORR_OK;
}

/* Of processors low .. end - 1, of whatever groups, those that are drained come back if `back`;
 * then those that are not are drained until `until`; 0: none. */
static orr_status change_runs(orr_rigid *sim, int32_t low, int32_t end, bool back, double until,
                              orr_error *err)
{
    const double *drained_until = sim->outages.drained_until;
    for (int32_t next; low < end; low = next) {
        ori_group *g = group_with(sim, low);
        int32_t most = g->first + g->procs < end ? g->first + g->procs : end;
        for (next = low + 1; next < most && drained_until[next] == drained_until[low];)
            next++;
        if (back && drained_until[low] > 0)
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
            ORI_TRY(change_runs(sim, low, next, true, outage->repaired, err));
    }
    return ORR_OK;
}

/* Who is drained already stays so. */
orr_status ori_rigid_apply_lendings(orr_rigid *sim, orr_error *err)
{
    struct ori_outages_at *at = &sim->outages.at;
    while (at->lent_count > 0 && at->lent[0].time == sim->shell.now) {
        ori_lending l = at->lent[0];
        at->lent_count--;
        memmove(at->lent, at->lent + 1, (size_t)at->lent_count * sizeof *at->lent);
        sim->groups[l.group].at.lent -= l.count;
        ORI_TRY(change_runs(sim, l.first, l.first + l.count, false, l.back, err));
    }
    return ORR_OK;
}

orr_status ori_rigid_retire(orr_rigid *sim, int32_t count, orr_error *err)
{
    ori_outages *o = &sim->outages;
    int32_t procs = sim->in->procs, before = procs - o->at.retired, after = procs - count;
    o->at.retired = count;
    if (after < before)
        return change_runs(sim, after, before, true, INFINITY, err);
    return change_runs(sim, before, after, true, 0, err);
}

/* --- taking over ------------------------------------------------------------------------------ */

/* A processor that is down is so in its new group. */
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

static orr_status take_lendings(orr_rigid *to, orr_error *err)
{
    for (int32_t i = 0; i < to->outages.at.lent_count; i++) {
        ori_lending *l = &to->outages.at.lent[i];
        ori_group *g = group_with(to, l->first);
        ORI_REFUSE(l->first + l->count > g->first + g->procs, err,
                   "policy %s cannot take over at time %.17g: processors %d to %d, which "
                   "leave at %.17g, are not of one group of it",
                   to->policy.name, to->shell.now, (int)l->first, (int)(l->first + l->count - 1),
                   l->time);
        l->group = g->index;
        g->at.lent += l->count;
    }
    return ORR_OK;
}

orr_status ori_rigid_take_outages(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    if (!from->outages.any)
        return ORR_OK;
    ORI_TRY(ori_outages_copy(&to->outages, &from->outages, err));
    for (int32_t p = 0; p < from->in->procs; p++)
        take_processor(to, p, from->processors.holder[p] == ORI_DOWN);
    return take_lendings(to, err);
}
