/* What the programs of this folder measure: processor time, and memory. */
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* s of processor time: the machine may have other work. */
static inline double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The bytes that an allocator has given out. */
typedef struct memory {
    int64_t alive, most;
} memory;

/* Of an orr_allocator, with a memory as `user`. */
static inline void *counted(void *user, void *block, size_t old_size, size_t new_size)
{
    memory *m = (memory *)user;
    m->alive += (int64_t)new_size - (int64_t)(block ? old_size : 0);
    m->most = m->alive > m->most ? m->alive : m->most;
    if (new_size > 0)
        return realloc(block, new_size);
    free(block);
    return NULL;
}
