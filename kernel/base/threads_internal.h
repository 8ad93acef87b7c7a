/* Threads: one function is applied to many items, spread over threads.
 *
 * Every thread prepares what it needs, works on chunks of items, and cleans up. Which thread gets
 * an item depends on the machine; the result of an item must depend on the item alone, and be
 * stored at the item's place. If items fail, the error of the smallest item is returned, also
 * independent of the threads. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

typedef struct ori_threads {
    int64_t items;   /* 0 .. items - 1 */
    int64_t weight;  /* what one item counts in progress, >= 1 */
    int threads;     /* < 1 is 1; no more than there are items */
    int64_t largest; /* chunk of items that a thread takes at once, >= 1 */

    /* Called in the thread before its first item; *own is passed to the other functions. Also when
     * it fails, `end` must be able to clean up *own. */
    orr_status (*begin)(void *user, int thread, void **own, orr_error *err);
    orr_status (*work)(void *user, void *own, int64_t item, orr_error *err);
    void (*end)(void *user, int thread, void *own);
    void *user;

    /* Called now and then in the calling thread; NULL: never. */
    void (*progress)(void *user, int64_t done, int64_t total);
    void *progress_user;
    const orr_allocator *alloc; /* NULL: malloc */
} ori_threads;

/* Works on all items in the calling thread and threads - 1 more. */
orr_status ori_threads_run(const ori_threads *given, orr_error *err);
