/* Sources: the bytes of a file, in pieces of any size, unpacked and without a byte order mark.
 * Not a public header. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "unpack_internal.h"

typedef orr_status (*ori_bytes_sink)(void *user, const char *bytes, size_t size, orr_error *err);

typedef enum ori_source_state {
    ORI_SOURCE_START,   /* compressed data and text look alike so far */
    ORI_SOURCE_PLAIN,   /* not compressed */
    ORI_SOURCE_MEMBER,  /* inside a member of compressed data */
    ORI_SOURCE_BETWEEN, /* behind a member: another one, padding or the end */
    ORI_SOURCE_ENDED    /* by damage: the rest is not read */
} ori_source_state;

typedef struct ori_source {
    orr_allocator alloc;
    const char *name; /* borrowed, for messages */
    ori_bytes_sink sink;
    void *user;
    ori_source_state state;
    bool any; /* a byte has been passed on */
    int bom;  /* bytes of a byte order mark seen so far; -1: its place has passed */
    unsigned char magic[ORI_LONGEST_MAGIC]; /* the first bytes */
    size_t seen;
    ori_unpacker unpacker; /* valid in MEMBER and BETWEEN */
    unsigned char *out;
    size_t out_size; /* bytes that are sent at once, of a file that is compressed, */
    size_t block;    /* or not */

    bool lenient;     /* damaged data ends the text, and is no error; the caller's */
    int64_t fed;      /* bytes */
    int64_t size;     /* of the file, bytes; 0: not known */
    char damage[192]; /* the damage; empty: none */
    bool cut;         /* the damage cut the text off: it may end anywhere */
} ori_source;

void ori_source_open(ori_source *source, const char *name, ori_bytes_sink sink, void *user,
                     const orr_allocator *a);
orr_status ori_source_feed(ori_source *source, const void *bytes, size_t size, orr_error *err);
/* Tells the source that its input ends; it must still be closed. */
orr_status ori_source_finish(ori_source *source, orr_error *err);
void ori_source_close(ori_source *source);

/* Feeds a whole file and finishes the source. */
orr_status ori_source_feed_file(ori_source *source, const char *path, orr_error *err);

/* ORR_ERR_INPUT for a source that had no text. */
orr_status ori_source_fail_empty(const ori_source *source, orr_error *err);

/* Text has no zero bytes. Passes on the text before the first zero, so that an earlier error is
 * reported first; then the zero is an error. `what` is the kind of file, `line` counts the lines
 * that have ended before the next byte. */
orr_status ori_pass_text(ori_bytes_sink sink, void *user, const char *bytes, size_t size,
                         const char *path, const char *what, const int64_t *line, orr_error *err);
