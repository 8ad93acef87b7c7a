/* The actions of a policy: every action is checked here before anything changes. */
#include "rigid/interface/actions.h"

#include "rigid/disciplines/disciplines_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/availability_internal.h"
#include "rigid/effects/checkpoints_internal.h"
#include "rigid/effects/hooks_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "schedule/schedule_internal.h"

enum { MOST_ACTIONS = 1000, MOST_ACTIONS_PER_JOB = 16 }; /* at one instant */

static orr_status refuse_action(const orr_rigid *sim, const char *verb, int32_t job,
                                const char *why, orr_error *err)
{
    return orr_fail(err, ORR_ERR_POLICY, "job %s cannot be %s: %s", orr_jobs_id(sim->jobs, job),
                    verb, why);
}

enum { WAITING = 1 << ORR_JOB_WAITING, RUNNING = 1 << ORR_JOB_RUNNING, HELD = 1 << ORR_JOB_HELD };

/* Checks that the policy may act on this job now; `allowed`: the states in which it may. */
static orr_status check_state(const orr_rigid *sim, const char *verb, int32_t job, unsigned allowed,
                              orr_error *err)
{
    static const char *const why[] = {"it is not submitted yet", "it is waiting",
                                      "it is running already", "it is over", "it is held"};
    ORI_FAIL_IF(job < 0 || job >= sim->in->count, err, ORR_ERR_POLICY,
                "job number %d cannot be %s: there are %d jobs", (int)job, verb,
                (int)sim->in->count);
    if (ORR_UNLIKELY(sim->instant.failure.status != ORR_OK))
        return refuse_action(sim, verb, job, "an action before it has failed halfway", err);
    if (!sim->instant.situation.acting)
        return refuse_action(sim, verb, job,
                             "only the dispatch hook and the hooks of events may do that", err);
    orr_rigid_job_state state = (orr_rigid_job_state)sim->state[job];
    if (allowed >> state & 1)
        return ORR_OK;
    return refuse_action(sim, verb, job, why[state], err);
}

/* A policy that acts in an endless loop would never end an instant. */
static orr_status count_action(orr_rigid *sim, const char *verb, int32_t job, orr_error *err)
{
    int64_t most = MOST_ACTIONS + MOST_ACTIONS_PER_JOB * (int64_t)sim->in->count;
    ORI_FAIL_IF(ORR_UNLIKELY(sim->instant.actions >= most), err, ORR_ERR_POLICY,
                "job %s cannot be %s: the policy has acted %lld times at this instant, it goes "
                "round in circles",
                orr_jobs_id(sim->jobs, job), verb, (long long)most);
    sim->instant.actions++;
    sim->instant.changed = true;
    return ORR_OK;
}

static orr_status check_action(orr_rigid *sim, const char *verb, int32_t job, unsigned allowed,
                               orr_error *err)
{
    ORI_TRY(check_state(sim, verb, job, allowed, err));
    return count_action(sim, verb, job, err);
}

/* Passes on the status of an action that has begun to change things. If it failed (no memory, or an
 * error of a priority that it asked for) the run must stop, even if the policy ignores the
 * error. */
static orr_status carried_out(orr_rigid *sim, orr_status status, const orr_error *err)
{
    if (ORR_LIKELY(status == ORR_OK) || sim->instant.failure.status != ORR_OK)
        return status;
    if (err)
        sim->instant.failure = *err;
    else
        orr_fail(&sim->instant.failure, status, "an action failed halfway");
    return status;
}

/* --- starts and reservations ------------------------------------------------------------------ */

/* In a group with a placement, enough free processors may not be sufficient. */
static orr_status find_processors(orr_rigid *sim, ori_group *g, int32_t job, orr_error *err)
{
    bool found = false;
    if (g->placed->place.choosing)
        return refuse_action(sim, "started", job, "its processors are being chosen", err);
    ORI_TRY(ori_rigid_find_now(sim, g, job, &found, err));
    if (found)
        return ORR_OK;
    return refuse_action(sim, "started", job,
                         g->policy.place == ORR_PLACE_ANY
                             ? "some of the free processors are reserved for others"
                             : "its placement permits none of the free processors",
                         err);
}

static const char over_a_limit[] = "running jobs use a limit (sim:can_start tells)";

orr_status orr_rigid_start(orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_TRY(check_state(sim, "started", job, WAITING, err));
    if (ori_is_aside(sim, job))
        return refuse_action(sim, "started", job, over_a_limit, err);
    ori_group *g = ori_group_of(sim, job);
    if (sim->jobs->procs[job] > g->at.free) {
        bool one = sim->group_count == 1;
        return orr_fail(err, ORR_ERR_POLICY,
                        "job %s cannot be started: it needs %d processors and %d are free%s%s",
                        orr_jobs_id(sim->jobs, job), (int)sim->jobs->procs[job], (int)g->at.free,
                        one ? "" : " in its group ", one ? "" : g->name);
    }
    if (ORR_UNLIKELY(!(ori_rigid_planned_end(sim, job, sim->shell.now) < INFINITY)))
        return ori_rigid_never_ends(sim, job, err);
    if (!ori_rigid_has_share_now(sim, job))
        return refuse_action(sim, "started", job,
                             ori_machine_nodes(sim)
                                 ? "its nodes are not free, or less of a pool than it needs"
                                 : "less of a pool is free than it needs",
                             err);
    if (g->placed)
        ORI_TRY(find_processors(sim, g, job, err));
    g->kept = false; /* this start was not planned */
    ori_promises_doubt(&g->promises);
    ori_promises_withdraw(&g->promises, job);
    orr_status status = ori_rigid_take_now(sim, g, job, err);
    if (status == ORR_OK)
        status = ori_rigid_start_fitting(sim, g, job, err);
    if (status == ORR_OK && ori_machine_nodes(sim))
        status = ori_rigid_reserve_again(sim, g, err);
    return carried_out(sim, status, err);
}

static bool is_planned(const ori_group *g)
{
    return g->plan_valid || (g->placed && g->placed->valid);
}

orr_status orr_rigid_reserve(orr_rigid *sim, int32_t job, double *start, orr_error *err)
{
    ORI_TRY(check_state(sim, "reserved", job, WAITING, err));
    if (ori_is_aside(sim, job))
        return refuse_action(sim, "reserved", job, over_a_limit, err);
    ori_group *g = ori_group_of(sim, job);
    if (sim->instant.situation.deciding < 0)
        return refuse_action(sim, "reserved", job, "only the dispatch hook may do that", err);
    if (sim->instant.situation.deciding != g->index)
        return refuse_action(sim, "reserved", job, "it is not in the group that is being decided",
                             err);
    bool planned = is_planned(g);
    if (planned && g->plan_reservations == sim->in->count)
        return refuse_action(sim, "reserved", job, "more reservations than jobs in one decision",
                             err);
    if (planned && ori_machine_nodes(sim) && !isnan(sim->nodes.reserved_at[job]))
        return refuse_action(sim, "reserved", job, "it has a reservation already", err);
    double from;
    ORI_TRY(ori_rigid_reserve(sim, g, job, &from, err));
    if (start)
        *start = from;
    return ORR_OK;
}

orr_status orr_rigid_list(orr_rigid *sim, int32_t reservations, orr_error *err)
{
    int32_t deciding = sim->instant.situation.deciding;
    ORI_FAIL_IF(deciding < 0, err, ORR_ERR_POLICY,
                "jobs cannot be listed: only the dispatch hook may do that");
    ORI_FAIL_IF(reservations < 0, err, ORR_ERR_POLICY,
                "jobs cannot be listed: a number of reservations is at least 0, not %d",
                (int)reservations);
    ORI_FAIL_IF(sim->instant.failure.status != ORR_OK, err, ORR_ERR_POLICY,
                "jobs cannot be listed: an action before it has failed halfway");
    ori_group *g = &sim->groups[deciding];
    ORI_FAIL_IF(is_planned(g) && g->plan_reservations > 0, err, ORR_ERR_POLICY,
                "jobs cannot be listed: this decision has reservations already");
    return carried_out(sim, ori_rigid_decide_list(sim, g, reservations, err), err);
}

/* --- ends and moves --------------------------------------------------------------------------- */

orr_status orr_rigid_kill(orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_TRY(check_action(sim, "killed", job, RUNNING, err));
    return carried_out(sim, ori_rigid_interrupt(sim, job, ORR_CANCELLED, err), err);
}

static orr_status put_back(orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_TRY(ori_rigid_interrupt(sim, job, ORR_PREEMPTED, err));
    return ori_rigid_enqueue(sim, job, err);
}

orr_status orr_rigid_requeue(orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_TRY(check_action(sim, "requeued", job, RUNNING, err));
    return carried_out(sim, put_back(sim, job, err), err);
}

static orr_status check_group(const orr_rigid *sim, int32_t job, int32_t group, orr_error *err)
{
    ORI_FAIL_IF(group < 0 || group >= sim->group_count, err, ORR_ERR_POLICY,
                "job %s cannot be moved: there is no group %d, they are numbered from 0 to %d",
                orr_jobs_id(sim->jobs, job), (int)group, (int)sim->group_count - 1);
    const ori_group *g = &sim->groups[group];
    ORI_FAIL_IF(sim->jobs->procs[job] > g->procs, err, ORR_ERR_POLICY,
                "job %s cannot be moved: it needs %d processors and group %s has %d",
                orr_jobs_id(sim->jobs, job), (int)sim->jobs->procs[job], g->name, (int)g->procs);
    return ORR_OK;
}

orr_status orr_rigid_move(orr_rigid *sim, int32_t job, int32_t group, orr_error *err)
{
    ORI_TRY(check_state(sim, "moved", job, WAITING | RUNNING | HELD, err));
    ORI_TRY(check_group(sim, job, group, err));
    ORI_TRY(count_action(sim, "moved", job, err));
    orr_status status = ORR_OK;
    if (sim->state[job] == ORR_JOB_RUNNING) {
        bool redirected = group != ori_group_of(sim, job)->index;
        sim->at.totals.redirected += redirected;
        status = ori_rigid_interrupt(sim, job, ORR_PREEMPTED, err);
        if (status == ORR_OK && redirected && sim->shell.record)
            ori_schedule_redirected(&sim->schedule, job);
    } else if (sim->state[job] == ORR_JOB_HELD) {
        sim->at.held--;
    } else {
        ori_rigid_withdraw(sim, job);
    }
    if (status == ORR_OK)
        status = ori_rigid_arrive(sim, job, group, err);
    return carried_out(sim, status, err);
}

/* --- checkpoints ------------------------------------------------------------------------------ */

static orr_status save_or_refuse(orr_rigid *sim, const char *verb, int32_t job, bool leaves,
                                 orr_error *err)
{
    ori_demanded what;
    ORI_TRY(check_state(sim, verb, job, RUNNING, err));
    if (!sim->progress || sim->in->checkpoints.cost[job] == INFINITY)
        return refuse_action(sim, verb, job, "it writes no checkpoints", err);
    ORI_TRY(count_action(sim, verb, job, err));
    orr_status status = ori_checkpoints_demand(sim, job, leaves, &what, err);
    if (status == ORR_OK && what == ORI_ENDS_LATER)
        status = ori_rigid_plan_again(sim, job, err);
    if (status == ORR_OK && what == ORI_LEAVES_NOW)
        status = put_back(sim, job, err);
    return carried_out(sim, status, err);
}

orr_status orr_rigid_checkpoint(orr_rigid *sim, int32_t job, orr_error *err)
{
    return save_or_refuse(sim, "checkpointed", job, false, err);
}

orr_status orr_rigid_preempt(orr_rigid *sim, int32_t job, orr_error *err)
{
    return save_or_refuse(sim, "preempted", job, true, err);
}

/* --- waiting jobs ----------------------------------------------------------------------------- */

orr_status orr_rigid_hold(orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_TRY(check_action(sim, "held", job, WAITING, err));
    ori_rigid_withdraw(sim, job);
    if (sim->limits)
        ori_limits_hold(sim->limits, job);
    sim->state[job] = ORR_JOB_HELD;
    sim->at.held++;
    return ORR_OK;
}

orr_status orr_rigid_release(orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_TRY(check_state(sim, "released", job, HELD, err));
    const ori_group *g = ori_group_of(sim, job);
    ORI_FAIL_IF(sim->jobs->procs[job] > g->procs, err, ORR_ERR_POLICY,
                "job %s cannot be released: it needs %d processors and its group %s has %d",
                orr_jobs_id(sim->jobs, job), (int)sim->jobs->procs[job], g->name, (int)g->procs);
    ORI_TRY(count_action(sim, "released", job, err));
    sim->at.held--;
    ori_group_of(sim, job)->promises.at.acted = true;
    return carried_out(sim, ori_rigid_enqueue(sim, job, err), err);
}

orr_status orr_rigid_wake_at(orr_rigid *sim, double time, orr_error *err)
{
    ORI_FAIL_IF(!sim->instant.situation.acting, err, ORR_ERR_POLICY,
                "only the dispatch hook and the hooks of events may ask for a time");
    ORI_FAIL_IF(!(time > sim->shell.now && time < INFINITY), err, ORR_ERR_POLICY,
                "time %.17g is no time to wake up at: it must be finite and later than now", time);
    return ori_rigid_add_timer(sim, time, -1, err);
}
