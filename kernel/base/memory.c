/* The allocator of malloc, the four ways in which the kernel calls any allocator, and memory that
 * copies share. */
#include "base/memory_internal.h"

#include <stdlib.h>
#include <string.h>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

static void *resize_with_malloc(void *user, void *block, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size > 0)
        return realloc(block, new_size);
    free(block);
    return NULL;
}

/* --- memory that copies share ----------------------------------------------------------------- */

#ifdef __linux__

/* Blocks from LARGE bytes on lie behind a head of HEAD bytes. At most MOST_FILES are open: the
 * program needs some, too. */
enum { LARGE = 1 << 17, HEAD = 64, MOST_FILES = 512 };

typedef struct head {
    const void *owner; /* the block; its copies show this head, too */
    int file;          /* with the contents of a frozen block, -1: none */
    bool mapped;       /* else it is malloc's */
    bool freezes;      /* contents are copied to it once, and stay */
} head;

static head *head_of(const void *block)
{
    return (head *)((uintptr_t)block - HEAD);
}

/* All zero. */
static void *new_large(size_t size, bool freezes)
{
    if (size > PTRDIFF_MAX - HEAD)
        return NULL;
    size += HEAD;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool mapped = memory != MAP_FAILED;
    if (!mapped && !(memory = calloc(1, size)))
        return NULL;
    void *block = (char *)memory + HEAD;
    *head_of(block) = (head){block, -1, mapped, freezes};
    return block;
}

static void free_large(void *block, size_t size)
{
    head h = *head_of(block);
    if (h.owner == block && h.file >= 0)
        close(h.file);
    if (h.mapped)
        munmap(head_of(block), size + HEAD);
    else
        free(head_of(block));
}

static void *resize_shared(void *freezes, void *block, size_t old_size, size_t new_size)
{
    if (old_size < LARGE && new_size < LARGE)
        return resize_with_malloc(NULL, block, old_size, new_size);
    void *fresh = NULL;
    if (new_size > 0 &&
        !(fresh = new_size < LARGE ? malloc(new_size) : new_large(new_size, freezes)))
        return NULL;
    if (block && fresh)
        memcpy(fresh, block, old_size < new_size ? old_size : new_size);
    if (!block || old_size < LARGE)
        free(block);
    else
        free_large(block, old_size);
    return fresh;
}

orr_allocator ori_frozen_allocator(const orr_allocator *a)
{
    static const char freezes;
    struct rlimit file; /* a file that grows beyond it ends the program, also one in memory */
    bool possible = (a->resize == resize_with_malloc || a->resize == resize_shared) &&
                    getrlimit(RLIMIT_FSIZE, &file) == 0 && file.rlim_cur == RLIM_INFINITY;
    return possible ? (orr_allocator){resize_shared, (void *)(uintptr_t)&freezes} : *a;
}

orr_allocator ori_copy_allocator(const orr_allocator *a)
{
    return ori_is_shared(a) ? (orr_allocator){resize_shared, NULL} : *a;
}

bool ori_is_shared(const orr_allocator *a)
{
    return a->resize == resize_shared;
}

static bool write_all(int file, const void *from, size_t size)
{
    for (ssize_t n; size > 0; from = (const char *)from + n, size -= (size_t)n)
        if ((n = write(file, from, size)) < 0)
            return false;
    return true;
}

/* Whether a file has the contents now, and lies where the block was. */
static bool freeze(head *h, const void *from, size_t size)
{
    int file = memfd_create("orrery", MFD_CLOEXEC);
    h->file = file;
    if (file >= 0 && file < MOST_FILES && write_all(file, h, HEAD) && write_all(file, from, size) &&
        mmap(h, HEAD + size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file, 0) != MAP_FAILED)
        return true;
    h->file = -1;
    if (file >= 0)
        close(file);
    return false;
}

orr_status ori_copy_memory(bool to_shared, void *to, bool from_shared, const void *from,
                           size_t size, orr_error *err)
{
    head *h = to_shared && size >= LARGE ? head_of(to) : NULL;
    const head *frozen = h && from_shared ? head_of(from) : NULL;
    bool fresh = h && h->owner == to && h->mapped && h->file < 0;
    if (fresh && h->freezes && freeze(h, from, size))
        return ORR_OK;
    /* A map that may not be written to takes no memory. So the system finds only afterwards that it
       has none left, when something stands in the place of the old map. */
    if (fresh && frozen && frozen->owner == from && frozen->file >= 0 &&
        mmap(h, HEAD + size, PROT_READ, MAP_PRIVATE | MAP_FIXED, frozen->file, 0) != MAP_FAILED)
        return mprotect(h, HEAD + size, PROT_READ | PROT_WRITE) == 0 ? ORR_OK
                                                                     : orr_fail_memory(err, size);
    if (to != from)
        memcpy(to, from, size);
    return ORR_OK;
}

/* Whether a new block of this size is all zero. */
static bool begins_with_zeros(const orr_allocator *a, size_t size)
{
    return ori_is_shared(a) && size >= LARGE;
}

#else

orr_allocator ori_frozen_allocator(const orr_allocator *a)
{
    return *a;
}

orr_allocator ori_copy_allocator(const orr_allocator *a)
{
    return *a;
}

bool ori_is_shared(const orr_allocator *a)
{
    (void)a;
    return false;
}

orr_status ori_copy_memory(bool to_shared, void *to, bool from_shared, const void *from,
                           size_t size, orr_error *err)
{
    (void)to_shared, (void)from_shared, (void)err;
    if (to != from)
        memcpy(to, from, size);
    return ORR_OK;
}

static bool begins_with_zeros(const orr_allocator *a, size_t size)
{
    (void)a, (void)size;
    return false;
}

#endif

/* ---------------------------------------------------------------------------------------------- */

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
    if (block && !begins_with_zeros(a, count * size))
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
