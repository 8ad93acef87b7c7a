/* Bounds of starts for reservations to come: see the header. */
#include "rigid/availability/no_earlier_internal.h"

#include <math.h>
#include <string.h>

enum { CELLS = ORI_NO_EARLIER_CELLS };

/* The exponent of a number and the first two bits of its fraction: a quarter of its binary
 * logarithm, that ascends with the number. The remaining bits say whether a number lies inside its
 * cell. */
enum { BITS = 50 };

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* The cell of a number >= 0, from 1 on; `least` begins cell 2. */
static int32_t cell_of(double number, double least)
{
    if (!(number >= least))
        return 1;
    uint64_t above = (bits_of(number) >> BITS) - (bits_of(least) >> BITS) + 2;
    return above < CELLS ? (int32_t)above : CELLS;
}

/* The first cell whose numbers are all at least `number`; CELLS + 1: none. */
static int32_t cell_above(double number, double least)
{
    if (!(number > least))
        return 2;
    uint64_t inside = bits_of(number) & ((UINT64_C(1) << BITS) - 1);
    uint64_t above = (bits_of(number) >> BITS) - (bits_of(least) >> BITS) + 2 + (inside != 0);
    return above <= CELLS ? (int32_t)above : CELLS + 1;
}

static const double least_procs = 1, least_seconds = 16;

double ori_no_earlier_than(const ori_no_earlier *table, int64_t age, int32_t procs, double seconds)
{
    double latest = -INFINITY;
    int32_t last = cell_of(seconds, least_seconds);
    for (int32_t i = cell_of(procs, least_procs); i > 0; i -= i & -i)
        for (int32_t k = last; k > 0; k -= k & -k) {
            const ori_no_earlier *cell = &table[(i - 1) * CELLS + k - 1];
            if (cell->age == age && cell->start > latest)
                latest = cell->start;
        }
    return latest;
}

void ori_no_earlier_note(ori_no_earlier *table, int64_t age, int32_t procs, double seconds,
                         double start)
{
    int32_t first = cell_above(seconds, least_seconds);
    for (int32_t i = cell_above(procs, least_procs); i <= CELLS; i += i & -i)
        for (int32_t k = first; k <= CELLS; k += k & -k) {
            ori_no_earlier *cell = &table[(i - 1) * CELLS + k - 1];
            if (cell->age != age || start > cell->start)
                *cell = (ori_no_earlier){start, age};
        }
}
