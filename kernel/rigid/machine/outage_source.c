/* The sources of outages: failures of nodes, drawn or given, and repairs. The effects of outages on
 * a simulation are in outages.c. */
#include "rigid/machine/outage_source_internal.h"

#include "base/api_internal.h"
#include "base/print_internal.h"
#include "base/try_internal.h"
#include "rigid/machine/scenario_internal.h"
#include "workload/fault_law_internal.h"
#include "workload/faults_internal.h"
#include "workload/nodes_internal.h"

#include <math.h>
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
    ORI_REFUSE(!(outage->repaired >= outage->time), err,
               "node failure %lld at %.17g: it must be repaired at a time that is no earlier, not "
               "at %.17g",
               (long long)i + 1, outage->time, outage->repaired);
    ORI_REFUSE(s->outage_kinds && s->outage_kinds[i] != ORR_OUTAGE_FAILURE &&
                   s->outage_kinds[i] != ORR_OUTAGE_DRAINED,
               err, "node failure %lld at %.17g: there is no kind %d of outages that are given",
               (long long)i + 1, outage->time, (int)s->outage_kinds[i]);
    ORI_REFUSE(outage->first < 0 || outage->count < 1 || outage->first > procs - outage->count, err,
               "node failure %lld at %.17g: %d processors from %d on are not among 0 to %d",
               (long long)i + 1, outage->time, (int)outage->count, (int)outage->first,
               (int)procs - 1);
    return ORR_OK;
}

static orr_status check_repair(const char *whose, double mean, orr_fault_law law, double shape,
                               orr_error *err)
{
    bool shaped = law == ORR_FAULTS_WEIBULL || law == ORR_FAULTS_LOGNORMAL;
    ORI_REFUSE(!(mean >= 0 && mean < INFINITY), err,
               "the repair of a %s must take a finite number of seconds >= 0, not %g", whose, mean);
    ORI_REFUSE((unsigned)law >= ORR_FAULTS_LOG, err, "there is no law %d of repairs", (int)law);
    ORI_REFUSE(law != ORR_FAULTS_NONE && mean == 0, err,
               "repairs that are drawn must have a mean > 0");
    ORI_REFUSE(shaped && !(shape > 0 && shape < INFINITY), err,
               "the shape of repairs must be a finite number > 0, it is %.17g", shape);
    return ORR_OK;
}

static orr_status check_domains(const orr_rigid_node_failures *s, orr_error *err)
{
    ORI_REFUSE(s->domain_nodes < 0, err, "a domain has at least 1 node, not %d",
               (int)s->domain_nodes);
    ORI_REFUSE(!(s->domain_mtbf > 0), err, "the mtbf of a domain must be > 0, it is %.17g",
               s->domain_mtbf);
    return check_repair("domain", s->domain_repair, s->domain_repair_law, s->domain_repair_shape,
                        err);
}

static orr_status check_drawn(const orr_rigid_node_failures *s, bool nodes, orr_error *err)
{
    ORI_TRY(check_repair("node", s->repair, s->repair_law, s->repair_shape, err));
    ORI_REFUSE(s->node_procs < !nodes, err, "a node has at least 1 processor, not %d",
               (int)s->node_procs);
    ORI_REFUSE(s->retire_after < 0 || s->spares < 0, err,
               "nodes are retired after 0 or more failures, and there are 0 or more spares, not %d "
               "and %d",
               (int)s->retire_after, (int)s->spares);
    ORI_REFUSE(!(s->swap >= 0 && s->swap < INFINITY), err,
               "a spare comes after a finite number of seconds >= 0, not %g", s->swap);
    return s->domain_nodes == 0 ? ORR_OK : check_domains(s, err);
}

static orr_status check_setup(const orr_rigid_node_failures *s, const orr_instance *in,
                              orr_error *err)
{
    ORI_TRY(ori_warnings_check(s, err));
    if (s->law != ORR_FAULTS_LOG)
        return check_drawn(s, in->nodes != NULL, err);
    ORI_REFUSE(s->lemon_share != 0 || s->domain_nodes != 0 || s->retire_after != 0, err,
               "outages that are given have no lemons and domains, and retire no nodes");
    for (int64_t i = 0; i < s->outage_count; i++)
        ORI_TRY(check_outage(s, i, in->procs, err));
    return ORR_OK;
}

/* Processors of a node, >= 1, where these are of one size. */
static int32_t node_size(const ori_outages *o)
{
    return o->setup.node_procs > 0 ? o->setup.node_procs : 1;
}

static ori_units units_of(const ori_outages *o, int32_t procs)
{
    return (ori_units){o->nodes, node_size(o), procs};
}

/* The number of nodes, or of domains of so many nodes. */
static int32_t count_of(const ori_outages *o, int32_t per)
{
    const ori_units units = units_of(o, o->procs);
    return ori_units_count(&units, per);
}

static orr_status create_domains(ori_outages *o, orr_error *err)
{
    const orr_rigid_node_failures *s = &o->setup;
    orr_faults_setup faults = {.law = ORR_FAULTS_EXPONENTIAL,
                               .procs = count_of(o, s->domain_nodes),
                               .mtbf = s->domain_mtbf,
                               .purpose = ORR_PURPOSE_DOMAINS,
                               .alloc = &o->alloc};
    ORI_TRY(ori_fault_gap_prepare(&o->domain_repair, s->domain_repair_law, s->domain_repair,
                                  s->domain_repair_shape, err));
    o->domains = orr_faults_create(&faults, err);
    return o->domains ? ORR_OK : err->status;
}

static orr_status create_source(ori_outages *o, orr_error *err)
{
    orr_error own; /* only the error holds the status */
    err = err ? err : &own;
    const orr_rigid_node_failures *s = &o->setup;
    orr_faults_setup faults = {.law = s->law,
                               .procs = count_of(o, 1),
                               .mtbf = s->mtbf,
                               .shape = s->shape,
                               .lemon_share = s->lemon_share,
                               .lemon_factor = s->lemon_factor,
                               .alloc = &o->alloc};
    ORI_TRY(ori_fault_gap_prepare(&o->repair, s->repair_law, s->repair, s->repair_shape, err));
    o->source = orr_faults_create(&faults, err);
    if (!o->source)
        return err->status;
    return s->domain_nodes > 0 ? create_domains(o, err) : ORR_OK;
}

/* All arrays have room per processor, which is enough for nodes and domains. */
static orr_status lay_out(ori_outages *o, orr_error *err)
{
    size_t procs = (size_t)o->procs;
    bool domains = o->setup.domain_nodes > 0;
    const ori_part parts[] = {
        ORI_PART(o->down_until, procs),    ORI_PART(o->failed_until, procs),
        ORI_PART(o->drained_until, procs), ORI_PART_IF(domains, o->domain_until, procs),
        ORI_PART(o->repairs_drawn, procs), ORI_PART(o->failures, procs),
        ORI_PART(o->seen, procs),          ORI_PART_IF(domains, o->domain_drawn, procs),
        ORI_PART(o->victims, procs)};
    return ORI_BLOCK_CREATE(&o->block, parts, ORI_ZEROED, &o->alloc, err);
}

static bool saves(const orr_instance *in, int32_t job)
{
    return in->checkpoints.cost && in->checkpoints.cost[job] < INFINITY;
}

double ori_outages_most_struck(const ori_outages *o, int32_t jobs)
{
    int32_t most = o->setup.max_attempts;
    return most == 0 || ori_outages_are_given(o) ? INFINITY : ori_most_failed(most, jobs);
}

static orr_status fail_hopeless(const ori_outages *o, const orr_instance *in, int32_t job,
                                double hazard, double all, orr_error *err)
{
    char more[96] = "";
    if (all > 0)
        ori_snprintf(more, sizeof more, ", all jobs together begin anew %.6g times on average",
                     all);
    return orr_fail(
        err, ORR_ERR_LIMIT,
        "job %s (%d processors for %g s) begins %.6g times on average until no node "
        "fails under it%s, more than the limit of %.10g: let nodes fail less often, let "
        "it write checkpoints, leave it out, or raise max_attempts",
        orr_jobs_id(in->jobs, job), (int)in->jobs->procs[job], orr_job_length(in, job), exp(hazard),
        more, all > 0 ? ori_outages_most_struck(o, in->count) : o->setup.max_attempts);
}

/* Refuses jobs that would begin more than max_attempts times on average, or all together too often:
 * the simulation would not end for hours. A job without checkpoints begins exp(hazard) times or
 * more, the hazard being the expected number of failures in an attempt. Only for exponential laws
 * do all attempts have the same. */
static orr_status check_hopeless(const ori_outages *o, const orr_instance *in, orr_error *err)
{
    if (o->setup.law != ORR_FAULTS_EXPONENTIAL || o->setup.max_attempts == 0)
        return ORR_OK;
    double all = 0, most = 0;
    int32_t worst = 0;
    for (int32_t j = 0; j < in->count; j++) {
        if (saves(in, j))
            continue;
        double hazard = ori_outages_rate(o, in, j) * orr_job_length(in, j);
        if (hazard > log(o->setup.max_attempts))
            return fail_hopeless(o, in, j, hazard, 0, err);
        all += expm1(hazard);
        worst = hazard > most ? j : worst;
        most = hazard > most ? hazard : most;
    }
    return all > ori_outages_most_struck(o, in->count) ? fail_hopeless(o, in, worst, most, all, err)
                                                       : ORR_OK;
}

const orr_rigid_node_failures ori_no_failures = {
    .size = sizeof(orr_rigid_node_failures), .law = ORR_FAULTS_LOG, .node_procs = 1};

orr_status ori_outages_create(ori_outages *o, const orr_rigid_node_failures *given,
                              ori_given_windows windows, const orr_instance *in,
                              const orr_allocator *a, orr_error *err)
{
    memset(o, 0, sizeof *o);
    o->alloc = orr_allocator_or_default(a);
    o->repairs.alloc = o->warnings.alloc = o->alloc;
    ORI_TRY(ori_windows_create(&o->windows, windows, in->procs, a, err));
    if (given)
        ORI_TRY(ORI_TAKE(&o->setup, given, orr_rigid_node_failures, err));
    if (o->setup.law == ORR_FAULTS_NONE) {
        if (o->windows.count == 0)
            return ORR_OK;
        o->setup = ori_no_failures; /* failures are given, but there are none */
    }
    ORI_TRY(check_setup(&o->setup, in, err));
    o->any = true;
    o->nodes = o->setup.node_procs > 0 ? NULL : in->nodes;
    o->procs = o->at.law_procs = in->procs;
    o->at.origin = o->at.opens = in->first_submission;
    ORI_TRY(lay_out(o, err));
    ORI_TRY(ori_calendar_create(&o->repairs, 64, &o->alloc, err));
    if (!ori_outages_are_given(o))
        ORI_TRY(create_source(o, err));
    ORI_TRY(check_hopeless(o, in, err));
    const ori_units units = units_of(o, in->procs);
    return ori_warnings_create(&o->warnings, &o->setup, &units, o->at.origin, o->source, o->domains,
                               &o->alloc, err);
}

void ori_outages_destroy(ori_outages *o)
{
    orr_faults_destroy(o->source);
    orr_faults_destroy(o->domains);
    ori_calendar_destroy(&o->repairs);
    ori_block_destroy(&o->block, &o->alloc);
    ori_windows_destroy(&o->windows);
    ori_warnings_destroy(&o->warnings);
    o->source = o->domains = NULL;
}

static size_t nodes_of(const ori_outages *o)
{
    return (size_t)count_of(o, 1);
}

orr_status ori_outages_draw_anew(ori_outages *o, uint64_t seed, uint64_t set, uint64_t scenario,
                                 orr_error *err)
{
    if (!o->source)
        return ORR_OK;
    o->at.repair_key = orr_stream_key_make(seed, set, scenario, ORR_PURPOSE_REPAIRS);
    memset(o->repairs_drawn, 0, nodes_of(o) * sizeof *o->repairs_drawn);
    if (o->domains) {
        size_t domains = (size_t)count_of(o, o->setup.domain_nodes);
        memset(o->domain_until, 0, domains * sizeof *o->domain_until);
        memset(o->domain_drawn, 0, domains * sizeof *o->domain_drawn);
        ORI_TRY(orr_faults_reset(o->domains, seed, set, scenario, err));
    }
    return orr_faults_reset(o->source, seed, set, scenario, err);
}

orr_status ori_outages_reset(ori_outages *o, double origin, uint64_t seed, uint64_t set,
                             uint64_t scenario, orr_error *err)
{
    o->at.origin = o->at.opens = origin;
    ori_calendar_clear(&o->repairs);
    if (o->at.failures > 0) { /* else they are 0 */
        memset(o->failed_until, 0, (size_t)o->procs * sizeof *o->failed_until);
        memset(o->seen, 0, (size_t)o->procs * sizeof *o->seen);
    }
    if (o->at.draining)
        memset(o->drained_until, 0, (size_t)o->procs * sizeof *o->drained_until);
    o->at.taken = 0;
    o->at.retired = 0;
    o->at.draining = false;
    o->at.spares = o->setup.spares;
    o->at.failures = o->at.struck = 0;
    memset(o->failures, 0, nodes_of(o) * sizeof *o->failures);
    ori_windows_reset(&o->windows);
    ORI_TRY(ori_warnings_reset(&o->warnings, seed, set, scenario, err));
    return ori_outages_draw_anew(o, seed, set, scenario, err);
}

orr_status ori_outages_copy(ori_outages *to, const ori_outages *from, orr_error *err)
{
    ORI_TRY(ori_calendar_reserve(&to->repairs, from->repairs.count, err));
    ori_calendar_copy(&to->repairs, &from->repairs);
    size_t procs = (size_t)from->procs;
    memcpy(to->down_until, from->down_until, procs * sizeof *from->down_until);
    memcpy(to->failed_until, from->failed_until, procs * sizeof *from->failed_until);
    memcpy(to->drained_until, from->drained_until, procs * sizeof *from->drained_until);
    memcpy(to->repairs_drawn, from->repairs_drawn, procs * sizeof *from->repairs_drawn);
    memcpy(to->failures, from->failures, procs * sizeof *from->failures);
    memcpy(to->seen, from->seen, procs * sizeof *from->seen);
    if (from->domains) {
        memcpy(to->domain_until, from->domain_until, procs * sizeof *from->domain_until);
        memcpy(to->domain_drawn, from->domain_drawn, procs * sizeof *from->domain_drawn);
    }
    to->at = from->at;
    ori_windows_copy(&to->windows, &from->windows);
    ORI_TRY(ori_warnings_copy(&to->warnings, &from->warnings, err));
    ORI_TRY(ori_faults_copy_to(&to->source, from->source, err));
    return ori_faults_copy_to(&to->domains, from->domains, err);
}

/* --- what comes next -------------------------------------------------------------------------- */

static double next_of_domains(const ori_outages *o)
{
    return o->domains ? orr_faults_peek(o->domains).time : INFINITY;
}

/* Nodes that are down at the first submission fail at that time. */
double ori_outages_next_failure(const ori_outages *o)
{
    if (!ori_outages_are_given(o)) {
        double node = orr_faults_peek(o->source).time, domain = next_of_domains(o);
        return o->at.origin + (domain < node ? domain : node);
    }
    if (o->at.taken == o->setup.outage_count)
        return INFINITY;
    return ori_later(o->setup.outages[o->at.taken].time, o->at.opens);
}

double ori_outages_next_window(const ori_outages *o)
{
    return ori_later(ori_windows_next(&o->windows), o->at.opens);
}

double ori_outages_next(const ori_outages *o)
{
    double next = ori_outages_next_failure(o), window = ori_outages_next_window(o);
    next = window < next ? window : next;
    if (ORR_UNLIKELY(o->warnings.heard) && ori_warnings_next(&o->warnings) < next)
        next = ori_warnings_next(&o->warnings);
    const ori_event *repair = ori_calendar_peek(&o->repairs);
    return repair && repair->time < next ? repair->time : next;
}

/* Draws the length of the next repair of an entity, from its stream; *drawn: numbers taken. A
 * repair that would never end gets the largest finite length. */
static double draw_repair(const ori_outages *o, const ori_fault_gap *law, uint64_t entity,
                          uint32_t *drawn)
{
    if (law->law == ORR_FAULTS_NONE)
        return law->level;
    double unit = ori_fault_gap_unit(o->at.repair_key, entity, (*drawn)++);
    return ori_fault_gap_at(law, unit < 1 ? unit : 1 - 0x1p-53);
}

/* The processors of node or domain `i`, of so many nodes. */
static void place_outage(const ori_outages *o, orr_outage *outage, int32_t i, int32_t per)
{
    const ori_units units = units_of(o, o->at.law_procs);
    orr_interval all = ori_units_at(&units, i, per);
    outage->first = all.low;
    outage->count = all.high - all.low + 1;
}

static orr_status take_given(ori_outages *o, ori_coming *coming)
{
    const orr_rigid_node_failures *s = &o->setup;
    int64_t i = o->at.taken++;
    coming->outage = s->outages[i];
    coming->outage.time = ori_later(coming->outage.time, o->at.opens);
    coming->outage.repaired = ori_later(coming->outage.repaired, o->at.opens);
    if (s->outage_kinds)
        coming->kind = s->outage_kinds[i];
    return ORR_OK;
}

static orr_status take_domain(ori_outages *o, ori_coming *coming, orr_error *err)
{
    /* domains have entities behind those of all nodes */
    static const uint64_t FIRST_DOMAIN = UINT64_C(1) << 32;
    orr_fault fault = orr_faults_peek(o->domains);
    int32_t domain = fault.processor;
    orr_outage *outage = &coming->outage;
    place_outage(o, outage, domain, o->setup.domain_nodes);
    outage->time = o->at.origin + fault.time;
    outage->repaired =
        outage->time + draw_repair(o, &o->domain_repair, FIRST_DOMAIN + (uint64_t)domain,
                                   &o->domain_drawn[domain]);
    coming->ignored = outage->time < o->domain_until[domain];
    if (!coming->ignored)
        o->domain_until[domain] = outage->repaired;
    return orr_faults_take(o->domains, err);
}

orr_status ori_outages_take(ori_outages *o, ori_coming *coming, orr_error *err)
{
    *coming = (ori_coming){.kind = ORR_OUTAGE_FAILURE, .node = -1};
    if (ori_outages_are_given(o))
        return take_given(o, coming);
    orr_fault fault = orr_faults_peek(o->source);
    if (next_of_domains(o) < fault.time)
        return take_domain(o, coming, err);
    coming->node = fault.processor;
    place_outage(o, &coming->outage, fault.processor, 1);
    coming->outage.time = o->at.origin + fault.time;
    coming->outage.repaired =
        coming->outage.time +
        draw_repair(o, &o->repair, (uint64_t)fault.processor, &o->repairs_drawn[fault.processor]);
    return orr_faults_take(o->source, err);
}

orr_status ori_outages_retire(ori_outages *o, ori_coming *coming, orr_error *err)
{
    uint32_t failures = ++o->failures[coming->node], after = (uint32_t)o->setup.retire_after;
    orr_outage *outage = &coming->outage;
    if (after == 0 || failures % after != 0)
        return ORR_OK;
    outage->repaired = o->at.spares > 0 ? outage->time + o->setup.swap : INFINITY;
    if (o->at.spares == 0)
        return ORR_OK;
    o->at.spares--;
    return ori_faults_replace(o->source, coming->node, failures / after,
                              outage->time - o->at.origin, outage->repaired - o->at.origin, err);
}

orr_status ori_outages_plan_repair(ori_outages *o, const orr_outage *outage, orr_error *err)
{
    ori_calendar *c = &o->repairs;
    if (outage->repaired == INFINITY)
        return ORR_OK;
    if (c->count == c->capacity)
        ORI_TRY(ori_calendar_reserve(c, 2 * c->capacity, err));
    ori_calendar_push(c, outage->repaired, 0, (int64_t)outage->first << 32 | outage->count);
    return ORR_OK;
}

/* --- what is seen of them --------------------------------------------------------------------- */

int32_t ori_outages_seen(const ori_outages *o, int32_t processor, orr_interval *node)
{
    const ori_units units = units_of(o, o->at.law_procs);
    *node = (orr_interval){processor, processor}; /* added processors are nodes of one processor */
    if (processor < units.procs)
        *node = ori_units_at(&units, ori_units_of(&units, processor), 1);
    return o->seen[node->low];
}

void ori_outages_see(ori_outages *o, const orr_outage *outage)
{
    int32_t end = outage->first + outage->count;
    o->at.failures++;
    for (int32_t p = outage->first; p < end;) {
        orr_interval node;
        (void)ori_outages_seen(o, p, &node);
        o->seen[node.low]++;
        p = node.high + 1;
    }
}

/* The least number of nodes, or of domains of `per` nodes, that a job needs. */
static int64_t least_of(const ori_outages *o, int32_t procs, int32_t nodes, int32_t per)
{
    int64_t size = node_size(o), asked = ((int64_t)nodes + per - 1) / per, least;
    for (int32_t k = 0; o->nodes && k < o->nodes->kind_count; k++)
        size = o->nodes->kinds[k].procs > size ? o->nodes->kinds[k].procs : size;
    least = (procs + size * per - 1) / (size * per);
    return least > asked ? least : asked;
}

double ori_outages_rate(const ori_outages *o, const orr_instance *in, int32_t job)
{
    int32_t procs = job < 0 ? 1 : in->jobs->procs[job];
    int32_t nodes = job >= 0 && in->nodes ? ori_nodes_asked(in->jobs, job) : 0;
    if (!o->any || ori_outages_are_given(o))
        return 0;
    double rate = (double)least_of(o, procs, nodes, 1) / o->setup.mtbf;
    if (o->domains)
        rate += (double)least_of(o, procs, nodes, o->setup.domain_nodes) / o->setup.domain_mtbf;
    return rate;
}
