/* native_metrics: what is made of a finished run, with memory that runs out. */
#include "native.h"

#include "rigid/interface/engine.h"
#include "schedule/metrics.h"
#include "schedule/timeline.h"
#include "workload/generate.h"

#include <math.h>
#include <string.h>

ORR_API int luaopen_native_metrics(lua_State *L);

/* A finished, recorded run of a few jobs. */
typedef struct world {
    orr_jobs *jobs;
    orr_instance in;
    orr_rigid *sim;
} world;

static orr_status make_world(world *w, orr_error *err)
{
    orr_synthetic set = orr_synthetic_default();
    orr_instance_options machine = {.size = sizeof(orr_instance_options), .procs = 2000};
    orr_rigid_policy easy = {.size = sizeof(orr_rigid_policy),
                             .name = "EASY",
                             .discipline = ORR_DISPATCH_LIST,
                             .reservations = 1};
    orr_rigid_setup setup = {
        .size = sizeof(orr_rigid_setup), .instance = &w->in, .policy = &easy, .record = true};
    memset(w, 0, sizeof *w);
    set.count = 20;
    w->jobs = orr_generate_synthetic(&set, 1, 0, NULL, err);
    orr_status status =
        w->jobs ? orr_instance_create(&w->in, w->jobs, &machine, NULL, err) : err->status;
    if (status == ORR_OK) {
        w->sim = orr_rigid_create(&setup, err);
        status = w->sim ? orr_rigid_reset(w->sim, NULL, 1, err) : err->status;
    }
    return status == ORR_OK ? orr_rigid_finish(w->sim, NULL, err) : status;
}

static void free_world(world *w)
{
    orr_rigid_destroy(w->sim);
    orr_instance_destroy(&w->in);
    orr_jobs_destroy(w->jobs);
}

/* What `name` makes of the run, given back at once. */
static orr_status make(const char *name, const world *w, const orr_allocator *a, orr_error *err)
{
    orr_run run = orr_rigid_result(w->sim);
    orr_status status;
    if (strcmp(name, "quantiles") == 0) {
        orr_job_quantiles out;
        return orr_measure_quantiles(&w->in, &run, a, &out, err);
    }
    if (strcmp(name, "users") == 0) {
        orr_users users;
        status = orr_users_measure(&users, &w->in, ORR_LABEL_USER, run.ends, run.ends, a, err);
        orr_users_destroy(&users);
        return status;
    }
    orr_timeline timeline;
    status = orr_timeline_make(&timeline, &w->in, orr_rigid_schedule(w->sim), INFINITY, a, err);
    orr_timeline_destroy(&timeline);
    return status;
}

/* measure(name, n): makes quantiles, users or timeline of a run with memory that fails
 * at the n-th allocation. Message or nil, bytes not given back, number of allocations. */
static int measure(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    spec_memory memory = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &memory};
    orr_error err = {0};
    world w;
    orr_status status = make_world(&w, &err);
    if (status == ORR_OK)
        status = make(name, &w, &a, &err);
    free_world(&w);
    return spec_report(L, status, &err, &memory);
}

int luaopen_native_metrics(lua_State *L)
{
    static const luaL_Reg functions[] = {{"measure", measure}, {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
