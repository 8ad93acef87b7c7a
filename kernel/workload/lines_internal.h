/* Lines: bytes as lines, which are read one by one, without their newline. Not a public header. */
#ifndef ORR_WORKLOAD_LINES_INTERNAL_H
#define ORR_WORKLOAD_LINES_INTERNAL_H

#include "base/error.h"
#include "base/memory.h"

typedef struct ori_lines {
    /* the caller's */
    orr_allocator alloc;
    const char *path; /* borrowed, for messages */
    int64_t *line;    /* lines that have ended before the bytes fed next; kept up to date */
    orr_status (*read)(void *user, const char *line, size_t size, orr_error *err);
    void *user;

    /* internal: the beginning of a line whose end has not come yet */
    char *rest;
    int64_t rest_size, rest_capacity;
} ori_lines;

orr_status ori_lines_feed(ori_lines *lines, const char *bytes, size_t size, orr_error *err);
orr_status ori_lines_finish(ori_lines *lines, orr_error *err); /* the last line, without its end */
void ori_lines_close(ori_lines *lines);

#endif
