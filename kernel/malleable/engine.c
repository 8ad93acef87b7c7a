#include "malleable/engine_internal.h"

#include "malleable/allocate_internal.h"

#include <string.h>

enum { MAX_FAULTS = 10000000 };

/* --- creation ------------------------------------------------------------------------------- */

/* The next `count` elements of `size` bytes in a block that begins at `block`. */
static void *carve(char *block, size_t *at, size_t count, size_t size)
{
    void *here = block + *at;
    *at += count * size;
    return here;
}

/* Lays the per-task arrays out in one block, widest elements first; returns its size. */
static size_t lay_out(orr_malleable *sim, char *block)
{
    size_t n = (size_t)sim->count, words = orr_words(sim->count), at = 0;
    size_t leaves = (size_t)orr_tree_leaves(sim->count);
    double **numbers[] = {&sim->alpha, &sim->ready, &sim->finish,
                          &sim->end,   &sim->left,  &sim->value};
    orr_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    sim->stint = carve(block, &at, n, sizeof *sim->stint);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        *numbers[i] = carve(block, &at, n, sizeof **numbers[i]);
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        trees[i]->leaves = (int32_t)leaves;
        trees[i]->node = carve(block, &at, 2 * leaves, sizeof *trees[i]->node);
    }
    sim->locked = carve(block, &at, words, sizeof *sim->locked);
    sim->touched = carve(block, &at, words, sizeof *sim->touched);
    sim->held = carve(block, &at, n, sizeof *sim->held);
    sim->proposed = carve(block, &at, n, sizeof *sim->proposed);
    sim->takes_part = carve(block, &at, n, sizeof *sim->takes_part);
    sim->left_known = carve(block, &at, n, sizeof *sim->left_known);
    return at;
}

static orr_status create_task_arrays(orr_malleable *sim, orr_error *err)
{
    char nowhere[8]; /* only for its address: lay_out computes the size */
    sim->block_size = lay_out(sim, nowhere);
    sim->block = orr_calloc(&sim->alloc, sim->block_size, 1);
    if (!sim->block)
        return orr_fail_memory(err, sim->block_size);
    lay_out(sim, sim->block);
    return ORR_OK;
}

static size_t pairs_of(const orr_malleable *sim)
{
    return (size_t)sim->procs / 2;
}

static orr_status create_pair_arrays(orr_malleable *sim, orr_error *err)
{
    size_t pairs = pairs_of(sim);
    sim->recovering = orr_calloc(&sim->alloc, pairs, sizeof *sim->recovering);
    sim->failed = orr_calloc(&sim->alloc, pairs, sizeof *sim->failed);
    if (sim->record)
        sim->intervals = orr_calloc(&sim->alloc, pairs, sizeof *sim->intervals);
    if (!sim->recovering || !sim->failed || (sim->record && !sim->intervals))
        return orr_fail_memory(err, pairs * sizeof *sim->recovering);
    return ORR_OK;
}

/* All but the source of faults. */
static orr_status create_parts(orr_malleable *sim, orr_error *err)
{
    const orr_allocator *a = &sim->alloc;
    orr_status status = create_task_arrays(sim, err);
    if (status == ORR_OK)
        status = create_pair_arrays(sim, err);
    if (status == ORR_OK)
        status = orr_costs_create(&sim->costs, sim->count, sim->procs, &sim->resilience, a, err);
    if (status == ORR_OK)
        status = orr_holdings_create(&sim->holdings, sim->count, sim->procs, a, err);
    if (status == ORR_OK && sim->record)
        status = orr_stints_create(&sim->stints, sim->count, sim->procs, a, err);
    return status;
}

static orr_malleable *allocate(const orr_allocator *given, orr_error *err)
{
    orr_allocator a = orr_allocator_or_default(given);
    orr_malleable *sim = orr_calloc(&a, 1, sizeof *sim);
    if (!sim)
        orr_fail_memory(err, sizeof *sim);
    else
        sim->alloc = sim->costs.alloc = sim->holdings.alloc = sim->stints.alloc = a;
    return sim;
}

static orr_status create_faults(orr_malleable *sim, const orr_faults_setup *given, orr_error *err)
{
    orr_faults_setup setup = *given;
    setup.procs = sim->procs;
    setup.alloc = &sim->alloc;
    err->status = ORR_ERR_INTERNAL; /* whatever creation says instead */
    sim->faults = orr_faults_create(&setup, err);
    return sim->faults ? ORR_OK : err->status;
}

orr_malleable *orr_malleable_create(const orr_malleable_setup *setup, orr_error *err)
{
    orr_error own;
    err = err ? err : &own;
    if (orr_check_procs(setup->procs, setup->count, err) != ORR_OK ||
        orr_resilience_check(&setup->resilience, err) != ORR_OK)
        return NULL;
    orr_malleable *sim = allocate(setup->alloc, err);
    if (!sim)
        return NULL;
    sim->count = setup->count;
    sim->procs = setup->procs;
    sim->resilience = setup->resilience;
    sim->policy = *setup->policy;
    sim->seed = setup->seed;
    sim->set = setup->set;
    sim->max_faults = setup->max_faults > 0 ? setup->max_faults : MAX_FAULTS;
    sim->cancel = setup->cancel;
    sim->trap = setup->trap;
    sim->record = setup->record;
    sim->struck = -1;
    orr_status status = create_parts(sim, err);
    if (status == ORR_OK)
        status = create_faults(sim, &setup->faults, err);
    if (status == ORR_OK)
        return sim;
    orr_malleable_destroy(sim);
    return NULL;
}

static void free_policy_state(orr_malleable *sim)
{
    if (sim->has_policy_state && sim->policy.free_state)
        sim->policy.free_state(sim->policy.user, sim->policy_state);
    sim->has_policy_state = false;
    sim->policy_state = NULL;
}

void orr_malleable_destroy(orr_malleable *sim)
{
    if (!sim)
        return;
    size_t pairs = pairs_of(sim);
    free_policy_state(sim);
    orr_stints_destroy(&sim->stints);
    orr_faults_destroy(sim->faults);
    orr_holdings_destroy(&sim->holdings);
    orr_costs_destroy(&sim->costs);
    orr_release(&sim->alloc, sim->seen, (size_t)sim->seen_capacity * sizeof *sim->seen);
    orr_release(&sim->alloc, sim->intervals, pairs * sizeof *sim->intervals);
    orr_release(&sim->alloc, sim->failed, pairs * sizeof *sim->failed);
    orr_release(&sim->alloc, sim->recovering, pairs * sizeof *sim->recovering);
    orr_release(&sim->alloc, sim->block, sim->block_size);
    orr_allocator a = sim->alloc;
    orr_release(&a, sim, sizeof *sim);
}

/* --- runs and copies ------------------------------------------------------------------------ */

static orr_status check_idle(const orr_malleable *sim, const char *what, orr_error *err)
{
    if (!sim->busy)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT,
                    "policy %s: a simulation cannot be %s from inside its own policy",
                    sim->policy.name, what);
}

static void forget_run(orr_malleable *sim)
{
    size_t pairs = pairs_of(sim);
    memset(sim->block, 0, sim->block_size);
    orr_tree *trees[] = {&sim->ends, &sim->finishes, &sim->list, &sim->shortest};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++)
        orr_tree_clear(trees[i]);
    memset(sim->recovering, 0, pairs * sizeof *sim->recovering);
    memset(sim->failed, 0, pairs * sizeof *sim->failed);
    orr_holdings_reset(&sim->holdings);
    if (sim->record)
        orr_stints_clear(&sim->stints);
    sim->now = 0;
    sim->free = sim->procs;
    sim->running = 0;
    sim->seen_count = 0;
    sim->struck = -1;
    sim->metrics = (orr_malleable_metrics){0};
    sim->deciding = sim->stopped = false;
}

static orr_status make_policy_state(orr_malleable *sim, orr_error *err)
{
    if (!sim->policy.make_state)
        return ORR_OK;
    orr_policy_begin(err);
    orr_status status = sim->policy.make_state(sim->policy.user, sim, &sim->policy_state, err);
    sim->has_policy_state = status == ORR_OK;
    return orr_policy_end(sim->policy.name, "make_state", status, err);
}

/* RR-8795, Algorithm 2, lines 5 to 10. */
static orr_status begin_tasks(orr_malleable *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    orr_allocate(&sim->costs, sim->procs, &sim->list, sim->held);
    sim->running = sim->count;
    for (int32_t i = 0; status == ORR_OK && i < sim->count; i++)
        status = orr_task_begin(sim, i, err);
    if (status == ORR_OK)
        sim->metrics.expected = sim->finish[orr_tree_top(&sim->finishes)];
    return status;
}

/* --- faults that do nothing --- */

static int32_t task_hit(const orr_malleable *sim, const orr_fault *fault)
{
    return fault->processor < 0 ? fault->task
                                : orr_holdings_holder(&sim->holdings, fault->processor);
}

static bool strikes(const orr_malleable *sim, const orr_fault *fault)
{
    int32_t task = task_hit(sim, fault);
    return task >= 0 && sim->held[task] > 0 && fault->time >= sim->ready[task];
}

/* A buddy has to resend both checkpoints while its task recovers. */
static void note_fatal(orr_malleable *sim, const orr_fault *fault)
{
    if (fault->processor < 0 || fault->processor / 2 >= (int32_t)pairs_of(sim))
        return;
    int32_t pair = fault->processor / 2;
    sim->metrics.fatal +=
        fault->time < sim->recovering[pair] && sim->failed[pair] != fault->processor;
}

static double next_end(const orr_malleable *sim)
{
    int32_t first = orr_tree_top(&sim->ends);
    return first < 0 ? INFINITY : sim->end[first];
}

/* Takes the next fault, and keeps it in mind where that is wanted. */
static orr_status take_fault(orr_malleable *sim, const orr_fault *fault, orr_error *err)
{
    if (sim->record && sim->seen_count == sim->seen_capacity) {
        int64_t capacity = sim->seen_capacity > 0 ? 2 * sim->seen_capacity : 64;
        size_t size = sizeof *sim->seen;
        void *grown = orr_resize(&sim->alloc, sim->seen, (size_t)sim->seen_capacity * size,
                                 (size_t)capacity * size);
        if (!grown)
            return orr_fail_memory(err, (size_t)capacity * size);
        sim->seen = grown;
        sim->seen_capacity = capacity;
    }
    if (sim->record)
        sim->seen[sim->seen_count++] =
            (orr_known_fault){fault->time, fault->processor, fault->task};
    return orr_faults_take(sim->faults, err);
}

/* Takes the faults away that come before the next end and strike nobody: until then nothing
 * changes. */
static orr_status pass_over_absorbed(orr_malleable *sim, orr_error *err)
{
    orr_status status = ORR_OK;
    if (sim->running == 0)
        return ORR_OK;
    double end = next_end(sim);
    for (int64_t passed = 1; status == ORR_OK; passed++) {
        orr_fault fault = orr_faults_peek(sim->faults);
        if (!(fault.time < end) || strikes(sim, &fault))
            return ORR_OK;
        if (passed % 1024 == 0 && orr_is_cancelled(sim->cancel))
            return orr_fail(err, ORR_ERR_CANCELLED, "interrupted at time %.17g", sim->now);
        note_fatal(sim, &fault);
        status = take_fault(sim, &fault, err);
    }
    return status;
}

static orr_status check_tasks(const orr_malleable *sim, const orr_tasks *tasks, orr_error *err)
{
    if (tasks->count == sim->count)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT, "the simulation is for %d tasks, these are %d",
                    (int)sim->count, (int)tasks->count);
}

orr_status orr_malleable_reset(orr_malleable *sim, const orr_tasks *tasks, uint64_t run,
                               orr_error *err)
{
    orr_status status = check_idle(sim, "reset", err);
    if (status == ORR_OK)
        status = check_tasks(sim, tasks, err);
    if (status != ORR_OK)
        return status;
    sim->begun = false;
    free_policy_state(sim);
    forget_run(sim);
    sim->tasks = tasks;
    sim->run = run;
    sim->rng =
        orr_stream_open(orr_stream_key_make(sim->seed, sim->set, run, ORR_PURPOSE_POLICY), 0);
    orr_costs_reset(&sim->costs, tasks);
    status = orr_faults_reset(sim->faults, sim->seed, sim->set, run, err);
    if (status == ORR_OK)
        status = begin_tasks(sim, err);
    sim->busy = true;
    if (status == ORR_OK)
        status = make_policy_state(sim, err);
    sim->busy = false;
    if (status == ORR_OK)
        status = pass_over_absorbed(sim, err);
    sim->begun = status == ORR_OK;
    return status;
}

static orr_status copy_seen(orr_malleable *to, const orr_malleable *from, orr_error *err)
{
    if (from->seen_count == 0)
        return ORR_OK;
    size_t bytes = (size_t)from->seen_count * sizeof *from->seen;
    to->seen = orr_alloc(&to->alloc, bytes);
    if (!to->seen)
        return orr_fail_memory(err, bytes);
    memcpy(to->seen, from->seen, bytes);
    to->seen_count = to->seen_capacity = from->seen_count;
    return ORR_OK;
}

static orr_status copy_parts(orr_malleable *to, const orr_malleable *from, orr_error *err)
{
    orr_status status = create_parts(to, err);
    if (status != ORR_OK)
        return status;
    memcpy(to->block, from->block, from->block_size);
    memcpy(to->recovering, from->recovering, pairs_of(to) * sizeof *to->recovering);
    memcpy(to->failed, from->failed, pairs_of(to) * sizeof *to->failed);
    if (from->tasks)
        orr_costs_reset(&to->costs, from->tasks);
    orr_holdings_copy(&to->holdings, &from->holdings);
    if (from->record)
        status = orr_stints_copy(&to->stints, &from->stints, err);
    if (status == ORR_OK)
        status = copy_seen(to, from, err);
    if (status == ORR_OK) {
        to->faults = orr_faults_copy(from->faults, err);
        status = to->faults ? ORR_OK : ORR_ERR_MEMORY;
    }
    if (status == ORR_OK && from->has_policy_state && from->policy.copy_state) {
        orr_policy_begin(err);
        status =
            from->policy.copy_state(from->policy.user, from->policy_state, &to->policy_state, err);
        status = orr_policy_end(from->policy.name, "copy_state", status, err);
        to->has_policy_state = status == ORR_OK;
    }
    return status;
}

orr_malleable *orr_malleable_copy(const orr_malleable *sim, orr_error *err)
{
    if (check_idle(sim, "copied", err) != ORR_OK)
        return NULL;
    orr_malleable *copy = allocate(&sim->alloc, err);
    if (!copy)
        return NULL;
    copy->tasks = sim->tasks;
    copy->count = sim->count;
    copy->procs = sim->procs;
    copy->resilience = sim->resilience;
    copy->policy = sim->policy;
    copy->rng = sim->rng;
    copy->seed = sim->seed;
    copy->set = sim->set;
    copy->run = sim->run;
    copy->max_faults = sim->max_faults;
    copy->cancel = sim->cancel;
    copy->trap = sim->trap;
    copy->now = sim->now;
    copy->free = sim->free;
    copy->running = sim->running;
    copy->metrics = sim->metrics;
    copy->struck = -1;
    copy->record = sim->record;
    copy->begun = sim->begun;
    copy->stopped = sim->stopped;
    if (copy_parts(copy, sim, err) != ORR_OK) {
        orr_malleable_destroy(copy);
        return NULL;
    }
    return copy;
}

/* --- events --------------------------------------------------------------------------------- */

typedef orr_status (*hook)(void *user, orr_malleable *sim, int32_t task, orr_error *err);

static orr_status check_proposal(const orr_malleable *sim, orr_error *err)
{
    if (sim->proposed_free >= 0)
        return ORR_OK;
    int32_t locked = 0;
    for (int32_t i = 0; i < sim->count; i++)
        locked += sim->held[i] > 0 && !sim->takes_part[i] ? sim->held[i] : 0;
    int32_t there = sim->procs - locked;
    return orr_fail(err, ORR_ERR_POLICY,
                    "hands out %d processors; there are %d, and locked tasks hold %d of these",
                    (int)(there - sim->proposed_free), (int)sim->procs, (int)locked);
}

/* Asks the policy and does what it proposes; struck: the task, -1 after an end. */
static orr_status ask_policy(orr_malleable *sim, const char *name, hook function, int32_t task,
                             int32_t struck, orr_error *err)
{
    orr_decision_open(sim, struck);
    orr_policy_begin(err);
    orr_status status = function(sim->policy.user, sim, task, err);
    status = orr_policy_end(sim->policy.name, name, status, err);
    if (status == ORR_OK)
        status = check_proposal(sim, err);
    if (status == ORR_OK)
        status = orr_decision_apply(sim, struck, err);
    else if (err && strncmp(err->message, "policy ", 7) != 0)
        orr_error_prefix(err, "policy %s: %s for task %s at time %.17g", sim->policy.name, name,
                         orr_tasks_id(sim->tasks, task), sim->now);
    sim->deciding = false;
    sim->struck = -1;
    return status;
}

static orr_status end_task(orr_malleable *sim, int32_t task, orr_error *err)
{
    orr_status status = orr_task_complete(sim, task, err);
    if (status != ORR_OK || sim->running == 0 || !sim->policy.on_end)
        return status;
    return ask_policy(sim, "on_end", sim->policy.on_end, task, -1, err);
}

static orr_status too_many_faults(const orr_malleable *sim, int32_t task, orr_error *err)
{
    return orr_fail(err, ORR_ERR_LIMIT,
                    "more than %lld faults strike before all tasks are over: at time %.17g task %s "
                    "on %d processors has %.3g of its work left and is expected to need %.3g s",
                    (long long)sim->max_faults, sim->now, orr_tasks_id(sim->tasks, task),
                    (int)sim->held[task], sim->alpha[task], sim->finish[task] - sim->ready[task]);
}

static void note_recovery(orr_malleable *sim, const orr_fault *fault, int32_t task)
{
    if (fault->processor < 0)
        return;
    sim->recovering[fault->processor / 2] = sim->ready[task];
    sim->failed[fault->processor / 2] = fault->processor;
}

/* RR-8795, Algorithm 2, lines 21 to 32. */
static orr_status strike(orr_malleable *sim, const orr_fault *fault, orr_error *err)
{
    int32_t task = task_hit(sim, fault);
    note_fatal(sim, fault);
    orr_task_strike(sim, task);
    note_recovery(sim, fault, task);
    if (sim->metrics.faults > sim->max_faults)
        return too_many_faults(sim, task, err);
    double latest = sim->finish[orr_tree_top(&sim->finishes)];
    if (sim->policy.on_fault && sim->finish[task] >= latest)
        return ask_policy(sim, "on_fault", sim->policy.on_fault, task, task, err);
    return orr_decision_apply(sim, task, err);
}

/* The next event, which is at the clock. */
static orr_status apply_event(orr_malleable *sim, orr_error *err)
{
    orr_status status;
    int32_t first = orr_tree_top(&sim->ends);
    if (sim->end[first] == sim->now) {
        status = end_task(sim, first, err);
    } else {
        orr_fault fault = orr_faults_peek(sim->faults);
        status = take_fault(sim, &fault, err);
        if (status == ORR_OK)
            status = strike(sim, &fault, err);
    }
    return status == ORR_OK ? pass_over_absorbed(sim, err) : status;
}

double orr_malleable_next_event(const orr_malleable *sim)
{
    if (!sim->begun || sim->running == 0)
        return INFINITY;
    double end = next_end(sim), fault = orr_faults_peek(sim->faults).time;
    return fault < end ? fault : end;
}

static orr_status check_can_go_on(const orr_malleable *sim, const char *what, orr_error *err)
{
    orr_status status = check_idle(sim, what, err);
    if (status != ORR_OK)
        return status;
    if (sim->stopped)
        return orr_fail(err, ORR_ERR_POLICY,
                        "policy %s: the simulation was stopped by an error at time %.17g and "
                        "cannot go on",
                        sim->policy.name, sim->now);
    if (!sim->begun)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the simulation has no run yet; orr_malleable_reset begins one");
    if (orr_is_cancelled(sim->cancel))
        return orr_fail(err, ORR_ERR_CANCELLED, "interrupted at time %.17g", sim->now);
    return ORR_OK;
}

static void pass_time(orr_malleable *sim, double time)
{
    sim->metrics.spent.idle += sim->free * (time - sim->now);
    sim->now = time;
}

orr_status orr_malleable_step(orr_malleable *sim, orr_error *err)
{
    orr_status status = check_can_go_on(sim, "stepped", err);
    if (status != ORR_OK || sim->running == 0)
        return status;
    double instant = orr_malleable_next_event(sim);
    if (!(instant < INFINITY))
        return orr_fail(err, ORR_ERR_LIMIT,
                        "task %s would end at infinity: its times are too large",
                        orr_tasks_id(sim->tasks, orr_tree_top(&sim->ends)));
    ORR_MALLEABLE_CHECK(sim, instant >= sim->now, err);
    pass_time(sim, instant);
    sim->busy = true;
    do
        status = apply_event(sim, err);
    while (status == ORR_OK && orr_malleable_next_event(sim) == instant);
    sim->busy = false;
    sim->stopped = status != ORR_OK;
    return status;
}

orr_status orr_malleable_run_until(orr_malleable *sim, double time, orr_error *err)
{
    orr_status status = check_can_go_on(sim, "run", err);
    while (status == ORR_OK && orr_malleable_next_event(sim) <= time &&
           orr_malleable_next_event(sim) < INFINITY)
        status = orr_malleable_step(sim, err);
    if (status == ORR_OK && sim->running > 0 && time > sim->now && time < INFINITY)
        pass_time(sim, time);
    return status;
}

orr_status orr_malleable_finish(orr_malleable *sim, orr_malleable_metrics *metrics, orr_error *err)
{
    orr_status status = check_can_go_on(sim, "finished", err);
    while (status == ORR_OK && sim->running > 0)
        status = orr_malleable_step(sim, err);
    if (status == ORR_OK && metrics)
        *metrics = orr_malleable_measure(sim);
    return status;
}

/* --- questions ------------------------------------------------------------------------------ */

orr_malleable_metrics orr_malleable_measure(const orr_malleable *sim)
{
    orr_malleable_metrics metrics = sim->metrics;
    metrics.makespan = sim->now;
    return metrics;
}

bool orr_malleable_is_over(const orr_malleable *sim)
{
    return sim->begun && sim->running == 0;
}

const double *orr_malleable_ends(const orr_malleable *sim)
{
    return sim->end;
}

const orr_stints *orr_malleable_stints(const orr_malleable *sim)
{
    return sim->record ? &sim->stints : NULL;
}

const orr_known_fault *orr_malleable_faults(const orr_malleable *sim, int64_t *count)
{
    *count = sim->seen_count;
    return sim->record ? sim->seen : NULL;
}

orr_status orr_malleable_check(const orr_malleable *sim, orr_error *err)
{
    static const orr_known_fault none;
    if (!sim->record || !sim->begun)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there is no recorded run to check");
    return orr_check_stints(sim->tasks, &sim->resilience, &sim->stints,
                            sim->seen ? sim->seen : &none, sim->seen_count, sim->running > 0, err);
}
