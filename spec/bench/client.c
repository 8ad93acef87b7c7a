/* A plain C client of the kernel: Monte Carlo runs of one synthetic set with a built-in priority.
 *
 *   client DISCIPLINE [mean_probability] [runs] [plain | each]
 *   DISCIPLINE: greedy, easy, list-all, fcfs, shelf, shelf-nofill
 *   plain: in the plain event loop
 *   each: every scenario is simulated, also where all are equal because no job fails
 *   prints: mean ratio, microseconds per scenario, attempts per scenario */
#include "measure.h"

#include "rigid/montecarlo.h"
#include "workload/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool set_discipline(orr_rigid_policy *p, const char *name)
{
    static const struct {
        const char *name;
        orr_rigid_discipline discipline;
        int32_t reservations;
        bool fill;
    } known[] = {
        {"greedy", ORR_DISPATCH_LIST, 0, false},
        {"easy", ORR_DISPATCH_LIST, 1, false},
        {"list-all", ORR_DISPATCH_LIST, ORR_RESERVE_ALL, false},
        {"fcfs", ORR_DISPATCH_FCFS, 0, false},
        {"shelf", ORR_DISPATCH_SHELF, 0, true},
        {"shelf-nofill", ORR_DISPATCH_SHELF, 0, false},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i].name) == 0) {
            p->name = known[i].name;
            p->discipline = known[i].discipline;
            p->reservations = known[i].reservations;
            p->fill = known[i].fill;
            return true;
        }
    return false;
}

static orr_status get(void *user, int thread, int32_t policy, void *out, orr_error *err)
{
    (void)thread, (void)policy, (void)err;
    *(orr_rigid_policy *)out = *(const orr_rigid_policy *)user;
    return ORR_OK;
}

/* Simulates every scenario: the Monte Carlo run takes the results of an equal one. */
static orr_status run_each(const orr_rigid_montecarlo *mc, orr_error *err)
{
    const orr_rigid_set *set = mc->set;
    orr_rigid_setup setup = {.size = sizeof setup,
                             .instance = set->instances[0],
                             .policy = mc->common.source.user,
                             .seed = mc->common.seed};
    orr_rigid *sim = orr_rigid_create(&setup, err);
    int32_t *failures = malloc((size_t)setup.instance->count * sizeof *failures);
    orr_status status = !sim       ? err->status
                        : failures ? ORR_OK
                                   : orr_fail_memory(err, sizeof *failures);
    for (int64_t s = 0; status == ORR_OK && s < mc->common.scenarios; s++) {
        uint64_t scenario = (uint64_t)s + 1;
        if (set->errors)
            status = orr_silent_errors_draw(set->errors, setup.seed, 0, scenario, failures, err);
        if (status == ORR_OK)
            status = orr_rigid_reset(sim, set->errors ? failures : NULL, scenario, err);
        if (status == ORR_OK)
            status = orr_rigid_finish(sim, &set->results[s], err);
    }
    free(failures);
    orr_rigid_destroy(sim);
    return status;
}

/* Runs the scenarios and prints the line. */
static orr_status measure(const orr_rigid_montecarlo *mc, bool each, orr_error *err)
{
    const orr_metrics *results = mc->set[0].results;
    double begin = seconds(), ratio = 0, starts = 0, runs = (double)mc->common.scenarios;
    orr_status status = each ? run_each(mc, err) : orr_rigid_montecarlo_run(mc, err);
    double spent = seconds() - begin;
    for (int64_t s = 0; status == ORR_OK && s < mc->common.scenarios; s++) {
        ratio += results[s].ratio;
        starts += (double)results[s].starts;
    }
    if (status == ORR_OK)
        printf("%.17g %.6g %.6g\n", ratio / runs, spent / runs * 1e6, starts / runs);
    return status;
}

int main(int argc, char **argv)
{
    orr_rigid_policy policy = {.size = sizeof(orr_rigid_policy)};
    orr_rigid_set_rule(&policy, ORR_RULE_LPT);
    if (argc < 2 || !set_discipline(&policy, argv[1])) {
        fprintf(stderr, "usage: client DISCIPLINE [mean_probability] [runs] [plain | each]\n");
        return 2;
    }
    double q = argc > 2 ? strtod(argv[2], NULL) : 0.3;
    int64_t runs = argc > 3 ? strtoll(argv[3], NULL, 10) : 20000;
    orr_synthetic options = orr_synthetic_default();
    orr_instance_options how = {.size = sizeof(orr_instance_options), .procs = 10000};
    orr_error err = {0};
    orr_instance in = {0};
    orr_silent_errors errors = {0};
    orr_jobs *jobs = orr_generate_synthetic(&options, 1, 0, NULL, &err);
    orr_status status = jobs ? orr_instance_create(&in, jobs, &how, NULL, &err) : err.status;
    if (status == ORR_OK)
        status = orr_silent_errors_create(&errors, &in, orr_silent_error_rate(jobs, q), 1000000,
                                          NULL, &err);
    const orr_instance *instance = &in;
    orr_rigid_set set = {.instances = &instance,
                         .errors = q > 0 ? &errors : NULL,
                         .results = calloc((size_t)runs, sizeof *set.results)};
    if (status == ORR_OK && !set.results)
        status = orr_fail_memory(&err, (size_t)runs * sizeof *set.results);
    orr_rigid_montecarlo mc = {.size = sizeof(orr_rigid_montecarlo),
                               .common = {.source = {get, NULL, &policy},
                                          .policies = 1,
                                          .seed = 1,
                                          .scenarios = runs,
                                          .threads = 1},
                               .sets = 1,
                               .set = &set,
                               .plain = argc > 4 && strcmp(argv[4], "plain") == 0};
    if (status == ORR_OK)
        status = measure(&mc, argc > 4 && strcmp(argv[4], "each") == 0, &err);
    if (status != ORR_OK)
        fprintf(stderr, "client: %s\n", err.message);
    free(set.results);
    orr_silent_errors_destroy(&errors);
    orr_instance_destroy(&in);
    orr_jobs_destroy(jobs);
    return status != ORR_OK;
}
