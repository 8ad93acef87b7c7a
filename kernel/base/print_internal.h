/* Numbers and names as text, independent of the locale. */
#pragma once

#include "base/api.h"

#include <stdarg.h>
#include <stdint.h>

/* As snprintf and vsnprintf in the C locale: the decimal point is a point in every locale of the
 * program. All numbers that are not integers are printed with these functions. */
int ori_snprintf(char *out, size_t size, const char *format, ...) ORR_PRINTF(3, 4);
int ori_vsnprintf(char *out, size_t size, const char *format, va_list args) ORR_PRINTF(3, 0);

/* Room for a number written by ori_shortest, and for a text quoted by ori_quote. */
enum { ORI_NUMBER_SIZE = 40, ORI_QUOTED_SIZE = 200 };

/* Writes a whole number. Returns the number of bytes. */
int ori_integer(char out[ORI_NUMBER_SIZE], int64_t value);

/* Writes the fewest digits, at least 15, that are read back as the same number; whole numbers below
 * 10^15 are written as integers. Returns the number of bytes. */
int ori_shortest(char out[ORI_NUMBER_SIZE], double value);

/* text for a message: in quotes, cut after 40 bytes, unprintable bytes escaped; "nothing" for an
 * empty text. Returns buffer. */
const char *ori_quote(const char *text, size_t length, char buffer[ORI_QUOTED_SIZE]);
