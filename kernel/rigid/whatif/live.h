/* Live simulations: attempts end when their end is reported. A live simulation is the scheduler of
 * a real machine or of another simulator, which knows when jobs come and end, and asks which jobs
 * start.
 *
 * It is created with orr_rigid_setup.live, for a workload that may be empty. The runtimes of its
 * jobs are not used: jobs are planned with their estimates (give each job its walltime as its
 * runtime), and end when their end is reported. One instant of the machine is
 *     orr_rigid_pass        the clock stands at it
 *     orr_rigid_changed     jobs that come are submitted now (rigid/whatif/change.h)
 *     orr_rigid_report_end  of every job that ended
 *     orr_rigid_run_until   now: the events of the instant, and the decisions
 * The attempts started at this instant are the new ones in the recording (orr_rigid_schedule). An
 * attempt that runs longer than planned is planned, at every instant, to end right after this
 * instant. If jobs wait and nothing starts this is no error, because more jobs may come. But
 * orr_rigid_finish, which does not wait for more jobs, returns ORR_ERR_ARGUMENT if jobs are left
 * and only failures of nodes by a law are to come. Jobs do not fail, and no short ways are
 * taken. */
#pragma once

#include "rigid/interface/engine.h"

/* Moves the clock to `time` >= now without any event. Submissions and wake-up times before `time`
 * are due at the next instant. ORR_ERR_ARGUMENT if an end was reported and is not applied yet, or
 * if processors fail, leave or come back before `time`: call orr_rigid_run_until first. */
ORR_API orr_status orr_rigid_pass(orr_rigid *sim, double time, orr_error *err);

/* Reports that the running attempt of a job ends now: it has completed or was killed
 * (ORR_COMPLETED, ORR_KILLED). ORR_ERR_ARGUMENT if the job does not run, or its end was reported
 * before. */
ORR_API orr_status orr_rigid_report_end(orr_rigid *sim, int32_t job, orr_outcome outcome,
                                        orr_error *err);
