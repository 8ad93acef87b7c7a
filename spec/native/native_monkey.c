/* native_monkey: small runs in which something strikes once, at every event and between any two:
 * a policy that kills, requeues or moves a running job, a node that fails, a fault of a processor.
 * After each the checker must be content, and the processors' time add up. */
#include "../bench/heuristics.h"
#include "native.h"

#include "base/draw.h"
#include "malleable/engine.h"
#include "rigid/interface/actions.h"
#include "rigid/interface/engine.h"
#include "schedule/check.h"

#include <math.h>
#include <string.h>

ORR_API int luaopen_native_monkey(lua_State *L);

enum { JOBS = 6, PROCS = 8, TASKS = 4, MACHINE = 13, MOST_TIMES = 400, MOST_FAULTS = 4, KINDS = 5 };

typedef enum verb { KILL, REQUEUE, MOVE, NOTHING } verb;

typedef struct monkey {
    orr_jobs *jobs;
    orr_instance in;
    int32_t failures[JOBS];
    orr_rigid_policy policy, own;
    orr_rigid_group group[2];
    verb verb;
    int32_t call, which; /* of the policy's functions, counted from 0; of the running jobs */
    int32_t calls;       /* so far */
    bool struck;
    int64_t runs, strikes;
} monkey;

static void collect(double *times, int32_t *count, double time)
{
    if (*count < MOST_TIMES && time < INFINITY && (*count == 0 || times[*count - 1] < time))
        times[(*count)++] = time;
}

/* Adds what is halfway between two of them, and a time before the first. */
static void interleave(double *times, int32_t *count)
{
    int32_t n = *count;
    for (int32_t i = n - 1; i >= 0; i--) {
        times[2 * i + 1] = times[i];
        times[2 * i] = ((i > 0 ? times[i - 1] : 0) + times[2 * i + 1]) / 2;
    }
    *count = 2 * n;
}

/* --- a policy for jobs that strikes ----------------------------------------------------------- */

static orr_status strike(monkey *m, orr_rigid *sim, orr_error *err)
{
    int32_t running[JOBS], count = orr_rigid_running(sim, -1, running);
    if (m->calls++ != m->call || m->which >= count)
        return ORR_OK;
    m->struck = m->verb != NOTHING;
    int32_t job = running[m->which];
    if (m->verb == KILL)
        return orr_rigid_kill(sim, job, err);
    if (m->verb == REQUEUE)
        return orr_rigid_requeue(sim, job, err);
    if (m->verb == MOVE)
        return orr_rigid_move(sim, job, orr_rigid_look(sim).groups - 1, err);
    return ORR_OK;
}

static orr_status on_submit(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    monkey *m = user;
    orr_status status = ORR_OK;
    if (m->group[0].procs < m->jobs->procs[job] || job % 3 == 2)
        status = orr_rigid_move(sim, job, orr_rigid_look(sim).groups - 1, err);
    if (status == ORR_OK && m->calls == 0)
        status = orr_rigid_wake_at(sim, orr_rigid_look(sim).now + 0.25, err);
    return status == ORR_OK ? strike(m, sim, err) : status;
}

static orr_status on_start(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    (void)job;
    return strike(user, sim, err);
}

static orr_status on_end(void *user, orr_rigid *sim, int32_t job, orr_outcome outcome,
                         orr_error *err)
{
    (void)job, (void)outcome;
    return strike(user, sim, err);
}

static orr_status on_idle(void *user, orr_rigid *sim, int32_t group, orr_error *err)
{
    (void)group;
    return strike(user, sim, err);
}

/* Times of events are whole, these are between them. */
static orr_status on_timer(void *user, orr_rigid *sim, orr_error *err)
{
    orr_status status = strike(user, sim, err);
    return status == ORR_OK ? orr_rigid_wake_at(sim, orr_rigid_look(sim).now + 1, err) : status;
}

/* Greedy, EASY, conservative, shelves, strict FCFS; on one group, or on two. */
static void make_policy(monkey *m, int kind, bool two)
{
    static const orr_rigid_discipline disciplines[KINDS] = {ORR_DISPATCH_LIST, ORR_DISPATCH_LIST,
                                                            ORR_DISPATCH_LIST, ORR_DISPATCH_SHELF,
                                                            ORR_DISPATCH_FCFS};
    static const int32_t reservations[KINDS] = {0, 1, ORR_RESERVE_ALL, 0, 0};
    m->own = (orr_rigid_policy){.size = sizeof(orr_rigid_policy),
                                .name = "monkey",
                                .discipline = disciplines[kind],
                                .reservations = reservations[kind],
                                .fill = true};
    orr_rigid_set_rule(&m->own, ORR_RULE_LPT);
    m->group[0] = (orr_rigid_group){"first", two ? 3 : PROCS, &m->own};
    m->group[1] = (orr_rigid_group){"second", PROCS - 3, &m->own};
    m->policy = (orr_rigid_policy){.size = sizeof(orr_rigid_policy),
                                   .name = "monkey",
                                   .user = m,
                                   .groups = m->group,
                                   .group_count = two ? 2 : 1,
                                   .on_submit = on_submit,
                                   .on_start = on_start,
                                   .on_end = on_end,
                                   .on_idle = on_idle,
                                   .on_timer = on_timer};
}

/* --- a run of jobs ---------------------------------------------------------------------------- */

/* Processor-seconds that attempts held, and those that were not lost, against the metrics. */
static orr_status check_jobs(const monkey *m, const orr_rigid *sim, const orr_metrics *metrics,
                             orr_error *err)
{
    const orr_schedule *s = orr_rigid_schedule(sim);
    orr_status status = orr_check_schedule(&m->in, s, m->failures, NULL, err);
    double held = 0, useful = 0;
    for (int64_t i = 0; i < s->count; i++) {
        const orr_attempt *a = &s->attempts[i];
        double area = (a->end - a->start) * m->jobs->procs[a->job];
        held += area;
        useful += a->outcome == ORR_COMPLETED ? area : 0;
    }
    double all = metrics->utilisation * PROCS * metrics->makespan;
    if (status == ORR_OK && !(fabs(all - held) <= 1e-9 * (1 + held) &&
                              fabs(metrics->work_lost - (held - useful)) <= 1e-9 * (1 + held)))
        status = orr_fail(err, ORR_ERR_INTERNAL,
                          "%.17g processor-seconds were held and %.17g lost, not %.17g and %.17g",
                          held, held - useful, all, metrics->work_lost);
    return status;
}

static orr_status run_jobs(monkey *m, const orr_rigid_node_failures *nodes, bool plain,
                           double *times, int32_t *count, orr_error *err)
{
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &m->in,
                             .policy = &m->policy,
                             .node_failures = nodes,
                             .seed = 1,
                             .record = true,
                             .plain = plain};
    m->calls = 0;
    m->struck = false;
    orr_rigid *sim = orr_rigid_create(&setup, err);
    orr_status status = sim ? orr_rigid_reset(sim, m->failures, 1, err) : err->status;
    while (status == ORR_OK && !orr_rigid_is_over(sim)) {
        if (times)
            collect(times, count, orr_rigid_next_event(sim));
        status = orr_rigid_step(sim, err);
    }
    orr_metrics metrics;
    if (status == ORR_OK)
        status = orr_rigid_finish(sim, &metrics, err);
    if (status == ORR_OK)
        status = check_jobs(m, sim, &metrics, err);
    orr_rigid_destroy(sim);
    m->runs++;
    m->strikes += m->struck;
    if (status != ORR_OK)
        orr_error_prefix(err, "verb %d, call %d, job %d, plain %d", (int)m->verb, (int)m->call,
                         (int)m->which, (int)plain);
    return status;
}

/* Every deed, at every call of the policy, on every job that runs there. */
static orr_status strike_everywhere(monkey *m, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int deed = KILL; deed < NOTHING; deed++)
        for (int plain = 0; plain < 2; plain++) {
            m->verb = (verb)deed;
            m->calls = 1;
            for (m->call = 0; m->call < m->calls && status == ORR_OK; m->call++) {
                m->struck = true;
                for (m->which = 0; m->struck && status == ORR_OK; m->which++)
                    status = run_jobs(m, NULL, plain, NULL, NULL, err);
            }
        }
    m->verb = NOTHING;
    return status;
}

/* A node fails at every event, and between any two. */
static orr_status fail_everywhere(monkey *m, orr_error *err)
{
    double times[2 * MOST_TIMES];
    int32_t count = 0;
    m->verb = NOTHING;
    orr_status status = run_jobs(m, NULL, false, times, &count, err);
    interleave(times, &count);
    for (int32_t i = 0; i < count && status == ORR_OK; i += 1 + (i % 4 == 1))
        for (int32_t p = 0; p < PROCS && status == ORR_OK; p++) {
            orr_outage outages[] = {
                {times[i], times[i] + p % 3, p, 1 + (p + i) % 3},
                {times[i] + (i % 2) * 0.5, times[i] + 1, (p * 3) % PROCS, 1},
            };
            for (int k = 0; k < 2; k++)
                outages[k].count =
                    outages[k].first + outages[k].count > PROCS ? 1 : outages[k].count;
            orr_rigid_node_failures nodes = {.size = sizeof(orr_rigid_node_failures),
                                             .law = ORR_FAULTS_LOG,
                                             .outages = outages,
                                             .outage_count = 1 + i % 2};
            status = run_jobs(m, &nodes, (i + p) % 2, NULL, NULL, err);
            m->strikes++;
        }
    return status;
}

static orr_status make_jobs(monkey *m, uint64_t seed, orr_error *err)
{
    orr_pcg rng = orr_stream_open(orr_stream_key_make(seed, 0, 0, ORR_PURPOSE_USER), 0);
    m->jobs = orr_jobs_create(NULL, err);
    orr_status status = m->jobs ? ORR_OK : err->status;
    for (int32_t j = 0; j < JOBS && status == ORR_OK; j++) {
        status = orr_jobs_add(m->jobs, NULL, (double)orr_draw_integer(&rng, 0, 3),
                              (int32_t)orr_draw_integer(&rng, 1, PROCS - 3),
                              (double)orr_draw_integer(&rng, 0, 4), NAN, err);
        m->failures[j] = orr_draw_integer(&rng, 0, 2) == 0;
    }
    orr_instance_options options = {.size = sizeof(orr_instance_options), .procs = PROCS};
    return status == ORR_OK ? orr_instance_create(&m->in, m->jobs, &options, NULL, err) : status;
}

/* rigid(seed, worlds): how many runs, and how many strikes in them. */
static int rigid(lua_State *L)
{
    uint64_t seed = (uint64_t)luaL_checkinteger(L, 1);
    int64_t worlds = luaL_checkinteger(L, 2);
    monkey m = {0};
    orr_error err;
    orr_status status = ORR_OK;
    for (int64_t w = 0; w < worlds && status == ORR_OK; w++) {
        status = make_jobs(&m, seed + (uint64_t)w, &err);
        for (int i = 0; i < 2 * KINDS && status == ORR_OK; i++) {
            make_policy(&m, i / 2, i % 2);
            status = strike_everywhere(&m, &err);
            if (status == ORR_OK)
                status = fail_everywhere(&m, &err);
            if (status != ORR_OK)
                orr_error_prefix(&err, "seed %d, policy %d", (int)(seed + (uint64_t)w), i);
        }
        orr_instance_destroy(&m.in);
        orr_jobs_destroy(m.jobs);
    }
    if (status != ORR_OK)
        return spec_raise(L, &err);
    lua_pushinteger(L, m.runs);
    lua_pushinteger(L, m.strikes);
    return 2;
}

/* --- tasks ------------------------------------------------------------------------------------ */

typedef struct pack {
    orr_tasks *tasks;
    orr_malleable_policy policy;
    orr_fault log[MOST_FAULTS];
    int64_t log_count;
    int64_t runs, faults, fatal;
} pack;

static orr_status check_tasks(pack *p, const orr_malleable *sim, orr_error *err)
{
    orr_status status = orr_malleable_check(sim, err);
    orr_malleable_metrics metrics = orr_malleable_measure(sim);
    const orr_spent *s = &metrics.spent;
    double all = MACHINE * metrics.makespan;
    double sum = s->useful + s->checkpoint + s->lost + s->recovery + s->redistribution + s->idle;
    if (status == ORR_OK && !(fabs(sum - all) <= 1e-11 * all))
        status =
            orr_fail(err, ORR_ERR_INTERNAL, "%.17g processor-seconds of %.17g are known", sum, all);
    p->runs++;
    p->faults += metrics.faults;
    p->fatal += metrics.fatal;
    return status;
}

static orr_status run_tasks(pack *p, double *times, int32_t *count, orr_error *err)
{
    orr_malleable_setup setup = {.size = sizeof(orr_malleable_setup),
                                 .count = TASKS,
                                 .procs = MACHINE,
                                 .policy = &p->policy,
                                 .seed = 1,
                                 .record = true};
    setup.resilience = orr_resilience_default();
    setup.resilience.mtbf = 1e6;
    setup.resilience.downtime = 500;
    setup.resilience.checkpoint_unit = 0.05;
    setup.resilience.latency = 0.5;
    setup.faults = (orr_faults_setup){
        .law = ORR_FAULTS_LOG, .procs = MACHINE, .log = p->log, .log_count = p->log_count};
    orr_malleable *sim = orr_malleable_create(&setup, err);
    orr_status status = sim ? orr_malleable_reset(sim, p->tasks, 1, err) : err->status;
    while (status == ORR_OK && !orr_malleable_is_over(sim)) {
        if (times)
            collect(times, count, orr_malleable_next_event(sim));
        for (int32_t i = 0; times && i < TASKS; i++) { /* the ends of recoveries and moves, too */
            orr_task_view v = orr_malleable_task(sim, i);
            if (v.state == ORR_TASK_LOCKED && v.ready < orr_malleable_next_event(sim))
                collect(times, count, v.ready);
        }
        status = orr_malleable_step(sim, err);
    }
    if (status == ORR_OK)
        status = check_tasks(p, sim, err);
    orr_malleable_destroy(sim);
    return status;
}

/* Runs it with one fault more. */
static orr_status run_with(pack *p, orr_fault fault, orr_error *err)
{
    pack more = *p;
    int64_t at = more.log_count++;
    for (; at > 0 && more.log[at - 1].time > fault.time; at--)
        more.log[at] = more.log[at - 1];
    more.log[at] = fault;
    orr_status status = run_tasks(&more, NULL, NULL, err);
    p->runs = more.runs;
    p->faults = more.faults;
    p->fatal = more.fatal;
    if (status != ORR_OK)
        orr_error_prefix(err, "a fault of %d at %.17g", (int)fault.processor, fault.time);
    return status;
}

static orr_status strike_tasks(pack *p, orr_error *err)
{
    double times[2 * MOST_TIMES];
    int32_t count = 0;
    orr_status status = run_tasks(p, times, &count, err);
    interleave(times, &count);
    for (int32_t i = 0; i < count && status == ORR_OK; i++)
        for (int32_t q = 0; q < MACHINE && status == ORR_OK; q++)
            status = run_with(p, (orr_fault){times[i], q, -1}, err);
    return status;
}

/* malleable(on_end, on_fault, seed, worlds): how many runs, faults that struck, and fatal ones. */
static int malleable(lua_State *L)
{
    pack p = {.policy = heuristics(luaL_checkstring(L, 1), luaL_checkstring(L, 2))};
    uint64_t seed = (uint64_t)luaL_checkinteger(L, 3);
    int64_t worlds = luaL_checkinteger(L, 4);
    orr_synthetic_tasks options = {TASKS, 1e4, 3e4, 0.05};
    orr_error err;
    orr_status status = ORR_OK;
    for (int64_t w = 0; w < worlds && status == ORR_OK; w++) {
        orr_pcg rng = orr_stream_open(orr_stream_key_make(seed, 1, 0, ORR_PURPOSE_USER), 0);
        p.tasks = orr_tasks_create(NULL, &err);
        status = p.tasks ? orr_generate_tasks(p.tasks, &options, seed++, 0, 1, &err) : err.status;
        double time = 0;
        for (p.log_count = 0; p.log_count < w % MOST_FAULTS; p.log_count++) {
            time += orr_draw_uniform(&rng, 0, 40000);
            p.log[p.log_count] =
                (orr_fault){time, (int32_t)orr_draw_integer(&rng, 0, MACHINE - 1), -1};
        }
        if (status == ORR_OK)
            status = strike_tasks(&p, &err);
        orr_tasks_destroy(p.tasks);
    }
    if (status != ORR_OK)
        return spec_raise(L, &err);
    lua_pushinteger(L, p.runs);
    lua_pushinteger(L, p.faults);
    lua_pushinteger(L, p.fatal);
    return 3;
}

/* --------------------------------------------------------------------------------------------- */

int luaopen_native_monkey(lua_State *L)
{
    static const luaL_Reg functions[] = {{"rigid", rigid}, {"malleable", malleable}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
