/* Nodes that fail: sources of outages, and what an outage does to a simulation. */
#include "rigid/state_internal.h"

#include <string.h>

/* --- sources -------------------------------------------------------------------------------- */

static bool is_given(const ori_outages *o)
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

static orr_status create_source(ori_outages *o, orr_error *err)
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

orr_status ori_outages_create(ori_outages *o, const orr_node_failures *setup,
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
    o->procs = o->law_procs = in->procs;
    o->origin = in->first_submission;
    size_t procs = (size_t)in->procs;
    o->repaired = orr_calloc(&o->alloc, procs, sizeof *o->repaired);
    o->failed = orr_calloc(&o->alloc, procs, sizeof *o->failed);
    o->away = orr_calloc(&o->alloc, procs, sizeof *o->away);
    o->victims = orr_calloc(&o->alloc, procs, sizeof *o->victims);
    if (!o->repaired || !o->failed || !o->away || !o->victims)
        return orr_fail_memory(err, procs * (3 * sizeof *o->repaired + sizeof *o->victims));
    status = orr_calendar_create(&o->repairs, 64, &o->alloc, err);
    return status == ORR_OK && !is_given(o) ? create_source(o, err) : status;
}

void ori_outages_destroy(ori_outages *o)
{
    orr_faults_destroy(o->source);
    orr_calendar_destroy(&o->repairs);
    orr_release(&o->alloc, o->repaired, (size_t)o->procs * sizeof *o->repaired);
    orr_release(&o->alloc, o->failed, (size_t)o->procs * sizeof *o->failed);
    orr_release(&o->alloc, o->away, (size_t)o->procs * sizeof *o->away);
    orr_release(&o->alloc, o->victims, (size_t)o->procs * sizeof *o->victims);
    o->source = NULL;
    o->repaired = o->failed = o->away = NULL;
    o->victims = NULL;
}

orr_status ori_outages_reset(ori_outages *o, uint64_t seed, uint64_t set, uint64_t scenario,
                             orr_error *err)
{
    orr_calendar_clear(&o->repairs);
    memset(o->failed, 0, (size_t)o->procs * sizeof *o->failed);
    if (o->draining)
        memset(o->away, 0, (size_t)o->procs * sizeof *o->away);
    o->taken = 0;
    o->lent_count = o->retired = 0;
    o->draining = false;
    return o->source ? orr_faults_reset(o->source, seed, set, scenario, err) : ORR_OK;
}

orr_status ori_outages_copy(ori_outages *to, const ori_outages *from, orr_error *err)
{
    orr_status status = orr_calendar_reserve(&to->repairs, from->repairs.count, err);
    if (status != ORR_OK)
        return status;
    orr_calendar_copy(&to->repairs, &from->repairs);
    size_t procs = (size_t)from->procs;
    memcpy(to->repaired, from->repaired, procs * sizeof *from->repaired);
    memcpy(to->failed, from->failed, procs * sizeof *from->failed);
    memcpy(to->away, from->away, procs * sizeof *from->away);
    memcpy(to->lent, from->lent, sizeof from->lent);
    to->lent_count = from->lent_count;
    to->retired = from->retired;
    to->draining = from->draining;
    to->origin = from->origin;
    to->law_procs = from->law_procs;
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
static double next_failure(const ori_outages *o)
{
    if (!is_given(o))
        return o->origin + orr_faults_peek(o->source).time;
    if (o->taken == o->setup.outage_count)
        return INFINITY;
    return later(o->setup.outages[o->taken].time, o->origin);
}

double ori_outages_next(const ori_outages *o)
{
    double next = next_failure(o);
    const orr_event *repair = orr_calendar_peek(&o->repairs);
    if (o->lent_count > 0 && o->lent[0].time < next)
        next = o->lent[0].time;
    return repair && repair->time < next ? repair->time : next;
}

/* Takes the next failure. */
static orr_status take(ori_outages *o, orr_outage *outage, orr_error *err)
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
    outage->count = size < o->law_procs - outage->first ? size : o->law_procs - outage->first;
    return orr_faults_take(o->source, err);
}

/* --- what they do --------------------------------------------------------------------------- */

static bool is_out(const orr_rigid *sim, int32_t processor)
{
    return sim->processors.holder[processor] == ORI_HELD_BY_REPAIR;
}

static orr_status too_often(const orr_rigid *sim, int32_t job, int32_t attempts, orr_error *err)
{
    const orr_jobs *jobs = sim->jobs;
    return orr_fail(
        err, ORR_ERR_LIMIT,
        "job %s (%d processors for %.10g s) has begun %d times by time %.17g, the limit, "
        "and failures of nodes end it again and again: it may never run through. Let "
        "nodes fail less often, leave it out, or raise max_attempts",
        orr_jobs_id(jobs, job), (int)jobs->procs[job], jobs->time[job], (int)attempts, sim->now);
}

/* Ends the attempts that hold any of these processors; returns how many there were. */
static orr_status strike(orr_rigid *sim, const orr_outage *outage, int32_t *count, orr_error *err)
{
    *count = 0;
    for (int32_t p = outage->first; p < outage->first + outage->count; p++) {
        int32_t job = sim->processors.holder[p];
        if (job < 0)
            continue;
        orr_status status = ori_rigid_interrupt(sim, job, ORR_NODE_FAILED, err);
        if (status != ORR_OK)
            return status;
        int32_t attempts = sim->attempts[job] + sim->interrupted[job];
        if (sim->outages.setup.max_attempts > 0 && attempts >= sim->outages.setup.max_attempts)
            return too_often(sim, job, attempts, err);
        sim->outages.victims[(*count)++] = job;
    }
    return ORR_OK;
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static bool alike(const orr_rigid *sim, int32_t p, int32_t q)
{
    const ori_outages *o = &sim->outages;
    return is_out(sim, p) == is_out(sim, q) &&
           (!is_out(sim, p) || o->repaired[p] == o->repaired[q]) && o->failed[p] == o->failed[q] &&
           o->away[p] == o->away[q];
}

/* The processors behind `low` that are in the same state, up to `end`. */
int32_t ori_rigid_run_end(const orr_rigid *sim, int32_t low, int32_t end)
{
    int32_t p = low + 1;
    while (p < end && alike(sim, low, p))
        p++;
    return p;
}

/* Processors low .. end - 1 of a group, all free or all out until the same time, are out as long as
 * failures and drains say now. */
void ori_rigid_update_run(orr_rigid *sim, ori_group *g, int32_t low, int32_t end)
{
    ori_outages *o = &sim->outages;
    int32_t count = end - low;
    bool before = is_out(sim, low);
    double until = later(o->failed[low], o->away[low]);
    if (before && until == o->repaired[low] && until > sim->now)
        return;
    if (before && g->has_planned)
        ori_ends_remove(&g->planned, o->repaired[low], count);
    int32_t more = (until > sim->now) - before; /* out than before: -1, 0 or 1 times count */
    if (more > 0)
        ori_processors_fail(&sim->processors, g->index, low, end - 1);
    if (more < 0)
        ori_processors_repair(&sim->processors, g->index, low, end - 1);
    g->free -= more * count;
    g->down += more * count;
    for (int32_t p = low; p < end; p++)
        o->repaired[p] = until;
    if (until > sim->now && g->has_planned)
        ori_ends_add(&g->planned, until, count);
    if (until > sim->now)
        g->kept = false;
}

/* An outage may concern several groups, and processors that are out already. */
static void put_all_out(orr_rigid *sim, const orr_outage *outage)
{
    double *failed = sim->outages.failed;
    int32_t last = outage->first + outage->count;
    for (int32_t i = 0; i < sim->group_count; i++) {
        ori_group *g = &sim->groups[i];
        int32_t low = outage->first > g->first ? outage->first : g->first;
        int32_t end = smaller(last, g->first + g->procs);
        while (low < end) {
            int32_t next = ori_rigid_run_end(sim, low, end);
            for (int32_t p = next - 1; p >= low; p--)
                failed[p] = later(failed[p], outage->repaired);
            ori_rigid_update_run(sim, g, low, next);
            low = next;
        }
    }
}

orr_status ori_rigid_plan_repair(ori_outages *o, const orr_outage *outage, orr_error *err)
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
        status = ori_rigid_enqueue(sim, victims[i], err);
    for (int32_t i = 0; status == ORR_OK && sim->policy.on_end && i < count; i++)
        if (sim->changing)
            ori_rigid_note_end(sim, victims[i], ORR_NODE_FAILED);
        else
            status = ori_rigid_on_end(sim, victims[i], ORR_NODE_FAILED, err);
    return status;
}

orr_status ori_rigid_fail_processors(orr_rigid *sim, const orr_outage *outage, int32_t *count,
                                     orr_error *err)
{
    int32_t struck;
    orr_status status = strike(sim, outage, &struck, err);
    if (count)
        *count = struck;
    if (status != ORR_OK)
        return status;
    if (sim->record)
        status = orr_schedule_outage(&sim->schedule, outage, ORR_OUTAGE_FAILURE, err);
    if (status == ORR_OK && outage->repaired > sim->now) {
        put_all_out(sim, outage);
        status = ori_rigid_plan_repair(&sim->outages, outage, err);
    }
    return status == ORR_OK ? put_back(sim, struck, err) : status;
}

/* A drawn node that is down does not fail. */
static orr_status fail_nodes(orr_rigid *sim, const orr_outage *outage, orr_error *err)
{
    if (!is_given(&sim->outages) && is_out(sim, outage->first))
        return ORR_OK;
    return ori_rigid_fail_processors(sim, outage, NULL, err);
}

/* Processors that were drained until now are in service again. */
static void end_drain(orr_rigid *sim, ori_group *g, int32_t low, int32_t end)
{
    int32_t count = end - low;
    if (sim->outages.away[low] != sim->now)
        return;
    g->drained -= count;
    if (is_out(sim, low)) {
        g->left -= count;
        orr_totals_absent_now(&sim->totals, sim->in, -count, sim->now, sim->last_end);
    }
    for (int32_t p = low; p < end; p++)
        sim->outages.away[p] = 0;
}

/* Processors that were to be repaired now, unless another outage has put that off. */
static void repair(orr_rigid *sim, ori_group *g, int32_t low, int32_t end)
{
    while (low < end) {
        int32_t next = ori_rigid_run_end(sim, low, end);
        end_drain(sim, g, low, next);
        if (is_out(sim, low) && sim->outages.repaired[low] == sim->now)
            ori_rigid_update_run(sim, g, low, next);
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
            ori_group *g = &sim->groups[i];
            repair(sim, g, first > g->first ? first : g->first, smaller(last, g->first + g->procs));
        }
    }
}

orr_status ori_rigid_apply_outages(orr_rigid *sim, orr_error *err)
{
    apply_repairs(sim);
    orr_status status = ori_rigid_apply_lendings(sim, err);
    while (status == ORR_OK && next_failure(&sim->outages) == sim->now) {
        orr_outage outage;
        status = take(&sim->outages, &outage, err);
        if (status == ORR_OK)
            status = fail_nodes(sim, &outage, err);
    }
    return status;
}
