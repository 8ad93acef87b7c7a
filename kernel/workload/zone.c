/* Time zones from the system's database: files in the format of RFC 8536 (TZif, from version 2 on),
 * whose last line, a rule as in the variable TZ, holds after the last change. */
#include "workload/zone.h"

#include "base/try_internal.h"
#include "workload/instance_internal.h"
#include "workload/jobs_internal.h"
#include "workload/utc_internal.h"
#include "workload/zone_internal.h"

#include <stdio.h>
#include <string.h>

#define DATABASE "/usr/share/zoneinfo/"
#define DAY INT64_C(86400)
#define SECOND_US INT64_C(1000000)

enum {
    MOST_BYTES = 1 << 20,
    HEADER = 44,
    MOST_NAME = 64,
    MOST_DAYS = 3,              /* behind today there is a day that the clocks do not skip */
    MOST_SHIFT = 26 * 3600,     /* s: clocks are less than this ahead of UTC, or behind */
    MOST_RULE_TIME = 167 * 3600 /* s: by which a rule may move a change from midnight */
};

/* The day of a year on which the clocks change: "Mm.w.d", "Jn" or "n". */
typedef struct change_day {
    char kind; /* 'M', 'J' (1 to 365, never 29 February) or 'n' (0 to 365) */
    int month, week, day;
    int32_t time; /* s from midnight, on the clocks as they were */
} change_day;

typedef struct change {
    int64_t at;     /* an instant */
    int32_t offset; /* from then on, s */
} change;

struct orr_zone {
    orr_allocator alloc;
    size_t size; /* bytes */
    char name[MOST_NAME];
    int32_t before; /* the offset before the first change, s */
    bool has_rule;  /* behind the last change */
    bool has_summer;
    int32_t winter, summer; /* offsets of the rule, s */
    change_day to_summer, to_winter;
    int32_t count;
    change changes[]; /* ascending */
};

/* --- the rule behind the last change ---------------------------------------------------------- */

/* A text read from front to back; `fine` becomes false at the first mismatch and stays false. */
typedef struct cursor {
    const char *at, *end;
    bool fine;
} cursor;

static bool next_is(cursor *c, char wanted)
{
    if (!c->fine || c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static int number(cursor *c, int least, int most)
{
    int value = 0, digits = 0;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9' && digits < 4; digits++)
        value = 10 * value + (*c->at++ - '0');
    c->fine = c->fine && digits > 0 && value >= least && value <= most;
    return value;
}

/* "[+-]h[h[h]][:mm[:ss]]" in seconds */
static int32_t clock_time(cursor *c)
{
    bool negative = next_is(c, '-');
    if (!negative)
        next_is(c, '+');
    int32_t seconds = 3600 * number(c, 0, 167);
    if (next_is(c, ':'))
        seconds += 60 * number(c, 0, 59);
    if (next_is(c, ':'))
        seconds += number(c, 0, 59);
    return negative ? -seconds : seconds;
}

/* "CET" or "<+03>" */
static void abbreviation(cursor *c)
{
    bool quoted = next_is(c, '<');
    const char *begin = c->at;
    while (c->at < c->end &&
           (quoted ? *c->at != '>'
                   : (*c->at >= 'a' && *c->at <= 'z') || (*c->at >= 'A' && *c->at <= 'Z')))
        c->at++;
    c->fine = c->fine && c->at > begin && (!quoted || next_is(c, '>'));
}

static change_day day_of_change(cursor *c)
{
    change_day d = {.kind = 'n', .time = 2 * 3600};
    if (next_is(c, 'M')) {
        d.kind = 'M';
        d.month = number(c, 1, 12);
        c->fine = next_is(c, '.');
        d.week = number(c, 1, 5);
        c->fine = next_is(c, '.');
        d.day = number(c, 0, 6);
    } else if (next_is(c, 'J')) {
        d.kind = 'J';
        d.day = number(c, 1, 365);
    } else {
        d.day = number(c, 0, 365);
    }
    if (next_is(c, '/'))
        d.time = clock_time(c);
    return d;
}

/* "CET-1CEST,M3.5.0,M10.5.0/3"; an empty text is no rule. */
static bool read_rule(orr_zone *zone, const char *text, size_t length)
{
    cursor c = {text, text + length, true};
    if (length == 0)
        return true;
    zone->has_rule = true;
    abbreviation(&c);
    zone->winter = -clock_time(&c);
    if (c.fine && c.at < c.end) {
        zone->has_summer = true;
        abbreviation(&c);
        bool usual = c.at < c.end && *c.at == ',';
        zone->summer = usual ? zone->winter + 3600 : -clock_time(&c);
        c.fine = next_is(&c, ',');
        zone->to_summer = day_of_change(&c);
        c.fine = next_is(&c, ',');
        zone->to_winter = day_of_change(&c);
    }
    return c.fine && c.at == c.end;
}

/* The local time of a change in a year, on the clocks as they were. */
static int64_t change_in(const change_day *d, int year)
{
    int64_t first = ori_utc_days(year, 1, 1);
    bool leap = ori_utc_days(year + 1, 1, 1) - first == 366;
    int64_t day = first + d->day;
    if (d->kind == 'J') {
        day = first + d->day - 1 + (leap && d->day >= 60);
    } else if (d->kind == 'M') {
        int64_t month = ori_utc_days(year, d->month, 1);
        int64_t next =
            d->month == 12 ? ori_utc_days(year + 1, 1, 1) : ori_utc_days(year, d->month + 1, 1);
        int weekday = (int)((month + 4) % 7); /* 0 is Sunday; 1970-01-01 was a Thursday */
        day = month + (d->day - weekday + 7) % 7 + 7 * (d->week - 1);
        if (day >= next)
            day -= 7;
    }
    return day * DAY + d->time;
}

/* The changes by the rule in the year of an instant, the year before and the year after. */
enum { BY_RULE = 6 };

static void changes_by_rule(const orr_zone *zone, int64_t instant, change changes[BY_RULE])
{
    int year = ori_utc_year((instant + zone->winter) * SECOND_US);
    for (int i = 0; i < BY_RULE / 2; i++) {
        change summer = {change_in(&zone->to_summer, year - 1 + i) - zone->winter, zone->summer};
        change winter = {change_in(&zone->to_winter, year - 1 + i) - zone->summer, zone->winter};
        bool north = summer.at < winter.at;
        changes[2 * i] = north ? summer : winter;
        changes[2 * i + 1] = north ? winter : summer;
    }
}

/* --- the file --------------------------------------------------------------------------------- */

static uint32_t word(const unsigned char *b)
{
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static int64_t long_word(const unsigned char *b)
{
    return (int64_t)((uint64_t)word(b) << 32 | word(b + 4));
}

/* The counts of the block behind a header. */
typedef struct counts {
    size_t utc_flags, standard_flags, leaps, changes, types, letters;
} counts;

static bool read_header(const unsigned char *b, size_t size, counts *n)
{
    if (size < HEADER || memcmp(b, "TZif", 4) != 0 || b[4] < '2')
        return false;
    *n = (counts){word(b + 20), word(b + 24), word(b + 28),
                  word(b + 32), word(b + 36), word(b + 40)};
    size_t most = MOST_BYTES;
    return n->utc_flags <= most && n->standard_flags <= most && n->leaps <= most &&
           n->changes <= most && n->types <= most && n->letters <= most;
}

static size_t block_size(const counts *n, size_t time)
{
    return n->changes * (time + 1) + n->types * 6 + n->letters + n->leaps * (time + 4) +
           n->standard_flags + n->utc_flags;
}

/* The second block of a file, with times of 64 bits; NULL: the file has none. */
static const unsigned char *second_block(const unsigned char *file, size_t size, counts *n,
                                         size_t *left)
{
    if (!read_header(file, size, n))
        return NULL;
    size_t first = HEADER + block_size(n, 4);
    if (first > size || !read_header(file + first, size - first, n))
        return NULL;
    *left = size - first - HEADER;
    return file + first + HEADER;
}

static bool fill_zone(orr_zone *zone, const unsigned char *b, size_t left, const counts *n)
{
    size_t block = block_size(n, 8);
    const unsigned char *of = b + 8 * n->changes, *types = of + n->changes;
    if (block + 2 > left || b[block] != '\n' || n->types == 0 || n->leaps > 0)
        return false;
    const unsigned char *rule = b + block + 1, *end = memchr(rule, '\n', left - block - 1);
    for (size_t i = 0; i < n->types; i++) {
        int32_t offset = (int32_t)word(types + 6 * i);
        if (offset <= -MOST_SHIFT || offset >= MOST_SHIFT)
            return false;
    }
    zone->before = (int32_t)word(types);
    zone->count = (int32_t)n->changes;
    for (size_t i = 0; i < n->changes; i++) {
        if (of[i] >= n->types)
            return false;
        zone->changes[i] = (change){long_word(b + 8 * i), (int32_t)word(types + 6 * of[i])};
        if (i > 0 && zone->changes[i].at <= zone->changes[i - 1].at)
            return false;
    }
    return end && read_rule(zone, (const char *)rule, (size_t)(end - rule));
}

static orr_status read_zone(orr_zone **zone, const char *name, const unsigned char *file,
                            size_t size, const orr_allocator *a, orr_error *err)
{
    counts n;
    size_t left;
    const unsigned char *b = second_block(file, size, &n, &left);
    ORI_FAIL_IF(!b || block_size(&n, 8) > left, err, ORR_ERR_INPUT,
                "time zone '%s': " DATABASE "%s is no file of a time zone (TZif, version 2 or "
                "later)",
                name, name);
    size_t bytes = sizeof **zone + n.changes * sizeof(change);
    orr_zone *made = orr_calloc(a, 1, bytes);
    ORI_FAIL_IF(!made, err, ORR_ERR_MEMORY, "out of memory");
    made->alloc = *a;
    made->size = bytes;
    memcpy(made->name, name, strlen(name) + 1); /* is_name: it is shorter */
    if (!fill_zone(made, b, left, &n)) {
        orr_zone_destroy(made);
        return orr_fail(err, ORR_ERR_INPUT,
                        "time zone '%s': " DATABASE "%s is damaged, or counts leap seconds", name,
                        name);
    }
    *zone = made;
    return ORR_OK;
}

/* Whether this is a name of the database: a path that does not leave it. */
static bool is_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length >= MOST_NAME || strstr(name, "..") || name[0] == '/')
        return false;
    for (const char *c = name; *c; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("_+-/", *c)))
            return false;
    return true;
}

orr_status orr_zone_create(orr_zone **zone, const char *name, const orr_allocator *given,
                           orr_error *err)
{
    char path[sizeof DATABASE + MOST_NAME];
    orr_allocator a = orr_allocator_or_default(given);
    *zone = NULL;
    FILE *in = NULL;
    if (is_name(name)) {
        snprintf(path, sizeof path, DATABASE "%s", name);
        in = fopen(path, "rb");
    }
    ORI_FAIL_IF(!in, err, ORR_ERR_ARGUMENT,
                "there is no time zone '%s' in " DATABASE " (expected a name as "
                "'Europe/Stockholm'; Debian's package tzdata has them)",
                name);
    unsigned char *file = orr_alloc(&a, MOST_BYTES);
    size_t size = file ? fread(file, 1, MOST_BYTES, in) : 0;
    fclose(in);
    orr_status status = file ? read_zone(zone, name, file, size, &a, err)
                             : orr_fail(err, ORR_ERR_MEMORY, "out of memory");
    orr_release(&a, file, MOST_BYTES);
    return status;
}

orr_status ori_zone_copy(orr_zone **zone, const orr_zone *from, const orr_allocator *given,
                         orr_error *err)
{
    orr_allocator a = orr_allocator_or_default(given);
    *zone = NULL;
    if (!from)
        return ORR_OK;
    orr_zone *made = orr_alloc(&a, from->size);
    ORI_FAIL_IF(!made, err, ORR_ERR_MEMORY, "out of memory");
    memcpy(made, from, from->size);
    made->alloc = a;
    *zone = made;
    return ORR_OK;
}

void orr_zone_destroy(orr_zone *zone)
{
    if (!zone)
        return;
    orr_allocator a = zone->alloc;
    orr_release(&a, zone, zone->size);
}

/* --- questions -------------------------------------------------------------------------------- */

/* The offset at an instant; *until: the instant of its next change, INT64_MAX: it never changes. */
static int32_t offset_until(const orr_zone *zone, int64_t instant, int64_t *until)
{
    int32_t low = 0, high = zone->count; /* the first change behind the instant */
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (zone->changes[middle].at <= instant)
            low = middle + 1;
        else
            high = middle;
    }
    int32_t offset = low > 0 ? zone->changes[low - 1].offset : zone->before;
    *until = low < zone->count ? zone->changes[low].at : INT64_MAX;
    if (low < zone->count || !zone->has_rule)
        return offset;
    if (!zone->has_summer)
        return zone->winter;
    change changes[BY_RULE];
    changes_by_rule(zone, instant, changes);
    for (int i = 0; i < BY_RULE; i++) {
        if (changes[i].at > instant) {
            *until = changes[i].at;
            break;
        }
        offset = changes[i].offset;
    }
    return offset;
}

/* Limits an instant to the years 1 to 9999. */
static int64_t in_range(int64_t seconds)
{
    const int64_t least = INT64_C(-62135596800), most = INT64_C(253402300799);
    return seconds < least ? least : seconds > most ? most : seconds;
}

int32_t orr_zone_offset(const orr_zone *zone, int64_t instant)
{
    int64_t until;
    return zone ? offset_until(zone, in_range(instant), &until) : 0;
}

int64_t orr_zone_instant(const orr_zone *zone, int64_t local)
{
    local = in_range(local);
    if (!zone)
        return local;
    for (int64_t from = local - MOST_SHIFT;;) { /* the clocks show less than `local` at this
                                                   instant */
        int64_t until, wanted = local - offset_until(zone, from, &until);
        if (wanted <= from)
            return from; /* it was skipped */
        if (wanted < until)
            return wanted;
        from = until;
    }
}

int64_t orr_zone_change(const orr_zone *zone, int64_t instant)
{
    int64_t until = INT64_MAX;
    if (zone)
        offset_until(zone, in_range(instant), &until);
    return until;
}

const char *orr_zone_name(const orr_zone *zone)
{
    return zone ? zone->name : "UTC";
}

/* Seconds, rounded down. */
static int64_t seconds_of(int64_t us)
{
    return us / SECOND_US - (us % SECOND_US < 0);
}

int64_t ori_zone_local(const orr_zone *zone, int64_t us)
{
    return us + orr_zone_offset(zone, seconds_of(us)) * SECOND_US;
}

bool orr_zone_parse(const orr_zone *zone, const char *text, size_t length, int64_t *us)
{
    int64_t shown;
    if (!orr_utc_parse(text, length, &shown))
        return false;
    int64_t second = seconds_of(shown);
    *us = orr_zone_instant(zone, second) * SECOND_US + (shown - second * SECOND_US);
    return true;
}

void orr_zone_format(const orr_zone *zone, int64_t us, char *buffer)
{
    orr_utc_format(ori_zone_local(zone, us), buffer);
}

static int64_t day_of(const orr_zone *zone, int64_t instant)
{
    return ori_utc_day(ori_zone_local(zone, instant * SECOND_US));
}

int64_t orr_zone_next(const orr_zone *zone, int64_t instant, int32_t time_of_day)
{
    instant = in_range(instant);
    int64_t at = instant;
    for (int64_t day = day_of(zone, instant), last = day + MOST_DAYS; day <= last; day++) {
        bool exists = day_of(zone, orr_zone_instant(zone, day * DAY)) == day;
        at = orr_zone_instant(zone, day * DAY + time_of_day);
        if (exists && at >= instant)
            break;
    }
    return at;
}
