/* What jobs ask of nodes, for the engine. Not a public header. */
#pragma once

#include "base/random.h"
#include "workload/instance.h"

/* Whether there are machines of nodes. In a build with ORI_COUNTED_ONLY there are none, for a page
 * that loads no more than it can use: orr_nodes_create refuses, and compilers leave out the code
 * behind this question. */
#ifdef ORI_COUNTED_ONLY
#define ORI_HAS_NODES 0
#else
#define ORI_HAS_NODES 1
#endif

/* The nodes of an instance; NULL: there are none. */
ORR_INLINE const orr_nodes *ori_nodes_of(const orr_instance *in)
{
    return ORI_HAS_NODES ? in->nodes : NULL;
}

/* Whether jobs can ask nodes for what has this name: a resource, a number of them, or none shared.
 * NULL: there are no nodes. */
bool ori_nodes_have(const orr_nodes *nodes, const char *name);

/* The nodes with more behind them, which the caller destroys. ORR_ERR_INPUT, ORR_ERR_ARGUMENT: as
 * for orr_nodes_create, and a partition that there is not, or none for them. */
orr_status ori_nodes_extend(const orr_nodes *nodes, const orr_more_nodes *more, orr_nodes **out,
                            orr_error *err);

/* What a job asks of nodes. Jobs that ask for the same find the same nodes. */
typedef struct ori_node_ask {
    int64_t need[ORR_MOST_NODE_RESOURCES]; /* of each resource, the whole job's */
    int64_t each[ORR_MOST_NODE_RESOURCES]; /* on a number of nodes: of each resource on each one */
    int32_t partition;                     /* -1: there is none for it */
    int32_t procs, nodes;                  /* nodes 0: any number of them */
    int32_t share;                         /* processors that a node must have free at least */
    int32_t exclusive, resources;
} ori_node_ask;
ori_node_ask ori_nodes_ask(const orr_nodes *nodes, const orr_jobs *jobs, int32_t job);

/* The number of nodes that a job asks for; 0: none. */
int32_t ori_nodes_asked(const orr_jobs *jobs, int32_t job);

/* a * b / c of numbers >= 0, rounded down, c > 0; the result fits. */
static inline int64_t ori_share_of(int64_t a, int64_t b, int64_t c)
{
    int64_t product;
    if (ORR_LIKELY(!__builtin_mul_overflow(a, b, &product)))
        return product / c;
    orr_u128 most = (orr_u128)a * (orr_u128)b / (orr_u128)c;
    return most > INT64_MAX ? INT64_MAX : (int64_t)most;
}

/* What a node with these free amounts, `stride` apart, the processors first, can take of a job: 1
 * or 0 where the job asks for a number of nodes, else so many processors. */
static inline int32_t ori_nodes_take(const ori_node_ask *ask, const int64_t *free, size_t stride)
{
    int64_t most = free[0] < ask->procs ? free[0] : ask->procs;
    if (free[0] < ask->share)
        return 0;
    if (ask->nodes > 0) {
        for (int32_t r = 0; r < ask->resources; r++)
            if (*(free += stride) < ask->each[r])
                return 0;
        return 1;
    }
    for (int32_t r = 0; r < ask->resources; r++) {
        free += stride;
        if (ask->need[r] == 0)
            continue;
        int64_t able = ori_share_of(*free, ask->procs, ask->need[r]);
        most = able < most ? able : most;
    }
    return (int32_t)most;
}

/* How much of that all nodes together must be able to take. */
static inline int64_t ori_nodes_need(const ori_node_ask *ask)
{
    return ask->nodes > 0 ? ask->nodes : ask->procs;
}

/* What so many processors of a job take along of a resource on a node, or its share there. */
static inline int64_t ori_nodes_share(const ori_node_ask *ask, int32_t resource, int32_t procs)
{
    int64_t need = ask->need[resource];
    if (need == 0 || ask->nodes > 0)
        return ask->each[resource];
    int64_t down = ori_share_of(procs, need, ask->procs);
    return down + ((orr_u128)down * (orr_u128)ask->procs < (orr_u128)procs * (orr_u128)need);
}

/* Fails with `status` where a job can never start on the nodes of an instance. */
orr_status ori_nodes_allow(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                           orr_status status, orr_error *err);
