/* Sorting: stable, with scratch memory from the caller. And binary search in sorted arrays.
 *
 * The C library's qsort leaves the order of equal elements open, and some implementations allocate
 * memory without the allocator. Here equal elements keep their order, so that a result does not
 * depend on the library. The code is inlined where it is called, for the size and the order at
 * hand. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

/* Whether x must come before y; false for equal elements. */
typedef bool (*ori_before)(const void *x, const void *y);

/* The order of numbers of type double, and of structs that begin with one. */
static inline bool ori_is_less(const void *x, const void *y)
{
    return *(const double *)x < *(const double *)y;
}

/* Moves `low`, a variable, up to the first `middle` of which the condition does not hold any more,
 * or to `high` where it holds of all below. */
#define ORI_BISECT(low, high, middle, condition)                                                   \
    for (__typeof__(low) high_ = (high), middle; (low) < high_;) {                                 \
        (middle) = (low) + (high_ - (low)) / 2;                                                    \
        if (condition)                                                                             \
            (low) = (middle) + 1;                                                                  \
        else                                                                                       \
            high_ = (middle);                                                                      \
    }

enum { ORI_SORT_RUN = 8 }; /* sorted by insertion, which is fastest for so few */

/* Sorts items[low..high) by insertion; `spare` has room for one. */
ORR_INLINE void ori_sort_run(char *items, int64_t low, int64_t high, size_t size, ori_before before,
                             char *spare)
{
    for (int64_t i = low + 1; i < high; i++) {
        int64_t at = i;
        memcpy(spare, items + (size_t)i * size, size);
        for (; at > low && before(spare, items + (size_t)(at - 1) * size); at--)
            memcpy(items + (size_t)at * size, items + (size_t)(at - 1) * size, size);
        memcpy(items + (size_t)at * size, spare, size);
    }
}

/* Merges the sorted runs from[low..middle) and from[middle..high) into to[low..high). */
ORR_INLINE void ori_sort_merge(const char *from, char *to, int64_t low, int64_t middle,
                               int64_t high, size_t size, ori_before before)
{
    const char *left = from + (size_t)low * size, *right = from + (size_t)middle * size;
    const char *left_end = right, *right_end = from + (size_t)high * size;
    bool parted = middle < high && !before(right, left_end - size); /* one behind the other */
    to += (size_t)low * size;
    for (; !parted && left < left_end && right < right_end; to += size) {
        bool second = before(right, left);
        memcpy(to, second ? right : left, size);
        *(second ? &right : &left) += size;
    }
    memcpy(to, left, (size_t)(left_end - left));
    memcpy(to + (left_end - left), right, (size_t)(right_end - right));
}

/* Sorts `count` items of `size` bytes each; `scratch` has room for as many. */
ORR_INLINE void ori_sort(void *items, int64_t count, size_t size, ori_before before, void *scratch)
{
    char *from = items, *to = scratch;
    for (int64_t low = 0; low < count; low += ORI_SORT_RUN)
        ori_sort_run(from, low, low + ORI_SORT_RUN < count ? low + ORI_SORT_RUN : count, size,
                     before, to);
    for (int64_t run = ORI_SORT_RUN; run < count; run *= 2) {
        for (int64_t low = 0; low < count; low += 2 * run) {
            int64_t middle = low + run < count ? low + run : count;
            int64_t high = middle + run < count ? middle + run : count;
            ori_sort_merge(from, to, low, middle, high, size, before);
        }
        char *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != (char *)items)
        memcpy(items, from, (size_t)count * size);
}

/* Sorts with scratch memory that it allocates and frees. On failure the items stay as they were. */
#define ORI_SORT(items, count, before, a, err)                                                     \
    ori_sort_allocating(items, count, sizeof *(items), before, a, err)

ORR_INLINE orr_status ori_sort_allocating(void *items, int64_t count, size_t size,
                                          ori_before before, const orr_allocator *a, orr_error *err)
{
    if (count < 2)
        return ORR_OK;
    size_t bytes = (size_t)count * size; /* no overflow: the items are as large */
    void *scratch = orr_alloc(a, bytes);
    if (!scratch)
        return orr_fail_memory(err, bytes);
    ori_sort(items, count, size, before, scratch);
    orr_release(a, scratch, bytes);
    return ORR_OK;
}
