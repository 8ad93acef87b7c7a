/* A schedule that is checked and written while it is made: an attempt leaves the record when its
 * row is written and its job is over. So the record of a long run needs little memory. The rows are
 * those of orr_export_csv, and the checks those of orr_check_schedule. */
#pragma once

#include "schedule/check_internal.h"
#include "schedule/export.h"
#include "schedule/export_internal.h"

typedef struct ori_stream {
    ori_outlet outlet;
    orr_schedule *s;
    ori_checker checker;
    const char *policy;
    int64_t taken; /* the first attempts, which were checked and written */
    ori_text text;
    char piece[ORI_EXPORT_PIECE];
} ori_stream;

/* Begins with a schedule without attempts, of an instance with orr_export_follows; what is given
 * must live as long. On failure, too, ori_stream_close must follow. */
orr_status ori_stream_open(ori_stream *stream, const orr_instance *in, orr_schedule *s,
                           const int32_t *failures, const orr_rows *rows, orr_error *err);

/* Checks and writes the attempts before `until`, which must be settled. Attempts that start later
 * do so by themselves, many at a time (s->outlet). */
orr_status ori_stream_take(ori_stream *stream, int64_t until, orr_error *err);

/* The run has come to its end: checks and writes the rest. */
orr_status ori_stream_finish(ori_stream *stream, orr_error *err);

/* Also of a stream that is all zero. */
void ori_stream_close(ori_stream *stream);
