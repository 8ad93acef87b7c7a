/* Files of failure counts: rows of numbers without a header. Rows may be very long, so the file is
 * read number by number. */
#include "workload/reader.h"

#include "base/array_internal.h"
#include "base/try_internal.h"
#include "columns_internal.h"
#include "source_internal.h"

#include <math.h>
#include <string.h>

enum { LONGEST_COUNT = 1100 };

typedef struct failures_state {
    orr_allocator alloc;
    const char *name;
    int32_t columns;
    int32_t *counts; /* row after row */
    int64_t used, capacity;
    int64_t line, rows;
    int64_t column;               /* numbers on this line so far */
    char rest[LONGEST_COUNT + 1]; /* the beginning of a number that a piece cut in two */
    size_t rest_size;
} failures_state;

static orr_status fail_count(const failures_state *f, const char *text, size_t size, orr_error *err)
{
    char found[ORI_QUOTED_SIZE];
    return orr_fail(err, ORR_ERR_INPUT,
                    "%s:%lld: column %lld: expected a whole number from 0 to %d, found %s", f->name,
                    (long long)f->line, (long long)f->column + 1, INT32_MAX,
                    ori_quote(text, size, found));
}

static bool parse_count(const char *text, size_t size, int32_t *count)
{
    uint32_t value = 0;
    size_t i = 0;
    for (; i < size && i < 9 && (unsigned)text[i] - '0' <= 9; i++)
        value = 10 * value + ((unsigned)text[i] - '0');
    if (i == size && size > 0) {
        *count = (int32_t)value;
        return true;
    }
    double number;
    if (!ori_parse_number(text, size, &number) || number != floor(number) || number < 0 ||
        number > INT32_MAX)
        return false;
    *count = (int32_t)number;
    return true;
}

/* Numbers behind the last column are counted, not kept: the message gives their number. */
static orr_status add_count(failures_state *f, const char *text, size_t size, orr_error *err)
{
    int32_t count;
    if (!parse_count(text, size, &count))
        return fail_count(f, text, size, err);
    if (f->column < f->columns) {
        ORI_TRY(ORI_RESERVE(&f->alloc, &f->counts, &f->capacity, f->used + 1, err));
        f->counts[f->used++] = count;
    }
    f->column++;
    return ORR_OK;
}

static orr_status end_row(failures_state *f, orr_error *err)
{
    if (f->column != 0 && f->column != f->columns)
        return orr_fail(err, ORR_ERR_INPUT,
                        "%s:%lld: expected %d numbers, one for each job, found %lld", f->name,
                        (long long)f->line, (int)f->columns, (long long)f->column);
    f->rows += f->column != 0;
    f->column = 0;
    f->line++;
    return ORR_OK;
}

static orr_status keep_rest(failures_state *f, const char *bytes, size_t size, orr_error *err)
{
    size_t room = LONGEST_COUNT - f->rest_size;
    memcpy(f->rest + f->rest_size, bytes, size < room ? size : room);
    f->rest_size += size < room ? size : room;
    return size > room ? fail_count(f, f->rest, LONGEST_COUNT, err) : ORR_OK;
}

/* Ends a number whose beginning may have been kept; an empty text is not a number. */
static orr_status end_count(failures_state *f, const char *text, size_t size, orr_error *err)
{
    if (f->rest_size > 0) {
        text = f->rest;
        size = f->rest_size;
        f->rest_size = 0;
    }
    return size > 0 ? add_count(f, text, size, err) : ORR_OK;
}

static orr_status feed_failures(void *user, const char *bytes, size_t size, orr_error *err)
{
    failures_state *f = user;
    for (size_t i = 0; i < size; i++) {
        const char *token = bytes + i;
        while (i < size && bytes[i] != ' ' && (bytes[i] < '\t' || bytes[i] > '\r'))
            i++;
        size_t length = (size_t)(bytes + i - token);
        if (i == size || f->rest_size > 0)
            ORI_TRY(keep_rest(f, token, length, err));
        if (i < size)
            ORI_TRY(end_count(f, token, length, err));
        if (i < size && bytes[i] == '\n')
            ORI_TRY(end_row(f, err));
    }
    return ORR_OK;
}

orr_status orr_read_failures(const char *path, int32_t columns, int32_t **counts, int64_t *rows,
                             const orr_allocator *a, orr_error *err)
{
    ORI_REFUSE(columns < 1, err, "failure counts need at least 1 column, not %d", (int)columns);
    failures_state f = {
        .alloc = orr_allocator_or_default(a), .name = path, .columns = columns, .line = 1};
    ori_source source;
    ori_source_open(&source, path, feed_failures, &f, &f.alloc);
    orr_status status = ori_source_feed_file(&source, path, err);
    ori_source_close(&source);
    if (status == ORR_OK)
        status = end_count(&f, "", 0, err);
    if (status == ORR_OK)
        status = end_row(&f, err);
    if (status == ORR_OK && f.rows == 0)
        status = orr_fail(err, ORR_ERR_INPUT, "%s: no row of failure counts", path);
    if (status == ORR_OK) /* the caller frees it knowing the size only */
        status = ORI_TRIM(&f.alloc, &f.counts, &f.capacity, f.used, err);
    if (status != ORR_OK) {
        ORI_FREE(&f.alloc, &f.counts, &f.capacity);
        return status;
    }
    *counts = f.counts;
    *rows = f.rows;
    return ORR_OK;
}
