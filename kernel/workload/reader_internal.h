/* What is still asked for by this name. Not a public header. */
#ifndef ORR_WORKLOAD_READER_INTERNAL_H
#define ORR_WORKLOAD_READER_INTERNAL_H

#include "base/memory.h"
#include "fields_internal.h"
#include "workload/tasks.h"

/* Makes room for `need` bytes in a growing block; doubles it, so that growing is cheap. */
orr_status ori_reserve(const orr_allocator *a, char **block, size_t *capacity, size_t need,
                       orr_error *err);

#endif
