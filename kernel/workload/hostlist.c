/* Lists of nodes: their syntax, and the number of a node by its name. */
#include "hostlist_internal.h"

#include "base/array_internal.h"
#include "base/hash_internal.h"
#include "base/print_internal.h"
#include "base/try_internal.h"

#include <string.h>

enum { LONGEST_NAME = 255, MOST_DIGITS = 9 };

/* --- the syntax --------------------------------------------------------------------------------*/

/* A list being read, and the name that is put together. */
typedef struct hostlist {
    ori_host_taker take;
    void *user;
    orr_error *err;
    char name[LONGEST_NAME];
} hostlist;

/* Digits at `text`; their number, 0: none or too many. */
static int read_digits(const char *text, const char *end, int64_t *value)
{
    int digits = 0;
    for (*value = 0; text + digits < end && (unsigned)text[digits] - '0' <= 9; digits++) {
        if (digits == MOST_DIGITS)
            return 0;
        *value = 10 * *value + (text[digits] - '0');
    }
    return digits;
}

/* NOLINTNEXTLINE(misc-no-recursion): bounded by the brackets of a name */
static orr_status each_from(hostlist *h, size_t used, const char *text, const char *end);

/* All numbers of one range, each followed by the text behind the brackets. */
/* NOLINTNEXTLINE(misc-no-recursion): bounded by the brackets of a name */
static orr_status each_of_range(hostlist *h, size_t used, const char *range, const char *range_end,
                                const char *behind, const char *end)
{
    int64_t low, high;
    int digits = read_digits(range, range_end, &low);
    const char *dash = range + digits;
    high = low;
    if (digits == 0)
        return ORR_ERR_INPUT;
    if (dash < range_end) {
        int more = *dash == '-' ? read_digits(dash + 1, range_end, &high) : 0;
        if (more == 0 || dash + 1 + more != range_end || high < low)
            return ORR_ERR_INPUT;
    }
    for (int64_t i = low; i <= high; i++) {
        char number[24];
        size_t size = (size_t)ori_snprintf(number, sizeof number, "%0*lld", digits, (long long)i);
        if (used + size > LONGEST_NAME)
            return ORR_ERR_INPUT;
        memcpy(h->name + used, number, size);
        ORI_TRY(each_from(h, used + size, behind, end));
    }
    return ORR_OK;
}

/* All names that begin with the present prefix and continue by `text`. */
/* NOLINTNEXTLINE(misc-no-recursion): bounded by the brackets of a name */
static orr_status each_from(hostlist *h, size_t used, const char *text, const char *end)
{
    for (; text < end && *text != '['; text++) {
        if (*text == ']' || (unsigned char)*text <= ' ' || used == LONGEST_NAME)
            return ORR_ERR_INPUT;
        h->name[used++] = *text;
    }
    if (text == end)
        return used > 0 ? h->take(h->user, h->name, used, h->err) : ORR_ERR_INPUT;
    const char *close = memchr(text, ']', (size_t)(end - text));
    for (const char *range = text + 1; close; range++) {
        const char *stop = memchr(range, ',', (size_t)(close - range));
        stop = stop ? stop : close;
        ORI_TRY(each_of_range(h, used, range, stop, close + 1, end));
        if (stop == close)
            return ORR_OK;
        range = stop;
    }
    return ORR_ERR_INPUT;
}

orr_status ori_hostlist_each(const char *text, size_t size, ori_host_taker take, void *user,
                             orr_error *err)
{
    hostlist h = {.take = take, .user = user, .err = err};
    const char *end = text + size;
    for (const char *item = text;; item++) {
        const char *stop = item;
        bool inside = false;
        for (; stop < end && (inside || *stop != ','); stop++)
            inside = *stop == '[' || (inside && *stop != ']');
        ORI_TRY(each_from(&h, 0, item, stop));
        if (stop == end)
            return ORR_OK;
        item = stop;
    }
}

/* --- the nodes of a machine --------------------------------------------------------------------*/

static const char *name_of(const void *owner, int32_t number)
{
    const ori_hosts *hosts = owner;
    return hosts->names + hosts->first[number - 1];
}

static ori_slot *slot_of(const ori_hosts *hosts, const char *name, size_t size)
{
    return ori_find_slot(hosts->slots, (uint32_t)hosts->slot_count, ori_hash(name, size), name,
                         size, name_of, hosts);
}

static orr_status add_name(void *user, const char *name, size_t size, orr_error *err)
{
    ori_hosts *hosts = user;
    char shown[ORI_QUOTED_SIZE];
    ORI_FAIL_IF(hosts->known == hosts->count, err, ORR_ERR_ARGUMENT,
                "node_names: they are more than the %d nodes of the machine; %s is one too many",
                (int)hosts->count, ori_quote(name, size, shown));
    ori_slot *slot = slot_of(hosts, name, size);
    ORI_FAIL_IF(slot->number != 0, err, ORR_ERR_ARGUMENT, "node_names: %s is there twice",
                ori_quote(name, size, shown));
    ORI_TRY(ORI_RESERVE(&hosts->alloc, &hosts->names, &hosts->names_capacity,
                        hosts->names_size + (int64_t)size + 1, err));
    hosts->first[hosts->known++] = hosts->names_size;
    memcpy(hosts->names + hosts->names_size, name, size);
    hosts->names[hosts->names_size + (int64_t)size] = '\0';
    hosts->names_size += (int64_t)size + 1;
    *slot = (ori_slot){ori_hash(name, size), hosts->known};
    return ORR_OK;
}

static orr_status add_all(ori_hosts *hosts, const char *list, orr_error *err)
{
    char shown[ORI_QUOTED_SIZE];
    size_t slots = 4;
    while (slots < 2 * (size_t)hosts->count)
        slots *= 2;
    ORI_TRY(ORI_RESERVE(&hosts->alloc, &hosts->first, &hosts->first_capacity, hosts->count, err));
    hosts->slots = orr_calloc(&hosts->alloc, slots, sizeof *hosts->slots);
    if (!hosts->slots)
        return orr_fail_memory(err, slots * sizeof *hosts->slots);
    hosts->slot_count = slots;
    orr_status status = ori_hostlist_each(list, strlen(list), add_name, hosts, err);
    ORI_REFUSE(status == ORR_ERR_INPUT, err,
               "node_names: expected names of nodes as \"nid[0001-0128]\" or \"a,b,c\", found %s",
               ori_quote(list, strlen(list), shown));
    ORI_REFUSE(status == ORR_OK && hosts->known < hosts->count, err,
               "node_names: %d names for the %d nodes of the machine", (int)hosts->known,
               (int)hosts->count);
    return status;
}

orr_status ori_hosts_create(ori_hosts *hosts, int32_t count, int32_t low, const char *list,
                            const orr_allocator *a, orr_error *err)
{
    *hosts = (ori_hosts){
        .alloc = orr_allocator_or_default(a), .count = count, .named = list != NULL, .low = low};
    return list ? add_all(hosts, list, err) : ORR_OK;
}

void ori_hosts_destroy(ori_hosts *hosts)
{
    ORI_FREE(&hosts->alloc, &hosts->names, &hosts->names_capacity);
    ORI_FREE(&hosts->alloc, &hosts->first, &hosts->first_capacity);
    orr_release(&hosts->alloc, hosts->slots, hosts->slot_count * sizeof *hosts->slots);
}

int32_t ori_hosts_find(const ori_hosts *hosts, const char *name, size_t size)
{
    if (hosts->named)
        return slot_of(hosts, name, size)->number - 1;
    int64_t number;
    int digits = read_digits(name, name + size, &number);
    bool fine = digits > 0 && (size_t)digits == size && number - hosts->low < hosts->count;
    return fine ? (int32_t)number - hosts->low : -1;
}
