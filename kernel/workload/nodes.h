/* Nodes: a machine whose processors stand in nodes, with what else each node has, and the
 * partitions that jobs ask for (READINGS 58, 59).
 *
 * Nodes are numbered from 0, kind after kind, and so are their processors: node k has the
 * processors from the first one behind node k - 1 on. What a job needs of the resources of nodes
 * are its needs of the same names (orr_jobs_need), the whole job's. Two further needs say how it
 * stands on nodes: `nodes`, on how many (0: on any), and `exclusive`, not 0: nobody else is on
 * them. Its partition is its label of that kind. */
#pragma once

#include "workload/jobs.h"

enum { ORR_MOST_NODES = 1 << 24, ORR_MOST_NODE_RESOURCES = 8, ORR_MOST_PARTITIONS = 128 };
#define ORR_NEED_NODES "nodes"
#define ORR_NEED_EXCLUSIVE "exclusive"

/* Equal nodes with consecutive numbers. */
typedef struct orr_node_kind {
    int32_t count;                        /* >= 1 */
    int32_t procs;                        /* of each, >= 1 */
    int64_t has[ORR_MOST_NODE_RESOURCES]; /* of each resource, 0 .. ORR_MOST_AMOUNT */
} orr_node_kind;

/* The nodes from `low` to `high`, both included. */
typedef struct orr_node_run {
    int32_t low, high;
} orr_node_run;

typedef struct orr_partition {
    char name[48];
    const orr_node_run *runs; /* ascending, without overlap; NULL: all nodes */
    int32_t run_count;
    int32_t priority; /* jobs of a partition with a larger one come first */
    double max_time;  /* s: the most that a job may ask for; INFINITY: there is no limit */
    bool exclusive;   /* all its jobs are */
    bool is_default;  /* of jobs without a partition; at most one; none: they may use all nodes */
} orr_partition;

typedef struct orr_nodes_options {
    size_t size; /* sizeof this, see base/api.h */
    const orr_node_kind *kinds;
    int32_t kind_count;
    const char (*resources)[48]; /* names, none of them `procs`, `nodes` or `exclusive` */
    int32_t resource_count;
    const orr_partition *partitions; /* NULL: none, all jobs may use all nodes */
    int32_t partition_count;
} orr_nodes_options;

/* A machine of nodes: a value, which nobody changes. */
typedef struct orr_nodes {
    int32_t count;  /* nodes */
    int32_t procs;  /* of all nodes */
    int32_t *first; /* per node, and one behind the last: its first processor */
    int32_t *kind;  /* per node */
    orr_node_kind *kinds;
    int32_t kind_count;
    char (*resources)[48];
    int32_t resource_count;
    orr_partition *partitions; /* at least one: without partitions one of all nodes, named "" */
    int32_t partition_count;
    /* internal */
    void *memory;
    size_t bytes;
    orr_allocator alloc;
} orr_nodes;

/* Everything is copied. ORR_ERR_INPUT: a number outside of its range, a name twice, a node that
 * does not exist, more nodes than ORR_MOST_NODES, more processors than INT32_MAX - 1. NULL on
 * failure. ORR_ERR_ARGUMENT in builds with ORI_COUNTED_ONLY, which have none. */
ORR_API orr_nodes *orr_nodes_create(const orr_nodes_options *options, const orr_allocator *a,
                                    orr_error *err);
ORR_API orr_nodes *orr_nodes_copy(const orr_nodes *nodes, const orr_allocator *a, orr_error *err);
ORR_API void orr_nodes_destroy(orr_nodes *nodes); /* NULL is fine */

/* Nodes that come behind all others. */
typedef struct orr_more_nodes {
    orr_node_kind kind;            /* has: 0 of what the machine does not know */
    const char *const *partitions; /* names of those that they join; NULL: those that have all nodes
                                      that are like these, or, if no others are, the default one */
    int32_t partition_count;
} orr_more_nodes;

/* The partition of a job; -1: the machine has none of that name, or the job has none and there is
 * neither a default nor a machine without partitions. */
ORR_API int32_t orr_nodes_partition(const orr_nodes *nodes, const orr_jobs *jobs, int32_t job);

/* The node of a processor. */
ORR_API int32_t orr_nodes_at(const orr_nodes *nodes, int32_t processor);

/* The place of a resource in `resources`; -1: there is none of that name. */
ORR_API int32_t orr_nodes_resource(const orr_nodes *nodes, const char *name);

/* Why a job can never start on a machine, so that it is refused at submission. */
typedef enum orr_unfit {
    ORR_FITS,
    ORR_UNFIT_PARTITION, /* there is no such partition */
    ORR_UNFIT_TIME,      /* it asks for more time than its partition permits */
    ORR_UNFIT_SHARES,    /* it asks for more nodes than processors */
    ORR_UNFIT_NODES      /* the empty nodes of its partition do not hold it */
} orr_unfit;
ORR_API orr_unfit orr_nodes_unfit(const orr_nodes *nodes, const orr_jobs *jobs, int32_t job);
