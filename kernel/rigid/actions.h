/* What a policy may do to a simulation.
 *
 * The actions may be taken inside the policy's dispatch function and its event hooks; reservations
 * are made only in the dispatch function, for they last until the end of that decision. Jobs are
 * named by position, groups are numbered from 0. What a policy may ask: rigid/view.h.
 *
 * An action that cannot be carried out is ORR_ERR_POLICY with a message naming the job, the numbers
 * and the reason, and changes nothing; the function should pass it on, and the engine adds the
 * policy, the hook and the time. One that fails while it is carried out (no memory, or an error of
 * a priority that it asks for) stops the simulation with that error, also where the function goes
 * on. One action too many at one instant is refused, too, that the policy does not go round in
 * circles: the limit is far above what any instant needs (1000 + 16 per job). */
#pragma once

#include "rigid/view.h"

/* Starts a waiting job now. It must fit on the free processors of its group. */
ORR_API orr_status orr_rigid_start(orr_rigid *sim, int32_t job, orr_error *err);

/* Reserves the earliest possible time for a waiting job of the group that is being decided, until
 * the end of this decision; *start, when not NULL, is that time (s). Dispatch only. */
ORR_API orr_status orr_rigid_reserve(orr_rigid *sim, int32_t job, double *start, orr_error *err);

/* The next three end a running attempt; what is not saved of its work is lost, and what the group
 * reserved so far in this decision is forgotten. None of its errors happens: a job's failures are
 * of attempts that reach their end. on_end is not called.
 *
 * Ends it for good: ORR_CANCELLED, the job is over. */
ORR_API orr_status orr_rigid_kill(orr_rigid *sim, int32_t job, orr_error *err);

/* ORR_PREEMPTED: the job waits again in its group, where it keeps its arrival. */
ORR_API orr_status orr_rigid_requeue(orr_rigid *sim, int32_t job, orr_error *err);

/* Puts a running (ORR_PREEMPTED), waiting or held job into the queue of a group, where it arrives
 * now. The group must have as many processors as the job asks for. It may be the one where the job
 * is: then it goes behind those of its priority. */
ORR_API orr_status orr_rigid_move(orr_rigid *sim, int32_t job, int32_t group, orr_error *err);

/* The next two are for jobs that can write checkpoints (READINGS 36). It writes one now, saves all
 * work done by now, and goes on; where it recovers, is writing one or has just written one, and
 * where it ends now, it writes no other. */
ORR_API orr_status orr_rigid_checkpoint(orr_rigid *sim, int32_t job, orr_error *err);

/* It writes one, as above, and then waits again in its group (ORR_PREEMPTED); at once where
 * it writes no other and is writing none. on_end is not called. */
ORR_API orr_status orr_rigid_preempt(orr_rigid *sim, int32_t job, orr_error *err);

/* Takes a waiting job out of its queue until it is released or moved; it keeps its arrival. */
ORR_API orr_status orr_rigid_hold(orr_rigid *sim, int32_t job, orr_error *err);
ORR_API orr_status orr_rigid_release(orr_rigid *sim, int32_t job, orr_error *err);

/* Makes `time` (s, finite, later than now) an instant of its own, with on_timer and a decision,
 * even if nothing else happens then. */
ORR_API orr_status orr_rigid_wake_at(orr_rigid *sim, double time, orr_error *err);
