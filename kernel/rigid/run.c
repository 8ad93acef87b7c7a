/* The loop: all events of one instant in their order, decisions until nothing is left to do, and
 * the check that time advances. */
#include "rigid/interface/engine.h"

#include "rigid/disciplines/disciplines_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/checkpoints_internal.h"
#include "rigid/effects/dependents_internal.h"
#include "rigid/effects/estimates_internal.h"
#include "rigid/effects/hooks_internal.h"
#include "rigid/effects/outages_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "rigid/fast/shortcuts_internal.h"
#include "rigid/introduce_internal.h"
#include "rigid/invariants_internal.h"
#include "schedule/schedule_internal.h"
#include "workload/instance_internal.h"

#include <stdio.h>

/* --- ends ------------------------------------------------------------------------------------- */

static orr_outcome outcome_of(const orr_rigid *sim, int32_t job)
{
    if (sim->reported)
        return (orr_outcome)sim->reported[job];
    if (sim->progress ? ori_checkpoints_is_killed(sim, job) : orr_job_is_killed(sim->in, job))
        return ORR_KILLED;
    return sim->attempts[job] <= sim->failures[job] ? ORR_FAILED : ORR_COMPLETED;
}

ORR_INLINE orr_status end_attempt(orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_outcome outcome = outcome_of(sim, job);
    bool again = outcome == ORR_FAILED;
    if (ORR_UNLIKELY(sim->progress != NULL)) {
        const ori_progress *p = &sim->progress[job];
        if (p->leaves && !p->killed) {
            ORI_TRY(ori_rigid_leave_at_wish(sim, job, err));
            return ori_rigid_enqueue(sim, job, err);
        }
        again = ori_checkpoints_end(sim, job, outcome);
    }
    ORI_TRY(ori_rigid_leave(sim, ori_group_of(sim, job), job, outcome, err));
    if (again) {
        ORI_TRY(ori_rigid_enqueue(sim, job, err));
        if (ORR_UNLIKELY(outcome == ORR_KILLED))
            ORI_TRY(ori_checkpoints_check_kills(sim, job, err));
    } else {
        ori_rigid_over(sim, job, sim->shell.now);
    }
    return sim->policy.on_end ? ori_rigid_on_end(sim, job, outcome, err) : ORR_OK;
}

/* --- an instant ------------------------------------------------------------------------------- */

static double earlier_time(double a, double b)
{
    return b < a ? b : a;
}

ORR_INLINE double next_end_or_submission(const orr_rigid *sim)
{
    const ori_event *end = ori_calendar_peek(&sim->ends);
    double next = end ? end->time : INFINITY;
    int32_t job = ori_rigid_coming(sim);
    if (job >= 0)
        next = earlier_time(next, sim->in->submit[job]);
    return next;
}

/* The clock of a live simulation may have passed the time of an event, and the clock of a run that
 * was over the time of an outage. */
double orr_rigid_next_event(const orr_rigid *sim)
{
    double next = next_end_or_submission(sim);
    if (!sim->needs.eventful)
        return next;
    if (sim->at.over == sim->in->count && !sim->asked.live)
        return INFINITY;
    if (sim->at.disturbed)
        return sim->shell.now;
    if (ORR_UNLIKELY(sim->at.stands) && next == INFINITY)
        return next;
    if (sim->timers.count > 0)
        next = earlier_time(next, ori_calendar_peek(&sim->timers)->time);
    if (sim->outages.any)
        next = earlier_time(next, ori_later(ori_outages_next(&sim->outages), sim->shell.now));
    if (ORR_UNLIKELY(sim->in->turn_count > 0))
        next = earlier_time(next, ori_pools_next(sim));
    return sim->asked.live ? ori_later(next, sim->shell.now) : next;
}

static bool end_is_due(const orr_rigid *sim)
{
    const ori_event *end = ori_calendar_peek(&sim->ends);
    return end && end->time == sim->shell.now;
}

/* Whether the event of a job in `ends` is not its end but a checkpoint. */
static bool writes_checkpoint(const orr_rigid *sim, int64_t job)
{
    return ORR_UNLIKELY(sim->progress != NULL) && sim->progress[job].due;
}

static orr_status write_checkpoint(orr_rigid *sim, int32_t job, orr_error *err)
{
    bool wrote;
    ORI_TRY(ori_checkpoints_write_before(sim, job, &wrote, err));
    if (wrote)
        return ori_rigid_plan_again(sim, job, err);
    ori_calendar_move(&sim->ends, ori_checkpoints_event(sim, job), job);
    return ORR_OK;
}

static orr_status apply_end(orr_rigid *sim, orr_error *err)
{
    int64_t job = ori_calendar_peek(&sim->ends)->payload;
    if (writes_checkpoint(sim, job))
        return write_checkpoint(sim, (int32_t)job, err);
    if (ori_estimates_are_outlived(sim, (int32_t)job))
        return ori_rigid_plan_again(sim, (int32_t)job, err);
    return end_attempt(sim, (int32_t)ori_calendar_pop(&sim->ends).payload, err);
}

/* Applies the due ends of the attempts that run now; attempts started by hooks end in the next
 * round. */
static orr_status apply_ends(orr_rigid *sim, orr_error *err)
{
    uint64_t mark = sim->ends.inserted;
    while (end_is_due(sim) && ori_calendar_peek(&sim->ends)->order < mark)
        ORI_TRY(apply_end(sim, err));
    return ORR_OK;
}

ORR_INLINE orr_status submit(orr_rigid *sim, int32_t job, orr_error *err)
{
    orr_status status = ori_rigid_enqueue(sim, job, err);
    bool more = sim->policy.on_submit || sim->group;
    return status == ORR_OK && more ? ori_rigid_introduce(sim, job, err) : status;
}

/* A limit on jobs that wait refuses a job at its submission: it never waits, and is over. */
static orr_status refuse(orr_rigid *sim, int32_t job, int32_t limit, int64_t waiting,
                         orr_error *err)
{
    orr_withdrawal refusal = {
        .time = sim->shell.now, .job = job, .limit = limit + 1, .waiting = waiting};
    if (sim->shell.record)
        ORI_TRY(ori_schedule_withdraw(&sim->schedule, refusal, err));
    sim->left_out[job] = ORR_LEFT_REFUSED;
    ori_rigid_over(sim, job, sim->shell.now);
    return ORR_OK;
}

ORR_INLINE bool submission_is_due(const orr_rigid *sim)
{
    int32_t job = ori_rigid_coming(sim);
    return job >= 0 && sim->in->submit[job] <= sim->shell.now; /* before now: a live clock has
                                                                  passed it */
}

ORR_INLINE orr_status apply_submission(orr_rigid *sim, orr_error *err)
{
    int32_t job = ori_rigid_coming(sim);
    if (ORR_UNLIKELY(sim->dependents != NULL))
        ORI_TRY(ori_dependents_ask(sim, job, err));
    int64_t waiting;
    int32_t limit = -1;
    ori_rigid_advance(sim);
    if (ORR_UNLIKELY(sim->limits != NULL))
        limit = ori_limits_refusing(sim->limits, job, &waiting);
    ORI_TRY(limit < 0 ? submit(sim, job, err) : refuse(sim, job, limit, waiting, err));
    if (sim->asked.opened)
        ori_rigid_skip_submitted(sim);
    return ORR_OK;
}

ORR_INLINE orr_status apply_submissions(orr_rigid *sim, orr_error *err)
{
    while (submission_is_due(sim))
        ORI_TRY(apply_submission(sim, err));
    return ORR_OK;
}

static bool timer_is_due(const orr_rigid *sim)
{
    return sim->timers.count > 0 && ori_calendar_peek(&sim->timers)->time <= sim->shell.now;
}

static orr_status apply_timers(orr_rigid *sim, orr_error *err)
{
    bool wakes = false;
    while (timer_is_due(sim)) {
        ori_event e = ori_calendar_pop(&sim->timers);
        wakes |= e.payload < 0;
        if (e.payload >= 0 && ori_rigid_changes(sim, (int32_t)e.payload, e.time))
            ORI_TRY(ori_rigid_ask_again(sim, (int32_t)e.payload, err));
    }
    return wakes ? ori_rigid_on_timer(sim, err) : ORR_OK;
}

/* Jobs that do not wait any more are no reason for an instant. */
static void drop_timers(orr_rigid *sim)
{
    const ori_event *e;
    while ((e = ori_calendar_peek(&sim->timers)) && e->payload >= 0 &&
           !ori_rigid_changes(sim, (int32_t)e->payload, e->time))
        ori_calendar_pop(&sim->timers);
}

ORR_INLINE orr_status decide_group(orr_rigid *sim, ori_group *g, orr_error *err)
{
    if (g->order.queue.count == 0)
        return ORR_OK;
    orr_status status = ori_rigid_rank_waiting(sim, g, err);
    if (status == ORR_OK)
        status = ori_rigid_decide(sim, g, err);
    g->plan_valid = false;
    return status;
}

/* Whether the policy has changed something, or has started jobs for which on_start was not called
 * yet. */
static bool has_acted(const orr_rigid *sim)
{
    return sim->instant.changed || sim->instant.told < sim->instant.started_count;
}

/* Whether there must be another round of decisions at this instant. */
static bool goes_on(const orr_rigid *sim)
{
    return end_is_due(sim) || has_acted(sim);
}

static orr_status decide_once(orr_rigid *sim, orr_error *err)
{
    sim->instant.changed = false;
    for (int32_t i = 0; i < sim->group_count; i++) {
        ori_group *g = &sim->groups[i];
        ORI_TRY(decide_group(sim, g, err));
    }
    return sim->instant.started_count > 0 ? ori_rigid_on_start(sim, err) : ORR_OK;
}

/* Makes rounds of decisions until nothing is left to do. */
static orr_status decide_until_quiet(orr_rigid *sim, orr_error *err)
{
    for (;;) {
        ORI_TRY(decide_once(sim, err));
        if (sim->policy.on_idle && !goes_on(sim) && sim->at.over < sim->in->count)
            ORI_TRY(ori_rigid_on_idle(sim, err));
        if (!goes_on(sim))
            return ORR_OK;
        ORI_TRY(apply_ends(sim, err)); /* ends of jobs that take no time */
    }
}

/* An instant of one group, if the policy does not act and nodes do not fail: same result, fewer
 * checks. */
static orr_status apply_plain_instant(orr_rigid *sim, orr_error *err)
{
    const ori_event *end = ori_calendar_peek(&sim->ends);
    do {
        for (; end && end->time == sim->shell.now; end = ori_calendar_peek(&sim->ends)) {
            int32_t job = (int32_t)ori_calendar_pop(&sim->ends).payload;
            ORI_TRY(end_attempt(sim, job, err));
        }
        ORI_TRY(apply_submissions(sim, err));
        ORI_TRY(decide_group(sim, sim->groups, err));
        end = ori_calendar_peek(&sim->ends);
    } while (end && end->time == sim->shell.now); /* jobs that take no time */
    return ORR_OK;
}

/* The start of every instant that is not plain. */
static orr_status begin_instant(orr_rigid *sim, orr_error *err)
{
    if (sim->asked.live)
        ori_rigid_plan_overdue(sim);
    sim->instant.actions = 0;
    for (int32_t i = 0; sim->policy.on_idle && i < sim->group_count; i++)
        sim->groups[i].idle_told = false;
    if (ORR_UNLIKELY(sim->in->turn_count > 0))
        ori_pools_turn(sim);
    return sim->at.disturbed ? ori_rigid_tell_news(sim, err) : ORR_OK;
}

/* Applies failures and repairs of nodes, and gives warnings. */
static orr_status apply_nodes(orr_rigid *sim, orr_error *err)
{
    ORI_TRY(ori_rigid_apply_outages(sim, err));
    return ori_warnings_are_untold(&sim->outages.warnings) ? ori_rigid_on_warning(sim, err)
                                                           : ORR_OK;
}

static orr_status apply_instant(orr_rigid *sim, orr_error *err)
{
    ORI_TRY(begin_instant(sim, err));
    ORI_TRY(apply_ends(sim, err));
    if (sim->outages.any)
        ORI_TRY(apply_nodes(sim, err));
    ORI_TRY(apply_submissions(sim, err));
    if (sim->timers.count > 0)
        ORI_TRY(apply_timers(sim, err));
    return decide_until_quiet(sim, err);
}

/* --- a decision at every event (READINGS 35) -------------------------------------------------- */

static bool outage_is_due(const orr_rigid *sim)
{
    return sim->outages.any && (ori_outages_next(&sim->outages) <= sim->shell.now ||
                                ori_warnings_are_untold(&sim->outages.warnings));
}

/* A kind of event: a test whether one is due, and a function that applies the first. */
typedef struct kind_of_event {
    bool (*is_due)(const orr_rigid *sim);
    orr_status (*apply)(orr_rigid *sim, orr_error *err);
} kind_of_event;

static bool one_submission_is_due(const orr_rigid *sim)
{
    return submission_is_due(sim);
}

static orr_status apply_one_submission(orr_rigid *sim, orr_error *err)
{
    return apply_submission(sim, err);
}

#define ENDS                                                                                       \
    {                                                                                              \
        end_is_due, apply_end                                                                      \
    }
#define OUTAGES                                                                                    \
    {                                                                                              \
        outage_is_due, apply_nodes                                                                 \
    }
#define SUBMISSIONS                                                                                \
    {                                                                                              \
        one_submission_is_due, apply_one_submission                                                \
    }
#define TIMERS                                                                                     \
    {                                                                                              \
        timer_is_due, apply_timers                                                                 \
    }

enum { KINDS = 4 };

/* The kinds of events in their order at an instant. */
static const kind_of_event kinds[][KINDS] = {
    [ORR_INSTANT_ENDS_FIRST] = {ENDS, OUTAGES, SUBMISSIONS, TIMERS},
    [ORR_INSTANT_SUBMISSIONS_FIRST] = {SUBMISSIONS, ENDS, OUTAGES, TIMERS},
    [ORR_INSTANT_PYSS] = {SUBMISSIONS, ENDS, OUTAGES, TIMERS},
};

#undef ENDS
#undef OUTAGES
#undef SUBMISSIONS
#undef TIMERS

/* Applies the first event that is due; *any: whether there was one. */
static orr_status apply_one_event(orr_rigid *sim, bool *any, orr_error *err)
{
    const kind_of_event *kind = kinds[sim->asked.instant];
    for (int i = 0; i < KINDS; i++)
        if ((*any = kind[i].is_due(sim)))
            return kind[i].apply(sim, err);
    return ORR_OK;
}

/* Whether an attempt that ends now was planned to. */
static orr_status ends_as_planned(orr_rigid *sim, int32_t job, bool *planned, orr_error *err)
{
    double end = sim->planned_end[job];
    *planned = false;
    if (writes_checkpoint(sim, job) || ori_estimates_are_outlived(sim, job))
        return ORR_OK;
    if (sim->policy.planned_end)
        ORI_TRY(ori_rigid_ask_planned_end(sim, job, &end, err));
    *planned = end == sim->shell.now;
    return ORR_OK;
}

/* The first, in order of starts, of the ends that are due now as planned, of attempts that started
 * before *order: its job, -1 if there is none; its place is the new *order. */
static orr_status first_planned_end(orr_rigid *sim, int32_t *job, uint64_t *order, orr_error *err)
{
    *job = -1;
    for (int32_t i = 0; end_is_due(sim) && i < sim->ends.count; i++) {
        ori_event e = sim->ends.heap[i];
        bool planned;
        if (e.time != sim->shell.now || e.order >= *order)
            continue;
        ORI_TRY(ends_as_planned(sim, (int32_t)e.payload, &planned, err));
        if (planned)
            *job = (int32_t)e.payload, *order = e.order;
    }
    return ORR_OK;
}

/* ORR_INSTANT_PYSS: attempts that end as planned free their processors before the first submission.
 * *place: the place of the first of these ends among all ends, UINT64_MAX if there are none.
 * Attempts started by hooks meanwhile end later, after on_start. */
static orr_status apply_planned_ends(orr_rigid *sim, uint64_t *place, orr_error *err)
{
    const uint64_t mark = sim->ends.inserted;
    for (*place = UINT64_MAX;;) {
        int32_t job;
        uint64_t order = mark;
        ORI_TRY(first_planned_end(sim, &job, &order, err));
        if (job < 0)
            return ORR_OK;
        *place = *place == UINT64_MAX ? order : *place;
        ori_calendar_remove(&sim->ends, job);
        ORI_TRY(end_attempt(sim, job, err));
    }
}

/* Takes a decision, and further ones after changes by the policy. */
static orr_status decide_on_event(orr_rigid *sim, orr_error *err)
{
    do
        ORI_TRY(decide_once(sim, err));
    while (has_acted(sim));
    return ORR_OK;
}

/* Applies every event singly, each followed by a decision, until there are no more. `place`: the
 * place of the decision on ends that are applied already. */
static orr_status apply_events_singly(orr_rigid *sim, uint64_t place, orr_error *err)
{
    for (bool any = true; any;) {
        const ori_event *end = ori_calendar_peek(&sim->ends);
        bool turn = place != UINT64_MAX && !submission_is_due(sim) &&
                    !(end_is_due(sim) && end->order < place);
        if (turn)
            place = UINT64_MAX;
        else
            ORI_TRY(apply_one_event(sim, &any, err));
        if (any)
            ORI_TRY(decide_on_event(sim, err));
    }
    return ORR_OK;
}

static orr_status apply_instant_singly(orr_rigid *sim, orr_error *err)
{
    uint64_t place = UINT64_MAX;
    bool first = sim->at.disturbed || ori_pools_next(sim) <= sim->shell.now;
    ORI_TRY(begin_instant(sim, err));
    if (first)
        ORI_TRY(decide_on_event(sim, err));
    if (sim->asked.instant == ORR_INSTANT_PYSS)
        ORI_TRY(apply_planned_ends(sim, &place, err));
    do {
        ORI_TRY(apply_events_singly(sim, place, err));
        place = UINT64_MAX;
        sim->instant.changed = false;
        if (sim->policy.on_idle && sim->at.over < sim->in->count)
            ORI_TRY(ori_rigid_on_idle(sim, err));
        if (has_acted(sim))
            ORI_TRY(decide_on_event(sim, err));
    } while (end_is_due(sim));
    return ORR_OK;
}

/* --- progress --------------------------------------------------------------------------------- */

enum { MOST_FRUITLESS = 100000, MOST_WAKES = 1000000 };

/* Counts a wake-up of the policy at `instant`. A policy can wake up again and again after tiny
 * times; if nothing else happens, the simulation makes no progress. */
static orr_status count_wake(orr_rigid *sim, double instant, orr_error *err)
{
    bool alone = instant < next_end_or_submission(sim) &&
                 !(sim->outages.any && ori_outages_next(&sim->outages) <= instant);
    sim->at.wakes = alone ? sim->at.wakes + 1 : 0;
    ORI_FAIL_IF(ORR_UNLIKELY(sim->at.wakes >= MOST_WAKES), err, ORR_ERR_POLICY,
                "policy %s: at time %.17g it has woken up %d times in a row, since when no "
                "attempt reached its end, no job came and no node failed",
                sim->policy.name, instant, (int)sim->at.wakes);
    return ORR_OK;
}

static orr_status stands_still(orr_rigid *sim, orr_error *err)
{
    orr_rigid_view at = orr_rigid_look(sim);
    ORI_FAIL_IF(sim->timers.count > 0, err, ORR_ERR_POLICY,
                "policy %s: at time %.17g it has woken up %d times in a row at which "
                "nothing ran and no job was still to come; %d jobs wait and %d are held",
                sim->policy.name, at.now, (int)sim->at.fruitless, (int)at.waiting, (int)at.held);
    at.waiting += at.limited;
    ORI_FAIL_IF(at.waiting == 0, err, ORR_ERR_POLICY,
                "policy %s: nothing can happen any more at time %.17g although %d jobs are "
                "held: nothing is left to release them",
                sim->policy.name, at.now, (int)at.held);
    char more[64] = "";
    if (at.down > at.drained_down)
        snprintf(more, sizeof more, " that are in service (%d are not)", (int)at.down);
    else if (at.drained > 0)
        snprintf(more, sizeof more, " that are not drained (%d are)", (int)at.drained);
    char pool[160] = ""; /* the first of which a window or a change took something away */
    for (int32_t i = 0; i < sim->in->pool_count && !*pool; i++) {
        int64_t now = ori_instance_pool_at(sim->in, i, at.now), all = sim->in->pools[i].amount;
        if (now < all)
            snprintf(pool, sizeof pool, ", of pool %s %lld of %lld are there",
                     sim->in->pools[i].name, (long long)now, (long long)all);
    }
    return orr_fail(err, ORR_ERR_POLICY,
                    "policy %s: nothing starts at time %.17g although %d jobs wait, all %d "
                    "processors%s are free%s and no job is still to come",
                    sim->policy.name, at.now, (int)at.waiting, (int)at.free, more, pool);
}

/* Whether something has been taken away that the waiting jobs may need, so that a change from
 * outside may give it back. */
static bool is_reduced(orr_rigid *sim)
{
    orr_rigid_view at = orr_rigid_look(sim);
    bool reduced = at.down + at.drained > 0;
    for (int32_t i = 0; i < sim->in->turn_count; i++)
        reduced |= sim->in->turns[i].attempts >= 0 && sim->in->turns[i].by < 0;
    return reduced;
}

/* A simulation in which nothing runs, no job is to come and nothing is under repair is at its end,
 * or will never reach it. Later failures of nodes do not change this. After a change it may
 * stand there: then going on from there is the error (apply_step). */
static orr_status check_progress(orr_rigid *sim, orr_error *err)
{
    if (sim->asked.live || sim->at.over == sim->in->count || ori_rigid_coming(sim) >= 0 ||
        sim->outages.repairs.count > 0 || ori_windows_next(&sim->outages.windows) < INFINITY ||
        ori_pools_next(sim) < INFINITY) {
        sim->at.fruitless = 0;
        return ORR_OK;
    }
    if (sim->timers.count > 0 && ++sim->at.fruitless < MOST_FRUITLESS)
        return ORR_OK;
    sim->at.stands = sim->timers.count == 0 && is_reduced(sim);
    return sim->at.stands ? ORR_OK : stands_still(sim, err);
}

/* --- running ---------------------------------------------------------------------------------- */

static orr_rigid *rigid_of(ori_shell *shell)
{
    return (orr_rigid *)(void *)shell;
}

static bool is_over(const ori_shell *shell)
{
    return orr_rigid_is_over((const orr_rigid *)(const void *)shell);
}

static double next_event(const ori_shell *shell)
{
    const orr_rigid *sim = (const orr_rigid *)(const void *)shell;
    return sim->needs.eventful ? orr_rigid_next_event(sim) : next_end_or_submission(sim);
}

static orr_status apply_step(ori_shell *shell, double instant, orr_error *err)
{
    orr_rigid *sim = rigid_of(shell);
    if (instant == INFINITY)
        return sim->asked.live ? ORR_OK : stands_still(sim, err);
    ORI_TRY(sim->timers.count > 0 ? count_wake(sim, instant, err) : ORR_OK);
    shell->now = instant;
    sim->at.fresh = sim->at.stands = false;
    orr_status status = sim->needs.singly     ? apply_instant_singly(sim, err)
                        : sim->needs.eventful ? apply_instant(sim, err)
                                              : apply_plain_instant(sim, err);
    drop_timers(sim);
    if (sim->at.running > 0)
        sim->at.fruitless = 0;
    else if (status == ORR_OK)
        status = check_progress(sim, err);
    if (status == ORR_OK)
        ORI_IN_CHECKS(ori_rigid_check_quiet(sim));
    return status;
}

static void pass_time(ori_shell *shell, double time)
{
    shell->now = time;
    rigid_of(shell)->at.fresh = false;
}

/* Whether any event is to come. A live simulation does not wait for failures of nodes, which never
 * stop. */
static bool something_comes(const orr_rigid *sim)
{
    const ori_event *end = ori_calendar_peek(&sim->ends);
    if (ORR_LIKELY(end && end->time < INFINITY))
        return true;
    bool for_ever = sim->asked.live && sim->outages.any && !ori_outages_are_given(&sim->outages) &&
                    ori_outages_next_failure(&sim->outages) < INFINITY;
    if (!for_ever)
        return orr_rigid_next_event(sim) < INFINITY;
    return sim->at.disturbed || sim->timers.count > 0 || next_end_or_submission(sim) < INFINITY;
}

static orr_status shortcut(ori_shell *shell, orr_error *err)
{
    orr_rigid *sim = rigid_of(shell);
    bool comes = something_comes(sim);
    ORI_REFUSE(!comes && sim->asked.live, err,
               "a live simulation cannot be finished: at time %.17g nothing is to come unless "
               "it is reported, and %d of %d jobs are over",
               shell->now, (int)sim->at.over, (int)sim->in->count);
    return comes && sim->needs.shortcuts ? ori_rigid_shortcut(sim, err) : ORR_OK;
}

static const ori_engine engine = {.reset = "orr_rigid_reset",
                                  .is_over = is_over,
                                  .next_event = next_event,
                                  .apply = apply_step,
                                  .pass = pass_time,
                                  .shortcut = shortcut};

orr_status orr_rigid_step(orr_rigid *sim, orr_error *err)
{
    return ori_shell_step(&sim->shell, &engine, err);
}

orr_status orr_rigid_run_until(orr_rigid *sim, double time, orr_error *err)
{
    ORI_TRY(ori_shell_run_until(&sim->shell, &engine, time, err));
    if (ori_rigid_may_go_back(sim, time))
        pass_time(&sim->shell, time);
    if (sim->at.fresh && sim->needs.shares) /* what had turned is to come again */
        ori_pools_count(sim);
    return ORR_OK;
}

orr_status orr_rigid_finish(orr_rigid *sim, orr_metrics *metrics, orr_error *err)
{
    sim->at.fresh = false;
    ORI_TRY(ori_shell_finish(&sim->shell, &engine, err));
    if (metrics)
        *metrics = orr_rigid_measure(sim);
    return ORR_OK;
}
