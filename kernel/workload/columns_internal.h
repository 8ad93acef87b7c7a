/* Fields of files, texts as numbers, and columns: tables that describe a format. Not a public
 * header.
 *
 * A format lists its columns: name, type, the field of the row that it fills, its relation to
 * columns of the same meaning, and whether it is written. A type has the allowed texts of a field,
 * the meaning of an empty field, and the unit. A format's own types come with functions of their
 * own. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "base/print_internal.h"
#include "base/text_internal.h"
#include "workload/jobs.h"

/* --- one field ---------------------------------------------------------------------------------*/

/* A decimal number that is the whole of text, rounded as strtod does; false for anything else:
 * nothing, blanks, hexadecimal, inf, nan, numbers too large for a double. */
bool ori_parse_number(const char *text, size_t length, double *value);

/* A field and where it stands. */
typedef struct ori_field {
    const char *path, *word; /* word: the format's name for it, "column" or "field" */
    int64_t line;            /* counted from 1 */
    int32_t number;          /* counted from 1 */
    const char *name;
    const char *text;
    size_t size;
} ori_field;

/* ORR_ERR_INPUT, "path:line: column 3 (time): expected ..., found "..."". */
orr_status ori_fail_field(const ori_field *field, const char *expected, orr_error *err);

/* The reason for leaving out a record with a field that is not as expected. */
orr_drop_reason ori_reason_of(const char *text, size_t size);

/* --- columns -----------------------------------------------------------------------------------*/

typedef struct ori_column ori_column;

/* Reads a text into a row. ORR_ERR_INPUT without a message for a text that is not as expected;
 * *expected is set from the type and may be replaced. Other errors have a message. */
typedef orr_status (*ori_reader_of_type)(const ori_column *column, const char *text, size_t size,
                                         void *row, const char **expected, orr_error *err);

typedef struct ori_type {
    ori_reader_of_type read;
    const char *expected;       /* for messages: "a number of seconds >= 0" */
    const char *const *unknown; /* texts besides the empty one that leave the row unchanged, in any
                                   case; NULL: not even the empty one */
    const char *form;           /* expected instead where the text is not a number, or not a whole
                                 one; NULL: as above */
    double least, most;         /* of a number, or of the bytes of an id */
    double unit;                /* of a number, in units of the row; 0: equal units */
    bool whole;                 /* a whole number, which the row has as int32_t, else double */
    bool minus_one, negative;   /* -1, or any negative number, leaves the row unchanged */
    /* of a type with a function of its own, where it is written: as ori_column_write */
    void (*write)(const ori_column *column, void *row, ori_text *text);
    const char *more; /* of a type with a function of its own */
} ori_type;

enum {
    ORI_OPTIONAL,
    /* The relation of a column to the one above it in the table: */
    ORI_ALSO,    /* another name for it: the first in the file counts */
    ORI_OLD,     /* its old name: a file has only one of the two */
    ORI_INSTEAD, /* used only in files without that column */
    ORI_ELSE,    /* used only in rows in which that field (int32_t) is not known */
    /* Flags that may be added: */
    ORI_REQUIRED = 8, /* every file must have it */
    ORI_WRITTEN = 16,
    ORI_IF_KNOWN = 32 /* written where any row of the file has it */
};

struct ori_column {
    const char *name;
    const ori_type *type;
    size_t field; /* offset in the row */
    int relation;
};

/* The texts of an unknown value: only the empty text. */
extern const char *const ori_unknown_empty[];

/* Seconds >= 0; unknown where the field is empty. */
extern const ori_type ori_seconds_type;

/* A calendar time. */
typedef struct ori_stamp {
    bool known;
    bool local; /* its text says no zone: us is what the clocks show, see ori_record_localize */
    int64_t us; /* microseconds since 1970 (UTC) */
} ori_stamp;

/* An id in memory that is used for row after row. */
typedef struct ori_id {
    orr_allocator alloc;
    char *text; /* NULL before the first number */
    int64_t capacity;
} ori_id;

/* Types' functions: a double or int32_t, an ori_stamp, "[days-]hours:minutes:seconds" as a double
 * in s, an ori_id. */
orr_status ori_read_number(const ori_column *column, const char *text, size_t size, void *row,
                           const char **expected, orr_error *err);
orr_status ori_read_stamp(const ori_column *column, const char *text, size_t size, void *row,
                          const char **expected, orr_error *err);
orr_status ori_read_duration(const ori_column *column, const char *text, size_t size, void *row,
                             const char **expected, orr_error *err);
orr_status ori_read_id(const ori_column *column, const char *text, size_t size, void *row,
                       const char **expected, orr_error *err);

static inline void *ori_column_at(const ori_column *column, void *row)
{
    return (char *)row + column->field;
}

/* Stores a number that was read; false where the type does not allow it. */
static inline bool ori_column_take(const ori_column *column, double value, void *row)
{
    const ori_type *type = column->type;
    if (!(value >= type->least && value <= type->most))
        return (type->minus_one && value == -1) || (type->negative && value < 0);
    if (!type->whole)
        *(double *)ori_column_at(column, row) = type->unit > 0 ? value * type->unit : value;
    else if (value == (int32_t)value)
        *(int32_t *)ori_column_at(column, row) = (int32_t)value;
    else
        return false;
    return true;
}

/* Whether a text is among type->unknown. */
bool ori_type_has_word(const ori_type *type, const char *text, size_t size);

/* Reads the text of a field into a row, as ori_reader_of_type says. */
static inline orr_status ori_column_read(const ori_column *column, const char *text, size_t size,
                                         void *row, const char **expected, orr_error *err)
{
    const ori_type *type = column->type;
    if (type->unknown &&
        (size == 0 || ((unsigned)*text - '0' > 9 && ori_type_has_word(type, text, size))))
        return ORR_OK;
    if (column->relation == ORI_ELSE && *(const int32_t *)ori_column_at(column, row) > 0)
        return ORR_OK;
    *expected = type->expected;
    return type->read(column, text, size, row, expected, err);
}

/* Writes the row's value as a field of CSV; an empty field where it is not known. */
void ori_column_write(const ori_column *column, void *row, ori_text *text);

/* --- a table and a header ----------------------------------------------------------------------*/

enum { ORI_MOST_COLUMNS = 4096, ORI_MOST_KNOWN = 48 };

/* A format's columns, with their places in a file. */
typedef struct ori_table {
    const ori_column *columns;
    int count;                             /* at most ORI_MOST_KNOWN */
    bool any_case;                         /* names match in any case */
    int32_t place[ORI_MOST_KNOWN];         /* the file's column of each, from 0; -1: the file has
                                              none */
    const char *name[ORI_MOST_KNOWN];      /* by which the file knows each */
    unsigned char known[ORI_MOST_COLUMNS]; /* by the file's column: the number, from 1, in columns;
                                              0: ignored */
} ori_table;

/* Before the first name of a header. */
void ori_table_open(ori_table *table, const ori_column *columns, int count, bool any_case);

/* The number of the column with this name, from 0; -1 for none. */
int ori_column_find(const ori_column *columns, int count, const char *name, size_t size,
                    bool any_case);

/* A name of the header; place < ORI_MOST_COLUMNS. */
void ori_table_add(ori_table *table, int32_t place, const char *name, size_t size);

/* Called after the last name: leaves out columns that this file does not use. */
void ori_table_settle(ori_table *table);

/* The file's column that fills a field of the row, -1 for none. */
int32_t ori_table_place(const ori_table *table, size_t field);

/* Ignores a column, as if the file did not have it. */
void ori_table_leave_out(ori_table *table, int column);
