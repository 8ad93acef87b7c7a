/* Numbers and names as text, the same in every locale. */
#pragma once

#include "base/api.h"

#include <stdarg.h>

/* As snprintf and vsnprintf in the C locale: the decimal point is a point whatever locale the
 * program runs in. All numbers that are no integers are printed with these. */
int ori_snprintf(char *out, size_t size, const char *format, ...) ORR_PRINTF(3, 4);
int ori_vsnprintf(char *out, size_t size, const char *format, va_list args) ORR_PRINTF(3, 0);

/* Room for a number as ori_shortest writes it, and for a found text as ori_quote does. */
enum { ORI_NUMBER_SIZE = 40, ORI_QUOTED_SIZE = 200 };

/* The fewest digits from 15 up that are read back as the same number; whole numbers below 10^15 as
 * such. Returns how many bytes it are. */
int ori_shortest(char out[ORI_NUMBER_SIZE], double value);

/* text for a message: in quotes, cut after 40 bytes, unprintable bytes escaped; "nothing" for an
 * empty text. Returns buffer. */
const char *ori_quote(const char *text, size_t length, char buffer[ORI_QUOTED_SIZE]);
