#include "rigid/montecarlo.h"

#include "base/crew.h"
#include "rigid/engine_internal.h"

#include <string.h>

typedef struct shared {
    const orr_montecarlo *mc;
    orr_metrics *results;
} shared;

typedef struct worker {
    const shared *all;
    int thread;
    orr_allocator alloc;
    orr_rigid_policy *policies; /* with got[i]: fetched, with sims[i]: in use */
    orr_rigid **sims;
    bool *got;
    int32_t *failures;
} worker;

static orr_status prepare_policy(worker *w, int32_t i, orr_error *err)
{
    const orr_montecarlo *mc = w->all->mc;
    const orr_policy_source *source = &mc->source;
    orr_policy_begin(err);
    orr_status status = source->get(source->user, w->thread, i, &w->policies[i], err);
    if (status != ORR_OK)
        return orr_policy_end("source", "get", status, err);
    w->got[i] = true;
    orr_rigid_setup setup = {.instance = mc->instance,
                             .policy = &w->policies[i],
                             .priorities = mc->priorities ? mc->priorities[i] : NULL,
                             .seed = mc->seed,
                             .set = mc->set,
                             .plain = mc->plain,
                             .cancel = mc->cancel,
                             .trap = mc->trap,
                             .alloc = mc->alloc};
    err->status = ORR_ERR_INTERNAL; /* whatever creation says instead */
    w->sims[i] = orr_rigid_create(&setup, err);
    return w->sims[i] ? ORR_OK : err->status;
}

static orr_status prepare(void *user, int thread, void **own, orr_error *err)
{
    const shared *all = user;
    const orr_montecarlo *mc = all->mc;
    orr_allocator a = orr_allocator_or_default(mc->alloc);
    worker *w = *own = orr_calloc(&a, 1, sizeof *w);
    if (!w)
        return orr_fail_memory(err, sizeof *w);
    *w = (worker){.all = all, .thread = thread, .alloc = a};
    size_t policies = (size_t)mc->policies, jobs = (size_t)mc->instance->count;
    w->policies = orr_calloc(&w->alloc, policies, sizeof *w->policies);
    w->sims = orr_calloc(&w->alloc, policies, sizeof *w->sims);
    w->got = orr_calloc(&w->alloc, policies, sizeof *w->got);
    w->failures = orr_calloc(&w->alloc, jobs, sizeof *w->failures);
    if (!w->policies || !w->sims || !w->got || !w->failures)
        return orr_fail_memory(err, policies * sizeof *w->policies + jobs * 4);
    for (int32_t i = 0; i < mc->policies; i++) {
        orr_status status = prepare_policy(w, i, err);
        if (status != ORR_OK)
            return status;
    }
    return ORR_OK;
}

static void clean_up(void *user, int thread, void *own)
{
    (void)user, (void)thread;
    worker *w = own;
    if (!w)
        return;
    const orr_montecarlo *mc = w->all->mc;
    const orr_policy_source *source = &mc->source;
    for (int32_t i = 0; i < mc->policies; i++) {
        if (w->sims)
            orr_rigid_destroy(w->sims[i]);
        if (w->got && w->got[i] && source->put)
            source->put(source->user, w->thread, i, &w->policies[i]);
    }
    size_t policies = (size_t)mc->policies;
    orr_allocator a = w->alloc;
    orr_release(&a, w->policies, policies * sizeof *w->policies);
    orr_release(&a, w->sims, policies * sizeof *w->sims);
    orr_release(&a, w->got, policies * sizeof *w->got);
    orr_release(&a, w->failures, (size_t)mc->instance->count * sizeof *w->failures);
    orr_release(&a, w, sizeof *w);
}

/* The failure counts of a scenario (from 0). */
static orr_status scenario_failures(worker *w, int64_t scenario, const int32_t **failures,
                                    orr_error *err)
{
    const orr_montecarlo *mc = w->all->mc;
    *failures = NULL;
    if (mc->errors) {
        *failures = w->failures;
        return orr_errors_draw(mc->errors, mc->seed, mc->set, (uint64_t)scenario + 1, w->failures,
                               err);
    }
    if (mc->failures)
        *failures = mc->failures + scenario * mc->instance->count;
    return ORR_OK;
}

static orr_status run_scenario(void *user, void *own, int64_t scenario, orr_error *err)
{
    (void)user;
    worker *w = own;
    const orr_montecarlo *mc = w->all->mc;
    const int32_t *failures;
    orr_status status = scenario_failures(w, scenario, &failures, err);
    for (int32_t i = 0; status == ORR_OK && i < mc->policies; i++) {
        orr_metrics *result = &w->all->results[i * mc->runs + scenario];
        status = orr_rigid_reset(w->sims[i], failures, (uint64_t)scenario + 1, err);
        if (status == ORR_OK)
            status = orr_rigid_finish(w->sims[i], result, err);
    }
    return status;
}

orr_status orr_montecarlo_run(const orr_montecarlo *mc, orr_metrics *results, orr_error *err)
{
    shared all = {mc, results};
    orr_crew crew = {.items = mc->runs,
                     .weight = mc->policies,
                     .threads = mc->threads,
                     .largest = 64,
                     .begin = prepare,
                     .work = run_scenario,
                     .end = clean_up,
                     .user = &all,
                     .progress = mc->progress,
                     .progress_user = mc->progress_user,
                     .alloc = mc->alloc};
    return orr_crew_run(&crew, err);
}
