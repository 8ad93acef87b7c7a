/* native_starve: Monte Carlo runs of both engines, and single runs with all that a simulation can
 * have (groups, hooks, a state, node failures, a recording, wake-up times), on memory that runs out
 * at one allocation or from one on. */
#include "../bench/heuristics.h"
#include "native.h"

#include "malleable/montecarlo.h"
#include "rigid/interface/actions.h"
#include "rigid/montecarlo.h"
#include "rigid/whatif/change.h"
#include "schedule/check.h"
#include "workload/select.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

ORR_API int luaopen_native_starve(lua_State *L);

enum { JOBS = 12, RUNS = 3, POLICIES = 2, SETS = 2, TASKS = 4 };

/* Memory that several threads use, and what policies were not given back. */
typedef struct store {
    spec_memory memory;
    pthread_mutex_t lock;
    int64_t fetched; /* policies */
    int64_t states;  /* of policies, alive */
    bool careless;   /* its policy goes on after an action that failed */
} store;

static void *resize_alone(void *user, void *block, size_t old_size, size_t new_size)
{
    store *s = user;
    pthread_mutex_lock(&s->lock);
    void *moved = spec_resize(&s->memory, block, old_size, new_size);
    pthread_mutex_unlock(&s->lock);
    return moved;
}

static void count(store *s, int64_t *number, int by)
{
    pthread_mutex_lock(&s->lock);
    *number += by;
    pthread_mutex_unlock(&s->lock);
}

/* --- a policy for jobs that uses everything --------------------------------------------------- */

static orr_status make_state(void *user, orr_rigid *sim, void **state, orr_error *err)
{
    (void)sim, (void)err;
    store *s = user;
    count(s, &s->states, 1);
    *state = s;
    return ORR_OK;
}

static orr_status copy_state(void *user, void *state, void **copy, orr_error *err)
{
    (void)state;
    return make_state(user, NULL, copy, err);
}

static void free_state(void *user, void *state)
{
    store *s = user;
    (void)state;
    count(s, &s->states, -1);
}

static orr_status mind(const store *s, orr_status status)
{
    return s->careless ? ORR_OK : status;
}

static orr_status on_submit(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    return mind(user, job % 3 == 0   ? orr_rigid_move(sim, job, 1, err)
                      : job % 5 == 1 ? orr_rigid_hold(sim, job, err)
                                     : ORR_OK);
}

/* Lets all that are held go, and more: a second start at once, of jobs that wait for nobody. */
static orr_status on_timer(void *user, orr_rigid *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    for (int32_t j = 0; j < JOBS && status == ORR_OK; j++)
        if (orr_rigid_job(sim, j).state == ORR_JOB_HELD)
            status = mind(user, orr_rigid_release(sim, j, err));
    return status;
}

/* Many times to wake up at, so that there must be room for them; and the oldest job begins anew. */
static orr_status on_end(void *user, orr_rigid *sim, int32_t job, orr_outcome outcome,
                         orr_error *err)
{
    int32_t running[JOBS];
    orr_status status = ORR_OK;
    double now = orr_rigid_look(sim).now;
    for (int32_t i = 1; i <= 9 && status == ORR_OK; i++)
        status = mind(user, orr_rigid_wake_at(sim, now + i, err));
    if (status == ORR_OK && outcome == ORR_COMPLETED && job % 4 == 0 &&
        orr_rigid_running(sim, -1, running) > 0)
        status = mind(user, orr_rigid_requeue(sim, running[0], err));
    if (status == ORR_OK && outcome == ORR_COMPLETED && job == 7 &&
        orr_rigid_running(sim, -1, running) > 0)
        status = mind(user, orr_rigid_kill(sim, running[0], err));
    return status;
}

static orr_status dispatch(void *user, orr_rigid *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    int32_t group = orr_rigid_look(sim).group;
    for (int32_t job = -1;
         status == ORR_OK && (job = orr_rigid_next_waiting(sim, group, job, INT32_MAX - 1)) >= 0;)
        status = mind(user, orr_rigid_can_start(sim, job) ? orr_rigid_start(sim, job, err)
                                                          : orr_rigid_reserve(sim, job, NULL, err));
    if (status == ORR_OK)
        status = mind(user, orr_rigid_wake_at(sim, orr_rigid_look(sim).now + 0.5, err));
    return status;
}

/* Policy 0: R-LIST(1) by rule; 1: everything. */
static orr_status get(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    static const orr_rigid_group groups[] = {{"large", 8, NULL}, {"small", 4, NULL}};
    (void)thread, (void)err;
    store *s = user;
    count(s, &s->fetched, 1);
    orr_rigid_policy *p = out;
    *p = (orr_rigid_policy){.size = sizeof(orr_rigid_policy),
                            .name = "plain",
                            .discipline = ORR_DISPATCH_LIST,
                            .reservations = 1};
    orr_rigid_set_rule(out, ORR_RULE_LPT);
    if (policy == 1)
        *p = (orr_rigid_policy){.size = sizeof(orr_rigid_policy),
                                .name = "everything",
                                .user = s,
                                .discipline = ORR_DISPATCH_CUSTOM,
                                .dispatch = dispatch,
                                .on_submit = on_submit,
                                .on_end = on_end,
                                .on_timer = on_timer,
                                .groups = groups,
                                .group_count = 2,
                                .make_state = make_state,
                                .copy_state = copy_state,
                                .free_state = free_state};
    return ORR_OK;
}

static void put(void *user, int thread, int32_t policy, void *given)
{
    (void)thread, (void)policy, (void)given;
    store *s = user;
    count(s, &s->fetched, -1);
}

/* --- jobs ------------------------------------------------------------------------------------- */

typedef struct problem {
    orr_jobs *jobs;
    orr_instance in;
    orr_silent_errors errors;
    orr_outage outages[4];
    orr_rigid_node_failures nodes;
    orr_metrics results[SETS][POLICIES * RUNS];
    orr_job_quantiles quantiles[SETS][POLICIES * RUNS];
    double ends[POLICIES][JOBS], runtimes[POLICIES][JOBS];
} problem;

static void make_nodes(problem *p, const char *law)
{
    p->nodes = (orr_rigid_node_failures){.size = sizeof(orr_rigid_node_failures),
                                         .law = ORR_FAULTS_EXPONENTIAL,
                                         .mtbf = 60,
                                         .shape = 0.7,
                                         .repair = 2,
                                         .node_procs = 2};
    if (strcmp(law, "weibull") == 0)
        p->nodes.law = ORR_FAULTS_WEIBULL;
    if (strcmp(law, "log") != 0)
        return;
    for (int32_t i = 0; i < 4; i++)
        p->outages[i] = (orr_outage){2 + i, 6 + i, 3 * i, 2 + i % 2};
    p->nodes = (orr_rigid_node_failures){.size = sizeof(orr_rigid_node_failures),
                                         .law = ORR_FAULTS_LOG,
                                         .outages = p->outages,
                                         .outage_count = 4};
}

static orr_status make_problem(problem *p, const char *law, const orr_allocator *a, orr_error *err)
{
    memset(p, 0, sizeof *p);
    make_nodes(p, law);
    p->jobs = orr_jobs_create(a, err);
    orr_status status = p->jobs ? ORR_OK : err->status;
    for (int32_t j = 0; status == ORR_OK && j < JOBS; j++)
        status = orr_jobs_add(p->jobs, NULL, j % 4, j % 4 + 1, j % 5 + 1, NAN, err);
    orr_instance_options options = {.size = sizeof(orr_instance_options), .procs = 12};
    if (status == ORR_OK)
        status = orr_instance_create(&p->in, p->jobs, &options, a, err);
    if (status == ORR_OK)
        status = orr_silent_errors_create(&p->errors, &p->in, 0.02, 1000, a, err);
    return status;
}

/* As far as they were made. */
static void free_parts(orr_silent_errors *errors, orr_instance *in, orr_jobs *jobs)
{
    if (errors->instance)
        orr_silent_errors_destroy(errors);
    if (in->jobs)
        orr_instance_destroy(in);
    orr_jobs_destroy(jobs);
}

static void free_problem(problem *p)
{
    free_parts(&p->errors, &p->in, p->jobs);
}

/* All runs, or one of which all times are kept: those of the first set, since sets run at the same
 * time. */
static orr_status run_jobs(problem *p, store *s, const orr_allocator *a, int threads, bool once,
                           orr_error *err)
{
    const orr_instance *instances[POLICIES] = {&p->in, &p->in};
    orr_rigid_kept_times kept[POLICIES];
    orr_rigid_set sets[SETS];
    for (int i = 0; i < POLICIES; i++)
        kept[i] = (orr_rigid_kept_times){.ends = p->ends[i], .runtimes = p->runtimes[i]};
    for (int i = 0; i < SETS; i++)
        sets[i] = (orr_rigid_set){.instances = instances,
                                  .number = (uint64_t)i,
                                  .errors = &p->errors,
                                  .results = p->results[i],
                                  .quantiles = p->quantiles[i],
                                  .kept = once && i == 0 ? kept : NULL};
    orr_rigid_montecarlo mc = {.size = sizeof(orr_rigid_montecarlo),
                               .common = {.source = {get, put, s},
                                          .policies = POLICIES,
                                          .seed = 1,
                                          .scenarios = once ? 1 : RUNS,
                                          .threads = threads,
                                          .alloc = a},
                               .sets = SETS,
                               .set = sets,
                               .node_failures = &p->nodes};
    return orr_rigid_montecarlo_run(&mc, err);
}

/* One simulation and a copy of it, recorded, checked. */
static orr_status record_jobs(problem *p, store *s, const orr_allocator *a, orr_error *err)
{
    orr_rigid_policy policy;
    (void)get(s, 0, 1, &policy, err);
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &p->in,
                             .policy = &policy,
                             .node_failures = &p->nodes,
                             .seed = 1,
                             .record = true,
                             .alloc = a};
    orr_rigid *sim = orr_rigid_create(&setup, err), *other = NULL;
    orr_status status = sim ? orr_rigid_reset(sim, NULL, 1, err) : err->status;
    for (int i = 0; i < 5 && status == ORR_OK; i++)
        status = orr_rigid_step(sim, err);
    if (status == ORR_OK) {
        other = orr_rigid_copy(sim, err);
        status = other ? orr_rigid_finish(other, NULL, err) : err->status;
    }
    if (status == ORR_OK)
        status = orr_rigid_finish(sim, NULL, err);
    if (status == ORR_OK)
        status = orr_check_schedule(&p->in, orr_rigid_schedule(sim), NULL, NULL, err);
    if (status == ORR_OK)
        status = orr_check_schedule(&p->in, orr_rigid_schedule(other), NULL, NULL, err);
    orr_rigid_destroy(other);
    orr_rigid_destroy(sim);
    put(s, 0, 1, &policy);
    return status;
}

/* --- changes from outside --------------------------------------------------------------------- */

/* Two more jobs, and another runtime. */
static orr_status make_jobs(const problem *p, double now, orr_jobs **jobs, const orr_allocator *a,
                            orr_error *err)
{
    orr_jobs *more = orr_jobs_create(a, err);
    orr_status status = more ? ORR_OK : err->status;
    for (int i = 0; i < 2 && status == ORR_OK; i++)
        status = orr_jobs_add(more, NULL, now + i, 2, 3, NAN, err);
    if (status == ORR_OK) {
        *jobs = orr_jobs_append(p->jobs, more, a, err);
        status = *jobs ? orr_jobs_set_time(*jobs, JOBS - 1, 9, err) : err->status;
    }
    orr_jobs_destroy(more);
    return status;
}

/* Each of the changes once, three more processors among them. */
static orr_rigid *disturb(orr_rigid *sim, const orr_jobs *jobs, orr_instance *in, orr_error *err)
{
    int32_t running[JOBS + 2], count = orr_rigid_running(sim, -1, running);
    double now = orr_rigid_look(sim).now;
    const int32_t cancelled[] = {JOBS, count > 1 ? running[1] : JOBS}, failing = JOBS + 1;
    const orr_rigid_fault faults[] = {{-1, 1, 2}, {count > 0 ? running[0] : -1, 2, 2}};
    orr_rigid_service service = {"small", 7, now + 6};
    orr_rigid_change change = {.size = sizeof change,
                               .jobs = jobs,
                               .draws = true,
                               .seed = 2,
                               .lambda = 0.02,
                               .max_attempts = 1000,
                               .service = &service,
                               .cancel = cancelled,
                               .cancel_count = count > 1 ? 2 : 1,
                               .fail = &failing,
                               .fail_count = 1,
                               .faults = faults + 1,
                               .fault_count = 1};
    orr_instance none;
    orr_rigid *first = orr_rigid_changed(sim, &change, in, err), *second = NULL;
    change = (orr_rigid_change){.size = sizeof change,
                                .service = &(orr_rigid_service){"large", 5, now + 4},
                                .faults = faults,
                                .fault_count = 1};
    if (first)
        second = orr_rigid_changed(first, &change, &none, err);
    orr_rigid_destroy(first);
    return second;
}

/* Goes on from `sim` with all of the changes, and then under another policy, to the end. */
static orr_status change_jobs(orr_rigid *sim, const problem *p, const orr_allocator *a,
                              orr_error *err)
{
    orr_instance in = {0}, none;
    orr_jobs *jobs = NULL;
    orr_rigid_policy plain = {
        .size = sizeof(orr_rigid_policy), .name = "plain", .discipline = ORR_DISPATCH_FCFS};
    orr_rigid *next = NULL, *last = NULL;
    orr_status status = make_jobs(p, 100, &jobs, a, err);
    if (status == ORR_OK) {
        next = disturb(sim, jobs, &in, err);
        status = next ? ORR_OK : err->status;
    }
    for (int i = 0; i < 3 && status == ORR_OK; i++)
        status = orr_rigid_step(next, err);
    if (status == ORR_OK) {
        orr_rigid_change change = {.size = sizeof change, .policy = &plain, .procs = 14};
        last = orr_rigid_changed(next, &change, &none, err);
        status = last ? orr_rigid_finish(last, NULL, err) : err->status;
    }
    if (status == ORR_OK)
        status =
            orr_check_schedule(&in, orr_rigid_schedule(last), orr_rigid_failures(last), NULL, err);
    orr_rigid_destroy(last);
    orr_rigid_destroy(next);
    orr_instance_destroy(&in);
    orr_jobs_destroy(jobs);
    return status;
}

/* Whatever became of the changes, the simulation itself goes on as if there were none. */
static orr_status try_changes(problem *p, store *s, const orr_allocator *a, orr_error *err)
{
    orr_rigid_policy policy;
    (void)get(s, 0, 1, &policy, err);
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &p->in,
                             .policy = &policy,
                             .node_failures = &p->nodes,
                             .seed = 1,
                             .record = true,
                             .alloc = a};
    orr_rigid *sim = orr_rigid_create(&setup, err);
    orr_status status = sim ? orr_rigid_reset(sim, NULL, 1, err) : err->status;
    for (int i = 0; i < 5 && status == ORR_OK; i++)
        status = orr_rigid_step(sim, err);
    if (status == ORR_OK) {
        orr_error other;
        status = change_jobs(sim, p, a, err);
        s->memory.fail_at = 0; /* from here on there is enough */
        if (orr_rigid_finish(sim, NULL, &other) != ORR_OK ||
            orr_check_schedule(&p->in, orr_rigid_schedule(sim), NULL, NULL, &other) != ORR_OK)
            status = orr_fail(err, ORR_ERR_INTERNAL, "%s", other.message);
    }
    orr_rigid_destroy(sim);
    put(s, 0, 1, &policy);
    return status;
}

/* --- tasks ------------------------------------------------------------------------------------ */

static orr_status get_malleable(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)thread, (void)err;
    store *s = user;
    count(s, &s->fetched, 1);
    *(orr_malleable_policy *)out = policy == 0 ? heuristics("end-local", "iterated-greedy")
                                               : heuristics("end-greedy", "shortest-tasks-first");
    return ORR_OK;
}

static void put_malleable(void *user, int thread, int32_t policy, void *given)
{
    (void)thread, (void)policy, (void)given;
    store *s = user;
    count(s, &s->fetched, -1);
}

static orr_status run_tasks(const char *law, store *s, const orr_allocator *a, int threads,
                            orr_error *err)
{
    static const orr_fault log[] = {{50, 1, -1}, {700, 3, -1}, {700, 5, -1}, {9000, 3, -1}};
    orr_synthetic_tasks synthetic = {TASKS, 1e4, 3e4, 0.05};
    orr_malleable_result results[POLICIES * RUNS];
    double ends[POLICIES * RUNS * TASKS];
    orr_malleable_montecarlo mc = {.size = sizeof(orr_malleable_montecarlo),
                                   .common = {.source = {get_malleable, put_malleable, s},
                                              .policies = POLICIES,
                                              .seed = 1,
                                              .scenarios = RUNS,
                                              .threads = threads,
                                              .alloc = a},
                                   .synthetic = &synthetic,
                                   .procs = 21,
                                   .resilience = orr_resilience_default(),
                                   .fault_free = true,
                                   .results = results,
                                   .ends = ends};
    mc.resilience.mtbf = 1e6;
    mc.resilience.checkpoint_unit = 0.05;
    mc.faults = (orr_faults_setup){
        .law = ORR_FAULTS_EXPONENTIAL, .procs = mc.procs, .mtbf = 1e6, .shape = 0.7};
    if (strcmp(law, "weibull") == 0)
        mc.faults.law = ORR_FAULTS_WEIBULL;
    orr_tasks *tasks = NULL;
    if (strcmp(law, "log") == 0) {
        mc.faults = (orr_faults_setup){
            .law = ORR_FAULTS_LOG, .procs = mc.procs, .log = log, .log_count = 4};
        tasks = orr_tasks_create(a, err);
        orr_status made = tasks ? orr_generate_tasks(tasks, &synthetic, 1, 0, 1, err) : err->status;
        if (made != ORR_OK) {
            orr_tasks_destroy(tasks);
            return made;
        }
        mc.tasks = tasks;
    }
    orr_status status = orr_malleable_montecarlo_run(&mc, err);
    orr_tasks_destroy(tasks);
    return status;
}

/* --------------------------------------------------------------------------------------------- */

static orr_status starve_jobs(const char *what, const char *law, store *s, const orr_allocator *a,
                              int threads, orr_error *err)
{
    problem *p = malloc(sizeof *p);
    if (!p)
        return orr_fail_memory(err, sizeof *p);
    orr_status status = make_problem(p, law, a, err);
    if (status == ORR_OK)
        status = strcmp(what, "recorded") == 0 ? record_jobs(p, s, a, err)
                 : strcmp(what, "changed") == 0
                     ? try_changes(p, s, a, err)
                     : run_jobs(p, s, a, threads, strcmp(what, "once") == 0, err);
    free_problem(p);
    free(p);
    return status;
}

/* starve(what, law, n, how, threads): with the n-th allocation failing ("one") or it and all after
 * it ("rest"); `careless` is "one" with a policy that goes on after an action that failed. What:
 * jobs, once, recorded, changed, tasks. The status, the message if it failed, the bytes that were
 * not given back, the policies and states that were not, and how many allocations were asked for.
 */
static int starve(lua_State *L)
{
    const char *what = luaL_checkstring(L, 1), *law = luaL_checkstring(L, 2);
    const char *how = luaL_checkstring(L, 4);
    int threads = (int)luaL_optinteger(L, 5, 1);
    store s = {.memory = {.fail_at = luaL_checkinteger(L, 3), .for_good = strcmp(how, "rest") == 0},
               .lock = PTHREAD_MUTEX_INITIALIZER,
               .careless = strcmp(how, "careless") == 0};
    orr_allocator a = {resize_alone, &s};
    orr_error err = {0};
    orr_status status = strcmp(what, "tasks") == 0 ? run_tasks(law, &s, &a, threads, &err)
                                                   : starve_jobs(what, law, &s, &a, threads, &err);
    lua_pushinteger(L, status);
    lua_pushstring(L, status == ORR_OK ? NULL : err.message);
    lua_pushinteger(L, s.memory.bytes + s.memory.blocks);
    lua_pushinteger(L, s.fetched + s.states);
    lua_pushinteger(L, s.memory.calls);
    return 5;
}

int luaopen_native_starve(lua_State *L)
{
    static const luaL_Reg functions[] = {{"starve", starve}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
