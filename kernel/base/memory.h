/* Memory: one replaceable function behind every allocation.
 *
 * The allocator works like Lua's: resize(user, NULL, 0, n) allocates, resize(user, p, old, n)
 * resizes, resize(user, p, old, 0) frees and returns NULL. It must return memory aligned for any
 * type, and NULL (leaving the old block as it was) when there is none. Objects keep a copy of the
 * orr_allocator they were created with, so the struct itself may be temporary. */
#pragma once

#include "base/api.h"

typedef struct orr_allocator {
    void *(*resize)(void *user, void *block, size_t old_size, size_t new_size);
    void *user;
} orr_allocator;

/* The allocator to use for `given`: a copy of it, or malloc's where given is NULL. */
ORR_API orr_allocator orr_allocator_or_default(const orr_allocator *given);

/* size bytes, uninitialised; NULL when there are none. size 0 gives a valid block of one byte. */
ORR_API void *orr_alloc(const orr_allocator *a, size_t size);

/* count * size bytes, all zero; NULL when there are none or the product overflows. */
ORR_API void *orr_calloc(const orr_allocator *a, size_t count, size_t size);

/* Resizes block from old_size to new_size bytes (both > 0); NULL leaves the old block valid. */
ORR_API void *orr_resize(const orr_allocator *a, void *block, size_t old_size, size_t new_size);

/* Frees a block of `size` bytes, as it was asked for; block may be NULL. */
ORR_API void orr_release(const orr_allocator *a, void *block, size_t size);
