/* Checkpoints: the progress of jobs, the work that an interruption leaves, and the lengths of next
 * attempts. Periodic checkpoints are no events: the number of complete ones is computed from the
 * clock. */
#include "rigid/effects/checkpoints_internal.h"

#include "rigid/effects/hooks_internal.h"
#include "schedule/schedule_internal.h"
#include "workload/window_internal.h"

/* The estimate of the job's whole work, s: its walltime plus the work saved when it was last
 * killed. */
static double estimate_of(const orr_rigid *sim, int32_t job)
{
    return sim->spent[job].asked + sim->in->estimate[job];
}

bool ori_checkpoints_is_killed(const orr_rigid *sim, int32_t job)
{
    return sim->in->time[job] > estimate_of(sim, job);
}

/* The work at which an attempt ends, s; for a job that is killed its walltime, which its
 * checkpoints do not know. */
static double goal(const orr_rigid *sim, int32_t job)
{
    return ori_checkpoints_is_killed(sim, job) ? estimate_of(sim, job) : sim->in->time[job];
}

static double at_least_0(double x)
{
    return x > 0 ? x : 0;
}

/* --- what an attempt takes -------------------------------------------------------------------- */

/* The length of an attempt of a job with `work` seconds in all, of which `done` are done. */
static double length_of(const orr_rigid *sim, int32_t job, double work, double done,
                        double recovery)
{
    const orr_checkpoints *c = &sim->in->checkpoints;
    return orr_attempt_length(at_least_0(work - done), recovery, c->cost[job],
                              sim->progress[job].period);
}

static double recovery_of(const orr_rigid *sim, int32_t job)
{
    return sim->progress[job].saved > 0 ? sim->in->checkpoints.recovery[job] : 0;
}

static double planned_length(const orr_rigid *sim, int32_t job)
{
    return length_of(sim, job, estimate_of(sim, job), sim->progress[job].saved,
                     recovery_of(sim, job));
}

void ori_checkpoints_forget(orr_rigid *sim, int32_t first)
{
    for (int32_t j = first; j < sim->in->count; j++) {
        sim->progress[j] = (ori_progress){.period = sim->in->checkpoints.period[j]};
        sim->spent[j] = (orr_job_checkpoints){0};
        sim->lengths[j] = planned_length(sim, j);
    }
}

/* --- periods ---------------------------------------------------------------------------------- */

static orr_status check_period(const orr_rigid *sim, int32_t job, double period, orr_error *err)
{
    double cost = sim->in->checkpoints.cost[job], recovery = sim->in->checkpoints.recovery[job];
    double estimate = estimate_of(sim, job);
    double most = sim->in->time[job] > estimate ? sim->in->time[job] : estimate;
    ORI_FAIL_IF(!(period > 0), err, ORR_ERR_POLICY,
                "the period of job %s must be a number of seconds of work > 0, it is %g",
                orr_jobs_id(sim->jobs, job), period);
    ORI_FAIL_IF(!orr_attempt_ends(most, recovery, cost, period), err, ORR_ERR_POLICY,
                "the period of job %s, %g s, is too short for %g s of work: it would write "
                "checkpoints for ever",
                orr_jobs_id(sim->jobs, job), period, most);
    return ORR_OK;
}

static orr_status ask_period(orr_rigid *sim, int32_t job, double *period, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    ori_situation here = {.hook = "period", .group = ori_group_of(sim, job)->index, .deciding = -1};
    ori_situation before = ori_situation_begin(sim, here, err);
    orr_status status = p->period(p->user, sim, job, period, err);
    if (status == ORR_OK)
        status = check_period(sim, job, *period, err);
    return ori_situation_end(sim, before, p->name, status, err);
}

orr_status ori_checkpoints_plan(orr_rigid *sim, int32_t job, orr_error *err)
{
    double period = sim->in->checkpoints.period[job];
    if (sim->policy.period && sim->in->checkpoints.cost[job] < INFINITY)
        ORI_TRY(ask_period(sim, job, &period, err));
    sim->progress[job].period = period;
    sim->lengths[job] = planned_length(sim, job);
    return ORR_OK;
}

/* --- how far an attempt has come -------------------------------------------------------------- */

/* The account of a stretch up to some time. */
typedef struct account {
    double kept;                           /* s: saved work of the job */
    double unsaved;                        /* s: work done after it */
    double checkpoint_time, recovery_time; /* s */
    double until; /* s: end of the checkpoint that is being written; NaN: none */
    int64_t written;
} account;

/* The number of complete checkpoints of the stretch at time t, at most `most`: k are complete if
 * first + k (tau + C) <= t. The quotient alone may be wrong because of rounding in the last digits
 * of the clock. */
static double complete_at(double first, double cycle, double most, double t)
{
    double low = 0, high = most + 1; /* low are complete, high are not */
    double guess = floor((t - first) / cycle);
    for (double step = 1; high - low > 1; step *= 2) {
        double k = guess <= low ? low + 1 : guess >= high ? high - 1 : guess;
        if (k <= low || k >= high) /* more checkpoints than doubles can count */
            break;
        bool complete = first + k * cycle <= t;
        *(complete ? &low : &high) = k;
        guess = complete ? k + step : k - step;
        if (step > 2)
            guess = low + floor((high - low) / 2);
    }
    return low;
}

/* From the first segment on the job computes and writes checkpoints alternately. */
static void account_of_cycles(const ori_progress *p, double cost, double work, double t, account *a)
{
    double first = p->from + p->recovery, cycle = p->period + cost;
    double most =
        cost < INFINITY ? orr_checkpoints_within(at_least_0(work - p->done), p->period) : 0;
    double k = most > 0 ? complete_at(first, cycle, most, t) : 0;
    double into = k > 0 ? t - (first + k * cycle) : t - first;
    if (k > 0) {
        double kept = p->done + k * p->period;
        a->kept = kept < work ? kept : work;
        a->written += (int64_t)k;
        a->checkpoint_time += k * cost;
    }
    bool writing = k < most && into >= p->period;
    a->unsaved = writing ? p->period : into;
    if (!writing)
        return;
    a->checkpoint_time += into - p->period;
    a->until = first + (k + 1) * cycle;
}

static account account_at(const orr_rigid *sim, int32_t job, double t)
{
    const ori_progress *p = &sim->progress[job];
    double cost = sim->in->checkpoints.cost[job];
    account a = {.kept = p->saved, .until = NAN};
    if (t < p->from) { /* the checkpoint on demand is under way */
        a.unsaved = p->done - p->saved;
        a.checkpoint_time = at_least_0(cost - (p->from - t));
        a.until = p->from;
        return a;
    }
    if (p->demanded) {
        a.kept = p->done;
        a.checkpoint_time = cost;
        a.written = 1;
    }
    a.recovery_time = t - p->from < p->recovery ? t - p->from : p->recovery;
    if (t < p->from + p->recovery)
        return a;
    account_of_cycles(p, cost, sim->in->time[job], t, &a);
    return a;
}

/* Adds the time that the running attempt spent to the job's account and to the record. */
static void add_spent(orr_rigid *sim, int32_t job, const orr_job_checkpoints *spent)
{
    orr_job_checkpoints *sums[] = {&sim->spent[job], NULL};
    if (sim->shell.record)
        sums[1] = &ori_schedule_checkpoints(&sim->schedule, job)->spent;
    for (int i = 0; i < 2 && sums[i]; i++) {
        sums[i]->held += spent->held;
        sums[i]->lost += spent->lost;
        sums[i]->checkpoint_time += spent->checkpoint_time;
        sums[i]->recovery_time += spent->recovery_time;
        sums[i]->written += spent->written;
    }
}

double ori_checkpoints_saved(const orr_rigid *sim, int32_t job)
{
    if (sim->state[job] != ORR_JOB_RUNNING)
        return sim->progress[job].saved;
    return account_at(sim, job, sim->shell.now).kept;
}

/* --- attempts --------------------------------------------------------------------------------- */

double ori_checkpoints_planned_end(const orr_rigid *sim, int32_t job)
{
    const ori_progress *p = &sim->progress[job];
    double length = length_of(sim, job, estimate_of(sim, job), p->done, p->recovery);
    return p->leaves ? p->leave : (p->from + length) + sim->in->verification;
}

/* The time at which the work of the running attempt is over, or it is killed, s. */
static double computed_at(const orr_rigid *sim, int32_t job)
{
    const ori_progress *p = &sim->progress[job];
    return p->from + length_of(sim, job, goal(sim, job), p->done, p->recovery);
}

double ori_checkpoints_real_end(const orr_rigid *sim, int32_t job)
{
    const ori_progress *p = &sim->progress[job];
    double end = computed_at(sim, job);
    if (p->leaves)
        return p->leave;
    return ori_checkpoints_is_killed(sim, job) ? end : end + sim->in->verification;
}

/* --- checkpoints before an instant ------------------------------------------------------------ */

/* Considers a checkpoint before this instant: it becomes the event if it is still to come and
 * not later than the event found so far. */
static void consider(orr_rigid *sim, int32_t job, double instant, unsigned what)
{
    ori_progress *p = &sim->progress[job];
    double begin = orr_checkpoint_before(instant, sim->in->checkpoints.cost[job]);
    if (!(begin > sim->shell.now && begin <= p->event))
        return;
    p->event = begin;
    p->due = what;
}

/* Considers windows that open before the attempt ends: an end at the same instant comes first. */
static void consider_windows(orr_rigid *sim, int32_t job, double end)
{
    const ori_windows *w = &sim->outages.windows;
    for (int32_t i = w->at.opened; i < w->count && w->list[i].from < end; i++) {
        const orr_window *one = &w->list[i];
        unsigned what = one->drains ? ORR_BEFORE_DRAIN : ORR_BEFORE_WINDOW;
        if ((sim->in->checkpoints.before & what) && !one->lets_end &&
            !ori_window_admits(one, sim->jobs, job) &&
            ori_processors_holds_any(&sim->processors, job, one->first, one->count))
            consider(sim, job, one->from, what);
    }
}

double ori_checkpoints_event(orr_rigid *sim, int32_t job)
{
    ori_progress *p = &sim->progress[job];
    const orr_checkpoints *c = &sim->in->checkpoints;
    double end = ori_checkpoints_real_end(sim, job);
    p->event = end;
    p->due = 0;
    if (c->before == 0 || c->cost[job] == INFINITY || p->leaves)
        return end;
    if ((c->before & ORR_BEFORE_KILL) && ori_checkpoints_is_killed(sim, job))
        consider(sim, job, end, ORR_BEFORE_KILL);
    if (sim->outages.windows.count > 0)
        consider_windows(sim, job, end);
    return p->event;
}

void ori_checkpoints_take_events(orr_rigid *sim)
{
    for (int32_t j = 0; sim->in->checkpoints.before && j < sim->in->count; j++) {
        const ori_progress *p = &sim->progress[j];
        if (sim->state[j] == ORR_JOB_RUNNING && !(p->due && p->event <= sim->shell.now))
            ori_calendar_move(&sim->ends, ori_checkpoints_event(sim, j), j);
    }
}

/* --- the beginning and the end of attempts ---------------------------------------------------- */

double ori_checkpoints_begin(orr_rigid *sim, int32_t job)
{
    ori_progress *p = &sim->progress[job];
    p->from = sim->shell.now;
    p->done = p->saved;
    p->recovery = recovery_of(sim, job);
    p->demanded = p->leaves = p->killed = false;
    if (sim->shell.record) {
        orr_attempt_checkpoints *record = ori_schedule_checkpoints(&sim->schedule, job);
        record->saved = record->kept = p->saved;
        record->period = p->period;
        record->spent.asked = sim->spent[job].asked;
    }
    return ori_checkpoints_event(sim, job);
}

/* The attempt is over; `kept` s of work are saved. */
static void keep_work(orr_rigid *sim, int32_t job, double kept)
{
    sim->progress[job].saved = kept;
    if (sim->shell.record)
        ori_schedule_checkpoints(&sim->schedule, job)->kept = kept;
}

/* A job that was killed with `kept` s saved gets its walltime again, if that brings it further. */
static bool asks_for_more(orr_rigid *sim, int32_t job, double kept)
{
    double before = estimate_of(sim, job);
    if (!sim->in->checkpoints.requeue_killed || !(kept + sim->in->estimate[job] > before))
        return false;
    sim->spent[job].asked = kept;
    sim->attempts[job]--;
    sim->interrupted[job]++;
    sim->at.totals.requeued++;
    return true;
}

/* Ends a killed attempt; its checkpoints did not know the time of the kill. */
static bool end_killed(orr_rigid *sim, int32_t job, orr_job_checkpoints *spent)
{
    account a = account_at(sim, job, sim->shell.now);
    bool again = asks_for_more(sim, job, a.kept);
    if (again)
        spent->lost = a.unsaved;
    else if (sim->progress[job].leaves) /* the attempt did not work to the end */
        spent->lost = a.kept + a.unsaved;
    spent->checkpoint_time = a.checkpoint_time;
    spent->written = a.written;
    add_spent(sim, job, spent);
    keep_work(sim, job, again ? a.kept : 0);
    return again;
}

enum { MOST_KILLS = 100000 }; /* of one job */

orr_status ori_checkpoints_check_kills(const orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_FAIL_IF(
        sim->interrupted[job] >= MOST_KILLS, err, ORR_ERR_LIMIT,
        "job %s (%.10g s) was ended %d times by time %.17g, now by its walltime of %.10g s, "
        "and has saved %.10g s: it may never run through. Give it a longer walltime, or let "
        "killed jobs be over",
        orr_jobs_id(sim->jobs, job), sim->in->time[job], (int)sim->interrupted[job], sim->shell.now,
        sim->in->estimate[job], sim->progress[job].saved);
    return ORR_OK;
}

bool ori_checkpoints_end(orr_rigid *sim, int32_t job, orr_outcome outcome)
{
    const ori_progress *p = &sim->progress[job];
    double cost = sim->in->checkpoints.cost[job], work = goal(sim, job), left = work - p->done;
    double written = orr_checkpoints_within(at_least_0(left), p->period) + p->demanded;
    orr_job_checkpoints spent = {.held = sim->shell.now - sim->start[job],
                                 .recovery_time = p->recovery,
                                 .checkpoint_time = written > 0 ? written * cost : 0,
                                 .written = (int64_t)written};
    if (outcome != ORR_COMPLETED)
        spent.lost = outcome == ORR_FAILED ? work + sim->in->verification : work;
    if (outcome == ORR_KILLED)
        return end_killed(sim, job, &spent);
    add_spent(sim, job, &spent);
    keep_work(sim, job, outcome == ORR_COMPLETED ? work : 0);
    return outcome == ORR_FAILED;
}

static orr_job_checkpoints spent_by(const account *a, double lost)
{
    return (orr_job_checkpoints){.lost = lost,
                                 .checkpoint_time = a->checkpoint_time,
                                 .recovery_time = a->recovery_time,
                                 .written = a->written};
}

void ori_checkpoints_interrupt(orr_rigid *sim, int32_t job, orr_outcome outcome)
{
    account a = account_at(sim, job, sim->shell.now);
    bool over = outcome == ORR_CANCELLED;
    orr_job_checkpoints spent = spent_by(&a, over ? a.kept + a.unsaved : a.unsaved);
    add_spent(sim, job, &spent);
    keep_work(sim, job, over ? 0 : a.kept);
}

/* --- on demand -------------------------------------------------------------------------------- */

/* Writes a checkpoint of all work done by now, and begins a new stretch. */
static orr_status write_now(orr_rigid *sim, int32_t job, const account *a, orr_error *err)
{
    ori_progress *p = &sim->progress[job];
    double now = sim->shell.now, work = sim->in->time[job], done = a->kept + a->unsaved;
    orr_demand demand = {.time = now,
                         .complete = now + sim->in->checkpoints.cost[job],
                         .done = done < work ? done : work,
                         .periodic = a->written - p->demanded};
    if (sim->shell.record)
        ORI_TRY(ori_schedule_demand(&sim->schedule, job, &demand, err));
    orr_job_checkpoints spent = spent_by(a, 0);
    add_spent(sim, job, &spent);
    p->saved = a->kept;
    p->from = demand.complete;
    p->done = demand.done;
    p->recovery = 0;
    p->demanded = true;
    return ORR_OK;
}

/* Makes the attempt leave at `time`, when the present checkpoint is complete. */
static void leave_at(orr_rigid *sim, int32_t job, double time)
{
    ori_progress *p = &sim->progress[job];
    p->leaves = true;
    p->leave = time;
    if (sim->shell.record)
        ori_schedule_checkpoints(&sim->schedule, job)->leaves = time;
}

orr_status ori_checkpoints_demand(orr_rigid *sim, int32_t job, bool leaves, ori_demanded *what,
                                  orr_error *err)
{
    double now = sim->shell.now;
    account a = account_at(sim, job, now);
    *what = ORI_GOES_ON;
    if (sim->progress[job].leaves || computed_at(sim, job) <= now)
        return ORR_OK;
    if (isnan(a.until) && a.unsaved == 0) { /* the job recovers, or has just written one */
        *what = leaves ? ORI_LEAVES_NOW : ORI_GOES_ON;
        return ORR_OK;
    }
    if (isnan(a.until)) {
        ORI_TRY(write_now(sim, job, &a, err));
        a.until = sim->progress[job].from;
    } else if (!leaves) {
        return ORR_OK;
    }
    *what = leaves && a.until <= now ? ORI_LEAVES_NOW : ORI_ENDS_LATER;
    if (leaves && *what == ORI_ENDS_LATER && a.until < ori_checkpoints_real_end(sim, job))
        leave_at(sim, job, a.until);
    return ORR_OK;
}

orr_status ori_checkpoints_write_before(orr_rigid *sim, int32_t job, bool *wrote, orr_error *err)
{
    ori_progress *p = &sim->progress[job];
    bool kill = p->due == ORR_BEFORE_KILL;
    double now = sim->shell.now, end = ori_checkpoints_real_end(sim, job);
    account a = account_at(sim, job, now);
    p->due = 0;
    *wrote = (kill || computed_at(sim, job) > now) && isnan(a.until) && a.unsaved > 0;
    if (!*wrote)
        return ORR_OK;
    ORI_TRY(write_now(sim, job, &a, err));
    p->killed = kill;
    if (kill)
        leave_at(sim, job, end);
    return ORR_OK;
}

/* --- taking over ------------------------------------------------------------------------------ */

void ori_checkpoints_take(orr_rigid *sim, int32_t count)
{
    for (int32_t j = 0; j < count; j++)
        sim->lengths[j] = planned_length(sim, j);
}

orr_status ori_checkpoints_check_runtime(const orr_rigid *sim, int32_t job, orr_error *err)
{
    const ori_progress *p = &sim->progress[job];
    bool runs = sim->state[job] == ORR_JOB_RUNNING;
    double done = runs ? p->done : p->saved, time = sim->in->time[job];
    bool passed = runs && !(ori_checkpoints_real_end(sim, job) >= sim->shell.now);
    ORI_REFUSE(passed || done > goal(sim, job), err,
               "job %s: %.17g s of its work are done already, so its runtime cannot be %.17g s",
               orr_jobs_id(sim->jobs, job),
               passed ? account_at(sim, job, sim->shell.now).kept : done, time);
    return ORR_OK;
}

/* --- what is expected ------------------------------------------------------------------------- */

/* The remaining time of a job: first `left` s of the present segment, where a failure costs `again`
 * s of repeated time; then n segments with their checkpoints, of `cycle` s each; then `last` s. */
typedef struct outlook {
    double again, left, n, cycle, last;
} outlook;

/* The outlook on `work` s of work; the first segment has not begun, and `recovery` s come before
 * it. */
static outlook outlook_on(const orr_rigid *sim, int32_t job, double work, double recovery)
{
    double cost = sim->in->checkpoints.cost[job], period = sim->progress[job].period;
    double n = cost < INFINITY ? orr_checkpoints_within(work, period) : 0;
    outlook o = {.left = recovery + work, .n = 0};
    if (n == 0)
        return o;
    o.cycle = period + cost;
    o.left = recovery + o.cycle;
    o.n = n - 1;
    o.last = at_least_0(work - n * period);
    return o;
}

/* The outlook of the running attempt. */
static outlook outlook_of(const orr_rigid *sim, int32_t job)
{
    const ori_progress *p = &sim->progress[job];
    double now = sim->shell.now, first = p->from + p->recovery;
    double again = sim->in->checkpoints.recovery[job];
    outlook o = outlook_on(sim, job, at_least_0(sim->in->estimate[job] - p->done), p->recovery);
    if (now < p->from) { /* a checkpoint on demand is being written, all segments follow */
        double left = p->from - now, cost = sim->in->checkpoints.cost[job];
        bool several = o.cycle > 0;
        return (outlook){.again = recovery_of(sim, job) + (p->done - p->saved) + cost - left,
                         .left = left,
                         .n = several ? o.n + 1 : 0,
                         .cycle = o.cycle,
                         .last = several ? o.last : o.left};
    }
    double k = o.cycle > 0 ? complete_at(first, o.cycle, o.n + 1, now) : 0;
    if (k == 0) { /* in the first segment */
        o.again = now - p->from;
        if (p->demanded) /* the state that it saved must be recovered */
            o.again += again;
        o.left -= now - p->from;
        return o;
    }
    double into = now - (first + k * o.cycle);
    bool is_last = k > o.n;
    o.again = again + into;
    o.left = (is_last ? o.last : o.cycle) - into;
    o.n = is_last ? 0 : o.n - k;
    if (is_last)
        o.last = 0;
    return o;
}

double ori_checkpoints_expected(const orr_rigid *sim, int32_t job, double rate)
{
    const ori_progress *p = &sim->progress[job];
    double recovery = sim->in->checkpoints.recovery[job];
    outlook o = sim->state[job] == ORR_JOB_RUNNING
                    ? outlook_of(sim, job)
                    : outlook_on(sim, job, at_least_0(sim->in->estimate[job] - p->saved),
                                 recovery_of(sim, job));
    if (!(rate > 0))
        return at_least_0(o.left) + o.n * o.cycle + o.last;
    double behind = o.n > 0 ? o.n * expm1(rate * o.cycle) : 0;
    behind += expm1(rate * o.last);
    return orr_segment_time(rate, o.again, 0, o.left) +
           (behind > 0 ? orr_segment_scale(rate, recovery, 0) * behind : 0);
}
