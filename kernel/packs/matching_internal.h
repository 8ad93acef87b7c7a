/* Perfect matchings of minimum weight in complete graphs. Not a public header. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

/* weight[u * count + v] = weight[v * count + u], finite and >= 0, count even and >= 2. mate[u]: the
 * vertex matched with u. Weights are compared as whole multiples of the largest weight times 2^-56,
 * which is exact for weights of at least a sixteenth of the largest. O(count^3) time, about 30 *
 * count^2 bytes. */
orr_status ori_matching(const double *weight, int32_t count, int32_t *mate,
                        const orr_allocator *alloc, const orr_cancel_flag *cancel, orr_error *err);
