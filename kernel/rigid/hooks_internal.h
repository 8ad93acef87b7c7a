/* Calls of the policy's functions. */
#pragma once

#include "rigid/state_internal.h"

/* Whether it has functions that are called while things happen. A new hook is a field of
 * orr_rigid_policy, a row here, its call in hooks.c, and the place where that is made. */
static inline bool ori_policy_has_events(const orr_rigid_policy *p)
{
    return p->on_submit || p->on_start || p->on_end || p->on_idle || p->on_timer || p->on_warning;
}

/* Around a call of a policy's function: what it may do, and about which group it is called. */
ori_situation ori_situation_begin(orr_rigid *sim, ori_situation now, orr_error *err);
/* Passes the status on. Who, which function and when is added to the message of an action that was
 * refused, unless the policy did. */
orr_status ori_situation_end(orr_rigid *sim, ori_situation before, const char *policy,
                             orr_status status, orr_error *err);

/* The state of a policy that begins, which has none yet. */
orr_status ori_rigid_make_state(orr_rigid *sim, orr_error *err);

/* on_submit of a job that waits in its queue; it must then fit into its group. */
orr_status ori_rigid_introduce(orr_rigid *sim, int32_t job, orr_error *err);
orr_status ori_rigid_on_end(orr_rigid *sim, int32_t job, orr_outcome outcome, orr_error *err);
orr_status ori_rigid_on_timer(orr_rigid *sim, orr_error *err);

/* on_warning for all that were given and that the policy was not told of. */
orr_status ori_rigid_on_warning(orr_rigid *sim, orr_error *err);

/* on_start for all that started and were not told yet. */
orr_status ori_rigid_on_start(orr_rigid *sim, orr_error *err);
/* on_idle for the groups that are idle and were not told yet at this instant. */
orr_status ori_rigid_on_idle(orr_rigid *sim, orr_error *err);

/* A job has started that on_start is to be called for; or it does not run any more. */
void ori_rigid_note_start(orr_rigid *sim, int32_t job);
void ori_rigid_forget_start(orr_rigid *sim, int32_t job);

/* Tells the policy at the next instant how an attempt ended (introduce.c). */
void ori_rigid_note_end(orr_rigid *sim, int32_t job, orr_outcome outcome);

/* --- after a change from outside (introduce.c) ----------------------------------------------- */

/* Tells the policy all that it was not told yet. */
orr_status ori_rigid_tell_news(orr_rigid *sim, orr_error *err);
