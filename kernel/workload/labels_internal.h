/* Labels of tasks, which are made again for each run: see labels.c. */
#pragma once

#include "workload/labels.h"

/* Room for `count` texts of `size` bytes in all, each with a zero. On failure (memory, more than
 * 4 GiB of text) the labels are as they were. */
orr_status ori_labels_reserve(orr_labels *labels, int64_t count, size_t size, orr_error *err);

/* Takes all texts out and keeps the memory. */
void ori_labels_clear(orr_labels *labels);
