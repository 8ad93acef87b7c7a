/* Labels: texts by number, looked up by an open table. Jobs, tasks, readers and writers share
 * them. */
#include "workload/jobs_internal.h"
#include "workload/labels_internal.h"

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

static const char *text_of(const void *user, int32_t number)
{
    const orr_labels *labels = user;
    return labels->text + labels->offset[number - 1];
}

const char *orr_labels_text(const orr_labels *labels, int32_t number)
{
    return number > 0 && number <= labels->count ? text_of(labels, number) : NULL;
}

/* The slot of a text: its own, or the empty one where it belongs. */
static ori_slot *find_label(const orr_labels *labels, uint32_t hash, const char *text, size_t size)
{
    return ori_find_slot(labels->slot, labels->slots, hash, text, size, text_of, labels);
}

/* Room for `slots` slots, a power of two; the table is at most half full. */
static orr_status grow_slots(orr_labels *labels, uint32_t slots, orr_error *err)
{
    ori_slot *table = orr_calloc(&labels->alloc, slots, sizeof *table), *before = labels->slot;
    if (!table)
        return orr_fail_memory(err, (size_t)slots * sizeof *table);
    for (uint32_t old = 0; old < labels->slots; old++) {
        uint32_t hash = before[old].hash, i = (hash ^ hash >> 16) & (slots - 1);
        if (before[old].number == 0)
            continue;
        while (table[i].number != 0)
            i = (i + 1) & (slots - 1);
        table[i] = before[old];
    }
    orr_release(&labels->alloc, before, (size_t)labels->slots * sizeof *before);
    labels->slot = table;
    labels->slots = slots;
    return ORR_OK;
}

orr_status ori_labels_reserve(orr_labels *labels, int64_t count, size_t size, orr_error *err)
{
    uint32_t slots = labels->slots == 0 ? FIRST_SLOTS : labels->slots;
    ORI_REFUSE(size > UINT32_MAX, err, "more than 4 GiB of labels");
    ORI_REFUSE(count > INT32_MAX / 2 + 1, err, "more than %d different texts", INT32_MAX / 2);
    while (slots < 2 * (uint32_t)count)
        slots *= 2;
    if (slots != labels->slots)
        ORI_TRY(grow_slots(labels, slots, err));
    ORI_TRY(ORI_RESERVE(&labels->alloc, &labels->offset, &labels->offset_capacity, count, err));
    return ORI_RESERVE(&labels->alloc, &labels->text, &labels->text_capacity, (int64_t)size, err);
}

void ori_labels_clear(orr_labels *labels)
{
    labels->count = 0;
    labels->text_size = 0;
    memset(labels->slot, 0, (size_t)labels->slots * sizeof *labels->slot);
}

int32_t orr_labels_find(const orr_labels *labels, const char *text)
{
    size_t size = strlen(text);
    return labels->slots == 0 ? 0 : find_label(labels, ori_hash(text, size), text, size)->number;
}

/* slot: the place of the text, unless the table grows; NULL: the table has no slots yet. */
static orr_status add_label(orr_labels *labels, ori_slot *slot, uint32_t hash, const char *text,
                            size_t size, orr_error *err)
{
    uint32_t slots = labels->slots;
    ORI_TRY(ori_labels_reserve(labels, (int64_t)labels->count + 1,
                               (size_t)labels->text_size + size + 1, err));
    if (!slot || slots != labels->slots)
        slot = find_label(labels, hash, text, size);
    memcpy(labels->text + labels->text_size, text, size);
    labels->text[labels->text_size + (int64_t)size] = '\0';
    *slot = (ori_slot){hash, labels->count + 1};
    labels->offset[labels->count++] = (uint32_t)labels->text_size;
    labels->text_size += (int64_t)size + 1;
    return ORR_OK;
}

orr_status orr_labels_number(orr_labels *labels, const char *text, size_t size, int32_t *number,
                             orr_error *err)
{
    *number = 0;
    if (size == 0)
        return ORR_OK;
    uint32_t hash = ori_hash(text, size);
    ori_slot *slot = labels->slots > 0 ? find_label(labels, hash, text, size) : NULL;
    if (!slot || slot->number == 0) {
        ORI_TRY(add_label(labels, slot, hash, text, size, err));
        *number = labels->count;
    } else {
        *number = slot->number;
    }
    return ORR_OK;
}
