/* Parts of a workload: by days, by intervals, by any choice, under another load. The calendar is
 * here because days are what most selections are about. */
#include "workload/select.h"
#include "workload/jobs_internal.h"

#include "base/block_internal.h"
#include "base/sort_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MICROSECONDS 1000000
#define DAY_US (INT64_C(86400) * MICROSECONDS)

/* --- calendar ----------------------------------------------------------------------------------
 * Days are counted in the proleptic Gregorian calendar from 1970-01-01; the arithmetic is that of
 * H. Hinnant, "chrono-compatible low-level date algorithms": years that begin in March and eras of
 * 400 years make leap days fall at the end. */

static int64_t days_from_date(int year, int month, int day)
{
    int y = year - (month <= 2);
    int era = (y >= 0 ? y : y - 399) / 400;
    int of_era = y - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return (int64_t)era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
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

static int days_in_month(int year, int month)
{
    static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month == 2 && leap ? 29 : length[month - 1];
}

/* n decimal digits at text, or -1. */
static int digits(const char *text, int n)
{
    int value = 0;
    for (int i = 0; i < n; i++) {
        unsigned digit = (unsigned)text[i] - '0';
        if (digit > 9)
            return -1;
        value = 10 * value + (int)digit;
    }
    return value;
}

static bool parse_date(const char *text, int64_t *days)
{
    int year = digits(text, 4), month = digits(text + 5, 2), day = digits(text + 8, 2);
    if (text[4] != '-' || text[7] != '-' || year < 0 || month < 1 || month > 12 || day < 1 ||
        day > days_in_month(year, month))
        return false;
    *days = days_from_date(year, month, day);
    return true;
}

static bool parse_fraction(const char *text, size_t length, int64_t *us)
{
    int64_t value = 0;
    size_t i;
    for (i = 0; i < length; i++) {
        unsigned digit = (unsigned)text[i] - '0';
        if (digit > 9)
            return false;
        if (i < 6)
            value = 10 * value + digit;
    }
    for (; i < 6; i++)
        value *= 10;
    *us = value;
    return length > 0;
}

/* "HH:MM[:SS[.ffffff]]" */
static bool parse_clock(const char *text, size_t length, int64_t *us)
{
    int64_t fraction = 0;
    int seconds = 0;
    if (length < 5 || text[2] != ':')
        return false;
    int hours = digits(text, 2), minutes = digits(text + 3, 2);
    if (length > 5) {
        if (length < 8 || text[5] != ':')
            return false;
        seconds = digits(text + 6, 2);
    }
    if (length > 8 && (text[8] != '.' || !parse_fraction(text + 9, length - 9, &fraction)))
        return false;
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59 || seconds < 0 || seconds > 59)
        return false;
    *us = (hours * INT64_C(3600) + minutes * 60 + seconds) * MICROSECONDS + fraction;
    return true;
}

bool orr_utc_parse(const char *text, size_t length, int64_t *microseconds)
{
    int64_t days, clock = 0;
    if (length < 10 || !parse_date(text, &days))
        return false;
    if (length > 10 &&
        ((text[10] != ' ' && text[10] != 'T') || !parse_clock(text + 11, length - 11, &clock)))
        return false;
    *microseconds = days * DAY_US + clock;
    return true;
}

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

void orr_utc_format(int64_t microseconds, char *buffer)
{
    int64_t days = floor_div(microseconds, DAY_US);
    int64_t clock = microseconds - days * DAY_US;
    int seconds = (int)(clock / MICROSECONDS), fraction = (int)(clock % MICROSECONDS);
    int year, month, day;
    date_from_days(days, &year, &month, &day);
    int n = snprintf(buffer, 32, "%04d-%02d-%02d %02d:%02d:%02d", year, month, day, seconds / 3600,
                     seconds / 60 % 60, seconds % 60);
    if (fraction != 0)
        snprintf(buffer + n, 32 - (size_t)n, ".%06d", fraction);
}

/* ISO 8601: week 1 is the week of 4 January; 28 December always lies in the last week. */
static int64_t first_monday(int year)
{
    int64_t day = days_from_date(year, 1, 4);
    return day - (day + 3 - 7 * floor_div(day + 3, 7)); /* 1970-01-01 was a Thursday */
}

bool orr_utc_week(const char *text, size_t length, int64_t *monday)
{
    if (length != 8 || text[4] != '-' || text[5] != 'W')
        return false;
    int year = digits(text, 4), week = digits(text + 6, 2);
    if (year < 0 || week < 1)
        return false;
    int64_t day = first_monday(year) + 7 * (week - 1);
    if (day >= first_monday(year + 1))
        return false;
    *monday = day;
    return true;
}

/* --- time of a job -----------------------------------------------------------------------------*/

/* A submission time in whole microseconds, rounded down. For times that were made by dividing a
 * number of microseconds by 1e6 (rebased logs) this gives back that number. */
static int64_t microseconds_of(double seconds)
{
    if (seconds > 9e12)
        return INT64_C(9000000000000) * MICROSECONDS;
    int64_t us = llround(seconds * MICROSECONDS);
    while ((double)us / MICROSECONDS > seconds)
        us--;
    while ((double)(us + 1) / MICROSECONDS <= seconds)
        us++;
    return us;
}

int64_t ori_jobs_submit_us(const orr_jobs *jobs, int32_t job)
{
    return (jobs->has_origin ? jobs->origin_us : 0) + microseconds_of(jobs->submit[job]);
}

int64_t orr_jobs_day(const orr_jobs *jobs, int32_t job)
{
    return floor_div(ori_jobs_submit_us(jobs, job), DAY_US);
}

/* --- selections --------------------------------------------------------------------------------*/

/* Moves second 0 to the first queued of the jobs that were copied. */
static void rebase(orr_jobs *to, const orr_jobs *from, const int32_t *positions)
{
    if (to->count == 0)
        return;
    int64_t first = INT64_MAX;
    for (int32_t i = 0; i < to->count; i++) {
        int64_t us = ori_jobs_submit_us(from, positions[i]);
        first = us < first ? us : first;
    }
    for (int32_t i = 0; i < to->count; i++)
        to->submit[i] = (double)(ori_jobs_submit_us(from, positions[i]) - first) / MICROSECONDS;
    to->origin_us = first;
}

orr_jobs *orr_jobs_pick(const orr_jobs *jobs, const int32_t *positions, int32_t n,
                        const orr_allocator *a, orr_error *err)
{
    orr_jobs *picked = ori_jobs_create_like(jobs, a, err);
    if (!picked)
        return NULL;
    picked->repeated = jobs->repeated;
    memcpy(picked->repeated_id, jobs->repeated_id, sizeof picked->repeated_id);
    memcpy(picked->ignored, jobs->ignored, sizeof picked->ignored);
    for (int32_t i = 0; i < n; i++) {
        const char *id = orr_jobs_id(jobs, positions[i]);
        if (ori_jobs_copy_job(picked, jobs, positions[i], id, false, err) != ORR_OK) {
            orr_jobs_destroy(picked);
            return NULL;
        }
    }
    if (jobs->rebased)
        rebase(picked, jobs, positions);
    return picked;
}

orr_jobs *orr_jobs_filter(const orr_jobs *jobs,
                          bool (*keep)(void *user, const orr_jobs *jobs, int32_t job), void *user,
                          const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    size_t bytes = (size_t)jobs->count * sizeof(int32_t);
    int32_t *positions = ori_new(&alloc, bytes, err);
    if (!positions)
        return NULL;
    int32_t n = 0;
    for (int32_t job = 0; job < jobs->count; job++)
        if (keep(user, jobs, job))
            positions[n++] = job;
    orr_jobs *picked = orr_jobs_pick(jobs, positions, n, &alloc, err);
    orr_release(&alloc, positions, bytes);
    return picked;
}

typedef struct interval {
    double from, to;
} interval;

static bool in_interval(void *user, const orr_jobs *jobs, int32_t job)
{
    const interval *i = user;
    return jobs->submit[job] >= i->from && jobs->submit[job] < i->to;
}

orr_jobs *orr_jobs_between(const orr_jobs *jobs, double from, double to, const orr_allocator *a,
                           orr_error *err)
{
    interval i = {from, to};
    return orr_jobs_filter(jobs, in_interval, &i, a, err);
}

typedef struct day_range {
    int64_t first, after;
} day_range;

static bool in_days(void *user, const orr_jobs *jobs, int32_t job)
{
    const day_range *range = user;
    int64_t day = orr_jobs_day(jobs, job);
    return day >= range->first && day < range->after;
}

orr_jobs *orr_jobs_days(const orr_jobs *jobs, int64_t first, int64_t after, const orr_allocator *a,
                        orr_error *err)
{
    day_range range = {first, after};
    return orr_jobs_filter(jobs, in_days, &range, a, err);
}

static bool any_job(void *user, const orr_jobs *jobs, int32_t job)
{
    (void)user;
    (void)jobs;
    (void)job;
    return true;
}

/* Times relative to the first one, which stays; false where one is no finite number any more. */
static bool divide_times(orr_jobs *jobs, double factor)
{
    double first = jobs->count == 0 ? 0 : jobs->submit[0], last = 0;
    for (int32_t job = 1; job < jobs->count; job++)
        first = jobs->submit[job] < first ? jobs->submit[job] : first;
    for (int32_t job = 0; job < jobs->count; job++) {
        jobs->submit[job] = first + (jobs->submit[job] - first) / factor;
        last = jobs->submit[job] > last ? jobs->submit[job] : last;
    }
    return isfinite(last);
}

orr_jobs *orr_jobs_load(const orr_jobs *jobs, double factor, const orr_allocator *a, orr_error *err)
{
    if (!(factor > 0 && isfinite(factor))) {
        orr_fail(err, ORR_ERR_ARGUMENT, "a factor of the load must be a number above 0, not %g",
                 factor);
        return NULL;
    }
    orr_jobs *loaded = orr_jobs_filter(jobs, any_job, NULL, a, err);
    if (loaded)
        loaded->waited = 0; /* nobody waited this long under another load */
    if (loaded && !divide_times(loaded, factor)) {
        orr_fail(err, ORR_ERR_ARGUMENT, "a load factor of %g leaves times that are not finite",
                 factor);
        orr_jobs_destroy(loaded);
        return NULL;
    }
    return loaded;
}

static bool is_earlier(const void *x, const void *y)
{
    return ((const orr_job_day *)x)->day < ((const orr_job_day *)y)->day;
}

orr_job_day *orr_jobs_by_day(const orr_jobs *jobs, const orr_allocator *a, orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    size_t bytes = (size_t)jobs->count * sizeof(orr_job_day);
    orr_job_day *list = ori_new(&alloc, bytes, err);
    for (int32_t job = 0; list && job < jobs->count; job++)
        list[job] = (orr_job_day){orr_jobs_day(jobs, job), job};
    if (list && ORI_SORT(list, jobs->count, is_earlier, &alloc, err) == ORR_OK)
        return list;
    orr_release(&alloc, list, bytes);
    return NULL;
}
