/* Rows: CSV in pieces of any size as rows of fields with line, column and heading. All files with a
 * header and quotes are read here: logs (read_csv.c), tasks, faults. */
#include "rows_internal.h"

#include "base/array_internal.h"
#include "base/try_internal.h"
#include "source_internal.h"

#include <stdio.h>
#include <string.h>

/* A longer field is a sign that a closing quote is missing. */
enum { LONGEST_FIELD = 1 << 20 };

/* --- messages ----------------------------------------------------------------------------------*/

const char *ori_rows_name(const ori_rows *rows, int32_t column)
{
    const char *name = rows->names;
    while (column-- > 0)
        name += strlen(name) + 1;
    return name;
}

orr_status ori_rows_fail(ori_rows *rows, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    orr_status status = ori_vfail(rows->err, ORR_ERR_INPUT, format, args);
    va_end(args);
    orr_error_prefix(rows->err, "%s:%lld", rows->path, (long long)rows->row_line);
    return status;
}

orr_status ori_rows_fail_field(ori_rows *rows, const char *expected, const char *text, size_t size)
{
    rows->reason = ori_reason_of(text, size);
    ori_field field = {
        rows->path, "column", rows->row_line, rows->column + 1, ori_rows_name(rows, rows->column),
        text,       size};
    return ori_fail_field(&field, expected, rows->err);
}

/* During the loop there is room for the longest name and for the text after it. */
void ori_rows_list(const ori_rows *rows, char *list, size_t size)
{
    size_t used = 0, most = size - ORI_QUOTED_SIZE - 8;
    const char *name = rows->names;
    list[0] = '\0';
    for (int32_t i = 0; i < rows->columns && used < most; i++) {
        char quoted[ORI_QUOTED_SIZE] = "\"(no name)\"";
        size_t length = strlen(name);
        if (length > 0)
            ori_quote(name, length, quoted);
        quoted[strlen(quoted) - 1] = '\0'; /* without its quotes */
        used += (size_t)snprintf(list + used, size - used, "%s%s", i == 0 ? "" : ", ", quoted + 1);
        name += length + 1;
        if (i + 1 < rows->columns && used >= most)
            used += (size_t)snprintf(list + used, size - used, ", ...");
    }
}

/* --- columns -----------------------------------------------------------------------------------*/

void ori_rows_match(ori_rows *rows, const ori_column *columns, int count)
{
    const char *name = rows->names;
    ori_table_open(&rows->table, columns, count, false);
    for (int32_t i = 0; i < rows->columns; i++, name += strlen(name) + 1)
        ori_table_add(&rows->table, i, name, strlen(name));
}

/* --- what libcsv calls -------------------------------------------------------------------------*/

static void begin_row(ori_rows *rows)
{
    rows->in_row = true;
    rows->row_line = *rows->line + 1;
    rows->column = 0;
    rows->kept_size = 0;
}

static orr_status keep_name(ori_rows *rows, const char *text, size_t size)
{
    if (rows->column >= rows->most_columns)
        return ori_rows_fail(rows, "not %s: a first line of more than %d fields", rows->what,
                             (int)rows->most_columns);
    ORI_TRY(ORI_RESERVE(&rows->alloc, &rows->names, &rows->names_capacity,
                        rows->names_size + (int64_t)size + 1, rows->err));
    memcpy(rows->names + rows->names_size, text, size);
    rows->names[rows->names_size + size] = '\0';
    rows->names_size += (int64_t)size + 1;
    return ORR_OK;
}

/* Reads a field by its handler, or as the table says. */
ORR_INLINE orr_status read_field(ori_rows *rows, const char *text, size_t size)
{
    if (rows->handlers->field) /* it may have more columns than the table */
        return rows->handlers->field(rows->user, text, size);
    int known = rows->table.known[rows->column];
    return known == 0
               ? ORR_OK
               : ori_rows_read(rows, &rows->table.columns[known - 1], text, size, rows->record);
}

static orr_status fail_long(ori_rows *rows)
{
    rows->reason = ORR_DROP_LONG;
    return ori_rows_fail(rows, "a field of more than 1 MiB: a closing quote is missing");
}

static bool has_name(const char *names, int64_t size, const char *name)
{
    for (const char *end = names + size; names < end; names += strlen(names) + 1)
        if (strcmp(names, name) == 0)
            return true;
    return false;
}

/* The end of a row that begins with a name of the header. */
static void end_again(ori_rows *rows)
{
    int64_t from = rows->again_from, size = rows->names_size - from;
    const char *names = rows->names, *texts = names + from;
    bool all = true;
    rows->again = false;
    for (const char *name = names; all && name < names + from; name += strlen(name) + 1)
        all = has_name(texts, size, name);
    rows->names_size = from;
    if (all) {
        memmove(rows->names, texts, (size_t)size);
        rows->names_size = size;
        rows->columns = -1;
        return;
    }
    int32_t fields = rows->column;
    for (rows->column = 0; rows->column < fields && rows->column < rows->columns; rows->column++) {
        rows->row = read_field(rows, texts, strlen(texts));
        if (rows->row != ORR_OK)
            return;
        texts += strlen(texts) + 1;
    }
    rows->column = fields;
}

static void on_field(void *text, size_t size, void *user)
{
    ori_rows *rows = user;
    if (!rows->in_row)
        begin_row(rows);
    if (ORR_UNLIKELY(rows->column == 0 && rows->headers && rows->columns > 0 && size > 0 &&
                     (unsigned)*(const char *)text - '0' > 9 &&
                     has_name(rows->names, rows->names_size, text))) {
        rows->again = true;
        rows->again_from = rows->names_size;
    }
    if (rows->row != ORR_OK)
        return;
    if (ORR_UNLIKELY(size > LONGEST_FIELD))
        rows->row = fail_long(rows);
    else if (ORR_LIKELY(rows->column < rows->columns && !rows->again))
        rows->row = read_field(rows, text, size);
    else if (rows->columns < 0 || rows->again)
        rows->row = keep_name(rows, text, size);
    rows->column++;
}

/* Handles a row with an error. */
static void leave_out(ori_rows *rows)
{
    rows->status = rows->columns >= 0 && rows->handlers->bad && rows->row == ORR_ERR_INPUT
                       ? rows->handlers->bad(rows->user, rows->reason, rows->row)
                       : rows->row;
    rows->names_size = rows->again ? rows->again_from : rows->names_size;
    rows->again = false;
    rows->row = rows->status;
    rows->in_row = false;
}

static void end_row(ori_rows *rows)
{
    if (rows->columns < 0) {
        rows->columns = rows->column;
        rows->status = rows->row = rows->handlers->header(rows->user);
    } else if (ORR_LIKELY(rows->column == rows->columns)) {
        rows->status = rows->row = rows->handlers->row(rows->user);
    } else {
        rows->reason = ORR_DROP_FIELDS;
        rows->row = ori_rows_fail(rows, "expected %d fields as in the header, found %d",
                                  (int)rows->columns, (int)rows->column);
        leave_out(rows);
    }
}

/* Called for empty lines too, which are no rows. */
static void on_row(int end, void *user)
{
    ori_rows *rows = user;
    (void)end;
    if (ORR_UNLIKELY(rows->again) && rows->in_row && rows->row == ORR_OK)
        end_again(rows);
    if (rows->in_row && rows->row == ORR_OK)
        end_row(rows);
    else if (rows->in_row && rows->status == ORR_OK)
        leave_out(rows);
    rows->in_row = false;
}

/* --- feeding -----------------------------------------------------------------------------------*/

static orr_status fail_syntax(ori_rows *rows)
{
    if (!rows->in_row)
        begin_row(rows);
    if (csv_error(&rows->parser) == CSV_EPARSE)
        return ori_rows_fail(rows,
                             "column %d: a quote (\") inside a field without quotes, or text "
                             "behind a closing quote",
                             (int)rows->column + 1);
    return orr_fail_memory(rows->err, csv_get_buffer_size(&rows->parser) + LONGEST_FIELD);
}

static void start_parser(ori_rows *rows, char delimiter)
{
    csv_init(&rows->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL | CSV_APPEND_NULL);
    csv_set_delim(&rows->parser, (unsigned char)delimiter);
    csv_set_blk_size(&rows->parser, 4096); /* by which its copy of a long field grows */
}

/* Leaves out a row that cannot be gone on with. If it has several lines, those behind its first,
 * which have been kept, are broken off from it: rows->broken. Otherwise the rest of its line is
 * skipped. */
static orr_status break_row(ori_rows *rows, orr_drop_reason reason, orr_status status)
{
    char delimiter = (char)csv_get_delim(&rows->parser);
    rows->row = status;
    rows->reason = reason;
    leave_out(rows);
    if (rows->status != ORR_OK)
        return rows->status;
    csv_free(&rows->parser);
    start_parser(rows, delimiter);
    rows->skips = rows->kept_size == 0;
    rows->broken = !rows->skips;
    return ORR_OK;
}

/* A row begins where its first byte is fed, which may be lines before its first field ends. */
static void note_row(ori_rows *rows, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r' && bytes[i] != '\n') {
            begin_row(rows);
            return;
        }
    }
}

/* Keeps the text behind the first line of a row, as long as the row may be broken off. */
static orr_status keep_text(ori_rows *rows, const char *bytes, size_t size)
{
    if (rows->row_line > *rows->line || !rows->handlers->bad || rows->columns < 0)
        return ORR_OK;
    ORI_TRY(ORI_RESERVE(&rows->alloc, &rows->kept, &rows->kept_capacity,
                        rows->kept_size + (int64_t)size, rows->err));
    memcpy(rows->kept + rows->kept_size, bytes, size);
    rows->kept_size += (int64_t)size;
    return ORR_OK;
}

/* Finds the error in the line that was fed. */
static orr_status look_into(ori_rows *rows, bool done)
{
    if (rows->status != ORR_OK)
        return rows->status;
    return done ? break_row(rows, ORR_DROP_LONG, fail_long(rows))
                : break_row(rows, ORR_DROP_QUOTES, fail_syntax(rows));
}

/* Feeds bytes of one line, with its end where it is present. */
static inline orr_status feed_line(ori_rows *rows, const char *bytes, size_t size)
{
    if (ORR_LIKELY(!rows->in_row))
        note_row(rows, bytes, size);
    else
        ORI_TRY(keep_text(rows, bytes, size));
    const char *zero = ORR_UNLIKELY(rows->zero != NULL) ? memchr(bytes, 0, size) : NULL;
    if (zero)
        size = (size_t)(zero - bytes);
    size_t done = csv_parse(&rows->parser, bytes, size, on_field, on_row, rows);
    bool fine = rows->status == ORR_OK && done == size &&
                (!rows->in_row || rows->parser.entry_pos <= LONGEST_FIELD);
    if (ORR_UNLIKELY(!fine))
        return look_into(rows, done == size);
    return ORR_LIKELY(!zero)
               ? ORR_OK
               : break_row(rows, rows->zero_reason, ori_rows_fail(rows, "%s", rows->zero));
}

/* The bytes up to the next end of a line: a newline or a carriage return. */
static size_t line_piece(const char *bytes, size_t size, bool carriages)
{
    const char *newline = memchr(bytes, '\n', size);
    size_t piece = newline ? (size_t)(newline - bytes) + 1 : size;
    const char *carriage = carriages ? memchr(bytes, '\r', piece) : NULL;
    if (carriage && (!newline || carriage + 1 != newline))
        piece = (size_t)(carriage - bytes) + 1;
    return piece;
}

/* Feeds lines up to a broken row, and returns the number of bytes. */
static size_t feed_lines(ori_rows *rows, const char *bytes, size_t size, orr_status *status)
{
    bool carriages = memchr(bytes, '\r', size);
    const char *next = bytes, *end = bytes + size;
    *status = ORR_OK;
    while (next < end && !rows->broken) {
        size_t piece = line_piece(next, (size_t)(end - next), carriages);
        char last = next[piece - 1];
        if (rows->carriage && *next != '\n')
            ++*rows->line;
        if (ORR_LIKELY(!rows->skips))
            *status = feed_line(rows, next, piece);
        if (*status != ORR_OK)
            break;
        *rows->line += last == '\n';
        rows->carriage = last == '\r';
        rows->skips &= last != '\n' && last != '\r';
        next += piece;
    }
    return (size_t)(next - bytes);
}

/* Reads again the kept text of a row that was broken off, also where further rows in it are broken
 * off. */
static orr_status feed_again(ori_rows *rows)
{
    char *text = rows->kept;
    int64_t capacity = rows->kept_capacity;
    size_t size = (size_t)rows->kept_size, at = 0;
    orr_status status = ORR_OK;
    rows->kept = NULL;
    rows->kept_capacity = 0;
    while (rows->broken && status == ORR_OK) {
        rows->broken = rows->carriage = false;
        *rows->line = rows->row_line; /* its first line has ended, and no other */
        rows->kept_size = 0;
        at += feed_lines(rows, text + at, size - at, &status);
        if (rows->broken)
            at -= (size_t)rows->kept_size;
    }
    ORI_FREE(&rows->alloc, &text, &capacity);
    return status;
}

orr_status ori_rows_feed(void *state, const char *bytes, size_t size, orr_error *err)
{
    ori_rows *rows = state;
    orr_status status = ORR_OK;
    rows->err = err;
    while (size > 0 && status == ORR_OK) {
        size_t used = feed_lines(rows, bytes, size, &status);
        if (status == ORR_OK && rows->broken)
            status = feed_again(rows);
        bytes += used;
        size -= used;
    }
    return status;
}

static orr_status end_text(ori_rows *rows)
{
    if (csv_fini(&rows->parser, on_field, on_row, rows) == 0)
        return rows->status;
    if (rows->status != ORR_OK)
        return rows->status;
    if (csv_error(&rows->parser) != CSV_EPARSE)
        return orr_fail_memory(rows->err, csv_get_buffer_size(&rows->parser));
    return break_row(
        rows, ORR_DROP_QUOTES,
        ori_rows_fail(rows, "a quoted field of the row that begins here is not closed"));
}

orr_status ori_rows_finish(ori_rows *rows, orr_error *err)
{
    rows->err = err;
    orr_status status = end_text(rows);
    while (status == ORR_OK && rows->broken) {
        status = feed_again(rows);
        if (status == ORR_OK)
            status = end_text(rows);
    }
    return status;
}

void ori_rows_open(ori_rows *rows, char delimiter)
{
    rows->columns = -1;
    start_parser(rows, delimiter);
}

void ori_rows_close(ori_rows *rows)
{
    csv_free(&rows->parser);
    ORI_FREE(&rows->alloc, &rows->names, &rows->names_capacity);
    ORI_FREE(&rows->alloc, &rows->kept, &rows->kept_capacity);
}

/* --- files -------------------------------------------------------------------------------------*/

static orr_status feed_text(void *user, const char *bytes, size_t size, orr_error *err)
{
    ori_rows *rows = user;
    return ori_pass_text(ori_rows_feed, rows, bytes, size, rows->path, rows->what, rows->line, err);
}

orr_status ori_rows_read_file(ori_rows *rows, bool text_only, orr_error *err)
{
    ori_source source;
    int64_t line = 0;
    rows->line = &line;
    ori_rows_open(rows, ',');
    ori_source_open(&source, rows->path, text_only ? feed_text : ori_rows_feed, rows, &rows->alloc);
    orr_status status = ori_source_feed_file(&source, rows->path, err);
    if (status == ORR_OK)
        status = ori_rows_finish(rows, err);
    if (status == ORR_OK && text_only && rows->columns < 0)
        status = ori_source_fail_empty(&source, err);
    ori_source_close(&source);
    ori_rows_close(rows);
    return status;
}
