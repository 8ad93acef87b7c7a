/* Readers: jobs from a file or from pieces fed by hand. The reader recognises the format, cuts the
 * text into lines where the format has one record a line and no quotes, and takes the input from
 * stage to stage (formats_internal.h); what a format is, is in a file of its own. */
#include "workload/reader.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/try_internal.h"
#include "formats_internal.h"
#include "source_internal.h"
#include "workload/jobs_internal.h"

#include <stdio.h>
#include <string.h>

/* A first line longer than the first, of nothing but digits and blanks, is no log; nor is anything
 * with a line longer than the second. */
enum { LONGEST_FIRST_LINE = 1 << 16, LONGEST_LINE = 1 << 20 };

struct orr_reader {
    ori_source source;
    ori_read_context context;
    const ori_format *format; /* NULL until recognised */
    void *state;              /* the format's */
    char *line; /* the beginning of a line whose end has not come yet: the first that is not blank,
                   while the format is unknown, or one that the format reads */
    int64_t line_size, line_capacity;
    bool words;        /* the first line is not only numbers */
    orr_status status; /* the first failure, which stays */
    orr_error failure;
};

/* --- lines ------------------------------------------------------------------------------------ */

static orr_status fail_long(const orr_reader *reader, orr_error *err)
{
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: a line of more than %d bytes",
                    reader->context.name, (long long)reader->context.line + 1, LONGEST_LINE);
}

static orr_status keep_line(orr_reader *reader, const char *bytes, size_t size, orr_error *err)
{
    if ((size_t)reader->line_size + size > LONGEST_LINE)
        return fail_long(reader, err);
    ORI_TRY(ORI_RESERVE(&reader->context.alloc, &reader->line, &reader->line_capacity,
                        reader->line_size + (int64_t)size, err));
    memcpy(reader->line + reader->line_size, bytes, size);
    reader->line_size += (int64_t)size;
    return ORR_OK;
}

/* A line whose beginning may have been kept, without its newline. */
static orr_status end_line(orr_reader *reader, const char *bytes, size_t size, orr_error *err)
{
    if (reader->line_size > 0) {
        ORI_TRY(keep_line(reader, bytes, size, err));
        bytes = reader->line;
        size = (size_t)reader->line_size;
        reader->line_size = 0;
    }
    return size > LONGEST_LINE ? fail_long(reader, err)
                               : reader->format->line(reader->state, bytes, size, err);
}

static orr_status feed_lines(orr_reader *reader, const char *bytes, size_t size, orr_error *err)
{
    const char *end;
    while (size > 0 && (end = memchr(bytes, '\n', size)) != NULL) {
        size_t length = (size_t)(end - bytes);
        ORI_TRY(end_line(reader, bytes, length, err));
        reader->context.line++;
        bytes += length + 1;
        size -= length + 1;
    }
    return size == 0 ? ORR_OK : keep_line(reader, bytes, size, err);
}

/* --- recognising the format --------------------------------------------------------------------*/

#define POINTER(NAME) &ori_format_##NAME,
static const ori_format *const formats[] = {ORI_FORMATS(POINTER) NULL};
#undef POINTER

static orr_status choose(orr_reader *reader, const ori_format *format, orr_error *err)
{
    reader->state = ori_new(&reader->context.alloc, format->state_size, err);
    if (!reader->state)
        return ORR_ERR_MEMORY;
    *(ori_read_context **)reader->state = &reader->context;
    if (format->open)
        format->open(reader->state);
    reader->format = format;
    return format->line || reader->line_size == 0
               ? ORR_OK
               : format->feed(reader->state, reader->line, (size_t)reader->line_size, err);
}

/* The format of a log with this first line that is not blank, once the line has ended. */
static const ori_format *format_of_line(const orr_reader *reader)
{
    for (const ori_format *const *format = formats + 1; *format; format++)
        if ((*format)->recognises &&
            (*format)->recognises(reader->line, (size_t)reader->line_size, !reader->words))
            return *format;
    return formats[0];
}

/* The same before its end, with the next byte of it. NULL: not known yet. */
static const ori_format *format_of(orr_reader *reader, char byte)
{
    bool first = reader->line_size == 0;
    for (const ori_format *const *format = formats; first && *format; format++)
        if ((*format)->sign == byte)
            return *format;
    if (byte == '\n' || (byte == '\r' && reader->words))
        return format_of_line(reader);
    const char *numeric = first ? "0123456789+-." : "0123456789+-.eE \t\r";
    reader->words |= !strchr(numeric, byte); /* byte is never zero */
    return reader->words && reader->line_size == LONGEST_FIRST_LINE ? formats[0] : NULL;
}

/* Looks at one byte of the prefix; the format is chosen before the byte is fed to it. */
static orr_status look_at(orr_reader *reader, char byte, bool *kept, orr_error *err)
{
    *kept = true;
    if (reader->line_size == 0 && (byte == '\n' || byte == ' ' || byte == '\t' || byte == '\r')) {
        reader->context.line += byte == '\n';
        return ORR_OK;
    }
    const ori_format *format = format_of(reader, byte);
    if (format) {
        *kept = false;
        return choose(reader, format, err);
    }
    if (reader->line_size == LONGEST_FIRST_LINE)
        return orr_fail(
            err, ORR_ERR_INPUT, "%s:%lld: not a job log: a first line of more than %d bytes",
            reader->context.name, (long long)reader->context.line + 1, LONGEST_FIRST_LINE);
    return keep_line(reader, &byte, 1, err);
}

static orr_status feed_text(void *user, const char *bytes, size_t size, orr_error *err)
{
    orr_reader *reader = user;
    size_t i = 0;
    while (!reader->format && i < size) {
        bool kept;
        ORI_TRY(look_at(reader, bytes[i], &kept, err));
        i += kept;
    }
    if (i == size || !reader->format)
        return ORR_OK;
    return reader->format->line ? feed_lines(reader, bytes + i, size - i, err)
                                : reader->format->feed(reader->state, bytes + i, size - i, err);
}

static orr_status sink(void *user, const char *bytes, size_t size, orr_error *err)
{
    orr_reader *reader = user;
    return ori_pass_text(feed_text, reader, bytes, size, reader->context.name, "a job log",
                         &reader->context.line, err);
}

/* --- the reader --------------------------------------------------------------------------------*/

orr_reader *orr_reader_create(const char *name, const orr_read_options *options,
                              const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    orr_reader *reader = ori_new(&alloc, sizeof *reader, err);
    if (!reader)
        return NULL;
    ori_source_open(&reader->source, name, sink, reader, &alloc);
    if (ori_context_open(&reader->context, name, options, &alloc, err) != ORR_OK) {
        orr_reader_destroy(reader);
        return NULL;
    }
    reader->context.formats = formats;
    return reader;
}

void orr_reader_destroy(orr_reader *reader)
{
    if (!reader)
        return;
    orr_allocator alloc = reader->context.alloc;
    if (reader->state) {
        if (reader->format->close)
            reader->format->close(reader->state);
        orr_release(&alloc, reader->state, reader->format->state_size);
    }
    ori_source_close(&reader->source);
    ORI_FREE(&alloc, &reader->line, &reader->line_capacity);
    ori_context_close(&reader->context);
    orr_release(&alloc, reader, sizeof *reader);
}

/* Keeps the first failure: nothing that comes later can make the input good. */
static orr_status note(orr_reader *reader, orr_status status, orr_error *err)
{
    if (status != ORR_OK && reader->status == ORR_OK) {
        reader->status = status;
        reader->failure.status = status;
    }
    if (reader->status != ORR_OK && err)
        *err = reader->failure;
    return reader->status;
}

orr_status orr_reader_feed(orr_reader *reader, const void *bytes, size_t size, orr_error *err)
{
    orr_status status = reader->status;
    if (status == ORR_OK)
        status = ori_source_feed(&reader->source, bytes, size, &reader->failure);
    return note(reader, status, err);
}

/* "all 3 records were dropped (line 7: runtime unknown)" */
static orr_status fail_no_jobs(const orr_reader *reader, orr_error *err)
{
    const orr_jobs *jobs = reader->context.jobs;
    if (jobs->dropped_count == 0)
        return orr_fail(err, ORR_ERR_INPUT, "%s: there is a header, but no job",
                        reader->context.name);
    char line[40] = "";
    if (jobs->dropped[0].line > 0)
        snprintf(line, sizeof line, " in line %lld", (long long)jobs->dropped[0].line);
    return orr_fail(err, ORR_ERR_INPUT,
                    "%s: no job is left: all %d records were dropped, the first%s (%s)",
                    reader->context.name, (int)jobs->dropped_count, line,
                    orr_drop_reason_text(jobs->dropped[0].reason));
}

static orr_status finish_text(orr_reader *reader, orr_error *err)
{
    if (!reader->format && reader->line_size == 0)
        return ori_source_fail_empty(&reader->source, err);
    if (!reader->format)
        ORI_TRY(choose(reader, format_of_line(reader), err));
    if (!reader->format->line)
        ORI_TRY(reader->format->finish(reader->state, err));
    else if (reader->line_size > 0)
        ORI_TRY(end_line(reader, "", 0, err));
    ori_context_rebase(&reader->context);
    return reader->context.jobs->count == 0 ? fail_no_jobs(reader, err)
                                            : ori_jobs_count_repeated(reader->context.jobs, err);
}

/* finish without its first part: the source has already been told. */
static orr_jobs *take_jobs(orr_reader *reader, orr_error *err)
{
    orr_jobs *jobs = NULL;
    orr_status status = reader->status;
    if (status == ORR_OK)
        status = finish_text(reader, &reader->failure);
    if (note(reader, status, err) == ORR_OK) {
        jobs = reader->context.jobs;
        reader->context.jobs = NULL;
    }
    orr_reader_destroy(reader);
    return jobs;
}

orr_jobs *orr_reader_finish(orr_reader *reader, orr_error *err)
{
    if (reader->status == ORR_OK)
        note(reader, ori_source_finish(&reader->source, &reader->failure), NULL);
    return take_jobs(reader, err);
}

orr_jobs *orr_read_jobs(const char *path, const orr_read_options *options, const orr_allocator *a,
                        orr_error *err)
{
    orr_reader *reader = orr_reader_create(path, options, a, err);
    if (!reader)
        return NULL;
    note(reader, ori_source_feed_file(&reader->source, path, &reader->failure), NULL);
    return take_jobs(reader, err);
}
