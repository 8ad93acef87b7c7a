#include "rigid/montecarlo.h"

#include "base/crew.h"
#include "rigid/state_internal.h"
#include "schedule/check.h"

#include <string.h>

typedef struct worker {
    const orr_montecarlo *mc;
    int thread;
    orr_allocator alloc;
    orr_rigid_policy *policies;
    bool *got;        /* per policy: fetched */
    orr_rigid **sims; /* per policy: of the set at hand, where there is one */
    int32_t set;      /* the set at hand, -1 before the first */
    int32_t *failures;
    int64_t drawn; /* the scenario that `failures` is of, 0: none */
} worker;

/* A simulation: an item of work. Policies follow each other first, then scenarios, then sets. */
typedef struct item {
    int32_t set, policy;
    int64_t scenario; /* from 1 */
} item;

static item item_at(const orr_montecarlo *mc, int64_t i)
{
    int64_t row = i / mc->policies;
    return (item){.set = (int32_t)(row / mc->runs),
                  .policy = (int32_t)(i % mc->policies),
                  .scenario = row % mc->runs + 1};
}

/* All sets have room in one array of counts. */
static size_t most_jobs(const orr_montecarlo *mc)
{
    int32_t most = 0;
    for (int32_t s = 0; s < mc->sets; s++)
        if (mc->set[s].instances[0]->count > most)
            most = mc->set[s].instances[0]->count;
    return (size_t)most;
}

/* --- threads -------------------------------------------------------------------------------- */

static orr_status fetch_policy(worker *w, int32_t i, orr_error *err)
{
    const orr_rigid_source *source = &w->mc->source;
    ori_policy_begin(err);
    orr_status status = source->get(source->user, w->thread, i, &w->policies[i], err);
    w->got[i] = status == ORR_OK;
    return status == ORR_OK ? ORR_OK : ori_policy_end("source", "get", status, err);
}

static orr_status prepare(void *user, int thread, void **own, orr_error *err)
{
    const orr_montecarlo *mc = user;
    orr_allocator a = orr_allocator_or_default(mc->alloc);
    worker *w = *own = orr_calloc(&a, 1, sizeof *w);
    if (!w)
        return orr_fail_memory(err, sizeof *w);
    *w = (worker){.mc = mc, .thread = thread, .alloc = a, .set = -1};
    size_t policies = (size_t)mc->policies, jobs = most_jobs(mc);
    w->policies = orr_calloc(&w->alloc, policies, sizeof *w->policies);
    w->sims = orr_calloc(&w->alloc, policies, sizeof *w->sims);
    w->got = orr_calloc(&w->alloc, policies, sizeof *w->got);
    w->failures = orr_calloc(&w->alloc, jobs, sizeof *w->failures);
    if (!w->policies || !w->sims || !w->got || !w->failures)
        return orr_fail_memory(err, policies * sizeof *w->policies + jobs * 4);
    orr_status status = ORR_OK;
    for (int32_t i = 0; status == ORR_OK && i < mc->policies; i++)
        status = fetch_policy(w, i, err);
    return status;
}

static void drop_sims(worker *w)
{
    for (int32_t i = 0; w->sims && i < w->mc->policies; i++) {
        orr_rigid_destroy(w->sims[i]);
        w->sims[i] = NULL;
    }
}

static void clean_up(void *user, int thread, void *own)
{
    (void)user, (void)thread;
    worker *w = own;
    if (!w)
        return;
    const orr_montecarlo *mc = w->mc;
    const orr_rigid_source *source = &mc->source;
    drop_sims(w);
    for (int32_t i = 0; w->got && i < mc->policies; i++)
        if (w->got[i] && source->put)
            source->put(source->user, w->thread, i, &w->policies[i]);
    size_t policies = (size_t)mc->policies;
    orr_allocator a = w->alloc;
    orr_release(&a, w->policies, policies * sizeof *w->policies);
    orr_release(&a, w->sims, policies * sizeof *w->sims);
    orr_release(&a, w->got, policies * sizeof *w->got);
    orr_release(&a, w->failures, most_jobs(mc) * sizeof *w->failures);
    orr_release(&a, w, sizeof *w);
}

/* --- simulations ---------------------------------------------------------------------------- */

/* The simulation of an item, made where it is not there yet. One that is used only once makes room
 * for the next. */
static orr_status need_sim(worker *w, const item *it, orr_error *err)
{
    const orr_montecarlo *mc = w->mc;
    const orr_montecarlo_set *set = &mc->set[it->set];
    if (w->set != it->set || mc->runs == 1)
        drop_sims(w);
    if (w->set != it->set)
        w->drawn = 0;
    w->set = it->set;
    if (w->sims[it->policy])
        return ORR_OK;
    orr_rigid_setup setup = {.instance = set->instances[it->policy],
                             .policy = &w->policies[it->policy],
                             .priorities = set->priorities ? set->priorities[it->policy] : NULL,
                             .node_failures = mc->node_failures,
                             .seed = mc->seed,
                             .set = set->number,
                             .plain = mc->plain,
                             .record = mc->check,
                             .cancel = mc->cancel,
                             .trap = mc->trap,
                             .alloc = mc->alloc};
    err->status = ORR_ERR_INTERNAL; /* whatever creation says instead */
    w->sims[it->policy] = orr_rigid_create(&setup, err);
    return w->sims[it->policy] ? ORR_OK : err->status;
}

/* The failure counts of an item. */
static orr_status need_failures(worker *w, const item *it, const int32_t **failures, orr_error *err)
{
    const orr_montecarlo *mc = w->mc;
    const orr_montecarlo_set *set = &mc->set[it->set];
    *failures = NULL;
    if (set->errors) {
        *failures = w->failures;
        if (w->drawn == it->scenario)
            return ORR_OK;
        w->drawn = 0;
        orr_status status = orr_silent_errors_draw(set->errors, mc->seed, set->number,
                                                   (uint64_t)it->scenario, w->failures, err);
        w->drawn = status == ORR_OK ? it->scenario : 0;
        return status;
    }
    if (set->failures)
        *failures = set->failures + (it->scenario - 1) * set->instances[0]->count;
    return ORR_OK;
}

static void keep_times(const orr_rigid_kept_times *kept, const orr_instance *in, const orr_run *run)
{
    for (int32_t j = 0; j < in->count; j++) {
        kept->ends[j] = run->ends[j];
        kept->runtimes[j] = orr_measure_job(in, run, j).runtime;
    }
}

/* What is wanted of a simulation beside its metrics. */
static orr_status look_closer(const worker *w, const item *it, int64_t place, orr_error *err)
{
    const orr_montecarlo *mc = w->mc;
    const orr_montecarlo_set *set = &mc->set[it->set];
    const orr_instance *in = set->instances[it->policy];
    orr_run run = orr_rigid_result(w->sims[it->policy]);
    if (set->kept && mc->runs == 1)
        keep_times(&set->kept[it->policy], in, &run);
    if (set->quantiles)
        return orr_measure_quantiles(in, &run, mc->alloc, &set->quantiles[place], err);
    return ORR_OK;
}

static orr_status begin(worker *w, const item *it, orr_error *err)
{
    const int32_t *failures = NULL;
    orr_status status = need_sim(w, it, err);
    if (status == ORR_OK)
        status = need_failures(w, it, &failures, err);
    if (status == ORR_OK)
        status = orr_rigid_reset(w->sims[it->policy], failures, (uint64_t)it->scenario, err);
    return status;
}

static orr_status check(const worker *w, const item *it, orr_error *err)
{
    const orr_rigid *sim = w->sims[it->policy];
    return orr_check_schedule(sim->in, orr_rigid_schedule(sim), orr_rigid_failures(sim), false,
                              err);
}

static orr_status go(const worker *w, const item *it, orr_error *err)
{
    const orr_montecarlo *mc = w->mc;
    int64_t place = it->policy * mc->runs + it->scenario - 1;
    orr_status status =
        orr_rigid_finish(w->sims[it->policy], &mc->set[it->set].results[place], err);
    if (status == ORR_OK && mc->check)
        status = check(w, it, err);
    return status == ORR_OK ? look_closer(w, it, place, err) : status;
}

static orr_status run_item(void *user, void *own, int64_t i, orr_error *err)
{
    (void)user;
    worker *w = own;
    item it = item_at(w->mc, i);
    double now = NAN;
    orr_status status = begin(w, &it, err);
    if (status == ORR_OK) {
        status = go(w, &it, err);
        now = w->sims[it.policy]->now;
    }
    if (status != ORR_OK)
        err->place =
            (orr_place){true, it.policy, w->mc->seed, w->mc->set[it.set].number, it.scenario, now};
    return status;
}

orr_status orr_montecarlo_run(const orr_montecarlo *mc, orr_error *err)
{
    orr_crew crew = {.items = mc->runs * mc->policies * mc->sets,
                     .weight = 1,
                     .threads = mc->threads,
                     .largest = 64 * (int64_t)mc->policies,
                     .begin = prepare,
                     .work = run_item,
                     .end = clean_up,
                     .user = (void *)(uintptr_t)mc,
                     .progress = mc->progress,
                     .progress_user = mc->progress_user,
                     .alloc = mc->alloc};
    return orr_crew_run(&crew, err);
}
