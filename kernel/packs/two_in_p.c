/* Theorem 1. The paper's graph has loops for tasks that are alone in a pack. Here two such tasks
 * form a pair instead: with an even number of tasks, the tasks that are alone can be paired, and a
 * pair costs the smaller of both together and both alone. With an odd number one more vertex stands
 * for no task. */
#include "base/block_internal.h"
#include "packs/coschedule_internal.h"
#include "packs/exact.h"
#include "packs/matching_internal.h"
#include "packs/one_pack.h"

#include <math.h>

typedef struct pairs {
    const orr_pack_problem *problem;
    int32_t vertices; /* tasks, and one more for no task where their number is odd */
    double *weight;
    int32_t *mate;
} pairs;

static double alone(const pairs *a, int32_t task)
{
    return task < a->problem->count ? orr_pack_time(a->problem, task, a->problem->procs) : 0;
}

static double together(const pairs *a, int32_t i, int32_t j)
{
    int32_t tasks[] = {i, j};
    return j < a->problem->count ? orr_one_pack_cost(a->problem, tasks, 2) : (double)INFINITY;
}

static void weigh(pairs *a)
{
    for (int32_t i = 0; i < a->vertices; i++) {
        a->weight[(int64_t)i * a->vertices + i] = 0;
        for (int32_t j = i + 1; j < a->vertices; j++) {
            double weight = fmin(together(a, i, j), alone(a, i) + alone(a, j));
            a->weight[(int64_t)i * a->vertices + j] = weight;
            a->weight[(int64_t)j * a->vertices + i] = weight;
        }
    }
}

/* Packs in order of their first task. */
static orr_coschedule *make_packs(const pairs *a, orr_error *err)
{
    const orr_pack_problem *problem = a->problem;
    orr_coschedule *c = ori_coschedule_begin(problem, 0, err);
    if (!c)
        return NULL;
    for (int32_t i = 0; i < problem->count; i++) {
        int32_t j = !a->mate ? i : a->mate[i];
        if (j < i && together(a, j, i) < alone(a, j) + alone(a, i))
            c->pack[i] = c->pack[j];
        else
            c->pack[i] = c->packs++;
    }
    return ori_coschedule_finish(problem, c, err);
}

orr_coschedule *orr_two_in_p(const orr_pack_problem *problem, const orr_cancel_flag *cancel,
                             orr_error *err)
{
    pairs a = {.problem = problem, .vertices = problem->count + problem->count % 2};
    if (problem->most < 2)
        return make_packs(&a, err);
    if (problem->count > ORR_TWO_IN_P_MOST) {
        orr_fail(err, ORR_ERR_LIMIT, "two in p is solved for at most %d tasks, not for %d",
                 ORR_TWO_IN_P_MOST, (int)problem->count);
        return NULL;
    }
    size_t n = (size_t)a.vertices;
    ORI_SCRATCH_OR(NULL, &problem->alloc, ORI_RAW, err, ORI_PART(a.weight, n * n),
                   ORI_PART(a.mate, n));
    weigh(&a);
    bool found = ori_matching(a.weight, a.vertices, a.mate, &problem->alloc, cancel, err) == ORR_OK;
    return found ? make_packs(&a, err) : NULL;
}
