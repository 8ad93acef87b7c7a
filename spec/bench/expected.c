/* expected YEARS COUNT: nanoseconds of one evaluation of t^R and of libm's expm1 alone, over COUNT
 * evaluations each, and their sum as a check.
 *
 * The tasks are those of RR-8795 on 2 to 1000 processors with an MTBF of up to YEARS; alpha is
 * random. Evaluations do not depend on each other, as in the loops of the heuristics. */
#include "measure.h"

#include "base/draw.h"
#include "malleable/expected.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { TABLE = 4096 };

static orr_expected draw_task(orr_pcg *rng, double years)
{
    double size = orr_draw_uniform(rng, 1.5e6, 2.5e6);
    double procs = 2 * (double)orr_draw_integer(rng, 1, 500);
    double mtbf = orr_draw_uniform(rng, years / 100, years) * 365 * 86400;
    double sequential = 2 * size * log2(size);
    double time = 0.08 * sequential + 0.92 * sequential / procs + size / procs * log2(size);
    return orr_expected_prepare(time, procs, mtbf, size / procs, size / procs, 0, ORR_PERIOD_YOUNG);
}

int main(int argc, char **argv)
{
    static orr_expected tasks[TABLE];
    static double alpha[TABLE], x[TABLE];
    double years = argc > 1 ? strtod(argv[1], NULL) : 100;
    long count = argc > 2 ? strtol(argv[2], NULL, 10) : 20000000;
    orr_pcg rng = orr_stream_open(orr_stream_key_make(1, 0, 1, ORR_PURPOSE_USER), 0);
    for (int i = 0; i < TABLE; i++) {
        tasks[i] = draw_task(&rng, years);
        alpha[i] = orr_draw_unit(&rng);
        x[i] = tasks[i].rate * orr_expected_last(&tasks[i], alpha[i]);
    }
    double sum = 0, begin = seconds();
    for (long i = 0; i < count; i++)
        sum += orr_expected_time(&tasks[i % TABLE], alpha[i % TABLE]);
    double middle = seconds();
    for (long i = 0; i < count; i++)
        sum += expm1(x[i % TABLE]);
    double end = seconds();
    double unit = 1e9 / (double)count;
    printf("%.2f %.2f %.17g\n", (middle - begin) * unit, (end - middle) * unit, sum);
    return 0;
}
