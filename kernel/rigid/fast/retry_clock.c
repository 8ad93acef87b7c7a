/* Many attempts of one job, one right after the other, without adding them one at a time. This
 * makes the short ways (shortcuts.c) 4 to 15 times as fast if most attempts fail; if few fail, this
 * code is not reached.
 *
 * Between two neighbouring powers of two all doubles are multiples of one number, the last place.
 * An addition of the same number there moves the clock by the same multiple of it every time: the
 * rounding depends on the clock only where the number lies half-way between two multiples, and then
 * the first result is even and stays so. So once three attempts in a row have ended between the
 * same powers of two, the step from the second to the third is the step of all that follow, up to
 * the next power of two, and products and sums of such multiples are exact. The number of steps up
 * to the next power is a quotient of two whole numbers of last places, at most 2^53. It can be
 * rounded, but never up to a whole number. */

#include "rigid/fast/retry_clock_internal.h"
#include <string.h>

enum { FEW = 12 }; /* fewer attempts are added as fast one by one */

/* The powers of two around a number >= 0: low <= x < high. */
static void powers_around(double x, double *low, double *high)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= UINT64_C(0x7ff) << 52;
    memcpy(low, &bits, sizeof bits);
    bits += UINT64_C(1) << 52;
    memcpy(high, &bits, sizeof bits);
}

double ori_retry_clock(double start, double time, double verification, int32_t count)
{
    double x = start;
    while (count > FEW) {
        double first = (x + time) + verification;
        double second = (first + time) + verification, low, high;
        x = (second + time) + verification;
        count -= 3;
        if (!(x < INFINITY))
            return x;
        powers_around(x, &low, &high);
        if (first < low)
            continue;
        double room = (high - x) / (x - second); /* inf if the clock does not move */
        int32_t skipped = room < count ? (int32_t)room : count;
        x += skipped * (x - second);
        count -= skipped;
    }
    for (; count > 0; count--)
        x = (x + time) + verification;
    return x;
}

/* The limit is a multiple of the clock's last place, because it is not beyond the next power of
 * two. */
double ori_retry_until(double *end, double time, double verification, double limit,
                       int32_t *attempts)
{
    double x = *end, before = x;
    while (x < limit) {
        double low, high, first = (x + time) + verification;
        powers_around(x, &low, &high);
        high = limit < high ? limit : high;
        double step = first - x, room = (high - first) / step;
        double second = (first + time) + verification;
        if (room > FEW && x >= low && second < high && room < INT32_MAX - 2) {
            double third = (second + time) + verification, further = third - second;
            int32_t skipped = (int32_t)((high - third) / further) - 1;
            if (third < high && skipped > 0) {
                before = third + (skipped - 1) * further;
                x = third + skipped * further;
                *attempts += 3 + skipped;
                continue;
            }
        }
        before = x;
        x = first;
        (*attempts)++;
    }
    *end = x;
    return before;
}
