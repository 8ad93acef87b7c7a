/* Lists of nodes as Slurm writes them: "login1,nid[0001-0004,7],rack[0-1]node[0-15]". Not a public
 * header.
 *
 * Commas separate names. Brackets hold numbers and ranges, separated by commas; a number has at
 * least as many digits as the first one of its range. Several brackets in a name stand for all
 * combinations; the last bracket varies fastest. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

/* Gets one name, which is not zero-terminated and valid for the call. */
typedef orr_status (*ori_host_taker)(void *user, const char *name, size_t size, orr_error *err);

/* Calls `take` for every name, in the order of the list. ORR_ERR_INPUT without a message where the
 * text is not such a list; an error of `take` ends the list. */
orr_status ori_hostlist_each(const char *text, size_t size, ori_host_taker take, void *user,
                             orr_error *err);

/* The nodes of a machine, by name or, where they have no names, by number from `low` on. */
typedef struct ori_hosts {
    orr_allocator alloc;
    int32_t count, low;
    bool named;
    char *names; /* zero-terminated, one behind the other */
    int64_t names_size, names_capacity;
    int64_t *first; /* per node: where its name begins */
    int64_t first_capacity;
    struct ori_slot *slots;
    size_t slot_count;
    int32_t known; /* names so far */
} ori_hosts;

/* low: the first number, 0 or 1. list: the names of all `count` nodes in their order; NULL: they
 * have none. ORR_ERR_INPUT with a message where it is no list, names too many or too few, or one
 * twice. Destroy it in any case. */
orr_status ori_hosts_create(ori_hosts *hosts, int32_t count, int32_t low, const char *list,
                            const orr_allocator *a, orr_error *err);
void ori_hosts_destroy(ori_hosts *hosts);

/* The number of a node; -1: no node has this name. */
int32_t ori_hosts_find(const ori_hosts *hosts, const char *name, size_t size);
