/* Jobs submitted from outside during a simulation: they get places in arrays that have room for
 * them, and in the orders of the groups. */
#include "rigid/whatif/change.h"

#include "base/try_internal.h"
#include "rigid/effects/outages_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "rigid/interface/parts_internal.h"
#include "rigid/state/state_internal.h"
#include "workload/instance_internal.h"
#include "workload/limit_internal.h"
#include "workload/select.h"

int32_t orr_rigid_room(const orr_rigid *sim)
{
    bool whole = sim->in->cap || sim->in->links || sim->in->checkpoints.cost; /* they need more data
                                                                                 than there is room
                                                                                 for */
    int32_t room = sim->asked.opened && !whole ? sim->room - sim->in->count : 0;
    return sim->limits ? ori_limits_room(sim->limits, room) : room;
}

static orr_status check_submission(const orr_rigid *sim, const orr_instance *in,
                                   const orr_jobs *jobs, int32_t count, orr_error *err)
{
    const ori_shell *shell = &sim->shell;
    ORI_REFUSE(in != sim->in || jobs != sim->jobs || jobs->count != in->count, err,
               "jobs are submitted to the workload and the instance of the simulation itself");
    ORI_REFUSE(shell->phase == ORI_STOPPED, err,
               "the simulation was stopped by an error at time %.17g and cannot go on", shell->now);
    ORI_TRY(ori_shell_check_can_go_on(shell, "orr_rigid_reset", "changed", err));
    ORI_REFUSE(count > orr_rigid_room(sim), err, "there is room for %d jobs more, not for %d",
               (int)orr_rigid_room(sim), (int)count);
    return ORR_OK;
}

static orr_status check_jobs(const orr_rigid *sim, const orr_jobs *more, int32_t first,
                             int32_t count, orr_error *err)
{
    for (int32_t j = first; j < first + count; j++) {
        ORI_REFUSE(!(more->submit[j] >= sim->shell.now), err,
                   "job %s cannot be submitted at %.17g s: it is %.17g s already",
                   orr_jobs_id(more, j), more->submit[j], sim->shell.now);
        ORI_TRY(ori_instance_check_job(sim->in, more, j, false, err));
        ORI_TRY(ori_limits_allow(sim->in, more, j, ORR_ERR_ARGUMENT, err));
    }
    return ORR_OK;
}

/* Adds the workload's new jobs to the instance and to the simulation. */
static orr_status take_in(orr_rigid *sim, orr_instance *in, orr_error *err)
{
    int32_t before = in->count, overruns = in->overruns;
    double first = in->first_submission;
    in->time = in->jobs->time; /* which may have moved */
    ORI_TRY(ori_instance_reserve(in, err));
    if (!sim->lengths)
        sim->estimate = in->estimate;
    ori_instance_extend(in, sim->at.submitted);
    ori_rigid_forget_jobs(sim, before);
    sim->reservations = NULL; /* the array has no room for these jobs */
    for (int32_t j = before; j < in->count; j++)
        sim->failures[j] = 0;
    orr_status status = ori_machine_nodes(sim) ? ori_nodes_add(sim, before, err) : ORR_OK;
    if (status == ORR_OK)
        status = ori_groups_add(sim, before, err);
    if (status == ORR_OK) {
        ori_rigid_begin_at_first(sim, first);
        return ORR_OK;
    }
    ori_instance_shorten(in, before);
    in->overruns = overruns;
    in->first_submission = first;
    return status;
}

orr_status orr_rigid_submit(orr_rigid *sim, orr_instance *in, orr_jobs *jobs, const orr_jobs *more,
                            int32_t first, int32_t count, orr_error *err)
{
    ORI_TRY(check_submission(sim, in, jobs, count, err));
    ORI_TRY(ori_rigid_catch_up_outages(sim, err));
    int32_t before = jobs->count;
    bool there = first >= 0 && count >= 0 && first <= more->count - count;
    if (there) /* before the workload gets labels of jobs that are refused */
        ORI_TRY(check_jobs(sim, more, first, count, err));
    orr_status status = orr_jobs_extend(jobs, more, first, count, err);
    if (count == 0) /* also if there is no room: the instance may have its own runtimes */
        return status;
    if (status == ORR_OK)
        status = take_in(sim, in, err);
    in->time = jobs->time;
    if (status != ORR_OK)
        jobs->count = before;
    return status;
}
