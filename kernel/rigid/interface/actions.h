/* The actions of a policy on a simulation.
 *
 * The actions may be taken inside the policy's dispatch function and its event hooks. Reservations
 * are made only in the dispatch function, because they last until the end of that decision. Jobs
 * are named by position, groups are numbered from 0. The questions that a policy may ask are in
 * rigid/queue/view.h.
 *
 * An action that cannot be carried out returns ORR_ERR_POLICY with a message naming the job, the
 * numbers and the reason, and changes nothing. The policy's function should return this error; the
 * engine adds the policy, the hook and the time to the message. An action that fails while it is
 * carried out (no memory, or an error of a priority that it asks for) stops the simulation with
 * that error, even if the policy's function ignores it. The number of actions at one instant is
 * limited to 1000 + 16 per job, far more than any instant needs, to stop policies that act in an
 * endless loop. */
#pragma once

#include "rigid/queue/view.h"

/* Starts a waiting job now. It must fit on the free processors of its group. */
ORR_API orr_status orr_rigid_start(orr_rigid *sim, int32_t job, orr_error *err);

/* Reserves the earliest possible time for a waiting job of the group that is being decided, until
 * the end of this decision; *start, when not NULL, receives this time (s). Dispatch only. */
ORR_API orr_status orr_rigid_reserve(orr_rigid *sim, int32_t job, double *start, orr_error *err);

/* Decides for the group that is being decided as the discipline list does: in queue order, jobs
 * start or, up to so many, hold reservations (0 or more); behind these, jobs start that delay none.
 * Refused where the decision has made reservations before. Dispatch only. */
ORR_API orr_status orr_rigid_list(orr_rigid *sim, int32_t reservations, orr_error *err);

/* The next three functions end a running attempt. The work of the attempt that no checkpoint has
 * saved is lost, and the reservations that the group made so far in this decision are dropped. The
 * attempt does not count as one of the job's failures: only attempts that reach their end can fail.
 * on_end is not called.
 *
 * Ends the attempt with ORR_CANCELLED; the job is over. */
ORR_API orr_status orr_rigid_kill(orr_rigid *sim, int32_t job, orr_error *err);

/* Ends the attempt with ORR_PREEMPTED; the job waits again in its group and keeps its arrival. */
ORR_API orr_status orr_rigid_requeue(orr_rigid *sim, int32_t job, orr_error *err);

/* Puts a running (ORR_PREEMPTED), waiting or held job into the queue of a group; its arrival there
 * is now. The group must have as many processors as the job asks for. The group may be the job's
 * present one: the job then goes behind the jobs of equal priority. */
ORR_API orr_status orr_rigid_move(orr_rigid *sim, int32_t job, int32_t group, orr_error *err);

/* The next two functions are for running jobs that can write checkpoints (READINGS 36). The job
 * writes a checkpoint now, which saves all work done by now, and goes on. A job that recovers, is
 * writing a checkpoint, has just written one, or ends now, writes no other. */
ORR_API orr_status orr_rigid_checkpoint(orr_rigid *sim, int32_t job, orr_error *err);

/* The job writes a checkpoint, as above, and then waits again in its group (ORR_PREEMPTED). It
 * waits at once if it writes no other checkpoint and is writing none. on_end is not called. */
ORR_API orr_status orr_rigid_preempt(orr_rigid *sim, int32_t job, orr_error *err);

/* Hold takes a waiting job out of its queue until it is released or moved; the job keeps its
 * arrival. Release ends this. */
ORR_API orr_status orr_rigid_hold(orr_rigid *sim, int32_t job, orr_error *err);
ORR_API orr_status orr_rigid_release(orr_rigid *sim, int32_t job, orr_error *err);

/* Makes `time` (s, finite, later than now) an instant with on_timer and a decision, even if nothing
 * else happens at that time. */
ORR_API orr_status orr_rigid_wake_at(orr_rigid *sim, double time, orr_error *err);
