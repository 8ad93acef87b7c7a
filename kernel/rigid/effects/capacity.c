/* The processors of a group in service. They go down and come up in runs of processors in the same
 * state, and the planned ends are updated with them. Drained processors that an attempt held go
 * down at its end (ori_rigid_let_go). A separate file because ends of attempts, failures and drains
 * all change the processors in service. */
#include "rigid/effects/capacity_internal.h"

#include "schedule/metrics_internal.h"
#include "schedule/schedule_internal.h"

/* --- planned ends ----------------------------------------------------------------------------- */

typedef void (*note)(ori_ends *e, double time, int32_t procs);

/* Notes each processor of a job on its own, for jobs with drained processors: these come back later
 * than the job ends. */
static void note_each(orr_rigid *sim, ori_group *g, int32_t job, note what)
{
    const ori_processors *held = &sim->processors;
    const double *drained_until = sim->outages.drained_until;
    double planned = sim->planned_end[job];
    for (int32_t i = held->head[job]; i >= 0;) {
        orr_interval run = ori_processors_next_run(held, &i);
        for (int32_t p = run.low; p <= run.high;) {
            double time = ori_later(planned, drained_until[p]);
            int32_t from = p;
            while (++p <= run.high && ori_later(planned, drained_until[p]) == time)
                continue;
            what(&g->planned, time, p - from);
        }
    }
}

void ori_rigid_plan_end(orr_rigid *sim, ori_group *g, int32_t job)
{
    if (ORR_UNLIKELY(sim->outages.at.draining))
        note_each(sim, g, job, ori_ends_add);
    else
        ori_ends_add(&g->planned, sim->planned_end[job], sim->jobs->procs[job]);
}

void ori_rigid_unplan_end(orr_rigid *sim, ori_group *g, int32_t job)
{
    if (ORR_UNLIKELY(sim->outages.at.draining))
        note_each(sim, g, job, ori_ends_remove);
    else
        ori_ends_remove(&g->planned, sim->planned_end[job], sim->jobs->procs[job]);
}

/* --- down and up ------------------------------------------------------------------------------ */

static double closed_until(const ori_outages *o, int32_t p)
{
    return o->windows.closed_until ? o->windows.closed_until[p] : 0;
}

static bool alike(const orr_rigid *sim, int32_t p, int32_t q)
{
    const ori_outages *o = &sim->outages;
    return ori_is_down(sim, p) == ori_is_down(sim, q) &&
           (!ori_is_down(sim, p) || o->down_until[p] == o->down_until[q]) &&
           o->failed_until[p] == o->failed_until[q] && o->drained_until[p] == o->drained_until[q] &&
           closed_until(o, p) == closed_until(o, q);
}

int32_t ori_rigid_run_end(const orr_rigid *sim, int32_t low, int32_t end)
{
    int32_t p = low + 1;
    while (p < end && alike(sim, low, p))
        p++;
    return p;
}

void ori_rigid_update_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end)
{
    ori_outages *o = &sim->outages;
    int32_t count = end - low;
    bool before = ori_is_down(sim, low);
    double until =
        ori_later(ori_later(o->failed_until[low], o->drained_until[low]), closed_until(o, low));
    if (before && until == o->down_until[low] && until > sim->shell.now)
        return;
    if (before && g->has_planned)
        ori_ends_remove(&g->planned, o->down_until[low], count);
    int32_t more = (until > sim->shell.now) - before; /* down than before: -1, 0 or 1 times count */
    if (more > 0)
        ori_processors_take_down(&sim->processors, g->index, low, end - 1);
    if (more < 0)
        ori_processors_bring_up(&sim->processors, g->index, low, end - 1);
    g->at.free -= more * count;
    g->at.down += more * count;
    for (int32_t p = low; p < end; p++)
        o->down_until[p] = until;
    if (ORR_UNLIKELY(ori_machine_nodes(sim) != NULL))
        ori_nodes_look_out(sim, low, end);
    if (until > sim->shell.now && g->has_planned)
        ori_ends_add(&g->planned, until, count);
    if (until > sim->shell.now) {
        g->kept &= g->placed && !before; /* nothing starts earlier */
        ori_promises_doubt(&g->promises);
    }
}

orr_status ori_rigid_note_drained(orr_rigid *sim, ori_group *g, const orr_outage *outage,
                                  orr_outage_kind kind, orr_error *err)
{
    int32_t more = kind == ORR_OUTAGE_BACK ? -outage->count : outage->count;
    g->at.drained_down += more;
    ori_totals_absent_now(&sim->at.totals, sim->in, more, sim->shell.now, sim->at.last_end);
    ori_rigid_update_run(sim, g, outage->first, outage->first + outage->count);
    return sim->shell.record ? ori_schedule_outage(&sim->schedule, outage, kind, err) : ORR_OK;
}

orr_status ori_rigid_let_go(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    const double *drained_until = sim->outages.drained_until;
    for (int32_t i = sim->processors.head[job]; i >= 0;) {
        orr_interval run = ori_processors_next_run(&sim->processors, &i);
        for (int32_t p = run.low; p <= run.high;) {
            orr_outage left = {sim->shell.now, drained_until[p], p, 1};
            while (++p <= run.high && drained_until[p] == left.repaired)
                left.count++;
            if (left.repaired > sim->shell.now)
                ORI_TRY(ori_rigid_note_drained(sim, g, &left, ORR_OUTAGE_DRAINED, err));
        }
    }
    return ORR_OK;
}
