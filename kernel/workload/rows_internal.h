/* Rows: CSV as fields with a line, a column and a heading. Not a public header.
 *
 * libcsv parses the syntax, in its strict mode. It uses malloc, because its memory hooks have no
 * user pointer; it holds only the text of the field being read. It is fed line by line to get line
 * numbers, because its callbacks give no position.
 *
 * The first row is the header: its fields become the columns' names, and `header` is called. Then
 * fields are read by the table, or `field` is called, and then `row`. Fields behind the last column
 * are not passed on, and `row` is not called for a row whose number of fields differs from the
 * header. `bad` is called for a row with a bad field or with quotes that do not fit; in the latter
 * case only the first line is left out, and reading goes on behind it. After a handler has failed
 * none is called again. A zero byte follows the text of a field. Empty lines are ignored. */
#pragma once

#include "columns_internal.h"

#include <csv.h>

typedef struct ori_row_handlers {
    orr_status (*header)(void *user);
    orr_status (*field)(void *user, const char *text, size_t size); /* of rows->column; NULL: as the
                                                                       table says */
    orr_status (*row)(void *user);
    /* A row that cannot be read, whose message is in rows->err: ORR_OK leaves it out; errors
     *        returned by `row` are not passed to it. NULL: the row is an error. */
    orr_status (*bad)(void *user, orr_drop_reason reason, orr_status status);
} ori_row_handlers;

typedef struct ori_rows {
    /* the caller's, before ori_rows_open */
    orr_allocator alloc;
    const char *path; /* borrowed, for messages */
    const char *what; /* the kind of file: "a job log" */
    int64_t *line;    /* lines that have ended before the bytes fed next; NULL: read_file counts */
    int32_t most_columns;
    bool headers; /* a row that has all names of the header is a header, too: `header` is called */
    orr_drop_reason zero_reason; /* see zero */
    const ori_row_handlers *handlers;
    void *user;
    ori_table table;  /* filled from the header by ori_rows_match */
    void *record;     /* the row that the table's columns fill */
    const char *zero; /* the error of a row with a zero byte, set before bytes with any are fed;
                         NULL: none */

    /* for the handlers */
    int32_t columns; /* of the header; -1 while it is read */
    int32_t column;  /* of the field being read, from 0 */
    orr_error *err;
    int64_t row_line; /* where the row begins */

    /* internal */
    struct csv_parser parser;
    orr_drop_reason reason; /* why the row cannot be read; for the handlers, too */
    orr_status status;      /* the first error */
    orr_status row;         /* the error of the row: its fields are ignored */
    bool skips;             /* up to the end of the line */
    bool broken;            /* the syntax of the row is wrong: it ends with its first line, */
    char *kept;             /* and these bytes behind that line are read again */
    int64_t kept_size, kept_capacity;
    char *names; /* of the columns, zero-terminated, one behind the other */
    int64_t names_size, names_capacity;
    bool again;         /* the row may be a header again: its texts are kept behind the names, */
    int64_t again_from; /* from here on */
    bool in_row;
    bool carriage; /* the last byte was a carriage return, a line end unless a newline follows */
} ori_rows;

void ori_rows_open(ori_rows *rows, char delimiter);
/* A sink; state is an ori_rows. */
orr_status ori_rows_feed(void *state, const char *bytes, size_t size, orr_error *err);
orr_status ori_rows_finish(ori_rows *rows, orr_error *err);
void ori_rows_close(ori_rows *rows);

/* Opens the rows, reads the whole file at rows->path, and closes them. */
orr_status ori_rows_read_file(ori_rows *rows, bool text_only, orr_error *err);

/* The name of a column in the header; the next one's lies behind its zero. */
const char *ori_rows_name(const ori_rows *rows, int32_t column);

/* Fills the table, with names exactly as they are, from a header of at most ORI_MOST_COLUMNS. */
void ori_rows_match(ori_rows *rows, const ori_column *columns, int count);

/* "path:line: message", for the row being read. */
orr_status ori_rows_fail(ori_rows *rows, const char *format, ...) ORR_PRINTF(2, 3);

/* "path:line: column 3 (time): expected ..., found "..."", for the field being read. */
orr_status ori_rows_fail_field(ori_rows *rows, const char *expected, const char *text, size_t size);

/* Reads the field being read into `into`, as the column says. */
static inline orr_status ori_rows_read(ori_rows *rows, const ori_column *column, const char *text,
                                       size_t size, void *into)
{
    const char *expected;
    orr_status status = ori_column_read(column, text, size, into, &expected, rows->err);
    return status == ORR_ERR_INPUT ? ori_rows_fail_field(rows, expected, text, size) : status;
}

/* The names in the header, as many as fit into `list`. */
void ori_rows_list(const ori_rows *rows, char *list, size_t size);
