/* Changes from outside, between two instants: what if?
 *
 * A change concerns a simulation that goes on: orr_rigid_transplant makes a new one that takes over
 * where another stands, with the same or another policy, jobs behind those that there are, other
 * runtimes, more processors; the functions below change what it made. The other stays as it is. If
 * nothing is changed the new one has the future that a copy would have, to the last bit.
 *
 * What follows from a change happens at the next step, which then is one more instant at the same
 * time `now` (orr_rigid_next_event): first the policy is told, then comes all that an instant has.
 *
 * The policy hears of what it cannot know: on_end of every job that was cancelled (ORR_CANCELLED),
 * also of one that waited or was held, unless it was not submitted yet; on_end of every attempt
 * that a fault struck (ORR_NODE_FAILED); a policy that takes over, on_start of every job that runs,
 * in order of their starts, then on_submit of every job that waits, in order of submission.
 *
 * Random numbers. Streams are named by position, so that what is added changes nobody's numbers;
 * the policy's generator goes on where it was.
 *
 * Functions return ORR_ERR_ARGUMENT with a message that names the job or processor, the numbers and
 * the reason where a change cannot be made, and then have changed nothing. After any other error
 * (memory, the policy's) the simulation is good for nothing but to be destroyed. All of them may
 * call the policy's priorities and need the same care as a step. */
#ifndef ORR_RIGID_CHANGE_H
#define ORR_RIGID_CHANGE_H

#include "rigid/engine.h"
#include "rigid/scenario.h"

/* What a simulation goes on with; NULL: with what it had. */
typedef struct orr_rigid_sequel {
    const orr_instance *instance; /* borrowed like that of a setup. Made by orr_instance_revise from
                                     the one before: jobs behind those of before, submitted no
                                     earlier than now; other runtimes of unfinished jobs, of one
                                     that runs no less than it has run; more processors, which join
                                     the last group */
    const orr_rigid_policy *policy; /* another one. Its state is made, its priorities are asked,
                                       held jobs wait again, the times to wake up at are forgotten.
                                       Jobs wait in the group that has the name of theirs, else in
                                       the first; a running one must hold processors of one group */
    int32_t procs; /* how many the other policy is for; more than that are drained for ever, the
                      highest-numbered, until a policy comes for which they are; 0: all */
    const int32_t *failures; /* counts of the jobs behind; NULL: they do not fail */
} orr_rigid_sequel;

/* NULL on failure. `sim` must have a scenario, and no error may have stopped it. */
ORR_API orr_rigid *orr_rigid_transplant(const orr_rigid *sim, const orr_rigid_sequel *sequel,
                                        orr_error *err);

/* The following are for simulations made by orr_rigid_transplant, and copies of them.
 *
 * The job is over, wherever it was; of an attempt that runs the work is lost (ORR_CANCELLED).
 * spec/METRICS.md says what it counts for. */
ORR_API orr_status orr_rigid_cancel(orr_rigid *sim, int32_t job, orr_error *err);

/* The job's attempt that runs, or else its next one, fails at its end; after that the job fails as
 * often as before. *known, when not NULL: it was to fail anyway. */
ORR_API orr_status orr_rigid_fail_attempt(orr_rigid *sim, int32_t job, bool *known, orr_error *err);

/* The failures still to come of every unfinished job are drawn anew (those of a job that is never
 * out of luck are independent of those it had): attempts that have failed stay, the rest is the
 * count that the job would have in a scenario of this seed. `errors` is for this instance. */
ORR_API orr_status orr_rigid_redraw(orr_rigid *sim, const orr_silent_errors *errors, uint64_t seed,
                                    orr_error *err);

/* Nodes that fail by a law fail from now on when those of this seed do; else nothing happens. */
ORR_API orr_status orr_rigid_redraw_nodes(orr_rigid *sim, uint64_t seed, orr_error *err);

/* --- processors: of simulations that are recorded, or whose nodes may fail ----------------------
 */

/* An attempt is struck now: ORR_NODE_FAILED, the job waits again. The record says that its first
 * processor failed and was repaired at once. */
ORR_API orr_status orr_rigid_strike_job(orr_rigid *sim, int32_t job, orr_error *err);

/* The node of a processor fails now and is down for `repair` seconds >= 0; of processors that were
 * added, and where there are no nodes, the processor alone. *struck, when not NULL: the jobs that
 * ran there. */
ORR_API orr_status orr_rigid_strike_node(orr_rigid *sim, int32_t processor, double repair,
                                         int32_t *struck, orr_error *err);

/* A group has `procs` >= 0 processors in service from now on, no more than it was made with; until
 * `until` (s, later than now; INFINITY: for ever), when all of them are again.
 *
 * Those that are too many are drained, the highest-numbered first: a free one leaves at once, a
 * busy one when its attempt ends; nobody is killed. Everybody who plans knows when they come back.
 * Those that are missing come back now, the lowest-numbered first. A drained processor that fails
 * meanwhile is down until both are over. */
ORR_API orr_status orr_rigid_set_service(orr_rigid *sim, int32_t group, int32_t procs, double until,
                                         orr_error *err);

/* Processors of a group that leave at `until` (s, later than now; the highest-numbered `count` of
 * it): from then on they are drained for ever. No plan counts on them after that. */
ORR_API orr_status orr_rigid_lend(orr_rigid *sim, int32_t group, int32_t count, double until,
                                  orr_error *err);

#endif
