/* Work on many items in several threads, for Monte Carlo runs. Only this file starts threads. */
#include "base/threads_internal.h"

#include "base/block_internal.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct shared {
    const ori_threads *given;
    int64_t chunk;
    atomic_llong next; /* the first item that no thread has taken */
    atomic_llong done;
    atomic_llong stop; /* items from here on need no work: one below has failed */
    pthread_mutex_t lock;
    int64_t failed; /* the smallest item that failed, INT64_MAX for none; under lock */
    orr_error error;
    int64_t told; /* items of the latest progress; for the calling thread alone */
} shared;

typedef struct worker {
    shared *all;
    int thread;
    pthread_t id;
} worker;

/* Keeps the error of the smallest item; -1 is for errors before any. */
static void report_error(shared *all, int64_t item, const orr_error *err)
{
    pthread_mutex_lock(&all->lock);
    if (item < all->failed) {
        all->failed = item;
        all->error = *err;
        atomic_store(&all->stop, item);
    }
    pthread_mutex_unlock(&all->lock);
}

/* In the calling thread. */
static void tell(shared *all, int64_t done)
{
    const ori_threads *given = all->given;
    all->told = done;
    if (given->progress)
        given->progress(given->progress_user, done * given->weight, given->items * given->weight);
}

static void work_on_chunks(worker *w, void *own)
{
    shared *all = w->all;
    const ori_threads *given = all->given;
    orr_error err;
    for (;;) {
        int64_t first = atomic_fetch_add(&all->next, all->chunk);
        int64_t last = first + all->chunk < given->items ? first + all->chunk : given->items;
        for (int64_t i = first; i < last; i++) {
            if (i >= atomic_load_explicit(&all->stop, memory_order_relaxed))
                return;
            if (given->work(given->user, own, i, &err) != ORR_OK) {
                report_error(all, i, &err);
                return;
            }
        }
        if (first >= given->items)
            return;
        int64_t done = atomic_fetch_add(&all->done, last - first) + last - first;
        if (w->thread == 0)
            tell(all, done);
    }
}

static void *join_in(void *argument)
{
    worker *w = argument;
    const ori_threads *given = w->all->given;
    void *own = NULL;
    orr_error err;
    if (given->begin(given->user, w->thread, &own, &err) == ORR_OK)
        work_on_chunks(w, own);
    else
        report_error(w->all, -1, &err);
    given->end(given->user, w->thread, own);
    return NULL;
}

orr_status ori_threads_run(const ori_threads *given, orr_error *err)
{
    int threads = given->threads < 1 ? 1 : given->threads;
    if (threads > given->items)
        threads = given->items > 0 ? (int)given->items : 1;
    shared all = {.given = given, .failed = INT64_MAX};
    /* small enough to balance, large enough that the counter does not matter */
    all.chunk = given->items / (threads * (int64_t)64);
    all.chunk = all.chunk < 1 ? 1 : all.chunk > given->largest ? given->largest : all.chunk;
    atomic_store(&all.stop, INT64_MAX);
    orr_allocator a = orr_allocator_or_default(given->alloc);
    worker *workers;
    ORI_SCRATCH(&a, ORI_ZEROED, err, ORI_PART(workers, threads));
    for (int i = 0; i < threads; i++)
        workers[i] = (worker){.all = &all, .thread = i};
    pthread_mutex_init(&all.lock, NULL);
    int started = 1;
    for (; started < threads; started++)
        if (pthread_create(&workers[started].id, NULL, join_in, &workers[started]) != 0)
            break; /* fewer threads do the same work */
    join_in(&workers[0]);
    for (int i = 1; i < started; i++)
        pthread_join(workers[i].id, NULL);
    pthread_mutex_destroy(&all.lock);
    if (all.failed == INT64_MAX) {
        if (all.told < given->items) /* another thread finished the last items */
            tell(&all, given->items);
        return ORR_OK;
    }
    if (err)
        *err = all.error;
    return all.error.status;
}
