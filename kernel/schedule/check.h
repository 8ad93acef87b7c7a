/* The independent checker: is this schedule possible?
 *
 * It knows nothing of the engine or of any policy; it reads the recorded attempts and the instance
 * and verifies, exactly (no tolerance):
 *   - attempts stand in order of their starts; a job's attempts are numbered 1, 2, ...;
 *   - no attempt starts before its job's submission or the end of the attempt before, and none
 *     after its job is over;
 *   - every attempt that is not interrupted ends when it must (orr_real_end): each begins its job
 *     from nothing, whatever attempts before it have done, unless jobs write checkpoints;
 *   - where jobs write checkpoints (READINGS 36): an attempt begins with the work that the attempt
 *     before has kept; its time is recovery, the rest of the work and its checkpoints; it writes
 *     each checkpoint after a period, or on demand while it computes, and keeps what complete
 *     checkpoints have saved;
 *   - each such attempt has its required outcome: the first ones failed, as many as the scenario
 *     says; the next completed, or was killed if the runtime exceeds the walltime;
 *   - a job that comes after others is submitted its think time after the last of these is over
 *     (READINGS 41), by the instance of the simulation (orr_rigid_instance);
 *   - an interrupted attempt (preempted, cancelled, struck by a node's failure) ends between its
 *     start and its natural end, and an attempt struck by a node's failure ends when one of its
 *     processors fails;
 *   - no attempt starts later than promised (READINGS 34), unless since the promise an attempt
 *     failed or was put back, processors went out of service, or the policy or a change from
 *     outside moved the reservation to a later time;
 *   - every job is over, unless the run is partial;
 *   - a job that was cancelled from outside (rigid/whatif/change.h) does not start after the
 *     cancellation, and waited or ran at that time; a job whose runtime was changed has the old
 *     numbers in its earlier attempts;
 *   - every attempt holds exactly its job's number of processors, all in its group, no processor is
 *     held by two attempts at once (so the capacity is checked, too), and no held processor is
 *     down, drained, or absent;
 *   - no attempt that starts makes attempts hold more of a pool than there is then (READINGS 55);
 *   - where there are limits (READINGS 57), the attempts of a key that run at once are within
 *     them;
 *   - where the machine has nodes (READINGS 58, 59), an attempt is on nodes of its partition, in
 *     even shares where it asked for a number of them, no exclusive one shares a node, no node has
 *     a processor that is down, and no more of a node's resources is in use than it has;
 *   - no attempt runs on processors of a window that does not admit it (READINGS 48);
 *   - where its group has a placement (READINGS 46), its processors are neighbours, or whole
 *     nodes. */
#pragma once

#include "schedule/schedule.h"

/* ORR_OK, or ORR_ERR_INTERNAL with a message that names job, attempt, time and numbers of the first
 * violation. failures: one count per job (NULL: none may fail). submitted: not 0 for each job that
 * is, of a run that was stopped in the middle; jobs need not be over and attempts may be running.
 * NULL: the run came to its end. */
ORR_API orr_status orr_check_schedule(const orr_instance *in, const orr_schedule *schedule,
                                      const int32_t *failures, const uint8_t *submitted,
                                      orr_error *err);
