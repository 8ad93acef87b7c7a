/* Where outages come from: failures of nodes that are drawn or given, and the repairs that are
 * due. What an outage does to a simulation is in outages.c. */
#include "rigid/outage_source_internal.h"

#include "base/try_internal.h"
#include "workload/faults_internal.h"

#include <string.h>

bool ori_outages_are_given(const ori_outages *o)
{
    return o->setup.law == ORR_FAULTS_LOG;
}

static orr_status check_outage(const orr_rigid_node_failures *s, int64_t i, int32_t procs,
                               orr_error *err)
{
    const orr_outage *outage = &s->outages[i];
    double least = i == 0 ? 0 : s->outages[i - 1].time;
    ORI_REFUSE(!(outage->time >= least && outage->time < INFINITY), err,
               "node failure %lld: its time must be finite and at least %.17g, it is %.17g",
               (long long)i + 1, least, outage->time);
    ORI_REFUSE(!(outage->repaired >= outage->time && outage->repaired < INFINITY), err,
               "node failure %lld at %.17g: it must be repaired at a finite time that is "
               "no earlier, not at %.17g",
               (long long)i + 1, outage->time, outage->repaired);
    ORI_REFUSE(outage->first < 0 || outage->count < 1 || outage->first > procs - outage->count, err,
               "node failure %lld at %.17g: %d processors from %d on are not among 0 to %d",
               (long long)i + 1, outage->time, (int)outage->count, (int)outage->first,
               (int)procs - 1);
    return ORR_OK;
}

static orr_status check_setup(const orr_rigid_node_failures *s, int32_t procs, orr_error *err)
{
    if (s->law == ORR_FAULTS_LOG) {
        for (int64_t i = 0; i < s->outage_count; i++)
            ORI_TRY(check_outage(s, i, procs, err));
        return ORR_OK;
    }
    ORI_REFUSE(!(s->repair >= 0 && s->repair < INFINITY), err,
               "the repair of a node must take a finite number of seconds >= 0, not %g", s->repair);
    ORI_REFUSE(s->node_procs < 1, err, "a node has at least 1 processor, not %d",
               (int)s->node_procs);
    return ORR_OK;
}

static orr_status create_source(ori_outages *o, orr_error *err)
{
    orr_error own; /* the status stands in the error only */
    err = err ? err : &own;
    const orr_rigid_node_failures *s = &o->setup;
    orr_faults_setup faults = {
        .law = s->law,
        .procs = (int32_t)(((int64_t)o->procs + s->node_procs - 1) / s->node_procs),
        .mtbf = s->mtbf,
        .shape = s->shape,
        .alloc = &o->alloc};
    o->source = orr_faults_create(&faults, err);
    return o->source ? ORR_OK : err->status;
}

orr_status ori_outages_create(ori_outages *o, const orr_rigid_node_failures *given,
                              const orr_instance *in, const orr_allocator *a, orr_error *err)
{
    memset(o, 0, sizeof *o);
    o->alloc = orr_allocator_or_default(a);
    o->repairs.alloc = o->alloc;
    if (!given)
        return ORR_OK;
    ORI_TRY(ORI_TAKE(&o->setup, given, orr_rigid_node_failures, err));
    if (o->setup.law == ORR_FAULTS_NONE)
        return ORR_OK;
    ORI_TRY(check_setup(&o->setup, in->procs, err));
    o->any = true;
    o->procs = o->at.law_procs = in->procs;
    o->at.origin = in->first_submission;
    size_t procs = (size_t)in->procs;
    const ori_part parts[] = {ORI_PART(o->down_until, procs), ORI_PART(o->failed_until, procs),
                              ORI_PART(o->drained_until, procs), ORI_PART(o->victims, procs)};
    ORI_TRY(ORI_BLOCK_CREATE(&o->block, parts, ORI_ZEROED, &o->alloc, err));
    ORI_TRY(ori_calendar_create(&o->repairs, 64, &o->alloc, err));
    return ori_outages_are_given(o) ? ORR_OK : create_source(o, err);
}

void ori_outages_destroy(ori_outages *o)
{
    orr_faults_destroy(o->source);
    ori_calendar_destroy(&o->repairs);
    ori_block_destroy(&o->block, &o->alloc);
    o->source = NULL;
}

orr_status ori_outages_reset(ori_outages *o, uint64_t seed, uint64_t set, uint64_t scenario,
                             orr_error *err)
{
    ori_calendar_clear(&o->repairs);
    memset(o->failed_until, 0, (size_t)o->procs * sizeof *o->failed_until);
    if (o->at.draining)
        memset(o->drained_until, 0, (size_t)o->procs * sizeof *o->drained_until);
    o->at.taken = 0;
    o->at.lent_count = o->at.retired = 0;
    o->at.draining = false;
    return o->source ? orr_faults_reset(o->source, seed, set, scenario, err) : ORR_OK;
}

orr_status ori_outages_copy(ori_outages *to, const ori_outages *from, orr_error *err)
{
    ORI_TRY(ori_calendar_reserve(&to->repairs, from->repairs.count, err));
    ori_calendar_copy(&to->repairs, &from->repairs);
    size_t procs = (size_t)from->procs;
    memcpy(to->down_until, from->down_until, procs * sizeof *from->down_until);
    memcpy(to->failed_until, from->failed_until, procs * sizeof *from->failed_until);
    memcpy(to->drained_until, from->drained_until, procs * sizeof *from->drained_until);
    to->at = from->at;
    if (!from->source)
        return ORR_OK;
    orr_faults_destroy(to->source);
    to->source = ori_faults_copy(from->source, err);
    return to->source ? ORR_OK : ORR_ERR_MEMORY;
}

/* --- what comes next -------------------------------------------------------------------------- */

/* What is down when the first job comes fails then. */
double ori_outages_next_failure(const ori_outages *o)
{
    if (!ori_outages_are_given(o))
        return o->at.origin + orr_faults_peek(o->source).time;
    if (o->at.taken == o->setup.outage_count)
        return INFINITY;
    return ori_later(o->setup.outages[o->at.taken].time, o->at.origin);
}

double ori_outages_next(const ori_outages *o)
{
    double next = ori_outages_next_failure(o);
    const ori_event *repair = ori_calendar_peek(&o->repairs);
    if (o->at.lent_count > 0 && o->at.lent[0].time < next)
        next = o->at.lent[0].time;
    return repair && repair->time < next ? repair->time : next;
}

/* Takes the next failure. */
orr_status ori_outages_take(ori_outages *o, orr_outage *outage, orr_error *err)
{
    if (ori_outages_are_given(o)) {
        *outage = o->setup.outages[o->at.taken++];
        outage->time = ori_later(outage->time, o->at.origin);
        outage->repaired = ori_later(outage->repaired, o->at.origin);
        return ORR_OK;
    }
    int32_t size = o->setup.node_procs;
    orr_fault fault = orr_faults_peek(o->source);
    outage->time = o->at.origin + fault.time;
    outage->repaired = outage->time + o->setup.repair;
    outage->first = fault.processor * size;
    outage->count = size < o->at.law_procs - outage->first ? size : o->at.law_procs - outage->first;
    return orr_faults_take(o->source, err);
}

orr_status ori_outages_plan_repair(ori_outages *o, const orr_outage *outage, orr_error *err)
{
    ori_calendar *c = &o->repairs;
    if (c->count == c->capacity)
        ORI_TRY(ori_calendar_reserve(c, 2 * c->capacity, err));
    ori_calendar_push(c, outage->repaired, 0, (int64_t)outage->first << 32 | outage->count);
    return ORR_OK;
}
