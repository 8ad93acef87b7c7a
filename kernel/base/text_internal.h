/* Text built piece by piece, in memory or for a sink. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "base/sink.h"

/* All fields are zero except:
 * - in memory: `alloc`; `text` grows, and is zero-terminated where anything was put;
 * - for a sink: `sink`, and `text` and `capacity`, a buffer of the caller (two dozen bytes or more)
 *   that is handed on when it is full. */
typedef struct ori_text {
    orr_allocator alloc;
    const orr_sink *sink;
    char *text;
    int64_t size, capacity;
    orr_status status; /* the first error; nothing is added after it */
    orr_error *err;    /* may be NULL */
} ori_text;

void ori_text_put(ori_text *t, const char *text, size_t size);
void ori_text_puts(ori_text *t, const char *text);
void ori_text_char(ori_text *t, char c);

/* As ori_snprintf; at most 511 bytes at a time. */
void ori_text_printf(ori_text *t, const char *format, ...) ORR_PRINTF(2, 3);

void ori_text_integer(ori_text *t, int64_t value);

/* As ori_shortest. NaN, an unknown number, is an empty field. */
void ori_text_number(ori_text *t, double value);

/* A field of CSV, the text and the suffix: quoted as RFC 4180 asks where the bytes of the text mean
 * something in CSV, or where blanks at its ends would be trimmed. */
void ori_text_field(ori_text *t, const char *text, const char *suffix);

/* Hands the rest on to the sink. The status says whether all went well: ORR_ERR_IO where the sink
 * refused, without a message. */
orr_status ori_text_flush(ori_text *t);

/* The text in memory becomes the caller's, or is freed. */
orr_status ori_text_hand_over(ori_text *t, char **text, size_t *size, size_t *capacity);
