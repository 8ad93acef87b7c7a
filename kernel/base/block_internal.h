/* Several arrays in one block of memory: one allocation that succeeds for all of them or for none,
 * one to free, one to copy.
 *
 *     const ori_part parts[] = {ORI_PART(s->ends, jobs), ORI_PART(s->state, jobs),
 *                               ORI_PART_IF(s->timed, s->estimate, jobs)};
 *     orr_status status = ORI_BLOCK_CREATE(&s->block, parts, ORI_ZEROED, &s->alloc, err);
 *
 * sets the pointers s->ends, s->state and s->estimate, the last to NULL where it is not wanted. The
 * arrays lie in the order of the table, each aligned for its elements: with the widest elements
 * first no byte is lost between them. */
#pragma once

#include "base/error.h"
#include "base/memory_internal.h"

typedef struct ori_part {
    void *array; /* the address of the pointer that is set */
    size_t count, size;
    bool unwanted; /* the pointer is set to NULL */
} ori_part;

#define ORI_PART(pointer, count) ORI_PART_IF(true, pointer, count)
#define ORI_PART_IF(wanted, pointer, count)                                                        \
    {                                                                                              \
        &(pointer), (size_t)(count), sizeof *(pointer), !(wanted)                                  \
    }

typedef struct ori_block {
    void *memory; /* NULL: no memory */
    size_t size;
    bool shared; /* as for ori_copy_memory */
} ori_block;

typedef enum ori_filling { ORI_RAW, ORI_ZEROED } ori_filling;

/* On failure the pointers are left alone, and the block is safe to destroy. */
#define ORI_BLOCK_CREATE(block, parts, filling, a, err)                                            \
    ori_block_create(block, parts, sizeof(parts) / sizeof *(parts), filling, a, err)
orr_status ori_block_create(ori_block *block, const ori_part *parts, size_t count,
                            ori_filling filling, const orr_allocator *a, orr_error *err);

/* Grows a table of records: the counts in `parts` are for one row, and the table gets `rows` rows,
 * no fewer than `old`. The first `used` rows stay, the others are uninitialised. An empty block is
 * created. On failure nothing changes. */
#define ORI_BLOCK_GROW(block, parts, used, old, rows, a, err)                                      \
    ori_block_grow(block, parts, sizeof(parts) / sizeof *(parts), used, old, rows, a, err)
orr_status ori_block_grow(ori_block *block, const ori_part *parts, size_t count, size_t used,
                          size_t old, size_t rows, const orr_allocator *a, orr_error *err);

/* Scratch memory: the arrays exist up to the end of the scope. Without memory the calling function
 * returns ORR_ERR_MEMORY, or with _OR the given value.
 *
 *     ORI_SCRATCH(&tasks->alloc, ORI_RAW, err, ORI_PART(times, count), ORI_PART(order, count)); */
#define ORI_SCRATCH(a, filling, err, ...)                                                          \
    ORI_SCRATCH_OR(ORR_ERR_MEMORY, a, filling, err, __VA_ARGS__)
#define ORI_SCRATCH_OR(failed, a, filling, err, ...)                                               \
    const ori_part parts_[] = {__VA_ARGS__};                                                       \
    __attribute__((cleanup(ori_scratch_free))) ori_scratch scratch_ = {.alloc = (a)};              \
    if (ORI_BLOCK_CREATE(&scratch_.block, parts_, filling, scratch_.alloc, err) != ORR_OK)         \
    return failed

typedef struct ori_scratch {
    ori_block block;
    const orr_allocator *alloc;
} ori_scratch;

void ori_scratch_free(ori_scratch *scratch);

/* An object, `size` bytes that are all zero, to be freed with orr_release; NULL: no memory. */
void *ori_new(const orr_allocator *a, size_t size, orr_error *err);

/* Copies the contents to a block of the same size, or of one that is not frozen yet to itself. */
orr_status ori_block_copy(ori_block *to, const ori_block *from, orr_error *err);

/* Frees the memory; the pointers into it are the owner's to forget. */
void ori_block_destroy(ori_block *block, const orr_allocator *a);
