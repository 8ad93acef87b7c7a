/* The memory of a simulation: its parts are laid out, cleared, copied and given back here, and
 * nothing is simulated. A file of its own because all rules stand above it. */
#include "rigid/state_internal.h"

#include "rigid/groups_internal.h"
#include "rigid/hooks_internal.h"

#include <string.h>

/* --- creation --------------------------------------------------------------------------------- */

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
    sim->acts = custom || ori_policy_has_events(p) || sim->opened;
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

orr_status ori_rigid_create_parts(orr_rigid *sim, const orr_rigid_node_failures *failures,
                                  orr_error *err)
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

void ori_rigid_release(orr_rigid *sim)
{
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

/* --- the beginning of a scenario -------------------------------------------------------------- */

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

/* --- copies ----------------------------------------------------------------------------------- */

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

orr_status ori_rigid_copy_parts(orr_rigid *to, const orr_rigid *from, orr_error *err)
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
    return ORR_OK;
}

/* --- for everybody ---------------------------------------------------------------------------- */

orr_status ori_rigid_broken(const orr_rigid *sim, const char *invariant, const char *file, int line,
                            orr_error *err)
{
    orr_trap_report report = {invariant, file, line, sim->seed, (int64_t)sim->scenario, sim->now};
    return ori_broken(&sim->trap, &report, err);
}

orr_status ori_rigid_check_idle(const orr_rigid *sim, const char *what, orr_error *err)
{
    if (!sim->busy)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_ARGUMENT,
                    "policy %s: a simulation cannot be %s from inside its own policy",
                    sim->policy.name, what);
}

void ori_rigid_skip_submitted(orr_rigid *sim)
{
    while (sim->submitted < sim->in->count &&
           sim->state[sim->in->by_submission[sim->submitted]] != ORR_JOB_PENDING)
        sim->submitted++;
}
