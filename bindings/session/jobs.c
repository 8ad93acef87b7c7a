/* Sessions of rigid jobs: their begin and their changes. jobs_look.c shows their state. */
#include "bindings/host/host.h"
#include "bindings/run/runs.h"
#include "bindings/session/session.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/options.h"
#include "bindings/support/raise.h"
#include "bindings/values/failures.h"
#include "bindings/values/limits.h"
#include "bindings/values/metrics.h"
#include "bindings/values/values.h"
#include "bindings/values/windows.h"

#include "schedule/check.h"
#include "workload/select.h"

#include <string.h>

ORR_DEFINE_ENGINE_CALLS(rigid)

/* --- creation ------------------------------------------------------------------------------- */

/* The failure counts of the session's scenario: given, or drawn; NULL: none. */
static orr_status scenario_of(const orr_instance *in, const orr_run_options *o, uint64_t scenario,
                              const orr_lua_failures *given, int32_t *drawn,
                              const int32_t **failures, orr_error *err)
{
    *failures = NULL;
    if (given) {
        int64_t row = given->rows == 1 ? 1 : (int64_t)scenario; /* one row is for whatever number */
        if (row < 1 || row > given->rows)
            return orr_fail(err, ORR_ERR_ARGUMENT, "there is no scenario %lld among %lld",
                            (long long)scenario, (long long)given->rows);
        *failures = given->counts + (row - 1) * given->columns;
        return ORR_OK;
    }
    if (!(o->lambda > 0))
        return ORR_OK;
    orr_silent_errors errors;
    orr_status status =
        orr_silent_errors_create(&errors, in, o->lambda, o->max_attempts, NULL, err);
    if (status == ORR_OK)
        status = orr_silent_errors_draw(&errors, o->seed, o->set, scenario, drawn, err);
    orr_silent_errors_destroy(&errors);
    *failures = drawn;
    return status;
}

static orr_status make(orr_session *s, const orr_run_options *o, const int32_t *failures,
                       uint64_t scenario, orr_error *err)
{
    orr_host *host = s->policy->host;
    orr_rigid_setup setup = {.size = sizeof(orr_rigid_setup),
                             .instance = &s->instance->instance,
                             .policy = &host->jobs.policy,
                             .node_failures = o->node_failures,
                             .windows = o->windows,
                             .window_count = o->window_count,
                             .seed = o->seed,
                             .set = o->set,
                             .record = true,
                             .instant = o->instant,
                             .live = o->live,
                             .cancel = &orr_interrupted,
                             .trap = orr_runs_trap()};
    orr_session_entry entry = orr_session_enter(s);
    orr_host_find_formulas(host, s->instance->instance.count);
    s->sim = orr_rigid_create(&setup, err);
    orr_status status = s->sim ? orr_rigid_reset(s->sim, failures, scenario, err) : err->status;
    orr_session_leave(entry);
    return status;
}

static orr_status load(lua_State *L, orr_session *s, const orr_jobs *jobs, orr_run_options *o,
                       orr_error *err)
{
    o->instance.procs = (int32_t)orr_lua_integer_option(L, 3, "procs", o->instance.procs, 1,
                                                        INT32_MAX - 1); /* of the policy's groups */
    o->instance.shares = !o->plain; /* Lua holds the jobs as long as the session */
    s->instance = orr_new_shared(err);
    if (!s->instance)
        return ORR_ERR_MEMORY;
    orr_status status = orr_instance_create(&s->instance->instance, jobs, &o->instance, NULL, err);
    return status == ORR_OK ? orr_session_load_policy(L, s, 3, &o->limits, err) : status;
}

static orr_status begin(lua_State *L, orr_session *s, uint64_t scenario, orr_error *err)
{
    const orr_jobs *jobs = orr_lua_check_jobs(L, 1);
    const orr_lua_failures *given = orr_lua_test_failures(L, 5, jobs);
    orr_run_options o = orr_lua_run_options(L, 2, jobs);
    int32_t *drawn = lua_newuserdatauv(L, ((size_t)jobs->count + 1) * sizeof *drawn, 0);
    lua_getfield(L, 2, "node_failures");
    lua_setiuservalue(L, ORR_NEW, ORR_KEEPS_FAULTS);
    lua_getfield(L, 2, "windows");
    lua_setiuservalue(L, ORR_NEW, ORR_KEEPS_WINDOWS);
    s->lambda = o.lambda;
    s->max_attempts = o.max_attempts;
    s->machine = o.instance.procs;
    s->seed = o.seed;
    s->given = given != NULL;
    s->repair = o.node_failures ? o.node_failures->repair : 0;
    const int32_t *failures = NULL;
    orr_status status = load(L, s, jobs, &o, err);
    if (status == ORR_OK)
        status = scenario_of(&s->instance->instance, &o, scenario, given, drawn, &failures, err);
    return status == ORR_OK ? make(s, &o, failures, scenario, err) : status;
}

/* --- changes -------------------------------------------------------------------------------- */

/* The jobs with new jobs behind them, and with changed runtimes: a new value, which the next
 * session keeps; and the scheduler's estimates for the new jobs, if given. */
static void read_change(orr_session_change *c)
{
    lua_State *L = c->L;
    const orr_jobs *before = c->from->instance->instance.jobs;
    lua_getfield(L, ORR_CHANGES, "submit");
    const orr_jobs *more = lua_isnil(L, -1) ? NULL : orr_lua_check_jobs(L, lua_gettop(L));
    int32_t all = more ? more->count : 0;
    c->room = (int32_t)orr_lua_integer_option(L, ORR_CHANGES, "room", 0, 0, INT32_MAX / 4);
    int32_t first =
        (int32_t)orr_lua_integer_option(L, ORR_CHANGES, "first", 1, 1, INT32_MAX - 1) - 1;
    int32_t last = (int32_t)orr_lua_integer_option(L, ORR_CHANGES, "last", all, 0, INT32_MAX - 1);
    if (lua_getfield(L, ORR_CHANGES, "estimates") != LUA_TNIL) {
        const double *estimates = luaL_checkudata(L, -1, "orrery.estimates");
        if (estimates[0] != (more ? more->count : 0))
            luaL_error(L, "estimates: expected %d, found %f", more ? (int)more->count : 0,
                       estimates[0]);
        c->kernel.jobs.estimates = estimates + 1; /* the changes keep them */
    }
    orr_rigid_change *k = &c->kernel.jobs;
    k->windows = orr_lua_windows_option(L, ORR_CHANGES, "windows", &k->window_count);
    k->pools = orr_lua_pools_option(L, ORR_CHANGES, &k->pool_count);
    k->limits = orr_lua_limit_option(L, ORR_CHANGES, &k->limit_count);
    k->drains = orr_lua_windows_option(L, ORR_CHANGES, "drains", &k->drain_count);
    k->returns = orr_lua_windows_option(L, ORR_CHANGES, "returns", &k->return_count);
    if (more)
        c->kernel.jobs.checkpoints = orr_lua_checkpoints_option(L, ORR_CHANGES, more->count);
    bool revised = orr_change_has(c, "runtime");
    int list = lua_gettop(L);
    if (!more && !revised && c->room == 0)
        return;
    orr_error err;
    orr_jobs **slot = orr_lua_new_jobs(L), *jobs;
    c->kernel.jobs.jobs = jobs = *slot = orr_jobs_append(before, NULL, NULL, &err);
    if (!jobs || (more && orr_jobs_extend(jobs, more, first, last - first, &err) != ORR_OK)) {
        orr_lua_raise(L, &err);
        return;
    }
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, ORR_NEXT, ORR_KEEPS_ITEMS);
    for (lua_pushnil(L); revised && lua_next(L, list); lua_pop(L, 1)) {
        int32_t job = orr_change_position(L, -2, "runtime");
        if (job >= jobs->count)
            luaL_error(L, "runtime: there is no job %d, there are %d", (int)job + 1,
                       (int)jobs->count);
        orr_lua_try(L, orr_jobs_set_time(jobs, job, luaL_checknumber(L, -1), &err), &err);
    }
}

static orr_status change(orr_session_change *c, orr_error *err)
{
    orr_session *next = c->next;
    orr_rigid_service service = {c->group, c->procs, c->until};
    orr_rigid_change *k = &c->kernel.jobs;
    int32_t known = orr_rigid_look(c->from->sim).known;
    k->size = sizeof *k;
    if (c->host) {
        orr_host_find_formulas(c->host, next->instance->instance.count);
        k->policy = &c->host->jobs.policy;
        k->procs = known = c->policy_procs > 0 ? c->policy_procs : known;
    }
    k->draws = c->draws;
    k->seed = next->seed;
    k->lambda = next->given ? 0 : next->lambda;
    k->max_attempts = next->max_attempts;
    k->service = c->resizes ? &service : NULL;
    k->cancel = c->cancel;
    k->cancel_count = c->cancel_count;
    k->checkpoint = c->checkpoint;
    k->checkpoint_count = c->checkpoint_count;
    k->preempt = c->preempt;
    k->preempt_count = c->preempt_count;
    k->fail = c->fail;
    k->fail_count = c->fail_count;
    k->faults = c->faults;
    k->fault_count = c->fault_count;
    k->more_nodes = c->more_nodes;
    k->more_node_count = c->more_node_count;
    k->remark = orr_change_remark;
    k->remark_user = c;
    k->room = c->room;
    if (k->draws && !(k->lambda > 0))
        orr_change_remark(c, next->given
                                 ? "the failures of jobs were given: the seed does not change them"
                                 : "jobs do not fail here: the seed changes no failures of theirs");
    orr_shared *in = orr_new_shared(err);
    if (!in)
        return ORR_ERR_MEMORY;
    const void *point = orr_session_point(orr_lua_check_session(c->L), true);
    next->sim = orr_rigid_changed(point, k, &in->instance, err);
    next->grows = k->jobs ? c->room > 0 : c->from->grows && !in->instance.jobs;
    if (next->sim && in->instance.jobs) {
        orr_shared *before = next->instance;
        next->instance = in;
        in = before;
    }
    orr_release_shared(in);
    if (!next->sim)
        return err->status;
    next->machine += orr_rigid_look(next->sim).known - known;
    return ORR_OK;
}

/* --- the engine ----------------------------------------------------------------------------- */

static orr_session_look look(const orr_session *s)
{
    orr_rigid_view view = orr_rigid_look(s->sim);
    int32_t waiting = view.waiting + view.limited, gone = view.held + view.running + view.over;
    return (orr_session_look){.now = view.now,
                              .procs = view.instance->procs - view.drained,
                              .free = view.free,
                              .down = view.down - view.drained_down,
                              .draining = view.drained - view.drained_down,
                              .numbered = view.instance->procs,
                              .machine = s->machine,
                              .pending = view.instance->count - (waiting + gone),
                              .waiting = waiting,
                              .held = view.held,
                              .running = view.running,
                              .over = view.over,
                              .overruns = view.instance->overruns,
                              .state = view.state};
}

/* Pushes the metrics, with quantiles once all jobs are over. */
static void push_metrics(lua_State *L, const orr_session *s)
{
    orr_metrics metrics = orr_rigid_measure(s->sim);
    orr_run run = orr_rigid_result(s->sim);
    orr_job_quantiles quantiles;
    orr_error err;
    bool over = orr_rigid_is_over(s->sim);
    if (over)
        orr_lua_try(L,
                    orr_measure_quantiles(orr_rigid_instance(s->sim), &run, NULL, &quantiles, &err),
                    &err);
    orr_lua_push_metrics(L, &metrics, over ? &quantiles : NULL);
}

static orr_status check(const orr_session *s, orr_error *err)
{
    return orr_check_schedule(orr_rigid_instance(s->sim), orr_rigid_schedule(s->sim),
                              orr_rigid_failures(s->sim),
                              orr_rigid_is_over(s->sim) ? NULL : orr_rigid_states(s->sim), err);
}

static orr_status write_swf(const void *user, const orr_sink *sink, orr_error *err)
{
    const orr_session *s = user;
    return orr_export_swf(orr_rigid_instance(s->sim), orr_rigid_schedule(s->sim),
                          s->policy->host->name, sink, err);
}

static orr_status write_csv(const void *user, const orr_sink *sink, orr_error *err)
{
    const orr_session *s = user;
    return orr_export_csv(orr_rigid_instance(s->sim), orr_rigid_schedule(s->sim),
                          s->policy->host->name, sink, err);
}

static orr_output_writer writer(const char *path)
{
    return orr_output_is_swf(path) ? write_swf : write_csv;
}

/* Those that are changed share most with one that was changed already, in nothing. */
static void *freeze(const void *sim, bool changed, orr_error *err)
{
    orr_instance none;
    orr_rigid_change nothing = {.size = sizeof nothing};
    orr_rigid *open = changed ? orr_rigid_changed(sim, &nothing, &none, err) : NULL;
    void *frozen = changed && !open ? NULL : orr_rigid_freeze(open ? open : sim, err);
    orr_rigid_destroy(open);
    return frozen;
}

static const orr_lua_field numbers[] = {
    ORR_LOOK(now),     ORR_LOOK(free),     ORR_LOOK(procs),
    ORR_LOOK(down),    ORR_LOOK(draining), ORR_LOOK(numbered),
    ORR_LOOK(machine), ORR_LOOK(overruns), ORR_LUA_LAST_FIELD,
};

static const orr_lua_field counts[] = {
    ORR_LOOK(pending), ORR_LOOK(waiting), ORR_LOOK(held),
    ORR_LOOK(running), ORR_LOOK(over),    ORR_LUA_LAST_FIELD,
};

const orr_engine orr_engine_of_jobs = {.class = {.name = "orrery.core.session", .what = "session"},
                                       .make = "session",
                                       .number = "scenario",
                                       .one = "job",
                                       .values = orr_session_of_jobs_values,
                                       .methods = orr_session_of_jobs_methods,
                                       .freeze = freeze,
                                       ORR_ENGINE_CALLS};
