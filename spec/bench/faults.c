/* faults LAW PROCS YEARS: milliseconds to reset a source of faults of that law (weibull with shape
 * 0.7, lognormal with sigma 1, exponential) with an MTBF of 100 years per processor, nanoseconds
 * for each of its faults during so many years, and their number. */
#include "measure.h"

#include "workload/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double YEAR = 365.0 * 86400;

static orr_fault_law law_of(const char *name)
{
    if (strcmp(name, "weibull") == 0)
        return ORR_FAULTS_WEIBULL;
    return strcmp(name, "lognormal") == 0 ? ORR_FAULTS_LOGNORMAL : ORR_FAULTS_EXPONENTIAL;
}

int main(int argc, char **argv)
{
    orr_fault_law law = law_of(argc > 1 ? argv[1] : "exponential");
    orr_faults_setup setup = {.law = law,
                              .procs = argc > 2 ? (int32_t)strtol(argv[2], NULL, 10) : 1000000,
                              .mtbf = 100 * YEAR,
                              .shape = law == ORR_FAULTS_WEIBULL ? 0.7 : 1};
    double end = (argc > 3 ? strtod(argv[3], NULL) : 1) * YEAR;
    orr_error err;
    orr_faults *faults = orr_faults_create(&setup, &err);
    if (faults == NULL || orr_faults_reset(faults, 1, 0, 1, &err) != ORR_OK)
        return 1;
    double begin = seconds();
    if (orr_faults_reset(faults, 1, 0, 2, &err) != ORR_OK)
        return 1;
    double middle = seconds();
    int64_t count = 0;
    for (; orr_faults_peek(faults).time < end; count++)
        if (orr_faults_take(faults, &err) != ORR_OK)
            return 1;
    double spent = seconds() - middle;
    printf("%.3f %.1f %lld\n", (middle - begin) * 1e3,
           spent * 1e9 / (double)(count > 0 ? count : 1), (long long)count);
    orr_faults_destroy(faults);
    return 0;
}
