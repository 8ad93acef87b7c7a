/* Text that grows, as the writers make it. Not a public header. */
#ifndef ORR_WORKLOAD_WRITER_INTERNAL_H
#define ORR_WORKLOAD_WRITER_INTERNAL_H

#include "workload/jobs.h"

typedef struct orr_text {
    orr_allocator alloc;
    char *text;
    size_t size, capacity;
    orr_status status; /* what went wrong first; nothing is added after it */
    orr_error *err;
} orr_text;

void orr_text_put(orr_text *b, const char *text, size_t size);
void orr_text_puts(orr_text *b, const char *text);

/* The fewest digits from 15 up that are read back as the same number; whole numbers as such. NaN,
 * an unknown number, is an empty field. */
void orr_text_number(orr_text *b, double value);

/* The text becomes the caller's, or is freed. */
orr_status orr_text_hand_over(orr_text *b, char **text, size_t *size, size_t *capacity);

#endif
