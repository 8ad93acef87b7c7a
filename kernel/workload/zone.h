/* Time zones: the local time of a place at an instant, and the instants of a local time.
 *
 * A zone is read once from the system's database (/usr/share/zoneinfo, Debian's package tzdata) and
 * never changes, so that any number of threads may ask it. The process's own time zone plays no
 * part: the C library's functions know that one alone.
 *
 * Instants are seconds since 1970 in UTC. Local times are seconds since 1970 as if the clocks of
 * the place showed UTC. A zone that is NULL is UTC. Times before the year 1 or behind the year 9999
 * count as the first or last of these years. */
#pragma once

#include "base/error.h"
#include "base/memory.h"

typedef struct orr_zone orr_zone;

/* Reads the zone of a name such as "Europe/Stockholm". ORR_ERR_ARGUMENT where the database has none
 * of this name, ORR_ERR_INPUT where its file is damaged or not a time zone. */
ORR_API orr_status orr_zone_create(orr_zone **zone, const char *name, const orr_allocator *a,
                                   orr_error *err);

ORR_API void orr_zone_destroy(orr_zone *zone); /* NULL is fine */

/* The offset of the clocks from UTC, s; > 0: ahead. */
ORR_API int32_t orr_zone_offset(const orr_zone *zone, int64_t instant);

/* The first instant at which the clocks show a local time or, if they skip it, the instant of the
 * skip. */
ORR_API int64_t orr_zone_instant(const orr_zone *zone, int64_t local);

/* The next instant behind this one at which the clocks are changed; INT64_MAX: there is none. */
ORR_API int64_t orr_zone_change(const orr_zone *zone, int64_t instant);

/* The name that it was made by; "UTC" for NULL. */
ORR_API const char *orr_zone_name(const orr_zone *zone);

/* orr_utc_parse and orr_utc_format (workload/utc.h) of dates that the clocks of a zone show:
 * microseconds are since 1970 in UTC. Of a date that they show twice the first instant counts, of
 * one that they skip the instant of the skip. */
ORR_API bool orr_zone_parse(const orr_zone *zone, const char *text, size_t length,
                            int64_t *microseconds);
ORR_API void orr_zone_format(const orr_zone *zone, int64_t microseconds, char *buffer);

/* The next instant, from `instant` on (included), at which the clocks show a time of day, in
 * seconds from midnight, 0 to 86399. Of a time that the clocks show twice on a day only the first
 * counts. A time that they skip counts at the instant of the skip. Skipped days do not count. */
ORR_API int64_t orr_zone_next(const orr_zone *zone, int64_t instant, int32_t time_of_day);
