/* Nodes that fail: sources of outages, and what an outage does to a simulation. */
#include "rigid/engine_internal.h"

#include <string.h>

/* --- sources -------------------------------------------------------------------------------- */

static bool is_given(const orr_outages *o)
{
    return o->setup.law == ORR_FAULTS_LOG;
}

static orr_status check_outage(const orr_node_failures *s, int64_t i, int32_t procs, orr_error *err)
{
    const orr_outage *outage = &s->outages[i];
    double least = i == 0 ? 0 : s->outages[i - 1].time;
    if (!(outage->time >= least && outage->time < INFINITY))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "node failure %lld: its time must be finite and at least %.17g, it is "
                        "%.17g",
                        (long long)i + 1, least, outage->time);
    if (!(outage->repaired >= outage->time && outage->repaired < INFINITY))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "node failure %lld at %.17g: it must be repaired at a finite time that is "
                        "no earlier, not at %.17g",
                        (long long)i + 1, outage->time, outage->repaired);
    if (outage->first < 0 || outage->count < 1 || outage->first > procs - outage->count)
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "node failure %lld at %.17g: %d processors from %d on are not among 0 to "
                        "%d",
                        (long long)i + 1, outage->time, (int)outage->count, (int)outage->first,
                        (int)procs - 1);
    return ORR_OK;
}

static orr_status check_setup(const orr_node_failures *s, int32_t procs, orr_error *err)
{
    orr_status status = ORR_OK;
    if (s->law == ORR_FAULTS_LOG) {
        for (int64_t i = 0; status == ORR_OK && i < s->outage_count; i++)
            status = check_outage(s, i, procs, err);
        return status;
    }
    if (!(s->repair >= 0 && s->repair < INFINITY))
        return orr_fail(err, ORR_ERR_ARGUMENT,
                        "the repair of a node must take a finite number of seconds >= 0, not %g",
                        s->repair);
    if (s->node_procs < 1)
        return orr_fail(err, ORR_ERR_ARGUMENT, "a node has at least 1 processor, not %d",
                        (int)s->node_procs);
    return ORR_OK;
}

static orr_status create_source(orr_outages *o, orr_error *err)
{
    const orr_node_failures *s = &o->setup;
    orr_faults_setup faults = {
        .law = s->law,
        .procs = (int32_t)(((int64_t)o->procs + s->node_procs - 1) / s->node_procs),
        .mtbf = s->mtbf,
        .shape = s->shape,
        .alloc = &o->alloc};
    o->source = orr_faults_create(&faults, err);
    return o->source ? ORR_OK : err->status;
}

orr_status orr_outages_create(orr_outages *o, const orr_node_failures *setup,
                              const orr_instance *in, const orr_allocator *a, orr_error *err)
{
    memset(o, 0, sizeof *o);
    o->alloc = orr_allocator_or_default(a);
    o->repairs.alloc = o->alloc;
    if (!setup || setup->law == ORR_FAULTS_NONE)
        return ORR_OK;
    orr_status status = check_setup(setup, in->procs, err);
    if (status != ORR_OK)
        return status;
    o->any = true;
    o->setup = *setup;
    o->procs = in->procs;
    o->origin = in->first_submission;
    size_t procs = (size_t)in->procs;
    o->repaired = orr_calloc(&o->alloc, procs, sizeof *o->repaired);
    o->victims = orr_calloc(&o->alloc, procs, sizeof *o->victims);
    if (!o->repaired || !o->victims)
        return orr_fail_memory(err, procs * (sizeof *o->repaired + sizeof *o->victims));
    status = orr_calendar_create(&o->repairs, 64, &o->alloc, err);
    return status == ORR_OK && !is_given(o) ? create_source(o, err) : status;
}

void orr_outages_destroy(orr_outages *o)
{
    orr_faults_destroy(o->source);
    orr_calendar_destroy(&o->repairs);
    orr_release(&o->alloc, o->repaired, (size_t)o->procs * sizeof *o->repaired);
    orr_release(&o->alloc, o->victims, (size_t)o->procs * sizeof *o->victims);
    o->source = NULL;
    o->repaired = NULL;
    o->victims = NULL;
}

orr_status orr_outages_reset(orr_outages *o, uint64_t seed, uint64_t set, uint64_t scenario,
                             orr_error *err)
{
    orr_calendar_clear(&o->repairs);
    o->taken = 0;
    return o->source ? orr_faults_reset(o->source, seed, set, scenario, err) : ORR_OK;
}

orr_status orr_outages_copy(orr_outages *to, const orr_outages *from, orr_error *err)
{
    orr_status status = orr_calendar_reserve(&to->repairs, from->repairs.count, err);
    if (status != ORR_OK)
        return status;
    orr_calendar_copy(&to->repairs, &from->repairs);
    memcpy(to->repaired, from->repaired, (size_t)from->procs * sizeof *from->repaired);
    to->taken = from->taken;
    if (!from->source)
        return ORR_OK;
    orr_faults_destroy(to->source);
    to->source = orr_faults_copy(from->source, err);
    return to->source ? ORR_OK : err->status;
}

static double later(double a, double b)
{
    return b > a ? b : a;
}

/* What is out when the first job comes fails then. */
static double next_failure(const orr_outages *o)
{
    if (!is_given(o))
        return o->origin + orr_faults_peek(o->source).time;
    if (o->taken == o->setup.outage_count)
        return INFINITY;
    return later(o->setup.outages[o->taken].time, o->origin);
}

double orr_outages_next(const orr_outages *o)
{
    double failure = next_failure(o);
    const orr_event *repair = orr_calendar_peek(&o->repairs);
    return repair && repair->time < failure ? repair->time : failure;
}

/* Takes the next failure. */
static orr_status take(orr_outages *o, orr_outage *outage, orr_error *err)
{
    if (is_given(o)) {
        *outage = o->setup.outages[o->taken++];
        outage->time = later(outage->time, o->origin);
        outage->repaired = later(outage->repaired, o->origin);
        return ORR_OK;
    }
    int32_t size = o->setup.node_procs;
    orr_fault fault = orr_faults_peek(o->source);
    outage->time = o->origin + fault.time;
    outage->repaired = outage->time + o->setup.repair;
    outage->first = fault.processor * size;
    outage->count = size < o->procs - outage->first ? size : o->procs - outage->first;
    return orr_faults_take(o->source, err);
}

/* --- what they do --------------------------------------------------------------------------- */

static bool is_out(const orr_rigid *sim, int32_t processor)
{
    return sim->processors.holder[processor] == ORR_HELD_BY_REPAIR;
}

/* Ends the attempts that hold any of these processors; returns how many there were. */
static orr_status strike(orr_rigid *sim, const orr_outage *outage, int32_t *count, orr_error *err)
{
    *count = 0;
    for (int32_t p = outage->first; p < outage->first + outage->count; p++) {
        int32_t job = sim->processors.holder[p];
        if (job < 0)
            continue;
        orr_status status = orr_rigid_interrupt(sim, job, ORR_NODE_FAILED, err);
        if (status != ORR_OK)
            return status;
        sim->outages.victims[(*count)++] = job;
    }
    return ORR_OK;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The processors behind `low` that are in the same state, up to `end`. */
static int32_t run_end(const orr_rigid *sim, int32_t low, int32_t end)
{
    int32_t p = low + 1;
    while (p < end && is_out(sim, p) == is_out(sim, low) &&
           (!is_out(sim, low) || sim->outages.repaired[p] == sim->outages.repaired[low]))
        p++;
    return p;
}

/* Processors low .. end - 1 of a group, all free or all out until the same time, are out until
 * `repaired` at least. */
static void put_out(orr_rigid *sim, orr_group *g, int32_t low, int32_t end, double repaired)
{
    int32_t count = end - low;
    double before = sim->outages.repaired[low];
    if (is_out(sim, low)) {
        if (before >= repaired)
            return;
        if (g->has_planned)
            orr_ends_remove(&g->planned, before, count);
    } else {
        orr_processors_fail(&sim->processors, g->index, low, end - 1);
        g->free -= count;
        g->down += count;
    }
    for (int32_t p = low; p < end; p++)
        sim->outages.repaired[p] = repaired;
    if (g->has_planned)
        orr_ends_add(&g->planned, repaired, count);
    g->kept = false;
}

/* An outage may concern several groups, and processors that are out already. */
static void put_all_out(orr_rigid *sim, const orr_outage *outage)
{
    int32_t last = outage->first + outage->count;
    for (int32_t i = 0; i < sim->group_count; i++) {
        orr_group *g = &sim->groups[i];
        int32_t low = outage->first > g->first ? outage->first : g->first;
        int32_t end = smaller(last, g->first + g->procs);
        while (low < end) {
            int32_t next = run_end(sim, low, end);
            put_out(sim, g, low, next, outage->repaired);
            low = next;
        }
    }
}

static orr_status plan_repair(orr_outages *o, const orr_outage *outage, orr_error *err)
{
    orr_calendar *c = &o->repairs;
    if (c->count == c->capacity) {
        orr_status status = orr_calendar_reserve(c, 2 * c->capacity, err);
        if (status != ORR_OK)
            return status;
    }
    orr_calendar_push(c, outage->repaired, 0, (int64_t)outage->first << 32 | outage->count);
    return ORR_OK;
}

/* Puts the struck jobs back into their queues, and tells the policy. */
static orr_status put_back(orr_rigid *sim, int32_t count, orr_error *err)
{
    const int32_t *victims = sim->outages.victims;
    orr_status status = ORR_OK;
    for (int32_t i = 0; status == ORR_OK && i < count; i++)
        status = orr_rigid_enqueue(sim, victims[i], err);
    for (int32_t i = 0; status == ORR_OK && sim->policy.on_end && i < count; i++)
        status = orr_rigid_on_end(sim, victims[i], ORR_NODE_FAILED, err);
    return status;
}

static orr_status fail_nodes(orr_rigid *sim, const orr_outage *outage, orr_error *err)
{
    int32_t struck;
    if (!is_given(&sim->outages) && is_out(sim, outage->first))
        return ORR_OK;
    orr_status status = strike(sim, outage, &struck, err);
    if (status != ORR_OK)
        return status;
    if (sim->record)
        status = orr_schedule_outage(&sim->schedule, outage, err);
    if (status == ORR_OK && outage->repaired > sim->now) {
        put_all_out(sim, outage);
        status = plan_repair(&sim->outages, outage, err);
    }
    return status == ORR_OK ? put_back(sim, struck, err) : status;
}

/* Processors that were to be repaired now, unless another outage has put that off. */
static void repair(orr_rigid *sim, orr_group *g, int32_t low, int32_t end)
{
    while (low < end) {
        int32_t next = run_end(sim, low, end), count = next - low;
        if (is_out(sim, low) && sim->outages.repaired[low] == sim->now) {
            orr_processors_repair(&sim->processors, g->index, low, next - 1);
            if (g->has_planned)
                orr_ends_remove(&g->planned, sim->now, count);
            g->free += count;
            g->down -= count;
        }
        low = next;
    }
}

static void apply_repairs(orr_rigid *sim)
{
    orr_calendar *repairs = &sim->outages.repairs;
    while (repairs->count > 0 && orr_calendar_peek(repairs)->time == sim->now) {
        int64_t what = orr_calendar_pop(repairs).payload;
        int32_t first = (int32_t)(what >> 32), last = first + (int32_t)(what & INT32_MAX);
        for (int32_t i = 0; i < sim->group_count; i++) {
            orr_group *g = &sim->groups[i];
            repair(sim, g, first > g->first ? first : g->first, smaller(last, g->first + g->procs));
        }
    }
}

orr_status orr_rigid_apply_outages(orr_rigid *sim, orr_error *err)
{
    apply_repairs(sim);
    orr_status status = ORR_OK;
    while (status == ORR_OK && next_failure(&sim->outages) == sim->now) {
        orr_outage outage;
        status = take(&sim->outages, &outage, err);
        if (status == ORR_OK)
            status = fail_nodes(sim, &outage, err);
    }
    return status;
}
