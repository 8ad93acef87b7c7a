/* Formats: the interface between the reader and the formats of logs. Not a public header.
 *
 * Bytes travel through these stages, each fed in pieces of any size:
 *
 *     source.c        undoes compression (unpack.c), takes off a byte order mark
 *     reader.c        refuses binary data, recognises the format by the first lines, makes lines of
 *                     the text, or
 *     rows.c          rows of CSV, which may have several lines
 *     side_by_side.c  gives lines to several threads
 *     read_*.c        one file for each format: its columns and its special rules; dialects.c has
 *                     the columns of CSV
 *     columns.c       turns fields into numbers, times, ids, by their columns, and makes the
 *                     messages of wrong fields
 *     records.c       leaves out records that were not asked for, makes jobs
 *
 * Every decision depends on the bytes, never on where a piece ends.
 *
 * A new kind of CSV with a header is a table in dialects.c; any other format is a new file and its
 * name in ORI_FORMATS. */
#pragma once

#include "records_internal.h"

/* The formats, ori_format_NAME, in the order in which they are asked and in which messages list
 * them. A text that no format recognises goes to the last format if it has numbers, else to the
 * first, for the message. */
#define ORI_FORMATS(X) X(csv) X(sacct) X(json) X(swf)

/* The kinds of CSV, in the order in which headers are compared with them. */
enum { ORI_MIRA, ORI_PLAIN, ORI_OUT_JOBS, ORI_DIALECTS };

/* A line of the first ones of a log, which may be its first but for comments. */
typedef struct ori_head {
    const char *line; /* without blanks around it */
    size_t size;
    const char *next, *end; /* the lines behind it, as many as are known */
    bool comments;          /* a line before it begins with a semicolon */
    char delimiter;         /* of CSV, set by the function that recognises the format, as */
    bool foreign;           /* that a format that is data may know the log better */
} ori_head;

typedef struct ori_format {
    const char *about; /* "a dump of sacct (sacct -P)" */
    char sign;         /* a first byte that only this format begins with; 0: none */
    bool comments;     /* those in front of the line that is recognised belong to the log */
    bool named;        /* its columns have names, and the caller's map may give them a meaning */
    /* Whether a log that begins with this line has the format; NULL: the sign decides. */
    bool (*recognises)(const ori_read_context *context, ori_head *head);
    size_t state_size; /* of its state: a pointer to the context, then all zeros */
    void (*open)(void *state, const ori_head *head); /* may be NULL */
    orr_status (*line)(void *state, const char *line, size_t size, orr_error *err); /* of a log */

    /* Formats whose lines mostly stand for themselves; NULL: others. part: a state that is to go on
     * behind lines that are not read yet, as `whole` would (side_by_side_internal.h); a line that
     * needs to know more makes the context odd. join: `whole` goes on behind the part. */
    void (*part)(void *part, const void *whole);
    void (*join)(void *whole, const void *part);

    /* formats that are not read line by line */
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
    const char *results;   /* columns that say what came of jobs: " a b " */
    char part_mark;        /* an id with this character belongs to a part of another record's job;
                              0: no such parts */
} ori_dialect;

#define ORI_DECLARE(NAME) extern const ori_format ori_format_##NAME;
ORI_FORMATS(ORI_DECLARE)
#undef ORI_DECLARE
extern const ori_dialect ori_dialects[ORI_DIALECTS];
