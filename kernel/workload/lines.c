/* Lines: bytes in pieces of any size as whole lines, for formats that have one record a line and no
 * quotes. CSV has records of several lines and goes through rows.c instead. */
#include "formats_internal.h"

#include "base/array_internal.h"
#include "base/try_internal.h"

#include <string.h>

enum { LONGEST_LINE = 1 << 20 };

static orr_status fail_long(const ori_lines *lines, orr_error *err)
{
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: a line of more than %d bytes", lines->path,
                    (long long)*lines->line + 1, LONGEST_LINE);
}

static orr_status pass_line(ori_lines *lines, const char *line, size_t size, orr_error *err)
{
    return size > LONGEST_LINE ? fail_long(lines, err) : lines->read(lines->user, line, size, err);
}

static orr_status keep_rest(ori_lines *lines, const char *bytes, size_t size, orr_error *err)
{
    if ((size_t)lines->rest_size + size > LONGEST_LINE)
        return fail_long(lines, err);
    ORI_TRY(ORI_RESERVE(&lines->alloc, &lines->rest, &lines->rest_capacity,
                        lines->rest_size + (int64_t)size, err));
    if (size > 0)
        memcpy(lines->rest + lines->rest_size, bytes, size);
    lines->rest_size += (int64_t)size;
    return ORR_OK;
}

/* A line whose beginning may have been kept. */
static orr_status end_line(ori_lines *lines, const char *bytes, size_t size, orr_error *err)
{
    if (lines->rest_size == 0)
        return pass_line(lines, bytes, size, err);
    orr_status status = keep_rest(lines, bytes, size, err);
    if (status == ORR_OK)
        status = pass_line(lines, lines->rest, (size_t)lines->rest_size, err);
    lines->rest_size = 0;
    return status;
}

orr_status ori_lines_feed(ori_lines *lines, const char *bytes, size_t size, orr_error *err)
{
    const char *end;
    while (size > 0 && (end = memchr(bytes, '\n', size)) != NULL) {
        size_t length = (size_t)(end - bytes);
        ORI_TRY(end_line(lines, bytes, length, err));
        ++*lines->line;
        bytes += length + 1;
        size -= length + 1;
    }
    return size == 0 ? ORR_OK : keep_rest(lines, bytes, size, err);
}

orr_status ori_lines_finish(ori_lines *lines, orr_error *err)
{
    return lines->rest_size == 0 ? ORR_OK : end_line(lines, "", 0, err);
}

void ori_lines_close(ori_lines *lines)
{
    ORI_FREE(&lines->alloc, &lines->rest, &lines->rest_capacity);
}
