/* What jobs ask of nodes, for the engine. Not a public header. */
#pragma once

#include "workload/instance.h"

/* What a job asks of nodes. Two jobs with the same bytes find the same nodes. */
typedef struct ori_node_ask {
    int64_t need[ORR_MOST_NODE_RESOURCES]; /* of each resource, the whole job's */
    int32_t partition;                     /* -1: there is none for it */
    int32_t procs, nodes;                  /* nodes 0: any number of them */
    int32_t exclusive;
} ori_node_ask;
ori_node_ask ori_nodes_ask(const orr_nodes *nodes, const orr_jobs *jobs, int32_t job);

/* The processors of a job that a node with these free amounts can take: on a number of nodes its
 * share or 0, else as many as it can. */
int32_t ori_nodes_take(const orr_nodes *nodes, const ori_node_ask *ask, int32_t procs,
                       const int64_t *has);

/* What `procs` processors of a job take along of a resource; on a number of nodes its share. */
int64_t ori_nodes_share(const ori_node_ask *ask, int32_t resource, int32_t procs);

/* Fails with `status` where a job can never start on the nodes of an instance. */
orr_status ori_nodes_allow(const orr_instance *in, const orr_jobs *jobs, int32_t job,
                           orr_status status, orr_error *err);
