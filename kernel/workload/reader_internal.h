/* What the files of the reader share. Not a public header.
 *
 * Bytes travel through four stages, each fed in pieces of any size:
 *
 *     source (read_source.c)  undoes gzip, takes off a byte order mark
 *     text   (reader.c)       refuses binary data, recognises the format
 *     format (read_csv.c, read_swf.c, ...)  makes records of it
 *     record (read_record.c)  leaves out what was not asked for, makes jobs
 *
 * Every decision depends on the bytes, never on where a piece ends. */
#ifndef ORR_WORKLOAD_READER_INTERNAL_H
#define ORR_WORKLOAD_READER_INTERNAL_H

#include "base/print_internal.h"
#include "workload/reader.h"

#include <zlib.h>

/* --- source ------------------------------------------------------------------------------------*/

typedef orr_status (*ori_bytes_sink)(void *user, const char *bytes, size_t size, orr_error *err);

typedef enum ori_source_state {
    ORI_SOURCE_START,  /* nothing seen */
    ORI_SOURCE_MAGIC,  /* 0x1f seen: gzip's first byte, or text's */
    ORI_SOURCE_PLAIN,  /* not compressed */
    ORI_SOURCE_MEMBER, /* inside a gzip member */
    ORI_SOURCE_BETWEEN /* behind a member: another one, padding or the end */
} ori_source_state;

typedef struct ori_source {
    orr_allocator alloc;
    const char *name; /* borrowed, for messages */
    ori_bytes_sink sink;
    void *user;
    ori_source_state state;
    int bom;      /* bytes of a byte order mark seen so far; -1: behind the place for one */
    z_stream zip; /* valid in MEMBER and BETWEEN */
    unsigned char *out;
} ori_source;

void ori_source_open(ori_source *source, const char *name, ori_bytes_sink sink, void *user,
                     const orr_allocator *a);
orr_status ori_source_feed(ori_source *source, const void *bytes, size_t size, orr_error *err);
/* Tells the source that nothing more comes; it still has to be closed. */
orr_status ori_source_finish(ori_source *source, orr_error *err);
void ori_source_close(ori_source *source);

/* Feeds a whole file and finishes the source. */
orr_status ori_source_feed_file(ori_source *source, const char *path, orr_error *err);

/* --- formats -----------------------------------------------------------------------------------*/

enum { ORI_MOST_STATUSES = 32 };

typedef struct ori_read_context {
    orr_allocator alloc;
    const char *name; /* borrowed */
    orr_jobs *jobs;
    int64_t line; /* lines that have ended before the bytes fed next */

    orr_read_options options;
    int32_t wanted[ORI_MOST_STATUSES]; /* numbers of the statuses asked for */
    int wanted_count;                  /* 0: all */
    int32_t machine_procs;             /* what no job may be wider than; 0: not known (yet) */

    int64_t *timestamps;        /* microseconds, by job; NULL in logs without calendar times */
    size_t timestamps_capacity; /* bytes */
} ori_read_context;

/* A record of a log. Unknown numbers are NaN, an unknown number of processors is 0. */
typedef struct ori_record {
    int64_t line;
    const char *id; /* "" for none */
    double submit, time, walltime, wait;
    bool calendar;      /* timestamp is what counts, not submit */
    bool has_timestamp; /* it is known */
    int64_t timestamp;  /* microseconds since 1970 */
    int32_t procs;
    int32_t label[ORR_LABEL_KINDS]; /* numbers in the jobs' names */
} ori_record;

void ori_record_clear(ori_record *record);

/* Makes a job of a record, or a dropped one. */
orr_status ori_read_add(ori_read_context *context, const ori_record *record, orr_error *err);
orr_status ori_read_drop(ori_read_context *context, const ori_record *record,
                         orr_drop_reason reason, orr_error *err);

/* Whether a record that is not left out is wider than the machine and that is to be an error, which
 * the format words. */
bool ori_read_is_too_wide(const ori_read_context *context, const ori_record *record);

/* Second 0 becomes the first submission, exactly to the microsecond, where there are timestamps. */
void ori_read_rebase(ori_read_context *context);

/* Reads context->options.statuses into wanted. */
orr_status ori_read_want(ori_read_context *context, orr_error *err);

typedef struct ori_format {
    void *(*open)(ori_read_context *context, orr_error *err); /* NULL on failure */
    orr_status (*feed)(void *state, const char *bytes, size_t size, orr_error *err);
    orr_status (*finish)(void *state, orr_error *err);
    void (*close)(void *state);
} ori_format;

extern const ori_format ori_format_csv;
extern const ori_format ori_format_swf;
extern const ori_format ori_format_sacct;
extern const ori_format ori_format_batsim;

/* Whether a first line is the header of a dump of Slurm's accounting. */
bool ori_is_sacct_header(const char *line, size_t size);

/* Bytes as lines, which are read one by one, without their newline. */
typedef struct ori_lines {
    ori_read_context *context; /* whose `line` is kept up to date */
    orr_status (*read)(void *user, const char *line, size_t size, orr_error *err);
    void *user;
    char *rest; /* the beginning of a line whose end has not come yet */
    size_t rest_size, rest_capacity;
} ori_lines;

orr_status ori_lines_feed(ori_lines *lines, const char *bytes, size_t size, orr_error *err);
orr_status ori_lines_finish(ori_lines *lines, orr_error *err); /* the last line, without its end */
void ori_lines_close(ori_lines *lines);

/* --- fields ------------------------------------------------------------------------------------*/

/* A decimal number that is the whole of text, rounded as strtod does; false for anything else:
 * nothing, blanks, hexadecimal, inf, nan, numbers too large for a double. */
bool ori_parse_number(const char *text, size_t length, double *value);

/* Makes room for `need` bytes in a growing block; doubles it, so that growing is cheap. */
orr_status ori_reserve(const orr_allocator *a, char **block, size_t *capacity, size_t need,
                       orr_error *err);

#endif
