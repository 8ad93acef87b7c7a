/* Placements on nodes: the default one (READINGS 58, P4), and a policy's. Internal to this
 * folder. */
#pragma once

#include "rigid/state/nodes_internal.h"

/* Places a job on the nodes of its partition with these amounts; false: it finds none. Writes its
 * pieces in order of the nodes; uses `keys`. */
bool ori_nodes_place(ori_nodes *n, const ori_node_ask *ask, const int64_t *of, ori_node_find *find);

/* A job that starts now and was placed by default has the nodes that the policy's placement chooses
 * of these amounts. ORR_ERR_POLICY where the choice does not fit. */
orr_status ori_nodes_choose(orr_rigid *sim, int32_t job, const int64_t *of, orr_error *err);
