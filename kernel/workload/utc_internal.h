/* Days of instants: see utc.c. */
#pragma once

#include "workload/utc.h"

/* The day of an instant, counted from 1970-01-01. */
int64_t ori_utc_day(int64_t microseconds);

/* The day, counted from 1970-01-01, of a date of the years 0 to 9999. The year of an instant. */
int64_t ori_utc_days(int year, int month, int day);
int ori_utc_year(int64_t microseconds);

/* "HH:MM[:SS[.ffffff]]" in microseconds; false: it is none. */
bool ori_utc_clock(const char *text, size_t length, int64_t *us);
