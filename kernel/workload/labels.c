/* Labels: texts by number, looked up by an open table. They are a file of their own because jobs,
 * readers and writers share them, and none of these knows how they are kept. */
#include "workload/labels.h"

#include "base/array_internal.h"
#include "base/hash_internal.h"
#include "base/try_internal.h"

#include <limits.h>

enum { FIRST_SLOTS = 32 };

void orr_labels_destroy(orr_labels *labels)
{
    orr_allocator alloc = labels->alloc;
    ORI_FREE(&alloc, &labels->text, &labels->text_capacity);
    ORI_FREE(&alloc, &labels->offset, &labels->offset_capacity);
    orr_release(&alloc, labels->slot, (size_t)labels->slots * sizeof *labels->slot);
    *labels = (orr_labels){.alloc = alloc};
}

const char *orr_labels_text(const orr_labels *labels, int32_t number)
{
    return number == 0 ? NULL : labels->text + labels->offset[number - 1];
}

static const char *text_of(const void *labels, int32_t number)
{
    return orr_labels_text(labels, number);
}

/* The slot of a text: its own, or the empty one where it belongs. */
static int32_t *find(const orr_labels *labels, const char *text, size_t size)
{
    return ori_find_slot(labels->slot, labels->slots, text, size, text_of, labels);
}

/* The table is at most half full. */
static orr_status grow_slots(orr_labels *labels, orr_error *err)
{
    uint32_t slots = labels->slots == 0 ? FIRST_SLOTS : 2 * labels->slots;
    ORI_REFUSE(slots < (uint32_t)labels->count * 2 + 2, err, "more than %d different texts",
               INT32_MAX / 2);
    int32_t *table = orr_calloc(&labels->alloc, slots, sizeof *table);
    if (!table)
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

/* Makes room for one more text. */
static orr_status make_room(orr_labels *labels, size_t size, orr_error *err)
{
    ORI_REFUSE(size >= UINT32_MAX - (size_t)labels->text_size, err, "more than 4 GiB of labels");
    if (labels->slots < 2 * ((uint32_t)labels->count + 1))
        ORI_TRY(grow_slots(labels, err));
    ORI_TRY(ORI_RESERVE(&labels->alloc, &labels->offset, &labels->offset_capacity,
                        (int64_t)labels->count + 1, err));
    return ORI_RESERVE(&labels->alloc, &labels->text, &labels->text_capacity,
                       labels->text_size + (int64_t)size + 1, err);
}

orr_status orr_labels_number(orr_labels *labels, const char *text, size_t size, int32_t *number,
                             orr_error *err)
{
    *number = 0;
    if (size == 0)
        return ORR_OK;
    if (labels->slots > 0 && (*number = *find(labels, text, size)) != 0)
        return ORR_OK;
    ORI_TRY(make_room(labels, size, err));
    memcpy(labels->text + labels->text_size, text, size);
    labels->text[labels->text_size + (int64_t)size] = '\0';
    *find(labels, text, size) = *number = labels->count + 1;
    labels->offset[labels->count++] = (uint32_t)labels->text_size;
    labels->text_size += (int64_t)size + 1;
    return ORR_OK;
}
