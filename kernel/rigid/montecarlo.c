#include "rigid/montecarlo.h"

#include "rigid/engine_internal.h"

#include <pthread.h>
#include <string.h>

typedef struct shared {
    const orr_montecarlo *mc;
    orr_metrics *results;
    int64_t chunk;
    atomic_llong next; /* first scenario (from 0) that nobody has taken */
    atomic_llong done; /* simulations */
    atomic_llong stop; /* scenarios from here on need not run: one below has failed */
    pthread_mutex_t lock;
    int64_t failed; /* the smallest scenario that failed, INT64_MAX for none; under lock */
    orr_error error;
} shared;

typedef struct worker {
    shared *all;
    int thread;
    pthread_t id;
    orr_allocator alloc;
    orr_rigid_policy *policies; /* with got[i]: fetched, with sims[i]: in use */
    orr_rigid **sims;
    bool *got;
    int32_t *failures;
} worker;

/* Keeps the error of the smallest scenario; 0 is for errors before any. */
static void report(shared *all, int64_t scenario, const orr_error *err)
{
    pthread_mutex_lock(&all->lock);
    if (scenario < all->failed) {
        all->failed = scenario;
        all->error = *err;
        atomic_store(&all->stop, scenario);
    }
    pthread_mutex_unlock(&all->lock);
}

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
                             .cancel = mc->cancel,
                             .trap = mc->trap,
                             .alloc = mc->alloc};
    err->status = ORR_ERR_INTERNAL; /* whatever creation says instead */
    w->sims[i] = orr_rigid_create(&setup, err);
    return w->sims[i] ? ORR_OK : err->status;
}

static orr_status prepare(worker *w, orr_error *err)
{
    const orr_montecarlo *mc = w->all->mc;
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

static void clean_up(worker *w)
{
    const orr_montecarlo *mc = w->all->mc;
    const orr_policy_source *source = &mc->source;
    for (int32_t i = 0; i < mc->policies; i++) {
        if (w->sims)
            orr_rigid_destroy(w->sims[i]);
        if (w->got && w->got[i] && source->put)
            source->put(source->user, w->thread, i, &w->policies[i]);
    }
    size_t policies = (size_t)mc->policies;
    orr_release(&w->alloc, w->policies, policies * sizeof *w->policies);
    orr_release(&w->alloc, w->sims, policies * sizeof *w->sims);
    orr_release(&w->alloc, w->got, policies * sizeof *w->got);
    orr_release(&w->alloc, w->failures, (size_t)mc->instance->count * sizeof *w->failures);
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

static orr_status run_scenario(worker *w, int64_t scenario, orr_error *err)
{
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

static void run_chunks(worker *w)
{
    shared *all = w->all;
    const orr_montecarlo *mc = all->mc;
    orr_error err;
    int64_t total = mc->runs * mc->policies;
    for (;;) {
        int64_t first = atomic_fetch_add(&all->next, all->chunk);
        int64_t last = first + all->chunk < mc->runs ? first + all->chunk : mc->runs;
        for (int64_t s = first; s < last; s++) {
            if (s >= atomic_load_explicit(&all->stop, memory_order_relaxed))
                return;
            if (run_scenario(w, s, &err) != ORR_OK) {
                report(all, s, &err);
                return;
            }
        }
        if (first >= mc->runs)
            return;
        int64_t done = atomic_fetch_add(&all->done, (last - first) * mc->policies);
        if (w->thread == 0 && mc->progress)
            mc->progress(mc->progress_user, done + (last - first) * mc->policies, total);
    }
}

static void *work(void *argument)
{
    worker *w = argument;
    orr_error err;
    if (prepare(w, &err) == ORR_OK)
        run_chunks(w);
    else
        report(w->all, -1, &err); /* before any scenario */
    clean_up(w);
    return NULL;
}

static orr_status run_workers(shared *all, worker *workers, int threads)
{
    int started = 1;
    for (; started < threads; started++)
        if (pthread_create(&workers[started].id, NULL, work, &workers[started]) != 0)
            break; /* fewer threads do the same work */
    work(&workers[0]);
    for (int i = 1; i < started; i++)
        pthread_join(workers[i].id, NULL);
    return all->failed == INT64_MAX ? ORR_OK : all->error.status;
}

orr_status orr_montecarlo_run(const orr_montecarlo *mc, orr_metrics *results, orr_error *err)
{
    int threads = mc->threads < 1 ? 1 : mc->threads;
    if (threads > mc->runs)
        threads = mc->runs > 0 ? (int)mc->runs : 1;
    shared all = {.mc = mc, .results = results, .failed = INT64_MAX};
    /* small enough to balance, large enough that the counter does not matter */
    all.chunk = mc->runs / (threads * 16);
    all.chunk = all.chunk < 1 ? 1 : all.chunk > 64 ? 64 : all.chunk;
    atomic_store(&all.stop, INT64_MAX);
    orr_allocator a = orr_allocator_or_default(mc->alloc);
    worker *workers = orr_calloc(&a, (size_t)threads, sizeof *workers);
    if (!workers)
        return orr_fail_memory(err, (size_t)threads * sizeof *workers);
    for (int i = 0; i < threads; i++)
        workers[i] = (worker){.all = &all, .thread = i, .alloc = a};
    pthread_mutex_init(&all.lock, NULL);
    orr_status status = run_workers(&all, workers, threads);
    pthread_mutex_destroy(&all.lock);
    orr_release(&a, workers, (size_t)threads * sizeof *workers);
    if (status != ORR_OK && err)
        *err = all.error;
    return status;
}
