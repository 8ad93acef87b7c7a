/* The independent checker: is this schedule possible?
 *
 * It knows nothing of the engine or of any policy; it reads the recorded attempts and the instance
 * and verifies, exactly (no tolerance):
 *   - attempts stand in order of their starts; a job's attempts are numbered 1, 2, ...;
 *   - no attempt starts before its job's submission or the end of the attempt before, nor when the
 *     job is over;
 *   - every attempt that is not interrupted ends when it must (orr_real_end): each begins its job
 *     from nothing, whatever attempts before it have done, unless jobs write checkpoints;
 *   - where they do (READINGS 36): an attempt begins with the work that the one before has kept,
 *     takes what recovery, the rest of the work and its checkpoints take, writes each of these when
 *     its period says, or on demand while it computes, and keeps what those that were complete have
 *     saved; its time is work, checkpoints and recovery;
 *   - it has the outcome that it must have: of those the first ones failed, as many as the
 *     scenario says, the next completed, or was killed when the runtime exceeds the walltime;
 *   - a job that comes after others is submitted when the last of these is over, and its think time
 *     (READINGS 41), by the instance of the simulation (orr_rigid_instance);
 *   - an interrupted attempt (preempted, cancelled, struck by a node's failure) ends between its
 *     start and its natural end, and one that a node's failure has struck when one of its
 * processors fails;
 *   - no attempt starts later than was promised (READINGS 34), unless since then an attempt has
 *     failed or was put back, processors went out of service, or the policy or somebody outside has
 *     made the reservation a later one;
 *   - every job is over, unless the run is partial;
 *   - a job that was cancelled from outside (rigid/change.h) does not start after that, and waited
 * or ran then; one whose runtime was changed ran by the old numbers in the attempts that were over;
 *   - every attempt holds exactly its job's number of processors, all in its group, no processor is
 *     held by two attempts at once (which bounds the capacity, too), and none is held that is out,
 *     drained, or not there yet;
 *   - no attempt runs on processors of a window that does not admit it (READINGS 48);
 *   - where its group has a placement (READINGS 46), its processors are neighbours, or whole
 *     nodes. */
#pragma once

#include "schedule/schedule.h"

/* ORR_OK, or ORR_ERR_INTERNAL with a message that names job, attempt, time and numbers of the first
 * violation. failures: one count per job (NULL: none may fail). partial: the run was stopped in the
 * middle; jobs need not be over and attempts may be running. */
ORR_API orr_status orr_check_schedule(const orr_instance *in, const orr_schedule *schedule,
                                      const int32_t *failures, bool partial, orr_error *err);
