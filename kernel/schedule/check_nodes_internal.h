/* The check of nodes and partitions: see check_nodes.c. */
#pragma once

#include "schedule/check_violation_internal.h"

/* Checks on which nodes attempts are, where the machine has nodes, once it is known that attempts
 * are in order of their starts and have processors of the machine. ends: all attempts in order of
 * their ends. */
orr_status ori_check_nodes(const ori_checker *c, const ori_ended *ends);
