/* Formats: what the reader knows of the formats of logs. Not a public header.
 *
 * Bytes travel through these stages, each fed in pieces of any size:
 *
 *     source.c        undoes gzip, takes off a byte order mark
 *     reader.c        refuses binary data, recognises the format, makes lines of the text, or
 *     rows.c          rows of CSV, which may have several lines
 *     read_*.c        one file for each format: its columns, and what only it knows
 *     columns.c       turns fields into numbers, times, ids, as the columns say, and words what is
 *                     wrong with one
 *     records.c       leaves out what was not asked for, makes jobs
 *
 * Every decision depends on the bytes, never on where a piece ends.
 *
 * A new format is a new file and its name in one of the two lists here: ORI_DIALECTS for CSV with a
 * header, ORI_FORMATS for anything else. */
#pragma once

#include "records_internal.h"

/* The formats, ori_format_NAME, in the order in which messages list them. The first reads whatever
 * no other recognises. */
#define ORI_FORMATS(X) X(csv) X(sacct) X(batsim) X(swf)

/* The kinds of CSV, ori_dialect_NAME, in the order in which headers are compared with them. */
#define ORI_DIALECTS(X) X(mira) X(plain)

typedef struct ori_format {
    const char *about; /* "a dump of sacct (sacct -P)" */
    char sign;         /* a first byte that no other format begins with; 0: none */
    /* Whether a log with this first line that is not blank is of the format; NULL: its sign tells.
     * numbers: the line is nothing but numbers and blanks. */
    bool (*recognises)(const char *line, size_t size, bool numbers);
    size_t state_size; /* of its state: a pointer to the context, then all zeros */
    orr_status (*line)(void *state, const char *line, size_t size, orr_error *err); /* of a log */

    /* formats that are not read line by line */
    void (*open)(void *state); /* may be NULL */
    orr_status (*feed)(void *state, const char *bytes, size_t size, orr_error *err);
    orr_status (*finish)(void *state, orr_error *err);
    void (*close)(void *state);
} ori_format;

/* A kind of CSV that is told by the names in its header. */
typedef struct ori_dialect {
    const char *title; /* "Mira's job log" */
    const char *about; /* "Mira's CSV (columns ...)" */
    const ori_column *columns;
    int count;
    const char *procs;     /* the columns, one of which it must have: "NODES_USED (or ...)" */
    int32_t machine_procs; /* 0: not known */
    const char *machine;   /* "processors of Mira" */
    bool lists_ignored;    /* a column that is not among these is a slip */
} ori_dialect;

#define ORI_DECLARE(NAME) extern const ori_format ori_format_##NAME;
ORI_FORMATS(ORI_DECLARE)
#undef ORI_DECLARE
#define ORI_DECLARE(NAME) extern const ori_dialect ori_dialect_##NAME;
ORI_DIALECTS(ORI_DECLARE)
#undef ORI_DECLARE
