/* Shares: the contribution of every task to the cost of any co-schedule. Not a public header. */
#pragma once

#include "packs/bounds.h"

/* shares[i] >= 0, s, so that the shares of the tasks of any pack add up to its cost or less; their
 * sum is returned, and is orr_pack_bounds.mixed. */
double ori_pack_shares(const orr_pack_problem *problem, double *shares);
