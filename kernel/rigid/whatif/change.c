/* Changes from outside: the parts of a change are applied to a successor of the simulation, one
 * after the other. The successor itself is made in successor.c. */
#include "rigid/whatif/change.h"

#include "base/api_internal.h"
#include "base/print_internal.h"
#include "base/try_internal.h"
#include "rigid/effects/attempts_internal.h"
#include "rigid/effects/checkpoints_internal.h"
#include "rigid/effects/dependents_internal.h"
#include "rigid/effects/drain_internal.h"
#include "rigid/effects/hooks_internal.h"
#include "rigid/effects/outages_internal.h"
#include "rigid/effects/waiting_internal.h"
#include "rigid/machine/scenario_internal.h"
#include "rigid/whatif/successor_internal.h"
#include "schedule/schedule_internal.h"
#include "workload/instance_internal.h"
#include "workload/limit_internal.h"
#include "workload/nodes_internal.h"
#include "workload/window_internal.h"

#include <stdarg.h>
#include <string.h>

static void ORR_PRINTF(2, 3) remark(const orr_rigid_change *change, const char *format, ...)
{
    char text[ORR_MESSAGE_SIZE];
    va_list args;
    if (!change->remark)
        return;
    va_start(args, format);
    ori_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    change->remark(change->remark_user, text);
}

static orr_status check_counts(const orr_rigid_change *c, orr_error *err)
{
    ORI_REFUSE(c->cancel_count < 0 || c->fail_count < 0 || c->fault_count < 0, err,
               "a change has at least 0 jobs to cancel, jobs that fail and faults, not %d, %d, %d",
               (int)c->cancel_count, (int)c->fail_count, (int)c->fault_count);
    ORI_REFUSE(c->checkpoint_count < 0 || c->preempt_count < 0, err,
               "a change has at least 0 jobs that write a checkpoint, not %d and %d",
               (int)c->checkpoint_count, (int)c->preempt_count);
    ORI_REFUSE(!ORI_IS_IN(c->pool_count, ORR_MOST_NEEDS + 1) ||
                   !ORI_IS_IN(c->limit_count, ORR_MOST_LIMITS + 1),
               err, "a change has 0 to %d pools and 0 to %d limits, not %d and %d",
               (int)ORR_MOST_NEEDS, (int)ORR_MOST_LIMITS, (int)c->pool_count, (int)c->limit_count);
    ORI_REFUSE(c->window_count < 0 || (c->window_count > 0 && !c->windows), err,
               "a change has at least 0 windows, not %lld", (long long)c->window_count);
    ORI_REFUSE(c->drain_count < 0 || (c->drain_count > 0 && !c->drains) || c->return_count < 0 ||
                   (c->return_count > 0 && !c->returns),
               err, "a change drains at least 0 runs of processors, not %lld and %lld",
               (long long)c->drain_count, (long long)c->return_count);
    ORI_REFUSE(c->more_node_count < 0 || (c->more_node_count > 0 && !c->more_nodes), err,
               "a change adds at least 0 kinds of nodes, not %d", (int)c->more_node_count);
    ORI_REFUSE(c->draws && !(c->lambda >= 0 && c->lambda < INFINITY), err,
               "lambda must be a number of errors per processor-second, at least 0, not %g",
               c->lambda);
    return ORR_OK;
}

static orr_status check_number(const orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_REFUSE(job < 0 || job >= sim->in->count, err,
               "there is no job number %d, there are %d jobs", (int)job, (int)sim->in->count);
    return ORR_OK;
}

static orr_status check_job(const orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_TRY(check_number(sim, job, err));
    ORI_REFUSE(sim->state[job] == ORR_JOB_OVER, err, "job %s is over since %.17g s",
               orr_jobs_id(sim->jobs, job), sim->planned_end[job]);
    return ORR_OK;
}

/* --- jobs ------------------------------------------------------------------------------------- */

static orr_status cancel(orr_rigid *sim, int32_t job, orr_error *err)
{
    ORI_TRY(check_job(sim, job, err));
    if (sim->shell.record)
        ORI_TRY(ori_schedule_withdraw(&sim->schedule,
                                      (orr_withdrawal){.time = sim->shell.now, .job = job}, err));
    orr_rigid_job_state state = (orr_rigid_job_state)sim->state[job];
    sim->at.disturbed = true;
    sim->left_out[job] = state == ORR_JOB_RUNNING ? ORR_LEFT_RUNNING : ORR_LEFT_WAITING;
    if (state != ORR_JOB_PENDING)
        ori_rigid_note_end(sim, job, ORR_CANCELLED);
    if (state == ORR_JOB_RUNNING)
        return ori_rigid_interrupt(sim, job, ORR_CANCELLED, err);
    if (state == ORR_JOB_WAITING)
        ori_rigid_withdraw(sim, job);
    sim->at.held -= state == ORR_JOB_HELD;
    if (sim->limits)
        ori_limits_unwait(sim->limits, job);
    ori_rigid_over(sim, job, sim->shell.now);
    ori_rigid_skip_submitted(sim);
    if (sim->attempts[job] + sim->interrupted[job] > 0)
        sim->at.totals.last_end = sim->at.last_end; /* not later than the job's last end, and some
                                                       attempt's end */
    return ORR_OK;
}

/* Makes a job fail at the end of its attempt; after that it fails as often as before. */
static orr_status fail_attempt(orr_rigid *sim, const orr_rigid_change *change, int32_t job,
                               orr_error *err)
{
    ORI_TRY(check_job(sim, job, err));
    ORI_REFUSE(orr_job_is_killed(sim->in, job), err,
               "no attempt of job %s can fail: it is killed at its walltime of %.17g s",
               orr_jobs_id(sim->jobs, job), sim->in->estimate[job]);
    int32_t attempt = sim->attempts[job] + (sim->state[job] != ORR_JOB_RUNNING);
    if (attempt <= sim->failures[job])
        remark(change, "job %s: its attempt was to fail anyway", orr_jobs_id(sim->jobs, job));
    else
        sim->failures[job] = attempt;
    sim->at.fails = true;
    return ORR_OK;
}

/* --- failures to come ------------------------------------------------------------------------- */

static orr_status redraw_job(orr_rigid *sim, const orr_silent_errors *errors, orr_stream_key key,
                             int32_t job, orr_error *err)
{
    int32_t fresh, failed = sim->attempts[job] - (sim->state[job] == ORR_JOB_RUNNING);
    if (sim->state[job] == ORR_JOB_OVER)
        return ORR_OK;
    ORI_TRY(ori_silent_errors_draw_job(errors, key, job, &fresh, err));
    ORI_FAIL_IF(fresh >= INT32_MAX - failed, err, ORR_ERR_LIMIT, "job %s would fail too often",
                orr_jobs_id(sim->jobs, job));
    sim->failures[job] = failed + fresh;
    sim->at.fails |= sim->failures[job] > 0;
    return ORR_OK;
}

/* Draws the failures of the jobs from `first` on again. */
static orr_status redraw(orr_rigid *sim, const orr_rigid_change *change, int32_t first,
                         orr_error *err)
{
    const ori_shell *shell = &sim->shell;
    if (first == sim->in->count || !(change->lambda > 0))
        return ORR_OK;
    orr_stream_key key =
        orr_stream_key_make(change->seed, shell->set, shell->scenario, ORR_PURPOSE_FAILURES);
    orr_silent_errors errors;
    orr_status status = orr_silent_errors_create(&errors, sim->in, change->lambda,
                                                 change->max_attempts, &shell->alloc, err);
    for (int32_t j = first; status == ORR_OK && j < sim->in->count; j++)
        status = redraw_job(sim, &errors, key, j, err);
    orr_silent_errors_destroy(&errors);
    return status;
}

static orr_status redraw_nodes(orr_rigid *sim, uint64_t seed, orr_error *err)
{
    const ori_shell *shell = &sim->shell;
    ori_coming past;
    if (!sim->outages.source)
        return ORR_OK;
    ORI_TRY(ori_outages_draw_anew(&sim->outages, seed, shell->set, shell->scenario, err));
    ORI_TRY(ori_warnings_draw_anew(&sim->outages.warnings, seed, shell->set, shell->scenario,
                                   shell->now, err));
    while (ori_outages_next_failure(&sim->outages) <= shell->now)
        ORI_TRY(ori_outages_take(&sim->outages, &past, err));
    return ORR_OK;
}

/* --- processors ------------------------------------------------------------------------------- */

static orr_status check_processors(const orr_rigid *sim, orr_error *err)
{
    ORI_REFUSE(!sim->outages.any, err,
               "processors can be changed only of a simulation that is recorded or whose "
               "nodes may fail");
    return ORR_OK;
}

/* Puts s->procs processors of a group in service, and the others out of service, until s->until. */
static orr_status set_service(orr_rigid *sim, ori_group *g, const orr_rigid_service *s,
                              orr_error *err)
{
    int32_t there = g->procs - g->at.drained;
    sim->at.disturbed |= s->procs != there;
    if (s->procs > there)
        ORI_TRY(ori_rigid_bring_back(sim, g, s->procs - there, err));
    ORI_TRY(ori_rigid_keep_drained(sim, g, s->until, err));
    if (s->procs < there)
        ORI_TRY(ori_rigid_drain(sim, g, there - s->procs, s->until, err));
    const orr_nodes *nodes = ori_machine_nodes(sim);
    for (int32_t p = 1; nodes && p < g->procs; p++)
        ORI_REFUSE((sim->outages.drained_until[p] > 0) != (sim->outages.drained_until[p - 1] > 0) &&
                       nodes->first[orr_nodes_at(nodes, p)] != p,
                   err, "procs: %d processors are not those of whole nodes of the machine",
                   (int)s->procs);
    return ORR_OK;
}

/* Drains processors now, or brings them back. */
static orr_status change_drains(orr_rigid *sim, const orr_window *list, int64_t count, bool drains,
                                orr_error *err)
{
    if (count > 0)
        ORI_TRY(check_processors(sim, err));
    for (int64_t i = 0; i < count; i++) {
        const orr_window *w = &list[i];
        ORI_REFUSE(w->first < 0 || w->count < 1 || w->first > sim->in->procs - w->count, err,
                   "drain: processors %d to %lld are not among 0 to %d", (int)w->first,
                   (long long)w->first + w->count - 1, (int)sim->in->procs - 1);
        ORI_REFUSE(drains && !(w->to > sim->shell.now), err,
                   "drain: until %.17g s, but it is %.17g s already", w->to, sim->shell.now);
        sim->at.disturbed = true;
        ORI_TRY(ori_rigid_set_drained(sim, w->first, w->first + w->count, drains ? w->to : 0, err));
    }
    return ORR_OK;
}

/* Lists as windows the processors that leave at the end of the change: those that come back now or
 * are added. Windows of processors that were to leave before the end are changed. list: room for
 * three times the present windows, the group's processors and one. Returns the number of windows;
 * *cut: whether any window is new or changed. */
static int64_t list_windows(const orr_rigid *sim, const ori_group *g, const orr_rigid_service *s,
                            int32_t added, orr_window *list, bool *cut)
{
    const orr_interval all = {g->first, g->first + g->procs - 1};
    int32_t back = s->procs - added - (g->procs - g->at.drained);
    int64_t old = ori_windows_cut(&sim->outages.windows, all, s->until, list, cut);
    int64_t count = old + ori_rigid_list_leaving(sim, g, back, s->until, list + old);
    if (added > 0 && s->until < INFINITY)
        list[count++] = (orr_window){.from = s->until,
                                     .to = INFINITY,
                                     .first = sim->in->procs,
                                     .count = added,
                                     .lets_end = true};
    *cut |= count > old;
    return count;
}

/* The number of processors that the group gets behind all present ones; *more: the number beyond
 * those that the policy knows. */
static orr_status count_added(const orr_rigid *sim, const ori_group *g, int32_t procs,
                              int32_t *more, int32_t *added, orr_error *err)
{
    bool last = g->index + 1 == sim->group_count;
    int32_t unknown = last ? sim->in->procs - sim->at.known : 0;
    *more = procs - (g->procs - unknown);
    *added = *more > unknown ? *more - unknown : 0;
    ORI_REFUSE(*more > 0 && !last, err,
               "procs: group %s has %d processors, and only the last group can get more: "
               "those of a group are numbered one behind the other",
               g->name, (int)g->procs);
    ORI_REFUSE(*added > INT32_MAX - 1 - sim->in->procs, err, "procs: %d processors are too many",
               (int)procs);
    return ORR_OK;
}

/* --- faults ----------------------------------------------------------------------------------- */

/* Finds the processors that a fault strikes: the first processor of a job's attempt, or the node of
 * a processor. */
static orr_status find_struck(const orr_rigid *sim, const orr_rigid_fault *f, orr_outage *outage,
                              orr_error *err)
{
    const ori_outages *o = &sim->outages;
    double now = sim->shell.now;
    if (f->job >= 0) {
        ORI_TRY(check_number(sim, f->job, err));
        ORI_REFUSE(sim->state[f->job] != ORR_JOB_RUNNING, err,
                   "job %s does not run: no fault can strike it", orr_jobs_id(sim->jobs, f->job));
        *outage = (orr_outage){now, now, sim->processors.head[f->job], 1};
        return ORR_OK;
    }
    const orr_nodes *nodes = ori_nodes_of(sim->in);
    ORI_REFUSE(f->processor < 0 || f->processor >= sim->in->procs, err,
               "processor %d is not among 0 to %d", (int)f->processor, (int)sim->in->procs - 1);
    ORI_REFUSE(!(f->repair >= 0), err,
               "the repair of a node must take a number of seconds >= 0, not %g", f->repair);
    *outage = (orr_outage){now, now + f->repair, f->processor, 1};
    if (nodes) {
        int32_t node = orr_nodes_at(nodes, f->processor);
        outage->first = nodes->first[node];
        outage->count = nodes->first[node + 1] - outage->first;
    } else if (f->processor < o->at.law_procs && o->setup.node_procs > 1) {
        int32_t size = o->setup.node_procs, first = f->processor / size * size;
        outage->first = first;
        outage->count = size < o->at.law_procs - first ? size : o->at.law_procs - first;
    }
    return ORR_OK;
}

static orr_status strike_nodes(orr_rigid *sim, const orr_rigid_change *change,
                               const orr_rigid_fault *f, orr_error *err)
{
    orr_outage outage;
    int32_t struck;
    ORI_TRY(check_processors(sim, err));
    ORI_TRY(find_struck(sim, f, &outage, err));
    sim->shell.phase = ORI_MOVES;
    sim->instant.changing = sim->at.disturbed = true;
    ORI_TRY(ori_rigid_fail_processors(sim, &outage, &struck, err));
    sim->instant.changing = false;
    sim->shell.phase = ORI_RESTS;
    if (f->job < 0 && struck == 0)
        remark(change, "processor %d: nothing ran there%s", (int)f->processor,
               f->repair > 0 ? "" : ", the fault has no effect");
    return ORR_OK;
}

/* --- checkpoints ------------------------------------------------------------------------------ */

static orr_status save_now(orr_rigid *sim, int32_t job, bool leaves, orr_error *err)
{
    ori_demanded what;
    ORI_TRY(ori_checkpoints_demand(sim, job, leaves, &what, err));
    if (what == ORI_ENDS_LATER)
        ORI_TRY(ori_rigid_plan_again(sim, job, err));
    if (what != ORI_LEAVES_NOW)
        return ORR_OK;
    ORI_TRY(ori_rigid_interrupt(sim, job, ORR_PREEMPTED, err));
    return ori_rigid_enqueue(sim, job, err);
}

static orr_status save_job(orr_rigid *sim, int32_t job, bool leaves, orr_error *err)
{
    ORI_TRY(check_number(sim, job, err));
    const char *id = orr_jobs_id(sim->jobs, job);
    ORI_REFUSE(sim->state[job] != ORR_JOB_RUNNING, err,
               "job %s does not run: it cannot write a checkpoint", id);
    ORI_REFUSE(!sim->progress || sim->in->checkpoints.cost[job] == INFINITY, err,
               "job %s writes no checkpoints", id);
    sim->shell.phase = ORI_MOVES;
    sim->at.disturbed = true;
    ORI_TRY(save_now(sim, job, leaves, err));
    sim->shell.phase = ORI_RESTS;
    return ORR_OK;
}

/* --- pools and limits ------------------------------------------------------------------------- */

static bool is_same_limit(const orr_limit *a, const orr_limit *b)
{
    return a->of == b->of && a->per == b->per && strcmp(a->only, b->only) == 0 &&
           strcmp(a->need, b->need) == 0;
}

/* A pool of which there is another amount from now on, without what windows close. */
static orr_status turn_pool(const orr_instance *in, const orr_pool *pool, orr_turn *t,
                            orr_error *err)
{
    t->of = ori_find_pool(in->pools, in->pool_count, pool->name);
    ORI_REFUSE(t->of < 0, err, "pools: the machine has no pool '%s'", pool->name);
    ORI_REFUSE(pool->amount < 0 || pool->amount > ORR_MOST_AMOUNT, err,
               "pool %s: expected an amount from 0 to 2^53, found %lld", pool->name,
               (long long)pool->amount);
    t->by = pool->amount - in->pools[t->of].amount;
    for (int32_t k = 0; k < in->turn_count; k++) /* by changes before */
        t->by -= in->turns[k].of == t->of && in->turns[k].attempts >= 0 ? in->turns[k].by : 0;
    return ORR_OK;
}

static orr_status turn_limit(const orr_instance *in, const orr_limit *limit, orr_turn *t,
                             orr_error *err)
{
    char text[128];
    int32_t i = 0;
    while (i < in->limit_count && !is_same_limit(&in->limits[i], limit))
        i++;
    ORI_REFUSE(i == in->limit_count, err, "limit: there is no limit %s to change",
               ori_limit_text(limit, text));
    const int least = limit->of != ORR_AMOUNT_NEED;
    ORI_REFUSE(limit->most < least, err, "limit %s: expected at least %d, found %lld",
               ori_limit_text(limit, text), least, (long long)limit->most);
    t->of = in->pool_count + i;
    t->by = limit->most - in->limits[i].most;
    return ORR_OK;
}

/* The pools and limits that a change turns, and by how much. */
static orr_status list_turns(const orr_rigid *sim, const orr_rigid_change *c, orr_turn *turns,
                             orr_error *err)
{
    char text[128];
    for (int32_t i = 0; i < c->pool_count + c->limit_count; i++) {
        const orr_pool *pool = i < c->pool_count ? &c->pools[i] : NULL;
        const orr_limit *limit = pool ? NULL : &c->limits[i - c->pool_count];
        turns[i] = (orr_turn){.time = sim->shell.now,
                              .attempts = sim->shell.record ? sim->schedule.count : 0};
        ORI_TRY(pool ? turn_pool(sim->in, pool, &turns[i], err)
                     : turn_limit(sim->in, limit, &turns[i], err));
        for (int32_t k = 0; k < i; k++)
            ORI_REFUSE(turns[k].of == turns[i].of, err, "%s%s: a change gives it once, not twice",
                       pool ? "pools: " : "limit ",
                       pool ? pool->name : ori_limit_text(limit, text));
    }
    return ORR_OK;
}

static bool can_ever_start(const orr_rigid *sim, int32_t job)
{
    const orr_instance *in = sim->in;
    for (int32_t i = 0; i < in->pool_count; i++)
        if (orr_need_of(in, job, i) > ori_instance_pool_most(in, i, sim->shell.now))
            return false;
    return !orr_limit_exceeded(in->limits, in->limit_count, in->jobs, job);
}

/* Says how many jobs that are to start can never do so, and which is the first. */
static void remark_impossible(const orr_rigid *sim, const orr_rigid_change *change)
{
    const orr_instance *in = sim->in;
    int32_t count = 0, first = -1;
    for (int32_t j = in->count; j-- > 0;) {
        bool starts = sim->state[j] != ORR_JOB_OVER && sim->state[j] != ORR_JOB_RUNNING;
        if (!starts || can_ever_start(sim, j))
            continue;
        count++;
        first = j;
    }
    if (count > 0)
        remark(change,
               "%d job%s, the first is %s, need%s more than there is from now on and cannot "
               "start",
               (int)count, count == 1 ? "" : "s", orr_jobs_id(in->jobs, first),
               count == 1 ? "s" : "");
}

/* --- the change ------------------------------------------------------------------------------- */

/* A change under way. If one successor of the simulation is not enough, a second one succeeds the
 * first, each with more of the changes. */
typedef struct making {
    const orr_rigid_change *change;
    const orr_rigid *from; /* the simulation that is changed */
    orr_rigid *now;        /* the latest successor; NULL: none yet */
    orr_instance *in;      /* the instance of `now`, if it is new */
    orr_instance before;   /* the instance of the previous successor */
} making;

/* Makes a successor for other jobs or processors, or, without a revision, for the same ones. */
static orr_status succeed(making *m, const ori_revision *revision, ori_sequel *sequel,
                          orr_error *err)
{
    const orr_rigid *last = m->now ? m->now : m->from;
    if (revision) {
        if (m->now && last->in == m->in) {
            m->before = *m->in;
            m->now->in = &m->before;
        } else if (m->now && m->now->dependents &&
                   m->in->jobs) { /* the simulation's own instance uses their links */
            m->before = *m->in;
        }
        ORI_TRY(ori_instance_revise(m->in, last->in, revision, err));
        sequel->instance = m->in;
    }
    orr_rigid *next = ori_rigid_succeed(last, sequel, err);
    if (!next)
        return ORR_ERR_ARGUMENT;
    orr_rigid_destroy(m->now);
    orr_instance_destroy(&m->before);
    memset(&m->before, 0, sizeof m->before);
    m->now = next;
    return ORR_OK;
}

static orr_status add_nodes(making *m, const orr_more_nodes *more, orr_error *err)
{
    const orr_instance *in = m->now->in;
    int32_t before = in->procs;
    ori_revision revision = {.jobs = in->jobs};
    ori_sequel sequel = {.processors = true};
    orr_nodes *nodes;
    ORI_REFUSE(!ori_nodes_of(in), err, "add_nodes: the machine is not one of nodes (--machine)");
    ORI_TRY(check_processors(m->now, err));
    ORI_TRY(ori_nodes_extend(ori_nodes_of(in), more, &nodes, err));
    revision.nodes = nodes;
    revision.procs = nodes->procs;
    orr_status status = succeed(m, &revision, &sequel, err);
    orr_nodes_destroy(nodes);
    if (status == ORR_OK)
        m->now->at.known += m->now->in->procs - before;
    return status;
}

/* Makes all changes that need a successor, but nodes, which are there already. If none does, a
 * successor is made anyway, so that it can be changed in place. */
static orr_status change_world(making *m, orr_error *err)
{
    const orr_rigid_change *c = m->change;
    const orr_rigid *last = m->now ? m->now : m->from;
    const orr_instance *before = last->in;
    const int32_t count = before->count, added = before->procs - m->from->in->procs;
    int32_t own = c->procs > 0 && c->procs < INT32_MAX - added ? c->procs + added : c->procs;
    int32_t procs = c->policy && own > before->procs ? own : before->procs;
    orr_turn turns[ORR_MOST_NEEDS + ORR_MOST_LIMITS];
    ORI_TRY(list_turns(last, c, turns, err));
    ori_revision revision = {.jobs = c->jobs ? c->jobs : before->jobs,
                             .estimates = c->estimates,
                             .procs = procs,
                             .checkpoints = c->checkpoints,
                             .turns = turns,
                             .turn_count = c->pool_count + c->limit_count};
    ori_sequel sequel = {.policy = c->policy,
                         .procs = own,
                         .room = c->room,
                         .processors = c->service || c->fault_count > 0 || c->policy || c->draws ||
                                       c->window_count > 0 || c->drain_count > 0 ||
                                       c->return_count > 0,
                         .windows = {c->windows, c->window_count, false}};
    bool revised = c->jobs || procs > before->procs || revision.turn_count > 0;
    ORI_TRY(succeed(m, revised ? &revision : NULL, &sequel, err));
    m->now->at.disturbed |= revision.turn_count > 0;
    if (revision.turn_count > 0)
        remark_impossible(m->now, c);
    ORI_TRY(ori_rigid_catch_up_outages(m->now, err));
    ORI_TRY(redraw(m->now, c, c->draws ? 0 : count, err));
    return c->draws ? redraw_nodes(m->now, c->seed, err) : ORR_OK;
}

static orr_status check_service(const orr_rigid *sim, const ori_group *g,
                                const orr_rigid_service *s, int32_t added, orr_error *err)
{
    ORI_REFUSE(s->procs > g->procs + added, err, "group %s has 0 to %d processors, not %d", g->name,
               (int)g->procs, (int)s->procs);
    ORI_REFUSE(!(s->until > sim->shell.now), err,
               "processors cannot be changed until %.17g s: it is %.17g s already", s->until,
               sim->shell.now);
    return ORR_OK;
}

static orr_status change_service(making *m, const orr_rigid_service *s, orr_error *err)
{
    int32_t more, added, group = s->group ? orr_rigid_find_group(m->now, s->group) : 0;
    ORI_REFUSE(group < 0, err, "procs: there is no group '%s'", s->group);
    ORI_REFUSE(s->procs < 0, err, "procs: a group cannot have %d processors", (int)s->procs);
    ORI_TRY(check_processors(m->now, err));
    const ori_group *g = &m->now->groups[group];
    ORI_TRY(count_added(m->now, g, s->procs, &more, &added, err));
    ORI_TRY(check_service(m->now, g, s, added, err));
    bool cut = false;
    orr_window *list;
    ORI_SCRATCH(&m->from->shell.alloc, ORI_RAW, err,
                ORI_PART(list, 3 * (int64_t)m->now->outages.windows.count + g->procs + 1));
    ori_sequel sequel = {.windows_are_all = true};
    sequel.windows.list = list;
    sequel.windows.count = list_windows(m->now, g, s, added, list, &cut);
    const orr_instance *in = m->now->in;
    ori_revision revision = {.jobs = in->jobs, .procs = in->procs + added};
    if (added > 0 || cut)
        ORI_TRY(succeed(m, added > 0 ? &revision : NULL, &sequel, err));
    m->now->at.known += more > 0 ? more : 0;
    return set_service(m->now, &m->now->groups[group], s, err);
}

/* Makes the changes of jobs in place. */
static orr_status change_jobs(orr_rigid *sim, const orr_rigid_change *c, orr_error *err)
{
    for (int32_t i = 0; i < c->cancel_count; i++)
        ORI_TRY(cancel(sim, c->cancel[i], err));
    for (int32_t i = 0; i < c->fail_count; i++)
        ORI_TRY(fail_attempt(sim, c, c->fail[i], err));
    for (int32_t i = 0; i < c->fault_count; i++)
        ORI_TRY(strike_nodes(sim, c, &c->faults[i], err));
    for (int32_t i = 0; i < c->checkpoint_count; i++)
        ORI_TRY(save_job(sim, c->checkpoint[i], false, err));
    for (int32_t i = 0; i < c->preempt_count; i++)
        ORI_TRY(save_job(sim, c->preempt[i], true, err));
    return ORR_OK;
}

static orr_status make_change(making *m, orr_error *err)
{
    const orr_rigid_change *c = m->change;
    const ori_shell *shell = &m->from->shell;
    ORI_REFUSE(shell->phase == ORI_STOPPED, err,
               "the simulation was stopped by an error at time %.17g and cannot go on", shell->now);
    if (shell->phase != ORI_FROZEN)
        ORI_TRY(ori_shell_check_can_go_on(shell, "orr_rigid_reset", "changed", err));
    ORI_TRY(check_counts(c, err));
    ORI_REFUSE(c->checkpoints.cost && !m->from->in->checkpoints.cost, err,
               "jobs with checkpoints cannot follow on jobs that write none");
    if (c->more_node_count > 0)
        ORI_TRY(succeed(m, NULL, &(ori_sequel){.processors = true, .room = c->room}, err));
    for (int32_t i = 0; i < c->more_node_count; i++)
        ORI_TRY(add_nodes(m, &c->more_nodes[i], err));
    ORI_TRY(change_world(m, err));
    if (c->service)
        ORI_TRY(change_service(m, c->service, err));
    ORI_TRY(change_drains(m->now, c->returns, c->return_count, false, err));
    ORI_TRY(change_drains(m->now, c->drains, c->drain_count, true, err));
    return change_jobs(m->now, c, err);
}

orr_rigid *orr_rigid_changed(const orr_rigid *sim, const orr_rigid_change *change,
                             orr_instance *instance, orr_error *err)
{
    orr_rigid_change own;
    making m = {.change = &own, .from = sim, .in = instance};
    memset(instance, 0, sizeof *instance);
    if (ORI_TAKE(&own, change, orr_rigid_change, err) == ORR_OK && make_change(&m, err) == ORR_OK)
        return m.now;
    orr_rigid_destroy(m.now);
    orr_instance_destroy(instance);
    orr_instance_destroy(&m.before);
    memset(instance, 0, sizeof *instance);
    return NULL;
}
