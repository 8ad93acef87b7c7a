/* native_checkpoints: a run with checkpoints, periodic and on demand, whose record is then made
 * wrong, for the checker to find. */
#include "native.h"

#include "rigid/interface/actions.h"
#include "rigid/interface/engine.h"
#include "schedule/check.h"

#include <math.h>
#include <string.h>

ORR_API int luaopen_native_checkpoints(lua_State *L);

/* Job a is struck by a failure, job b leaves by a checkpoint on demand, job c fails, job d is
 * killed at its walltime, job e is struck while it writes on demand. */
enum { A, B, C, D, E, JOBS };

typedef struct world {
    orr_jobs *jobs;
    orr_instance in;
    orr_rigid *sim;
} world;

static orr_status dispatch(void *user, orr_rigid *sim, orr_error *err)
{
    (void)user;
    orr_status status = ORR_OK;
    int32_t job = -1;
    while (status == ORR_OK && (job = orr_rigid_next_waiting(sim, 0, job, INT32_MAX - 1)) >= 0)
        if (orr_rigid_can_start(sim, job))
            status = orr_rigid_start(sim, job, err);
    return status;
}

static bool runs(const orr_rigid *sim, int32_t job)
{
    return orr_rigid_job(sim, job).state == ORR_JOB_RUNNING;
}

static orr_status on_timer(void *user, orr_rigid *sim, orr_error *err)
{
    (void)user;
    double now = orr_rigid_look(sim).now;
    orr_status status = ORR_OK;
    if (now == 45 && runs(sim, A))
        status = orr_rigid_checkpoint(sim, A, err);
    if (status == ORR_OK && now == 45 && runs(sim, B))
        status = orr_rigid_preempt(sim, B, err);
    if (status == ORR_OK && now == 248 && runs(sim, E))
        status = orr_rigid_checkpoint(sim, E, err);
    return status;
}

static orr_status on_submit(void *user, orr_rigid *sim, int32_t job, orr_error *err)
{
    (void)user;
    orr_status status = job == A ? orr_rigid_wake_at(sim, 45, err) : ORR_OK;
    return job == A && status == ORR_OK ? orr_rigid_wake_at(sim, 248, err) : status;
}

/* requeues: jobs that are killed write a checkpoint before that, and wait again. */
static void make_world(lua_State *L, world *w, bool requeues)
{
    static const double cost[JOBS] = {10, 10, 5, 5, 4}, recovery[JOBS] = {7, 7, 7, 7, 7},
                        period[JOBS] = {100, 60, 30, 30, 200};
    static const int32_t failures[JOBS] = {[C] = 1};
    static const orr_outage outages[] = {{250, 260, A, 1}, {250, 260, E, 1}};
    orr_rigid_node_failures nodes = {.size = sizeof nodes,
                                     .law = ORR_FAULTS_LOG,
                                     .node_procs = 1,
                                     .outages = outages,
                                     .outage_count = 2};
    orr_rigid_policy policy = {.size = sizeof policy,
                               .name = "p",
                               .discipline = ORR_DISPATCH_CUSTOM,
                               .dispatch = dispatch,
                               .on_submit = on_submit,
                               .on_timer = on_timer};
    orr_instance_options options = {.size = sizeof options,
                                    .procs = JOBS,
                                    .log_walltimes = true,
                                    .verification = 1,
                                    .checkpoints = {.cost = cost,
                                                    .recovery = recovery,
                                                    .period = period,
                                                    .before = requeues ? ORR_BEFORE_KILL : 0,
                                                    .requeue_killed = requeues}};
    orr_error err;
    memset(w, 0, sizeof *w);
    w->jobs = orr_jobs_create(NULL, &err);
    for (int32_t j = 0; w->jobs && j < JOBS; j++)
        if (orr_jobs_add(w->jobs, NULL, 0, 1, 1000, j == D ? 100 : NAN, &err) != ORR_OK)
            spec_raise(L, &err);
    if (!w->jobs || orr_instance_create(&w->in, w->jobs, &options, NULL, &err) != ORR_OK)
        spec_raise(L, &err);
    orr_rigid_setup setup = {.size = sizeof setup,
                             .instance = &w->in,
                             .policy = &policy,
                             .node_failures = &nodes,
                             .record = true};
    w->sim = orr_rigid_create(&setup, &err);
    if (!w->sim || orr_rigid_reset(w->sim, failures, 1, &err) != ORR_OK ||
        orr_rigid_finish(w->sim, NULL, &err) != ORR_OK)
        spec_raise(L, &err);
}

static void free_world(world *w)
{
    orr_rigid_destroy(w->sim);
    orr_instance_destroy(&w->in);
    orr_jobs_destroy(w->jobs);
}

/* The number `name` of what the schedule says of an attempt. */
static double *number_of(lua_State *L, orr_schedule *s, int64_t i, const char *name)
{
    orr_attempt_checkpoints *c = &s->checkpoints[i];
    orr_demand *d = c->first_demand >= 0 ? &s->demands[c->first_demand] : NULL;
    const struct {
        const char *name;
        double *number;
    } numbers[] = {{"start", &s->attempts[i].start},
                   {"end", &s->attempts[i].end},
                   {"saved", &c->saved},
                   {"kept", &c->kept},
                   {"period", &c->period},
                   {"leaves", &c->leaves},
                   {"lost", &c->spent.lost},
                   {"asked", &c->spent.asked},
                   {"checkpoint_time", &c->spent.checkpoint_time},
                   {"recovery_time", &c->spent.recovery_time},
                   {"demand_time", d ? &d->time : NULL},
                   {"demand_complete", d ? &d->complete : NULL},
                   {"demand_done", d ? &d->done : NULL}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strcmp(name, numbers[k].name) == 0 && numbers[k].number)
            return numbers[k].number;
    luaL_error(L, "attempt %d has no number %s", (int)i, name);
    return NULL;
}

/* The attempt of a job, both counted from 0 and 1. */
static int64_t find_attempt(lua_State *L, const orr_schedule *s, int32_t job, int32_t number)
{
    for (int64_t i = 0; i < s->count; i++)
        if (s->attempts[i].job == job && s->attempts[i].number == number)
            return i;
    return luaL_error(L, "job %d has no attempt %d", (int)job, (int)number);
}

/* breach(job, attempt, number, by, requeues): what the checker says where that number is so much larger, nil
 * where it finds nothing. "written" and "periodic" are whole ones. */
static int breach(lua_State *L)
{
    world w;
    make_world(L, &w, lua_toboolean(L, 5));
    orr_schedule *s = (orr_schedule *)(uintptr_t)orr_rigid_schedule(w.sim);
    int64_t i =
        find_attempt(L, s, (int32_t)luaL_checkinteger(L, 1) - 1, (int32_t)luaL_checkinteger(L, 2));
    const char *name = luaL_checkstring(L, 3);
    double by = luaL_checknumber(L, 4);
    orr_error err;
    if (strcmp(name, "written") == 0)
        s->checkpoints[i].spent.written += (int64_t)by;
    else if (strcmp(name, "periodic") == 0)
        s->demands[s->checkpoints[i].first_demand].periodic += (int64_t)by;
    else
        *number_of(L, s, i, name) += by;
    orr_status status = orr_check_schedule(&w.in, s, orr_rigid_failures(w.sim), NULL, &err);
    free_world(&w);
    if (status == ORR_OK)
        return 0;
    lua_pushstring(L, err.message);
    return 1;
}

/* attempts(requeues): of every attempt { job, number, start, end, outcome, saved, kept, written, lost,
 * checkpoint_time, recovery_time }; and the difference of the run's metrics to those of its record:
 * the largest. */
static int attempts(lua_State *L)
{
    world w;
    make_world(L, &w, lua_toboolean(L, 1));
    const orr_schedule *s = orr_rigid_schedule(w.sim);
    lua_newtable(L);
    for (int64_t i = 0; i < s->count; i++) {
        const orr_attempt *a = &s->attempts[i];
        const orr_attempt_checkpoints *c = &s->checkpoints[i];
        const double numbers[] = {a->job + 1,
                                  a->number,
                                  a->start,
                                  a->end,
                                  a->outcome,
                                  c->saved,
                                  c->kept,
                                  (double)c->spent.written,
                                  c->spent.lost,
                                  c->spent.checkpoint_time,
                                  c->spent.recovery_time};
        lua_newtable(L);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
            lua_pushnumber(L, numbers[k]);
            lua_rawseti(L, -2, (lua_Integer)k + 1);
        }
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    orr_metrics m = orr_rigid_measure(w.sim), n;
    orr_error err;
    orr_status status = orr_measure_schedule(&w.in, s, orr_rigid_failures(w.sim), &n, &err);
    free_world(&w);
    if (status != ORR_OK)
        spec_raise(L, &err);
    double off = fmax(fabs(m.work_lost - n.work_lost), fabs(m.waste - n.waste));
    off = fmax(off, fmax(fabs(m.checkpoint_time - n.checkpoint_time),
                         fabs(m.recovery_time - n.recovery_time)));
    lua_pushnumber(L, fmax(off, fabs((double)(m.checkpoints - n.checkpoints))));
    return 2;
}

int luaopen_native_checkpoints(lua_State *L)
{
    static const luaL_Reg functions[] = {{"breach", breach}, {"attempts", attempts}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
