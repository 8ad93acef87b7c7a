/* Messages: formatting, cutting to the size, prefixes. */
#include "base/try_internal.h"

#include "base/print_internal.h"

#include <stdio.h>
#include <string.h>

/* Drops a character that the cut at the end of the buffer left incomplete, so that the message
 * stays valid UTF-8. */
static void trim_partial_character(char *text, size_t length)
{
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[--start];
    size_t needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - start < needed)
        text[start] = '\0';
}

ORR_PRINTF(2, 0)
static void format_message(char message[ORR_MESSAGE_SIZE], const char *format, va_list args)
{
    int length = ori_vsnprintf(message, ORR_MESSAGE_SIZE, format, args);
    if (length < 0)
        message[0] = '\0';
    else if (length >= ORR_MESSAGE_SIZE)
        trim_partial_character(message, ORR_MESSAGE_SIZE - 1);
}

orr_status ori_vfail(orr_error *err, orr_status status, const char *format, va_list args)
{
    if (err) {
        err->status = status;
        err->place = (orr_place){.known = false};
        format_message(err->message, format, args);
    }
    return status;
}

orr_status orr_fail(orr_error *err, orr_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ori_vfail(err, status, format, args);
    va_end(args);
    return status;
}

orr_status orr_fail_memory(orr_error *err, size_t bytes)
{
    return orr_fail(err, ORR_ERR_MEMORY, "out of memory: %zu bytes were asked for", bytes);
}

void orr_error_prefix(orr_error *err, const char *format, ...)
{
    if (!err)
        return;
    char old[ORR_MESSAGE_SIZE];
    memcpy(old, err->message, sizeof old);
    va_list args;
    va_start(args, format);
    format_message(err->message, format, args);
    va_end(args);
    size_t used = strlen(err->message), room = ORR_MESSAGE_SIZE - used;
    int length = snprintf(err->message + used, room, ": %s", old);
    if (length >= 0 && (size_t)length >= room)
        trim_partial_character(err->message, ORR_MESSAGE_SIZE - 1);
}
