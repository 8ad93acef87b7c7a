/* Warnings of failures of nodes: their choice and their times. */
#include "rigid/machine/warnings_internal.h"

#include "base/array_internal.h"
#include "base/draw.h"
#include "base/try_internal.h"
#include "workload/fault_law_internal.h"
#include "workload/faults_internal.h"

#include <math.h>
#include <string.h>

/* Entities of streams: domains stand behind all nodes, false warnings behind these. */
static const uint64_t FIRST_DOMAIN = UINT64_C(1) << 32, FALSE_WARNINGS = UINT64_C(1) << 33;

static const orr_warning never = {.time = INFINITY, .at = INFINITY};

/* With smaller values the search for the next warning would go too far ahead, or there would be too
 * many false warnings. */
static const double LEAST = 1e-6;

orr_status ori_warnings_check(const orr_rigid_node_failures *s, orr_error *err)
{
    if (s->recall == 0)
        return ORR_OK;
    ORI_REFUSE(!(s->recall >= LEAST && s->recall <= 1), err,
               "the recall of a prediction must be 0, or from %g to 1, it is %.17g", LEAST,
               s->recall);
    ORI_REFUSE(!(s->precision >= LEAST && s->precision <= 1), err,
               "the precision of a prediction must be from %g to 1, it is %.17g", LEAST,
               s->precision);
    ORI_REFUSE(!(s->lead > 0 && s->lead < INFINITY), err,
               "the lead time of a prediction must be a finite number of seconds > 0, not %.17g",
               s->lead);
    ORI_REFUSE(s->law == ORR_FAULTS_LOG && s->precision < 1, err,
               "failures that are given have no rate, so there are no false warnings of them: the "
               "precision must be 1, not %.17g",
               s->precision);
    ORI_REFUSE(s->retire_after > 0, err,
               "a prediction and nodes that are retired exclude each other: what is announced of a "
               "retired node would not come");
    return ORR_OK;
}

/* --- create ----------------------------------------------------------------------------------- */

orr_status ori_warnings_create(ori_warnings *w, const orr_rigid_node_failures *setup,
                               const ori_units *units, double origin, const orr_faults *nodes,
                               const orr_faults *domains, const orr_allocator *a, orr_error *err)
{
    *w = (ori_warnings){.any = setup->recall > 0,
                        .setup = *setup,
                        .at.units = *units,
                        .at.origin = origin,
                        .alloc = orr_allocator_or_default(a)};
    if (!w->any)
        return ORR_OK;
    if (nodes)
        w->node_count = ori_units_count(units, 1);
    if (domains)
        w->domain_count = ori_units_count(units, setup->domain_nodes);
    ORI_TRY(ori_faults_copy_to(&w->nodes, nodes, err));
    ORI_TRY(ori_faults_copy_to(&w->domains, domains, err));
    if (!nodes)
        return ORR_OK;
    const ori_part parts[] = {ORI_PART(w->seen, w->node_count),
                              ORI_PART_IF(domains, w->domain_seen, w->domain_count)};
    return ORI_BLOCK_CREATE(&w->block, parts, ORI_ZEROED, &w->alloc, err);
}

void ori_warnings_destroy(ori_warnings *w)
{
    orr_faults_destroy(w->nodes);
    orr_faults_destroy(w->domains);
    ORI_FREE(&w->alloc, &w->list, &w->room);
    ori_block_destroy(&w->block, &w->alloc);
    w->nodes = w->domains = NULL;
}

/* --- those that come true --------------------------------------------------------------------- */

/* The n-th number of a stream decides on the n-th failure. */
static bool is_announced(const ori_warnings *w, uint64_t entity, uint32_t n)
{
    return ori_fault_gap_unit(w->at.key, entity, n) <= w->setup.recall;
}

/* The warning of a failure at `at` of node or domain `i`, of so many nodes. */
static orr_warning warning_of(const ori_warnings *w, double at, int32_t i, int32_t per)
{
    orr_interval all = ori_units_at(&w->at.units, i, per);
    double time = at - w->setup.lead;
    return (orr_warning){.time = time > w->at.origin ? time : w->at.origin,
                         .at = at,
                         .first = all.low,
                         .count = all.high - all.low + 1};
}

/* Examines the next drawn failure. */
static orr_status look_at_drawn(ori_warnings *w, bool *announced, orr_error *err)
{
    orr_fault node = orr_faults_peek(w->nodes);
    orr_fault domain = w->domains ? orr_faults_peek(w->domains) : (orr_fault){.time = INFINITY};
    bool of_domain = domain.time < node.time;
    orr_fault fault = of_domain ? domain : node;
    w->at.coming = never;
    *announced = true; /* the end of all failures is reported as announced */
    if (fault.time == INFINITY)
        return ORR_OK;
    int32_t i = fault.processor;
    *announced = of_domain ? is_announced(w, FIRST_DOMAIN + (uint64_t)i, w->domain_seen[i]++)
                           : is_announced(w, (uint64_t)i, w->seen[i]++);
    w->at.coming =
        warning_of(w, w->at.origin + fault.time, i, of_domain ? w->setup.domain_nodes : 1);
    return orr_faults_take(of_domain ? w->domains : w->nodes, err);
}

/* Examines the next given failure. A drain is not a failure. */
static void look_at_given(ori_warnings *w, bool *announced)
{
    const orr_rigid_node_failures *s = &w->setup;
    w->at.coming = never;
    *announced = true;
    if (w->at.taken == s->outage_count)
        return;
    int64_t i = w->at.taken++;
    const orr_outage *outage = &s->outages[i];
    bool fails = !s->outage_kinds || s->outage_kinds[i] == ORR_OUTAGE_FAILURE;
    *announced = fails && is_announced(w, (uint64_t)i, 0);
    w->at.coming = warning_of(w, outage->time, 0, 1);
    w->at.coming.first = outage->first;
    w->at.coming.count = outage->count;
}

static orr_status find_coming(ori_warnings *w, orr_error *err)
{
    for (bool announced = false; !announced;)
        if (w->nodes)
            ORI_TRY(look_at_drawn(w, &announced, err));
        else
            look_at_given(w, &announced);
    return ORR_OK;
}

/* --- false ones ------------------------------------------------------------------------------- */

/* The failure rate of all nodes, 1/s, with the mean number of lemons. */
static double rate_of_nodes(const ori_warnings *w)
{
    const orr_rigid_node_failures *s = &w->setup;
    double lemons = s->lemon_share > 0 ? s->lemon_share * (s->lemon_factor - 1) : 0;
    return (double)w->node_count / s->mtbf * (1 + lemons);
}

static double rate_of_domains(const ori_warnings *w)
{
    return w->domains ? (double)w->domain_count / w->setup.domain_mtbf : 0;
}

/* Draws the next false warning. */
static void find_wrong(ori_warnings *w)
{
    const orr_rigid_node_failures *s = &w->setup;
    double nodes = w->nodes ? rate_of_nodes(w) : 0, domains = rate_of_domains(w);
    double rate = s->recall * (nodes + domains) * (1 - s->precision) / s->precision;
    w->at.wrong = never;
    if (!(rate > 0))
        return;
    double at = w->at.wrong_at += orr_draw_exponential(&w->at.rng, 1 / rate);
    bool of_domain = orr_draw_unit_positive(&w->at.rng) * (nodes + domains) > nodes;
    int32_t count = of_domain ? w->domain_count : w->node_count;
    int32_t i = (int32_t)orr_draw_integer(&w->at.rng, 0, count - 1);
    if (at < INFINITY)
        w->at.wrong = warning_of(w, w->at.origin + at, i, of_domain ? s->domain_nodes : 1);
}

/* --- the clock -------------------------------------------------------------------------------- */

orr_status ori_warnings_reset(ori_warnings *w, uint64_t seed, uint64_t set, uint64_t scenario,
                              orr_error *err)
{
    w->at.given = 0;
    return ori_warnings_draw_anew(w, seed, set, scenario, w->at.origin, err);
}

orr_status ori_warnings_draw_anew(ori_warnings *w, uint64_t seed, uint64_t set, uint64_t scenario,
                                  double now, orr_error *err)
{
    if (!w->any)
        return ORR_OK;
    w->at.since = now;
    w->at.key = orr_stream_key_make(seed, set, scenario, ORR_PURPOSE_PREDICTIONS);
    w->at.rng = orr_stream_open(w->at.key, FALSE_WARNINGS);
    w->at.taken = 0;
    w->at.past = w->at.told = w->at.given;
    if (w->nodes) {
        memset(w->seen, 0, (size_t)w->node_count * sizeof *w->seen);
        ORI_TRY(orr_faults_reset(w->nodes, seed, set, scenario, err));
    }
    if (w->domains) {
        memset(w->domain_seen, 0, (size_t)w->domain_count * sizeof *w->domain_seen);
        ORI_TRY(orr_faults_reset(w->domains, seed, set, scenario, err));
    }
    w->at.wrong_at = 0;
    find_wrong(w);
    return find_coming(w, err);
}

orr_status ori_warnings_copy(ori_warnings *to, const ori_warnings *from, orr_error *err)
{
    if (!from->any)
        return ORR_OK;
    const orr_nodes *nodes = to->at.units.nodes; /* of its own instance */
    to->at = from->at;
    to->at.units.nodes = nodes;
    if (from->nodes) /* added processors have no examined failures */
        memcpy(to->seen, from->seen, (size_t)from->node_count * sizeof *from->seen);
    if (from->domains)
        memcpy(to->domain_seen, from->domain_seen,
               (size_t)from->domain_count * sizeof *from->domain_seen);
    to->node_count = from->node_count;
    to->domain_count = from->domain_count;
    ORI_TRY(ORI_COPY(&to->alloc, &to->list, &to->room, from->list, from->at.given, err));
    ORI_TRY(ori_faults_copy_to(&to->nodes, from->nodes, err));
    return ori_faults_copy_to(&to->domains, from->domains, err);
}

double ori_warnings_next(const ori_warnings *w)
{
    if (!w->heard)
        return INFINITY;
    return w->at.coming.time < w->at.wrong.time ? w->at.coming.time : w->at.wrong.time;
}

/* Gives the next warning. Of two at one time the true one comes first. */
static orr_status give_next(ori_warnings *w, orr_error *err)
{
    bool wrong = w->at.wrong.at < w->at.coming.at;
    orr_warning next = wrong ? w->at.wrong : w->at.coming;
    if (next.at > w->at.since) {
        ORI_TRY(ORI_RESERVE(&w->alloc, &w->list, &w->room, w->at.given + 1, err));
        w->list[w->at.given++] = next;
    }
    if (!wrong)
        return find_coming(w, err);
    find_wrong(w);
    return ORR_OK;
}

/* Frees the room of past warnings from time to time. */
static void drop_past(ori_warnings *w)
{
    enum { SOME = 64 };
    int64_t past = w->at.past;
    if (w->kept || past < SOME || past < w->at.given - past)
        return;
    w->at.given -= past;
    w->at.told -= past;
    w->at.past = 0;
    memmove(w->list, w->list + past, (size_t)w->at.given * sizeof *w->list);
}

orr_status ori_warnings_pass(ori_warnings *w, double now, orr_error *err)
{
    while (w->at.coming.time <= now || w->at.wrong.time <= now)
        ORI_TRY(give_next(w, err));
    while (w->at.past < w->at.given && w->list[w->at.past].at <= now)
        w->at.past++;
    if (w->at.told < w->at.past || !w->heard)
        w->at.told = w->at.past;
    drop_past(w);
    return ORR_OK;
}

void ori_warnings_forget_told(ori_warnings *w)
{
    w->at.told = w->at.past;
}
