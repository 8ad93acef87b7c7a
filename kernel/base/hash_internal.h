/* Tables of numbers by text: an open table of slots, a power of two of them and at most half full;
 * the text of a number is kept elsewhere. */
#pragma once

#include "base/api.h"

#include <string.h>

/* FNV-1a, 32 bits. */
static inline uint32_t ori_hash(const char *text, size_t size)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

typedef struct ori_slot {
    uint32_t hash;  /* of the text: where it differs, the text is not compared */
    int32_t number; /* from 1 on; 0: the slot is empty */
} ori_slot;

/* The zero-terminated text of a number. */
typedef const char *(*ori_text_of)(const void *owner, int32_t number);

/* The slot of a text (size bytes without a zero among them) with this hash: its own, or the empty
 * one where it belongs. count: of all slots. */
ORR_INLINE ori_slot *ori_find_slot(ori_slot *slots, uint32_t count, uint32_t hash, const char *text,
                                   size_t size, ori_text_of text_of, const void *owner)
{
    uint32_t mask = count - 1, i = (hash ^ hash >> 16) & mask;
    for (; slots[i].number != 0; i = (i + 1) & mask) {
        if (slots[i].hash != hash)
            continue;
        const char *other = text_of(owner, slots[i].number);
        if (strncmp(other, text, size) == 0 && other[size] == '\0')
            break;
    }
    return &slots[i];
}
