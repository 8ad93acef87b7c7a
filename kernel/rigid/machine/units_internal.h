/* The units that fail: nodes, and domains of some nodes each. Internal to this folder. */
#pragma once

#include "schedule/procset.h"
#include "workload/nodes.h"

/* The nodes of the machine, or as many of node_procs processors each as it has; the last may have
 * fewer. */
typedef struct ori_units {
    const orr_nodes *nodes; /* NULL: nodes of */
    int32_t node_procs, procs;
} ori_units;

/* How many there are of `per` nodes each; 0: there are none. */
static inline int32_t ori_units_count(const ori_units *u, int64_t per)
{
    int64_t size = u->node_procs;
    int64_t nodes = u->nodes ? u->nodes->count : (u->procs + size - 1) / size;
    return per > 0 ? (int32_t)((nodes + per - 1) / per) : 0;
}

/* The node of a processor. */
static inline int32_t ori_units_of(const ori_units *u, int32_t processor)
{
    return u->nodes ? orr_nodes_at(u->nodes, processor) : processor / u->node_procs;
}

/* The processors of unit `i`. */
static inline orr_interval ori_units_at(const ori_units *u, int32_t i, int64_t per)
{
    int64_t low = i * per, high = low + per;
    if (u->nodes) {
        low = u->nodes->first[low];
        high = u->nodes->first[high < u->nodes->count ? high : u->nodes->count];
    } else {
        low *= u->node_procs;
        high *= u->node_procs;
    }
    return (orr_interval){(int32_t)low, (int32_t)(high < u->procs ? high : u->procs) - 1};
}
