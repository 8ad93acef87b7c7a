/* The plan of a group for one decision: running jobs, down processors, and the reservations of the
 * decision. */
#include "rigid/disciplines_internal.h"

void ori_rigid_make_plan(orr_rigid *sim, ori_group *g)
{
    ori_plan_make(&g->plan, &g->planned, sim->shell.now, g->at.free);
}

void ori_rigid_need_plan(orr_rigid *sim, ori_group *g)
{
    if (g->plan_valid)
        return;
    ori_rigid_make_plan(sim, g);
    g->plan_valid = true;
    g->kept = false;
    g->plan_reservations = 0;
}

bool ori_rigid_fits_plan(orr_rigid *sim, ori_group *g, int32_t job)
{
    int32_t procs = sim->jobs->procs[job], step;
    if (procs > g->at.free)
        return false;
    ori_rigid_need_plan(sim, g);
    ori_plan_earliest(&g->plan, procs, sim->estimate[job], sim->in->verification, &step);
    return step == 0; /* a later step at this time is after the end of jobs that take no time */
}

double ori_rigid_reserve_in_plan(orr_rigid *sim, ori_group *g, int32_t job)
{
    int32_t index, procs = sim->jobs->procs[job];
    double estimate = sim->estimate[job], verification = sim->in->verification;
    ori_rigid_need_plan(sim, g);
    g->plan_reservations++;
    double from = ori_plan_earliest(&g->plan, procs, estimate, verification, &index);
    ori_plan_reserve(&g->plan, index, (from + estimate) + verification, procs);
    if (ORR_UNLIKELY(sim->reservations))
        sim->reservations[job] = from;
    return from;
}
