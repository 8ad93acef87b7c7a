/* Fields: one text of a file as a number, and its place for messages. Not a public header. */
#ifndef ORR_WORKLOAD_FIELDS_INTERNAL_H
#define ORR_WORKLOAD_FIELDS_INTERNAL_H

#include "base/error.h"
#include "base/print_internal.h"

/* A decimal number that is the whole of text, rounded as strtod does; false for anything else:
 * nothing, blanks, hexadecimal, inf, nan, numbers too large for a double. */
bool ori_parse_number(const char *text, size_t length, double *value);

/* A field and where it stands. */
typedef struct ori_field {
    const char *path, *word; /* word: what the format calls it, "column" or "field" */
    int64_t line;            /* counted from 1 */
    int32_t number;          /* counted from 1 */
    const char *name;
    const char *text;
    size_t size;
} ori_field;

/* ORR_ERR_INPUT, "path:line: column 3 (time): expected ..., found "..."". */
orr_status ori_fail_field(const ori_field *field, const char *expected, orr_error *err);

#endif
