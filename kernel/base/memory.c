/* The allocator of malloc, and the four ways in which the kernel calls any allocator. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void *resize_with_malloc(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size > 0)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

orr_allocator orr_allocator_or_default(const orr_allocator *given)
{
    return given ? *given : (orr_allocator){resize_with_malloc, NULL};
}

/* A block of 0 bytes is allocated as a block of 1 byte, and freed as such, so that an accounting
 * allocator sees the same size twice. */
static size_t real_size(size_t size)
{
    return size > 0 ? size : 1;
}

void *orr_alloc(const orr_allocator *a, size_t size)
{
    return a->resize(a->user, NULL, 0, real_size(size));
}

void *orr_calloc(const orr_allocator *a, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size)
        return NULL;
    if (a->resize == resize_with_malloc) /* large ones are not written to, and take no memory yet */
        return calloc(real_size(count * size), 1);
    void *block = orr_alloc(a, count * size);
    if (block)
        memset(block, 0, real_size(count * size));
    return block;
}

void *orr_resize(const orr_allocator *a, void *block, size_t old_size, size_t new_size)
{
    return a->resize(a->user, block, old_size, new_size);
}

void orr_release(const orr_allocator *a, void *block, size_t size)
{
    if (block)
        a->resize(a->user, block, real_size(size), 0);
}
