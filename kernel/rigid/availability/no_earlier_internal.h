/* Results of earlier searches of a timetable. As long as no processors are given back, a request
 * cannot start earlier than an earlier request that was no wider and no longer. So a search among
 * many reservations begins at the start that a smaller request found, not at the present.
 *
 * Widths and lengths are counted in cells of a quarter of their binary logarithm; for each pair of
 * cells the latest known bound of the start is kept, in a binary indexed tree of maxima in two
 * dimensions (Fenwick 1994). A search or a change touches at most 36 cells. Internal to this
 * folder. */
#pragma once

#include <stdint.h>

enum { ORI_NO_EARLIER_CELLS = 64 };

typedef struct ori_no_earlier {
    double start; /* s */
    int64_t age;  /* the age in which this was found */
} ori_no_earlier;

/* A lower bound of the start of a request, s; -inf if nothing is known. `table` has
 * ORI_NO_EARLIER_CELLS^2 cells; only those of this age count. */
double ori_no_earlier_than(const ori_no_earlier *table, int64_t age, int32_t procs, double seconds);

/* Notes that a request found no start before `start`. */
void ori_no_earlier_note(ori_no_earlier *table, int64_t age, int32_t procs, double seconds,
                         double start);
