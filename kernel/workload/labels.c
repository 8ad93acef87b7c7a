#include "workload/labels.h"

#include <limits.h>
#include <string.h>

enum { FIRST_LABELS = 16, FIRST_SLOTS = 32, FIRST_TEXT = 256 };

void orr_labels_destroy(orr_labels *labels)
{
    orr_allocator alloc = labels->alloc;
    orr_release(&alloc, labels->text, labels->text_capacity);
    orr_release(&alloc, labels->offset, (size_t)labels->offset_capacity * sizeof *labels->offset);
    orr_release(&alloc, labels->slot, (size_t)labels->slots * sizeof *labels->slot);
    *labels = (orr_labels){.alloc = alloc};
}

const char *orr_labels_text(const orr_labels *labels, int32_t number)
{
    return number == 0 ? NULL : labels->text + labels->offset[number - 1];
}

/* FNV-1a, 32 bits. */
static uint32_t hash(const char *text, size_t size)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

/* The slot of a text: its own, or the empty one where it belongs. */
static int32_t *find(const orr_labels *labels, const char *text, size_t size)
{
    uint32_t mask = labels->slots - 1, i = hash(text, size) & mask;
    while (labels->slot[i] != 0) {
        const char *other = orr_labels_text(labels, labels->slot[i]);
        if (strncmp(other, text, size) == 0 && other[size] == '\0')
            break;
        i = (i + 1) & mask;
    }
    return &labels->slot[i];
}

/* The table is at most half full. */
static orr_status grow_slots(orr_labels *labels, orr_error *err)
{
    uint32_t slots = labels->slots == 0 ? FIRST_SLOTS : 2 * labels->slots;
    if (slots < (uint32_t)labels->count * 2 + 2)
        return orr_fail(err, ORR_ERR_ARGUMENT, "more than %d different texts", INT32_MAX / 2);
    int32_t *table = orr_calloc(&labels->alloc, slots, sizeof *table);
    if (table == NULL)
        return orr_fail_memory(err, (size_t)slots * sizeof *table);
    orr_release(&labels->alloc, labels->slot, (size_t)labels->slots * sizeof *labels->slot);
    labels->slot = table;
    labels->slots = slots;
    for (int32_t number = 1; number <= labels->count; number++) {
        const char *text = orr_labels_text(labels, number);
        *find(labels, text, strlen(text)) = number;
    }
    return ORR_OK;
}

static orr_status grow_offsets(orr_labels *labels, orr_error *err)
{
    int32_t old = labels->offset_capacity, capacity = old == 0 ? FIRST_LABELS : 2 * old;
    size_t bytes = (size_t)capacity * sizeof *labels->offset;
    uint32_t *offset = old == 0 ? orr_alloc(&labels->alloc, bytes)
                                : orr_resize(&labels->alloc, labels->offset,
                                             (size_t)old * sizeof *labels->offset, bytes);
    if (offset == NULL)
        return orr_fail_memory(err, bytes);
    labels->offset = offset;
    labels->offset_capacity = capacity;
    return ORR_OK;
}

static orr_status grow_text(orr_labels *labels, size_t need, orr_error *err)
{
    size_t capacity = labels->text_capacity == 0 ? FIRST_TEXT : labels->text_capacity;
    while (capacity < need)
        capacity *= 2;
    char *text = labels->text == NULL
                     ? orr_alloc(&labels->alloc, capacity)
                     : orr_resize(&labels->alloc, labels->text, labels->text_capacity, capacity);
    if (text == NULL)
        return orr_fail_memory(err, capacity);
    labels->text = text;
    labels->text_capacity = capacity;
    return ORR_OK;
}

/* Makes room for one more text. */
static orr_status make_room(orr_labels *labels, size_t size, orr_error *err)
{
    orr_status status = ORR_OK;
    if (size >= UINT32_MAX - labels->text_size)
        return orr_fail(err, ORR_ERR_ARGUMENT, "more than 4 GiB of labels");
    if (labels->slots < 2 * ((uint32_t)labels->count + 1))
        status = grow_slots(labels, err);
    if (status == ORR_OK && labels->count == labels->offset_capacity)
        status = grow_offsets(labels, err);
    if (status == ORR_OK && labels->text_size + size + 1 > labels->text_capacity)
        status = grow_text(labels, labels->text_size + size + 1, err);
    return status;
}

orr_status orr_labels_number(orr_labels *labels, const char *text, size_t size, int32_t *number,
                             orr_error *err)
{
    *number = 0;
    if (size == 0)
        return ORR_OK;
    if (labels->slots > 0 && (*number = *find(labels, text, size)) != 0)
        return ORR_OK;
    orr_status status = make_room(labels, size, err);
    if (status != ORR_OK)
        return status;
    memcpy(labels->text + labels->text_size, text, size);
    labels->text[labels->text_size + size] = '\0';
    *find(labels, text, size) = *number = labels->count + 1;
    labels->offset[labels->count++] = (uint32_t)labels->text_size;
    labels->text_size += size + 1;
    return ORR_OK;
}
