/* Text that grows, as the writers make it. Not a public header. */
#ifndef ORR_WORKLOAD_WRITER_INTERNAL_H
#define ORR_WORKLOAD_WRITER_INTERNAL_H

#include "workload/jobs.h"

typedef struct ori_text {
    orr_allocator alloc;
    char *text;
    size_t size, capacity;
    orr_status status; /* what went wrong first; nothing is added after it */
    orr_error *err;
} ori_text;

void ori_text_put(ori_text *b, const char *text, size_t size);
void ori_text_puts(ori_text *b, const char *text);

/* The fewest digits from 15 up that are read back as the same number; whole numbers as such. NaN,
 * an unknown number, is an empty field. */
void ori_text_number(ori_text *b, double value);

/* The text becomes the caller's, or is freed. */
orr_status ori_text_hand_over(ori_text *b, char **text, size_t *size, size_t *capacity);

#endif
