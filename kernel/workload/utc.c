/* Dates and times of logs. Days are counted in the proleptic Gregorian calendar from 1970-01-01.
 * The arithmetic follows H. Hinnant, "chrono-compatible low-level date algorithms": years that
 * begin in March and eras of 400 years make leap days fall at the end. */
#include "workload/utc.h"

#include "workload/jobs_internal.h"
#include "workload/utc_internal.h"

#include <stdio.h>

#define MICROSECONDS 1000000
#define DAY_US (INT64_C(86400) * MICROSECONDS)

/* Days of a common year before each month, and before its end. */
static const int before_month[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

static bool is_leap(unsigned year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

int64_t ori_utc_days(int year_of, int month, int day)
{
    unsigned year = (unsigned)year_of;
    unsigned leaps = (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400; /* before the year */
    return (int64_t)(year * 365 + leaps) - 719528 + before_month[month - 1] +
           (month > 2 && is_leap(year)) + day - 1;
}

static void date_from_days(int64_t days, int *year, int *month, int *day)
{
    int64_t z = days + 719468;
    int64_t era = (z >= 0 ? z : z - 146096) / 146097;
    int of_era = (int)(z - era * 146097);
    int year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int m = (5 * of_year + 2) / 153;
    *day = of_year - (153 * m + 2) / 5 + 1;
    *month = m < 10 ? m + 3 : m - 9;
    *year = (int)(year_of_era + era * 400) + (*month <= 2);
}

enum { NO_NUMBER = 1 << 20 };

/* Two decimal digits; for anything else a number that is too large, also as a part of another. */
static int two_digits(const char *text)
{
    unsigned high = (unsigned)text[0] - '0', low = (unsigned)text[1] - '0';
    return (high > 9) | (low > 9) ? NO_NUMBER : (int)(10 * high + low);
}

static unsigned four_digits(const char *text)
{
    return (unsigned)(100 * two_digits(text) + two_digits(text + 2));
}

static bool parse_date(const char *text, int64_t *days)
{
    unsigned year = four_digits(text);
    int month = two_digits(text + 5), day = two_digits(text + 8);
    if (text[4] != '-' || text[7] != '-' || year > 9999 || month < 1 || month > 12 || day < 1)
        return false;
    *days = ori_utc_days((int)year, month, day);
    int length = before_month[month] - before_month[month - 1];
    return day <= length || (month == 2 && day == 29 && is_leap(year));
}

/* ".ffffff", or nothing; adds to *us. */
static bool parse_fraction(const char *text, size_t length, int64_t *us)
{
    int64_t unit = MICROSECONDS;
    if (length > 0 && (text[0] != '.' || length == 1))
        return false;
    for (size_t i = 1; i < length; i++) {
        unsigned digit = (unsigned)text[i] - '0';
        if (digit > 9)
            return false;
        unit /= 10; /* 0 behind the sixth */
        *us += digit * unit;
    }
    return true;
}

bool ori_utc_clock(const char *text, size_t length, int64_t *us)
{
    bool full = length >= 8;
    if ((!full && length != 5) || text[2] != ':' || (full && text[5] != ':'))
        return false;
    int hours = two_digits(text), minutes = two_digits(text + 3);
    int seconds = full ? two_digits(text + 6) : 0;
    *us = 0;
    if (hours > 23 || minutes > 59 || seconds > 59 ||
        (full && !parse_fraction(text + 8, length - 8, us)))
        return false;
    *us += (hours * INT64_C(3600) + minutes * 60 + seconds) * MICROSECONDS;
    return true;
}

bool orr_utc_parse(const char *text, size_t length, int64_t *microseconds)
{
    int64_t days, clock = 0;
    if (length < 10 || !parse_date(text, &days))
        return false;
    if (length > 10 &&
        ((text[10] != ' ' && text[10] != 'T') || !ori_utc_clock(text + 11, length - 11, &clock)))
        return false;
    *microseconds = days * DAY_US + clock;
    return true;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

int64_t ori_utc_day(int64_t microseconds)
{
    return floor_div(microseconds, DAY_US);
}

int ori_utc_year(int64_t microseconds)
{
    int year, month, day;
    date_from_days(ori_utc_day(microseconds), &year, &month, &day);
    return year;
}

/* `count` digits of a number that has no more; returns count. */
static int put_digits(char *to, int count, int number)
{
    for (int i = count - 1; i >= 0; i--, number /= 10)
        to[i] = (char)('0' + number % 10);
    return count;
}

void orr_utc_format(int64_t microseconds, char *buffer)
{
    int64_t days = ori_utc_day(microseconds);
    int64_t clock = microseconds - days * DAY_US;
    int seconds = (int)(clock / MICROSECONDS), fraction = (int)(clock % MICROSECONDS);
    int year, month, day;
    date_from_days(days, &year, &month, &day);
    char *to = buffer + (year >= 0 && year <= 9999 ? put_digits(buffer, 4, year)
                                                   : snprintf(buffer, 32, "%04d", year));
    const struct {
        char before;
        int value;
    } parts[] = {{'-', month},
                 {'-', day},
                 {' ', seconds / 3600},
                 {':', seconds / 60 % 60},
                 {':', seconds % 60}};
    for (int i = 0; i < 5; i++) {
        *to++ = parts[i].before;
        to += put_digits(to, 2, parts[i].value);
    }
    if (fraction != 0) {
        *to++ = '.';
        to += put_digits(to, 6, fraction);
    }
    *to = '\0';
}

/* ISO 8601: week 1 is the week of 4 January; 28 December always lies in the last week. */
static int64_t first_monday(unsigned year)
{
    int64_t day = ori_utc_days((int)year, 1, 4);
    return day - (day + 3 - 7 * floor_div(day + 3, 7)); /* 1970-01-01 was a Thursday */
}

bool orr_utc_week(const char *text, size_t length, int64_t *monday)
{
    if (length != 8 || text[4] != '-' || text[5] != 'W')
        return false;
    unsigned year = four_digits(text);
    int week = two_digits(text + 6);
    if (year > 9999 || week < 1)
        return false;
    int64_t day = first_monday(year) + 7 * (week - 1);
    if (day >= first_monday(year + 1))
        return false;
    *monday = day;
    return true;
}
