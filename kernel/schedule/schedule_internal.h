/* What the files of kernel/schedule/ share. */
#ifndef ORR_SCHEDULE_SCHEDULE_INTERNAL_H
#define ORR_SCHEDULE_SCHEDULE_INTERNAL_H

#include "schedule/procset.h"

/* Grows *block, an array of `size`-byte elements, to hold at least `wanted` of them; doubles it, so
 * that growing is cheap. */
orr_status ori_grow(const orr_allocator *a, void **block, int64_t *capacity, int64_t wanted,
                    size_t size, orr_error *err);

struct orr_sink;

/* False where the sink refused. */
bool ori_put(const struct orr_sink *sink, const char *text, size_t size);
bool ori_put_text(const struct orr_sink *sink, const char *text);

/* A field of CSV: id and suffix, quoted as RFC 4180 asks where the id needs it. */
bool ori_put_id(const struct orr_sink *sink, const char *id, const char *suffix);

/* Intervals like `0-511 1024`, and the end of the line. */
bool ori_put_processors(const struct orr_sink *sink, const orr_interval *intervals, int32_t count);

#endif
