/* Live simulations: the clock is moved from outside, and ends of attempts are reported from
 * outside. The differences inside an instant are in run.c. */
#include "rigid/whatif/live.h"

#include "rigid/state/state_internal.h"

#include "base/try_internal.h"

static orr_status check_live(const orr_rigid *sim, const char *what, orr_error *err)
{
    ORI_REFUSE(!sim->asked.live, err, "%s is only for simulations that are live", what);
    return ori_shell_check_can_go_on(&sim->shell, "orr_rigid_reset", what, err);
}

orr_status orr_rigid_pass(orr_rigid *sim, double time, orr_error *err)
{
    ORI_TRY(check_live(sim, "orr_rigid_pass", err));
    ORI_REFUSE(!(time >= sim->shell.now && time < INFINITY), err,
               "the clock stands at %.17g s, and cannot be set to %.17g s", sim->shell.now, time);
    const ori_event *end = ori_calendar_peek(&sim->ends);
    ORI_REFUSE(end && end->time < time, err,
               "the clock cannot go on to %.17g s: job %s was reported to end at %.17g s, and what "
               "follows from that is still to be done (orr_rigid_run_until)",
               time, orr_jobs_id(sim->jobs, (int32_t)end->payload), end->time);
    ORI_REFUSE(sim->outages.any && ori_outages_next(&sim->outages) < time, err,
               "the clock cannot go on to %.17g s: at %.17g s processors go or come back "
               "(orr_rigid_run_until)",
               time, ori_outages_next(&sim->outages));
    sim->shell.now = time;
    return ORR_OK;
}

orr_status orr_rigid_report_end(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err)
{
    ORI_TRY(check_live(sim, "orr_rigid_report_end", err));
    ORI_REFUSE(job < 0 || job >= sim->in->count, err,
               "there is no job number %d, there are %d jobs", (int)job, (int)sim->in->count);
    ORI_REFUSE(outcome != ORR_COMPLETED && outcome != ORR_KILLED, err,
               "job %s has completed or was killed, and cannot end otherwise",
               orr_jobs_id(sim->jobs, job));
    ORI_REFUSE(sim->state[job] != ORR_JOB_RUNNING, err, "job %s cannot end, it does not run",
               orr_jobs_id(sim->jobs, job));
    ORI_REFUSE(sim->reported[job] != 0, err, "the end of job %s was reported before",
               orr_jobs_id(sim->jobs, job));
    sim->reported[job] = (uint8_t)outcome;
    ori_calendar_remove(&sim->ends, job);
    ori_calendar_push(&sim->ends, sim->shell.now, 0, job);
    return ORR_OK;
}
