/* Malleable tasks on processors that fail, under a heuristic written here.
 *
 *     redistribute [RUNS]
 *
 * A pack of 20 tasks runs on 100 processors that fail every 10 years. When a task ends, its
 * processors are free: the heuristic gives them, pair by pair, to the task that is expected to
 * finish last, as long as that helps. When a fault makes a task the last one, the same is done for
 * it. Each run is done twice, with and without the heuristic, on the same tasks and faults. */
#include <orrery.h>

#include <stdio.h>
#include <stdlib.h>

enum { TASKS = 20, PROCS = 100 };

/* The kernel applies what is proposed, with its costs, when the hook returns. */
static orr_status give_to_longest(void *user, orr_malleable *sim, int32_t task, orr_error *err)
{
    (void)user, (void)task;
    for (;;) {
        int32_t longest = orr_malleable_longest(sim);
        int32_t more = orr_malleable_look(sim).free;
        if (longest < 0 || more < 2)
            return ORR_OK;
        more = orr_malleable_improvement(sim, longest, more);
        if (more == 0)
            return ORR_OK; /* the last task cannot end earlier: nor can the pack */
        int32_t procs = orr_malleable_proposed(sim, longest) + more;
        orr_status status = orr_malleable_assign(sim, longest, procs, err);
        if (status != ORR_OK)
            return status;
    }
}

/* The makespan of one run, s. */
static orr_status simulate(const orr_tasks *tasks, const orr_malleable_policy *policy, uint64_t run,
                           double *makespan, orr_error *err)
{
    orr_malleable_setup setup;
    orr_malleable_metrics m;
    ORR_BEGIN(setup);
    setup.count = TASKS;
    setup.procs = PROCS;
    setup.resilience = orr_resilience_default();
    setup.resilience.mtbf = 10 * 365 * 86400.0;
    setup.faults.law = ORR_FAULTS_EXPONENTIAL;
    setup.faults.procs = PROCS;
    setup.faults.mtbf = setup.resilience.mtbf;
    setup.policy = policy;
    setup.seed = 1; /* with the run it names the faults: both policies meet the same ones */
    orr_malleable *sim = orr_malleable_create(&setup, err);
    orr_status status = sim ? orr_malleable_reset(sim, tasks, run, err) : err->status;
    if (status == ORR_OK)
        status = orr_malleable_finish(sim, &m, err);
    if (status == ORR_OK)
        *makespan = m.makespan;
    orr_malleable_destroy(sim);
    return status;
}

int main(int argc, char **argv)
{
    orr_error err;
    orr_malleable_policy nothing, heuristic;
    ORR_BEGIN(nothing);
    nothing.name = "no redistribution";
    heuristic = nothing;
    heuristic.name = "give to the longest";
    heuristic.on_end = give_to_longest;
    heuristic.on_fault = give_to_longest;

    orr_synthetic_tasks kind = orr_synthetic_tasks_default();
    kind.count = TASKS;
    orr_tasks *tasks = orr_tasks_create(NULL, &err);
    orr_status status = tasks ? ORR_OK : err.status;
    uint64_t runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 10;
    double with = 0, without = 0, sum = 0;
    for (uint64_t run = 1; run <= runs && status == ORR_OK; run++) {
        status = orr_generate_tasks(tasks, &kind, 1, 0, run, &err);
        if (status == ORR_OK)
            status = simulate(tasks, &nothing, run, &without, &err);
        if (status == ORR_OK)
            status = simulate(tasks, &heuristic, run, &with, &err);
        sum += with / without;
    }
    if (status == ORR_OK)
        printf("%d runs: makespan with redistribution / without: %.4f\n", (int)runs,
               sum / (double)runs);
    else
        fprintf(stderr, "redistribute: %s\n", err.message);
    orr_tasks_destroy(tasks);
    return status == ORR_OK ? 0 : 1;
}
