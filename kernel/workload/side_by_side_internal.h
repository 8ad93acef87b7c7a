/* Lines of a log that several threads read side by side. Not a public header.
 *
 * A piece of text is cut into parts at ends of lines. Each part is read by a thread, with a context
 * and a state of the format of its own, into jobs of its own; then the parts are put together in
 * the order of the file. Jobs, numbers of labels, dropped records and errors with their lines are
 * equal to those of a single thread: the first error of the file wins.
 *
 * The meaning of a line may depend on earlier lines, or change later ones. The format then marks
 * the part as odd, and the part is not taken: the caller reads it in order, with the rest of the
 * piece. */
#pragma once

#include "formats_internal.h"

typedef struct ori_log_part ori_log_part;

typedef struct ori_side_by_side {
    int threads; /* 1: lines are not read in parallel */
    ori_log_part *parts;
} ori_side_by_side;

void ori_side_by_side_open(ori_side_by_side *s, int threads);
void ori_side_by_side_close(ori_side_by_side *s, const ori_format *format, const orr_allocator *a);

/* Reads lines of a piece of text for `whole`, whose format has the state given, as far as they can
 * be read in parallel; *taken: the bytes that are read, with the ends of their lines. The first
 * byte must begin a line, and the piece must not have a zero byte. */
orr_status ori_side_by_side_read(ori_side_by_side *s, ori_read_context *whole,
                                 const ori_format *format, void *state, const char *bytes,
                                 size_t size, size_t *taken, orr_error *err);
