#include "malleable/montecarlo.h"

#include "base/crew.h"
#include "malleable/state_internal.h"

#include <math.h>
#include <string.h>

typedef struct shared {
    const orr_malleable_runs *runs;
    orr_malleable_result *results;
    double *ends;
    int32_t count;
} shared;

/* What a thread has: its tasks, where they are drawn anew, and per policy a simulation, and one on
 * processors that never fail; the baseline stands behind the policies. */
typedef struct worker {
    const shared *all;
    int thread;
    orr_allocator alloc;
    orr_tasks *tasks;
    orr_malleable_policy *policies; /* with got[i]: fetched */
    orr_malleable **sims, **fault_free;
    bool *got;
} worker;

static const orr_malleable_policy nothing = {.name = "none"};

static orr_malleable_setup setup_of(const shared *all, const orr_malleable_policy *policy)
{
    const orr_malleable_runs *r = all->runs;
    return (orr_malleable_setup){.count = all->count,
                                 .procs = r->procs,
                                 .resilience = r->resilience,
                                 .faults = r->faults,
                                 .policy = policy,
                                 .seed = r->seed,
                                 .set = r->set,
                                 .max_faults = r->max_faults,
                                 .record = r->check,
                                 .cancel = r->cancel,
                                 .trap = r->trap,
                                 .alloc = r->alloc};
}

static orr_status create(const orr_malleable_setup *setup, orr_malleable **sim, orr_error *err)
{
    err->status = ORR_ERR_INTERNAL; /* whatever creation says instead */
    *sim = orr_malleable_create(setup, err);
    return *sim ? ORR_OK : err->status;
}

static orr_status prepare_policy(worker *w, int32_t i, orr_error *err)
{
    const orr_malleable_runs *r = w->all->runs;
    ori_policy_begin(err);
    orr_status status = r->source.get(r->source.user, w->thread, i, &w->policies[i], err);
    if (status != ORR_OK)
        return ori_policy_end("source", "get", status, err);
    w->got[i] = true;
    orr_malleable_setup setup = setup_of(w->all, &w->policies[i]);
    status = create(&setup, &w->sims[i], err);
    if (status != ORR_OK || !r->fault_free)
        return status;
    setup.resilience.mtbf = INFINITY;
    setup.faults = (orr_faults_setup){.law = ORR_FAULTS_NONE, .mtbf = INFINITY};
    return create(&setup, &w->fault_free[i], err);
}

static orr_status prepare(void *user, int thread, void **own, orr_error *err)
{
    const shared *all = user;
    const orr_malleable_runs *r = all->runs;
    orr_allocator a = orr_allocator_or_default(r->alloc);
    worker *w = *own = orr_calloc(&a, 1, sizeof *w);
    if (!w)
        return orr_fail_memory(err, sizeof *w);
    *w = (worker){.all = all, .thread = thread, .alloc = a};
    size_t policies = (size_t)r->policies;
    w->policies = orr_calloc(&a, policies, sizeof *w->policies);
    w->sims = orr_calloc(&a, policies + 1, sizeof *w->sims);
    w->fault_free = orr_calloc(&a, policies, sizeof(orr_malleable *));
    w->got = orr_calloc(&a, policies, sizeof *w->got);
    if (!w->policies || !w->sims || !w->fault_free || !w->got)
        return orr_fail_memory(err, policies * sizeof *w->policies);
    if (!r->tasks && !(w->tasks = orr_tasks_create(&a, err)))
        return ORR_ERR_MEMORY;
    orr_status status = ORR_OK;
    for (int32_t i = 0; status == ORR_OK && i < r->policies; i++)
        status = prepare_policy(w, i, err);
    orr_malleable_setup setup = setup_of(all, &nothing);
    return status == ORR_OK ? create(&setup, &w->sims[policies], err) : status;
}

static void clean_up(void *user, int thread, void *own)
{
    (void)user, (void)thread;
    worker *w = own;
    if (!w)
        return;
    const orr_malleable_runs *r = w->all->runs;
    size_t policies = (size_t)r->policies;
    for (size_t i = 0; w->sims && i <= policies; i++)
        orr_malleable_destroy(w->sims[i]);
    for (size_t i = 0; w->fault_free && i < policies; i++)
        orr_malleable_destroy(w->fault_free[i]);
    for (int32_t i = 0; w->got && i < r->policies; i++)
        if (w->got[i] && r->source.put)
            r->source.put(r->source.user, w->thread, i, &w->policies[i]);
    orr_tasks_destroy(w->tasks);
    orr_allocator a = w->alloc;
    orr_release(&a, w->policies, policies * sizeof *w->policies);
    orr_release(&a, w->sims, (policies + 1) * sizeof *w->sims);
    orr_release(&a, w->fault_free, policies * sizeof(orr_malleable *));
    orr_release(&a, w->got, policies * sizeof *w->got);
    orr_release(&a, w, sizeof *w);
}

static orr_status simulate(orr_malleable *sim, const orr_tasks *tasks, int64_t run,
                           orr_malleable_metrics *metrics, orr_error *err)
{
    orr_status status = orr_malleable_reset(sim, tasks, (uint64_t)run + 1, err);
    return status == ORR_OK ? orr_malleable_finish(sim, metrics, err) : status;
}

/* The place of a simulation that has failed; -1 is the baseline. */
static orr_status fail_at(const worker *w, const orr_malleable *sim, int32_t policy, int64_t run,
                          orr_error *err)
{
    const orr_malleable_runs *r = w->all->runs;
    err->place = (orr_place){true, policy, r->seed, r->set, run + 1, sim->now};
    return err->status;
}

static orr_status run_policy(worker *w, const orr_tasks *tasks, int32_t i, int64_t run,
                             double baseline, orr_error *err)
{
    const shared *all = w->all;
    orr_malleable_result *result = &all->results[i * all->runs->runs + run];
    orr_malleable_metrics fault_free;
    orr_status status = simulate(w->sims[i], tasks, run, &result->metrics, err);
    if (status == ORR_OK && all->runs->check)
        status = orr_malleable_check(w->sims[i], err);
    if (status != ORR_OK)
        return fail_at(w, w->sims[i], i, run, err);
    result->baseline = baseline;
    result->fault_free = NAN;
    size_t count = (size_t)all->count;
    if (all->ends)
        memcpy(all->ends + (size_t)(i * all->runs->runs + run) * count,
               orr_malleable_ends(w->sims[i]), count * sizeof *all->ends);
    if (!w->fault_free[i])
        return ORR_OK;
    status = simulate(w->fault_free[i], tasks, run, &fault_free, err);
    if (status != ORR_OK)
        return fail_at(w, w->fault_free[i], i, run, err);
    result->fault_free = fault_free.makespan;
    return ORR_OK;
}

/* One run (from 0) under the baseline and all policies. */
static orr_status run_all(void *user, void *own, int64_t run, orr_error *err)
{
    (void)user;
    worker *w = own;
    const orr_malleable_runs *r = w->all->runs;
    const orr_tasks *tasks = r->tasks;
    orr_status status = ORR_OK;
    if (!tasks) {
        tasks = w->tasks;
        status =
            orr_generate_tasks(w->tasks, r->synthetic, r->seed, r->set, (uint64_t)run + 1, err);
    }
    orr_malleable_metrics baseline;
    if (status == ORR_OK) {
        orr_malleable *sim = w->sims[r->policies];
        status = simulate(sim, tasks, run, &baseline, err);
        if (status != ORR_OK)
            fail_at(w, sim, -1, run, err);
    }
    for (int32_t i = 0; status == ORR_OK && i < r->policies; i++)
        status = run_policy(w, tasks, i, run, baseline.makespan, err);
    return status;
}

orr_status orr_malleable_runs_run(const orr_malleable_runs *runs, orr_malleable_result *results,
                                  double *ends, // NOLINT(readability-non-const-parameter): written
                                  orr_error *err)
{
    shared all = {.runs = runs,
                  .results = results,
                  .ends = ends,
                  .count = runs->tasks ? runs->tasks->count : runs->synthetic->count};
    orr_crew crew = {.items = runs->runs,
                     .weight = runs->policies,
                     .threads = runs->threads,
                     .largest = 16,
                     .begin = prepare,
                     .work = run_all,
                     .end = clean_up,
                     .user = &all,
                     .progress = runs->progress,
                     .progress_user = runs->progress_user,
                     .alloc = runs->alloc};
    return orr_crew_run(&crew, err);
}
