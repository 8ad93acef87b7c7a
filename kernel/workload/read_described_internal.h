/* Formats as data (reader.h): logs whose lines or objects of JSON are told by an orr_format.
 * Not a public header. */
#pragma once

#include "formats_internal.h"

/* They read context->described: its lines, its objects. */
extern const ori_format ori_format_described, ori_format_objects;

/* Whether a log that begins with this line, or text of JSON, has the format; an error: without
 * memory nobody knows. */
orr_status ori_described_recognises(const ori_read_context *context, const orr_format *format,
                                    const ori_head *head, bool *is, orr_error *err);
