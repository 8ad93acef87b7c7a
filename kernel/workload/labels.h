/* Labels: texts that occur many times (users, queues) or once (ids of tasks). Each is stored once
 * and has a number.
 *
 * Numbers are 1, 2, ... count in the order in which the texts were first seen, so that an array of
 * count + 1 elements can be indexed by them; 0 means no text. Looking a text up takes one hash,
 * however many there are.
 *
 * Ownership: an orr_labels that is all zeros but for its allocator is empty; it is freed with
 * orr_labels_destroy. Texts belong to it and stay where they are until the next one is added. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

typedef struct orr_labels {
    orr_allocator alloc; /* set before the first use */
    int32_t count;

    /* internal: the texts one behind the other, where each begins (by number less 1), and an open
     * table of numbers by hash, a power of two */
    char *text;
    int64_t text_size, text_capacity;
    uint32_t *offset;
    int64_t offset_capacity;
    struct ori_slot *slot;
    uint32_t slots;
} orr_labels;

/* The number of a text (size bytes without a zero among them), which is added where it is new; 0
 * for an empty one. On failure (memory, more than 4 GiB of text) nothing is changed. */
ORR_API orr_status orr_labels_number(orr_labels *labels, const char *text, size_t size,
                                     int32_t *number, orr_error *err);

/* The number of a text (zero-terminated); 0: the text is not in the set. */
ORR_API int32_t orr_labels_find(const orr_labels *labels, const char *text);

/* The text of a number up to count, zero-terminated; NULL for 0. */
ORR_API const char *orr_labels_text(const orr_labels *labels, int32_t number);

/* Frees the texts; the set is empty again. */
ORR_API void orr_labels_destroy(orr_labels *labels);
