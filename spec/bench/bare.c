/* A bare loop: greedy LPT with silent errors on one synthetic set, and nothing else - no policies,
 * no submission times, no records. What the engine costs is measured against it.
 *
 *   bare [mean_probability] [runs]    prints: mean ratio, microseconds per scenario */
#include "rigid/machine/scenario.h"
#include "schedule/metrics.h"
#include "workload/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 100, P = 10000 };

/* Of processor time: the machine may have other work. */
static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const orr_jobs *sorting;

static int longer_first(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    if (sorting->time[x] != sorting->time[y])
        return sorting->time[x] > sorting->time[y] ? -1 : 1;
    return x - y;
}

/* One scenario; the jobs are in order of priority. Waiting jobs stand in a bitmap over ranks. */
static double simulate(const int32_t *procs, const double *time, const int32_t *failures)
{
    double ends[N], now = 0;
    int32_t ranks[N], left[N], running = 0, free = P;
    uint64_t waiting[2] = {~0ull, (1ull << (N - 64)) - 1};
    for (int32_t i = 0; i < N; i++)
        left[i] = failures[i];
    for (;;) {
        for (int w = 0; w < 2; w++)
            for (uint64_t rest = waiting[w]; rest; rest &= rest - 1) {
                int32_t i = w * 64 + __builtin_ctzll(rest);
                if (procs[i] > free)
                    continue;
                waiting[w] &= ~(1ull << (i & 63));
                free -= procs[i];
                double end = now + time[i];
                int32_t at = running++;
                for (; at > 0 && ends[at - 1] < end; at--) {
                    ends[at] = ends[at - 1];
                    ranks[at] = ranks[at - 1];
                }
                ends[at] = end;
                ranks[at] = i;
            }
        if (running == 0)
            return now;
        now = ends[running - 1];
        while (running > 0 && ends[running - 1] == now) {
            int32_t i = ranks[--running];
            free += procs[i];
            if (left[i]-- > 0)
                waiting[i >> 6] |= 1ull << (i & 63);
        }
    }
}

int main(int argc, char **argv)
{
    double q = argc > 1 ? strtod(argv[1], NULL) : 0.3;
    int runs = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 20000;
    orr_synthetic options = orr_synthetic_default();
    orr_error err;
    orr_jobs *jobs = orr_generate_synthetic(&options, 1, 0, NULL, &err);
    orr_instance_options how = {.size = sizeof(orr_instance_options), .procs = P};
    orr_instance in;
    orr_silent_errors errors;
    if (!jobs || orr_instance_create(&in, jobs, &how, NULL, &err) != ORR_OK ||
        orr_silent_errors_create(&errors, &in, orr_silent_error_rate(jobs, q), 1000000, NULL,
                                 &err) != ORR_OK) {
        fprintf(stderr, "bare: %s\n", err.message);
        return 1;
    }
    int32_t order[N], procs[N], drawn[N], failures[N];
    double time[N], sum = 0, begin = seconds();
    for (int32_t i = 0; i < N; i++)
        order[i] = i;
    sorting = jobs;
    qsort(order, N, sizeof *order, longer_first);
    for (int32_t i = 0; i < N; i++) {
        procs[i] = jobs->procs[order[i]];
        time[i] = jobs->time[order[i]];
    }
    for (int s = 1; s <= runs; s++) {
        if (orr_silent_errors_draw(&errors, 1, 0, (uint64_t)s, drawn, &err) != ORR_OK)
            return 1;
        for (int32_t i = 0; i < N; i++)
            failures[i] = drawn[order[i]];
        sum += simulate(procs, time, failures) / orr_lower_bound(&in, drawn);
    }
    printf("%.17g %.6g\n", sum / runs, (seconds() - begin) / runs * 1e6);
    orr_silent_errors_destroy(&errors);
    orr_instance_destroy(&in);
    orr_jobs_destroy(jobs);
    return 0;
}
