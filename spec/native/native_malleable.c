/* native_malleable: simulations of packs for the specs: without memory, reset, and many of them. */
#include "../../bindings/values/values.h"
#include "../bench/heuristics.h"
#include "native.h"

#include "base/draw.h"
#include "malleable/change.h"
#include "malleable/decide.h"
#include "malleable/engine.h"
#include "malleable/montecarlo.h"

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
    orr_malleable_setup setup = {.size = sizeof(orr_malleable_setup),
                                 .count = count,
                                 .procs = procs,
                                 .policy = policy,
                                 .record = true};
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
    status = copy ? orr_malleable_finish(copy, NULL, err) : ORR_ERR_MEMORY;
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
    orr_status status = all && more ? orr_tasks_append(all, tasks, err) : ORR_ERR_MEMORY;
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
    orr_malleable_change change = {.size = sizeof(orr_malleable_change),
                                   .policy = policy,
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

/* --- with and without a recording -------------------------------------------------------------- */

typedef struct copies {
    int made; /* states that were copied */
} copies;

static orr_status count_copy(void *user, void *state, void **copy, orr_error *err)
{
    copies *c = user;
    c->made++;
    return copy_state(user, state, copy, err);
}

/* A few random parts of a change; policy: one that may take over. */
static orr_malleable_change random_change(orr_pcg *rng, const orr_malleable *sim,
                                          const orr_malleable_policy *policy, orr_fault *fault,
                                          orr_work_change *work)
{
    orr_malleable_view view = orr_malleable_look((orr_malleable *)(uintptr_t)sim);
    int32_t task = 0;
    while (orr_malleable_task((orr_malleable *)(uintptr_t)sim, task).state == ORR_TASK_OVER)
        task++;
    orr_malleable_change change = {.size = sizeof(orr_malleable_change)};
    if (orr_draw_integer(rng, 1, 4) == 1)
        change.policy = policy;
    if ((change.draws = orr_draw_integer(rng, 1, 3) == 1))
        change.seed = (uint64_t)orr_draw_integer(rng, 1, 3);
    if ((change.resizes = orr_draw_integer(rng, 1, 3) == 1)) {
        change.procs = (int32_t)orr_draw_integer(rng, 0, 2 * PROCS);
        change.until = view.now + orr_draw_uniform(rng, 1, 1e5);
    }
    *work = (orr_work_change){task, orr_draw_uniform(rng, 0.5, 2)};
    change.work = work;
    change.work_count = orr_draw_integer(rng, 1, 3) == 1;
    *fault = (orr_fault){0, (int32_t)orr_draw_integer(rng, 0, view.numbered - 1), -1};
    change.faults = fault;
    change.fault_count = orr_draw_integer(rng, 1, 3) == 1;
    return change;
}

/* Whether two simulations stand at the same point, to the last bit. */
static bool are_equal(const orr_malleable *a, const orr_malleable *b)
{
    orr_malleable_metrics x = orr_malleable_measure(a), y = orr_malleable_measure(b);
    bool same = orr_malleable_next_event(a) == orr_malleable_next_event(b) &&
                x.makespan == y.makespan && x.expected == y.expected && x.faults == y.faults &&
                x.redistributions == y.redistributions && x.moves == y.moves &&
                x.fatal == y.fatal && x.spent.useful == y.spent.useful &&
                x.spent.idle == y.spent.idle && x.spent.lost == y.spent.lost;
    for (int32_t i = 0; i < TASKS; i++)
        same &= orr_malleable_ends(a)[i] == orr_malleable_ends(b)[i];
    return same;
}

/* Goes on with both up to a random time, and changes both in the same way; calm: in nothing. */
static orr_status change_both(orr_malleable *sims[2], orr_pcg *rng, orr_malleable_policy *policy,
                              bool calm, const char **problem, orr_error *err)
{
    double now = orr_malleable_look(sims[0]).now, expected = orr_malleable_look(sims[0]).expected;
    double time = now + orr_draw_uniform(rng, 0, 0.4) * (expected - now);
    orr_status status = orr_malleable_run_until(sims[0], time, err);
    if (status == ORR_OK)
        status = orr_malleable_run_until(sims[1], time, err);
    if (status != ORR_OK || orr_malleable_is_over(sims[0]))
        return status;
    orr_fault fault;
    orr_work_change work;
    orr_malleable_change change = random_change(rng, sims[0], policy, &fault, &work);
    if (calm)
        change = (orr_malleable_change){.size = sizeof(orr_malleable_change)};
    copies *c = policy->user;
    for (int i = 0; i < 2 && status == ORR_OK; i++) {
        int before = c->made;
        orr_malleable *changed = orr_malleable_changed(sims[i], &change, err);
        status = changed ? ORR_OK : err->status;
        if (c->made - before != (change.policy == NULL))
            *problem = "the state was not copied once";
        orr_malleable_destroy(sims[i]);
        sims[i] = changed;
    }
    if (status == ORR_OK && !are_equal(sims[0], sims[1]))
        *problem = "a change differs";
    return status;
}

static int64_t count_faults(const orr_malleable *sim)
{
    int64_t count;
    orr_malleable_faults(sim, &count);
    return count;
}

/* twins(law, number): a recorded and an unrecorded simulation under the same random changes; every
 * second time these change nothing, and both must go the way of one that nobody touches. What is
 * wrong, "" for nothing; faults that struck, that were absorbed, and that were fatal. */
static int twins(lua_State *L)
{
    const char *law = luaL_checkstring(L, 1), *problem = "";
    uint64_t number = (uint64_t)luaL_checkinteger(L, 2);
    orr_pcg rng = orr_stream_open(orr_stream_key_make(17, 0, number, ORR_PURPOSE_POLICY), 0);
    copies c = {0};
    orr_malleable_policy policy =
        heuristics(number % 5 > 1 ? "end-local" : "none", number % 3 ? "iterated-greedy" : "none");
    policy.user = &c;
    policy.make_state = make_state;
    policy.copy_state = count_copy;
    policy.free_state = free_state;
    orr_malleable_setup setup = make_setup(TASKS, PROCS, law, &policy);
    setup.resilience.mtbf = setup.faults.mtbf = 2e5;
    orr_error err = {0};
    orr_tasks *tasks = make_tasks(TASKS, number, NULL, &err);
    orr_malleable *sims[3] = {0};
    bool calm = number % 2 == 0;
    orr_status status = tasks ? ORR_OK : err.status;
    for (int i = 0; i < 3 && status == ORR_OK; i++) {
        setup.record = i != 1;
        sims[i] = orr_malleable_create(&setup, &err);
        status = sims[i] ? orr_malleable_reset(sims[i], tasks, number, &err) : err.status;
    }
    for (int i = 0; i < 4 && status == ORR_OK && !orr_malleable_is_over(sims[0]); i++)
        status = change_both(sims, &rng, &policy, calm, &problem, &err);
    for (int i = 0; i < 3 && status == ORR_OK; i++)
        status = orr_malleable_finish(sims[i], NULL, &err);
    if (status == ORR_OK)
        status = orr_malleable_check(sims[0], &err);
    if (status != ORR_OK)
        return luaL_error(L, "%s", err.message);
    if (!are_equal(sims[0], sims[1]))
        problem = "the futures differ";
    if (calm && (!are_equal(sims[0], sims[2]) || count_faults(sims[0]) != count_faults(sims[2])))
        problem = "nothing was changed, and something is otherwise";
    orr_malleable_metrics metrics = orr_malleable_measure(sims[1]);
    lua_pushstring(L, problem);
    lua_pushinteger(L, metrics.faults);
    lua_pushinteger(L, count_faults(sims[0]) - metrics.faults);
    lua_pushinteger(L, metrics.fatal);
    for (int i = 0; i < 3; i++)
        orr_malleable_destroy(sims[i]);
    orr_tasks_destroy(tasks);
    return 4;
}

/* --- nobody asks what went wrong --------------------------------------------------------------- */

/* Proposes what cannot be: an odd number, more than there are, for a task that is not there. */
static orr_status propose_nonsense(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    (void)user;
    if (orr_malleable_assign(sim, task, 3, err) == ORR_OK ||
        orr_malleable_assign(sim, -1, 2, err) == ORR_OK)
        return ORR_OK;
    for (int32_t i = 0; i < TASKS; i++)
        if (orr_malleable_task(sim, i).takes_part)
            return orr_malleable_assign(sim, i, 2 * PROCS, err);
    return ORR_OK;
}

static orr_status get_nothing(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)user, (void)thread, (void)policy, (void)out, (void)err;
    return ORR_ERR_POLICY;
}

static bool is_refused(const orr_malleable *sim, orr_malleable_change change)
{
    change.size = sizeof change;
    return !orr_malleable_changed(sim, &change, NULL);
}

/* All of these are refused. */
static bool refuses_all(const orr_malleable_setup *setup, const orr_tasks *tasks,
                        const orr_malleable *sim)
{
    const int32_t nobody = TASKS;
    const orr_work_change work = {0, -1};
    const orr_fault fault = {0, -1, -1};
    orr_malleable_setup small = *setup;
    small.procs = 2;
    orr_malleable_policy policy = {
        .size = sizeof(orr_malleable_policy), .name = "nonsense", .on_end = propose_nonsense};
    orr_malleable_setup other = *setup;
    other.policy = &policy;
    int32_t allocation[TASKS];
    bool all =
        !orr_malleable_create(&small, NULL) &&
        orr_initial_allocation(tasks, 2, &setup->resilience, allocation, NULL, NULL) != ORR_OK;
    all &=
        is_refused(sim, (orr_malleable_change){.cancel = &nobody, .cancel_count = 1}) &&
        is_refused(sim, (orr_malleable_change){.work = &work, .work_count = 1}) &&
        is_refused(sim, (orr_malleable_change){.faults = &fault, .fault_count = 1}) &&
        is_refused(sim, (orr_malleable_change){.resizes = true, .procs = -1, .until = INFINITY}) &&
        is_refused(sim, (orr_malleable_change){.resizes = true, .procs = 8, .until = 0});
    orr_malleable *wrong = orr_malleable_create(&other, NULL);
    all &= wrong && orr_malleable_step(wrong, NULL) != ORR_OK &&
           is_refused(wrong, (orr_malleable_change){0}) &&
           orr_malleable_check(wrong, NULL) != ORR_OK &&
           orr_malleable_reset(wrong, tasks, 1, NULL) == ORR_OK &&
           orr_malleable_finish(wrong, NULL, NULL) == ORR_ERR_POLICY &&
           orr_malleable_run_until(wrong, 1e9, NULL) == ORR_ERR_POLICY;
    orr_malleable_destroy(wrong);
    orr_malleable_montecarlo mc = {
        .size = sizeof(orr_malleable_montecarlo),
        .common = {.source = {.get = get_nothing}, .policies = 1, .scenarios = 1, .threads = 1},
        .tasks = tasks,
        .procs = PROCS,
        .resilience = setup->resilience};
    return all && orr_malleable_montecarlo_run(&mc, NULL) == ORR_ERR_POLICY;
}

/* mute(law, fails): the life of a simulation and of a change with NULL for every error, where the
 * n-th allocation fails (0: none). Whether it went well, and what had to be refused was; blocks and
 * bytes left behind, allocations asked for. */
static int mute(lua_State *L)
{
    orr_malleable_policy policy = heuristics("end-local", "iterated-greedy");
    policy.make_state = make_state;
    policy.copy_state = copy_state;
    policy.free_state = free_state;
    orr_malleable_setup setup = make_setup(TASKS, PROCS, luaL_checkstring(L, 1), &policy);
    spec_memory m = {.fail_at = luaL_checkinteger(L, 2)};
    orr_allocator a = {spec_resize, &m};
    setup.alloc = &a;
    orr_tasks *tasks = make_tasks(TASKS, 1, NULL, NULL);
    orr_tasks *all = tasks ? make_more_tasks(tasks, NULL) : NULL;
    orr_malleable *sim = all ? orr_malleable_create(&setup, NULL) : NULL;
    bool good = sim && live(sim, tasks, NULL) == ORR_OK;
    for (int i = 0; i < 7 && good; i++)
        good = orr_malleable_step(sim, NULL) == ORR_OK;
    orr_malleable *changed = good ? change_all(sim, all, &policy, NULL) : NULL;
    good = changed && orr_malleable_finish(changed, NULL, NULL) == ORR_OK &&
           orr_malleable_check(changed, NULL) == ORR_OK;
    int64_t calls = m.calls;
    bool refused = !good || refuses_all(&setup, tasks, sim);
    orr_malleable_destroy(changed);
    orr_malleable_destroy(sim);
    orr_tasks_destroy(all);
    orr_tasks_destroy(tasks);
    lua_pushboolean(L, good);
    lua_pushboolean(L, refused);
    lua_pushinteger(L, m.blocks);
    lua_pushinteger(L, m.bytes);
    lua_pushinteger(L, calls);
    return 5;
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
    orr_malleable_policy policy = {.size = sizeof(orr_malleable_policy),
                                   .name = "failing",
                                   .user = &failing,
                                   .on_end = fail_once};
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
                                         {"mute", mute},
                                         {"twins", twins},
                                         {"starve_change", starve_change},
                                         {"changed_again", changed_again},
                                         {"again", again},
                                         {"many", many},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    return 1;
}
