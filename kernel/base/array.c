/* Arrays that grow. Only this file decides how much memory is reserved ahead. */
#include "base/array_internal.h"

#include "base/try_internal.h"

#include <string.h>

/* The first capacity of an array. */
enum { FIRST_BYTES = 1024, FIRST_ELEMENTS = 8 };

/* The caller's pointer has an unknown type: its bytes are read and written. */
static void *get(const void *array)
{
    void *items;
    memcpy(&items, array, sizeof items);
    return items;
}

static void set(void *array, void *items)
{
    memcpy(array, &items, sizeof items);
}

static orr_status resize(const orr_allocator *a, void *array, int64_t *capacity, int64_t next,
                         size_t size, orr_error *err)
{
    if ((uint64_t)next > SIZE_MAX / size)
        return orr_fail_memory(err, SIZE_MAX);
    void *old = get(array);
    size_t bytes = (size_t)next * size;
    void *items = old ? orr_resize(a, old, (size_t)*capacity * size, bytes) : orr_alloc(a, bytes);
    if (!items)
        return orr_fail_memory(err, bytes);
    set(array, items);
    *capacity = next;
    return ORR_OK;
}

orr_status ori_array_grow(const orr_allocator *a, void *array, int64_t *capacity, int64_t wanted,
                          size_t size, orr_error *err)
{
    int64_t first = (int64_t)(FIRST_BYTES / size);
    first = first > FIRST_ELEMENTS ? first : FIRST_ELEMENTS;
    int64_t next = *capacity > INT64_MAX / 2 ? wanted : 2 * *capacity;
    next = next > first ? next : first;
    return resize(a, array, capacity, next > wanted ? next : wanted, size, err);
}

orr_status ori_array_copy(const orr_allocator *a, void *array, int64_t *capacity, const void *from,
                          int64_t count, size_t size, const orr_allocator *owner, orr_error *err)
{
    if (count > *capacity) {
        /* Exactly: a copy need not grow. What forks share grows, and a larger array would be their
           own; room that nobody writes to takes no memory. */
        int64_t room = owner && ori_is_shared(a) ? count / 8 : 0, made = 0;
        void *fresh = NULL; /* what was there is not copied, and stays where memory is lacking */
        ORI_TRY(resize(a, &fresh, &made, count + room, size, err));
        ori_array_free(a, array, capacity, size);
        set(array, fresh);
        *capacity = made;
    }
    return count == 0
               ? ORR_OK
               : ori_copy_memory(owner && ori_is_shared(a), get(array),
                                 owner && ori_is_shared(owner), from, (size_t)count * size, err);
}

orr_status ori_array_trim(const orr_allocator *a, void *array, int64_t *capacity, int64_t count,
                          size_t size, orr_error *err)
{
    return count < *capacity ? resize(a, array, capacity, count, size, err) : ORR_OK;
}

void ori_array_free(const orr_allocator *a, void *array, int64_t *capacity, size_t size)
{
    orr_release(a, get(array), (size_t)*capacity * size);
    set(array, NULL);
    *capacity = 0;
}
