/* A simulation whose attempts end when somebody says so: the scheduler of a machine, or of another
 * simulator, which knows when jobs come and end, and asks what starts.
 *
 * It is created with orr_rigid_setup.live, for a workload that may be empty. The runtimes of its
 * jobs are not looked at: they are planned with the estimates (give each job its walltime as its
 * runtime), and end when that is reported. So one instant of the machine is
 *     orr_rigid_pass        the clock stands at it
 *     orr_rigid_changed     jobs that come are submitted now (rigid/change.h)
 *     orr_rigid_report_end  of every job that ended
 *     orr_rigid_run_until   now: the events of the instant, and the decisions
 * and what has started is what the recording has more (orr_rigid_schedule). An attempt that runs
 * longer than planned is planned, at every instant, to end right behind it. That nothing starts
 * although jobs wait is no error: somebody may still come. But orr_rigid_finish, which waits for
 * nobody, is ORR_ERR_ARGUMENT where jobs are left and nothing is to come but failures of nodes by a
 * law. Jobs do not fail, and nobody takes short ways. */
#pragma once

#include "rigid/engine.h"

/* The clock goes on to `time` >= now, and nothing happens yet. Submissions and wake-up times on
 * the way are due at the next instant. ORR_ERR_ARGUMENT where an end is reported and not applied
 * yet, and where processors fail, leave or come back on the way: orr_rigid_run_until goes there. */
ORR_API orr_status orr_rigid_pass(orr_rigid *sim, double time, orr_error *err);

/* The running attempt of a job ends now: it has completed, or was killed (ORR_COMPLETED,
 * ORR_KILLED). ORR_ERR_ARGUMENT where it does not run, or was reported before. */
ORR_API orr_status orr_rigid_report_end(orr_rigid *sim, int32_t job, orr_outcome outcome,
                                        orr_error *err);
