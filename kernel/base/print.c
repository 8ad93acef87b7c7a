/* Numbers and names as text. Only this file prints numbers that are not integers, and quotes text
 * for messages. It includes no other part of the kernel, so that messages can use it. */
#include "base/print_internal.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* --- numbers -----------------------------------------------------------------------------------*/

/* Sets the calling thread's locale to the C locale until `leave_c_locale`. Other threads do not see
 * it. */
static locale_t enter_c_locale(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static void leave_c_locale(locale_t before)
{
    uselocale(before);
}

int ori_vsnprintf(char *out, size_t size, const char *format, va_list args)
{
    locale_t before = enter_c_locale();
    int length = vsnprintf(out, size, format, args);
    leave_c_locale(before);
    return length;
}

int ori_snprintf(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = ori_vsnprintf(out, size, format, args);
    va_end(args);
    return length;
}

int ori_shortest(char out[ORI_NUMBER_SIZE], double value)
{
    if (fabs(value) < 1e15 && value == floor(value))
        return snprintf(out, ORI_NUMBER_SIZE, "%lld", (long long)value);
    locale_t before = enter_c_locale();
    int digits = 15, length;
    do
        length = snprintf(out, ORI_NUMBER_SIZE, "%.*g", digits, value);
    while (strtod(out, NULL) != value && digits++ < 17);
    leave_c_locale(before);
    return length;
}

/* --- quotes ------------------------------------------------------------------------------------*/

static int escape(char *to, unsigned char c)
{
    switch (c) {
    case '\n':
        return sprintf(to, "\\n");
    case '\r':
        return sprintf(to, "\\r");
    case '\t':
        return sprintf(to, "\\t");
    case '"':
    case '\\':
        return sprintf(to, "\\%c", c);
    default:
        return c < 0x20 || c >= 0x7f ? sprintf(to, "\\x%02x", c) : sprintf(to, "%c", c);
    }
}

const char *ori_quote(const char *text, size_t length, char buffer[ORI_QUOTED_SIZE])
{
    enum { LONGEST = 40 };
    if (length == 0)
        return "nothing";
    char *to = buffer;
    *to++ = '"';
    for (size_t i = 0; i < length && i < LONGEST; i++)
        to += escape(to, (unsigned char)text[i]);
    sprintf(to, "%s\"", length > LONGEST ? "..." : "");
    return buffer;
}
