#include "schedule_internal.h"

enum { FIRST_ELEMENTS = 64 };

orr_status ori_grow(const orr_allocator *a, void **block, int64_t *capacity, int64_t wanted,
                    size_t size, orr_error *err)
{
    if (wanted <= *capacity)
        return ORR_OK;
    int64_t larger = *capacity * 2 > wanted ? *capacity * 2 : wanted;
    if (larger < FIRST_ELEMENTS)
        larger = FIRST_ELEMENTS;
    size_t bytes = (size_t)larger * size;
    void *moved =
        *block ? orr_resize(a, *block, (size_t)*capacity * size, bytes) : orr_alloc(a, bytes);
    if (!moved)
        return orr_fail_memory(err, bytes);
    *block = moved;
    *capacity = larger;
    return ORR_OK;
}
