/* Readers: jobs from a file or from pieces fed by hand. The reader recognises the format, cuts the
 * text into lines where the format has one record per line and no quotes, and passes the input from
 * stage to stage (formats_internal.h). Each format has a file of its own. */
#include "workload/reader.h"

#include "base/array_internal.h"
#include "base/block_internal.h"
#include "base/try_internal.h"
#include "formats_internal.h"
#include "map_internal.h"
#include "side_by_side_internal.h"
#include "slurm_internal.h"
#include "source_internal.h"
#include "workload/jobs_internal.h"
#include "workload/read_described_internal.h"

#include <stdio.h>
#include <string.h>

/* A text is not a log if its first line is longer than LONGEST_FIRST_LINE and has only digits and
 * blanks, or if any line is longer than LONGEST_LINE. The further numbers limit the lines (without
 * comments) and bytes from which the format is recognised. */
enum { LONGEST_FIRST_LINE = 1 << 16, LONGEST_LINE = 1 << 20 };
enum { MOST_LINES = 20, LONGEST_HEAD = 1 << 17 };

struct orr_reader {
    ori_source source;
    ori_read_context context;
    ori_map *map;             /* NULL: none */
    const ori_format *format; /* NULL until recognised */
    void *state;              /* the format's */
    char *line;               /* the beginning of a line whose end has not come yet */
    int64_t line_size, line_capacity;
    bool skips; /* up to its end: it is left out */
    ori_side_by_side threads;

    /* while the format is not known */
    char *head; /* all that has come */
    int64_t head_size, head_capacity;
    int head_lines;            /* that have ended and are neither blank nor comments */
    int64_t lines_of_header;   /* 1 where the caller's header has been put in front */
    const orr_format *formats; /* further ones, once the caller was asked for them */
    int format_count;
    bool asked;
    const ori_format *bracket;            /* of a text that begins with a bracket or brace */
    bool starts, starts_line, in_comment; /* only blanks so far: in all, in this line */
    bool zero_follows;                    /* behind the head */

    orr_status status; /* the first failure, which stays */
    orr_error failure;
};

/* --- lines ------------------------------------------------------------------------------------ */

/* Leaves out the line being read; no more of it is kept. */
static orr_status leave_out(orr_reader *reader, orr_drop_reason reason, const char *wrong,
                            orr_error *err)
{
    ori_read_context *context = &reader->context;
    reader->line_size = 0;
    reader->skips = true;
    ori_record_clear(context);
    ori_record_forget_id(context);
    orr_status status = orr_fail(err, ORR_ERR_INPUT, "%s:%lld: %s", context->name,
                                 (long long)context->line + 1, wrong);
    return ori_record_settle(context, reason, status, err);
}

/* Whether a piece of a line is skipped, because of an error in the line. */
static bool is_skipped(orr_reader *reader, const char *bytes, size_t size, orr_status *status,
                       orr_error *err)
{
    const ori_read_context *context = &reader->context;
    const char *zero = context->zeros ? memchr(bytes, 0, size) : NULL;
    size_t before = (size_t)reader->line_size + (zero ? (size_t)(zero - bytes) : size);
    *status = ORR_OK;
    if (!reader->skips && before > LONGEST_LINE)
        *status = leave_out(reader, ORR_DROP_LONG, "a line of more than 1 MiB", err);
    else if (!reader->skips && zero)
        *status = leave_out(reader, context->spoils, context->spoiled_by, err);
    return reader->skips;
}

static orr_status keep_line(orr_reader *reader, const char *bytes, size_t size, orr_error *err)
{
    orr_status status;
    if (is_skipped(reader, bytes, size, &status, err))
        return status;
    ORI_TRY(ORI_RESERVE(&reader->context.alloc, &reader->line, &reader->line_capacity,
                        reader->line_size + (int64_t)size, err));
    memcpy(reader->line + reader->line_size, bytes, size);
    reader->line_size += (int64_t)size;
    return ORR_OK;
}

/* A line whose beginning may have been kept, without its newline. */
static orr_status end_line(orr_reader *reader, const char *bytes, size_t size, orr_error *err)
{
    orr_status status;
    if (reader->line_size > 0) {
        ORI_TRY(keep_line(reader, bytes, size, err));
        bytes = reader->line;
        size = (size_t)reader->line_size;
        reader->line_size = 0;
    } else if (ORR_UNLIKELY(reader->context.zeros || size > LONGEST_LINE)) {
        if (is_skipped(reader, bytes, size, &status, err))
            ORI_TRY(status);
    }
    if (ORR_LIKELY(!reader->skips))
        return reader->format->line(reader->state, bytes, size, err);
    reader->skips = false;
    return ORR_OK;
}

static orr_status feed_lines(orr_reader *reader, const char *bytes, size_t size, orr_error *err)
{
    const char *end;
    bool odd = reader->line_size > 0 || reader->skips || reader->context.zeros;
    while (size > 0 && (end = memchr(bytes, '\n', size)) != NULL) {
        size_t length = (size_t)(end - bytes);
        if (ORR_LIKELY(!odd && length <= LONGEST_LINE))
            ORI_TRY(reader->format->line(reader->state, bytes, length, err));
        else
            ORI_TRY(end_line(reader, bytes, length, err));
        odd = reader->context.zeros;
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

/* Lines of a large piece, side by side as far as they can be. */
static orr_status pass_on_lines(orr_reader *reader, const char *bytes, size_t size, orr_error *err)
{
    size_t taken = 0;
    if (reader->threads.threads == 1 || !reader->format->part || reader->context.zeros)
        return feed_lines(reader, bytes, size, err);
    if (reader->line_size > 0 || reader->skips) {
        const char *end = memchr(bytes, '\n', size);
        taken = end ? (size_t)(end - bytes) + 1 : size;
        ORI_TRY(feed_lines(reader, bytes, taken, err));
        bytes += taken;
        size -= taken;
    }
    ORI_TRY(ori_side_by_side_read(&reader->threads, &reader->context, reader->format, reader->state,
                                  bytes, size, &taken, err));
    return feed_lines(reader, bytes + taken, size - taken, err);
}

static orr_status pass_on(orr_reader *reader, const char *bytes, size_t size, orr_error *err)
{
    if (size == 0)
        return ORR_OK;
    return reader->format->line ? pass_on_lines(reader, bytes, size, err)
                                : reader->format->feed(reader->state, bytes, size, err);
}

/* Begins to read a log of a format, from `start` on in the head that was kept. */
static orr_status choose_format(orr_reader *reader, const ori_format *format, const ori_head *head,
                                const char *start, orr_error *err)
{
    reader->state = ori_new(&reader->context.alloc, format->state_size, err);
    if (!reader->state)
        return ORR_ERR_MEMORY;
    *(ori_read_context **)reader->state = &reader->context;
    if (format->open)
        format->open(reader->state, head);
    reader->format = format;
    char *bytes = reader->head;
    int64_t capacity = reader->head_capacity;
    size_t size = bytes ? (size_t)reader->head_size - (size_t)(start - bytes) : 0;
    reader->context.line = -reader->lines_of_header;
    for (const char *p = bytes; bytes && p < start; p++)
        reader->context.line += *p == '\n';
    reader->head = NULL;
    reader->head_capacity = reader->head_size = 0;
    orr_status status = pass_on(reader, start, size, err);
    ORI_FREE(&reader->context.alloc, &bytes, &capacity);
    return status;
}

/* NULL where no head was kept. */
static const char *end_of_head(const orr_reader *reader)
{
    return reader->head ? reader->head + reader->head_size : NULL;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_comment(const ori_head *head)
{
    return head->size > 0 && (*head->line == ';' || *head->line == '#');
}

/* The next line of the head that is not blank, without blanks around it; false at its end. */
static bool next_line(ori_head *head, char end_of_line)
{
    while (head->next < head->end) {
        const char *begin = head->next;
        const char *stop = memchr(begin, end_of_line, (size_t)(head->end - begin));
        head->next = stop ? stop + 1 : head->end;
        stop = stop ? stop : head->end;
        while (begin < stop && is_blank(*begin))
            begin++;
        while (stop > begin && is_blank(stop[-1]))
            stop--;
        head->line = begin;
        head->size = (size_t)(stop - begin);
        if (head->size > 0)
            return true;
    }
    return false;
}

/* Finds the described format of a log that begins with this line, or with this text of JSON;
 * `other`: it has none. */
static orr_status described_or(orr_reader *reader, const ori_head *head, bool json,
                               const ori_format *other, const ori_format **out, orr_error *err)
{
    const orr_read_options *options = &reader->context.options;
    const orr_format *found = NULL;
    if (options->formats && !options->format && !reader->asked) {
        reader->formats = options->formats(options->user, &reader->format_count);
        reader->asked = true;
    }
    for (int i = 0; !options->format && !found && i < reader->format_count; i++) {
        const orr_format *one = &reader->formats[i];
        bool is = false;
        if (one->json == json)
            ORI_TRY(ori_described_recognises(&reader->context, one, head, &is, err));
        found = is ? one : NULL;
    }
    if (options->format && options->format->json == json)
        found = options->format;
    reader->context.described = found;
    *out = !found ? other : json ? &ori_format_objects : &ori_format_described;
    return ORR_OK;
}

/* The format of a log that begins with this line (after comments); NULL: unknown. */
static const ori_format *format_of_line(const orr_reader *reader, ori_head *head)
{
    for (const ori_format *const *format = formats; *format; format++)
        if ((*format)->recognises && (*format)->recognises(&reader->context, head))
            return *format;
    return NULL;
}

static bool only_numbers(const ori_head *head)
{
    for (size_t i = 0; i < head->size; i++)
        if (!strchr("0123456789+-.eE \t\r", head->line[i]))
            return false;
    return true;
}

/* Lines in front of the log are records that are left out. */
static orr_status drop_preamble(orr_reader *reader, ori_head head, char end_of_line,
                                const char *start, orr_error *err)
{
    ori_read_context *context = &reader->context;
    while (next_line(&head, end_of_line) && head.line < start) {
        if (is_comment(&head))
            continue;
        char found[ORI_QUOTED_SIZE];
        context->line = -reader->lines_of_header;
        for (const char *p = reader->head; p < head.line; p++)
            context->line += *p == '\n';
        ori_record_clear(context);
        ori_record_forget_id(context);
        orr_status status =
            orr_fail(err, ORR_ERR_INPUT, "%s:%lld: %s", context->name, (long long)context->line + 1,
                     ori_quote(head.line, head.size, found));
        ORI_TRY(ori_record_settle(context, ORR_DROP_PREAMBLE, status, err));
    }
    return ORR_OK;
}

/* A list with commas for a log with other delimiters, without the widths that sacct --format may
 * have ("JobName%30"), becomes the first line. */
static orr_status put_header(orr_reader *reader, orr_error *err)
{
    const char *header = reader->context.options.header;
    size_t size = strlen(header), kept = 0;
    char *head = reader->head, delimiter = ',';
    const char *text = head ? head : "", *end = text + reader->head_size;
    while (text < end && (is_blank(*text) || *text == '\n'))
        text++;
    if (reader->context.options.delimiter)
        delimiter = reader->context.options.delimiter;
    for (const char *p = text; p < end && *p != '\n' && delimiter == ','; p++)
        if (*p == '|' || *p == ';' || *p == '\t')
            delimiter = *p;
    ORI_TRY(ORI_RESERVE(&reader->context.alloc, &reader->head, &reader->head_capacity,
                        reader->head_size + (int64_t)size + 1, err));
    head = reader->head;
    memmove(head + size + 1, head, (size_t)reader->head_size);
    for (size_t i = 0; i < size; i++) {
        if (header[i] == '%')
            i += strcspn(header + i, ",") - 1;
        else
            head[kept++] = header[i] == ',' ? delimiter : header[i];
    }
    head[kept] = '\n';
    memmove(head + kept + 1, head + size + 1, (size_t)reader->head_size);
    reader->head_size += (int64_t)kept + 1;
    reader->lines_of_header = 1;
    return ORR_OK;
}

/* Some options are only for logs with columns that have names. */
static bool is_about_columns(const orr_read_options *options)
{
    return options->columns || options->rows || options->delimiter;
}

static orr_status fail_known(const orr_reader *reader, const ori_format *format, orr_error *err)
{
    const orr_read_options *options = &reader->context.options;
    bool named = is_about_columns(options);
    const char *option = options->columns     ? "columns"
                         : options->rows      ? "rows"
                         : options->delimiter ? "delimiter"
                                              : "header";
    return orr_fail(err, ORR_ERR_INPUT,
                    "%s: --%s is about %s, and this looks like %s, whose columns are known: leave "
                    "--%s out",
                    reader->context.name, option,
                    named ? "a log whose columns have names" : "a log without a line of names",
                    format->about, option);
}

/* Files that hold other files, by their first bytes, with the command that makes a log of them. */
static orr_status refuse_other_files(const orr_reader *reader, orr_error *err)
{
    bool enough = reader->head_size >= 4;
    ORI_FAIL_IF(
        enough && memcmp(reader->head, "PAR1", 4) == 0, err, ORR_ERR_INPUT,
        "%s: not a job log, but Parquet: `duckdb -c \"copy 'FILE' to 'LOG.csv'\"` makes one "
        "of it",
        reader->context.name);
    ORI_FAIL_IF(enough && memcmp(reader->head, "PK\3\4", 4) == 0, err, ORR_ERR_INPUT,
                "%s: not a job log, but a zip file: `unzip -p FILE > LOG` makes one of it",
                reader->context.name);
    return ORR_OK;
}

/* Decides about a log of which no format recognises a line; first: its first line. */
static orr_status decide_anyhow(orr_reader *reader, ori_head first, const char *comment,
                                orr_error *err)
{
    const ori_format *last = formats[sizeof formats / sizeof *formats - 2]; /* of numbers */
    bool numbers = !first.line || only_numbers(&first);
    const char *name = reader->context.name;
    long long line = (long long)reader->context.line + 1;
    ORI_TRY(refuse_other_files(reader, err));
    if (reader->zero_follows)
        return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: not a job log: %s", name, line,
                        reader->context.spoiled_by);
    if (first.line && numbers && first.size > LONGEST_FIRST_LINE)
        return orr_fail(err, ORR_ERR_INPUT,
                        "%s:%lld: not a job log: a first line of more than %d bytes", name, line,
                        LONGEST_FIRST_LINE);
    char given = reader->context.options.delimiter;
    first.delimiter = given ? given : ',';
    ORI_REFUSE(reader->context.options.format, err, "format: no line of the log is one of %s",
               reader->context.options.format->about);
    const char *start = numbers && comment ? comment : first.line;
    return choose_format(reader, numbers ? last : formats[0], &first,
                         start ? start : end_of_head(reader), err);
}

/* Chooses the format of a text that begins with a bracket or brace. */
static orr_status decide_json(orr_reader *reader, orr_error *err)
{
    const char *start = reader->head, *end = end_of_head(reader);
    while (*start != '{' && *start != '[')
        start++;
    ori_head head = {.line = start, .size = (size_t)(end - start), .delimiter = ','};
    const ori_format *format;
    ORI_TRY(described_or(reader, &head, true, NULL, &format, err));
    if (format && (is_about_columns(&reader->context.options) || reader->context.options.header))
        return fail_known(reader, format, err);
    if (format || *start == '{')
        return choose_format(reader, format ? format : reader->bracket, &head, start, err);
    return orr_fail(err, ORR_ERR_INPUT,
                    "%s:%lld: a list in JSON whose objects are of no known format: --format says "
                    "of which",
                    reader->context.name, (long long)reader->context.line + 1);
}

/* Chooses the format from the head: from the first line that one recognises. */
static orr_status decide_format(orr_reader *reader, orr_error *err)
{
    if (reader->bracket)
        return decide_json(reader, err);
    if (reader->context.options.header)
        ORI_TRY(put_header(reader, err));
    size_t size = (size_t)reader->head_size;
    if (size == 0)
        return decide_anyhow(reader, (ori_head){0}, NULL, err);
    char end_of_line = memchr(reader->head, '\n', size) ? '\n' : '\r';
    ori_head all = {.next = reader->head, .end = reader->head + size}, head = all, first = all;
    const char *comment = NULL;
    for (int lines = 0; lines < MOST_LINES && next_line(&head, end_of_line);) {
        head.comments |= *head.line == ';';
        if (is_comment(&head)) {
            comment = comment ? comment : head.line;
            continue;
        }
        if (lines++ == 0)
            first = head;
        head.delimiter = ',';
        const ori_format *format =
            reader->context.options.format ? NULL : format_of_line(reader, &head);
        if (!format || (head.foreign && !reader->map))
            ORI_TRY(described_or(reader, &head, false, format, &format, err));
        if (format && ((is_about_columns(&reader->context.options) && !format->named) ||
                       (lines > 1 && reader->context.options.header)))
            return fail_known(reader, format, err);
        if (!format)
            continue;
        ORI_TRY(drop_preamble(reader, all, end_of_line, head.line, err));
        bool with_comments = format->comments && comment;
        return choose_format(reader, format, &head, with_comments ? comment : head.line, err);
    }
    return decide_anyhow(reader, first, comment, err);
}

/* Whether the head is long enough to decide the format: enough lines that are no comments, or
 * enough bytes. */
static bool is_enough(orr_reader *reader, char byte)
{
    bool starts = reader->starts_line;
    if (byte == '\n') {
        reader->head_lines += !starts && !reader->in_comment;
        reader->starts_line = true;
        reader->in_comment = false;
    } else if (starts && !is_blank(byte)) {
        reader->in_comment = byte == ';' || byte == '#';
        reader->starts_line = false;
    }
    return (reader->head_lines == MOST_LINES && !reader->bracket) ||
           reader->head_size > LONGEST_HEAD;
}

static bool has_formats(const orr_read_options *options)
{
    return options->format || options->formats;
}

/* Keeps the head until the format is known. Returns how many bytes it took. */
static orr_status keep_head(orr_reader *reader, const char *bytes, size_t size, size_t *taken,
                            orr_error *err)
{
    bool enough = false;
    for (*taken = 0; *taken < size && !enough;) {
        char byte = bytes[*taken];
        for (const ori_format *const *format = formats; reader->starts && *format; format++) {
            if ((*format)->sign == 0 || (*format)->sign != byte)
                continue;
            if (is_about_columns(&reader->context.options) || reader->context.options.header)
                return fail_known(reader, *format, err);
            if (has_formats(&reader->context.options)) {
                reader->bracket = *format;
                break;
            }
            ori_head none = {.delimiter = ','};
            return choose_format(reader, *format, &none, end_of_head(reader), err);
        }
        if (reader->starts && byte == '[' && has_formats(&reader->context.options))
            reader->bracket = &ori_format_objects;
        reader->starts &= is_blank(byte) || byte == '\n';
        ORI_TRY(ORI_RESERVE(&reader->context.alloc, &reader->head, &reader->head_capacity,
                            reader->head_size + 1, err));
        reader->head[reader->head_size++] = byte;
        reader->context.line += byte == '\n';
        ++*taken;
        enough = is_enough(reader, byte);
    }
    return enough ? decide_format(reader, err) : ORR_OK;
}

static orr_status feed_text(void *user, const char *bytes, size_t size, orr_error *err)
{
    orr_reader *reader = user;
    size_t taken = 0;
    if (ORR_UNLIKELY(!reader->format))
        ORI_TRY(keep_head(reader, bytes, size, &taken, err));
    return reader->format ? pass_on(reader, bytes + taken, size - taken, err) : ORR_OK;
}

static orr_status sink_bytes(void *user, const char *bytes, size_t size, orr_error *err)
{
    orr_reader *reader = user;
    const char *zero = memchr(bytes, 0, size);
    reader->context.zeros = false;
    if (ORR_UNLIKELY(zero && !reader->format)) {
        size_t text = (size_t)(zero - bytes);
        ORI_TRY(feed_text(reader, bytes, text, err));
        reader->zero_follows = true;
        if (!reader->format)
            ORI_TRY(decide_format(reader, err));
        bytes += text;
        size -= text;
    }
    reader->context.zeros = zero;
    return feed_text(reader, bytes, size, err);
}

/* --- the reader --------------------------------------------------------------------------------*/

static orr_status open_map(orr_reader *reader, orr_error *err)
{
    const orr_read_options *options = &reader->context.options;
    ORI_REFUSE(options->header && *options->header == '\0', err,
               "header: expected names of columns with commas between them, found nothing");
    if (!options->columns && !options->rows && options->pool_count == 0)
        return ORR_OK;
    reader->map = ori_new(&reader->context.alloc, sizeof *reader->map, err);
    if (!reader->map)
        return ORR_ERR_MEMORY;
    reader->context.map = reader->map;
    return ori_map_read(reader->map, options->columns, options->rows, options->pools,
                        options->pool_count, options->nodes, false, err);
}

/* Each thread is to have a piece that fits into its cache. */
enum { MOST_THREADS = 64, PIECE = 1 << 20 };

static void open_threads(orr_reader *reader)
{
    const orr_read_options *options = &reader->context.options;
    int threads = options->dependencies ? 1 : options->threads;
    ori_side_by_side_open(&reader->threads, threads < MOST_THREADS ? threads : MOST_THREADS);
    if (threads > 1)
        reader->source.block = reader->source.out_size =
            (size_t)reader->threads.threads * (size_t)PIECE;
}

orr_reader *orr_reader_create(const char *name, const orr_read_options *options,
                              const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    orr_reader *reader = ori_new(&alloc, sizeof *reader, err);
    if (!reader)
        return NULL;
    ori_source_open(&reader->source, name, sink_bytes, reader, &alloc);
    if (ori_context_open(&reader->context, name, options, &alloc, err) != ORR_OK ||
        open_map(reader, err) != ORR_OK) {
        orr_reader_destroy(reader);
        return NULL;
    }
    reader->source.lenient = reader->context.options.damaged && !reader->context.options.strict;
    open_threads(reader);
    reader->context.formats = formats;
    reader->starts = reader->starts_line = true;
    return reader;
}

void orr_reader_destroy(orr_reader *reader)
{
    if (!reader)
        return;
    orr_allocator alloc = reader->context.alloc;
    ori_side_by_side_close(&reader->threads, reader->format, &alloc);
    if (reader->state) {
        if (reader->format->close)
            reader->format->close(reader->state);
        orr_release(&alloc, reader->state, reader->format->state_size);
    }
    ori_source_close(&reader->source);
    ORI_FREE(&alloc, &reader->line, &reader->line_capacity);
    ORI_FREE(&alloc, &reader->head, &reader->head_capacity);
    orr_release(&alloc, reader->map, sizeof *reader->map);
    ori_context_close(&reader->context);
    orr_release(&alloc, reader, sizeof *reader);
}

/* The line that the caller has put in front of the log has no number. */
static void name_header(orr_reader *reader)
{
    const char *name = reader->context.name;
    char *message = reader->failure.message, found[sizeof reader->failure.message];
    size_t size = strlen(name);
    if (reader->lines_of_header == 0 || strncmp(message, name, size) != 0 ||
        strncmp(message + size, ":0: ", 4) != 0)
        return;
    snprintf(found, sizeof found, "%s", message + size + 4);
    snprintf(message, sizeof reader->failure.message, "%s: --header: %.*s", name,
             (int)(sizeof found - size - 13), found);
}

/* Says of damage that a reader may go on in front of it; JSON ends with its last byte alone. */
static void name_damaged(orr_reader *reader)
{
    const ori_source *source = &reader->source;
    char *message = reader->failure.message;
    size_t size = strlen(message);
    bool lines = !reader->bracket && (!reader->format || !reader->format->sign);
    if (*source->damage && lines && !source->lenient && !reader->context.options.strict)
        snprintf(message + size, sizeof reader->failure.message - size,
                 " (--damaged reads what can be read)");
}

/* Keeps the first failure: later ones cannot make the input valid. */
static orr_status note_failure(orr_reader *reader, orr_status status, orr_error *err)
{
    if (status != ORR_OK && reader->status == ORR_OK) {
        reader->status = status;
        reader->failure.status = status;
        name_header(reader);
        name_damaged(reader);
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
    return note_failure(reader, status, err);
}

/* The option by which a record was left out. */
static const char *hint_of(orr_drop_reason reason)
{
    return reason == ORR_DROP_STATUS      ? ": --status says which are kept"
           : reason == ORR_DROP_NEVER_RAN ? ": without --ran they may be kept"
           : reason == ORR_DROP_WIDE      ? ": --wide keep keeps them"
                                          : "";
}

/* "all 3 records were dropped, the first in line 7 (runtime unknown)" */
static orr_status fail_no_jobs(const orr_reader *reader, orr_error *err)
{
    const orr_jobs *jobs = reader->context.jobs;
    if (jobs->dropped_count == 0)
        return orr_fail(err, ORR_ERR_INPUT, "%s: there is a header, but no job",
                        reader->context.name);
    char line[40] = "", all[64] = "the only record was dropped,";
    const char *detail = orr_jobs_dropped_detail(jobs, 0);
    if (jobs->dropped[0].line > 0)
        snprintf(line, sizeof line, " in line %lld", (long long)jobs->dropped[0].line);
    if (jobs->dropped_count > 1)
        snprintf(all, sizeof all, "all %d records were dropped, the first",
                 (int)jobs->dropped_count);
    else if (*line == '\0')
        all[strlen(all) - 1] = '\0';
    return orr_fail(err, ORR_ERR_INPUT, "%s: no job is left: %s%s (%s%s%s)%s", reader->context.name,
                    all, line, orr_drop_reason_text(jobs->dropped[0].reason), detail ? ": " : "",
                    detail ? detail : "", hint_of(jobs->dropped[0].reason));
}

/* Where compressed data is cut off, the last record may be incomplete: it is left out like a record
 * with a zero byte. */
static orr_status end_cut_text(orr_reader *reader, orr_error *err)
{
    reader->context.zeros = true;
    reader->context.spoils = ORR_DROP_DAMAGE;
    reader->context.spoiled_by = reader->source.damage;
    return pass_on(reader, "", 1, err);
}

static orr_status end_records(orr_reader *reader, orr_error *err)
{
    const ori_source *source = &reader->source;
    if (source->cut && !reader->format->line &&
        reader->format->sign) /* its records are not lines */
        return orr_fail(err, ORR_ERR_INPUT, "%s: %s", reader->context.name, source->damage);
    if (source->cut)
        ORI_TRY(end_cut_text(reader, err));
    if (!reader->format->line)
        ORI_TRY(reader->format->finish(reader->state, err));
    else if (reader->line_size > 0)
        ORI_TRY(end_line(reader, "", 0, err));
    return *source->damage && !source->cut ? leave_out(reader, ORR_DROP_DAMAGE, source->damage, err)
                                           : ORR_OK;
}

static orr_status finish_text(orr_reader *reader, orr_error *err)
{
    if (!reader->format && reader->starts && *reader->source.damage)
        return orr_fail(err, ORR_ERR_INPUT, "%s: %s", reader->context.name, reader->source.damage);
    if (!reader->format && reader->starts)
        return ori_source_fail_empty(&reader->source, err);
    if (!reader->format)
        ORI_TRY(decide_format(reader, err));
    ORI_TRY(end_records(reader, err));
    ORI_TRY(ori_slurm_name_tasks(&reader->context, err));
    ori_context_rebase(&reader->context);
    ori_context_look_over(&reader->context);
    if (reader->context.timestamps)
        ORI_TRY(ori_jobs_unite(reader->context.jobs, reader->context.has_parts, err));
    ORI_TRY(ori_jobs_count_asked(reader->context.jobs, err));
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
    if (note_failure(reader, status, err) == ORR_OK) {
        jobs = reader->context.jobs;
        reader->context.jobs = NULL;
    }
    orr_reader_destroy(reader);
    return jobs;
}

orr_jobs *orr_reader_finish(orr_reader *reader, orr_error *err)
{
    if (reader->status == ORR_OK)
        note_failure(reader, ori_source_finish(&reader->source, &reader->failure), NULL);
    return take_jobs(reader, err);
}

orr_jobs *orr_read_jobs(const char *path, const orr_read_options *options, const orr_allocator *a,
                        orr_error *err)
{
    orr_reader *reader = orr_reader_create(path, options, a, err);
    if (!reader)
        return NULL;
    note_failure(reader, ori_source_feed_file(&reader->source, path, &reader->failure), NULL);
    return take_jobs(reader, err);
}
