/* Text built piece by piece, for all writers of files. Only this file decides when a field of CSV
 * is quoted. */
#include "base/text_internal.h"

#include "base/array_internal.h"
#include "base/print_internal.h"

#include <math.h>
#include <string.h>

orr_status ori_text_flush(ori_text *t)
{
    if (t->status == ORR_OK && t->size > 0 &&
        !t->sink->write(t->sink->user, t->text, (size_t)t->size))
        t->status = ORR_ERR_IO;
    t->size = 0;
    return t->status;
}

static void put_to_sink(ori_text *t, const char *text, size_t size)
{
    while (size > 0 && t->status == ORR_OK) {
        size_t room = (size_t)(t->capacity - t->size), part = size < room ? size : room;
        memcpy(t->text + t->size, text, part);
        t->size += (int64_t)part;
        text += part;
        size -= part;
        if (t->size == t->capacity)
            ori_text_flush(t);
    }
}

void ori_text_put(ori_text *t, const char *text, size_t size)
{
    if (ORR_LIKELY(t->sink && size < (size_t)(t->capacity - t->size) && t->status == ORR_OK)) {
        memcpy(t->text + t->size, text, size);
        t->size += (int64_t)size;
        return;
    }
    if (t->sink) {
        put_to_sink(t, text, size);
        return;
    }
    if (t->status == ORR_OK)
        t->status =
            ORI_RESERVE(&t->alloc, &t->text, &t->capacity, t->size + (int64_t)size + 1, t->err);
    if (t->status != ORR_OK)
        return;
    memcpy(t->text + t->size, text, size);
    t->size += (int64_t)size;
    t->text[t->size] = '\0';
}

void ori_text_puts(ori_text *t, const char *text)
{
    ori_text_put(t, text, strlen(text));
}

void ori_text_char(ori_text *t, char c)
{
    if (ORR_LIKELY(t->sink && t->size + 1 < t->capacity && t->status == ORR_OK))
        t->text[t->size++] = c;
    else
        ori_text_put(t, &c, 1);
}

void ori_text_printf(ori_text *t, const char *format, ...)
{
    char piece[512];
    va_list args;
    va_start(args, format);
    int length = ori_vsnprintf(piece, sizeof piece, format, args);
    va_end(args);
    if (length > 0)
        ori_text_put(t, piece, (size_t)length < sizeof piece ? (size_t)length : sizeof piece - 1);
}

/* Whether a number may be written into the buffer of a sink, where it stands. */
static bool has_room(const ori_text *t)
{
    return ORR_LIKELY(t->sink && t->status == ORR_OK && t->capacity - t->size > ORI_NUMBER_SIZE);
}

void ori_text_integer(ori_text *t, int64_t value)
{
    char text[ORI_NUMBER_SIZE];
    if (has_room(t))
        t->size += ori_integer(t->text + t->size, value);
    else
        ori_text_put(t, text, (size_t)ori_integer(text, value));
}

void ori_text_number(ori_text *t, double value)
{
    char text[ORI_NUMBER_SIZE];
    if (isnan(value))
        return;
    if (has_room(t))
        t->size += ori_shortest(t->text + t->size, value);
    else
        ori_text_put(t, text, (size_t)ori_shortest(text, value));
}

void ori_text_field(ori_text *t, const char *text, const char *suffix)
{
    const char *end = text;
    bool quoted = *text == ' ' || *text == '\t';
    for (; *end; end++)
        quoted |= *end == ',' || *end == '"' || *end == '\r' || *end == '\n';
    quoted |= end > text && (end[-1] == ' ' || end[-1] == '\t');
    if (!quoted) {
        ori_text_put(t, text, (size_t)(end - text));
        ori_text_puts(t, suffix);
        return;
    }
    ori_text_char(t, '"');
    for (const char *quote = strchr(text, '"'); quote; quote = strchr(text, '"')) {
        ori_text_put(t, text, (size_t)(quote - text) + 1);
        ori_text_char(t, '"');
        text = quote + 1;
    }
    ori_text_puts(t, text);
    ori_text_puts(t, suffix);
    ori_text_char(t, '"');
}

orr_status ori_text_hand_over(ori_text *t, char **text, size_t *size, size_t *capacity)
{
    if (t->status != ORR_OK) {
        ORI_FREE(&t->alloc, &t->text, &t->capacity);
        return t->status;
    }
    *text = t->text;
    *size = (size_t)t->size;
    *capacity = (size_t)t->capacity;
    return ORR_OK;
}
