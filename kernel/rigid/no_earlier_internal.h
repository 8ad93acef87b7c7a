/* What searches of a timetable have found: no request that is as wide and as long as one before it
 * starts earlier than that one did, as long as nothing is given back. So a search among many
 * reservations begins where a smaller request found its start, and not at the present.
 *
 * Widths and lengths are counted in cells of a quarter of their binary logarithm; for each pair of
 * cells the latest start is kept that is known to bound it, as a binary indexed tree of maxima in
 * two dimensions (Fenwick 1994): 36 cells at most are looked at, or changed. Internal to this
 * folder. */
#pragma once

#include <stdint.h>

enum { ORI_NO_EARLIER_CELLS = 64 };

typedef struct ori_no_earlier {
    double start; /* s */
    int64_t age;  /* in which this was found */
} ori_no_earlier;

/* When a request may start at the earliest, s; -inf where nothing is known. `table` has
 * ORI_NO_EARLIER_CELLS^2 cells, of which only those of this age count. */
double ori_no_earlier_than(const ori_no_earlier *table, int64_t age, int32_t procs, double seconds);

/* A request found no start before this one. */
void ori_no_earlier_note(ori_no_earlier *table, int64_t age, int32_t procs, double seconds,
                         double start);
