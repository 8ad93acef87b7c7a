/* Successors: a simulation that goes on from the present state of another one. Changed parts are
 * made from the state of every job, as if they had been so from the beginning; unchanged parts are
 * taken over. */
#include "rigid/effects/capacity_internal.h"
#include "rigid/effects/drain_internal.h"
#include "rigid/whatif/successor_internal.h"

#include "base/api_internal.h"
#include "base/try_internal.h"

#include "rigid/disciplines/disciplines_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/checkpoints_internal.h"
#include "rigid/effects/dependents_internal.h"
#include "rigid/effects/estimates_internal.h"
#include "rigid/effects/hooks_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "rigid/interface/engine.h"
#include "rigid/interface/parts_internal.h"
#include "rigid/queue/view.h"
#include "schedule/metrics_internal.h"
#include "schedule/schedule_internal.h"

#include <string.h>

/* --- who is taken over ------------------------------------------------------------------------ */

static orr_status check_old_job(const orr_rigid *to, const orr_rigid *from, int32_t j,
                                orr_error *err)
{
    double now = from->shell.now;
    if (to->in->time[j] == from->in->time[j] && to->in->estimate[j] == from->in->estimate[j])
        return ORR_OK;
    ORI_REFUSE(from->state[j] == ORR_JOB_OVER, err,
               "job %s: its runtime cannot be changed, it is over", orr_jobs_id(from->jobs, j));
    if (to->progress) /* this is checked when the attempt is taken over */
        return ORR_OK;
    ORI_REFUSE(
        from->state[j] == ORR_JOB_RUNNING && !(orr_real_end(to->in, j, from->start[j]) >= now), err,
        "job %s: its attempt has run for %.17g s already, so its runtime cannot be %.17g s",
        orr_jobs_id(from->jobs, j), now - from->start[j], to->in->time[j]);
    return ORR_OK;
}

static orr_status check_instance(const orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    ORI_REFUSE(to->in->count < from->in->count, err, "%d jobs cannot follow on %d",
               (int)to->in->count, (int)from->in->count);
    for (int32_t j = 0; to->in != from->in && j < from->in->count; j++)
        ORI_TRY(check_old_job(to, from, j, err));
    for (int32_t j = from->in->count; j < to->in->count; j++)
        ORI_REFUSE(!(to->in->submit[j] >= from->shell.now), err,
                   "job %s cannot be submitted at %.17g s: it is %.17g s already",
                   orr_jobs_id(to->jobs, j), to->in->submit[j], from->shell.now);
    return ORR_OK;
}

/* --- jobs ------------------------------------------------------------------------------------- */

/* Revises a job with another runtime: the time of its past attempts is written to its past and to
 * the record. */
static orr_status revise_job(orr_rigid *to, const orr_rigid *from, int32_t j, orr_error *err)
{
    bool runs = to->state[j] == ORR_JOB_RUNNING;
    orr_terms before = {from->in->time[j], from->in->estimate[j]};
    if (before.time == to->in->time[j] && before.estimate == to->in->estimate[j])
        return ORR_OK;
    if (to->progress)
        ORI_TRY(ori_checkpoints_check_runtime(to, j, err));
    orr_past *past = &to->past[j];
    int32_t ended = to->attempts[j] - runs - past->attempts;
    past->attempts += ended;
    past->time += ended * before.time;
    if (runs) {
        to->planned_end[j] =
            to->progress ? ori_checkpoints_planned_end(to, j) : ori_estimates_planned_end(to, j);
        if (!(to->planned_end[j] < INFINITY))
            return ori_rigid_never_ends(to, j, err);
        if (!to->asked.live) { /* in a live simulation ends are reported */
            ori_calendar_remove(&to->ends, j);
            ori_calendar_push(
                &to->ends,
                to->progress ? ori_checkpoints_real_end(to, j) : ori_estimates_event(to, j), 0, j);
        }
    }
    to->at.disturbed = true;
    return to->shell.record ? ori_schedule_revise(&to->schedule, j, before, to->planned_end[j], err)
                            : ORR_OK;
}

/* --- processors ---------------------------------------------------------------------------------
 */

/* The group that a run of processors lies in; -1: in none, or in several. */
static int32_t group_of_run(const orr_rigid *sim, orr_interval run)
{
    for (int32_t i = 0; i < sim->group_count; i++) {
        const ori_group *g = &sim->groups[i];
        if (run.low >= g->first && run.high < g->first + g->procs)
            return i;
    }
    return -1;
}

/* A running job keeps a run of processors; the first run determines its group. */
static orr_status hold_run(orr_rigid *to, int32_t job, orr_interval run, bool first, int32_t **link,
                           orr_error *err)
{
    int32_t group = group_of_run(to, run);
    ORI_REFUSE(group < 0 || (!first && group != ori_group_of(to, job)->index), err,
               "policy %s cannot take over at time %.17g: job %s runs on processors %d to %d, "
               "which are not of one group of it",
               to->policy.name, to->shell.now, orr_jobs_id(to->jobs, job), (int)run.low,
               (int)run.high);
    if (to->group)
        to->group[job] = group;
    if (to->needs.has_processors)
        ori_processors_hold(&to->processors, group, job, run, link);
    return ORR_OK;
}

static orr_status hold_recorded(orr_rigid *to, const orr_schedule *s, int32_t job, orr_error *err)
{
    const orr_attempt *a = &s->attempts[s->current[job]];
    int32_t *link = NULL;
    for (int32_t k = 0; k < a->interval_count; k++)
        ORI_TRY(hold_run(to, job, s->intervals[a->first_interval + k], k == 0, &link, err));
    return ORR_OK;
}

static orr_status hold_counted(orr_rigid *to, const ori_processors *p, int32_t job, orr_error *err)
{
    int32_t *link = NULL;
    for (int32_t i = p->head[job]; i >= 0;) {
        orr_interval run = ori_processors_next_run(p, &i);
        ORI_TRY(hold_run(to, job, run, run.low == p->head[job], &link, err));
    }
    return ORR_OK;
}

/* Running jobs keep their processors. Without a recording and without failing nodes the simulation
 * only counts processors; then there is one group, and nothing to take over. */
static orr_status hold_processors(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    for (int32_t i = 0; i < from->ends.count; i++) {
        int32_t job = (int32_t)from->ends.heap[i].payload;
        if (from->needs.has_processors)
            ORI_TRY(hold_counted(to, &from->processors, job, err));
        else if (from->shell.record)
            ORI_TRY(hold_recorded(to, &from->schedule, job, err));
        else if (to->group_count > 1 || to->needs.places)
            return orr_fail(err, ORR_ERR_ARGUMENT,
                            "policy %s has %s and cannot take over: without a "
                            "recording it is not known which processors job %s runs on",
                            to->policy.name, to->group_count > 1 ? "groups" : "a placement",
                            orr_jobs_id(to->jobs, job));
    }
    return ORR_OK;
}

/* --- groups ----------------------------------------------------------------------------------- */

/* Sets the groups of jobs that do not run. */
static void take_groups(orr_rigid *to, const orr_rigid *from, bool same)
{
    for (int32_t j = 0; to->group && j < from->in->count; j++) {
        int32_t group = from->group ? from->group[j] : 0;
        if (!same)
            group = orr_rigid_find_group(to, from->groups[group].name);
        to->group[j] = group < 0 ? 0 : group;
    }
}

/* Takes over the recent waits of a group with the same name. */
static void take_recent_waits(orr_rigid *to, const orr_rigid *from)
{
    for (int32_t i = 0; i < to->group_count; i++) {
        ori_group *g = &to->groups[i];
        int32_t before = orr_rigid_find_group(from, g->name);
        if (g->recent_waits && before >= 0 && from->groups[before].recent_waits)
            *g->recent_waits = *from->groups[before].recent_waits;
    }
}

/* Counts the running jobs, and notes their planned ends. */
static void count_running(orr_rigid *to)
{
    for (int32_t i = 0; i < to->ends.count; i++) {
        int32_t job = (int32_t)to->ends.heap[i].payload;
        ori_group *g = ori_group_of(to, job);
        g->at.free -= to->jobs->procs[job];
        g->at.running++;
        if (to->limits)
            ori_limits_use(to->limits, job, 1);
        if (g->has_planned)
            ori_rigid_plan_end(to, g, job);
    }
}

/* Puts every waiting or held job into its queue, in order of submission. */
static orr_status enqueue_all(orr_rigid *to, orr_error *err)
{
    to->at.held = 0;
    for (int32_t i = 0; (to->at.moves > 0 || to->dependents) && i < to->group_count; i++)
        ori_group_loosen(&to->groups[i]);
    for (int32_t i = 0; i < to->in->count; i++) {
        int32_t job = to->in->by_submission[i];
        if (to->state[job] == ORR_JOB_WAITING || to->state[job] == ORR_JOB_HELD)
            ORI_TRY(ori_rigid_enqueue(to, job, err));
    }
    return ORR_OK;
}

/* The same policy goes on with its state and its orders. */
static orr_status go_on(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    if (from->needs.acts)
        ori_calendar_copy(&to->timers, &from->timers);
    ORI_TRY(ori_shell_copy_state(&to->shell, &from->shell, err));
    if (to->limits)
        ori_limits_copy(to->limits, from->limits, false);
    for (int32_t i = 0; i < to->group_count; i++)
        ORI_TRY(ori_group_take_over(to, &to->groups[i], from, &from->groups[i], err));
    if (to->limits && to->in->turn_count != from->in->turn_count)
        ori_rigid_review_limits(to);
    return ORR_OK;
}

/* Whether the only order of another policy is that of this one: no priority, or the same formula of
 * the job alone. The ranks are kept then. Functions that are asked while jobs enter the queue, for
 * periods or estimates, look at a queue that is empty at first. */
static bool keeps_ranks(const orr_rigid *to, const orr_rigid *from)
{
    const ori_group *g = to->groups, *before = from->groups;
    const ori_order *o = &g->order, *known = &before->order;
    if (to->in != from->in || to->room != from->room || to->group_count > 1 ||
        from->group_count > 1 || g->has_backfill || to->lengths || from->lengths ||
        o->per != ORR_PER_WORKLOAD || known->per != ORR_PER_WORKLOAD || known->dynamic ||
        o->level || o->queue.trees > 0 || known->queue.trees > 0)
        return false;
    return o->priority
               ? ori_formulas_agree(g->policy.priority_formula, before->policy.priority_formula)
               : !known->priority;
}

/* Another policy begins. */
static orr_status begin_policy(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    bool keeps = keeps_ranks(to, from);
    for (int32_t i = 0; !keeps && i < to->group_count; i++)
        for (ori_order *o = to->groups[i].orders; o <= ori_last_order(&to->groups[i]); o++)
            ori_order_begin(o, &from->groups[0].order, from->in->count);
    if (keeps)
        ORI_TRY(ori_order_take_over(&to->groups->order, &from->groups->order, err));
    to->at.disturbed = true;
    to->at.introduced = false;
    to->at.fruitless = to->at.wakes = 0;
    if (to->at.news_count > 0)
        memset(to->news, 0, (size_t)to->in->count);
    to->at.news_count = 0;
    if (!keeps)
        ORI_TRY(ori_groups_rank(to, ORR_PER_WORKLOAD, NULL, err));
    ORI_TRY(ori_rigid_make_state(to, err));
    ORI_TRY(ori_groups_rank(to, ORR_PER_SCENARIO, NULL, err));
    return enqueue_all(to, err);
}

/* -------------------------------------------------------------------------------------------- */

/* Makes the parts of the successor, with old and new windows. Windows that have opened stay
 * first. */
static orr_status create_parts(orr_rigid *to, const orr_rigid *from, const ori_sequel *sequel,
                               orr_error *err)
{
    const ori_given_windows old = ori_windows_of(from), more = sequel->windows;
    const int64_t taken = sequel->windows_are_all ? 0 : old.count, count = taken + more.count;
    const orr_rigid_node_failures *failures =
        sequel->processors && from->shell.record ? &ori_no_failures : NULL;
    if (from->outages.any)
        failures = &from->outages.setup;
    orr_window *list;
    ORI_SCRATCH(&to->shell.alloc, ORI_RAW, err, ORI_PART(list, count));
    for (int64_t i = 0; i < count; i++)
        list[i] = i < taken ? old.list[i] : more.list[i - taken];
    for (int64_t i = sequel->windows_are_all ? from->outages.windows.at.opened : taken; i < count;
         i++)
        ORI_REFUSE(!(list[i].from > from->shell.now), err,
                   "processors cannot be closed at %.17g s: it is %.17g s already", list[i].from,
                   from->shell.now);
    return ori_rigid_create_parts(to, failures, (ori_given_windows){list, count, old.were}, ORI_RAW,
                                  err);
}

/* Whether the state of the jobs can be copied as one block of memory, which forks share. */
static bool shares_jobs(const orr_rigid *to, const orr_rigid *from)
{
    return from->shell.phase == ORI_FROZEN && from->asked.opened && to->in == from->in &&
           to->block.size == from->block.size && !(to->group || from->group) &&
           !(to->outlived || from->outlived);
}

/* Makes a successor in which nothing has happened, with the clock at the present time. */
static orr_status make_room(orr_rigid *to, const orr_rigid *from, const ori_sequel *sequel,
                            orr_error *err)
{
    ORI_TRY(check_instance(to, from, err));
    ORI_TRY(create_parts(to, from, sequel, err));
    ORI_TRY(ori_rigid_check_disciplines(to, err));
    if (!sequel->policy)
        ORI_TRY(ori_calendar_reserve(&to->timers, from->timers.count, err));
    ori_rigid_forget_run(to, shares_jobs(to, from) ? to->in->count : 0);
    to->shell.now = from->shell.now;
    to->at = from->at;
    to->at.disturbed |= sequel->windows.count > 0 || sequel->windows_are_all;
    return ORR_OK;
}

/* Adds new processors. */
static orr_status add_processors(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    int32_t old = from->in->procs, count = to->in->procs - old;
    orr_outage outage = {to->shell.now, to->shell.now, old, count};
    ORI_REFUSE(!ori_machine_nodes(to) != !ori_machine_nodes(from), err,
               "add_nodes: the machine is of nodes of one processor and nothing else, and so are "
               "those that can be added");
    ORI_REFUSE(count < 0, err,
               "%d processors cannot follow on %d: those that are too many are drained",
               (int)to->in->procs, (int)old);
    if (count == 0)
        return ORR_OK;
    to->at.disturbed = true;
    to->outages.at.retired = 0; /* the retired ones are not the highest any more */
    ori_totals_absent(&to->at.totals, to->in, count, to->in->first_submission);
    ori_totals_absent_now(&to->at.totals, to->in, -count, to->shell.now, to->at.last_end);
    return to->shell.record ? ori_schedule_outage(&to->schedule, &outage, ORR_OUTAGE_ADDED, err)
                            : ORR_OK;
}

/* Takes over the running jobs, their processors and their ends. */
static orr_status take_running(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    ori_calendar_copy(&to->ends, &from->ends);
    for (int32_t j = 0; to->in != from->in && j < from->in->count; j++)
        ORI_TRY(revise_job(to, from, j, err));
    if (from->outlived && !to->outlived)
        ori_estimates_leave(to);
    ORI_TRY(hold_processors(to, from, err));
    if (to->outages.any)
        ORI_TRY(ori_rigid_take_outages(to, from, err));
    ori_rigid_begin_at_first(to, from->in->first_submission);
    ORI_TRY(add_processors(to, from, err));
    if (to->progress)
        ori_checkpoints_take_events(to);
    count_running(to);
    if (to->needs.shares)
        ori_pools_count(to);
    if (to->needs.holds)
        memcpy(to->used, from->used, sizeof to->used);
    return ori_machine_nodes(to) ? ori_nodes_count(to, from, err) : ORR_OK;
}

/* Retires the processors that the new policy does not use. */
static orr_status retire(orr_rigid *to, const ori_sequel *sequel, orr_error *err)
{
    int32_t procs = sequel->policy && sequel->procs > 0 ? sequel->procs : to->in->procs;
    if (!sequel->policy)
        return ORR_OK;
    to->at.known = procs;
    if (procs == to->in->procs && to->outages.at.retired == 0)
        return ORR_OK;
    if (procs <= to->in->procs && to->outages.any)
        return ori_rigid_retire(to, to->in->procs - procs, err);
    return orr_fail(err, ORR_ERR_ARGUMENT,
                    "policy %s for %d processors cannot take over %d, without a recording or more "
                    "than there are",
                    to->policy.name, (int)procs, (int)to->in->procs);
}

static orr_status take_all(orr_rigid *to, const orr_rigid *from, const ori_sequel *sequel,
                           orr_error *err)
{
    bool same = sequel->policy == NULL;
    ORI_TRY(make_room(to, from, sequel, err));
    if (to->dependents)
        ori_dependents_take(to, from);
    if (shares_jobs(to, from))
        ORI_TRY(ori_block_copy(&to->block, &from->block, err));
    else
        ori_rigid_take_jobs(to, from);
    if (from->progress)
        ori_checkpoints_take(to, from->in->count);
    if (to->outlived && from->outlived)
        ori_estimates_take(to, from, from->in->count);
    to->at.submitted = to->in == from->in ? from->at.submitted : 0;
    ori_rigid_skip_submitted(to);
    if (to->shell.record) {
        const ori_windows *w = &to->outages.windows;
        ORI_TRY(ori_schedule_copy(&to->schedule, &from->schedule, err));
        ORI_TRY(ori_schedule_set_windows(&to->schedule, w->list, w->count, err));
        to->schedule.placed = to->needs.has_processors;
        ORI_TRY(ori_rigid_record_groups(to, err));
    }
    take_groups(to, from, same);
    take_recent_waits(to, from);
    ORI_TRY(take_running(to, from, err));
    if (!same)
        ori_warnings_forget_told(&to->outages.warnings);
    ORI_TRY(retire(to, sequel, err));
    to->shell.phase = ORI_MOVES;
    ORI_TRY(same ? go_on(to, from, err) : begin_policy(to, from, err));
    to->shell.phase = ORI_RESTS;
    return ORR_OK;
}

orr_rigid *ori_rigid_succeed(const orr_rigid *sim, const ori_sequel *sequel, orr_error *err)
{
    orr_rigid_policy policy = sim->policy;
    if (sequel->policy && ORI_TAKE(&policy, sequel->policy, orr_rigid_policy, err) != ORR_OK)
        return NULL;
    policy.name = ORI_POLICY_NAME(&policy);
    const orr_instance *in = sequel->instance ? sequel->instance : sim->in;
    if (sequel->room < 0 || sequel->room > INT32_MAX - in->count) {
        (void)orr_fail(err, ORR_ERR_ARGUMENT,
                       "room for %d jobs more cannot be: there are %d, and at least 0 are added",
                       (int)sequel->room, (int)in->count);
        return NULL;
    }
    int32_t room = in->count + sequel->room; /* and no less than before */
    orr_rigid plain = {.shell = sim->shell,
                       .in = in,
                       .room = room > sim->room ? room : sim->room,
                       .policy = policy,
                       .disciplines = sim->disciplines,
                       .asked = sim->asked,
                       .at = sim->at};
    plain.asked.opened = true;
    plain.shell.policy = ORI_POLICY_CALLS(&policy);
    plain.shell.phase = ORI_EMPTY;
    orr_rigid *to = ori_rigid_allocate(&plain, err);
    if (!to || take_all(to, sim, sequel, err) == ORR_OK)
        return to;
    orr_rigid_destroy(to);
    return NULL;
}
