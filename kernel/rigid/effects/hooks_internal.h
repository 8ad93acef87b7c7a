/* Calls of the policy's functions. */
#pragma once

#include "rigid/state/state_internal.h"

/* Whether the policy has event hooks. A new hook needs a field of orr_rigid_policy, a term here, a
 * function in hooks.c, and a call of this function. */
static inline bool ori_policy_has_events(const orr_rigid_policy *p)
{
    return p->on_submit || p->on_start || p->on_end || p->on_idle || p->on_timer || p->on_warning;
}

/* Begins a call of a policy's function: `now` says what the function may do, and for which group it
 * is called. Returns the situation before. */
ORR_INLINE ori_situation ori_situation_begin(orr_rigid *sim, ori_situation now, orr_error *err)
{
    ori_situation before = sim->instant.situation;
    sim->instant.situation = now;
    ori_policy_begin(err);
    return before;
}

/* The error of a call, or of an action whose error the policy has ignored. */
orr_status ori_situation_fail(orr_rigid *sim, const char *hook, const char *policy,
                              orr_status status, orr_error *err);

/* Ends the call and returns the status. For an action that was refused, adds policy, function and
 * time to the message, unless the policy did. */
ORR_INLINE orr_status ori_situation_end(orr_rigid *sim, ori_situation before, const char *policy,
                                        orr_status status, orr_error *err)
{
    const char *hook = sim->instant.situation.hook;
    sim->instant.situation = before;
    if (ORR_LIKELY(status == ORR_OK && sim->instant.failure.status == ORR_OK))
        return ORR_OK;
    return ori_situation_fail(sim, hook, policy, status, err);
}

/* Makes the state of a policy that begins and has none yet. */
orr_status ori_rigid_make_state(orr_rigid *sim, orr_error *err);

/* on_submit of a job that waits in its queue; it must then fit into its group. */
orr_status ori_rigid_introduce(orr_rigid *sim, int32_t job, orr_error *err);
orr_status ori_rigid_on_end(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err);
orr_status ori_rigid_on_timer(orr_rigid *sim, orr_error *err);
/* Adds a decision at a time later than now, before which on_timer is called, or, if job is not -1,
 * the priority of this job is asked again; only if needs.acts. */
orr_status ori_rigid_add_timer(orr_rigid *sim, double time, int32_t job, orr_error *err);

/* Calls on_warning for all warnings that the policy was not told yet. */
orr_status ori_rigid_on_warning(orr_rigid *sim, orr_error *err);

/* Asks the policy when it plans a running job to end. */
orr_status ori_rigid_ask_planned_end(orr_rigid *sim, int32_t job, double *time, orr_error *err);

/* Calls on_start for all started jobs that were not told yet. */
orr_status ori_rigid_on_start(orr_rigid *sim, orr_error *err);
/* Calls on_idle for the idle groups that were not told yet at this instant. */
orr_status ori_rigid_on_idle(orr_rigid *sim, orr_error *err);

/* Adds a started job to those for which on_start is to be called; removes a job that does not run
 * any more. */
void ori_rigid_note_start(orr_rigid *sim, int32_t job);
void ori_rigid_forget_start(orr_rigid *sim, int32_t job);

/* Notes how an attempt ended; the policy is told at the next instant (introduce.c). */
void ori_rigid_note_end(orr_rigid *sim, int32_t job, orr_outcome outcome);
