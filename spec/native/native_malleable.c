/* native_malleable: simulations of packs for the specs: without memory, reset, and many of them. */
#include "../../bindings/support/bindings.h"
#include "../bench/heuristics.h"
#include "native.h"

#include "malleable/change.h"
#include "malleable/engine.h"

#include <math.h>
#include <stdlib.h>

ORR_API int luaopen_native_malleable(lua_State *L);

enum { TASKS = 6, PROCS = 41 };

/* Tasks of run `run`; NULL after a failure. */
static orr_tasks *make_tasks(int32_t count, uint64_t run, const orr_allocator *a, orr_error *err)
{
    orr_synthetic_tasks options = {count, 1e4, 3e4, 0.05};
    orr_tasks *tasks = orr_tasks_create(a, err);
    if (tasks && orr_generate_tasks(tasks, &options, 1, 0, run, err) != ORR_OK) {
        orr_tasks_destroy(tasks);
        return NULL;
    }
    return tasks;
}

/* A harsh platform: about five faults strike a task of make_tasks. */
static orr_malleable_setup make_setup(int32_t count, int32_t procs, const char *law,
                                      const orr_malleable_policy *policy)
{
    orr_malleable_setup setup = {.count = count, .procs = procs, .policy = policy, .record = true};
    setup.resilience = orr_resilience_default();
    setup.resilience.mtbf = 1e6;
    setup.resilience.downtime = 5000;
    setup.resilience.checkpoint_unit = 0.05;
    setup.resilience.latency = 0.5;
    setup.faults = (orr_faults_setup){.law = strcmp(law, "weibull") == 0 ? ORR_FAULTS_WEIBULL
                                                                         : ORR_FAULTS_EXPONENTIAL,
                                      .procs = procs,
                                      .mtbf = 1e6,
                                      .shape = 0.7};
    setup.seed = 1;
    return setup;
}

/* --- memory that runs out -------------------------------------------------------------------- */

/* A policy's state: a number, in memory of the policy's own. */
static orr_status make_state(void *user, orr_malleable *sim, void **state, orr_error *err)
{
    (void)user, (void)sim;
    *state = malloc(sizeof(int));
    return *state ? ORR_OK : orr_fail(err, ORR_ERR_MEMORY, "no memory for a state");
}

static orr_status copy_state(void *user, void *state, void **copy, orr_error *err)
{
    (void)state;
    return make_state(user, NULL, copy, err);
}

static void free_state(void *user, void *state)
{
    (void)user;
    free(state);
}

/* Resets, steps, copies, finishes both, and begins again. */
static orr_status live(orr_malleable *sim, const orr_tasks *tasks, orr_error *err)
{
    orr_status status = orr_malleable_reset(sim, tasks, 1, err);
    for (int i = 0; i < 4 && status == ORR_OK; i++)
        status = orr_malleable_step(sim, err);
    if (status != ORR_OK)
        return status;
    orr_malleable *copy = orr_malleable_copy(sim, err);
    status = copy ? orr_malleable_finish(copy, NULL, err) : err->status;
    orr_malleable_destroy(copy);
    if (status == ORR_OK)
        status = orr_malleable_finish(sim, NULL, err);
    return status == ORR_OK ? orr_malleable_reset(sim, tasks, 2, err) : status;
}

/* starve(law, record, allowed): whether all went well with so many allocations, the message
 * otherwise, and the blocks and bytes left behind. */
static int starve(lua_State *L)
{
    orr_malleable_policy policy = heuristics("end-local", "iterated-greedy");
    policy.make_state = make_state;
    policy.copy_state = copy_state;
    policy.free_state = free_state;
    orr_malleable_setup setup = make_setup(TASKS, PROCS, luaL_checkstring(L, 1), &policy);
    spec_memory m = {0};
    spec_allow(&m, luaL_checkinteger(L, 3));
    orr_allocator a = {spec_resize, &m};
    setup.record = lua_toboolean(L, 2);
    setup.alloc = setup.faults.alloc = &a;
    orr_error err = {0};
    orr_tasks *tasks = make_tasks(TASKS, 1, NULL, &err);
    if (!tasks)
        return luaL_error(L, "%s", err.message);
    orr_malleable *sim = orr_malleable_create(&setup, &err);
    orr_status status = sim ? live(sim, tasks, &err) : err.status;
    orr_malleable_destroy(sim);
    orr_tasks_destroy(tasks);
    lua_pushboolean(L, status == ORR_OK);
    lua_pushstring(L, status == ORR_OK ? "" : err.message);
    lua_pushinteger(L, m.blocks);
    lua_pushinteger(L, m.bytes);
    return 4;
}

/* --- changes --------------------------------------------------------------------------------- */

/* The tasks of make_tasks, and as many others behind them. */
static orr_tasks *make_more_tasks(const orr_tasks *tasks, orr_error *err)
{
    orr_tasks *all = orr_tasks_create(NULL, err), *more = make_tasks(2, 7, NULL, err);
    orr_status status = all && more ? orr_tasks_append(all, tasks, err) : err->status;
    if (status == ORR_OK)
        status = orr_tasks_append(all, more, err);
    orr_tasks_destroy(more);
    if (status == ORR_OK)
        return all;
    orr_tasks_destroy(all);
    return NULL;
}

/* After a few instants; later it has other ends. */
static orr_malleable *make_halfway(const orr_malleable_setup *setup, const orr_tasks *tasks,
                                   orr_error *err)
{
    orr_malleable *sim = orr_malleable_create(setup, err);
    orr_status status = sim ? orr_malleable_reset(sim, tasks, 1, err) : err->status;
    for (int i = 0; i < 7 && status == ORR_OK; i++)
        status = orr_malleable_step(sim, err);
    if (status == ORR_OK)
        return sim;
    orr_malleable_destroy(sim);
    return NULL;
}

/* Everything at once: the whole future is another. */
static orr_malleable *change_all(const orr_malleable *sim, const orr_tasks *all,
                                 const orr_malleable_policy *policy, orr_error *err)
{
    int32_t running = 0;
    while (orr_malleable_ends(sim)[running] <= orr_malleable_look((orr_malleable *)sim).now)
        running++;
    const orr_work_change work = {running == 0 ? 1 : 0, 1.5};
    const orr_fault faults[] = {{0, 3, -1}, {0, -1, running == 0 ? 1 : 0}};
    orr_malleable_change change = {.policy = policy,
                                   .draws = true,
                                   .seed = 99,
                                   .resizes = true,
                                   .procs = PROCS + 30,
                                   .until = orr_malleable_next_event(sim) + 5000,
                                   .tasks = all,
                                   .cancel = &running,
                                   .cancel_count = 1,
                                   .work = &work,
                                   .work_count = 1,
                                   .faults = faults,
                                   .fault_count = 2};
    return orr_malleable_changed(sim, &change, err);
}

static double sum_of_ends(const orr_malleable *sim, int32_t count)
{
    double sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += orr_malleable_ends(sim)[i];
    return sum;
}

/* starve_change(law, fails): the n-th allocation of a change fails (0: none). Whether it went well,
 * the message otherwise, blocks and bytes that were left behind, the allocations that the change
 * asked for, and the sum of the original's ends, which the change must not move. */
static int starve_change(lua_State *L)
{
    orr_malleable_policy policy = heuristics("end-local", "iterated-greedy");
    policy.make_state = make_state;
    policy.copy_state = copy_state;
    policy.free_state = free_state;
    orr_malleable_setup setup = make_setup(TASKS, PROCS, luaL_checkstring(L, 1), &policy);
    int64_t fails = luaL_checkinteger(L, 2);
    spec_memory m = {0};
    orr_allocator a = {spec_resize, &m};
    setup.alloc = &a;
    orr_error err = {0};
    orr_tasks *tasks = make_tasks(TASKS, 1, NULL, &err);
    orr_tasks *all = tasks ? make_more_tasks(tasks, &err) : NULL;
    orr_malleable *sim = all ? make_halfway(&setup, tasks, &err) : NULL;
    if (!sim)
        return luaL_error(L, "%s", err.message);
    int64_t calls = m.calls;
    m.fail_at = fails > 0 ? calls + fails : 0;
    orr_malleable *changed = change_all(sim, all, &policy, &err);
    calls = m.calls - calls;
    m.fail_at = 0;
    orr_status status = changed ? orr_malleable_finish(changed, NULL, &err) : err.status;
    if (status == ORR_OK)
        status = orr_malleable_check(changed, &err);
    orr_malleable_destroy(changed);
    lua_pushboolean(L, status == ORR_OK);
    lua_pushstring(L, status == ORR_OK ? "" : err.message);
    status = orr_malleable_finish(sim, NULL, &err);
    double sum = sum_of_ends(sim, TASKS);
    orr_malleable_destroy(sim);
    orr_tasks_destroy(all);
    orr_tasks_destroy(tasks);
    lua_pushinteger(L, m.blocks);
    lua_pushinteger(L, m.bytes);
    lua_pushinteger(L, calls);
    lua_pushnumber(L, status == ORR_OK ? sum : NAN);
    return 6;
}

/* A changed simulation begins again as one of its sizes: whether all ends and faults are equal. */
static int changed_again(lua_State *L)
{
    orr_malleable_policy policy = heuristics("end-local", "iterated-greedy");
    orr_malleable_setup setup = make_setup(TASKS, PROCS, luaL_checkstring(L, 1), &policy);
    orr_error err = {0};
    orr_tasks *tasks = make_tasks(TASKS, 1, NULL, &err);
    orr_tasks *all = tasks ? make_more_tasks(tasks, &err) : NULL;
    orr_malleable *sim = all ? make_halfway(&setup, tasks, &err) : NULL;
    orr_malleable *changed = sim ? change_all(sim, all, &policy, &err) : NULL;
    setup.count = TASKS + 2;
    setup.procs = setup.faults.procs = PROCS + 30;
    setup.seed = 99;
    orr_malleable *fresh = changed ? orr_malleable_create(&setup, &err) : NULL;
    orr_status status = fresh ? orr_malleable_reset(fresh, all, 3, &err) : err.status;
    if (status == ORR_OK)
        status = orr_malleable_reset(changed, all, 3, &err);
    if (status == ORR_OK)
        status = orr_malleable_finish(fresh, NULL, &err);
    if (status == ORR_OK)
        status = orr_malleable_finish(changed, NULL, &err);
    if (status == ORR_OK)
        status = orr_malleable_check(changed, &err);
    if (status != ORR_OK)
        return luaL_error(L, "%s", err.message);
    lua_pushnumber(L, sum_of_ends(fresh, setup.count));
    lua_pushnumber(L, sum_of_ends(changed, setup.count));
    orr_malleable_destroy(fresh);
    orr_malleable_destroy(changed);
    orr_malleable_destroy(sim);
    orr_tasks_destroy(all);
    orr_tasks_destroy(tasks);
    return 2;
}

/* --- the same again --------------------------------------------------------------------------- */

static void push_ends(lua_State *L, const orr_malleable *sim, int32_t count)
{
    lua_createtable(L, count, 0);
    for (int32_t i = 0; i < count; i++) {
        lua_pushnumber(L, orr_malleable_ends(sim)[i]);
        lua_rawseti(L, -2, i + 1);
    }
}

static orr_status fail_once(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    (void)sim, (void)task;
    bool *failing = user;
    return *failing ? orr_fail(err, ORR_ERR_POLICY, "not now") : ORR_OK;
}

/* again(law): the ends of runs 1, 2, 1 of one simulation, of which run 2 is broken off, before that
 * once by its policy; how many allocations the runs after the first two took, without recording;
 * and what was said when a broken simulation was to go on. */
static int again(lua_State *L)
{
    bool failing = true;
    orr_malleable_policy policy = {.name = "failing", .user = &failing, .on_end = fail_once};
    orr_malleable_setup setup = make_setup(TASKS, PROCS, luaL_checkstring(L, 1), &policy);
    spec_memory m = {0};
    orr_allocator a = {spec_resize, &m};
    setup.alloc = setup.faults.alloc = &a;
    setup.record = false;
    orr_error err;
    orr_tasks *first = make_tasks(TASKS, 1, NULL, &err), *second = make_tasks(TASKS, 2, NULL, &err);
    orr_malleable *sim = orr_malleable_create(&setup, &err);
    if (!first || !second || !sim)
        return luaL_error(L, "%s", err.message);
    orr_malleable_reset(sim, first, 1, &err);
    bool stopped = orr_malleable_finish(sim, NULL, &err) == ORR_ERR_POLICY;
    stopped = orr_malleable_step(sim, &err) == ORR_ERR_POLICY && stopped;
    lua_pushboolean(L, stopped);
    failing = false;
    int64_t asked = 0;
    for (uint64_t run = 1; run <= 3; run++) {
        orr_malleable_reset(sim, run == 2 ? second : first, run == 2 ? 2 : 1, &err);
        if (run == 2)
            orr_malleable_step(sim, &err);
        else
            orr_malleable_finish(sim, NULL, &err);
        push_ends(L, sim, TASKS);
        asked = run == 2 ? m.calls : asked;
    }
    lua_pushinteger(L, m.calls - asked);
    orr_malleable_destroy(sim);
    orr_tasks_destroy(first);
    orr_tasks_destroy(second);
    return 5;
}

/* --- many runs -------------------------------------------------------------------------------- */

typedef struct tally {
    int64_t runs, faults, moves, fatal, checks;
} tally;

/* What the metrics say of the processors' time against what it must be. */
static const char *unconserved(const orr_malleable *sim, const orr_tasks *tasks, int32_t procs)
{
    orr_malleable_metrics m = orr_malleable_measure(sim);
    const orr_spent *s = &m.spent;
    double all = procs * m.makespan;
    double sum = s->useful + s->checkpoint + s->lost + s->recovery + s->redistribution + s->idle;
    if (!(fabs(sum - all) <= 1e-11 * all))
        return "processor-seconds do not add up";
    if (s->useful < 0 || s->checkpoint < 0 || s->lost < 0 || s->recovery < 0 ||
        s->idle < -1e-11 * all)
        return "negative processor-seconds";
    /* On more processors a task's work is larger, never smaller. */
    double least = 0, most = 0;
    for (int32_t i = 0; i < tasks->count; i++) {
        least += 2 * orr_task_time(tasks, i, 2);
        most += procs * orr_task_time(tasks, i, procs);
    }
    return s->useful >= least * (1 - 1e-9) && s->useful <= most * (1 + 1e-9)
               ? NULL
               : "useful work is not the tasks' work";
}

static orr_status one_run(orr_malleable *sim, const orr_tasks *tasks, uint64_t run, tally *t,
                          orr_error *err)
{
    orr_status status = orr_malleable_reset(sim, tasks, run, err);
    for (uint64_t steps = 0; status == ORR_OK && !orr_malleable_is_over(sim); steps++) {
        status = orr_malleable_step(sim, err);
        if (status == ORR_OK && steps % 8 == run % 8) { /* in the middle, too */
            status = orr_malleable_check(sim, err);
            t->checks++;
        }
    }
    if (status == ORR_OK)
        status = orr_malleable_check(sim, err);
    orr_malleable_metrics m = orr_malleable_measure(sim);
    t->runs++;
    t->faults += m.faults;
    t->moves += m.moves;
    t->fatal += m.fatal;
    return status;
}

static orr_status some_runs(const orr_malleable_setup *setup, uint64_t first, int64_t runs,
                            tally *t, orr_error *err)
{
    orr_malleable *sim = orr_malleable_create(setup, err);
    orr_status status = sim ? ORR_OK : err->status;
    for (uint64_t run = first; status == ORR_OK && run < first + (uint64_t)runs; run++) {
        orr_tasks *tasks = make_tasks(setup->count, run, NULL, err);
        if (!tasks) {
            status = err->status;
            break;
        }
        status = one_run(sim, tasks, run, t, err);
        const char *problem = status == ORR_OK ? unconserved(sim, tasks, setup->procs) : NULL;
        if (problem)
            status = orr_fail(err, ORR_ERR_INTERNAL, "run %d: %s", (int)run, problem);
        orr_tasks_destroy(tasks);
    }
    orr_malleable_destroy(sim);
    return status;
}

/* many(on_end, on_fault, law, runs): runs of random tasks, each checked on its way and at its end;
 * numbers of runs, faults, moves, fatal events, and checks on the way. */
static int many(lua_State *L)
{
    static const int32_t counts[] = {1, 2, 5, 9}, machines[] = {2, 9, 10, 61};
    orr_malleable_policy policy = heuristics(luaL_checkstring(L, 1), luaL_checkstring(L, 2));
    int64_t runs = luaL_checkinteger(L, 4);
    tally t = {0};
    orr_error err;
    for (int i = 0; i < 4; i++) {
        orr_malleable_setup setup =
            make_setup(counts[i], counts[i] * 2 > machines[i] ? counts[i] * 3 : machines[i],
                       luaL_checkstring(L, 3), &policy);
        if (some_runs(&setup, (uint64_t)(i * runs) + 1, runs / 4, &t, &err) != ORR_OK)
            return luaL_error(L, "%s", err.message);
    }
    lua_pushinteger(L, t.runs);
    lua_pushinteger(L, t.faults);
    lua_pushinteger(L, t.moves);
    lua_pushinteger(L, t.fatal);
    lua_pushinteger(L, t.checks);
    return 5;
}

int luaopen_native_malleable(lua_State *L)
{
    static const luaL_Reg functions[] = {{"starve", starve},
                                         {"starve_change", starve_change},
                                         {"changed_again", changed_again},
                                         {"again", again},
                                         {"many", many},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
