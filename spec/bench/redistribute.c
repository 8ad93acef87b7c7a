/* redistribute ON_END ON_FAULT TASKS PROCS RUNS: the mean makespan in s, and microseconds of one
 * core per run, of the heuristics in heuristics.h.
 *
 * The runs are those of orrery.compare with tasks = { n = TASKS }, seed 1 and an MTBF of 100 years:
 * sizes drawn anew in each, and the run without redistribution that it is compared to. */
#include "heuristics.h"
#include "measure.h"

#include "malleable/montecarlo.h"

#include <stdio.h>
#include <stdlib.h>

static orr_status get(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)thread, (void)policy, (void)err;
    *(orr_malleable_policy *)out = *(const orr_malleable_policy *)user;
    return ORR_OK;
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    orr_malleable_policy policy = heuristics(argv[1], argv[2]);
    orr_synthetic_tasks tasks = orr_synthetic_tasks_default();
    tasks.count = (int32_t)strtol(argv[3], NULL, 10);
    int32_t procs = (int32_t)strtol(argv[4], NULL, 10);
    int64_t count = strtol(argv[5], NULL, 10);
    orr_resilience resilience = orr_resilience_default();
    orr_malleable_result *results = calloc((size_t)count, sizeof *results);
    orr_malleable_montecarlo mc = {
        .size = sizeof(orr_malleable_montecarlo),
        .common = {.source = {get, NULL, &policy},
                   .policies = 1,
                   .seed = 1,
                   .scenarios = count,
                   .threads = 1},
        .synthetic = &tasks,
        .procs = procs,
        .resilience = resilience,
        .faults = {.law = ORR_FAULTS_EXPONENTIAL, .mtbf = resilience.mtbf},
        .results = results};
    orr_error err;
    double begin = seconds(), sum = 0;
    if (!results || orr_malleable_montecarlo_run(&mc, &err) != ORR_OK) {
        fprintf(stderr, "%s\n", results ? err.message : "no memory");
        return 1;
    }
    double spent = seconds() - begin;
    for (int64_t i = 0; i < count; i++)
        sum += results[i].metrics.makespan;
    printf("%.17g %.3f\n", sum / (double)count, spent / (double)count * 1e6);
    free(results);
    return 0;
}
