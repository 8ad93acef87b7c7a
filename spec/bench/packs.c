/* PACK-BY-PACK by a plain C client of the kernel: packs TASKS.csv PROCS K RUNS ROUNDS prints the
 * cost of the best of RUNS values of epsilon (s) and the microseconds that one round takes. */
#include "measure.h"

#include "packs/allocation.h"

#include <stdio.h>
#include <stdlib.h>

static orr_coschedule *pack_by_pack(const orr_pack_problem *problem, double epsilon, int32_t *taken,
                                    int32_t *pack, orr_error *err)
{
    orr_allocation *a = orr_allocation_create(problem, err);
    int32_t packs = 0;
    if (!a)
        return NULL;
    while (orr_allocation_listed(a) > 0 && orr_allocation_grow(a, epsilon, err) == ORR_OK) {
        double longest = orr_allocation_time(a, orr_allocation_head(a));
        int32_t count = orr_allocation_take(a, (1 - epsilon) * longest, taken);
        for (int32_t i = 0; i < count; i++)
            pack[taken[i]] = packs;
        packs++;
    }
    orr_allocation_destroy(a);
    return orr_coschedule_create(problem, pack, packs, NULL, err);
}

static double best_of(const orr_pack_problem *problem, int runs, int32_t *room, orr_error *err)
{
    double best = -1;
    for (int run = 1; run <= runs; run++) {
        double epsilon = run / (runs + 1.0);
        orr_coschedule *c = pack_by_pack(problem, epsilon, room, room + problem->count, err);
        if (c && (best < 0 || c->total < best))
            best = c->total;
        orr_coschedule_destroy(c);
    }
    return best;
}

int main(int argc, char **argv)
{
    orr_error err = {0};
    orr_tasks *tasks = argc == 6 ? orr_read_tasks(argv[1], 0, NULL, &err) : NULL;
    orr_pack_problem *problem =
        tasks ? orr_pack_problem_create(tasks, (int32_t)strtol(argv[2], NULL, 10),
                                        (int32_t)strtol(argv[3], NULL, 10), NULL, NULL, &err)
              : NULL;
    int32_t *room = problem ? calloc(2 * (size_t)problem->count, sizeof *room) : NULL;
    if (!room) {
        fprintf(stderr, "packs TASKS.csv PROCS K RUNS ROUNDS: %s\n", err.message);
        return 1;
    }
    long rounds = strtol(argv[5], NULL, 10);
    double cost = 0;
    double begin = seconds();
    for (long round = 0; round < rounds; round++)
        cost = best_of(problem, (int)strtol(argv[4], NULL, 10), room, &err);
    printf("%.17g %.3f\n", cost, 1e6 * (seconds() - begin) / (double)rounds);
    free(room);
    orr_pack_problem_destroy(problem);
    orr_tasks_destroy(tasks);
    return cost < 0;
}
