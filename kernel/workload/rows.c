#include "rows_internal.h"

#include "reader_internal.h"

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

void ori_rows_fail(ori_rows *rows, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    rows->status = orr_vfail(rows->err, ORR_ERR_INPUT, format, args);
    va_end(args);
    orr_error_prefix(rows->err, "%s:%lld", rows->path, (long long)rows->row_line);
}

void ori_rows_fail_field(ori_rows *rows, const char *expected, const char *text, size_t size)
{
    char found[ORI_QUOTED_SIZE];
    const char *name = ori_rows_name(rows, rows->column);
    size_t length = strlen(name);
    ori_rows_fail(rows, "column %d (%.*s): expected %s, found %s", (int)rows->column + 1,
                  length > 64 ? 64 : (int)length, name, expected, ori_quote(text, size, found));
}

/* Appends text to a message that may be too long. */
static size_t append(char *message, size_t used, size_t size, const char *text)
{
    int n = snprintf(message + used, size - used, "%s", text);
    return used + (size_t)n < size ? used + (size_t)n : size - 1;
}

void ori_rows_list(const ori_rows *rows, char *list, size_t size)
{
    size_t used = 0;
    const char *name = rows->names;
    list[0] = '\0';
    for (int32_t i = 0; i < rows->columns && used < size - ORI_QUOTED_SIZE - 8; i++) {
        char quoted[ORI_QUOTED_SIZE];
        size_t length = strlen(name);
        ori_quote(name, length, quoted);
        if (length > 0) /* without its quotes */
            quoted[strlen(quoted) - 1] = '\0';
        used = append(list, used, size, i == 0 ? "" : ", ");
        used = append(list, used, size, length == 0 ? "(no name)" : quoted + 1);
        name += length + 1;
        if (i + 1 < rows->columns && used >= size - ORI_QUOTED_SIZE - 8)
            used = append(list, used, size, ", ...");
    }
}

/* --- what libcsv calls -------------------------------------------------------------------------*/

static void begin_row(ori_rows *rows)
{
    rows->in_row = true;
    rows->row_line = *rows->line + 1;
    rows->column = 0;
}

static void keep_name(ori_rows *rows, const char *text, size_t size)
{
    if (rows->column >= rows->most_columns) {
        ori_rows_fail(rows, "not %s: a first line of more than %d fields", rows->what,
                      (int)rows->most_columns);
        return;
    }
    rows->status = ori_reserve(&rows->alloc, &rows->names, &rows->names_capacity,
                               rows->names_size + size + 1, rows->err);
    if (rows->status != ORR_OK)
        return;
    memcpy(rows->names + rows->names_size, text, size);
    rows->names[rows->names_size + size] = '\0';
    rows->names_size += size + 1;
}

static void on_field(void *text, size_t size, void *user)
{
    ori_rows *rows = user;
    if (!rows->in_row)
        begin_row(rows);
    if (rows->status != ORR_OK)
        return;
    if (size > LONGEST_FIELD)
        ori_rows_fail(rows, "a field of more than 1 MiB: a closing quote is missing");
    else if (rows->columns < 0)
        keep_name(rows, text, size);
    else if (rows->column < rows->columns)
        rows->handlers->field(rows->user, text, size);
    rows->column++;
}

/* Called for empty lines too, which are no rows. */
static void on_row(int end, void *user)
{
    ori_rows *rows = user;
    (void)end;
    if (!rows->in_row)
        return;
    rows->in_row = false;
    if (rows->status != ORR_OK)
        return;
    if (rows->columns < 0) {
        rows->columns = rows->column;
        rows->handlers->header(rows->user);
    } else if (rows->column != rows->columns) {
        ori_rows_fail(rows, "expected %d fields as in the header, found %d", (int)rows->columns,
                      (int)rows->column);
    } else {
        rows->handlers->row(rows->user);
    }
}

/* --- feeding -----------------------------------------------------------------------------------*/

static void fail_syntax(ori_rows *rows)
{
    if (!rows->in_row)
        begin_row(rows);
    if (csv_error(&rows->parser) == CSV_EPARSE)
        ori_rows_fail(rows,
                      "column %d: a quote (\") inside a field without quotes, or text behind a "
                      "closing quote",
                      (int)rows->column + 1);
    else
        rows->status =
            orr_fail_memory(rows->err, csv_get_buffer_size(&rows->parser) + LONGEST_FIELD);
}

/* A row begins where its first byte is fed, which may be lines before its first field ends. */
static void note_row(ori_rows *rows, const char *bytes, size_t size)
{
    if (rows->in_row)
        return;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r' && bytes[i] != '\n') {
            begin_row(rows);
            return;
        }
    }
}

/* Feeds bytes of one line, its end included when it is there. */
static orr_status feed_line(ori_rows *rows, const char *bytes, size_t size)
{
    note_row(rows, bytes, size);
    size_t done = csv_parse(&rows->parser, bytes, size, on_field, on_row, rows);
    if (rows->status == ORR_OK && rows->in_row && rows->parser.entry_pos > LONGEST_FIELD)
        ori_rows_fail(rows, "a field of more than 1 MiB: a closing quote is missing");
    if (rows->status == ORR_OK && done != size)
        fail_syntax(rows);
    return rows->status;
}

/* The bytes up to the next end of a line: a newline or a carriage return. */
static size_t line_piece(const char *bytes, size_t size, bool carriages)
{
    const char *newline = memchr(bytes, '\n', size);
    size_t piece = newline == NULL ? size : (size_t)(newline - bytes) + 1;
    const char *carriage = carriages ? memchr(bytes, '\r', piece) : NULL;
    if (carriage != NULL && (newline == NULL || carriage + 1 != newline))
        piece = (size_t)(carriage - bytes) + 1;
    return piece;
}

orr_status ori_rows_feed(ori_rows *rows, const char *bytes, size_t size, orr_error *err)
{
    rows->err = err;
    bool carriages = memchr(bytes, '\r', size) != NULL;
    while (size > 0) {
        size_t piece = line_piece(bytes, size, carriages);
        if (rows->carriage && bytes[0] != '\n')
            ++*rows->line;
        orr_status status = feed_line(rows, bytes, piece);
        if (status != ORR_OK)
            return status;
        *rows->line += bytes[piece - 1] == '\n';
        rows->carriage = bytes[piece - 1] == '\r';
        bytes += piece;
        size -= piece;
    }
    return ORR_OK;
}

orr_status ori_rows_finish(ori_rows *rows, orr_error *err)
{
    rows->err = err;
    if (csv_fini(&rows->parser, on_field, on_row, rows) != 0 && rows->status == ORR_OK) {
        if (csv_error(&rows->parser) == CSV_EPARSE)
            ori_rows_fail(rows, "a quoted field of the row that begins here is not closed");
        else
            rows->status = orr_fail_memory(rows->err, csv_get_buffer_size(&rows->parser));
    }
    return rows->status;
}

void ori_rows_open(ori_rows *rows)
{
    rows->columns = -1;
    csv_init(&rows->parser, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL);
}

void ori_rows_close(ori_rows *rows)
{
    csv_free(&rows->parser);
    orr_release(&rows->alloc, rows->names, rows->names_capacity);
}
