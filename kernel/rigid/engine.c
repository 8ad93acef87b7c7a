/* Simulations as values: creation, scenarios, copies. */
#include "rigid/state_internal.h"

#include <string.h>

/* --- creation ------------------------------------------------------------------------------- */

/* The block that the per-job arrays are laid out in. */
typedef struct layout {
    char *block;
    size_t jobs, at;
} layout;

/* Gives out the memory of the next array; NULL where it is not wanted. */
static void *part(layout *l, bool wanted, size_t size)
{
    void *here = l->block + l->at;
    l->at += wanted ? l->jobs * size : 0;
    return wanted ? here : NULL;
}

/* Lays the per-job arrays out in one block, widest elements first; returns its size. */
static size_t lay_out(orr_rigid *sim, layout l)
{
    sim->start = part(&l, true, sizeof *sim->start);
    sim->planned_end = part(&l, true, sizeof *sim->planned_end);
    sim->past = part(&l, sim->opened, sizeof *sim->past);
    sim->arrivals = part(&l, sim->acts, sizeof *sim->arrivals);
    sim->cancelled = part(&l, sim->acts, sizeof *sim->cancelled);
    sim->failures = part(&l, true, sizeof *sim->failures);
    sim->attempts = part(&l, true, sizeof *sim->attempts);
    sim->interrupted = part(&l, sim->interrupts, sizeof *sim->interrupted);
    sim->place = part(&l, sim->acts, sizeof *sim->place);
    sim->group = part(&l, sim->group_count > 1, sizeof *sim->group);
    sim->state = part(&l, true, sizeof *sim->state);
    sim->left_out = part(&l, sim->opened, sizeof *sim->left_out);
    sim->news = part(&l, sim->opened, sizeof *sim->news);
    return l.at;
}

static orr_status create_job_arrays(orr_rigid *sim, orr_error *err)
{
    char nowhere[8]; /* only for its address: lay_out computes the size */
    size_t n = (size_t)sim->in->count;
    sim->block_size = lay_out(sim, (layout){nowhere, n, 0});
    sim->block = sim->raw ? orr_alloc(&sim->alloc, sim->block_size)
                          : orr_calloc(&sim->alloc, sim->block_size, 1);
    if (!sim->block)
        return orr_fail_memory(err, sim->block_size);
    lay_out(sim, (layout){sim->block, n, 0});
    sim->arrival = sim->acts ? sim->arrivals : sim->in->submit;
    return ORR_OK;
}

/* Every running job holds a processor. */
static int32_t most_running(const orr_instance *in)
{
    return in->count < in->procs ? in->count : in->procs;
}

static bool has_events(const orr_rigid_policy *p)
{
    return p->on_submit || p->on_start || p->on_end || p->on_idle || p->on_timer;
}

/* What the policy's groups, and this way of running them, need. */
static void choose_parts(orr_rigid *sim)
{
    const orr_rigid_policy *p = &sim->policy;
    bool custom = false, changes = false;
    sim->group_count = p->groups ? p->group_count : 1;
    for (int32_t i = 0; i < sim->group_count; i++) {
        const orr_rigid_policy *own = p->groups ? p->groups[i].policy : NULL;
        own = own ? own : p;
        custom |= own->discipline == ORR_DISPATCH_CUSTOM;
        changes |=
            ori_order_changes(own->per) || (own->backfill && ori_order_changes(own->backfill_per));
    }
    sim->acts = custom || has_events(p) || sim->opened;
    sim->interrupts = sim->acts || sim->outages.any;
    sim->eventful = sim->interrupts || sim->group_count > 1;
    sim->has_processors = sim->outages.any || (sim->record && sim->group_count > 1);
    sim->placed = sim->has_processors || sim->record;
    /* Whoever looks at the simulation from outside may ask for earliest starts. */
    sim->watched = sim->acts || changes || p->make_state || sim->record;
    /* A state is no obstacle: what could use it is asked when a scenario begins, and not after. */
    sim->shortcuts = !sim->interrupts && !changes && !sim->record && !sim->plain &&
                     sim->group_count == 1 && !sim->in->has_window;
}

static orr_status create_processors(orr_rigid *sim, orr_error *err)
{
    size_t size = ((size_t)sim->group_count + 1) * sizeof(int32_t);
    int32_t *first = orr_alloc(&sim->alloc, size);
    if (!first)
        return orr_fail_memory(err, size);
    for (int32_t i = 0; i < sim->group_count; i++)
        first[i] = sim->groups[i].first;
    first[sim->group_count] = sim->in->procs;
    orr_status status = ori_processors_create(&sim->processors, first, sim->group_count,
                                              sim->in->count, &sim->alloc, err);
    orr_release(&sim->alloc, first, size);
    return status;
}

orr_status ori_rigid_record_groups(orr_rigid *sim, orr_error *err)
{
    size_t size = (size_t)sim->group_count * sizeof(orr_processor_group);
    orr_processor_group *groups = orr_alloc(&sim->alloc, size);
    if (!groups)
        return orr_fail_memory(err, size);
    for (int32_t i = 0; i < sim->group_count; i++)
        groups[i] =
            (orr_processor_group){sim->groups[i].name, sim->groups[i].first, sim->groups[i].procs};
    orr_status status = orr_schedule_set_groups(&sim->schedule, groups, sim->group_count, err);
    orr_release(&sim->alloc, groups, size);
    return status;
}

static orr_status create_schedule(orr_rigid *sim, orr_error *err)
{
    orr_status status =
        orr_schedule_create(&sim->schedule, sim->in->count, sim->in->procs, &sim->alloc, err);
    return status == ORR_OK ? ori_rigid_record_groups(sim, err) : status;
}

static orr_status create_lists(orr_rigid *sim, orr_error *err)
{
    size_t running = (size_t)most_running(sim->in);
    sim->lists = running;
    if (sim->policy.on_start)
        sim->started = orr_calloc(&sim->alloc, running, sizeof *sim->started);
    if (sim->shortcuts && sim->groups[0].has_planned)
        sim->retried = orr_calloc(&sim->alloc, running, sizeof *sim->retried);
    bool fine = (sim->started || !sim->policy.on_start) &&
                (sim->retried || !sim->shortcuts || !sim->groups[0].has_planned);
    return fine ? ORR_OK : orr_fail_memory(err, running * sizeof *sim->started);
}

enum { SOME_TIMERS = 8 };

orr_status ori_rigid_create_parts(orr_rigid *sim, const orr_node_failures *failures, orr_error *err)
{
    const orr_allocator *a = &sim->alloc;
    orr_status status = ori_outages_create(&sim->outages, failures, sim->in, a, err);
    if (status != ORR_OK)
        return status;
    choose_parts(sim);
    status = create_job_arrays(sim, err);
    if (status == ORR_OK)
        status = orr_calendar_create(&sim->ends, most_running(sim->in), a, err);
    if (status == ORR_OK && sim->acts)
        status = orr_calendar_create(&sim->timers, SOME_TIMERS, a, err);
    if (status == ORR_OK)
        status = ori_sorter_create(&sim->sorter, sim->in->count, a, err);
    if (status == ORR_OK)
        status = ori_groups_create(sim, err);
    if (status == ORR_OK)
        status = create_lists(sim, err);
    if (status == ORR_OK && sim->has_processors)
        status = create_processors(sim, err);
    return status == ORR_OK && sim->record ? create_schedule(sim, err) : status;
}

static void forget_jobs(orr_rigid *sim)
{
    size_t n = (size_t)sim->in->count;
    memset(sim->attempts, 0, n * sizeof *sim->attempts);
    memset(sim->state, ORR_JOB_PENDING, n);
    if (sim->interrupts)
        memset(sim->interrupted, 0, n * sizeof *sim->interrupted);
    if (sim->group)
        memset(sim->group, 0, n * sizeof *sim->group);
    if (sim->opened) {
        memset(sim->past, 0, n * sizeof *sim->past);
        memset(sim->left_out, 0, n * sizeof *sim->left_out);
        memset(sim->news, 0, n * sizeof *sim->news);
    }
    for (size_t j = 0; sim->acts && j < n; j++) {
        sim->arrivals[j] = sim->in->submit[j];
        sim->cancelled[j] = NAN;
        sim->place[j] = (uint32_t)j;
    }
}

void ori_rigid_forget_run(orr_rigid *sim)
{
    forget_jobs(sim);
    orr_calendar_clear(&sim->ends);
    orr_calendar_clear(&sim->timers);
    ori_groups_clear(sim);
    if (sim->has_processors)
        ori_processors_clear(&sim->processors);
    if (sim->record)
        orr_schedule_clear(&sim->schedule);
    sim->now = sim->in->first_submission;
    memset(&sim->totals, 0, sizeof sim->totals);
    sim->running = sim->held = sim->over = sim->submitted = 0;
    sim->told = sim->started_count = sim->fruitless = sim->wakes = 0;
    sim->moves = 0;
    sim->news_count = 0;
    sim->last_end = 0;
    sim->introduced = true;
    sim->stopped = sim->changed = sim->disturbed = false;
    sim->failure.status = ORR_OK;
}

orr_status ori_rigid_check_idle(const orr_rigid *sim, const char *what, orr_error *err)
{
    if (!sim->busy)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT,
                    "policy %s: a simulation cannot be %s from inside its own policy",
                    sim->policy.name, what);
}

orr_rigid *ori_rigid_allocate(const orr_allocator *given, orr_error *err)
{
    orr_allocator a = orr_allocator_or_default(given);
    orr_rigid *sim = orr_calloc(&a, 1, sizeof *sim);
    if (!sim) {
        orr_fail_memory(err, sizeof *sim);
        return NULL;
    }
    sim->alloc = a;
    sim->situation.deciding = -1;
    sim->submitting = -1;
    return sim;
}

orr_rigid *orr_rigid_create(const orr_rigid_setup *setup, orr_error *err)
{
    orr_rigid *sim = ori_rigid_allocate(setup->alloc, err);
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
    orr_status status = ori_rigid_create_parts(sim, setup->node_failures, err);
    if (status == ORR_OK)
        status = ori_groups_rank_workload(sim, setup->priorities, err);
    if (status != ORR_OK) {
        orr_rigid_destroy(sim);
        return NULL;
    }
    ori_rigid_forget_run(sim);
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
    ori_processors_destroy(&sim->processors);
    ori_outages_destroy(&sim->outages);
    orr_release(&sim->alloc, sim->started, sim->lists * sizeof *sim->started);
    orr_release(&sim->alloc, sim->retried, sim->lists * sizeof *sim->retried);
    ori_groups_destroy(sim);
    ori_sorter_destroy(&sim->sorter);
    orr_calendar_destroy(&sim->timers);
    orr_calendar_destroy(&sim->ends);
    orr_release(&sim->alloc, sim->block, sim->block_size);
    orr_allocator a = sim->alloc;
    orr_release(&a, sim, sizeof *sim);
}

/* --- scenarios ------------------------------------------------------------------------------ */

orr_status ori_rigid_make_state(orr_rigid *sim, orr_error *err)
{
    free_policy_state(sim);
    if (!sim->policy.make_state)
        return ORR_OK;
    ori_situation here = {.hook = "make_state", .deciding = -1};
    ori_situation before = ori_situation_begin(sim, here, err);
    orr_status status = sim->policy.make_state(sim->policy.user, sim, &sim->policy_state, err);
    sim->has_policy_state = status == ORR_OK;
    return ori_situation_end(sim, before, sim->policy.name, status, err);
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
    orr_status status = ori_rigid_check_idle(sim, "reset", err);
    if (status != ORR_OK)
        return status;
    sim->begun = false;
    status = set_failures(sim, failures, err);
    if (status != ORR_OK)
        return status;
    ori_rigid_forget_run(sim);
    sim->scenario = scenario;
    sim->rng =
        orr_stream_open(orr_stream_key_make(sim->seed, sim->set, scenario, ORR_PURPOSE_POLICY), 0);
    if (sim->outages.any)
        status = ori_outages_reset(&sim->outages, sim->seed, sim->set, scenario, err);
    sim->busy = true;
    if (status == ORR_OK)
        status = ori_rigid_make_state(sim, err);
    if (status == ORR_OK)
        status = ori_groups_rank_scenario(sim, err);
    sim->busy = false;
    sim->begun = status == ORR_OK;
    return status;
}

/* --- copies --------------------------------------------------------------------------------- */

orr_status ori_rigid_copy_state(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    const orr_rigid_policy *p = &from->policy;
    if (!from->has_policy_state || !p->copy_state)
        return ORR_OK;
    ori_policy_begin(err);
    orr_status status = p->copy_state(p->user, from->policy_state, &to->policy_state, err);
    to->has_policy_state = status == ORR_OK;
    return ori_policy_end(p->name, "copy_state", status, err);
}

static orr_status copy_parts(orr_rigid *to, const orr_rigid *from, orr_error *err)
{
    to->raw = true;
    orr_status status =
        ori_rigid_create_parts(to, from->outages.any ? &from->outages.setup : NULL, err);
    to->raw = false;
    if (status == ORR_OK && from->acts)
        status = orr_calendar_reserve(&to->timers, from->timers.count, err);
    if (status == ORR_OK && from->outages.any)
        status = ori_outages_copy(&to->outages, &from->outages, err);
    if (status == ORR_OK && from->record)
        status = orr_schedule_copy(&to->schedule, &from->schedule, err);
    if (status != ORR_OK)
        return status;
    memcpy(to->block, from->block, from->block_size);
    orr_calendar_copy(&to->ends, &from->ends);
    if (from->acts)
        orr_calendar_copy(&to->timers, &from->timers);
    ori_groups_copy(to, from);
    if (from->has_processors)
        ori_processors_copy(&to->processors, &from->processors);
    return ori_rigid_copy_state(to, from, err);
}

/* What is plain data between two instants. */
void ori_rigid_copy_fields(orr_rigid *to, const orr_rigid *from)
{
    to->in = from->in;
    to->jobs = from->jobs;
    to->policy = from->policy;
    to->rng = from->rng;
    to->seed = from->seed;
    to->set = from->set;
    to->scenario = from->scenario;
    to->cancel = from->cancel;
    to->trap = from->trap;
    to->record = from->record;
    to->plain = from->plain;
    to->opened = from->opened;
    to->disturbed = from->disturbed;
    to->introduced = from->introduced;
    to->news_count = from->news_count;
    to->last_end = from->last_end;
    to->now = from->now;
    to->begun = from->begun;
    to->fails = from->fails;
    to->stopped = from->stopped;
    to->totals = from->totals;
    to->moves = from->moves;
    to->running = from->running;
    to->held = from->held;
    to->over = from->over;
    to->submitted = from->submitted;
    to->fruitless = from->fruitless;
    to->wakes = from->wakes;
}

orr_rigid *orr_rigid_copy(const orr_rigid *sim, orr_error *err)
{
    orr_rigid *copy = ori_rigid_allocate(&sim->alloc, err);
    if (!copy)
        return NULL;
    ori_rigid_copy_fields(copy, sim);
    if (ori_rigid_check_idle(sim, "copied", err) != ORR_OK ||
        copy_parts(copy, sim, err) != ORR_OK) {
        orr_rigid_destroy(copy);
        return NULL;
    }
    return copy;
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
                     .cancelled = sim->cancelled,
                     .left_out = sim->left_out,
                     .past = sim->past,
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
