/* The problem that all policies of packs look at: its table of times, and the search in it. */
#include "packs/problem.h"

#include <string.h>

/* Times are kept in a table up to this many of them, 16 MB. */
enum { MOST_KEPT = 1 << 21 };

static orr_status check_arguments(const orr_tasks *tasks, int32_t procs, int32_t k,
                                  const int32_t *least, orr_error *err)
{
    if (tasks->count < 1)
        return orr_fail(err, ORR_ERR_ARGUMENT, "there are no tasks to put into packs");
    if (procs < 1)
        return orr_fail(err, ORR_ERR_ARGUMENT, "procs must be at least 1, not %d", (int)procs);
    if (k < 0)
        return orr_fail(err, ORR_ERR_ARGUMENT, "k must be at least 1 task in a pack, not %d",
                        (int)k);
    for (int32_t i = 0; least && i < tasks->count; i++)
        if (least[i] < 1 || least[i] > procs)
            return orr_fail(err, ORR_ERR_ARGUMENT,
                            "task %s: its least number of processors must be from 1 to the %d that "
                            "there are, not %d",
                            orr_tasks_id(tasks, i), (int)procs, (int)least[i]);
    return ORR_OK;
}

static int64_t times_kept(const orr_pack_problem *problem)
{
    int64_t all = (int64_t)problem->count * problem->procs;
    return all <= MOST_KEPT ? all : 0;
}

static bool allocate(orr_pack_problem *problem)
{
    int64_t kept = times_kept(problem);
    problem->least = orr_alloc(&problem->alloc, (size_t)problem->count * sizeof *problem->least);
    if (!problem->least)
        return false;
    if (kept > 0)
        problem->times = orr_alloc(&problem->alloc, (size_t)kept * sizeof *problem->times);
    return kept == 0 || problem->times;
}

static void fill(orr_pack_problem *problem, const int32_t *least)
{
    double *row = problem->times;
    for (int32_t i = 0; i < problem->count; i++)
        problem->least[i] = least ? least[i] : 1;
    for (int32_t i = 0; row && i < problem->count; i++, row += problem->procs)
        for (int32_t j = 1; j <= problem->procs; j++)
            row[j - 1] = orr_task_time(problem->tasks, i, j);
}

orr_pack_problem *orr_pack_problem_create(const orr_tasks *tasks, int32_t procs, int32_t k,
                                          const int32_t *least, const orr_allocator *a,
                                          orr_error *err)
{
    orr_allocator alloc = orr_allocator_or_default(a);
    if (check_arguments(tasks, procs, k, least, err) != ORR_OK)
        return NULL;
    orr_pack_problem *problem = orr_calloc(&alloc, 1, sizeof *problem);
    if (!problem) {
        orr_fail_memory(err, sizeof *problem);
        return NULL;
    }
    int32_t most = k > 0 && k < procs ? k : procs;
    problem->tasks = tasks;
    problem->count = tasks->count;
    problem->procs = procs;
    problem->most = most < tasks->count ? most : tasks->count;
    problem->alloc = alloc;
    if (!allocate(problem)) {
        orr_fail_memory(err, (size_t)times_kept(problem) * sizeof *problem->times);
        orr_pack_problem_destroy(problem);
        return NULL;
    }
    fill(problem, least);
    return problem;
}

void orr_pack_problem_destroy(orr_pack_problem *problem)
{
    if (!problem)
        return;
    orr_allocator alloc = problem->alloc;
    orr_release(&alloc, problem->times, (size_t)times_kept(problem) * sizeof *problem->times);
    orr_release(&alloc, problem->least, (size_t)problem->count * sizeof *problem->least);
    orr_release(&alloc, problem, sizeof *problem);
}

int32_t orr_pack_procs_for(const orr_pack_problem *problem, int32_t task, double time)
{
    int32_t low = problem->least[task], high = problem->procs + 1;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (orr_pack_time(problem, task, middle) <= time)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
