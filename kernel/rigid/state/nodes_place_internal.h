/* The default placement on nodes (READINGS 58, P4). Internal to this folder. */
#pragma once

#include "rigid/state/nodes_internal.h"

/* Places a job on the nodes of its partition with these amounts; false: it finds none. Writes its
 * pieces in order of the nodes; uses `keys`. */
bool ori_nodes_place(ori_nodes *n, const ori_node_ask *ask, const int64_t *of, ori_node_find *find);
