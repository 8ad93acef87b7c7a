/* Fields: one text as a number, rounded as strtod does whatever the locale, and as it is shown in a
 * message. All readers end here, whatever the syntax of their files. */
#include "columns_internal.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Powers of ten that a double holds exactly. */
static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Longer numbers are no numbers that a program has printed. */
enum { LONGEST_NUMBER = 1100 };

static size_t skip_digits(const char *text, size_t i, size_t length)
{
    while (i < length && (unsigned)text[i] - '0' <= 9)
        i++;
    return i;
}

/* The grammar is narrower than strtod's: no blanks, no hexadecimal, no inf, no nan. */
static bool is_decimal(const char *text, size_t length)
{
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+');
    size_t whole = skip_digits(text, i, length);
    size_t digits = whole - i;
    i = whole;
    if (i < length && text[i] == '.') {
        size_t end = skip_digits(text, i + 1, length);
        digits += end - i - 1;
        i = end;
    }
    if (digits == 0)
        return false;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        i += i < length && (text[i] == '-' || text[i] == '+');
        size_t end = skip_digits(text, i, length);
        if (end == i)
            return false;
        i = end;
    }
    return i == length;
}

/* Whatever locale the program runs in, a file's decimal point is a point. */
static bool parse_any(const char *text, size_t length, double *value)
{
    char copy[LONGEST_NUMBER + 1];
    if (length > LONGEST_NUMBER || !is_decimal(text, length))
        return false;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    *value = strtod_l(copy, NULL, plain);
    freelocale(plain);
    return isfinite(*value);
}

/* A mantissa below 2^53 divided by a power of ten up to 10^22 is one rounding of the exact value,
 * which is what strtod gives; so is the conversion of any 64-bit integer. */
bool ori_parse_number(const char *text, size_t length, double *value)
{
    const char *p = text, *end = text + length;
    bool negative = length > 0 && *p == '-';
    p += negative;
    uint64_t mantissa = 0;
    unsigned digit;
    const char *digits = p;
    for (; p < end && (digit = (unsigned)*p - '0') <= 9; p++)
        mantissa = mantissa * 10 + digit;
    ptrdiff_t count = p - digits, scale = 0;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        for (; p < end && (digit = (unsigned)*p - '0') <= 9; p++)
            mantissa = mantissa * 10 + digit;
        scale = p - fraction;
        count += scale;
    }
    if (p != end || count == 0 || count > 19 || (scale > 0 && mantissa > (UINT64_C(1) << 53)))
        return parse_any(text, length, value);
    double magnitude =
        scale == 0 ? (double)mantissa : (double)(int64_t)mantissa / power_of_ten[scale];
    *value = negative ? -magnitude : magnitude;
    return true;
}

orr_status ori_fail_field(const ori_field *field, const char *expected, orr_error *err)
{
    char found[ORI_QUOTED_SIZE];
    return orr_fail(err, ORR_ERR_INPUT, "%s:%lld: %s %d (%.64s): expected %s, found %s",
                    field->path, (long long)field->line, field->word, (int)field->number,
                    field->name, expected, ori_quote(field->text, field->size, found));
}
