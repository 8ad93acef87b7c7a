/* Several arrays in one block of memory. Only this file computes where each array begins. */
#include "base/block_internal.h"

#include <string.h>

/* The largest power of two that divides the size suits every type of that size. */
static size_t alignment(size_t size)
{
    size_t divides = size & (~size + 1), most = _Alignof(max_align_t);
    return divides < most ? divides : most;
}

/* The offset at which part i begins with this number of rows; i = number of parts: the end of all
 * parts. SIZE_MAX where the size overflows. */
static size_t begin_of(const ori_part *parts, size_t count, size_t i, size_t rows)
{
    size_t end = 0, bytes;
    for (size_t k = 0; k <= i && k < count; k++) {
        size_t align = parts[k].unwanted ? 1 : alignment(parts[k].size);
        if (end > SIZE_MAX - align)
            return SIZE_MAX;
        end = (end + align - 1) / align * align;
        if (k == i)
            break;
        if (__builtin_mul_overflow(parts[k].unwanted ? 0 : parts[k].count, rows, &bytes) ||
            __builtin_mul_overflow(bytes, parts[k].size, &bytes) ||
            __builtin_add_overflow(end, bytes, &end))
            return SIZE_MAX;
    }
    return end;
}

/* The caller's pointers have types of their own: their bytes are written. */
static void set_pointers(const ori_part *parts, size_t count, size_t rows, char *memory)
{
    for (size_t i = 0; i < count; i++) {
        void *array = parts[i].unwanted ? NULL : memory + begin_of(parts, count, i, rows);
        memcpy(parts[i].array, &array, sizeof array);
    }
}

orr_status ori_block_create(ori_block *block, const ori_part *parts, size_t count,
                            ori_filling filling, const orr_allocator *a, orr_error *err)
{
    size_t size = begin_of(parts, count, count, 1);
    *block = (ori_block){.size = size, .shared = ori_is_shared(a)};
    if (size < SIZE_MAX)
        block->memory = filling == ORI_ZEROED ? orr_calloc(a, size, 1) : orr_alloc(a, size);
    if (!block->memory)
        return orr_fail_memory(err, size);
    set_pointers(parts, count, 1, block->memory);
    return ORR_OK;
}

orr_status ori_block_grow(ori_block *block, const ori_part *parts, size_t count, size_t used,
                          size_t old, size_t rows, const orr_allocator *a, orr_error *err)
{
    size_t size = begin_of(parts, count, count, rows);
    char *memory = NULL;
    if (size < SIZE_MAX)
        memory =
            block->memory ? orr_resize(a, block->memory, block->size, size) : orr_alloc(a, size);
    if (!memory)
        return orr_fail_memory(err, size);
    *block = (ori_block){.memory = memory, .size = size};
    set_pointers(parts, count, rows, memory);
    /* the last array moves first: each moves upwards, over memory that was moved already */
    for (size_t i = count; used > 0 && i-- > 0;)
        if (!parts[i].unwanted)
            memmove(memory + begin_of(parts, count, i, rows),
                    memory + begin_of(parts, count, i, old), used * parts[i].count * parts[i].size);
    return ORR_OK;
}

void *ori_new(const orr_allocator *a, size_t size, orr_error *err)
{
    void *object = orr_calloc(a, 1, size);
    if (!object)
        orr_fail_memory(err, size);
    return object;
}

orr_status ori_block_copy(ori_block *to, const ori_block *from, orr_error *err)
{
    return ori_copy_memory(to->shared, to->memory, from->shared, from->memory, from->size, err);
}

void ori_block_destroy(ori_block *block, const orr_allocator *a)
{
    orr_release(a, block->memory, block->size);
    *block = (ori_block){.memory = NULL};
}

void ori_scratch_free(ori_scratch *scratch)
{
    ori_block_destroy(&scratch->block, scratch->alloc);
}
