/* native_decisions: a policy for rigid jobs that does anything at all, in every one of its
 * functions and outside of them: legal and illegal, with jobs, groups and times that are none.
 *
 * What is legal is decided here a second time, from the manual (rigid/interface/actions.h) and the
 * public questions alone. Of every refusal the message is looked at, and all that can be asked
 * before and after it. Every run is then made again without what was refused: nothing may differ.
 * */
#include "fingerprint.h"
#include "many_worlds.h"
#include "native.h"

#include "base/draw.h"
#include "rigid/interface/actions.h"
#include "rigid/interface/engine.h"
#include "schedule/check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

ORR_API int luaopen_native_decisions(lua_State *L);

enum { MOST_JOBS = 14, GROUPS = 3, PROCS = 14, PER_RUN = 400, MOST_OUTAGES = 6 };

typedef enum verb { START, RESERVE, KILL, REQUEUE, MOVE, HOLD, RELEASE, WAKE_AT, VERBS } verb;

typedef struct deed {
    verb verb;
    int32_t job, group; /* may be none */
    double time;
} deed;

typedef struct monkey {
    orr_pcg rng; /* of its decisions */
    orr_instance in;
    orr_jobs *jobs;
    orr_outage outages[MOST_OUTAGES];
    orr_rigid_node_failures nodes;
    int32_t failures[MOST_JOBS], groups;
    orr_rigid_policy policy, own[GROUPS];
    orr_rigid_group group[GROUPS];
    bool fails; /* nodes */
    bool again; /* the second time: what was refused is left out */
    bool refused[PER_RUN];
    int32_t made;
    int64_t *accepted, *denied; /* per verb */
    char problem[ORR_MESSAGE_SIZE];
} monkey;

static int32_t draw(monkey *m, int32_t low, int32_t high)
{
    return (int32_t)orr_draw_integer(&m->rng, low, high);
}

/* --- all that can be asked -------------------------------------------------------------------- */

static void add_groups(uint64_t *sum, orr_rigid *sim, int32_t groups, int32_t jobs)
{
    int32_t running[MOST_JOBS] = {0};
    for (int32_t g = 0; g < groups; g++) {
        orr_rigid_group_view v = orr_rigid_look_group(sim, g);
        double numbers[] = {v.first, v.procs, v.free, v.down, v.waiting, v.running};
        add_all(sum, numbers, sizeof numbers / sizeof *numbers);
        for (int32_t job = -1; (job = orr_rigid_next_waiting(sim, g, job, INT32_MAX - 1)) >= 0;)
            add(sum, job);
        int32_t count = orr_rigid_running(sim, g, running);
        for (int32_t i = 0; i < count; i++)
            add(sum, running[i]);
        for (int32_t procs = 1; procs <= v.procs + 1; procs += 2)
            add(sum, orr_rigid_earliest_start(sim, g, procs, 3 * procs));
    }
    for (int32_t j = 0; j < jobs; j++) {
        orr_rigid_job_view v = orr_rigid_job(sim, j);
        double numbers[] = {v.state, v.group, v.attempts, v.arrival, v.start, v.planned_end};
        add_all(sum, numbers, sizeof numbers / sizeof *numbers);
        add(sum, v.state == ORR_JOB_WAITING && orr_rigid_can_start(sim, j));
    }
}

static uint64_t sum_up(const monkey *m, orr_rigid *sim)
{
    uint64_t sum = 0xcbf29ce484222325u;
    orr_rigid_view v = orr_rigid_look(sim);
    double numbers[] = {v.free, v.down, v.waiting, v.held, v.running, v.over, v.group, v.deciding};
    add_all(&sum, numbers, sizeof numbers / sizeof *numbers);
    add(&sum, v.now);
    add(&sum, orr_rigid_next_event(sim));
    add_generator(&sum, v.rng);
    add_groups(&sum, sim, m->groups, m->in.count);
    const orr_schedule *s = orr_rigid_schedule(sim);
    for (int64_t i = 0; s && i < s->count; i++) {
        const orr_attempt *a = &s->attempts[i];
        double fields[] = {a->start, a->end, a->job, a->number, a->outcome, a->redirected};
        add_all(&sum, fields, sizeof fields / sizeof *fields);
    }
    return sum;
}

/* --- decisions -------------------------------------------------------------------------------- */

/* A job, or none; for half of the decisions, if there is one, in the state that the verb is for. */
static int32_t draw_job(monkey *m, const orr_rigid *sim, verb what)
{
    orr_rigid_job_state wanted = what == KILL || what == REQUEUE ? ORR_JOB_RUNNING
                                 : what == RELEASE               ? ORR_JOB_HELD
                                                                 : ORR_JOB_WAITING;
    int32_t job = draw(m, -1, m->in.count);
    if (draw(m, 0, 1) == 0)
        return job;
    for (int32_t i = 0; i < m->in.count; i++) {
        int32_t other = (job + 1 + i) % m->in.count;
        if (orr_rigid_job(sim, other).state == wanted)
            return other;
    }
    return job;
}

static deed draw_deed(monkey *m, orr_rigid *sim)
{
    double now = orr_rigid_look(sim).now;
    const double times[] = {now, now - 1, NAN, INFINITY, -INFINITY};
    deed d = {.verb = (verb)draw(m, 0, VERBS - 1)};
    d.job = draw_job(m, sim, d.verb);
    int32_t odd = draw(m, 0, 40), when = draw(m, 0, 12);
    if (odd == 0)
        d.job = INT32_MAX;
    else if (odd == 1)
        d.job = INT32_MIN;
    d.group = draw(m, -1, m->groups);
    d.time = when < 5 ? times[when] : now + draw(m, 1, 20) * 0.5;
    return d;
}

/* By the manual. */
static bool is_legal(const monkey *m, orr_rigid *sim, const deed *d, bool acting)
{
    orr_rigid_view v = orr_rigid_look(sim);
    if (!acting)
        return false;
    if (d->verb == WAKE_AT)
        return isfinite(d->time) && d->time > v.now;
    if (d->job < 0 || d->job >= m->in.count)
        return false;
    orr_rigid_job_view job = orr_rigid_job(sim, d->job);
    bool waits = job.state == ORR_JOB_WAITING, runs = job.state == ORR_JOB_RUNNING,
         held = job.state == ORR_JOB_HELD;
    int32_t procs = m->jobs->procs[d->job];
    orr_rigid_group_view at = orr_rigid_look_group(sim, job.group);
    switch (d->verb) {
    case START:
        return waits && procs <= at.free;
    case RESERVE:
        return waits && v.deciding && v.group == job.group;
    case KILL:
    case REQUEUE:
        return runs;
    case MOVE:
        return (waits || runs || held) && d->group >= 0 && d->group < m->groups &&
               procs <= orr_rigid_look_group(sim, d->group).procs;
    case HOLD:
        return waits;
    case RELEASE:
        return held && procs <= at.procs;
    default:
        return false;
    }
}

static orr_status act(orr_rigid *sim, const deed *d, orr_error *err)
{
    switch (d->verb) {
    case START:
        return orr_rigid_start(sim, d->job, err);
    case RESERVE:
        return orr_rigid_reserve(sim, d->job, NULL, err);
    case KILL:
        return orr_rigid_kill(sim, d->job, err);
    case REQUEUE:
        return orr_rigid_requeue(sim, d->job, err);
    case MOVE:
        return orr_rigid_move(sim, d->job, d->group, err);
    case HOLD:
        return orr_rigid_hold(sim, d->job, err);
    case RELEASE:
        return orr_rigid_release(sim, d->job, err);
    default:
        return orr_rigid_wake_at(sim, d->time, err);
    }
}

/* Keeps the first. */
static void object(monkey *m, orr_rigid *sim, const deed *d, const char *what, const char *message)
{
    static const char *const verbs[] = {"start", "reserve", "kill",    "requeue",
                                        "move",  "hold",    "release", "wake_at"};
    orr_rigid_view v = orr_rigid_look(sim);
    if (!m->problem[0])
        snprintf(m->problem, sizeof m->problem,
                 "%s of job %d, group %d, time %g in %s at %.17g: %s: %.900s", verbs[d->verb],
                 (int)d->job, (int)d->group, d->time, v.hook ? v.hook : "no hook", v.now, what,
                 message);
}

/* It names the job, or its number or the time where there is no such job, and a reason. */
static bool is_clear(const monkey *m, const deed *d, const orr_error *err)
{
    char named[80];
    if (d->verb == WAKE_AT)
        return strstr(err->message, "time") != NULL;
    if (d->job >= 0 && d->job < m->in.count)
        snprintf(named, sizeof named, "job %s cannot be ", orr_jobs_id(m->jobs, d->job));
    else
        snprintf(named, sizeof named, "job number %d cannot be ", (int)d->job);
    const char *colon = strstr(err->message, ": ");
    return strncmp(err->message, named, strlen(named)) == 0 && colon && strlen(colon) > 10;
}

static void judge(monkey *m, orr_rigid *sim, const deed *d, bool legal, uint64_t before,
                  orr_status status, const orr_error *err)
{
    if (legal != (status == ORR_OK))
        object(m, sim, d, legal ? "refused" : "not refused", status == ORR_OK ? "" : err->message);
    if (status == ORR_OK)
        return;
    if (status != ORR_ERR_POLICY || err->status != status || !is_clear(m, d, err))
        object(m, sim, d, "the message is not clear", err->message);
    if (sum_up(m, sim) != before)
        object(m, sim, d, "the refusal changed something", err->message);
}

static void decide_once(monkey *m, orr_rigid *sim, bool acting)
{
    deed d = draw_deed(m, sim);
    int32_t i = m->made++;
    orr_error err = {0};
    if (m->again) {
        if (!m->refused[i] && act(sim, &d, &err) != ORR_OK)
            object(m, sim, &d, "refused the second time", err.message);
        return;
    }
    bool legal = is_legal(m, sim, &d, acting);
    uint64_t before = legal ? 0 : sum_up(m, sim);
    orr_status status = act(sim, &d, &err);
    m->refused[i] = status != ORR_OK;
    (status == ORR_OK ? m->accepted : m->denied)[d.verb]++;
    judge(m, sim, &d, legal, before, status, &err);
}

static void decide(monkey *m, orr_rigid *sim, bool acting, int32_t most)
{
    for (int32_t n = draw(m, 0, most); n > 0 && m->made < PER_RUN; n--)
        decide_once(m, sim, acting);
}

/* What every hook that may act does. Where nothing runs, those that are held must be let go some
 * time, or nothing would happen any more. */
static orr_status act_at_random(monkey *m, orr_rigid *sim, int32_t most, orr_error *err)
{
    decide(m, sim, true, most);
    orr_rigid_view v = orr_rigid_look(sim);
    return v.held > 0 && v.running == 0 ? orr_rigid_wake_at(sim, v.now + 1, err) : ORR_OK;
}

/* --- the policy ------------------------------------------------------------------------------- */

/* A job that is too wide for the first group, where all are submitted, must not stay there. */
static orr_status on_submit(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    monkey *m = user;
    orr_status status = act_at_random(m, sim, 4, err);
    orr_rigid_job_view v = orr_rigid_job(sim, job);
    bool fits = m->jobs->procs[job] <= orr_rigid_look_group(sim, v.group).procs;
    if (fits || v.state != ORR_JOB_WAITING || status != ORR_OK)
        return status;
    if (draw(m, 0, 1))
        return orr_rigid_move(sim, job, m->groups - 1, err);
    status = orr_rigid_hold(sim, job, err);
    return status == ORR_OK ? act_at_random(m, sim, 1, err) : status;
}

static orr_status on_start(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    (void)job;
    return act_at_random(user, sim, 4, err);
}

static orr_status on_end(void *user, orr_rigid *sim, int32_t job, orr_outcome outcome,
                         orr_error *err)
{
    (void)job, (void)outcome;
    return act_at_random(user, sim, 4, err);
}

static orr_status on_idle(void *user, orr_rigid *sim, int32_t group, orr_error *err)
{
    (void)group;
    return act_at_random(user, sim, 4, err);
}

static orr_status on_timer(void *user, orr_rigid *sim, orr_error *err)
{
    monkey *m = user;
    orr_status status = act_at_random(m, sim, 4, err);
    orr_rigid_view v = orr_rigid_look(sim);
    for (int32_t j = 0; v.running == 0 && j < m->in.count && status == ORR_OK; j++)
        if (orr_rigid_job(sim, j).state == ORR_JOB_HELD)
            status = orr_rigid_move(sim, j, m->groups - 1, err);
    return status;
}

/* Anything; but what fits starts where nothing runs, or when enough was done. */
static orr_status dispatch(void *user, orr_rigid *sim, orr_error *err)
{
    monkey *m = user;
    orr_status status = act_at_random(m, sim, 6, err);
    orr_rigid_view v = orr_rigid_look(sim);
    if (v.running > 0 && m->made < PER_RUN)
        return ORR_OK;
    for (int32_t job; status == ORR_OK &&
                      (job = orr_rigid_next_waiting(sim, v.group, -1,
                                                    orr_rigid_look_group(sim, v.group).free)) >= 0;)
        status = orr_rigid_start(sim, job, err);
    return status;
}

/* Here nothing may be done at all. */
static orr_status priority(void *user, const orr_rigid_priority_view *view, int32_t job,
                           double *value, orr_error *err)
{
    (void)err;
    monkey *m = user;
    if (view->sim)
        decide(m, view->sim, false, 1);
    *value = (job * 7 + (int32_t)orr_draw_integer(view->rng, 0, 3)) % 5;
    return ORR_OK;
}

/* --- a world ---------------------------------------------------------------------------------- */

static void make_groups(monkey *m)
{
    static const char *const names[] = {"small", "middle", "large"};
    static const int32_t procs[GROUPS][GROUPS] = {{14}, {5, 9}, {3, 4, 7}};
    m->groups = draw(m, 1, GROUPS);
    for (int32_t i = 0; i < m->groups; i++) {
        orr_rigid_policy *p = &m->own[i];
        *p = (orr_rigid_policy){.size = sizeof(orr_rigid_policy),
                                .name = "monkey",
                                .user = m,
                                .priority_user = m,
                                .backfill_user = m};
        p->per = (orr_rigid_per)draw(m, 0, 3);
        p->priority = draw(m, 0, 2) ? priority : NULL;
        p->discipline = draw(m, 0, 3) ? ORR_DISPATCH_CUSTOM : ORR_DISPATCH_LIST;
        p->reservations = draw(m, 0, 2) ? draw(m, 0, 3) : ORR_RESERVE_ALL;
        p->backfill = p->discipline == ORR_DISPATCH_LIST && draw(m, 0, 1) ? priority : NULL;
        p->backfill_per = (orr_rigid_per)draw(m, 1, 3);
        p->dispatch = dispatch;
        m->group[i] = (orr_rigid_group){names[i], procs[m->groups - 1][i], p};
    }
    m->policy = (orr_rigid_policy){.size = sizeof(orr_rigid_policy),
                                   .name = "monkey",
                                   .user = m,
                                   .groups = m->group,
                                   .group_count = m->groups,
                                   .on_submit = on_submit,
                                   .on_start = on_start,
                                   .on_end = on_end,
                                   .on_idle = on_idle,
                                   .on_timer = on_timer};
}

static void make_outages(monkey *m)
{
    int32_t count = draw(m, 0, MOST_OUTAGES);
    double time = 0;
    for (int32_t i = 0; i < count; i++) {
        time += draw(m, 0, 6);
        int32_t first = draw(m, 0, PROCS - 1);
        m->outages[i] = (orr_outage){time, time + draw(m, 0, 9), first, draw(m, 1, PROCS - first)};
    }
    m->fails = count > 0;
    m->nodes = (orr_rigid_node_failures){.size = sizeof(orr_rigid_node_failures),
                                         .law = ORR_FAULTS_LOG,
                                         .outages = m->outages,
                                         .outage_count = count};
}

static orr_status make_world(monkey *m, const orr_allocator *a, orr_error *err)
{
    int32_t count = draw(m, 8, MOST_JOBS), most = 7;
    m->jobs = orr_jobs_create(a, err);
    orr_status status = m->jobs ? ORR_OK : err->status;
    make_groups(m);
    make_outages(m);
    for (int32_t j = 0; status == ORR_OK && j < count; j++) {
        char id[16];
        snprintf(id, sizeof id, "j%d", (int)(100 - j));
        status = orr_jobs_add(m->jobs, id, draw(m, 0, 20), draw(m, 1, most), draw(m, 0, 9),
                              draw(m, 0, 1) ? draw(m, 4, 12) : NAN, err);
        m->failures[j] = draw(m, 0, 3) ? 0 : draw(m, 1, 2);
    }
    orr_instance_options options = {.size = sizeof(orr_instance_options),
                                    .procs = PROCS,
                                    .log_walltimes = draw(m, 0, 1),
                                    .verification = draw(m, 0, 1) * 0.5};
    if (status == ORR_OK)
        status = orr_instance_create(&m->in, m->jobs, &options, a, err);
    for (int32_t j = 0; status == ORR_OK && j < count; j++)
        if (orr_job_is_killed(&m->in, j))
            m->failures[j] = 0;
    return status;
}

/* --- a run ------------------------------------------------------------------------------------ */

static bool agree(const orr_metrics *a, const orr_metrics *b)
{
    return a->makespan == b->makespan && a->wait_mean == b->wait_mean &&
           a->flow_mean == b->flow_mean && a->starts == b->starts && a->failures == b->failures &&
           a->killed == b->killed && a->preempted == b->preempted &&
           a->redirected == b->redirected && a->node_failures == b->node_failures &&
           fabs(a->work_lost - b->work_lost) <= 1e-9 * (1 + fabs(a->work_lost)) &&
           fabs(a->utilisation - b->utilisation) <= 1e-9;
}

/* Steps to the end, with decisions between the steps, where all of them are illegal. */
static orr_status run(monkey *m, orr_rigid *sim, orr_error *err)
{
    orr_status status = orr_rigid_reset(sim, m->failures, 1, err);
    while (status == ORR_OK && !orr_rigid_is_over(sim)) {
        if (draw(m, 0, 3) == 0)
            decide(m, sim, false, 1);
        status = orr_rigid_step(sim, err);
    }
    if (status == ORR_OK)
        decide(m, sim, false, 2);
    orr_metrics metrics, measured;
    if (status == ORR_OK)
        status = orr_rigid_finish(sim, &metrics, err);
    if (status == ORR_OK)
        status = orr_check_schedule(&m->in, orr_rigid_schedule(sim), m->failures, NULL, err);
    if (status == ORR_OK)
        status = orr_measure_schedule(&m->in, orr_rigid_schedule(sim), m->failures, &measured, err);
    if (status == ORR_OK && !agree(&metrics, &measured))
        status = orr_fail(err, ORR_ERR_INTERNAL, "the metrics are not those of the schedule");
    return status;
}

/* The second time without what was refused, and with the other event loop, plain or not. */
static orr_status run_twice(monkey *m, const orr_allocator *a, orr_error *err)
{
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &m->in,
                             .policy = &m->policy,
                             .node_failures = m->fails ? &m->nodes : NULL,
                             .seed = 1,
                             .record = true,
                             .alloc = a};
    uint64_t sums[2] = {0};
    orr_status status = ORR_OK;
    bool plain = draw(m, 0, 1);
    orr_pcg rng = m->rng;
    for (int i = 0; i < 2 && status == ORR_OK; i++) {
        m->rng = rng;
        m->made = 0;
        m->again = i == 1;
        setup.plain = plain != m->again;
        orr_rigid *sim = orr_rigid_create(&setup, err);
        status = sim ? run(m, sim, err) : err->status;
        sums[i] = status == ORR_OK ? sum_up(m, sim) : 0;
        orr_rigid_destroy(sim);
        if (m->problem[0])
            return orr_fail(err, ORR_ERR_INTERNAL, "%s", m->problem);
    }
    if (status == ORR_OK && sums[0] != sums[1])
        status = orr_fail(err, ORR_ERR_INTERNAL, "without what was refused the run is another");
    return status;
}

static orr_status one_world(monkey *m, uint64_t seed, orr_error *err)
{
    spec_memory memory = {0};
    orr_allocator a = {spec_resize, &memory};
    m->rng = orr_stream_open(orr_stream_key_make(seed, 0, 0, ORR_PURPOSE_USER), 0);
    orr_status status = make_world(m, &a, err);
    if (status == ORR_OK)
        status = run_twice(m, &a, err);
    if (m->in.jobs)
        orr_instance_destroy(&m->in);
    orr_jobs_destroy(m->jobs);
    if (status == ORR_OK && (memory.blocks != 0 || memory.bytes != 0))
        status = orr_fail(err, ORR_ERR_INTERNAL, "%lld bytes were not given back",
                          (long long)memory.bytes);
    return status;
}

static orr_status world(uint64_t seed, spec_tally *tally, orr_error *err)
{
    monkey m = {.accepted = tally->accepted, .denied = tally->denied};
    orr_status status = one_world(&m, seed, err);
    tally->made += m.made;
    return status;
}

static int rigid(lua_State *L)
{
    static const char *const verbs[VERBS] = {"start", "reserve", "kill",    "requeue",
                                             "move",  "hold",    "release", "wake_at"};
    return spec_many_worlds(L, world, verbs, VERBS);
}

/* --------------------------------------------------------------------------------------------- */

int luaopen_native_decisions(lua_State *L)
{
    static const luaL_Reg functions[] = {{"rigid", rigid}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
