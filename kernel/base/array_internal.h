/* Arrays that grow: a pointer and a capacity that their owner keeps, in a struct or on the stack.
 *
 * The owner starts with a NULL pointer and capacity 0, reserves room before it adds an element, and
 * frees the array with the allocator that it was reserved with. The macros take the address of the
 * pointer and know the size of an element from its type. */
#pragma once

#include "base/error.h"
#include "base/memory_internal.h"
#include "base/try_internal.h"

/* Room for at least `wanted` elements; the capacity doubles, so that growing is cheap. On failure
 * the array is as it was. */
#define ORI_RESERVE(a, array, capacity, wanted, err)                                               \
    ori_array_reserve(a, array, capacity, wanted, sizeof **(array), err)

/* Replaces the array's elements by the first `count` elements of `from`. */
#define ORI_COPY(a, array, capacity, from, count, err)                                             \
    ori_array_copy(a, array, capacity, from, count, sizeof **(array), NULL, err)

/* ORI_COPY of an array that is a member of two structs, with its count. Returns from the calling
 * function on failure. */
#define ORI_COPY_MEMBER(to, from, array, count, capacity, err)                                     \
    do {                                                                                           \
        ORI_TRY(ori_array_copy(&(to)->alloc, &(to)->array, &(to)->capacity, (from)->array,         \
                               (from)->count, sizeof *(to)->array, &(from)->alloc, err));          \
        (to)->count = (from)->count;                                                               \
    } while (0)

/* Shrinks the memory to the first `count` > 0 elements; on failure nothing changes. */
#define ORI_TRIM(a, array, capacity, count, err)                                                   \
    ori_array_trim(a, array, capacity, count, sizeof **(array), err)

/* Frees the array: the pointer is NULL and the capacity 0 again. */
#define ORI_FREE(a, array, capacity) ori_array_free(a, array, capacity, sizeof **(array))

/* Called where the capacity does not suffice. */
orr_status ori_array_grow(const orr_allocator *a, void *array, int64_t *capacity, int64_t wanted,
                          size_t size, orr_error *err);

static inline orr_status ori_array_reserve(const orr_allocator *a, void *array, int64_t *capacity,
                                           int64_t wanted, size_t size, orr_error *err)
{
    return ORR_LIKELY(wanted <= *capacity) ? ORR_OK
                                           : ori_array_grow(a, array, capacity, wanted, size, err);
}

/* owner: the allocator of `from`; NULL: nothing is shared */
orr_status ori_array_copy(const orr_allocator *a, void *array, int64_t *capacity, const void *from,
                          int64_t count, size_t size, const orr_allocator *owner, orr_error *err);
orr_status ori_array_trim(const orr_allocator *a, void *array, int64_t *capacity, int64_t count,
                          size_t size, orr_error *err);
void ori_array_free(const orr_allocator *a, void *array, int64_t *capacity, size_t size);
