/* Numbers and names as text. Only this file prints numbers that are not integers, and quotes text
 * for messages. It includes no other part of the kernel, so that messages can use it. */
#include "base/print_internal.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* An integer below 10^8: all of its digits at once, in the bytes of a word, the first in the
 * lowest. Numbers of 4 digits are divided by 100, and those of 2 by 10, by multiplications side by
 * side. */
static int put_short(char *out, uint64_t value)
{
    uint64_t digits = value / 10000 | value % 10000 << 32;
    uint64_t upper = digits * 10486 >> 20 & 0x7f0000007f;
    digits = (digits - 100 * upper) << 16 | upper;
    upper = digits * 103 >> 10 & 0xf000f000f000f;
    digits = (digits - 10 * upper) << 8 | upper;
    int zeros = value > 0 ? __builtin_ctzll(digits) / 8 : 7;
    digits = (digits | 0x3030303030303030) >> 8 * zeros;
    memcpy(out, &digits, sizeof digits);
    out[8 - zeros] = '\0';
    return 8 - zeros;
}

int ori_integer(char out[ORI_NUMBER_SIZE], int64_t value)
{
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    int length = 1 + (value < 0);
    *out = '-';
    if (rest < 100000000 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return length - 1 + put_short(out + length - 1, rest);
    for (uint64_t power = 10; rest >= power; power *= 10) /* up to 10^19, which 64 bits hold */
        length++;
    out[length] = '\0';
    for (char *to = out + length; to > out + (value < 0); rest /= 10)
        *--to = (char)('0' + rest % 10);
    return length;
}

__extension__ typedef unsigned __int128 wide;

/* A positive number, mantissa / 2^shift, exactly. */
typedef struct fraction {
    uint64_t mantissa; /* 53 bits */
    int shift;         /* 1 to 66 */
} fraction;

static wide power_of_ten(int exponent)
{
    wide power = 1;
    for (int i = 0; i < exponent; i++)
        power *= 10;
    return power;
}

/* The integer nearest to x * power; of two that are as near, the even one. */
static uint64_t round_product(fraction x, wide power)
{
    wide product = x.mantissa * power, half = (wide)1 << (x.shift - 1);
    wide quotient = product >> x.shift, rest = product - (quotient << x.shift);
    return (uint64_t)(quotient + (rest > half || (rest == half && (quotient & 1))));
}

/* Whether the decimal digits / power is read as x: it lies within half the distance to the next
 * number. It never lies at that half, and powers of two, below which numbers lie closer, are
 * decimals of 13 digits here. */
static bool reads_back(uint64_t digits, fraction x, wide power)
{
    wide decimal = (wide)digits << x.shift, exact = x.mantissa * power;
    return 2 * (decimal > exact ? decimal - exact : exact - decimal) < power;
}

/* digits / 10^places without zeros at its end. */
static int put_decimal(char *out, uint64_t digits, int places)
{
    while (places > 0 && digits % 10 == 0) {
        digits /= 10;
        places--;
    }
    char text[ORI_NUMBER_SIZE];
    int length = ori_integer(text, (int64_t)digits), whole = length > places ? length - places : 0;
    char *to = out;
    memcpy(to, whole > 0 ? text : "0", (size_t)(whole > 0 ? whole : 1));
    to += whole > 0 ? whole : 1;
    if (places > 0) {
        *to++ = '.';
        for (int zeros = places - length; zeros > 0; zeros--)
            *to++ = '0';
        memcpy(to, text + whole, (size_t)(length - whole));
        to += length - whole;
    }
    *to = '\0';
    return (int)(to - out);
}

/* ori_shortest for numbers from 10^-4 to 10^15 that are not whole. All is done in integers: there
 * mantissa * 10^places and digits * 2^shift have at most 127 bits. */
static int put_fraction(char *out, double value)
{
    int exponent, before = 1; /* digits before the point, less the zeros behind it */
    double mantissa = frexp(value, &exponent);
    fraction x = {(uint64_t)ldexp(mantissa, 53), 53 - exponent};
    for (double power = 10; value >= power; power *= 10)
        before++;
    for (wide power = 1; x.mantissa * power < (wide)1 << x.shift; power *= 10)
        before--;
    wide power = power_of_ten(15 - before);
    for (int digits = 15;; digits++, power *= 10) {
        uint64_t decimal = round_product(x, power);
        if (digits == 17 || reads_back(decimal, x, power))
            return put_decimal(out, decimal, digits - before);
    }
}

/* In the C locale, with any exponent. */
static int put_general(char *out, double value)
{
    locale_t before = enter_c_locale();
    int digits = 15, length;
    do
        length = snprintf(out, ORI_NUMBER_SIZE, "%.*g", digits, value);
    while (strtod(out, NULL) != value && digits++ < 17);
    leave_c_locale(before);
    return length;
}

int ori_shortest(char out[ORI_NUMBER_SIZE], double value)
{
    double size = fabs(value);
    if (size < 1e15 && value == (double)(int64_t)value)
        return ori_integer(out, (int64_t)value);
    if (!(size >= 1e-4 && size < 1e15))
        return put_general(out, value);
    *out = '-';
    return value < 0 ? 1 + put_fraction(out + 1, size) : put_fraction(out, size);
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
