#include "rigid/engine_internal.h"

#include <string.h>

/* --- creation ------------------------------------------------------------------------------- */

/* Lays the per-job arrays out in one block, widest elements first; NULL computes the size. */
static size_t lay_out(orr_rigid *sim, char *block)
{
    size_t n = (size_t)sim->in->count, at = 0;
    sim->start = (double *)(void *)(block + at);
    at += n * sizeof(double);
    sim->planned_end = (double *)(void *)(block + at);
    at += n * sizeof(double);
    sim->failures = (int32_t *)(void *)(block + at);
    at += n * sizeof(int32_t);
    sim->attempts = (int32_t *)(void *)(block + at);
    at += n * sizeof(int32_t);
    sim->state = (uint8_t *)(block + at);
    return at + n * sizeof(uint8_t);
}

static orr_status create_job_arrays(orr_rigid *sim, orr_error *err)
{
    char nowhere[8]; /* only for its address: lay_out computes the size */
    sim->block_size = lay_out(sim, nowhere);
    sim->block = orr_calloc(&sim->alloc, sim->block_size, 1);
    if (!sim->block)
        return orr_fail_memory(err, sim->block_size);
    lay_out(sim, sim->block);
    return ORR_OK;
}

/* Every running job holds a processor. */
static int32_t most_running(const orr_instance *in)
{
    return in->count < in->procs ? in->count : in->procs;
}

static bool reserves(const orr_rigid_policy *p)
{
    return p->discipline == ORR_DISPATCH_LIST && p->reservations > 0;
}

/* What this policy and this way of running it need. */
static void choose_parts(orr_rigid *sim)
{
    const orr_rigid_policy *p = &sim->policy;
    bool custom = p->discipline == ORR_DISPATCH_CUSTOM, changes = p->per >= ORR_PER_ATTEMPT;
    /* Whoever looks at the simulation from outside may ask for earliest starts. */
    bool seen = custom || changes || p->make_state || sim->record;
    /* A state is no obstacle: what could use it is asked when a scenario begins, and not after. */
    sim->shortcuts = !custom && !changes && !sim->record && !sim->plain && !sim->in->has_window;
    sim->keeps_plan = reserves(p) && p->reservations == ORR_RESERVE_ALL && !changes && !sim->plain;
    sim->has_planned = reserves(p) || seen;
    sim->has_plan = seen || (reserves(p) && (p->reservations > 1 || sim->plain));
}

static orr_status create_plans(orr_rigid *sim, orr_error *err)
{
    const orr_allocator *a = &sim->alloc;
    int32_t n = sim->in->count, running = most_running(sim->in);
    orr_status status = ORR_OK;
    if (sim->has_planned)
        status = orr_ends_create(&sim->planned, running, a, err);
    if (status == ORR_OK && sim->has_plan)
        status = orr_plan_create(&sim->plan, 2 * running, sim->keeps_plan ? 2 * n : n, a, err);
    if (status == ORR_OK && sim->keeps_plan) {
        sim->reserved = orr_calloc(a, (size_t)n, sizeof *sim->reserved);
        if (!sim->reserved)
            status = orr_fail_memory(err, (size_t)n * sizeof *sim->reserved);
    }
    if (status == ORR_OK && sim->has_planned && sim->shortcuts) {
        sim->retried = orr_calloc(a, (size_t)running, sizeof *sim->retried);
        if (!sim->retried)
            status = orr_fail_memory(err, (size_t)running * sizeof *sim->retried);
    }
    return status;
}

static orr_status create_parts(orr_rigid *sim, orr_error *err)
{
    const orr_rigid_policy *p = &sim->policy;
    const orr_allocator *a = &sim->alloc;
    int32_t n = sim->in->count;
    choose_parts(sim);
    orr_status status = create_job_arrays(sim, err);
    if (status == ORR_OK)
        status = orr_calendar_create(&sim->ends, most_running(sim->in), a, err);
    if (status == ORR_OK)
        status = orr_queue_create(&sim->queue, n, reserves(p) && p->reservations == 1, a, err);
    if (status == ORR_OK)
        status = orr_order_create(&sim->order, n, p->per, a, err);
    if (status == ORR_OK)
        status = create_plans(sim, err);
    if (status == ORR_OK && sim->record)
        status = orr_schedule_create(&sim->schedule, n, sim->in->procs, a, err);
    return status;
}

/* Ranks all jobs by their keys; for orders that hold for a whole scenario. */
static void rank_all(orr_rigid *sim)
{
    for (int32_t j = 0; j < sim->in->count; j++)
        sim->order.jobs[j] = j;
    orr_order_sort(&sim->order, sim->in, sim->in->count);
    orr_queue_order(&sim->queue, sim->order.jobs);
}

static orr_status rank_per_workload(orr_rigid *sim, const double *given, orr_error *err)
{
    if (sim->policy.per != ORR_PER_WORKLOAD)
        return ORR_OK;
    orr_status status = ORR_OK;
    if (given)
        memcpy(sim->order.key, given, (size_t)sim->in->count * sizeof *given);
    else
        status = orr_priorities(&sim->policy, sim->in, sim->seed, sim->set, sim->order.key, err);
    if (status == ORR_OK)
        rank_all(sim);
    return status;
}

static void forget_run(orr_rigid *sim)
{
    size_t n = (size_t)sim->in->count;
    memset(sim->attempts, 0, n * sizeof *sim->attempts);
    memset(sim->state, ORR_JOB_PENDING, n);
    orr_calendar_clear(&sim->ends);
    orr_queue_clear(&sim->queue);
    if (sim->has_planned)
        orr_ends_clear(&sim->planned);
    if (sim->record)
        orr_schedule_clear(&sim->schedule);
    sim->now = sim->in->first_submission;
    sim->free = sim->in->procs;
    memset(&sim->totals, 0, sizeof sim->totals);
    sim->running = sim->over = sim->submitted = 0;
    sim->deciding = sim->stopped = sim->plan_valid = sim->order.dirty = sim->kept = false;
}

orr_status orr_rigid_check_idle(const orr_rigid *sim, const char *what, orr_error *err)
{
    if (!sim->busy)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT,
                    "policy %s: a simulation cannot be %s from inside its own policy",
                    sim->policy.name, what);
}

static orr_rigid *allocate(const orr_allocator *given, orr_error *err)
{
    orr_allocator a = orr_allocator_or_default(given);
    orr_rigid *sim = orr_calloc(&a, 1, sizeof *sim);
    if (!sim)
        orr_fail_memory(err, sizeof *sim);
    else
        sim->alloc = a;
    return sim;
}

orr_rigid *orr_rigid_create(const orr_rigid_setup *setup, orr_error *err)
{
    orr_rigid *sim = allocate(setup->alloc, err);
    if (!sim)
        return NULL;
    sim->in = setup->instance;
    sim->jobs = setup->instance->jobs;
    sim->policy = *setup->policy;
    sim->seed = setup->seed;
    sim->set = setup->set;
    sim->cancel = setup->cancel;
    sim->trap = setup->trap;
    sim->record = setup->record;
    sim->plain = setup->plain;
    orr_status status = create_parts(sim, err);
    if (status == ORR_OK)
        status = rank_per_workload(sim, setup->priorities, err);
    if (status != ORR_OK) {
        orr_rigid_destroy(sim);
        return NULL;
    }
    forget_run(sim);
    return sim;
}

static void free_policy_state(orr_rigid *sim)
{
    if (sim->has_policy_state && sim->policy.free_state)
        sim->policy.free_state(sim->policy.user, sim->policy_state);
    sim->has_policy_state = false;
    sim->policy_state = NULL;
}

void orr_rigid_destroy(orr_rigid *sim)
{
    if (!sim)
        return;
    free_policy_state(sim);
    orr_schedule_destroy(&sim->schedule);
    orr_release(&sim->alloc, sim->reserved, (size_t)sim->in->count * sizeof *sim->reserved);
    orr_release(&sim->alloc, sim->retried, (size_t)most_running(sim->in) * sizeof *sim->retried);
    orr_plan_destroy(&sim->plan);
    orr_ends_destroy(&sim->planned);
    orr_order_destroy(&sim->order);
    orr_queue_destroy(&sim->queue);
    orr_calendar_destroy(&sim->ends);
    orr_release(&sim->alloc, sim->block, sim->block_size);
    orr_allocator a = sim->alloc;
    orr_release(&a, sim, sizeof *sim);
}

/* --- scenarios and copies ------------------------------------------------------------------- */

static orr_status ask_priority(orr_rigid *sim, int32_t job, orr_pcg *rng, orr_error *err)
{
    orr_view view = {.instance = sim->in, .sim = sim, .rng = rng};
    double *key = &sim->order.key[job];
    *key = 0;
    if (!sim->policy.priority)
        return ORR_OK;
    orr_policy_begin(err);
    orr_status status = sim->policy.priority(sim->policy.user, &view, job, key, err);
    status = orr_policy_end(sim->policy.name, "priority", status, err);
    if (status == ORR_OK && isnan(*key))
        return orr_fail(err, ORR_ERR_POLICY,
                        "policy %s: at time %.17g the priority of job %s is not a number (nan)",
                        sim->policy.name, sim->now, orr_jobs_id(sim->jobs, job));
    return status;
}

static orr_status rank_per_scenario(orr_rigid *sim, orr_error *err)
{
    orr_stream_key key =
        orr_stream_key_make(sim->seed, sim->set, sim->scenario, ORR_PURPOSE_PRIORITY);
    for (int32_t j = 0; j < sim->in->count; j++) {
        orr_pcg rng = orr_stream_open(key, (uint64_t)j);
        orr_status status = ask_priority(sim, j, &rng, err);
        if (status != ORR_OK)
            return status;
    }
    rank_all(sim);
    return ORR_OK;
}

static orr_status make_policy_state(orr_rigid *sim, orr_error *err)
{
    free_policy_state(sim);
    if (!sim->policy.make_state)
        return ORR_OK;
    orr_policy_begin(err);
    orr_status status = sim->policy.make_state(sim->policy.user, sim, &sim->policy_state, err);
    sim->has_policy_state = status == ORR_OK;
    return orr_policy_end(sim->policy.name, "make_state", status, err);
}

static orr_status set_failures(orr_rigid *sim, const int32_t *failures, orr_error *err)
{
    size_t bytes = (size_t)sim->in->count * sizeof *sim->failures;
    sim->fails = false;
    if (!failures) {
        memset(sim->failures, 0, bytes);
        return ORR_OK;
    }
    memmove(sim->failures, failures, bytes); /* they may be the simulation's own */
    for (int32_t j = 0; j < sim->in->count; j++) {
        sim->fails |= sim->failures[j] > 0;
        if (ORR_UNLIKELY(sim->failures[j] < 0 || sim->failures[j] == INT32_MAX))
            return orr_fail(err, ORR_ERR_ARGUMENT, "job %s cannot fail %d times",
                            orr_jobs_id(sim->jobs, j), (int)sim->failures[j]);
    }
    return ORR_OK;
}

orr_status orr_rigid_reset(orr_rigid *sim, const int32_t *failures, uint64_t scenario,
                           orr_error *err)
{
    orr_status status = orr_rigid_check_idle(sim, "reset", err);
    if (status != ORR_OK)
        return status;
    sim->begun = false;
    status = set_failures(sim, failures, err);
    if (status != ORR_OK)
        return status;
    forget_run(sim);
    sim->scenario = scenario;
    sim->rng =
        orr_stream_open(orr_stream_key_make(sim->seed, sim->set, scenario, ORR_PURPOSE_POLICY), 0);
    sim->busy = true;
    status = make_policy_state(sim, err);
    if (status == ORR_OK && sim->policy.per == ORR_PER_SCENARIO)
        status = rank_per_scenario(sim, err);
    sim->busy = false;
    sim->begun = status == ORR_OK;
    return status;
}

static orr_status copy_parts(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    orr_status status = create_parts(to, err);
    if (status != ORR_OK)
        return status;
    memcpy(to->block, from->block, from->block_size);
    orr_calendar_copy(&to->ends, &from->ends);
    orr_queue_copy(&to->queue, &from->queue);
    orr_order_copy(&to->order, &from->order);
    if (from->has_planned)
        orr_ends_copy(&to->planned, &from->planned);
    if (from->record)
        status = orr_schedule_copy(&to->schedule, &from->schedule, err);
    if (status == ORR_OK && from->has_policy_state && from->policy.copy_state) {
        orr_policy_begin(err);
        status =
            from->policy.copy_state(from->policy.user, from->policy_state, &to->policy_state, err);
        status = orr_policy_end(from->policy.name, "copy_state", status, err);
        to->has_policy_state = status == ORR_OK;
    }
    return status;
}

orr_rigid *orr_rigid_copy(const orr_rigid *sim, orr_error *err)
{
    orr_rigid *copy = allocate(&sim->alloc, err);
    if (!copy)
        return NULL;
    copy->in = sim->in;
    copy->jobs = sim->jobs;
    copy->policy = sim->policy;
    copy->rng = sim->rng;
    copy->seed = sim->seed;
    copy->set = sim->set;
    copy->scenario = sim->scenario;
    copy->cancel = sim->cancel;
    copy->trap = sim->trap;
    copy->record = sim->record;
    copy->plain = sim->plain;
    copy->now = sim->now;
    copy->free = sim->free;
    copy->begun = sim->begun;
    copy->fails = sim->fails;
    copy->stopped = sim->stopped;
    copy->totals = sim->totals;
    copy->running = sim->running;
    copy->over = sim->over;
    copy->submitted = sim->submitted;
    if (orr_rigid_check_idle(sim, "copied", err) != ORR_OK ||
        copy_parts(copy, sim, err) != ORR_OK) {
        orr_rigid_destroy(copy);
        return NULL;
    }
    return copy;
}

/* --- events --------------------------------------------------------------------------------- */

orr_status orr_rigid_broken(const orr_rigid *sim, const char *invariant, const char *file, int line,
                            orr_error *err)
{
    orr_trap_report report = {invariant, file, line, sim->seed, (int64_t)sim->scenario, sim->now};
    return orr_broken(&sim->trap, &report, err);
}

static orr_status enqueue(orr_rigid *sim, int32_t job, orr_error *err)
{
    sim->state[job] = ORR_JOB_WAITING;
    int32_t procs = sim->jobs->procs[job];
    double estimate = sim->in->estimate[job];
    if (!sim->order.dynamic) {
        orr_queue_insert(&sim->queue, job, procs, estimate);
        if (sim->keeps_plan) {
            int32_t rank = sim->queue.rank_of[job];
            sim->entered = rank < sim->entered ? rank : sim->entered;
        }
        return ORR_OK;
    }
    orr_queue_append(&sim->queue, job, procs, estimate);
    sim->order.dirty = true;
    if (sim->policy.per == ORR_PER_ATTEMPT)
        return ask_priority(sim, job, &sim->rng, err);
    return ORR_OK;
}

orr_status orr_rigid_never_ends(const orr_rigid *sim, int32_t job, orr_error *err)
{
    return orr_fail(err, ORR_ERR_LIMIT, "job %s would end at infinity: its times are too large",
                    orr_jobs_id(sim->jobs, job));
}

orr_status orr_rigid_start_fitting(orr_rigid *sim, int32_t job, orr_error *err)
{
    const orr_instance *in = sim->in;
    int32_t procs = sim->jobs->procs[job];
    double planned = orr_planned_end(in, job, sim->now);
    if (ORR_UNLIKELY(!(planned < INFINITY)))
        return orr_rigid_never_ends(sim, job, err);
    if (sim->record) {
        orr_status status = orr_schedule_start(&sim->schedule, job, procs, sim->now, planned, err);
        if (status != ORR_OK)
            return status;
    }
    orr_queue_remove(&sim->queue, job);
    orr_calendar_push(&sim->ends, orr_real_end(in, job, sim->now), 0, job);
    if (sim->has_planned)
        orr_ends_add(&sim->planned, planned, procs);
    if (sim->plan_valid)
        orr_plan_reserve(&sim->plan, 0, planned, procs);
    sim->start[job] = sim->now;
    sim->planned_end[job] = planned;
    sim->state[job] = ORR_JOB_RUNNING;
    sim->attempts[job]++;
    sim->free -= procs;
    sim->running++;
    ORR_RIGID_CHECK(sim, sim->free >= 0, err);
    return ORR_OK;
}

static orr_outcome outcome_of(const orr_rigid *sim, int32_t job)
{
    if (orr_job_is_killed(sim->in, job))
        return ORR_KILLED;
    return sim->attempts[job] <= sim->failures[job] ? ORR_FAILED : ORR_COMPLETED;
}

static orr_status end_attempt(orr_rigid *sim, int32_t job, orr_error *err)
{
    int32_t procs = sim->jobs->procs[job];
    orr_outcome outcome = outcome_of(sim, job);
    if (sim->has_planned)
        orr_ends_remove(&sim->planned, sim->planned_end[job], procs);
    if (sim->now != sim->planned_end[job])
        sim->kept = false;
    if (sim->record) {
        orr_status status = orr_schedule_end(&sim->schedule, job, sim->now, outcome, err);
        if (status != ORR_OK)
            return status;
    }
    if (sim->in->has_window)
        sim->totals.window_held += orr_part_in_window(sim->in, sim->start[job], sim->now) * procs;
    sim->free += procs;
    sim->running--;
    if (outcome == ORR_FAILED)
        return enqueue(sim, job, err);
    sim->planned_end[job] = sim->now;
    sim->state[job] = ORR_JOB_OVER;
    sim->over++;
    return ORR_OK;
}

double orr_rigid_next_event(const orr_rigid *sim)
{
    const orr_event *end = orr_calendar_peek(&sim->ends);
    double next = end ? end->time : INFINITY;
    if (sim->submitted < sim->in->count) {
        double submission = sim->in->submit[sim->in->by_submission[sim->submitted]];
        next = submission < next ? submission : next;
    }
    return next;
}

static orr_status apply_ends(orr_rigid *sim, orr_error *err)
{
    const orr_event *first;
    while ((first = orr_calendar_peek(&sim->ends)) && first->time == sim->now) {
        int32_t job = (int32_t)orr_calendar_pop(&sim->ends).payload;
        orr_status status = end_attempt(sim, job, err);
        if (status != ORR_OK)
            return status;
    }
    return ORR_OK;
}

static orr_status apply_submissions(orr_rigid *sim, orr_error *err)
{
    const orr_instance *in = sim->in;
    while (sim->submitted < in->count &&
           in->submit[in->by_submission[sim->submitted]] == sim->now) {
        orr_status status = enqueue(sim, in->by_submission[sim->submitted++], err);
        if (status != ORR_OK)
            return status;
    }
    return ORR_OK;
}

/* For orders that change: asks for the priorities that are due, sorts, and ranks anew. */
static orr_status rank_waiting(orr_rigid *sim, orr_error *err)
{
    bool ask = sim->policy.per == ORR_PER_DECISION;
    if (!sim->order.dynamic || (!ask && !sim->order.dirty))
        return ORR_OK;
    int32_t n = 0;
    for (int32_t rank = orr_queue_next_fit(&sim->queue, 0, INT32_MAX - 1); rank >= 0;
         rank = orr_queue_next_fit(&sim->queue, rank + 1, INT32_MAX - 1))
        sim->order.jobs[n++] = sim->queue.job_at[rank];
    for (int32_t i = 0; ask && i < n; i++) {
        orr_status status = ask_priority(sim, sim->order.jobs[i], &sim->rng, err);
        if (status != ORR_OK)
            return status;
    }
    orr_order_sort(&sim->order, sim->in, n);
    orr_queue_refill(&sim->queue, sim->order.jobs, n, sim->jobs->procs, sim->in->estimate);
    sim->order.dirty = false;
    return ORR_OK;
}

static orr_status check_progress(const orr_rigid *sim, orr_error *err)
{
    if (sim->running > 0 || sim->queue.count == 0 || sim->submitted < sim->in->count)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_POLICY,
                    "policy %s: nothing starts at time %.17g although %d jobs wait, all %d "
                    "processors are free and no job is still to come",
                    sim->policy.name, sim->now, (int)sim->queue.count, (int)sim->in->procs);
}

static orr_status decide(orr_rigid *sim, orr_error *err)
{
    if (sim->queue.count == 0)
        return ORR_OK;
    orr_status status = rank_waiting(sim, err);
    if (status != ORR_OK)
        return status;
    sim->deciding = true;
    status = orr_rigid_decide(sim, err);
    sim->deciding = sim->plan_valid = false;
    return status == ORR_OK ? check_progress(sim, err) : status;
}

/* What happens at the present instant. */
static orr_status apply_instant(orr_rigid *sim, orr_error *err)
{
    const orr_event *end;
    do {
        orr_status status = apply_ends(sim, err);
        if (status == ORR_OK)
            status = apply_submissions(sim, err);
        if (status == ORR_OK)
            status = decide(sim, err);
        if (status != ORR_OK)
            return status;
        end = orr_calendar_peek(&sim->ends);
    } while (end && end->time == sim->now); /* jobs that take no time */
    return ORR_OK;
}

orr_status orr_rigid_step(orr_rigid *sim, orr_error *err)
{
    orr_status idle = orr_rigid_check_idle(sim, "stepped", err);
    if (idle != ORR_OK)
        return idle;
    if (!sim->begun)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the simulation has no scenario yet; orr_rigid_reset begins one");
    if (sim->stopped)
        return orr_fail(err, ORR_ERR_POLICY,
                        "policy %s: the simulation was stopped by an error at time %.17g and "
                        "cannot go on",
                        sim->policy.name, sim->now);
    if (orr_is_cancelled(sim->cancel))
        return orr_fail(err, ORR_ERR_CANCELLED, "interrupted at time %.17g", sim->now);
    double instant = orr_rigid_next_event(sim);
    if (instant == INFINITY)
        return ORR_OK;
    ORR_RIGID_CHECK(sim, instant >= sim->now, err);
    sim->now = instant;
    sim->busy = true;
    orr_status status = apply_instant(sim, err);
    sim->busy = false;
    sim->stopped = status != ORR_OK;
    return status;
}

orr_status orr_rigid_run_until(orr_rigid *sim, double time, orr_error *err)
{
    orr_status idle = orr_rigid_check_idle(sim, "run", err);
    if (idle != ORR_OK)
        return idle;
    for (double next; (next = orr_rigid_next_event(sim)) <= time && next < INFINITY;) {
        orr_status status = orr_rigid_step(sim, err);
        if (status != ORR_OK)
            return status;
    }
    if (time > sim->now && time < INFINITY)
        sim->now = time;
    return ORR_OK;
}

orr_status orr_rigid_finish(orr_rigid *sim, orr_metrics *metrics, orr_error *err)
{
    orr_status status = orr_rigid_check_idle(sim, "finished", err);
    while (status == ORR_OK && sim->over < sim->in->count) {
        ORR_RIGID_CHECK(sim, !sim->begun || orr_rigid_next_event(sim) < INFINITY, err);
        status = sim->shortcuts ? orr_rigid_shortcut(sim, err) : ORR_OK;
        if (status == ORR_OK && sim->over < sim->in->count)
            status = orr_rigid_step(sim, err);
    }
    if (status != ORR_OK)
        return status;
    if (metrics) {
        orr_run run = orr_rigid_run(sim);
        *metrics = orr_measure(sim->in, &run);
    }
    return ORR_OK;
}

/* --- questions ------------------------------------------------------------------------------ */

bool orr_rigid_is_over(const orr_rigid *sim)
{
    return sim->over == sim->in->count;
}

orr_run orr_rigid_run(const orr_rigid *sim)
{
    return (orr_run){.failures = sim->failures,
                     .ends = sim->planned_end,
                     .attempts = sim->attempts,
                     .totals = sim->totals};
}

const orr_schedule *orr_rigid_schedule(const orr_rigid *sim)
{
    return sim->record ? &sim->schedule : NULL;
}

const int32_t *orr_rigid_failures(const orr_rigid *sim)
{
    return sim->failures;
}
