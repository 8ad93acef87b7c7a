/* UTC: dates, times and weeks of logs as microseconds and days since 1970. */
#pragma once

#include "base/api.h"

/* Microseconds since 1970 (UTC) of "YYYY-MM-DD[ T]HH:MM[:SS[.ffffff]]" or "YYYY-MM-DD"; false when
 * the text (length bytes) is anything else, a date that does not exist included. Digits of the
 * fraction past the sixth are dropped. */
ORR_API bool orr_utc_parse(const char *text, size_t length, int64_t *microseconds);

/* The reverse: "YYYY-MM-DD HH:MM:SS[.ffffff]" (the fraction where it is not zero) into buffer,
 * which has room for 32 bytes. */
ORR_API void orr_utc_format(int64_t microseconds, char *buffer);

/* The Monday (in days since 1970) of an ISO week, "2019-W24"; false when the text is anything else,
 * a week that its year does not have included. */
ORR_API bool orr_utc_week(const char *text, size_t length, int64_t *monday);
